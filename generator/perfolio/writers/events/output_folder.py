"""A folder that appears whole or not at all."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from perfolio.common.atomic_output import replace_folder
from perfolio.common.errors import OutputError


@contextmanager
def write_aside(folder: Path) -> Iterator[Path]:
    """A folder to fill, which takes its name when the block ends without an error."""
    try:
        if folder.exists():
            raise OutputError(f"{folder}: exists", hint="choose another folder")
        with replace_folder(folder) as aside:
            yield aside
    except OSError as problem:
        raise OutputError(f"{folder}: cannot be written: {problem}") from problem
