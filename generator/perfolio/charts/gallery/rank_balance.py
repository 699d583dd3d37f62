"""How evenly is CPU work spread over ranks?

Computing of main threads where calls of MPI tell it from waiting, else all CPU cost.
"""

from __future__ import annotations

import altair as alt

from perfolio.charts.altair_rows import ChartRows
from perfolio.charts.axes import ScaledAxis, scale_axis
from perfolio.charts.bar_rows import BAR_BOTTOM, BAR_TOP, BarItem, encode_row_y, plot_rows
from perfolio.charts.chart_data import amount, plural, read_scalar
from perfolio.charts.cpu_cost import CpuCost, read_cpu_cost
from perfolio.charts.model import ChartFigure
from perfolio.charts.rank_columns import MOST_BARS, RankColumn, plot_ranks
from perfolio.common.units import quantity
from perfolio.metrics.metric_values import get_rows
from perfolio.metrics.model import Results

GROUP = "balance"
ORDER = 2


def draw(results: Results) -> ChartFigure | None:
    """All ranks, with their mean; None without the imbalance that it shows."""
    metric, column, words = "balance.mpi", "computing", "cost outside MPI"
    imbalance = read_scalar(results, "balance.computing_ranks")
    if imbalance is None:
        metric, column, words = "balance.by_rank", "time", read_cpu_cost(results).words
        imbalance = read_scalar(results, "balance.ranks")
    rows = sorted(get_rows(results, metric), key=lambda row: -amount(row, column))
    if imbalance is None or len(rows) < 2 or amount(rows[0], column) <= 0.0:
        return None
    cost = CpuCost(words, read_cpu_cost(results).unit)
    most = amount(rows[0], column)
    axis = scale_axis(cost.capitalised, most, cost.unit)
    columns = [
        RankColumn(
            round(amount(row, "rank")),
            (("cpu", amount(row, column)),),
            cost.text(amount(row, column)),
        )
        for row in rows
    ]
    return ChartFigure(
        title=f"The busiest of {len(rows):,} ranks has {quantity(imbalance, 'x')} the mean "
        + words,
        description=f"Bars of the {words} of {plural(len(rows), 'rank')}, from "
        f"{cost.text(amount(rows[-1], column))} to {cost.text(most)}.",
        chart=_draw_chart(columns, axis, most / imbalance),
        metric=metric,
        note=_make_note(results, metric),
    )


def _draw_chart(columns: list[RankColumn], axis: ScaledAxis, mean: float) -> alt.LayerChart:
    """A bar with a name per rank, or of many a column each, by rank."""
    if len(columns) > MOST_BARS:
        return plot_ranks(columns, axis, mean)
    items = [BarItem(f"rank {each.rank}", each.text, each.segments) for each in columns]
    return plot_rows(items, axis, columns[0].length, _draw_mean(axis, mean, len(items)))


def _draw_mean(axis: ScaledAxis, mean: float, rows: int) -> alt.Chart:
    """A line across each bar, and not across the numbers above them."""
    data = [
        {"mean": axis.at(mean), "top": row + BAR_TOP, "bottom": row + BAR_BOTTOM}
        for row in range(rows)
    ]
    rule: alt.Chart = (
        alt.Chart(ChartRows(data))
        .mark_rule(style="pf-limit")
        .encode(x=alt.X("mean:Q"), y=encode_row_y("top", rows), y2=alt.Y2("bottom:Q"))
    )
    return rule


def _make_note(results: Results, metric: str) -> str:
    late = (
        " and without what came late, by samples" if read_scalar(results, "cpu.late_share") else ""
    )
    counted = (
        f"Of each rank's main thread, without other waits{late}."
        if metric == "balance.mpi"
        else "With waiting, as far as that has a cost: idle ranks may look busy."
    )
    return f"Dashed: the mean. {counted}"
