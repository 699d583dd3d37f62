"""How much data is copied in which direction?"""

from __future__ import annotations

from perfolio.charts.axes import scale_axis
from perfolio.charts.bar_rows import BarItem, plot_rows
from perfolio.charts.chart_data import Record, amount, describe_direction, select_positive
from perfolio.charts.model import ChartFigure
from perfolio.common.units import NOT_MEASURED, quantity
from perfolio.metrics.metric_values import get_rows
from perfolio.metrics.model import Results

GROUP = "transfers"
ORDER = 1


def draw(results: Results) -> ChartFigure | None:
    """Bars of the volume per direction; None where no bytes were recorded."""
    rows = select_positive(get_rows(results, "transfer.directions"), "bytes")
    if not rows:
        return None
    total = sum(amount(row, "bytes") for row in rows)
    top = rows[0]
    axis = scale_axis("Bytes copied", total, "B")
    return ChartFigure(
        title=f"{quantity(top['bytes'], 'B')} {describe_direction(top)}: "
        f"{quantity(amount(top, 'bytes') / total, 'ratio')} of all bytes copied",
        description=f"Bars of {quantity(total, 'B')} copied, by direction: "
        + ", ".join(f"{describe_direction(row)} {quantity(row['bytes'], 'B')}" for row in rows)
        + ".",
        chart=plot_rows([_make_item(row, total) for row in rows], axis, total),
        metric="transfer.directions",
    )


def _make_item(row: Record, total: float) -> BarItem:
    copies = quantity(row.get("copies"), "count")
    return BarItem(
        name=describe_direction(row).capitalize(),
        text=f"{quantity(row['bytes'], 'B')} · {quantity(amount(row, 'bytes') / total, 'ratio')}",
        segments=(("copies", amount(row, "bytes")),),
        details={
            "Copies": copies if copies != NOT_MEASURED else "not split by direction",
            "Time": quantity(row.get("time"), "s"),
            "Bandwidth": quantity(row.get("bandwidth"), "B/s"),
        },
    )
