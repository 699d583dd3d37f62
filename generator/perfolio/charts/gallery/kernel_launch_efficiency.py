"""Do kernels run long enough to be worth their launch?"""

from __future__ import annotations

import math
from typing import Literal

import altair as alt

from perfolio.charts.altair_rows import ChartRows
from perfolio.charts.axes import SI_TIME_LABELS, list_log_ticks
from perfolio.charts.bar_rows import stack_layers
from perfolio.charts.chart_data import (
    MAX_MARKS,
    Record,
    amount,
    format_full_name,
    is_unnamed,
    label,
    plural,
    read_scalar,
    select_positive,
)
from perfolio.charts.label_placement import (
    HALF_LINE,
    NARROW_CHARACTER,
    Side,
    TextBox,
    estimate_text_width,
    find_emptiest,
    place_labels,
)
from perfolio.charts.model import ChartFigure
from perfolio.common.units import quantity
from perfolio.metrics.metric_values import get_rows
from perfolio.metrics.model import Results

GROUP = "kernels"
ORDER = 2

LAUNCH_COST = 5e-6
"""CPU time of the API call of one launch [s]: medians of 3.8 to 4.5 us in traces of A100,
H100 and MI300X, rounded up. What a launch costs exposed is in the gaps of a trace."""

LAUNCH_WORDS = f"{LAUNCH_COST * 1e6:g} µs"
"""A round figure and no measurement: without digits that pretend to be one."""

HEIGHT = 360
LABELS = 5
"""Kernels named in the chart, the largest ones whose names find room."""

Range = tuple[float, float]
Baseline = Literal["top", "bottom"]
SIDES: tuple[Side, ...] = ("left", "right")


def draw(results: Results) -> ChartFigure | None:
    """Launches against mean time, a mark per kernel; None without counts or names."""
    kernels = select_positive(get_rows(results, "gpu.kernels"), "time")
    rows = [
        row
        for row in kernels
        if amount(row, "launches") > 0.0 and amount(row, "mean") > 0.0 and not _is_unnamed(row)
    ]
    if not rows:
        return None
    shown = rows[: MAX_MARKS // 2]
    short = [row for row in rows if amount(row, "mean") < LAUNCH_COST]
    launches = sum(amount(row, "launches") for row in rows)
    mean = (
        read_scalar(results, "gpu.mean_kernel_time")
        or sum(amount(row, "time") for row in rows) / launches
    )
    below = sum(amount(row, "launches") for row in short) / launches
    return ChartFigure(
        title=_make_title(mean, below),
        description=f"Scatter plot of {plural(len(shown), 'kernel')}: number of launches against "
        "mean time per launch, both logarithmic, area by total time. "
        f"{_say_short(short, launches)} "
        f"a mean below {LAUNCH_WORDS}, the CPU time of one launch call.",
        chart=_draw_chart(shown),
        metric="gpu.kernels",
        note=f"The dashed line is the CPU time of the launch call, about "
        f"{LAUNCH_WORDS}: not time that the GPU waits, which only a trace shows."
        + (
            f" Drawn: the {len(shown):,} kernels with the most time."
            if len(shown) < len(rows)
            else ""
        ),
    )


def _is_unnamed(row: Record) -> bool:
    """Whether a row may be several kernels: a mean over them is none of any."""
    return is_unnamed(row["kernel"])


def _say_short(short: list[Record], launches: float) -> str:
    """Which kernels have (a mean below the cost of a launch), up to that verb."""
    if not short:
        return "None has"
    share = quantity(sum(amount(row, "launches") for row in short) / launches, "ratio")
    return (
        f"Of {quantity(launches, 'count')} launches {share} belong to the "
        f"{plural(len(short), 'kernel')} with"
    )


def _make_title(mean: float, below: float) -> str:
    average = f"A kernel runs {quantity(mean, 's')} on average"
    if below == 0.0:
        return f"{average}; none has a mean below {LAUNCH_WORDS}"
    share = quantity(below, "ratio")
    return f"{average}; {share} of launches are of kernels with a mean below {LAUNCH_WORDS}"


def _draw_chart(rows: list[Record]) -> alt.LayerChart:
    means = [amount(row, "mean") for row in rows]
    counts = [amount(row, "launches") for row in rows]
    y_range = (min(*means, LAUNCH_COST) / 1.6, max(*means, LAUNCH_COST) * 1.9)
    x_range = (min(counts) / 1.5, max(counts) * 1.7)
    x = alt.X(
        "launches:Q",
        scale=alt.Scale(type="log", domain=list(x_range), nice=False),
        axis=alt.Axis(title="Launches (count, log)", values=_list_ticks(x_range), format=",~r"),
    )
    y = alt.Y(
        "mean:Q",
        scale=alt.Scale(type="log", domain=list(y_range), nice=False),
        axis=alt.Axis(
            title="Mean time per launch (log)",
            values=_list_ticks(y_range),
            labelExpr=SI_TIME_LABELS,
        ),
    )
    data = _make_points(rows)
    places = [
        (_compute_position(row["launches"], x_range), _compute_position(row["mean"], y_range))
        for row in data
    ]
    line = _compute_position(LAUNCH_COST, y_range)
    rooms = _list_rooms(line)
    baseline, box = rooms[find_emptiest([box for _, box in rooms], places)]
    sides = place_labels(places, [len(str(row["name"])) for row in data], LABELS, [box])
    return stack_layers(
        *_draw_launch_line(x, y, _compute_value(box.left, x_range), baseline),
        _draw_points(data).encode(x=x, y=y),
        *(_draw_names([data[i] for i in sides if sides[i] == side], x, y, side) for side in SIDES),
        height=HEIGHT,
    )


def _draw_names(data: list[dict[str, object]], x: alt.X, y: alt.Y, side: Side) -> alt.Chart:
    names: alt.Chart = (
        alt.Chart(ChartRows(data))
        .mark_text(style=f"pf-name-{side}", limit=alt.expr("datum.room * width"))
        .encode(x=x, y=y, text=alt.Text("name:N"))
    )
    return names


def _make_points(rows: list[Record]) -> list[dict[str, object]]:
    return [
        {
            "name": (name := label(row.get("short") or row["kernel"])),
            "room": estimate_text_width(len(name)),
            "full": format_full_name(row["kernel"]),
            "launches": amount(row, "launches"),
            "mean": amount(row, "mean"),
            "time": amount(row, "time"),
            "kind": "short" if amount(row, "mean") < LAUNCH_COST else "long",
            "text": quantity(row["launches"], "count"),
            "mean_text": quantity(row["mean"], "s"),
            "time_text": f"{quantity(row['time'], 's')} · {quantity(row.get('share'), 'ratio')}",
        }
        for row in rows
    ]


def _draw_points(data: list[dict[str, object]]) -> alt.Chart:
    """Area by total time; a triangle where a kernel runs shorter than its launch call."""
    points: alt.Chart = (
        alt.Chart(ChartRows(data))
        .mark_point(style="pf-kernel", filled=True)
        .encode(
            size=alt.Size(
                "time:Q", legend=None, scale=alt.Scale(type="linear", range=[24, 900], zero=True)
            ),
            shape=alt.Shape(
                "kind:N",
                legend=None,
                scale=alt.Scale(domain=["long", "short"], range=["circle", "triangle-down"]),
            ),
            tooltip=[
                alt.Tooltip("full:N", title="Kernel"),
                alt.Tooltip("text:N", title="Launches"),
                alt.Tooltip("mean_text:N", title="Mean time"),
                alt.Tooltip("time_text:N", title="Total"),
            ],
        )
    )
    return points


def _list_rooms(line: float) -> list[tuple[Baseline, TextBox]]:
    """Where the words of the launch line can stand: below or above it, from right to left."""
    width = NARROW_CHARACTER * len(_describe_launch())
    rows: tuple[tuple[Baseline, float], ...] = (("top", line - 2 * HALF_LINE), ("bottom", line))
    return [
        (baseline, TextBox(left, left + width, bottom, bottom + 2 * HALF_LINE))
        for left in ((1.0 - width) * step / 10 for step in range(10, -1, -1))
        for baseline, bottom in rows
    ]


def _describe_launch() -> str:
    return f"{LAUNCH_WORDS}: launch call"


def _draw_launch_line(
    x: alt.X, y: alt.Y, left: float, baseline: Baseline
) -> tuple[alt.Chart, alt.Chart]:
    row = {"mean": LAUNCH_COST, "launches": left, "text": _describe_launch()}
    base = alt.Chart(ChartRows([row])).encode(y=y)
    dy = 5 if baseline == "top" else -5
    return (
        base.mark_rule(style="pf-limit"),
        base.mark_text(style="pf-note", align="left", baseline=baseline, dy=dy).encode(
            x=x, text=alt.Text("text:N")
        ),
    )


def _list_ticks(ends: Range) -> list[float]:
    return [tick for tick in list_log_ticks(*ends) if ends[0] <= tick <= ends[1]]


def _compute_position(value: object, ends: Range) -> float:
    """Where `value` lies between the ends of a logarithmic axis, 0 to 1."""
    low, high = math.log(ends[0]), math.log(ends[1])
    return (math.log(float(str(value))) - low) / (high - low)


def _compute_value(position: float, ends: Range) -> float:
    """The value at `position`, the inverse of `_compute_position`."""
    low, high = math.log(ends[0]), math.log(ends[1])
    return math.exp(low + position * (high - low))
