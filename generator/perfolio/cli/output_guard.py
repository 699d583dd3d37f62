"""Outputs that would destroy an input: refused before any work is done.

In:  the places that a command writes to, and those that it reads. Out: nothing, or OutputError.

Files are compared by what they are, not by their names: links of both kinds are seen through.
"""

from __future__ import annotations

import os
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Literal

from perfolio.common.atomic_folders import list_written_files
from perfolio.common.atomic_output import refuse_fixed
from perfolio.common.errors import OutputError
from perfolio.readers import registry

Kind = Literal["file", "folder", "tree", "parts", "store"]
"""A file and a folder are replaced, and of a tree what an earlier run wrote; parts are folders of
their own in one that stays; a store gets more runs."""
_EXERCISE = "exercise.md"
_READ = {".db", ".parquet", ".toml"}
"""How files end that are read with others, and that no command writes by themselves."""


@dataclass(frozen=True)
class OutputPlace:
    """A place that a command writes to."""

    path: Path
    kind: Kind


def refuse_replacing(outputs: Sequence[OutputPlace], inputs: Iterable[Path]) -> None:
    """Raise OutputError where an output would destroy an input or another output, or cannot be."""
    given = [path for path in inputs if _exists(path)]
    for output in outputs:
        if output.kind in {"folder", "tree"} and output.path.is_dir():
            refuse_fixed(output.path)
    for output in outputs:
        for path in given:
            if _exists(output.path) and _is_destroying(output, path):
                raise OutputError(
                    f"{output.path}: is read by this command, and would be replaced"
                    if _is_same(output.path, path)
                    else f"{output.path}: would be replaced, and what belongs to {path} with it",
                    hint="choose another place",
                )
        for other in outputs:
            if other is not output and _has_overlap(output, other):
                raise OutputError(
                    f"{other.path}: {output.path} is written too, and would replace it",
                    hint="choose another place",
                )


def _is_destroying(output: OutputPlace, path: Path) -> bool:
    if output.kind == "parts":
        return False
    if output.kind == "tree":
        return any(_is_below(each, path) for each in list_written_files(output.path))
    if _is_same(output.path, path):
        return True
    if output.path.is_dir():
        return output.kind == "folder" and _is_below(path, output.path)
    return output.kind != "store" and _is_read_with(output.path, path)


def _is_read_with(output: Path, path: Path) -> bool:
    """Whether a file lies with a profile, or in a folder that is read, and may be part of it."""
    if path.is_dir():
        near = _is_below(output, path)
    else:
        near = _is_same(output.parent, path.parent) and registry.is_known(path)
    return near and (
        output.suffix in _READ or output.name == _EXERCISE or registry.is_readable(output)
    )


def _has_overlap(output: OutputPlace, other: OutputPlace) -> bool:
    """Whether one is the other, or lies in a folder that is replaced."""
    if _resolve_path(output.path) == _resolve_path(other.path):
        return True
    return output.kind == "folder" and _is_below(other.path, output.path)


def _is_same(one: Path, other: Path) -> bool:
    return _exists(one) and _exists(other) and one.samefile(other)


def _exists(path: Path) -> bool:
    """What cannot be looked at, as its name is too long, destroys nothing: others refuse it."""
    try:
        return path.exists()
    except OSError:
        return False


def _is_below(path: Path, folder: Path) -> bool:
    return _resolve_path(path).is_relative_to(_resolve_path(folder))


def _resolve_path(path: Path) -> Path:
    return Path(os.path.realpath(path))
