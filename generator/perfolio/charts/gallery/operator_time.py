"""Which operators does the GPU work for?"""

from __future__ import annotations

from perfolio.charts.axes import ScaledAxis
from perfolio.charts.bar_rows import BarItem, plot_rows
from perfolio.charts.chart_data import Record, amount, label, select_positive
from perfolio.charts.model import ChartFigure
from perfolio.common.units import quantity
from perfolio.metrics.metric_values import get_rows
from perfolio.metrics.model import Results

GROUP = "operators"
ORDER = 1

MOST = 12
"""Operators with a row of their own."""


def draw(results: Results) -> ChartFigure | None:
    """Bars of GPU time launched by each operator itself; of host time where none launched any."""
    rows = get_rows(results, "operators.functions")
    column = "gpu_alone" if select_positive(rows, "gpu_alone") else "host_alone"
    rows = sorted(select_positive(rows, column), key=lambda row: -amount(row, column))
    if not rows:
        return None
    total = sum(amount(row, column) for row in rows)
    on_gpu = column == "gpu_alone"
    where = "GPU time" if on_gpu else "host time"
    top = rows[0]
    share = quantity(amount(top, column) / total, "ratio")
    return ChartFigure(
        title=f"{label(top['operator'])} has {share} of the {where} of operators",
        description=f"Bars of the {where} of each operator alone, without the operators that it "
        f"calls, largest first; the largest has {quantity(top[column], 's')}.",
        chart=plot_rows(
            [_make_item(row, column, total) for row in rows[:MOST]],
            ScaledAxis(f"Share of {where} of operators", 0.01, "%"),
            amount(top, column) / total * 1.01,
        ),
        metric="operators.functions",
        note="Without the operators that each one calls, so that they add up."
        + (f" The first {MOST} of {len(rows)}." if len(rows) > MOST else ""),
    )


def _make_item(row: Record, column: str, total: float) -> BarItem:
    share = amount(row, column) / total
    return BarItem(
        name=str(row["operator"]),
        text=f"{quantity(row[column], 's')} · {quantity(share, 'ratio')}",
        segments=(("kernels" if column == "gpu_alone" else "cpu", share),),
        details={
            "Calls": quantity(row.get("calls"), "count"),
            "Host, alone": quantity(row.get("host_alone"), "s"),
        },
    )
