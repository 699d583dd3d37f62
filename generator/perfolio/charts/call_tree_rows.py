"""The frames of a call tree as a chart holds them: what is said of a function is written once.

In:  rows of a `tree.*` table, callers before callees. Out: rows of a picture, and the data of the
     live chart (`tree-sums.js`), with the module or package that each frame comes from, and the
     script that hands these over to `tree.js`.

The live chart has at most `MOST_NODES` frames. What is smaller, or deeper than `DEEPEST`, is summed
below its caller, so that all that a frame calls is told to the last digit.
"""

from __future__ import annotations

import base64
import json
import re
import zlib
from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from perfolio.charts.chart_data import Record, amount, format_full_name, label
from perfolio.charts.cpu_cost import CpuCost
from perfolio.charts.theme import CHANGES, FOUND_FRAME, FRAME, HOT_FRAME, MODULES
from perfolio.metrics.model import Cell

Row = dict[str, object]
LiveTree = Mapping[str, Any]
"""A call tree as the page draws it: see `make_live_tree`."""
MOST_NODES = 20_000
"""Frames of a live chart: beyond, it takes more than 300 kB."""
DEEPEST = 500
"""Levels of a live chart."""
HOT = 0.5
"""Part of its caller's cost that a frame on the hot path holds at least."""
NOWHERE = "no module"
"""Of threads, and of what runs on a GPU."""
_LEVEL = 9
_PACKED = ("nodes", "folded", "hot")
"""Columns of numbers, which are deflated and in base64 in a script."""
_MAIN = "<main thread>"
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
class KeptNodes:
    """The largest nodes of a tree, callers first, and what of each is left out."""

    nodes: list[int]
    """Places of those that are kept."""
    parents: list[int]
    """Of each of them the place of its caller among them; -1 for none."""
    folded: dict[int, list[Any]] = field(default_factory=dict)
    """By place among those: amounts of the callees left out, and how many lie in them."""


def keep_largest(
    parents: Sequence[int], amounts: Sequence[Sequence[Any]], most: int = MOST_NODES
) -> KeptNodes:
    """The nodes with the most, of some or one amount each. Callers come before callees."""
    depths: list[int] = []
    sizes: list[Any] = []
    for parent, own in zip(parents, amounts, strict=True):
        depths.append(depths[parent] + 1 if parent >= 0 else 0)
        # By rounding a callee may have more than its caller.
        sizes.append(min(max(own), sizes[parent]) if parent >= 0 else max(own))
    ranked = sorted(range(len(parents)), key=lambda at: (-sizes[at], depths[at], at))
    kept: set[int] = set()
    for at in ranked:
        if len(kept) < most and depths[at] < DEEPEST and (parents[at] < 0 or parents[at] in kept):
            kept.add(at)
    nodes = sorted(kept)
    places = {at: place for place, at in enumerate(nodes)}
    found = KeptNodes(nodes, [places.get(parents[at], -1) for at in nodes])
    into: dict[int, int] = {}
    for at, parent in enumerate(parents):
        if at in kept:
            continue
        into[at] = place = into[parent] if parent in into else places.get(parent, -1)
        sums = found.folded.setdefault(place, [*(0 for _ in amounts[at]), 0])
        sums[-1] += 1
        if parent not in into:
            sums[:-1] = [one + own for one, own in zip(sums, amounts[at], strict=False)]
    return found


def make_live_tree(
    key: str,
    rows: Sequence[Record],
    cost: CpuCost,
    hot: Collection[Cell],
    *,
    whole: float | None = None,
) -> dict[str, Any]:
    """The data of a live call tree: of nodes the place of their caller, function and cost.

    `whole` is the cost of all, where `rows` hold each callee; else those below 0.1 % are missing.
    """
    places = {row["context"]: index for index, row in enumerate(rows)}
    parents = [places.get(row["parent"], -1) for row in rows]
    kept = keep_largest(parents, [(amount(row, "time"),) for row in rows])
    shown = [rows[at] for at in kept.nodes]
    numbers, groups = group_origins(shown)
    codes: dict[tuple[Cell, ...], int] = {}
    functions: list[tuple[str, str, str, int]] = []
    coded = []
    for row, group in zip(shown, numbers, strict=True):
        named = tuple(row.get(part) for part in ("name", "module", "file", "line"))
        if named not in codes:
            codes[named] = len(functions)
            functions.append((*describe_function(row), group))
        coded.append(codes[named])
    return {
        "key": key,
        "what": "Call tree",
        "words": cost.words,
        "unit": cost.unit,
        "whole": whole if whole is not None else _find_whole(rows),
        "scale": 1,
        "cut": whole is None,
        "groups": groups,
        "changes": list(_CHANGED.values()),
        "colours": list_colours(),
        **pack_functions(functions),
        "nodes": {
            "in": kept.parents,
            "code": coded,
            "value": [amount(row, "time") for row in shown],
        },
        "folded": [[place, *sums] for place, sums in sorted(kept.folded.items())],
        "hot": [place for place, row in enumerate(shown) if row["context"] in hot],
    }


def _find_whole(rows: Sequence[Record]) -> float:
    largest = max(rows, key=lambda row: amount(row, "share"))
    return amount(largest, "time") / amount(largest, "share")


def list_colours() -> dict[str, object]:
    """Fills of frames, which the page knows from nowhere else."""
    return {
        "frame": FRAME,
        "hot": HOT_FRAME,
        "found": FOUND_FRAME,
        "groups": MODULES,
        "changes": list(CHANGES.values()),
    }


def pack_functions(functions: Sequence[tuple[str, str, str, int]]) -> dict[str, object]:
    """Names, labels where they differ, places and groups of functions, by columns."""
    names, labels, places, groups = zip(*functions, strict=True) if functions else ((),) * 4
    differ = [own if own != name else 0 for name, own in zip(names, labels, strict=True)]
    return {"functions": {"name": names, "label": differ, "at": places, "group": groups}}


def describe_function(row: Record) -> tuple[str, str, str]:
    """Full name, label and place of the function of a row."""
    return format_full_name(row["name"]), label(row["name"]), describe_place(row)


def make_picture_rows(rows: Sequence[Record], top: float, hot: Collection[Cell]) -> list[Row]:
    """What a picture draws of rows, of which the outermost have depth `top`."""
    return [
        {
            **_compute_edges(row),
            "level": int(amount(row, "depth") - top),
            "hot": int(row["context"] in hot),
            "label": label(row["name"]),
        }
        for row in rows
    ]


def _compute_edges(row: Record) -> Row:
    """Where a frame begins and ends, in percent of the whole."""
    left = amount(row, "left")
    ends = {"left": left, "right": left + amount(row, "share")}
    return {name: round(100.0 * end, 6) for name, end in ends.items()}


def find_hot_path(frames: Sequence[Record]) -> list[Record]:
    """From the main thread down while one callee holds at least half of its caller."""
    children: dict[object, list[Record]] = {}
    known = {row["context"] for row in frames}
    for row in frames:
        parent = row["parent"] if row["parent"] in known else None
        children.setdefault(parent, []).append(row)
    path: list[Record] = []
    below = children[None]
    while below:
        named = [row for row in below if row["name"] == _MAIN]
        largest = named[0] if named else max(below, key=lambda row: amount(row, "share"))
        if path and not named and amount(largest, "share") < HOT * amount(path[-1], "share"):
            break
        path.append(largest)
        below = children.get(largest["context"], [])
    return path


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


def group_origins(rows: Sequence[Record]) -> tuple[list[int], list[str]]:
    """The group of each row, and the groups: those with the most cost of their own come first."""
    names = [name_origin(row) for row in rows]
    own = dict.fromkeys(names, 0.0)
    at = {row["context"]: name for row, name in zip(rows, names, strict=True)}
    for row, name in zip(rows, names, strict=True):
        cost = amount(row, "time")
        own[name] += cost
        if row["parent"] in at:
            own[at[row["parent"]]] -= cost
    ranked = sorted(own, key=lambda name: (-own[name], name))
    most = len(MODULES) - 1
    number = {name: min(index, most) for index, name in enumerate(ranked)}
    shown = ranked[:most] + ([_OTHER] if len(ranked) > most else [])
    return [number[name] for name in names], shown


def write_tree_script(chart: str, tree: LiveTree) -> str:
    """The script of the tree of a chart. The same tree gives the same text."""
    head = {name: part for name, part in tree.items() if name not in _PACKED}
    head["nodes"] = pack_columns({name: tree[name] for name in _PACKED})
    text = json.dumps(head, ensure_ascii=True, allow_nan=False, separators=(",", ":"))
    text = text.replace("<", "\\u003c")  # in one file it stands between tags
    return (
        "window.perfolio = window.perfolio || {};\n"
        f'(perfolio.trees = perfolio.trees || {{}})["{chart}"] = {text};\n'
    )


def holds_all(script: str) -> bool:
    """Whether the script of a tree is of all that a store has."""
    return '"cut":false' in script


def pack_columns(columns: LiveTree) -> str:
    """Numbers as JSON, deflated, in base64."""
    text = json.dumps(columns, allow_nan=False, separators=(",", ":"))
    packer = zlib.compressobj(_LEVEL, zlib.DEFLATED, -zlib.MAX_WBITS)
    return base64.b64encode(packer.compress(text.encode()) + packer.flush()).decode("ascii")
