"""What do GPU operations spend their time on: kernels, copies, memsets?"""

from __future__ import annotations

from generator.charts.axes import scaled_axis
from generator.charts.data import Record, amount, positive
from generator.charts.model import Figure
from generator.charts.rowplot import Item, row_plot
from generator.charts.theme import ROLES
from generator.metrics.model import Results
from generator.metrics.values import rows_of
from generator.units import quantity

GROUP = "time"
ORDER = 1


def draw(results: Results) -> Figure | None:
    """Bars of device time per kind of operation; None without GPU time."""
    rows = positive(rows_of(results, "gpu.composition"), "time")
    if not rows:
        return None
    top = rows[0]
    total = sum(amount(row, "time") for row in rows)
    axis = scaled_axis("Time of GPU operations", total, "s")
    parts = ", ".join(
        f"{row['operation']} {quantity(row['time'], 's')} ({quantity(row['share'], 'ratio')})"
        for row in rows
    )
    return Figure(
        title=f"{str(top['operation']).capitalize()} take {quantity(top['share'], 'ratio')} "
        "of GPU-operation time",
        description=f"Bars of {quantity(total, 's')} of GPU operations by kind: {parts}.",
        chart=row_plot([_item(row) for row in rows], axis, total),
        metric="gpu.composition",
        note="Durations of operations on the device, added up: operations that overlap count "
        "twice, and idle time is not in it.",
    )


def _item(row: Record) -> Item:
    operation = str(row["operation"])
    time, share = quantity(row["time"], "s"), quantity(row["share"], "ratio")
    count = quantity(row.get("count"), "count")
    return Item(
        name=operation.capitalize(),
        text=f"{time} · {share}",
        segments=((operation if operation in ROLES else "other", amount(row, "time")),),
        details={"Operations": count},
    )
