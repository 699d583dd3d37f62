"""The frames of a call tree as a chart holds them: what is said of a function is written once.

In:  rows of a `tree.*` table, callers before callees. Out: `CallTreeRows`.
"""

from __future__ import annotations

from collections.abc import Collection, Sequence
from dataclasses import dataclass

from perfolio.charts.chart_data import Record, amount, format_full_name, label
from perfolio.charts.cpu_cost import CpuCost
from perfolio.charts.frame_origins import group_origins, list_changes
from perfolio.charts.zoom import TreeLegend
from perfolio.common.units import quantity
from perfolio.metrics.model import Cell

Row = dict[str, object]


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
