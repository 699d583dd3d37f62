"""What is wrong with an exercise beyond what loading refuses.

In:  an exercise and, where there is one, its sheet on the run that it names. Out: problems, one
     line each, with file and item: parts that nothing uses, and what an author may not type, such
     as minutes, advice, or classes of one name with other limits.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from dataclasses import fields, is_dataclass

from perfolio.exercises.items.bins import BinEdges
from perfolio.exercises.model import Answer, Exercise, Item, Prose, Sheet, walk_texts
from perfolio.exercises.option_items import AnswerOption

_MINUTES = re.compile(
    r"\b\d+(?:\s*(?:-|to|\u2013)\s*\d+)?\s*(?:min|minutes|hours)\b", re.IGNORECASE
)
_ALL = re.compile(r"\b(?:all|none) of the above\b", re.IGNORECASE)
_ADVICE = re.compile(
    r"^(?:combine|enable|fuse|increase|offload|overlap|pin|quantise|quantize|reduce|replace|switch|"
    r"tune|use)\b",
    re.IGNORECASE,
)
_MARKUP = re.compile(r"(?<![\w)])\*\w[^*]*\*(?!\w)|\]\(")
_FIXED = ("true", "false")


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


def find_wording_problems(exercise: Exercise) -> Iterator[str]:
    """Minutes beside those of the steps, advice that no finding gives, and `all of the above`."""
    for part in exercise.body:
        if isinstance(part, Prose):
            if _MINUTES.search(part.text):
                yield f"{exercise.path}:{part.line}: minutes are added up from the steps"
        else:
            yield from (f"{part.where}: {problem}" for problem in _find_text_problems(part))


def find_class_problems(exercises: Mapping[str, Exercise]) -> list[str]:
    """Classes of one name with other limits: a word means one thing in all exercises."""
    known: dict[str, tuple[float | None, float | None, str]] = {}
    problems = []
    for exercise in exercises.values():
        for item in exercise.items:
            for name, low, high in _list_classes(item):
                limits = (low, high, item.own.number.unit)
                if known.setdefault(name, limits) != limits:
                    problems.append(f"{item.where}: class {name!r} has other limits elsewhere")
    return problems


def _list_classes(item: Item) -> Iterator[tuple[str, float | None, float | None]]:
    if isinstance(item.own, BinEdges):
        ends = (None, *item.own.edges, None)
        yield from zip(item.own.names, ends, ends[1:], strict=False)


def _find_text_problems(item: Item) -> Iterator[str]:
    texts = [item.ask, *item.hints, item.explain, *walk_texts(item.own)]
    if any(_MINUTES.search(text) for text in texts):
        yield "minutes are added up from the steps"
    if any(_ALL.search(text) for text in texts):
        yield "all of the above is no option: use choices"
    if any(_MARKUP.search(text) for text in texts):
        yield "texts of items are plain: only `code` is marked"
    for text in _find_typed_advice(item):
        yield f"advice comes from findings, as `of: steps.plan`: {text!r}"


def _find_typed_advice(item: Item) -> Iterator[str]:
    """Things to do, or right options, that no figure of the run decides."""
    for each in item.own if isinstance(item.own, tuple) else ():
        if isinstance(each, str) and item.type == "checklist" and _ADVICE.match(each):
            yield each
        if isinstance(each, AnswerOption) and each.right in _FIXED and _ADVICE.match(each.says):
            yield each.says
