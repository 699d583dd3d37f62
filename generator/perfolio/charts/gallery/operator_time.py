"""Which operators does the GPU work for?"""

from __future__ import annotations

from perfolio.charts.axes import Scaled
from perfolio.charts.bar_rows import Item, row_plot
from perfolio.charts.chart_data import Record, amount, label, positive
from perfolio.charts.model import Figure
from perfolio.common.units import quantity
from perfolio.metrics.metric_values import rows_of
from perfolio.metrics.model import Results

GROUP = "operators"
ORDER = 1

MOST = 12
"""Operators with a row of their own."""


def draw(results: Results) -> Figure | None:
    """Bars of GPU time launched by each operator itself; of host time where none launched any."""
    rows = rows_of(results, "operators.functions")
    column = "gpu_alone" if positive(rows, "gpu_alone") else "host_alone"
    rows = sorted(positive(rows, column), key=lambda row: -amount(row, column))
    if not rows:
        return None
    whole = sum(amount(row, column) for row in rows)
    on_gpu = column == "gpu_alone"
    where = "GPU time" if on_gpu else "host time"
    top = rows[0]
    share = quantity(amount(top, column) / whole, "ratio")
    return Figure(
        title=f"{label(top['operator'])} has {share} of the {where} of operators",
        description=f"Bars of the {where} of each operator alone, without the operators that it "
        f"calls, largest first; the largest has {quantity(top[column], 's')}.",
        chart=row_plot(
            [_item(row, column, whole) for row in rows[:MOST]],
            Scaled(f"Share of {where} of operators", 0.01, "%"),
            amount(top, column) / whole * 1.01,
        ),
        metric="operators.functions",
        note="Without the operators that each one calls, so that they add up."
        + (f" The first {MOST} of {len(rows)}." if len(rows) > MOST else ""),
    )


def _item(row: Record, column: str, whole: float) -> Item:
    share = amount(row, column) / whole
    return Item(
        name=str(row["operator"]),
        text=f"{quantity(row[column], 's')} · {quantity(share, 'ratio')}",
        segments=(("kernels" if column == "gpu_alone" else "cpu", share),),
        details={
            "Calls": quantity(row.get("calls"), "count"),
            "Host, alone": quantity(row.get("host_alone"), "s"),
        },
    )
