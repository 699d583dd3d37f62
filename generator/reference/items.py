"""The page of the types of questions: what modules of `exercises/items` say.

In:  the modules' docstrings and points. Out: Markdown.
"""

from __future__ import annotations

import inspect
from collections.abc import Iterator

from perfolio.exercises.items import list_type_names, load_item_type
from reference.markdown import page

_HEAD = (
    "The types of questions of an [exercise](exercise-md.md), with the keys that each has besides "
    "those that all have."
)
_PICK = (
    "`pick` takes rows of a table metric: `metric`, `name` (the column that names a row), `by` "
    "(what orders them), `take` (how many count), `offer` (how many are offered), `smallest: "
    "true` where the smallest is first, and `says`, what stands around a name: `Rank {}`."
)
_OPTION = (
    "An entry of `options` has `says`, and `right`, a [condition](exercise-md.md#conditions); in a "
    "ranking an `answer`. One that is not right may have `code`, the name of a mistake, and "
    "`because`, what a learner is told who ticks it."
)


def items_page() -> str:
    """Every type with its keys and its points."""
    parts = ["# Items", _HEAD, _OPTION, _PICK]
    return page([*parts, *(part for name in list_type_names() for part in _type(name))])


def _type(name: str) -> Iterator[str]:
    module = load_item_type(name)
    yield f"## {name}"
    yield inspect.cleandoc(module.__doc__ or "")
    yield "Graded." if module.POINTS else "Not graded: it has no points."
