"""The plugin `perfolio` of MkDocs, which is all that a project's mkdocs.yml has to name.

    site_name: Performance of my program
    plugins: [perfolio]

In:  a mkdocs.yml that names it. Out: its settings above those of every Perfolio site, with the
reports of `profiles/` brought up to date. Works for `mkdocs build`, `serve` and `gh-deploy`, and
for `perfolio build` and `serve`.
"""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Any

from mkdocs.config.base import Config
from mkdocs.config.defaults import MkDocsConfig
from mkdocs.exceptions import ConfigurationError
from mkdocs.plugins import BasePlugin
from mkdocs.utils.yaml import yaml_load

from perfolio.site import hooks

if TYPE_CHECKING:
    from mkdocs.livereload import LiveReloadServer

NAME = "perfolio"
_SITE = Path(hooks.__file__).resolve().parent
_BASE = _SITE / "base.yml"
_HOOKS = (Path(__file__).resolve().with_name("refresh_hook.py"), _SITE / "hooks.py")
_REFRESH = "perfolio_refresh"
_OF_COMMAND = ("docs_dir", "site_dir", "site_url", "strict", "dev_addr")
"""What options of MkDocs' commands set above a project's file."""


class PluginOptions(Config):  # type: ignore[no-untyped-call]
    """None: what a project sets stands in mkdocs.yml as for every site."""


class PerfolioPlugin(BasePlugin[PluginOptions]):  # type: ignore[no-untyped-call]
    """Replaces the settings by those of the project merged with ours, whose hooks do the rest."""

    def on_startup(self, **given: Any) -> None:
        """As for every site."""
        hooks.on_startup(**given)

    def on_config(self, config: MkDocsConfig) -> MkDocsConfig:
        """The merged settings, after our hooks have seen them."""
        ours = {key: value for key, value in config.extra.items() if key.startswith("perfolio_")}
        config.extra[_REFRESH] = ours.setdefault(_REFRESH, True)
        merged = _merge_settings(config)
        merged.extra.update(ours)
        return merged.plugins.on_config(merged)

    def on_serve(
        self, server: LiveReloadServer, *, config: MkDocsConfig, **given: Any
    ) -> LiveReloadServer:
        """As for every site."""
        return hooks.on_serve(server, config, **given)


def _merge_settings(config: MkDocsConfig) -> MkDocsConfig:
    """Settings of every site, below those of the project's file and of the command line."""
    path = Path(config.config_file_path)
    base, own = _read_settings(_BASE), _read_settings(path)
    own["plugins"] = _leave_out(own.get("plugins") or [])
    own["markdown_extensions"] = _name_extensions(own.get("markdown_extensions") or {})
    own["hooks"] = [*map(str, _HOOKS), *(own.get("hooks") or [])]
    theme = own["theme"] = _read_theme(path, own.get("theme"))
    theme.setdefault("custom_dir", str(_SITE / "theme"))
    merged = MkDocsConfig(config_file_path=str(path))
    merged.load_dict(_merge_mappings(base, own))
    errors, _ = merged.validate()
    if errors:
        name, error = errors[0]
        raise ConfigurationError(f"{path}: {name}: {error}")
    for name in _OF_COMMAND:
        merged[name] = config[name]
    return merged


def _read_settings(path: Path) -> dict[str, Any]:
    with path.open(encoding="utf-8") as file:
        settings: dict[str, Any] = yaml_load(file)
    return settings


def _merge_mappings(base: dict[str, Any], own: dict[str, Any]) -> dict[str, Any]:
    """Both, with what the second says where both say something; mappings in them likewise."""
    merged = base | own
    for key in base.keys() & own.keys():
        if isinstance(base[key], dict) and isinstance(own[key], dict):
            merged[key] = _merge_mappings(base[key], own[key])
    return merged


def _name_extensions(given: object) -> dict[str, Any]:
    """Extensions of Markdown by name, which a file may give as a list as well."""
    if isinstance(given, dict):
        return given
    named = [one if isinstance(one, dict) else {one: {}} for one in given or []]  # type: ignore[attr-defined]
    return {name: options or {} for one in named for name, options in one.items()}


def _read_theme(path: Path, given: object) -> dict[str, Any]:
    """The options of a theme; another theme than ours is refused."""
    theme = {"name": given} if isinstance(given, str) else dict(given or {})  # type: ignore[call-overload]
    if theme.setdefault("name", "material") != "material":
        raise ConfigurationError(f"{path}: theme: reports need the theme material")
    return theme


def _leave_out(plugins: list[Any]) -> list[Any]:
    """The plugins without this one."""
    return [one for one in plugins if (next(iter(one)) if isinstance(one, dict) else one) != NAME]
