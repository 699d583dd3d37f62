"""How many CPU threads run over time?"""

from __future__ import annotations

import altair as alt

from perfolio.charts.altair_rows import ChartRows
from perfolio.charts.axes import ScaledAxis, make_value_axis
from perfolio.charts.bar_rows import stack_layers
from perfolio.charts.chart_data import Record, amount, plural, read_scalar
from perfolio.charts.model import ChartFigure
from perfolio.charts.time_charts import (
    HEIGHT,
    describe_origin,
    encode_time_x,
    format_span,
    make_time_axis,
    make_zoomable,
)
from perfolio.common.units import format_number, quantity
from perfolio.metrics.metric_values import get_rows
from perfolio.metrics.model import Results

GROUP = "timeline"
ORDER = 9
ENOUGH = 0.98
"""Part of the CPU time that the trace holds where nothing need be said of the rest."""


_WAITS = (
    "a thread that waits has samples of REALTIME, not of CPUTIME, and one in the profiler's own "
    "code has none."
)
_BEGUN = "Threads in an operator, function or call that was recorded, working or waiting."
_DROPPED = "CPU clocks ran for most of the time without a sample: more threads ran than are seen."


def draw(results: Results) -> ChartFigure | None:
    """Bars of the mean number of running threads per slice; None without CPU threads."""
    bins = get_rows(results, "time.cpu_running_bins")
    busiest = max(bins, key=lambda row: amount(row, "running"), default=None)
    if busiest is None or amount(busiest, "running") <= 0.0:
        return None
    highest = amount(busiest, "running")
    width = quantity(amount(busiest, "stop") - amount(busiest, "start"), "s")
    mean = _find_mean(results, bins)
    most, average = format_number(highest, "threads"), format_number(mean, "threads")
    runs = read_scalar(results, "time.cpu_load") is not None
    seen = "seen running" if runs else "sampled at once"
    seen = "in what was recorded" if read_scalar(results, "run.sampled") == 0.0 else seen
    is_dropped = read_scalar(results, "time.nothing_runs_python") is not None
    who = f"1 CPU thread is {seen}" if average == "1" else f"{average} CPU threads are {seen}"
    return ChartFigure(
        title=f"{who} on average, {most} in the busiest {width}",
        description=f"Bars of the mean number of CPU threads that are {seen}, in "
        f"{plural(len(bins), 'slice')} since {describe_origin(results)}: {average} on average over "
        "the "
        f"run, {most} in the busiest slice of {width}. More may run at single moments.",
        chart=_draw_chart(results, bins, highest, mean, seen),
        metric="time.cpu_running_bins",
        note=_BEGUN
        if read_scalar(results, "run.sampled") == 0.0
        else "As samples saw it: "
        + (_DROPPED if is_dropped else _WAITS)
        + _describe_loss(results, bins),
    )


def _find_mean(results: Results, bins: list[Record]) -> float:
    """Over the run: from the CPU time of the profile, else from the samples of the trace."""
    for name in ("time.cpu_load", "time.cpu_running"):
        if (mean := read_scalar(results, name)) is not None:
            return mean
    return _compute_sampled_mean(bins)


def _compute_sampled_mean(bins: list[Record]) -> float:
    return sum(amount(row, "running") for row in bins) / len(bins)


def _describe_loss(results: Results, bins: list[Record]) -> str:
    """What the bars lack of the mean, which counts all CPU time."""
    cpu_load = read_scalar(results, "time.cpu_load")
    if cpu_load is None and (alive := _count_alive(results)) is not None:
        lived = format_number(alive, "threads")
        return (
            f" By the elapsed time of the profile {lived} threads live at once: where samples are "
            "far apart, a thread counts for ten usual distances at most."
        )
    if cpu_load is None:
        return " The profile holds no CPU time: samples alone decide how long a thread ran."
    if _compute_sampled_mean(bins) >= ENOUGH * cpu_load:
        return ""
    share = quantity(_compute_sampled_mean(bins) / cpu_load, "ratio")
    return f" The mean counts all CPU time; the trace has samples of {share} of it in the bars."


def _count_alive(results: Results) -> float | None:
    """Threads that exist at once by their elapsed time; None where it was not recorded."""
    elapsed, wall = read_scalar(results, "cpu.thread_time"), read_scalar(results, "time.wall")
    return elapsed / wall if elapsed is not None and wall else None


def _draw_chart(
    results: Results, bins: list[Record], highest: float, mean: float, seen: str
) -> alt.LayerChart:
    stop = max(amount(row, "stop") for row in bins)
    axis = make_time_axis(results, stop)
    y = alt.Y(
        "running:Q",
        scale=alt.Scale(domain=[0, highest * 1.05], nice=False),
        axis=make_value_axis(f"CPU threads {seen}"),
    )
    bars = (
        alt.Chart(ChartRows(_make_bars(bins, axis)))
        .mark_rect(style="pf-cpu", clip=True)
        .encode(
            x=encode_time_x(axis, stop),
            x2=alt.X2("end:Q"),
            y=y,
            y2=alt.Y2("zero:Q"),
            tooltip=[
                alt.Tooltip("when:N", title="When"),
                alt.Tooltip("text:N", title=f"Threads {seen}"),
            ],
        )
    )
    name = alt.Axis(orient="right", values=[mean], title=None, grid=False, labelExpr="'mean'")
    line = alt.Chart(ChartRows([{"running": mean}]))
    rule = line.mark_rule(style="pf-limit").encode(y=alt.Y("running:Q", axis=name))
    chart = stack_layers(make_zoomable(bars), rule, height=HEIGHT)
    chart.resolve = alt.Resolve(axis=alt.AxisResolveMap(y="independent"))
    return chart


def _make_bars(bins: list[Record], axis: ScaledAxis) -> list[dict[str, object]]:
    """Slices with any thread at work."""
    return [
        {
            "start": round(axis.at(amount(row, "start")), 5),
            "end": round(axis.at(amount(row, "stop")), 5),
            "zero": 0.0,
            "running": amount(row, "running"),
            "text": format_number(amount(row, "running"), "threads"),
            "when": format_span(amount(row, "start"), amount(row, "stop")),
        }
        for row in bins
        if amount(row, "running") > 0.0
    ]
