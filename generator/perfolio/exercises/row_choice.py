"""Things of a run to pick from: rows of a table metric in the order of a column.

In:  `{metric, name, by, take, fewest, offer, smallest, says}`: the table, the column that names a
     row, the one that orders them, how many rows count, how many there have to be, and how many are
     offered.
Out: names with values; of rows whose names read alike only the first.
"""

from __future__ import annotations

from dataclasses import dataclass

from perfolio.exercises.html_form import shorten_label
from perfolio.exercises.model import Answer, NotAskedError
from perfolio.exercises.run_view import Run, as_number, make_column_error
from perfolio.exercises.strict_fields import StrictFields

MOST_OFFERED = 12


@dataclass(frozen=True)
class RowPick:
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
class PickedRow:
    """One of them; `row` is its place in the metric."""

    says: str
    value: float
    row: int


def read_pick(fields: StrictFields, *, offers: int = 0) -> RowPick:
    """A pick as an exercise has it; `offers` is how many are offered where it does not say."""
    take = int(fields.number("take", 1))
    pick = RowPick(
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


def pick_rows(pick: RowPick, run: Run) -> list[PickedRow]:
    """What is offered, largest first. NotAskedError where the run has fewer than are taken."""
    result = run.result(pick.metric)
    missing = {pick.name, pick.by} - {column.name for column in result.metric.columns}
    if missing:
        raise make_column_error(pick.metric, *sorted(missing))
    picked: dict[str, PickedRow] = {}
    for index, row in enumerate(result.records()):
        value, name = as_number(row[pick.by]), row[pick.name]
        if value is not None and name is not None:
            says = pick.says.replace("{}", shorten_label(name))
            picked.setdefault(says, PickedRow(says, value, index))
    sign = 1.0 if pick.smallest else -1.0
    ordered = sorted(picked.values(), key=lambda one: sign * one.value)[: pick.offer]
    if len(ordered) < pick.fewest:
        raise NotAskedError(
            f"{result.metric.title}: this run has {len(ordered)} of them, too few to choose from"
        )
    return ordered


def make_cell_answer(pick: RowPick, one: PickedRow, column: str) -> Answer:
    """The answer that a cell of the row of `one` is."""
    return Answer("metric", pick.metric, column, one.row)
