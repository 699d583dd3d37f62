"""What steps can save at most: no more than exists of what they take, or of where it can go.

In:  effects, what bounds them, and the results of a run.
Out: the same effects, none with an amount beyond its budget.

What a step moves runs beside other work then, and saves no more than that work lasts alone. What
ends a wait saves no more than a thread waited: nothing gets shorter than the work of the thread
that launches it. Both hold in each era of a run: what hides in one does not hide in another. Where
ranks meet in collective operations the one that could save least decides for all, else the one
that could save most.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, replace
from typing import Literal

from perfolio.findings.estimates.time_ledger import (
    END,
    ERAS,
    read_ledger,
)
from perfolio.findings.model.change_effect import CellFilter, ChangeEffect, sum_cells
from perfolio.metrics.metric_values import get_number, get_rows
from perfolio.metrics.model import Results

Part = Literal["communication alone", "kernels alone", "copies alone", "idle", "host waits"]
"""A part of `time.budget`."""


@dataclass(frozen=True)
class SavingsBudget:
    """What a step takes, and what else limits it."""

    takes: CellFilter
    """The cells whose time goes."""
    behind: CellFilter | None = None
    """The cells beside which it runs then; None where it need run nowhere."""
    parts: tuple[Part, ...] = ()
    """Parts of the time of a rank, none of which it exceeds."""


def clamp_effects(
    budget: SavingsBudget, effects: Iterable[ChangeEffect], results: Results
) -> Iterator[ChangeEffect]:
    """Effects on cells that a budget takes, era by era where one takes all of several."""
    for effect in effects:
        eras = [era & effect.where for era in (*ERAS, END) if _is_overlapping(era, effect.where)]
        if effect.most == float("inf"):
            yield from (
                replace(effect, where=era, most=compute_room(budget, era, results)) for era in eras
            )
        else:
            most = sum(compute_room(budget, era, results) for era in eras)
            yield replace(effect, most=min(effect.most, most))


def compute_room(budget: SavingsBudget, where: CellFilter, results: Results) -> float:
    """How much of these cells a step of this budget saves at most [s]."""
    cells = read_ledger(results)
    sizes = [sum_cells(cells, where & budget.takes)]
    if budget.behind is not None:
        sizes.append(sum_cells(cells, CellFilter(period=where.period) & budget.behind))
    if budget.parts:
        of_ranks = _find_least_part(where, budget.parts, results)
        sizes += [] if of_ranks is None else [of_ranks]
    return max(min(sizes), 0.0)


def is_of_ranks(results: Results) -> bool:
    """Whether ranks meet in collective operations, so that one of them decides for all."""
    rows = get_rows(results, "time.budget")
    ranks = {row["rank"] for row in rows}
    return len(ranks) > 1 and any(row["part"] == "communication alone" for row in rows)


def find_wait_time(where: CellFilter, results: Results) -> float | None:
    """How long the threads that launch waited for the GPU; None where that is not known [s]."""
    return _find_least_part(where, ("host waits",), results)


def _find_least_part(where: CellFilter, parts: tuple[Part, ...], results: Results) -> float | None:
    """The least of the parts, of the rank that decides; None where one is not known [s]."""
    rows = get_rows(results, "time.budget")
    known = {str(row["part"]) for row in rows}
    if not rows or ("host waits" in parts and "host waits" not in known):
        return None
    times = defaultdict[tuple[object, str], float](float)
    for row in rows:
        if where.period is None or row["period"] in where.period:
            times[row["rank"], str(row["part"])] += get_number(row, "time")
    ranks = {row["rank"] for row in rows}
    found = [min(times[rank, part] for part in parts) for rank in ranks]
    return min(found) if "communication alone" in known else max(found)


def _is_overlapping(one: CellFilter, other: CellFilter) -> bool:
    return other.period is None or not (one.period or frozenset()).isdisjoint(other.period)
