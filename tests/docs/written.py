"""The pages of the documentation: those that people write, and those that are generated."""

from __future__ import annotations

from functools import cache
from pathlib import Path

from reference.build import PAGES as GENERATED
from tests.kit.shared import ROOT

DOCS = ROOT / "docs"
READ_ALONE = tuple(ROOT / name for name in ("README.md", "CONTRIBUTING.md", "CHANGELOG.md"))
"""Pages of the repository, which are read where nothing is generated."""
PAGES = (
    *sorted(
        {path for path in DOCS.rglob("*.md") if "reports" not in path.relative_to(DOCS).parts}
        | {DOCS / path for path in GENERATED}
    ),
    *READ_ALONE,
)


@cache
def text_of(path: Path) -> str:
    """What a page says."""
    make = GENERATED.get(path.relative_to(ROOT).as_posix().removeprefix("docs/"))
    return path.read_text("utf-8") if make is None else make()


def is_there(path: Path, reader: Path) -> bool:
    """Whether a reader of a page finds a file: generated ones are on the site alone."""
    place = path.resolve()
    is_generated = place.is_relative_to(DOCS) and place.relative_to(DOCS).as_posix() in GENERATED
    return reader not in READ_ALONE if is_generated else place.is_file()
