"""Whether the site of a project is what a build would give again, so that nothing need be built.

In:  a project's folder and the folder of its site. Out: `SiteStanding`, looked at before a build
     and kept after it.

A site stands while its files and the pages, settings and code that it was made from are as they
were: files by size and time, as those of reports. Where something of the project's own takes part
(a hook, a plugin, another theme), which may read anything, no site stands.
"""

from __future__ import annotations

import hashlib
import json
import os
from collections.abc import Iterator, Mapping
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import yaml

from perfolio.common.content_files import code_digest, files_digest
from perfolio.common.partial_files import write_alone
from perfolio.pipeline.build_state import read_state
from perfolio.site.site_marker import versions

STANDING = Path(".cache") / "site.json"
_PACKAGE = Path(__file__).resolve().parents[1]
_SITE = _PACKAGE / "site"
_DOCS_HOOK = _PACKAGE.parent / "reference" / "docs_hook.py"
"""What gives our own site the pages that are generated, from all that the package holds."""
_OURS = {
    "INHERIT": {_SITE / "base.yml"},
    "hooks": {_SITE / "hooks.py", _PACKAGE / "pipeline" / "refresh_hook.py", _DOCS_HOOK},
    "theme": {_SITE / "theme"},
}
"""Files of ours that settings may name."""
_OF_CODE = ("plugins", "markdown_extensions")
"""Settings that may name other code; what files others name are among the pages."""


@dataclass(frozen=True)
class SiteStanding:
    """A project and the folder of its site, and from what it would be made now."""

    root: Path
    site: Path
    made_from: Mapping[str, object] | None
    """None where nobody can tell."""

    def holds(self) -> bool:
        """Whether the site was made from just that, and is as it was written."""
        if self.made_from is None:
            return False
        with suppress(OSError, ValueError):
            held = json.loads((self.root / STANDING).read_bytes())
            return bool(held == self._now())
        return False

    def keep(self) -> None:
        """Note that the site was built from this; without the note, the next build makes it."""
        if self.made_from is not None:
            with suppress(OSError):
                write_alone(self.root / STANDING, json.dumps(self._now()).encode())

    def _now(self) -> dict[str, object]:
        at = self.site.resolve()
        return {"site": os.fspath(at), "from": self.made_from, "files": _read_states(at)}


def find_standing(root: Path, site: Path) -> SiteStanding:
    """From what the site of the project in `root` would be made now, at `site`."""
    settings = (root / "mkdocs.yml").read_bytes()
    if not _is_plain(root, settings):
        return SiteStanding(root, site, None)
    folders = (_PACKAGE, _DOCS_HOOK.parent) if _DOCS_HOOK.name.encode() in settings else (_SITE,)
    content = (files_digest(folder, without=("__pycache__",)) for folder in folders)
    code = (code_digest(), *content)
    by = hashlib.sha256(" ".join([*code, repr(versions())]).encode() + settings).hexdigest()
    return SiteStanding(root, site, {"by": by, "pages": _read_states(root / "docs")})


def _is_plain(root: Path, settings: bytes) -> bool:
    """Whether settings name no code but ours, and nothing of the environment."""
    try:
        told = yaml.safe_load(settings)
    except yaml.YAMLError:  # tags of MkDocs, `!ENV` say
        return False
    if not isinstance(told, dict) or any(told.get(key) for key in _OF_CODE):
        return False
    return all(_check_named_files(root, told))


def _check_named_files(root: Path, told: Mapping[str, Any]) -> Iterator[bool]:
    """Of each file and folder that settings name, whether it is ours."""
    theme = told.get("theme") or {}
    yield bool(told.get("INHERIT"))
    yield isinstance(theme, dict) and theme.get("name", "material") == "material"
    named = {**told, "theme": theme.get("custom_dir") if isinstance(theme, dict) else None}
    for key, ours in _OURS.items():
        paths = named.get(key) or []
        for path in [paths] if isinstance(paths, str) else paths:
            yield (root / str(path)).resolve() in ours


def _read_states(folder: Path) -> dict[str, list[int]]:
    """Size and time of change of all files below a folder."""
    names = sorted(
        os.path.relpath(os.path.join(at, name), folder)  # noqa: PTH118 - thousands of files
        for at, _, files in os.walk(folder, followlinks=True)  # as MkDocs does
        for name in files
    )
    return read_state(folder, names)
