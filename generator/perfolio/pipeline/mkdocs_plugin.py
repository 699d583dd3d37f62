"""The plugin `perfolio` of MkDocs, which is all that a project's mkdocs.yml has to name.

    site_name: Performance of my program
    plugins: [perfolio]

In:  a mkdocs.yml that names it. Out: its settings above those of every Perfolio site, with the
reports of `profiles/` brought up to date. Works for `mkdocs build`, `serve` and `gh-deploy`, and
for `perfolio build` and `serve`.
"""

from __future__ import annotations

from pathlib import Path
from typing import Any

from mkdocs.config.base import Config
from mkdocs.config.defaults import MkDocsConfig
from mkdocs.exceptions import ConfigurationError
from mkdocs.plugins import BasePlugin, event_priority
from mkdocs.utils.yaml import yaml_load

from perfolio.pipeline import refresh_hook
from perfolio.site import hooks

_SITE = Path(hooks.__file__).resolve().parent
_BASE = _SITE / "base.yml"
_REFRESH = "perfolio_refresh"
_OF_COMMAND = ("docs_dir", "site_dir", "site_url", "strict", "dev_addr")
"""What options of MkDocs' commands set above a project's file."""


class PluginOptions(Config):  # type: ignore[no-untyped-call]
    """None: what a project sets stands in mkdocs.yml as for every site."""


class PerfolioPlugin(BasePlugin[PluginOptions]):  # type: ignore[no-untyped-call]
    """Puts the settings of every site below those of the project, and does what our hooks do."""

    on_startup = staticmethod(hooks.on_startup)
    on_files = staticmethod(hooks.on_files)
    on_nav = staticmethod(hooks.on_nav)
    on_page_read_source = staticmethod(hooks.on_page_read_source)
    on_page_markdown = staticmethod(hooks.on_page_markdown)
    on_page_content = staticmethod(hooks.on_page_content)
    on_env = staticmethod(hooks.on_env)
    on_page_context = staticmethod(hooks.on_page_context)
    on_template_context = staticmethod(hooks.on_template_context)
    on_post_page = staticmethod(hooks.on_post_page)
    on_post_build = staticmethod(hooks.on_post_build)
    on_serve = staticmethod(hooks.on_serve)

    @event_priority(100)  # before every plugin
    def on_config(self, config: MkDocsConfig) -> MkDocsConfig:
        """The merged settings, with the plugins that there are and fresh reports."""
        config.extra.setdefault(_REFRESH, True)
        merged = _merge_settings(config)
        return hooks.on_config(refresh_hook.on_config(merged))


def _merge_settings(config: MkDocsConfig) -> MkDocsConfig:
    """Settings of every site, below those of the project's file and of the command line."""
    path = Path(config.config_file_path)
    if config.extra[_REFRESH] and Path(config.docs_dir).resolve() != path.resolve().parent / "docs":
        raise ConfigurationError(f"{path}: docs_dir: reports are made in docs: leave it out")
    base, own = _read_settings(_BASE), _read_settings(path)
    own["markdown_extensions"] = _name_extensions(own.get("markdown_extensions") or {})
    own["plugins"], own["hooks"] = [], []
    theme = own["theme"] = _read_theme(path, own.get("theme"))
    has_own_files = "custom_dir" in theme
    theme.setdefault("custom_dir", str(_SITE / "theme"))
    merged = MkDocsConfig(config_file_path=str(path))
    merged.load_dict(_merge_mappings(base, own))
    errors, _ = merged.validate()
    if errors:
        name, error = errors[0]
        raise ConfigurationError(f"{path}: {name}: {error}")
    if has_own_files:  # the project's stand before ours, and ours before those of the theme
        merged.theme.dirs.insert(1, str(_SITE / "theme"))
    for name in _OF_COMMAND:
        merged[name] = config[name]
    merged.plugins, merged.hooks = config.plugins, config.hooks
    merged.extra.update(
        {key: value for key, value in config.extra.items() if key.startswith("perfolio_")}
    )
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
