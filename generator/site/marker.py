"""The mark by which a folder is known as a site that Perfolio made."""

from __future__ import annotations

from pathlib import Path

from generator.errors import OutputError

_MARKER = ".perfolio-site"


def write_marker(site: Path) -> None:
    """Mark `site` as made by Perfolio."""
    (site / _MARKER).write_text(
        "Made by Perfolio, which replaces this folder as a whole on the next build.\n",
        encoding="utf-8",
    )


def refuse_foreign(site: Path) -> None:
    """Raise OutputError if replacing `site` would destroy what Perfolio did not make."""
    if not site.exists():
        return
    if not site.is_dir():
        raise OutputError(f"{site}: is a file", hint="choose another folder for the site")
    if any(site.iterdir()) and not (site / _MARKER).is_file():
        raise OutputError(
            f"{site}: is not empty and was not made by Perfolio",
            hint="choose another folder for the site, or empty this one",
        )
