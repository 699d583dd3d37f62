"""A folder that appears whole or not at all."""

from __future__ import annotations

import shutil
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from generator.errors import OutputError


@contextmanager
def written_aside(folder: Path) -> Iterator[Path]:
    """A folder to fill, which takes its name when the block ends without an error."""
    aside = folder.with_name(f".{folder.name}.new")
    try:
        if folder.exists():
            raise OutputError(f"{folder}: exists", hint="choose another folder")
        shutil.rmtree(aside, ignore_errors=True)
        aside.mkdir(parents=True)
        yield aside
        aside.rename(folder)
    except OSError as problem:
        raise OutputError(f"{folder}: cannot be written: {problem}") from problem
    finally:
        shutil.rmtree(aside, ignore_errors=True)
