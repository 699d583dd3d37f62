"""Things of a run to pick from: rows of a table metric in the order of a column.

In:  `{metric, name, by, take, fewest, offer, smallest, says}`: the table, the column that names a
     row, the one that orders them, how many rows count, how many there have to be, and how many are
     offered.
Out: names with values; of rows whose names read alike only the first.
"""

from __future__ import annotations

from dataclasses import dataclass

from perfolio.exercises.html_form import label
from perfolio.exercises.model import Answer, NotAskedError
from perfolio.exercises.run_view import Run, as_number, no_column
from perfolio.exercises.strict_fields import Fields

MOST_OFFERED = 12


@dataclass(frozen=True)
class Pick:
    """Rows of a table metric in the order of a column."""

    metric: str
    name: str
    by: str
    take: int
    fewest: int
    """How many rows a run needs."""
    offer: int
    """How many rows are offered to choose from."""
    smallest: bool
    """Whether the smallest is first."""
    says: str
    """`Rank {}`: what stands around a name."""


@dataclass(frozen=True)
class Picked:
    """One of them; `row` is its place in the metric."""

    says: str
    value: float
    row: int


def read_pick(fields: Fields, *, offers: int = 0) -> Pick:
    """A pick as an exercise has it; `offers` is how many are offered where it does not say."""
    take = int(fields.number("take", 1))
    pick = Pick(
        fields.text("metric"),
        fields.text("name"),
        fields.text("by"),
        take,
        int(fields.number("fewest", max(take, 2))),
        int(fields.number("offer", max(take, offers))),
        fields.flag("smallest"),
        fields.text("says", "{}"),
    )
    if not 0 < pick.take <= pick.offer <= MOST_OFFERED or pick.fewest < 1:
        raise fields.refuse(f"take at least 1 and at most offer, which is at most {MOST_OFFERED}")
    fields.done()
    return pick


def picked(pick: Pick, run: Run) -> list[Picked]:
    """What is offered, largest first. NotAskedError where the run has fewer than are taken."""
    result = run.result(pick.metric)
    missing = {pick.name, pick.by} - {column.name for column in result.metric.columns}
    if missing:
        raise no_column(pick.metric, *sorted(missing))
    found: dict[str, Picked] = {}
    for index, row in enumerate(result.records()):
        value, name = as_number(row[pick.by]), row[pick.name]
        if value is not None and name is not None:
            says = pick.says.replace("{}", label(name))
            found.setdefault(says, Picked(says, value, index))
    sign = 1.0 if pick.smallest else -1.0
    ordered = sorted(found.values(), key=lambda one: sign * one.value)[: pick.offer]
    if len(ordered) < pick.fewest:
        raise NotAskedError(
            f"{result.metric.title}: this run has {len(ordered)} of them, too few to choose from"
        )
    return ordered


def answer_of(pick: Pick, one: Picked, column: str) -> Answer:
    """The answer that a cell of the row of `one` is."""
    return Answer("metric", pick.metric, column, one.row)
