"""Sheets for learning platforms: Moodle XML and GIFT.

In:  sheets. Out: the text of one file, and how many items of it the format cannot hold.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from perfolio.exercises.items import load_item_type
from perfolio.exercises.model import Item, Json, KeyedItem, Sheet
from perfolio.exercises.platform_items import Task


@dataclass(frozen=True)
class QuizFile:
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
class QuizEntry:
    """A question of a sheet, ready to be written."""

    name: str
    """`straggler s2-factor`: unique in a sheet."""
    id: str
    task: Task
    shown: Json
    key: Json


def name_category(sheet: Sheet) -> str:
    """One for each exercise, run and variant."""
    parts = ("Perfolio", sheet.exercise.title, str(sheet.run["slug"]), sheet.variant)
    return "/".join(part.replace("/", "//") for part in parts if part)


def list_entries(sheet: Sheet) -> Iterator[QuizEntry]:
    """The questions of a sheet that are asked, in their order."""
    for each in sheet.questions:
        if each.keyed is not None:
            yield _make_entry(sheet, each.item, each.keyed)


def _make_entry(sheet: Sheet, item: Item, keyed: KeyedItem) -> QuizEntry:
    task = load_item_type(item.type).quiz(keyed.shown, keyed.key)
    name = f"{sheet.exercise.slug} {item.id}"
    return QuizEntry(name, f"{sheet.id}-{item.id}", task, keyed.shown, keyed.key)


def list_sheet_entries(sheets: Sequence[Sheet]) -> Iterator[tuple[Sheet, list[QuizEntry]]]:
    """The questions of several sheets."""
    for sheet in sheets:
        yield sheet, list(list_entries(sheet))
