"""How much longer does each rank make an iteration, if all others were alike?"""

from __future__ import annotations

import altair as alt

from perfolio.charts.axes import ScaledAxis
from perfolio.charts.bar_rows import BarItem, plot_rows
from perfolio.charts.chart_data import Record, amount, plural
from perfolio.charts.model import ChartFigure
from perfolio.charts.rank_columns import MOST_BARS, RankColumn, plot_ranks
from perfolio.common.units import quantity
from perfolio.metrics.metric_values import get_rows
from perfolio.metrics.model import Results

GROUP = "balance"
ORDER = 0

_METRIC = "balance.slowdown"
_AXIS = ScaledAxis("Iteration longer by", 0.01, "%")


def draw(results: Results) -> ChartFigure | None:
    """A bar for each rank; None where ranks are not replayed, or alike."""
    rows = sorted(get_rows(results, _METRIC), key=lambda row: -amount(row, "longer"))
    if len(rows) < 2 or amount(rows[0], "longer") <= 0.0:
        return None
    most, next_one = (quantity(amount(row, "longer"), "ratio") for row in rows[:2])
    return ChartFigure(
        title=f"Rank {rows[0]['rank']} makes an iteration {most} longer, the next one {next_one}",
        description=f"Bars of how much longer an iteration takes with one rank as recorded, "
        f"of {plural(len(rows), 'rank')}; the longest is {most}.",
        chart=_draw_chart(rows),
        metric=_METRIC,
        note="One rank is as recorded; all else takes the mean of its kind. "
        "Transfers take the median.",
    )


def _draw_chart(rows: list[Record]) -> alt.LayerChart:
    """A bar with a name per rank, or of many a column each, by rank."""
    if len(rows) > MOST_BARS:
        ordered = sorted(rows, key=lambda row: amount(row, "rank"))
        return plot_ranks([_make_column(row) for row in ordered], _AXIS, 0.0)
    return plot_rows([_make_item(row) for row in rows], _AXIS, amount(rows[0], "longer"))


def _make_item(row: Record) -> BarItem:
    longer = amount(row, "longer")
    return BarItem(
        name=f"rank {row['rank']}",
        text=quantity(longer, "ratio"),
        segments=(("synchronisation", longer),),
        details={"Mended alone, recovers": quantity(amount(row, "recovers"), "ratio")},
    )


def _make_column(row: Record) -> RankColumn:
    longer = amount(row, "longer")
    segments = (("synchronisation", longer),)
    return RankColumn(round(amount(row, "rank")), segments, quantity(longer, "ratio"))
