"""Which host functions cause the GPU's work, and is it kernels or copies?"""

from __future__ import annotations

from perfolio.charts.axes import scale_axis
from perfolio.charts.bar_rows import BarItem, plot_rows
from perfolio.charts.chart_data import (
    Record,
    amount,
    label,
    locate_definition,
    plural,
    read_scalar,
    select_positive,
)
from perfolio.charts.model import ChartFigure
from perfolio.charts.theme import ROLES
from perfolio.common.units import quantity
from perfolio.metrics.metric_values import get_rows
from perfolio.metrics.model import Results

GROUP = "time"
ORDER = 2

MOST = 12
"""Functions shown."""
TITLE_LIMIT = 60
"""Characters of a name in a title."""
VISIBLE = 1e-3
"""Smallest part of a bar that is drawn."""
ALL = 0.995
"""From this share on a function is an ancestor of everything and says nothing."""


def draw(results: Results) -> ChartFigure | None:
    """Inclusive GPU time of host functions as kernels, copies, other; None without any."""
    rows = select_positive(get_rows(results, "gpu.functions"), "time")
    if not rows:
        return None
    telling = [row for row in rows if amount(row, "share") < ALL] or rows
    shown = telling[:MOST]
    total = read_scalar(results, "gpu.operation_time") or amount(rows[0], "time")
    axis = scale_axis("Inclusive time of GPU operations", total, "s")
    items = [_make_item(row) for row in shown]
    hidden = len(rows) - len(telling)
    return ChartFigure(
        title=_make_title(shown),
        description="Bars of inclusive GPU-operation time of "
        f"{plural(len(shown), 'host function')}, split into kernels and copies, of "
        f"{quantity(total, 's')} in all. Largest: "
        + ", ".join(f"{label(item.name)} {item.text}" for item in items[:3])
        + ".",
        chart=plot_rows(items, axis, total, legend=_list_roles(items)),
        metric="gpu.functions",
        note="Inclusive: a function holds the time of all that it calls, so bars do not add up."
        + (f" Not drawn: {plural(hidden, 'function')} with all of the time." if hidden else ""),
    )


def _make_title(rows: list[Record]) -> str:
    """The largest function that says something."""
    top = rows[0]
    if amount(top, "share") >= ALL:
        return f"{_shorten_name(top)} launches all GPU operations: {quantity(top['time'], 's')}"
    share = quantity(top["share"], "ratio")
    name = _shorten_name(top).replace("top level of", "The top level of", 1)
    return f"{name} and its callees take {share} of GPU-operation time"


def _shorten_name(row: Record) -> str:
    name = label(row["function"])
    return name if len(name) <= TITLE_LIMIT else name[: TITLE_LIMIT - 1] + "…"


def _list_roles(items: list[BarItem]) -> list[str]:
    roles = {role for item in items for role, _ in item.segments}
    return [role for role in ROLES if role in roles]


def _make_item(row: Record) -> BarItem:
    kernels, copies = amount(row, "kernel_time"), amount(row, "copy_time")
    rest = max(0.0, amount(row, "time") - kernels - copies)
    segments = (("kernels", kernels), ("copies", copies), ("other", rest))
    return BarItem(
        name=str(row["function"]),
        text=f"{quantity(row['time'], 's')} · {quantity(row['share'], 'ratio')}",
        segments=tuple(
            segment for segment in segments if segment[1] > VISIBLE * amount(row, "time")
        ),
        details={
            "Kernels": quantity(kernels, "s"),
            "Copies": quantity(copies, "s"),
            "Defined at": locate_definition(row),
        },
    )
