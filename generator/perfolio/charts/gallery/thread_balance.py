"""How evenly is CPU work spread over the threads that work?"""

from __future__ import annotations

import math

import altair as alt

from perfolio.charts.altair_rows import ChartRows
from perfolio.charts.axes import ScaledAxis, make_value_axis, scale_axis
from perfolio.charts.bar_rows import stack_layers
from perfolio.charts.chart_data import amount, format_full_name, plural, read_scalar
from perfolio.charts.cpu_cost import CostSpread, CpuCost, read_cpu_cost, read_work_spread
from perfolio.charts.model import ChartFigure
from perfolio.common.units import quantity
from perfolio.metrics.metric_values import is_measured
from perfolio.metrics.model import Results

GROUP = "balance"
ORDER = 3

HEIGHT = 280
MOST_BARS = 64
"""Threads with a bar each; more of them make a histogram."""


def draw(results: Results) -> ChartFigure | None:
    """Work per thread, or its distribution, with mean and maximum; None without a balance."""
    spread, imbalance = read_work_spread(results), read_scalar(results, "balance.threads")
    if spread is None or imbalance is None:
        return None
    cost = CpuCost("work", read_cpu_cost(results).unit)
    axis = scale_axis(cost.capitalised, spread.highest, cost.unit)
    bars = spread.threads <= MOST_BARS
    ranks = len({row["rank"] for row in spread.rows})
    return ChartFigure(
        title=_make_title(_format_factor(results, imbalance), spread.threads, ranks),
        description=f"{'Bars' if bars else 'Histogram'} of the work of "
        f"{plural(spread.threads, 'thread')}: mean {cost.text(spread.mean)}, "
        f"maximum {cost.text(spread.highest)}{' over all ranks' if ranks > 1 else ''}.",
        chart=_draw_bars(spread, axis, cost, ranks)
        if bars
        else _draw_histogram(spread, axis, cost),
        metric="balance.working_threads",
        note=f"{_describe_work(results)} Threads with less than 1 % of the work of their "
        "rank's busiest one, such as idle helpers of a library, are left out.",
    )


def _make_title(factor: str, threads: int, ranks: int) -> str:
    """What the metric says: of several ranks, the one whose threads differ most counts."""
    if ranks > 1:
        return (
            f"In the least even of {ranks:,} ranks, the busiest thread has {factor} the mean work"
        )
    return f"The busiest of {threads:,} threads that work has {factor} the mean work"


def _format_factor(results: Results, imbalance: float) -> str:
    """The imbalance; where waits charged to Python leave it open, from its low to its high end."""
    low, high = results["balance.threads"].low, results["balance.threads"].high
    if low is None or high is None:
        return quantity(imbalance, "x")
    ends = (quantity(low, "x"), quantity(high, "x"))
    return ends[0] if ends[0] == ends[1] else " to ".join(ends)


def _describe_work(results: Results) -> str:
    """What counts as work, which samples tell where time that came late is left out."""
    if not is_measured(results, "cpu.late_share"):
        return "Work is CPU cost without waiting."
    work = "Work is elapsed time without waiting and without what came late, by samples."
    if not (waits := read_scalar(results, "cpu.python_waits")):
        return work
    return (
        f"{work} Up to {quantity(waits, 'thread-s')} of it is waiting that the profile "
        "charges"
        " to Python."
    )


def _draw_bars(spread: CostSpread, axis: ScaledAxis, cost: CpuCost, ranks: int) -> alt.LayerChart:
    """A bar per thread; lines at mean and maximum only where all are of one rank."""
    ordered = sorted(spread.rows, key=lambda row: (amount(row, "rank"), amount(row, "thread")))
    data = [
        {
            "left": index + 0.12,
            "right": index + 0.88,
            "zero": 0.0,
            "value": axis.at(amount(row, "time")),
            "full": format_full_name(row["label"]),
            "text": f"{cost.text(amount(row, 'time'))} · {quantity(row['share'], 'ratio')}",
        }
        for index, row in enumerate(ordered)
    ]
    x = alt.X(
        "left:Q",
        scale=alt.Scale(domain=[0, len(ordered)], nice=False),
        axis=alt.Axis(
            title=f"{len(ordered)} threads, by rank and number", labels=False, grid=False
        ),
    )
    bars = (
        alt.Chart(ChartRows(data))
        .mark_rect(style="pf-cpu", cornerRadius=2)
        .encode(
            x=x,
            x2=alt.X2("right:Q"),
            y=_encode_cost(axis, spread.highest),
            y2=alt.Y2("zero:Q"),
            tooltip=[
                alt.Tooltip("full:N", title="Thread"),
                alt.Tooltip("text:N", title=cost.capitalised),
            ],
        )
    )
    rules = (_draw_rules(axis, spread.mean, spread.highest),) if ranks == 1 else ()
    chart = stack_layers(bars, *rules, height=HEIGHT)
    chart.resolve = alt.Resolve(axis=alt.AxisResolveMap(y="independent"))
    return chart


def _encode_cost(axis: ScaledAxis, highest: float) -> alt.Y:
    return alt.Y(
        "value:Q",
        scale=alt.Scale(domain=[0, axis.at(highest) * 1.05], nice=False),
        axis=make_value_axis(axis.title),
    )


def _draw_rules(axis: ScaledAxis, mean: float, highest: float) -> alt.Chart:
    """Lines at mean and maximum, named by an axis of their own at the right edge."""
    values = [axis.at(mean), axis.at(highest)]
    halfway = (values[0] + values[1]) / 2
    names = alt.Axis(
        orient="right",
        values=values,
        title=None,
        grid=False,
        labelOverlap=False,
        labelExpr=f"datum.value < {halfway!r} ? 'mean' : 'max'",
    )
    rules: alt.Chart = (
        alt.Chart(ChartRows([{"value": value} for value in values]))
        .mark_rule(style="pf-limit")
        .encode(y=alt.Y("value:Q", axis=names))
    )
    return rules


def _draw_histogram(spread: CostSpread, axis: ScaledAxis, cost: CpuCost) -> alt.LayerChart:
    data = make_histogram([axis.at(amount(row, "time")) for row in spread.rows])
    most = max(int(row["count"]) for row in data)
    bars = (
        alt.Chart(
            ChartRows(
                [
                    {
                        **row,
                        "zero": 0,
                        "text": f"{row['left']:,.4g} to {row['right']:,.4g} {axis.symbol}",
                    }
                    for row in data
                ]
            )
        )
        .mark_rect(style="pf-cpu")
        .encode(
            x=alt.X(
                "left:Q",
                axis=make_value_axis(axis.title),
                scale=alt.Scale(nice=False, zero=False, padding=8),
            ),
            x2=alt.X2("right:Q"),
            y=alt.Y(
                "count:Q",
                axis=make_value_axis("Threads"),
                scale=alt.Scale(domain=[0, most * 1.15], nice=False),
            ),
            y2=alt.Y2("zero:Q"),
            tooltip=[
                alt.Tooltip("text:N", title=cost.capitalised),
                alt.Tooltip("count:Q", title="Threads"),
            ],
        )
    )
    lines = [{"left": axis.at(spread.mean), "text": f"Mean {cost.text(spread.mean)}"}]
    base = alt.Chart(ChartRows(lines)).encode(x=alt.X("left:Q"))
    return stack_layers(
        bars,
        base.mark_rule(style="pf-limit"),
        base.mark_text(style="pf-note", align="left", baseline="top", dx=5).encode(
            y=alt.YValue(0), text=alt.Text("text:N")
        ),
        height=HEIGHT,
    )


def make_histogram(values: list[float]) -> list[dict[str, float]]:
    """Bins of equal width over all of `values` (Sturges' number of them, at most 40)."""
    low, high = min(values), max(values)
    bins = min(40, 1 + math.ceil(math.log2(len(values))))
    width = (high - low) / bins or max(abs(high), 1.0) / bins
    counts = [0] * bins
    for value in values:
        counts[min(bins - 1, int((value - low) / width))] += 1
    return [
        {"left": low + index * width, "right": low + (index + 1) * width, "count": count}
        for index, count in enumerate(counts)
    ]
