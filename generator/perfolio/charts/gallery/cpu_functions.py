"""Which functions spend CPU time themselves, and how much with all that they call?"""

from __future__ import annotations

from collections import Counter
from pathlib import PurePosixPath

from perfolio.charts.axes import ScaledAxis
from perfolio.charts.bar_rows import BarItem, draw_share_dots, plot_rows
from perfolio.charts.chart_data import (
    Record,
    amount,
    format_full_name,
    label,
    plural,
    select_positive,
)
from perfolio.charts.cpu_cost import CpuCost, is_held_up, read_cpu_cost
from perfolio.charts.model import ChartFigure
from perfolio.common.units import quantity
from perfolio.metrics.metric_values import get_rows
from perfolio.metrics.model import Results

GROUP = "hot-paths"
ORDER = 2

MOST = 15
"""Functions shown."""

_HELD_UP = (
    " PC sampling was on, which runs kernels one after another within the call that launches them: "
    "launching calls wait for kernels and for the profiler. Without sampling, waits for kernels "
    "move to a later call that waits, and the profiler's go."
)


def draw(results: Results) -> ChartFigure | None:
    """Exclusive cost as bars, inclusive cost as dots; None without CPU cost."""
    rows = select_positive(get_rows(results, "cpu.top_functions"), "exclusive")[:MOST]
    if not rows:
        return None
    cost = read_cpu_cost(results)
    names = Counter(label(row["function"]) for row in rows)
    items = [_make_item(cost, row, names) for row in rows]
    inclusive = [amount(row, "inclusive_share") for row in rows]
    together = quantity(sum(amount(row, "exclusive_share") for row in rows), "ratio")
    axis = ScaledAxis(f"Share of {cost.words}; dots: inclusive", 0.01, "%")
    top = quantity(rows[0]["exclusive_share"], "ratio")
    return ChartFigure(
        title=f"{label(rows[0]['function'])} itself takes {top} of the {cost.words}"
        + (", waiting under PC sampling" if is_held_up(results, rows[0]["function"]) else ""),
        description=f"Bars of the exclusive share of {cost.words} of the top "
        f"{plural(len(rows), 'function')}, {together} together, with their inclusive share as "
        f"dots. The first has {top} exclusive and "
        f"{quantity(rows[0]['inclusive_share'], 'ratio')} inclusive.",
        chart=plot_rows(
            items, axis, max(inclusive) * 1.02, draw_share_dots(inclusive, "Inclusive share")
        ),
        metric="cpu.top_functions",
        note="Exclusive: in the function's own code. Inclusive: with all that it called."
        + (_HELD_UP if any(is_held_up(results, row["function"]) for row in rows) else ""),
    )


def _make_item(cost: CpuCost, row: Record, names: Counter[str]) -> BarItem:
    return BarItem(
        name=str(row["function"]),
        short=_make_own_name(row, names),
        text=f"{cost.text(amount(row, 'exclusive'))} · {quantity(row['exclusive_share'], 'ratio')}",
        segments=(("cpu", amount(row, "exclusive_share")),),
        details={
            "Inclusive": f"{cost.text(amount(row, 'inclusive'))} · "
            f"{quantity(row['inclusive_share'], 'ratio')}",
            "Module": format_full_name(row.get("module")) or "unknown",
        },
    )


def _make_own_name(row: Record, names: Counter[str]) -> str:
    """The short name of a function; with its module where another function is called alike."""
    name = label(row["function"])
    module = PurePosixPath(format_full_name(row.get("module"))).name
    return f"{name} [{module}]" if names[name] > 1 and module else name
