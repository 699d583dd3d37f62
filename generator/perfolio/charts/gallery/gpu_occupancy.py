"""How busy is the GPU over time, with kernels and with copies?"""

from __future__ import annotations

import altair as alt

from perfolio.charts.altair_rows import ChartRows
from perfolio.charts.axes import ScaledAxis, make_value_axis
from perfolio.charts.bar_rows import stack_layers
from perfolio.charts.chart_data import Record, amount, plural
from perfolio.charts.model import ChartFigure
from perfolio.charts.theme import ROLES
from perfolio.charts.time_charts import (
    HEIGHT,
    describe_origin,
    encode_time_x,
    format_span,
    make_time_axis,
    make_zoomable,
)
from perfolio.common.units import quantity
from perfolio.metrics.metric_values import get_rows
from perfolio.metrics.model import Results

GROUP = "timeline"
ORDER = 2

SMALLEST = 1e-6
"""Part of a slice that is drawn as a segment of its own."""


def draw(results: Results) -> ChartFigure | None:
    """Stacked bars of the busy share per slice of time; None without GPU operations."""
    bins = get_rows(results, "time.busy_bins")
    highest = max((amount(row, "busy") for row in bins), default=0.0)
    if highest <= 0.0:
        return None
    width = amount(bins[0], "stop") - amount(bins[0], "start")
    idle = sum(amount(row, "busy") <= 0.0 for row in bins)
    top = quantity(highest, "ratio")
    return ChartFigure(
        title=f"The busiest {quantity(width, 's')} keep the GPU {top} busy; "
        f"{_describe_idle(idle, len(bins))}",
        description=f"Bars of the share of time in which the GPU is busy, in "
        f"{plural(len(bins), 'slice')} of {quantity(width, 's')} since "
        f"{describe_origin(results)}, "
        f"split into kernels and what runs without one. The highest is {top}; "
        f"{_describe_idle(idle, len(bins))}.",
        chart=_draw_chart(results, bins, highest),
        metric="time.busy_bins",
        note="A copy that runs beside a kernel counts as kernel: bars are as high as the GPU is "
        f"busy at all.{_describe_axis(highest)}",
    )


def _describe_idle(idle: int, slices: int) -> str:
    if idle == 0:
        return f"each of {slices:,} slices has GPU work"
    return f"{idle:,} of {slices:,} slices have no GPU work"


def _describe_axis(highest: float) -> str:
    return "" if highest > 0.5 else f" Mind the axis: it ends at {quantity(highest, 'ratio')}."


def _draw_chart(results: Results, bins: list[Record], highest: float) -> alt.LayerChart:
    stop = max(amount(row, "stop") for row in bins)
    axis = make_time_axis(results, stop)
    data = [segment for row in bins for segment in _make_segments(row, axis)]
    roles = {str(segment["role"]) for segment in data}
    y = alt.Y(
        "top:Q",
        scale=alt.Scale(domain=[0, 100.0 * highest], nice=False),
        axis=make_value_axis("GPU busy (%)"),
    )
    bars = (
        alt.Chart(ChartRows(data))
        .mark_rect(clip=True)
        .encode(
            x=encode_time_x(axis, stop),
            x2=alt.X2("end:Q"),
            y=y,
            y2=alt.Y2("bottom:Q"),
            color=alt.Color(
                "role:N",
                scale=alt.Scale(domain=list(ROLES)),
                legend=alt.Legend(
                    title=None, values=[r for r in ROLES if r in roles], symbolType="square"
                ),
            ),
            tooltip=[
                alt.Tooltip("when:N", title="When"),
                alt.Tooltip("busy:N", title="Busy"),
                alt.Tooltip("kernel:N", title="Kernels"),
                alt.Tooltip("copy:N", title="Copies"),
            ],
        )
    )
    return stack_layers(make_zoomable(bars), height=HEIGHT)


def _make_segments(row: Record, axis: ScaledAxis) -> list[Record]:
    """Kernels, then copies without a kernel, then what is neither: together the busy share."""
    busy = amount(row, "busy")
    kernel = min(amount(row, "kernel"), busy)
    copy = min(amount(row, "copy"), busy - kernel)
    parts = (("kernels", kernel), ("copies", copy), ("other", busy - kernel - copy))
    place: Record = {
        "start": round(axis.at(amount(row, "start")), 5),
        "end": round(axis.at(amount(row, "stop")), 5),
        "when": format_span(amount(row, "start"), amount(row, "stop")),
        "busy": quantity(busy, "ratio"),
        "kernel": quantity(row["kernel"], "ratio"),
        "copy": quantity(row["copy"], "ratio"),
    }
    segments: list[Record] = []
    below = 0.0
    for role, share in parts:
        if share > SMALLEST:
            ends: Record = {"bottom": 100.0 * below, "top": 100.0 * (below + share)}
            segments.append({**place, **ends, "role": role})
        below += share
    return segments
