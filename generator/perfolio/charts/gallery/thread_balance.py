"""How evenly is CPU work spread over the threads that work?"""

from __future__ import annotations

import math

import altair as alt

from perfolio.charts.altair_rows import Rows
from perfolio.charts.axes import Scaled, scaled_axis, value_axis
from perfolio.charts.bar_rows import layered
from perfolio.charts.chart_data import amount, full_name, plural, scalar
from perfolio.charts.cpu_cost import CpuCost, Spread, cpu_cost, work_spread
from perfolio.charts.model import Figure
from perfolio.common.units import quantity
from perfolio.metrics.metric_values import is_measured
from perfolio.metrics.model import Results

GROUP = "balance"
ORDER = 3

HEIGHT = 280
MOST_BARS = 64
"""Threads with a bar each; more of them make a histogram."""


def draw(results: Results) -> Figure | None:
    """Work per thread, or its distribution, with mean and maximum; None without a balance."""
    spread, imbalance = work_spread(results), scalar(results, "balance.threads")
    if spread is None or imbalance is None:
        return None
    cost = CpuCost("work", cpu_cost(results).unit)
    axis = scaled_axis(cost.capitalised, spread.highest, cost.unit)
    bars = spread.threads <= MOST_BARS
    ranks = len({row["rank"] for row in spread.rows})
    return Figure(
        title=_title(_factor(results, imbalance), spread.threads, ranks),
        description=f"{'Bars' if bars else 'Histogram'} of the work of "
        f"{plural(spread.threads, 'thread')}: mean {cost.text(spread.mean)}, "
        f"maximum {cost.text(spread.highest)}{' over all ranks' if ranks > 1 else ''}.",
        chart=_bars(spread, axis, cost, ranks) if bars else _histogram(spread, axis, cost),
        metric="balance.working_threads",
        note=f"{_meaning(results)} Threads with less than 1 % of the work of their "
        "rank's busiest one, such as idle helpers of a library, are left out.",
    )


def _title(factor: str, threads: int, ranks: int) -> str:
    """What the metric says: of several ranks, the one whose threads differ most counts."""
    if ranks > 1:
        return (
            f"In the least even of {ranks:,} ranks, the busiest thread has {factor} the mean work"
        )
    return f"The busiest of {threads:,} threads that work has {factor} the mean work"


def _factor(results: Results, imbalance: float) -> str:
    """The imbalance; where waits charged to Python leave it open, from its low to its high end."""
    low, high = results["balance.threads"].low, results["balance.threads"].high
    if low is None or high is None:
        return quantity(imbalance, "x")
    ends = (quantity(low, "x"), quantity(high, "x"))
    return ends[0] if ends[0] == ends[1] else " to ".join(ends)


def _meaning(results: Results) -> str:
    """What counts as work, which samples tell where time that came late is left out."""
    if not is_measured(results, "cpu.late_share"):
        return "Work is CPU cost without waiting."
    work = "Work is elapsed time without waiting and without what came late, by samples."
    if not (waits := scalar(results, "cpu.python_waits")):
        return work
    return (
        f"{work} Up to {quantity(waits, 'thread-s')} of it is waiting that the profile charges"
        " to Python."
    )


def _bars(spread: Spread, axis: Scaled, cost: CpuCost, ranks: int) -> alt.LayerChart:
    """A bar per thread; lines at mean and maximum only where all are of one rank."""
    ordered = sorted(spread.rows, key=lambda row: (amount(row, "rank"), amount(row, "thread")))
    data = [
        {
            "left": index + 0.12,
            "right": index + 0.88,
            "zero": 0.0,
            "value": axis.at(amount(row, "time")),
            "full": full_name(row["label"]),
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
        alt.Chart(Rows(data))
        .mark_rect(style="pf-cpu", cornerRadius=2)
        .encode(
            x=x,
            x2=alt.X2("right:Q"),
            y=_cost(axis, spread.highest),
            y2=alt.Y2("zero:Q"),
            tooltip=[
                alt.Tooltip("full:N", title="Thread"),
                alt.Tooltip("text:N", title=cost.capitalised),
            ],
        )
    )
    rules = (_rules(axis, spread.mean, spread.highest),) if ranks == 1 else ()
    chart = layered(bars, *rules, height=HEIGHT)
    chart.resolve = alt.Resolve(axis=alt.AxisResolveMap(y="independent"))
    return chart


def _cost(axis: Scaled, highest: float) -> alt.Y:
    return alt.Y(
        "value:Q",
        scale=alt.Scale(domain=[0, axis.at(highest) * 1.05], nice=False),
        axis=value_axis(axis.title),
    )


def _rules(axis: Scaled, mean: float, highest: float) -> alt.Chart:
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
        alt.Chart(Rows([{"value": value} for value in values]))
        .mark_rule(style="pf-limit")
        .encode(y=alt.Y("value:Q", axis=names))
    )
    return rules


def _histogram(spread: Spread, axis: Scaled, cost: CpuCost) -> alt.LayerChart:
    data = histogram([axis.at(amount(row, "time")) for row in spread.rows])
    most = max(int(row["count"]) for row in data)
    bars = (
        alt.Chart(
            Rows(
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
                axis=value_axis(axis.title),
                scale=alt.Scale(nice=False, zero=False, padding=8),
            ),
            x2=alt.X2("right:Q"),
            y=alt.Y(
                "count:Q",
                axis=value_axis("Threads"),
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
    base = alt.Chart(Rows(lines)).encode(x=alt.X("left:Q"))
    return layered(
        bars,
        base.mark_rule(style="pf-limit"),
        base.mark_text(style="pf-note", align="left", baseline="top", dx=5).encode(
            y=alt.YValue(0), text=alt.Text("text:N")
        ),
        height=HEIGHT,
    )


def histogram(values: list[float]) -> list[dict[str, float]]:
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
