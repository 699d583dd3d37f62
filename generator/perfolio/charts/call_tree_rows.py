"""The frames of a call tree as a chart holds them: what is said of a function is written once.

In:  rows of a `tree.*` table, callers before callees. Out: `CallTreeRows`, with the module or
     package that each frame comes from.
"""

from __future__ import annotations

import re
from collections.abc import Collection, Sequence
from dataclasses import dataclass

from perfolio.charts.chart_data import Record, amount, format_full_name, label
from perfolio.charts.cpu_cost import CpuCost
from perfolio.charts.theme import CHANGES, MODULES, is_pale
from perfolio.charts.zoom import FrameGroup, TreeLegend
from perfolio.common.units import quantity
from perfolio.metrics.model import Cell

Row = dict[str, object]
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


@dataclass(frozen=True)
class CallTreeRows:
    """A call tree to draw."""

    frames: list[Row]
    """`left` and `right` in percent of the whole, `level` from the top, `in`, the place of its
    caller among the frames or -1, `code` of its function, and `hot`: is it on the hot path."""
    functions: list[Row]
    """By `code`: name, label, place, module."""
    tree: TreeLegend


def make_call_tree_rows(
    rows: Sequence[Record], top: float, hot: Collection[Cell], cost: CpuCost
) -> CallTreeRows:
    """The frames of these rows, of which the outermost have depth `top`."""
    numbers, groups = group_origins(rows)
    codes: dict[tuple[Cell, ...], int] = {}
    functions: list[Row] = []
    places = {row["context"]: index for index, row in enumerate(rows)}
    frames = []
    for row, group in zip(rows, numbers, strict=True):
        key = tuple(row.get(part) for part in ("name", "module", "file", "line"))
        if key not in codes:
            codes[key] = len(functions)
            functions.append(_describe_function(row, codes[key], group, pale=groups[group].pale))
        frames.append(
            {
                **_compute_edges(row),
                "level": int(amount(row, "depth") - top),
                "in": places.get(row["parent"], -1),
                "code": codes[key],
                "hot": int(row["context"] in hot),
                "share": quantity(row["share"], "ratio"),
                "cost": cost.text(amount(row, "time")),
            }
        )
    largest = max(rows, key=lambda row: amount(row, "share"))
    total = amount(largest, "time") / amount(largest, "share")
    return CallTreeRows(
        frames, functions, TreeLegend(cost.words, total, cost.unit, groups, list_changes())
    )


def _compute_edges(row: Record) -> Row:
    """Where a frame begins and ends, in percent of the whole."""
    left = amount(row, "left")
    ends = {"left": left, "right": left + amount(row, "share")}
    return {name: round(100.0 * end, 6) for name, end in ends.items()}


def _describe_function(row: Record, code: int, group: int, *, pale: bool) -> Row:
    return {
        "code": code,
        "name": format_full_name(row["name"]),
        "label": label(row["name"]),
        "at": describe_place(row),
        "group": group,
        "pale": pale,
    }


def describe_place(row: Record) -> str:
    """Where a function is defined: the end of its file's path, and the line; or its module."""
    if not row.get("file"):
        return format_full_name(row.get("module") or "unknown")
    end = "/".join(str(row["file"]).split("/")[-2:])
    return format_full_name(f"{end}:{row['line']}" if row.get("line") else end)


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
