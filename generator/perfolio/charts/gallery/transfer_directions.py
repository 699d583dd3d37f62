"""How much data is copied in which direction?"""

from __future__ import annotations

from perfolio.charts.axes import scaled_axis
from perfolio.charts.bar_rows import Item, row_plot
from perfolio.charts.chart_data import Record, amount, direction, positive
from perfolio.charts.model import Figure
from perfolio.common.units import NOT_MEASURED, quantity
from perfolio.metrics.metric_values import rows_of
from perfolio.metrics.model import Results

GROUP = "transfers"
ORDER = 1


def draw(results: Results) -> Figure | None:
    """Bars of the volume per direction; None where no bytes were recorded."""
    rows = positive(rows_of(results, "transfer.directions"), "bytes")
    if not rows:
        return None
    total = sum(amount(row, "bytes") for row in rows)
    top = rows[0]
    axis = scaled_axis("Bytes copied", total, "B")
    return Figure(
        title=f"{quantity(top['bytes'], 'B')} {direction(top)}: "
        f"{quantity(amount(top, 'bytes') / total, 'ratio')} of all bytes copied",
        description=f"Bars of {quantity(total, 'B')} copied, by direction: "
        + ", ".join(f"{direction(row)} {quantity(row['bytes'], 'B')}" for row in rows)
        + ".",
        chart=row_plot([_item(row, total) for row in rows], axis, total),
        metric="transfer.directions",
    )


def _item(row: Record, total: float) -> Item:
    copies = quantity(row.get("copies"), "count")
    return Item(
        name=direction(row).capitalize(),
        text=f"{quantity(row['bytes'], 'B')} · {quantity(amount(row, 'bytes') / total, 'ratio')}",
        segments=(("copies", amount(row, "bytes")),),
        details={
            "Copies": copies if copies != NOT_MEASURED else "not split by direction",
            "Time": quantity(row.get("time"), "s"),
            "Bandwidth": quantity(row.get("bandwidth"), "B/s"),
        },
    )
