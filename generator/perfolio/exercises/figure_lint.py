"""What makes figures of one exercise incomparable: shares of other wholes, runs that differ twice.

Shares are of one whole where their metrics are about the same population, up to its first `,` or
`;`: what follows says how it is counted.

In:  an exercise, and the run that it is made of with the one before. Out: problems.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator

from perfolio.exercises.items.table import AnswerTable
from perfolio.exercises.model import Exercise, Item
from perfolio.exercises.option_items import AnswerOption
from perfolio.exercises.run_conditions import list_compared_names
from perfolio.exercises.run_view import Run, as_number

_WORKLOAD = "workload."
_MEASURED = frozenset({"step_time", "matrix_rate"})
"""What was measured of a run, which is no size of its workload."""
_SHARES = ("%", "ratio")


def find_figure_problems(exercise: Exercise, run: Run) -> Iterator[str]:
    """One line each, with file and item."""
    for item in exercise.items:
        problems = (*_find_column_problems(item, run), *_find_condition_problems(item, run))
        yield from (f"{item.where}: {problem}" for problem in problems)
    if run.earlier is not None:
        yield from _find_confounding(exercise, run, run.earlier)


def _find_column_problems(item: Item, run: Run) -> Iterator[str]:
    """The shares of one column of a table are all of one whole."""
    if not isinstance(item.own, AnswerTable):
        return
    for column in (each for each in item.own.columns if each.unit in _SHARES):
        answers = [row.answers[column.key] for row in item.own.rows if column.key in row.answers]
        names = dict.fromkeys(each.name for each in answers if each.source == "metric")
        wholes = {
            _extract_denominator(run.results[name].metric.population)
            for name in names
            if name in run.results
        }
        if len(wholes) > 1:
            yield f"column {column.key} has shares of {len(wholes)} wholes: {', '.join(names)}"


def _find_condition_problems(item: Item, run: Run) -> Iterator[str]:
    """Shares that a condition compares with each other are of one whole."""
    options = item.own if isinstance(item.own, tuple) else ()
    conditions = [each.right for each in options if isinstance(each, AnswerOption)]
    if item.absent is not None:
        conditions.append(item.absent.when)
    for names in (each for condition in conditions for each in list_compared_names(condition)):
        wholes = _find_denominators(names, run)
        if len(set(wholes.values())) > 1:
            yield f"compares shares of {len(set(wholes.values()))} wholes: {', '.join(wholes)}"


def _find_denominators(names: Iterable[str], run: Run) -> dict[str, str]:
    """The wholes of the names that are shares."""
    denominators: dict[str, str] = {}
    for name in names:
        metric = name.removeprefix("low.").removeprefix("high.")
        result, unit = run.results.get(metric), ""
        if result is not None:
            unit = result.metric.unit
        elif (column := run.table(metric)) is not None:
            result, unit = column[0], column[1].unit
        if result is not None and unit in _SHARES:
            denominators[name] = _extract_denominator(result.metric.population)
    return denominators


def _extract_denominator(population: str) -> str:
    return re.split(r"[,;]", population)[0]


def _find_confounding(exercise: Exercise, run: Run, before: Run) -> Iterator[str]:
    """Between the two runs, at most one size of the workload changes."""
    one, other = run.facts["settings"], before.facts["settings"]
    changed = [
        key.removeprefix(_WORKLOAD)
        for key in sorted({*one, *other})
        if key.startswith(_WORKLOAD)
        and key.removeprefix(_WORKLOAD) not in _MEASURED
        and one.get(key) != other.get(key)
        and None not in (as_number(one.get(key)), as_number(other.get(key)))
    ]
    if len(changed) > 1:
        yield (
            f"{exercise.path}: confounded: {run.slug} and {before.slug} differ in "
            f"{', '.join(changed)}"
        )
