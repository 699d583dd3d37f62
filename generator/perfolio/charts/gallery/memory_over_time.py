"""How much memory is in use over time?"""

from __future__ import annotations

import altair as alt

from perfolio.charts.altair_rows import ChartRows
from perfolio.charts.axes import ScaledAxis, make_value_axis, scale_axis
from perfolio.charts.bar_rows import stack_layers
from perfolio.charts.chart_data import Record, amount, plural
from perfolio.charts.model import ChartFigure
from perfolio.charts.time_charts import (
    HEIGHT,
    encode_time_x,
    format_span,
    make_time_axis,
    make_zoomable,
)
from perfolio.common.units import quantity
from perfolio.metrics.metric_values import get_rows
from perfolio.metrics.model import Results

GROUP = "memory"
ORDER = 1


def draw(results: Results) -> ChartFigure | None:
    """Bars of what is allocated, and a line of what is reserved, on the device with most of it."""
    rows = get_rows(results, "memory.over_time")
    top = max(rows, key=lambda row: amount(row, "allocated"), default=None)
    if top is None or amount(top, "allocated") <= 0.0:
        return None
    own = [row for row in rows if row["device"] == top["device"]]
    others = len({str(row["device"]) for row in rows}) - 1
    most = quantity(top["allocated"], "B")
    reserved = max(amount(row, "reserved") for row in own)
    return ChartFigure(
        title=f"{most} of memory are in use at most",
        description=f"Bars of the memory that was allocated on {top['device']} in "
        f"{plural(len(own), 'slice')}: {most} at most"
        + (f"; {quantity(reserved, 'B')} were reserved at most." if reserved else "."),
        chart=_draw_chart(results, own),
        metric="memory.over_time",
        note=f"On {top['device']}"
        + (f"; {plural(others, 'other device')} in the table. " if others else ". ")
        + ("Dashed: reserved by the allocator. " if reserved else "")
        + "Memory of other libraries is not in it.",
    )


def _draw_chart(results: Results, rows: list[Record]) -> alt.LayerChart:
    highest = max(max(amount(row, "allocated"), amount(row, "reserved")) for row in rows)
    axis, size = (
        make_time_axis(results, amount(rows[-1], "stop")),
        scale_axis("Memory", highest, "B"),
    )
    x = encode_time_x(axis, amount(rows[-1], "stop"))
    scale = alt.Scale(domain=[0, size.at(highest) * 1.05], nice=False)
    y = alt.Y("allocated:Q", scale=scale, axis=make_value_axis(size.title))
    data = _make_points(rows, axis, size)
    bars = (
        alt.Chart(ChartRows(data))
        .mark_rect(style="pf-cpu", clip=True)
        .encode(
            x=x,
            x2=alt.X2("end:Q"),
            y=y,
            y2=alt.Y2("zero:Q"),
            tooltip=[
                alt.Tooltip("when:N", title="When"),
                alt.Tooltip("text:N", title="Allocated"),
                alt.Tooltip("reserved_text:N", title="Reserved"),
            ],
        )
    )
    reserved = [row for row in data if "reserved" in row]
    if not reserved:
        return stack_layers(make_zoomable(bars), height=HEIGHT)
    line = (
        alt.Chart(ChartRows(reserved))
        .mark_line(style="pf-limit", interpolate="step-after", clip=True)
        .encode(x=x, y=alt.Y("reserved:Q", scale=scale, axis=make_value_axis(size.title)))
    )
    return stack_layers(make_zoomable(bars), line, height=HEIGHT)


def _make_points(rows: list[Record], axis: ScaledAxis, size: ScaledAxis) -> list[dict[str, object]]:
    return [
        {
            "start": round(axis.at(amount(row, "start")), 5),
            "end": round(axis.at(amount(row, "stop")), 5),
            "zero": 0.0,
            "allocated": size.at(amount(row, "allocated")),
            "text": quantity(row["allocated"], "B"),
            "reserved_text": quantity(row["reserved"], "B") if row["reserved"] else "not recorded",
            "when": format_span(amount(row, "start"), amount(row, "stop")),
        }
        | ({"reserved": size.at(amount(row, "reserved"))} if row["reserved"] else {})
        for row in rows
    ]
