"""How evenly is CPU work spread over ranks?

Computing of main threads where calls of MPI tell it from waiting, else all CPU cost.
"""

from __future__ import annotations

import altair as alt

from perfolio.charts.altair_rows import Rows
from perfolio.charts.axes import Scaled, scaled_axis
from perfolio.charts.bar_rows import BAR_BOTTOM, BAR_TOP, Item, row_plot, row_y
from perfolio.charts.chart_data import amount, plural, scalar
from perfolio.charts.cpu_cost import CpuCost, cpu_cost
from perfolio.charts.model import Figure
from perfolio.charts.rank_columns import MOST_BARS, Column, rank_plot
from perfolio.common.units import quantity
from perfolio.metrics.metric_values import rows_of
from perfolio.metrics.model import Results

GROUP = "balance"
ORDER = 2


def draw(results: Results) -> Figure | None:
    """All ranks, with their mean; None without the imbalance that it shows."""
    metric, column, words = "balance.mpi", "computing", "cost outside MPI"
    imbalance = scalar(results, "balance.computing_ranks")
    if imbalance is None:
        metric, column, words = "balance.by_rank", "time", cpu_cost(results).words
        imbalance = scalar(results, "balance.ranks")
    rows = sorted(rows_of(results, metric), key=lambda row: -amount(row, column))
    if imbalance is None or len(rows) < 2 or amount(rows[0], column) <= 0.0:
        return None
    cost = CpuCost(words, cpu_cost(results).unit)
    most = amount(rows[0], column)
    axis = scaled_axis(cost.capitalised, most, cost.unit)
    columns = [
        Column(
            round(amount(row, "rank")),
            (("cpu", amount(row, column)),),
            cost.text(amount(row, column)),
        )
        for row in rows
    ]
    return Figure(
        title=f"The busiest of {len(rows):,} ranks has {quantity(imbalance, 'x')} the mean "
        + words,
        description=f"Bars of the {words} of {plural(len(rows), 'rank')}, from "
        f"{cost.text(amount(rows[-1], column))} to {cost.text(most)}.",
        chart=_chart(columns, axis, most / imbalance),
        metric=metric,
        note=_note(results, metric),
    )


def _chart(columns: list[Column], axis: Scaled, mean: float) -> alt.LayerChart:
    """A bar with a name per rank, or of many a column each, by rank."""
    if len(columns) > MOST_BARS:
        return rank_plot(columns, axis, mean)
    items = [Item(f"rank {each.rank}", each.text, each.segments) for each in columns]
    return row_plot(items, axis, columns[0].length, _mean(axis, mean, len(items)))


def _mean(axis: Scaled, mean: float, rows: int) -> alt.Chart:
    """A line across each bar, and not across the numbers above them."""
    data = [
        {"mean": axis.at(mean), "top": row + BAR_TOP, "bottom": row + BAR_BOTTOM}
        for row in range(rows)
    ]
    rule: alt.Chart = (
        alt.Chart(Rows(data))
        .mark_rule(style="pf-limit")
        .encode(x=alt.X("mean:Q"), y=row_y("top", rows), y2=alt.Y2("bottom:Q"))
    )
    return rule


def _note(results: Results, metric: str) -> str:
    late = " and without what came late, by samples" if scalar(results, "cpu.late_share") else ""
    counted = (
        f"Of each rank's main thread, without other waits{late}."
        if metric == "balance.mpi"
        else "With waiting, as far as that has a cost: idle ranks may look busy."
    )
    return f"Dashed: the mean. {counted}"
