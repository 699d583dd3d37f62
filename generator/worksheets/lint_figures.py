"""What makes figures of one exercise incomparable: shares of other wholes, runs that differ twice.

In:  an exercise, and the run that it is made of with the one before. Out: problems.
"""

from __future__ import annotations

from collections.abc import Iterator

from generator.worksheets.items.table import Table
from generator.worksheets.model import Exercise, Item
from generator.worksheets.run import Run, as_number

_WORKLOAD = "workload."


def figure_problems(exercise: Exercise, run: Run) -> Iterator[str]:
    """One line each, with file and item."""
    for item in exercise.items:
        yield from (f"{item.where}: {problem}" for problem in _wholes(item, run))
    if run.earlier is not None:
        yield from _confounded(exercise, run, run.earlier)


def _wholes(item: Item, run: Run) -> Iterator[str]:
    """The shares of one column of a table are all of one whole."""
    if not isinstance(item.own, Table):
        return
    for column in (each for each in item.own.columns if each.unit in ("%", "ratio")):
        answers = [row.answers[column.key] for row in item.own.rows if column.key in row.answers]
        names = dict.fromkeys(each.name for each in answers if each.source == "metric")
        wholes = {run.results[name].metric.population for name in names if name in run.results}
        if len(wholes) > 1:
            yield f"column {column.key} has shares of {len(wholes)} wholes: {', '.join(names)}"


def _confounded(exercise: Exercise, run: Run, before: Run) -> Iterator[str]:
    """Between the two runs, at most one size of the workload changes."""
    one, other = run.facts["settings"], before.facts["settings"]
    changed = [
        key.removeprefix(_WORKLOAD)
        for key in sorted({*one, *other})
        if key.startswith(_WORKLOAD)
        and one.get(key) != other.get(key)
        and None not in (as_number(one.get(key)), as_number(other.get(key)))
    ]
    if len(changed) > 1:
        yield (
            f"{exercise.path}: confounded: {run.slug} and {before.slug} differ in "
            f"{', '.join(changed)}"
        )
