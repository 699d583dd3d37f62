"""How long does an iteration take, and how much does that vary?"""

from __future__ import annotations

import altair as alt

from perfolio.charts.altair_rows import ChartRows
from perfolio.charts.axes import (
    SI_TIME_LABELS,
    ScaledAxis,
    list_log_ticks,
    make_value_axis,
    scale_axis,
)
from perfolio.charts.bar_rows import stack_layers
from perfolio.charts.chart_data import Record, amount, label, plural, read_scalar
from perfolio.charts.model import ChartFigure
from perfolio.common.units import quantity
from perfolio.metrics.metric_values import get_rows
from perfolio.metrics.model import Results

GROUP = "timeline"
ORDER = 3

HEIGHT = 260
MOST = 350
"""Iterations drawn: of more, evenly chosen ones beside all that are marked."""
LOG_FROM = 8.0
"""From this ratio of the longest to the median on, a linear axis would flatten all others."""
NOTABLE = 0.3
"""Part of an iteration from which on a gap belongs into the title."""
LONG = 80
"""Iterations from which on dots become smaller."""

SHAPES = {
    "": "circle",
    "warm-up": "triangle-up",
    "outlier": "diamond",
    "incomplete": "square",
}


def draw(results: Results) -> ChartFigure | None:
    """A dot per iteration with median and quartiles; None where none were found."""
    rows = [
        row for row in get_rows(results, "time.iteration_times") if amount(row, "duration") > 0.0
    ]
    median = read_scalar(results, "time.iteration_median")
    if not rows or not median:
        return None
    shown = _choose_rows(rows)
    return ChartFigure(
        title=_make_title(results, median),
        description=f"Dots of the duration of {plural(len(rows), 'iteration')} in their order. "
        f"{_describe_spread(results, median)}{_describe_marks(rows)}",
        chart=_draw_chart(results, shown, median),
        metric="time.iteration_times",
        note="Line and band: median and quartiles without warm-up. Triangles: warm-up; diamonds: "
        "outliers; square: one whose end is not in the trace."
        + (f" Drawn: {len(shown):,} of {len(rows):,}." if len(shown) < len(rows) else ""),
    )


def _make_title(results: Results, median: float) -> str:
    words = f"{_name_iteration(results)} takes {quantity(median, 's')}"
    gap = read_scalar(results, "time.iteration_longest_gap")
    if gap is None or gap < NOTABLE * median:
        return words
    return f"{words}; {quantity(gap, 's')} of it is one gap of the GPU"


def _name_iteration(results: Results) -> str:
    """What the median is of: an iteration, or of a server the most frequent kind of step."""
    kinds = get_rows(results, "serving.steps")
    if not kinds:
        return "An iteration"
    return f"A {max(kinds, key=lambda row: amount(row, 'steps'))['kind']} step"


def _describe_spread(results: Results, median: float) -> str:
    low, high = read_scalar(results, "time.iteration_q1"), read_scalar(results, "time.iteration_q3")
    if low is None or high is None:
        return f"The median is {quantity(median, 's')}."
    return (
        f"The median is {quantity(median, 's')}; half of them take "
        f"{quantity(low, 's')} to "
        f"{quantity(high, 's')}."
    )


def _describe_marks(rows: list[Record]) -> str:
    marks = [str(row.get("mark") or "") for row in rows]
    counts = [(marks.count(mark), mark) for mark in SHAPES if mark and mark in marks]
    if not counts:
        return ""
    words = (f"{count:,} {'are' if count > 1 else 'is'} marked {mark}" for count, mark in counts)
    return f" {'; '.join(words)}."


def _choose_rows(rows: list[Record]) -> list[Record]:
    step = -(-len(rows) // MOST)
    chosen = [row for index, row in enumerate(rows) if index % step == 0 or row.get("mark")]
    return chosen[: 2 * MOST - 10]


def _draw_chart(results: Results, rows: list[Record], median: float) -> alt.LayerChart:
    durations = [amount(row, "duration") for row in rows]
    highest = max(durations)
    logarithmic = highest > LOG_FROM * median
    axis = ScaledAxis("Duration", 1.0, "s") if logarithmic else scale_axis("Duration", highest, "s")
    y = _encode_log_y(min(durations), highest) if logarithmic else _encode_linear_y(axis, highest)
    numbers = [amount(row, "iteration") for row in rows]
    first = min(numbers)
    x = alt.X(
        "iteration:Q",
        scale=alt.Scale(domain=[first, max(*numbers, first + 1)], padding=8),
        axis=alt.Axis(title="Iteration", format=",~r", grid=False, tickMinStep=1),
    )
    chart = stack_layers(
        *_draw_spread(results, axis, y, median), _draw_dots(rows, axis).encode(x=x), height=HEIGHT
    )
    chart.resolve = alt.Resolve(axis=alt.AxisResolveMap(y="independent"))
    return chart


def _encode_linear_y(axis: ScaledAxis, highest: float) -> alt.Y:
    return alt.Y(
        "low:Q",
        scale=alt.Scale(domain=[0, axis.at(highest) * 1.08], nice=False),
        axis=make_value_axis(axis.title),
    )


def _encode_log_y(lowest: float, highest: float) -> alt.Y:
    low, high = lowest / 1.3, highest * 1.3
    ticks = [tick for tick in list_log_ticks(low, high) if low <= tick <= high]
    return alt.Y(
        "low:Q",
        scale=alt.Scale(type="log", domain=[low, high], nice=False),
        axis=alt.Axis(title="Duration (log)", values=ticks, labelExpr=SI_TIME_LABELS),
    )


def _draw_spread(
    results: Results, axis: ScaledAxis, y: alt.Y, median: float
) -> tuple[alt.Chart, alt.Chart]:
    """A band from quartile to quartile below, the median as a line named at the right edge."""
    low = read_scalar(results, "time.iteration_q1") or median
    high = read_scalar(results, "time.iteration_q3") or median
    row = {"value": axis.at(median), "low": axis.at(low), "high": axis.at(high)}
    base = alt.Chart(ChartRows([row]))
    name = alt.Axis(
        orient="right",
        values=[axis.at(median)],
        title=None,
        grid=False,
        labelExpr="'median'",
    )
    return (
        base.mark_rect(style="pf-band").encode(y=y, y2=alt.Y2("high:Q")),
        base.mark_rule(style="pf-limit").encode(y=alt.Y("value:Q", axis=name)),
    )


def _draw_dots(rows: list[Record], axis: ScaledAxis) -> alt.Chart:
    data = [
        {
            "iteration": amount(row, "iteration"),
            "value": axis.at(amount(row, "duration")),
            "mark": mark if (mark := str(row.get("mark") or "")) in SHAPES else "",
            "text": quantity(row["duration"], "s") + (f" · {label(mark)}" if mark else ""),
            "start": quantity(row["start"], "s"),
            "busy": quantity(row.get("gpu_busy"), "s"),
            "gap": quantity(row.get("longest_gap"), "s"),
        }
        for row in rows
    ]
    size = 46 if len(rows) < LONG else 26
    dots: alt.Chart = (
        alt.Chart(ChartRows(data))
        .mark_point(style="pf-cpu", filled=True, opacity=0.9, size=size)
        .encode(
            y=alt.Y("value:Q", axis=None),
            shape=alt.Shape(
                "mark:N",
                legend=None,
                scale=alt.Scale(domain=list(SHAPES), range=list(SHAPES.values())),
            ),
            size=alt.condition("datum.mark !== ''", alt.value(80), alt.value(size)),
            tooltip=[
                alt.Tooltip("iteration:Q", title="Iteration"),
                alt.Tooltip("text:N", title="Duration"),
                alt.Tooltip("busy:N", title="GPU busy"),
                alt.Tooltip("gap:N", title="Longest gap"),
                alt.Tooltip("start:N", title="Starts at"),
            ],
        )
    )
    return dots
