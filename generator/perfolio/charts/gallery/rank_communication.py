"""Which rank do the others wait for in communication?

Collective operations of GPUs where a trace shows them, else calls of MPI on main threads. What a
rank spends there beyond the rank with the least is waiting for that one.
"""

from __future__ import annotations

import altair as alt

from perfolio.charts.altair_rows import Rows
from perfolio.charts.axes import Scaled, scaled_axis
from perfolio.charts.bar_rows import Item, row_plot
from perfolio.charts.chart_data import Record, amount, plural
from perfolio.charts.cpu_cost import cpu_cost
from perfolio.charts.model import Figure
from perfolio.charts.rank_columns import MOST_BARS, Column, rank_plot
from perfolio.common.units import quantity
from perfolio.metrics.metric_values import rows_of
from perfolio.metrics.model import Results

GROUP = "balance"
ORDER = 1

_COLLECTIVES, _MPI = "communication.by_rank", "balance.mpi"


def draw(results: Results) -> Figure | None:
    """All ranks, with the time of each in communication; None below two ranks with one."""
    metric, column = _COLLECTIVES, "busy"
    rows = rows_of(results, metric)
    if not rows:
        metric, column = _MPI, "mpi"
        rows = rows_of(results, metric)
    if len(rows) < 2 or amount(rows[-1], column) <= 0.0:
        return None
    unit = "s" if metric == _COLLECTIVES else cpu_cost(results).unit
    where = "collective operations" if metric == _COLLECTIVES else "MPI"
    least, most = amount(rows[0], column), amount(rows[-1], column)
    axis = scaled_axis(f"In {where}", most, unit)
    return Figure(
        title=f"Rank {rows[0]['rank']} spends {quantity(least, unit)} in {where}, each other one "
        f"{quantity(amount(rows[1], column), unit)} or more",
        description=f"Bars of the time in {where} of {plural(len(rows), 'rank')}, from "
        f"{quantity(least, unit)} to {quantity(most, unit)}.",
        chart=_chart(
            [_column(row, column, unit) for row in rows],
            axis,
            least,
            ("synchronisation", "kernels") if metric == _COLLECTIVES else (),
        ),
        metric=metric,
        note=_note(metric, unit),
    )


def _chart(
    columns: list[Column], axis: Scaled, least: float, legend: tuple[str, ...]
) -> alt.LayerChart:
    """A bar with a name per rank, or of many a column each, by rank."""
    if len(columns) > MOST_BARS:
        return rank_plot(columns, axis, least, legend)
    items = [Item(f"rank {each.rank}", each.text, each.segments) for each in columns]
    return row_plot(items, axis, columns[-1].length, _least(axis, least), legend=legend)


def _column(row: Record, column: str, unit: str) -> Column:
    whole = amount(row, column)
    alone = amount(row, "exposed") if "exposed" in row else whole
    segments = (("synchronisation", alone), ("kernels", max(whole - alone, 0.0)))
    return Column(round(amount(row, "rank")), segments, quantity(whole, unit))


def _least(axis: Scaled, least: float) -> alt.Chart:
    rule: alt.Chart = (
        alt.Chart(Rows([{"least": axis.at(least)}]))
        .mark_rule(style="pf-limit")
        .encode(x=alt.X("least:Q"))
    )
    return rule


def _note(metric: str, unit: str) -> str:
    told = metric == _COLLECTIVES or unit == "thread-s"
    doubt = "" if told else ", if that one did not sleep: sleep has no such cost"
    beyond = f"What lies beyond the dashed line is waiting for the rank with the least{doubt}."
    parts = "Green: other kernels ran as well; yellow: none did. " if metric == _COLLECTIVES else ""
    return f"{parts}{beyond}"
