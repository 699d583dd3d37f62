"""Answers that may have been copied: hints for an instructor, never a verdict.

In:  graded sheets of several variants. Out: `CopyHint`.

A number is looked at that is wrong on its own sheet and stands, typed the same, on another
variant's: those who compute from their own run cannot agree by chance. A known mistake may give
everyone the same number, and is no hint.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from perfolio.exercises.class_statistics import find_mistake_codes
from perfolio.exercises.submissions import GradedSheet

FILE = "alike.csv"
COLUMNS = ("exercise", "item", "given", "learners", "says")


@dataclass(frozen=True)
class CopyHint:
    """The same answer of learners with different variants, or a sheet of somebody else."""

    exercise: str
    item: str
    given: str
    learners: tuple[str, ...]
    says: str

    @property
    def row(self) -> dict[str, str]:
        """A row of the table."""
        return {
            "exercise": self.exercise, "item": self.item, "given": self.given,
            "learners": "; ".join(self.learners), "says": self.says,
        }  # fmt: skip


def find_copy_hints(marked: Sequence[GradedSheet]) -> list[CopyHint]:
    """All hints, by exercise and item."""
    return [*_find_foreign_sheets(marked), *_find_equal_numbers(marked)]


def _find_foreign_sheets(marked: Sequence[GradedSheet]) -> Iterator[CopyHint]:
    for one in marked:
        bound = one.key.get("learner", "")
        if bound and bound.casefold() != one.learner.casefold():
            says = f"sheet {one.sheet} was given to {bound}"
            yield CopyHint(one.exercise, "", "", (one.learner,), says)


def _find_equal_numbers(marked: Sequence[GradedSheet]) -> Iterator[CopyHint]:
    typed: dict[tuple[str, str, str], list[GradedSheet]] = defaultdict(list)
    for one in marked:
        for item, key in one.key["items"].items():
            if "accept" in key and (given := _normalize_typed(one, item)):
                typed[one.exercise, item, given].append(one)
    for (exercise, item, given), sheets in sorted(typed.items(), key=lambda each: each[0]):
        wrong = [one for one in sheets if _is_unexplained(one, item)]
        if wrong and len({one.key["variant"] for one in sheets}) > 1:
            right = len(sheets) - len(wrong)
            says = f"right for {right} of them alone" if right else "wrong for all of them"
            yield CopyHint(exercise, item, given, tuple(one.learner for one in sheets), says)


def _normalize_typed(one: GradedSheet, item: str) -> str:
    given = one.given(item)
    return " ".join(given.split()).casefold() if isinstance(given, str) else ""


def _is_unexplained(one: GradedSheet, item: str) -> bool:
    graded = one.graded[item]
    return graded.code in ("wrong", "near") and not find_mistake_codes(graded)
