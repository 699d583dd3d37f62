"""How evenly is CPU work spread over threads?"""

from __future__ import annotations

import math

import altair as alt

from generator.charts.axes import Scaled, scaled_axis, value_axis
from generator.charts.cpu import CpuCost, cpu_cost
from generator.charts.data import Record, amount, full_name, plural, positive, table
from generator.charts.model import Figure
from generator.charts.rowplot import layered
from generator.metrics.model import Results
from generator.units import quantity

GROUP = "balance"

HEIGHT = 280
MOST_BARS = 64
"""Threads with a bar each; more of them make a histogram."""


def draw(results: Results) -> Figure | None:
    """Cost per thread, or its distribution, with mean and maximum; None below two threads."""
    rows = positive(table(results, "cpu.threads"), "time")
    if len(rows) < 2:
        return None
    cost = cpu_cost(results)
    times = [amount(row, "time") for row in rows]
    mean, highest = sum(times) / len(times), max(times)
    axis = scaled_axis(cost.capitalised, highest, cost.unit)
    bars = len(rows) <= MOST_BARS
    idle = quantity(1.0 - mean / highest, "ratio")
    return Figure(
        title=f"The busiest of {len(rows):,} threads has {quantity(highest / mean, 'x')} the mean "
        f"{cost.words}",
        description=f"{'Bars' if bars else 'Histogram'} of the {cost.words} of "
        f"{plural(len(rows), 'thread')}: mean {cost.text(mean)}, maximum {cost.text(highest)}, "
        f"minimum {cost.text(min(times))}.",
        chart=_bars(rows, axis, mean, cost) if bars else _histogram(times, axis, mean, cost),
        metric="cpu.threads",
        note=f"Threads without any {cost.words} are left out. If all of them had to wait for the "
        f"busiest one, {idle} of their time would be waiting.",
    )


def _bars(rows: list[Record], axis: Scaled, mean: float, cost: CpuCost) -> alt.LayerChart:
    ordered = sorted(rows, key=lambda row: (amount(row, "rank"), amount(row, "thread")))
    highest = max(amount(row, "time") for row in rows)
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
        scale=alt.Scale(domain=[0, len(rows)], nice=False),
        axis=alt.Axis(title=f"{len(rows)} threads, by rank and number", labels=False, grid=False),
    )
    bars = (
        alt.Chart(alt.Data(values=data))
        .mark_rect(style="pf-cpu", cornerRadius=2)
        .encode(
            x=x,
            x2="right:Q",
            y=_cost(axis, highest),
            y2="zero:Q",
            tooltip=[
                alt.Tooltip("full:N", title="Thread"),
                alt.Tooltip("text:N", title=cost.capitalised),
            ],
        )
    )
    chart = layered(bars, _rules(axis, mean, highest), height=HEIGHT)
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
        alt.Chart(alt.Data(values=[{"value": value} for value in values]))
        .mark_rule(style="pf-limit")
        .encode(y=alt.Y("value:Q", axis=names))
    )
    return rules


def _histogram(times: list[float], axis: Scaled, mean: float, cost: CpuCost) -> alt.LayerChart:
    data = histogram([axis.at(time) for time in times])
    most = max(int(row["count"]) for row in data)
    bars = (
        alt.Chart(
            alt.Data(
                values=[
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
            x2="right:Q",
            y=alt.Y(
                "count:Q",
                axis=value_axis("Threads (count)"),
                scale=alt.Scale(domain=[0, most * 1.15], nice=False),
            ),
            y2="zero:Q",
            tooltip=[
                alt.Tooltip("text:N", title=cost.capitalised),
                alt.Tooltip("count:Q", title="Threads"),
            ],
        )
    )
    lines = [{"left": axis.at(mean), "text": f"Mean {cost.text(mean)}"}]
    base = alt.Chart(alt.Data(values=lines)).encode(x="left:Q")
    return layered(
        bars,
        base.mark_rule(style="pf-limit"),
        base.mark_text(style="pf-note", align="left", baseline="top", dx=5).encode(
            y=alt.value(0), text="text:N"
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
