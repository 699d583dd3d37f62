"""Which rank do the others wait for in communication?

Collective operations of GPUs where a trace shows them, else calls of MPI on main threads. What a
rank spends there beyond the rank with the least is waiting for that one.
"""

from __future__ import annotations

import altair as alt

from perfolio.charts.altair_rows import ChartRows
from perfolio.charts.axes import ScaledAxis, scale_axis
from perfolio.charts.bar_rows import BarItem, plot_rows
from perfolio.charts.chart_data import Record, amount, plural
from perfolio.charts.cpu_cost import read_cpu_cost
from perfolio.charts.model import ChartFigure
from perfolio.charts.rank_columns import MOST_BARS, RankColumn, plot_ranks
from perfolio.common.units import quantity
from perfolio.metrics.metric_values import get_rows
from perfolio.metrics.model import Results

GROUP = "balance"
ORDER = 1

_COLLECTIVES, _MPI = "communication.by_rank", "balance.mpi"


def draw(results: Results) -> ChartFigure | None:
    """All ranks, with the time of each in communication; None below two ranks with one."""
    metric, column = _COLLECTIVES, "busy"
    rows = get_rows(results, metric)
    if not rows:
        metric, column = _MPI, "mpi"
        rows = get_rows(results, metric)
    if len(rows) < 2 or amount(rows[-1], column) <= 0.0:
        return None
    unit = "s" if metric == _COLLECTIVES else read_cpu_cost(results).unit
    where = "collective operations" if metric == _COLLECTIVES else "MPI"
    least, most = amount(rows[0], column), amount(rows[-1], column)
    axis = scale_axis(f"In {where}", most, unit)
    return ChartFigure(
        title=f"Rank {rows[0]['rank']} spends {quantity(least, unit)} in {where}, each other one "
        f"{quantity(amount(rows[1], column), unit)} or more",
        description=f"Bars of the time in {where} of {plural(len(rows), 'rank')}, from "
        f"{quantity(least, unit)} to {quantity(most, unit)}.",
        chart=_draw_chart(
            [_make_column(row, column, unit) for row in rows],
            axis,
            least,
            ("synchronisation", "kernels") if metric == _COLLECTIVES else (),
        ),
        metric=metric,
        note=_make_note(metric, unit),
    )


def _draw_chart(
    columns: list[RankColumn], axis: ScaledAxis, least: float, legend: tuple[str, ...]
) -> alt.LayerChart:
    """A bar with a name per rank, or of many a column each, by rank."""
    if len(columns) > MOST_BARS:
        return plot_ranks(columns, axis, least, legend)
    items = [BarItem(f"rank {each.rank}", each.text, each.segments) for each in columns]
    return plot_rows(items, axis, columns[-1].length, _draw_least(axis, least), legend=legend)


def _make_column(row: Record, column: str, unit: str) -> RankColumn:
    total = amount(row, column)
    alone = amount(row, "exposed") if "exposed" in row else total
    segments = (("synchronisation", alone), ("kernels", max(total - alone, 0.0)))
    return RankColumn(round(amount(row, "rank")), segments, quantity(total, unit))


def _draw_least(axis: ScaledAxis, least: float) -> alt.Chart:
    rule: alt.Chart = (
        alt.Chart(ChartRows([{"least": axis.at(least)}]))
        .mark_rule(style="pf-limit")
        .encode(x=alt.X("least:Q"))
    )
    return rule


def _make_note(metric: str, unit: str) -> str:
    certain = metric == _COLLECTIVES or unit == "thread-s"
    doubt = "" if certain else ", if that one did not sleep: sleep has no such cost"
    beyond = f"What lies beyond the dashed line is waiting for the rank with the least{doubt}."
    parts = "Green: other kernels ran as well; yellow: none did. " if metric == _COLLECTIVES else ""
    return f"{parts}{beyond}"
