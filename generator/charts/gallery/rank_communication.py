"""Which rank do the others wait for in communication?

Collective operations of GPUs where a trace shows them, else calls of MPI on main threads. What a
rank spends there beyond the rank with the least is waiting for that one.
"""

from __future__ import annotations

import altair as alt

from generator.charts.axes import Scaled, scaled_axis
from generator.charts.cpu import cpu_cost
from generator.charts.data import Record, amount, plural
from generator.charts.model import Figure
from generator.charts.rowplot import Item, row_plot
from generator.metrics.model import Results
from generator.metrics.values import rows_of
from generator.units import quantity

GROUP = "balance"
ORDER = 1

MOST = 16
"""Ranks shown: those with the least time there and those with the most."""

_COLLECTIVES, _MPI = "communication.by_rank", "balance.mpi"


def draw(results: Results) -> Figure | None:
    """A bar per rank of its time in communication; None below two ranks with one."""
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
    shown = rows if len(rows) <= MOST else [*rows[: MOST // 2], *rows[-MOST // 2 :]]
    axis = scaled_axis(f"In {where}", most, unit)
    return Figure(
        title=f"Rank {rows[0]['rank']} spends {quantity(least, unit)} in {where}, each other one "
        f"{quantity(amount(rows[1], column), unit)} or more",
        description=f"Bars of the time in {where} of {plural(len(rows), 'rank')}, from "
        f"{quantity(least, unit)} to {quantity(most, unit)}.",
        chart=row_plot(
            [_item(row, column, unit) for row in shown],
            axis,
            most,
            _least(axis, least),
            legend=("synchronisation", "kernels") if metric == _COLLECTIVES else (),
        ),
        metric=metric,
        note=_note(metric, unit, len(rows) - len(shown)),
    )


def _item(row: Record, column: str, unit: str) -> Item:
    whole = amount(row, column)
    alone = amount(row, "exposed") if "exposed" in row else whole
    return Item(
        name=f"rank {row['rank']}",
        text=quantity(whole, unit),
        segments=(("synchronisation", alone), ("kernels", max(whole - alone, 0.0))),
    )


def _least(axis: Scaled, least: float) -> alt.Chart:
    rule: alt.Chart = (
        alt.Chart(alt.Data(values=[{"least": axis.at(least)}]))
        .mark_rule(style="pf-limit")
        .encode(x="least:Q")
    )
    return rule


def _note(metric: str, unit: str, left_out: int) -> str:
    told = metric == _COLLECTIVES or unit == "thread-s"
    doubt = "" if told else ", if that one did not sleep: sleep has no such cost"
    beyond = f"What lies beyond the dashed line is waiting for the rank with the least{doubt}."
    parts = "Green: other kernels ran as well; yellow: none did. " if metric == _COLLECTIVES else ""
    rest = f" Not drawn: {plural(left_out, 'rank')} in between." if left_out else ""
    return f"{parts}{beyond}{rest}"
