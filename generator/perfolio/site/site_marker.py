"""The mark by which a folder is known as a site that Perfolio made."""

from __future__ import annotations

from importlib.metadata import version
from pathlib import Path

from perfolio.common.errors import OutputError

MARKER = ".perfolio-site"
_MAKERS = ("altair", "duckdb", "jinja2", "markdown", "mkdocs", "mkdocs-material", "pygments",
           "pymdown-extensions", "vl-convert-python")  # fmt: skip
"""Packages whose versions show in the files of a site, and decide whether kept ones are taken."""


def write_marker(site: Path) -> None:
    """Mark `site` as made by Perfolio, and by which versions of what it uses."""
    lines = ["Made by Perfolio, which replaces this folder as a whole on the next build."]
    lines += [f"{name} {number}" for name, number in versions().items()]
    (site / MARKER).write_text("\n".join(lines) + "\n", encoding="utf-8")


def versions() -> dict[str, str]:
    """Versions of the installed packages that a site is made with, by their names."""
    return {name: version(name) for name in _MAKERS}


def read_versions(site: Path) -> dict[str, str]:
    """The versions that a site was made with, as far as it says."""
    try:
        lines = (site / MARKER).read_text("utf-8").splitlines()
    except (OSError, UnicodeDecodeError):
        return {}
    found = (line.partition(" ") for line in lines)
    return {name: number for name, _, number in found if name in _MAKERS}


def refuse_foreign(site: Path) -> None:
    """Raise OutputError if replacing `site` would destroy what Perfolio did not make."""
    if not site.exists():
        return
    if not site.is_dir():
        raise OutputError(f"{site}: is a file", hint="choose another folder for the site")
    if any(site.iterdir()) and not (site / MARKER).is_file():
        raise OutputError(
            f"{site}: is not empty and was not made by Perfolio",
            hint="choose another folder for the site, or empty this one",
        )
