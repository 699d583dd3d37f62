"""What do GPU operations spend their time on: kernels, copies, memsets?"""

from __future__ import annotations

from perfolio.charts.axes import scale_axis
from perfolio.charts.chart_data import Record, amount, select_positive
from perfolio.charts.model import ChartFigure
from perfolio.charts.stacked_bar import BarPart, plot_stacked_bar
from perfolio.charts.theme import ROLES
from perfolio.common.units import quantity
from perfolio.metrics.metric_values import get_rows
from perfolio.metrics.model import Results

GROUP = "time"
ORDER = 1


def draw(results: Results) -> ChartFigure | None:
    """One bar of device time, parted by kind of operation; None without GPU time."""
    rows = select_positive(get_rows(results, "gpu.composition"), "time")
    if not rows:
        return None
    top = rows[0]
    total = sum(amount(row, "time") for row in rows)
    axis = scale_axis("Time of GPU operations", total, "s")
    parts = ", ".join(
        f"{row['operation']} {quantity(row['time'], 's')} ({quantity(row['share'], 'ratio')})"
        for row in rows
    )
    return ChartFigure(
        title=f"{str(top['operation']).capitalize()} take {quantity(top['share'], 'ratio')} "
        "of GPU-operation time",
        description=f"One bar of {quantity(total, 's')} of GPU operations by kind: {parts}.",
        chart=plot_stacked_bar(_make_parts(rows), axis),
        metric="gpu.composition",
        note="Durations of operations on the device, added up: operations that overlap count "
        "twice, and idle time is not in it.",
    )


def _make_parts(rows: list[Record]) -> list[BarPart]:
    """A part per kind; kinds without a colour of their own are one."""
    kinds: dict[str, list[Record]] = {}
    for row in rows:
        operation = str(row["operation"])
        kinds.setdefault(operation if operation in ROLES else "other", []).append(row)
    return [_make_part(role, found) for role, found in kinds.items()]


def _make_part(role: str, rows: list[Record]) -> BarPart:
    time, share = (sum(amount(row, column) for row in rows) for column in ("time", "share"))
    counts = [quantity(row.get("count"), "count") for row in rows]
    return BarPart(
        role=role,
        name=" and ".join(str(row["operation"]) for row in rows).capitalize(),
        length=time,
        text=f"{quantity(time, 's')} · {quantity(share, 'ratio')}",
        details={"Operations": " and ".join(counts)},
    )
