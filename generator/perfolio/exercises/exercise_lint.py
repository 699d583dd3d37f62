"""What is wrong with an exercise beyond what loading refuses.

In:  an exercise and, where there is one, its sheet on the run that it names. Out: problems.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import fields, is_dataclass

from perfolio.exercises.model import Answer, Exercise, Item, Sheet
from perfolio.exercises.wording_lint import find_wording_problems


def list_exercise_problems(exercise: Exercise, sheet: Sheet | None) -> list[str]:
    """One line each, with file and item."""
    problems = [*_find_unused_parts(exercise), *find_wording_problems(exercise)]
    return problems + (list(_find_run_problems(sheet)) if sheet else [])


def _find_unused_parts(exercise: Exercise) -> Iterator[str]:
    """Objectives and steps without items, and items that train or explain nothing."""
    tested = {key for item in exercise.items for key in item.tests}
    for key in sorted(exercise.objectives.keys() - tested):
        yield f"{exercise.path}: objective {key} has no item that tests it"
    for name in sorted({step.id for step in exercise.steps} - {i.step for i in exercise.items}):
        yield f"{exercise.path}: step {name} has no item"
    for item in exercise.items:
        yield from (f"{item.where}: {problem}" for problem in _find_item_problems(item))


def _find_item_problems(item: Item) -> Iterator[str]:
    if item.points and not item.tests:
        yield "has points and tests no objective"
    if item.points and not item.explain and (item.absent is None or item.absent.when):
        yield "has no explanation"
    for answer in _walk_answers(item.own):
        yield from _find_ambiguous_rows(answer)


def _walk_answers(value: object) -> Iterator[Answer]:
    """All answers in what a type made of its keys."""
    if isinstance(value, Answer):
        yield value
    if isinstance(value, (tuple, list, Mapping)):
        for each in value.values() if isinstance(value, Mapping) else value:
            yield from _walk_answers(each)
    elif is_dataclass(value):
        for field in fields(value):
            yield from _walk_answers(getattr(value, field.name))


def _find_ambiguous_rows(answer: Answer) -> Iterator[str]:
    """An answer of all rows that read alike, of which some runs have several."""
    if answer.where and answer.row is None and not answer.total:
        yield f"{answer.name} may have several such rows: name one by row, or add them up by total"


def _find_run_problems(sheet: Sheet) -> Iterator[str]:
    if sheet.exercise.partial:
        return
    for question in sheet.questions:
        if question.gap is not None:
            yield f"{question.item.where}: not asked of {sheet.run['slug']}: {question.gap.reason}"
        elif question.keyed is not None:
            codes = _list_declared_codes(question.item.own)
            for reason in (r for r in question.keyed.dropped if r.partition(":")[0] in codes):
                yield f"{question.item.where}: its mistake is of no use here: {reason}"


def _list_declared_codes(own: object) -> set[str]:
    number = getattr(own, "number", own)
    return {each.code for each in getattr(number, "wrong", ())}
