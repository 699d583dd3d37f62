"""The types of items: one module each, found by its name.

A module has `load` (its own keys of the YAML, which no other key may join), `key` (on one run: what
the sheet shows and what only the key holds, both plain JSON), `html`, `paper`, `quiz` (for learning
platforms), `grade`, a pure function of the key and an answer as JSON, and `solve`, an answer that
earns all points.

To add one: write `<type>.py`, its `grade` in `site/theme/assets/perfolio/grading.js` too, its case
in `tests/exercises/item_cases.yaml`, and rows of `tests/exercises/grading.yaml`. Nothing else
registers it.
"""

from __future__ import annotations

from collections.abc import Mapping
from functools import cache
from importlib import import_module
from pkgutil import iter_modules
from typing import Any, Protocol, cast

from perfolio.common.errors import ContentError
from perfolio.exercises.item_context import ItemContext
from perfolio.exercises.model import Given, GradedAnswer, Json, KeyedItem
from perfolio.exercises.paper_form import Pen
from perfolio.exercises.platform_items import Task
from perfolio.exercises.strict_fields import StrictFields


class ItemType(Protocol):
    """What every module of this folder has."""

    POINTS: float
    """What an item earns where it does not say; 0 for what is not graded."""
    NEEDS: tuple[str, ...]
    """Parts of a key without which an answer cannot be graded."""

    def load(self, fields: StrictFields) -> Any:
        """The keys of the type; ContentError for what is wrong with them on any run."""

    def key(self, context: ItemContext) -> KeyedItem:
        """The item on a run; NotAskedError where that has no answer to it."""

    def html(self, shown: Json) -> str:
        """The item on a page, as one block of HTML."""

    def paper(self, shown: Json, pen: Pen) -> str:
        """The item on a handout, as one block of HTML, written with a pen."""

    def solve(self, key: Mapping[str, Any]) -> Given:
        """An answer that earns all points; nothing where there is none."""

    def quiz(self, shown: Json, key: Mapping[str, Any]) -> Task:
        """The item as learning platforms know it."""

    def grade(self, key: Mapping[str, Any], given: Mapping[str, Any]) -> GradedAnswer:
        """Points for an answer, `{given: text | [text], unit?, earlier?}`."""


@cache
def list_type_names() -> tuple[str, ...]:
    """All types, in the order of their names."""
    return tuple(sorted(module.name for module in iter_modules(__path__)))


@cache
def load_item_type(name: str) -> ItemType:
    """The module of a type. Raises ContentError where there is none."""
    if name not in list_type_names():
        raise ContentError(
            f"unknown type {name!r}", hint=f"types are {', '.join(list_type_names())}"
        )
    return cast(ItemType, import_module(f"perfolio.exercises.items.{name}"))
