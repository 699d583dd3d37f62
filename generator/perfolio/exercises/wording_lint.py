"""What an author may not type: minutes, advice, classes of one name, options that stand for others.

In:  an exercise, and all others beside it. Out: problems, one line each, with file and item.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping

from perfolio.exercises.items.bins import BinEdges
from perfolio.exercises.model import Exercise, Item, Prose, walk_texts
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


def find_wording_problems(exercise: Exercise) -> Iterator[str]:
    """Minutes beside those of the steps, advice that no finding gives, and `all of the above`."""
    for part in exercise.body:
        if isinstance(part, Prose):
            if _MINUTES.search(part.text):
                yield f"{exercise.path}:{part.line}: minutes are added up from the steps"
        else:
            yield from (f"{part.where}: {problem}" for problem in _find_item_problems(part))


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


def _find_item_problems(item: Item) -> Iterator[str]:
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
