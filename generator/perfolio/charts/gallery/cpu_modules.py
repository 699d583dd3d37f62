"""Which libraries and executables use the CPU?"""

from __future__ import annotations

from pathlib import PurePosixPath
from typing import TYPE_CHECKING

from perfolio.charts.axes import scale_axis
from perfolio.charts.bar_rows import BarItem, plot_rows
from perfolio.charts.chart_data import (
    Record,
    amount,
    format_full_name,
    label,
    plural,
    select_positive,
)
from perfolio.charts.cpu_cost import CpuCost, read_cpu_cost
from perfolio.charts.model import ChartFigure
from perfolio.common.units import quantity
from perfolio.metrics.metric_values import get_rows
from perfolio.metrics.model import Results
from perfolio.readers.code_names import PYTHON_MODULE

if TYPE_CHECKING:
    from collections.abc import Iterator

GROUP = "time"
ORDER = 5

MOST = 10
"""Modules shown."""
LEAST = 0.005
"""Share of a module whose bar can be seen."""


def draw(results: Results) -> ChartFigure | None:
    """Bars of the CPU cost spent in each module's own code; None without CPU cost."""
    rows = select_positive(get_rows(results, "cpu.modules"), "time")
    if not rows:
        return None
    cost = read_cpu_cost(results)
    total = amount(rows[0], "time") / amount(rows[0], "share")
    shown = [row for row in rows[:MOST] if amount(row, "share") >= LEAST] or rows[:1]
    items = [_make_item(cost, row) for row in shown]
    rest = 1.0 - sum(amount(row, "share") for row in shown)
    return ChartFigure(
        title=f"{_say_takes(rows[0])} {quantity(rows[0]['share'], 'ratio')} of the {cost.words}",
        description=f"Bars of the {cost.words}, {cost.text(total)}, by the module whose code ran: "
        + ", ".join(f"{_name_module(row)} {quantity(row['share'], 'ratio')}" for row in rows[:3])
        + f" lead {plural(len(rows), 'module')}.",
        chart=plot_rows(items, scale_axis(cost.capitalised, total, cost.unit), total),
        metric="cpu.modules",
        note=" ".join(_list_notes(shown, len(rows) - len(shown), rest)),
    )


def _list_notes(shown: list[Record], hidden: int, rest: float) -> Iterator[str]:
    """What Python's bar holds, and what is not drawn."""
    if any(row["module"] == PYTHON_MODULE for row in shown):
        yield "Python functions: with the interpreter and a part of compiled extensions' code."
    if hidden:
        yield f"Not drawn: {plural(hidden, 'module')} with {quantity(rest, 'ratio')} in all."


def _name_module(row: Record) -> str:
    """The file's name: the folders are in the tooltip. HPCToolkit makes up one for Python."""
    if row["module"] == PYTHON_MODULE:
        return "Python functions"
    return label(PurePosixPath(format_full_name(row["module"])).name or row["module"])


def _say_takes(row: Record) -> str:
    return f"{_name_module(row)} {'take' if row['module'] == PYTHON_MODULE else 'takes'}"


def _make_item(cost: CpuCost, row: Record) -> BarItem:
    return BarItem(
        name=str(row["module"]),
        short=_name_module(row),
        text=f"{cost.text(amount(row, 'time'))} · {quantity(row['share'], 'ratio')}",
        segments=(("cpu", amount(row, "time")),),
    )
