"""Where the frames of a call tree come from: the module or package of each, and its number.

In:  rows of a `tree.*` table. Out: a number for each row, and the names of the numbers.
"""

from __future__ import annotations

import re
from collections.abc import Sequence

from perfolio.charts.chart_data import Record, amount, format_full_name
from perfolio.charts.theme import CHANGES, MODULES, is_pale
from perfolio.charts.zoom import FrameGroup

NOWHERE = "no module"
"""Of threads, and of what runs on a GPU."""
_OTHER = "other modules"
_PYTHON = "<logical python>"
_VERSION = re.compile(r"(?<=\.so)(\.\d+)+$")
_PACKAGE = re.compile(r"/(?:site|dist)-packages/([^/]+)")
_LIBRARY = re.compile(r"(?:^|/)lib/python3[^/]*/")
_CHANGED = {
    "grew": "its share grew",
    "shrank": "its share shrank",
    "same": "about the same share",
    "new": "not in the other run",
}


def name_origin(row: Record) -> str:
    """`libtorch_cpu.so`, or of Python the package: `torch (Python)`."""
    module = row.get("module")
    if not module:
        return NOWHERE
    if module != _PYTHON:
        return format_full_name(_VERSION.sub("", str(module)))
    return format_full_name(f"{_find_package(str(row.get('file') or ''))} (Python)")


def _find_package(file: str) -> str:
    """The package that a file of Python is of; else its folder."""
    if match := _PACKAGE.search(f"/{file}"):
        return match[1].removesuffix(".py")
    if file.startswith("<frozen") or _LIBRARY.search(file):
        return "standard library"
    folders = [part for part in file.split("/")[:-1] if part]
    if not folders:
        return file or "unknown"
    # HPCToolkit keeps copies of sources below src/, each under its whole path.
    return folders[-1] if file.startswith(("/", "src/")) else folders[0]


def group_origins(rows: Sequence[Record]) -> tuple[list[int], tuple[FrameGroup, ...]]:
    """The group of each row, and the groups: those with the most cost of their own come first."""
    names = [name_origin(row) for row in rows]
    own = dict.fromkeys(names, 0.0)
    at = {row["context"]: name for row, name in zip(rows, names, strict=True)}
    for row, name in zip(rows, names, strict=True):
        share = amount(row, "share")
        own[name] += share
        if row["parent"] in at:
            own[at[row["parent"]]] -= share
    ranked = sorted(own, key=lambda name: (-own[name], name))
    most = len(MODULES) - 1
    shown = ranked[:most] + ([_OTHER] if len(ranked) > most else [])
    groups = tuple(
        FrameGroup(name, is_pale(colour)) for name, colour in zip(shown, MODULES, strict=False)
    )
    number = {name: min(index, most) for index, name in enumerate(ranked)}
    return [number[name] for name in names], groups


def list_changes() -> tuple[FrameGroup, ...]:
    """What may become of a frame, in the order of its colours."""
    return tuple(FrameGroup(_CHANGED[key], is_pale(colour)) for key, colour in CHANGES.items())
