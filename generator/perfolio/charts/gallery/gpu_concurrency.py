"""How many GPU streams work at once?"""

from __future__ import annotations

from perfolio.charts.axes import ScaledAxis
from perfolio.charts.bar_rows import BarItem, plot_rows
from perfolio.charts.chart_data import Record, amount
from perfolio.charts.model import ChartFigure
from perfolio.common.units import quantity
from perfolio.metrics.metric_values import get_rows
from perfolio.metrics.model import Results

GROUP = "timeline"
ORDER = 8

MOST = 10
"""Numbers of streams with a row of their own."""


def draw(results: Results) -> ChartFigure | None:
    """Bars of the time with so many streams at work; None where no stream ever is."""
    rows = [row for row in get_rows(results, "time.concurrency") if amount(row, "time") > 0.0]
    busy = sum(amount(row, "time") for row in rows if amount(row, "streams") >= 1.0)
    if busy <= 0.0:
        return None
    rows.sort(key=lambda row: amount(row, "streams"))
    several = sum(amount(row, "time") for row in rows if amount(row, "streams") >= 2.0)
    items = [_make_item(row) for row in rows[:MOST]]
    if len(rows) > MOST:
        items.append(_make_rest_item(rows[MOST:]))
    return ChartFigure(
        title=_make_title(several / busy),
        description="Bars of the time in which no, one or more GPU streams work: "
        + ", ".join(f"{item.name} {item.text}" for item in items)
        + ".",
        chart=plot_rows(
            items,
            ScaledAxis("Share of time", 0.01, "%"),
            max(item.length for item in items),
        ),
        metric="time.concurrency",
        note="Of the time from the first to the last GPU operation. Copies overlap kernels, and "
        "small kernels share the device, only where streams work at once.",
    )


def _make_title(several: float) -> str:
    if several == 0.0:
        return "Never do two GPU streams work at once"
    return f"Two or more GPU streams work at once in {quantity(several, 'ratio')} of busy time"


def _make_item(row: Record) -> BarItem:
    streams = round(amount(row, "streams"))
    name = "No stream: idle" if streams == 0 else f"{streams:,} stream{'s' if streams > 1 else ''}"
    return BarItem(
        name=name,
        text=f"{quantity(row['time'], 's')} · {quantity(row['share'], 'ratio')}",
        segments=(("kernels" if streams else "other", amount(row, "share")),),
    )


def _make_rest_item(rows: list[Record]) -> BarItem:
    time = sum(amount(row, "time") for row in rows)
    share = sum(amount(row, "share") for row in rows)
    return BarItem(
        name=f"{round(amount(rows[0], 'streams')):,} streams or more",
        text=f"{quantity(time, 's')} · {quantity(share, 'ratio')}",
        segments=(("kernels", share),),
    )
