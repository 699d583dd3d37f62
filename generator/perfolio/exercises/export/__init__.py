"""Sheets for learning platforms: Moodle XML and GIFT.

In:  sheets. Out: the text of one file, and how many items of it the format cannot hold.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from perfolio.exercises.items import item_type
from perfolio.exercises.model import Item, Json, Keyed, Sheet
from perfolio.exercises.platform_items import Task


@dataclass(frozen=True)
class Exported:
    """A file of questions."""

    text: str
    written: int
    left_out: tuple[str, ...]
    """Names of items that the format cannot hold."""

    @property
    def count(self) -> int:
        """Of all questions."""
        return self.written + len(self.left_out)


@dataclass(frozen=True)
class Entry:
    """A question of a sheet, ready to be written."""

    name: str
    """`straggler s2-factor`: unique in a sheet."""
    id: str
    task: Task
    shown: Json
    key: Json


def category(sheet: Sheet) -> str:
    """One for each exercise, run and variant."""
    parts = ("Perfolio", sheet.exercise.title, str(sheet.run["slug"]), sheet.variant)
    return "/".join(part.replace("/", "//") for part in parts if part)


def entries(sheet: Sheet) -> Iterator[Entry]:
    """The questions of a sheet that are asked, in their order."""
    for each in sheet.questions:
        if each.asked is not None:
            yield _entry(sheet, each.item, each.asked)


def _entry(sheet: Sheet, item: Item, asked: Keyed) -> Entry:
    task = item_type(item.type).quiz(asked.shown, asked.key)
    name = f"{sheet.exercise.slug} {item.id}"
    return Entry(name, f"{sheet.id}-{item.id}", task, asked.shown, asked.key)


def all_of(sheets: Sequence[Sheet]) -> Iterator[tuple[Sheet, list[Entry]]]:
    """The questions of several sheets."""
    for sheet in sheets:
        yield sheet, list(entries(sheet))
