"""Answers that may have been copied: hints for an instructor, never a verdict.

In:  graded sheets of several variants. Out: `Alike`.

A number is looked at that is wrong on its own sheet and stands, typed the same, on another
variant's: those who compute from their own run cannot agree by chance. A known mistake may give
everyone the same number, and is no hint.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from perfolio.exercises.class_statistics import codes
from perfolio.exercises.submissions import Marked

FILE = "alike.csv"
COLUMNS = ("exercise", "item", "given", "learners", "says")


@dataclass(frozen=True)
class Alike:
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


def alike(marked: Sequence[Marked]) -> list[Alike]:
    """All hints, by exercise and item."""
    return [*_of_others(marked), *_equal(marked)]


def _of_others(marked: Sequence[Marked]) -> Iterator[Alike]:
    for one in marked:
        bound = one.key.get("learner", "")
        if bound and bound.casefold() != one.learner.casefold():
            says = f"sheet {one.sheet} was given to {bound}"
            yield Alike(one.exercise, "", "", (one.learner,), says)


def _equal(marked: Sequence[Marked]) -> Iterator[Alike]:
    typed: dict[tuple[str, str, str], list[Marked]] = defaultdict(list)
    for one in marked:
        for item, key in one.key["items"].items():
            if "accept" in key and (given := _typed(one, item)):
                typed[one.exercise, item, given].append(one)
    for (exercise, item, given), sheets in sorted(typed.items(), key=lambda each: each[0]):
        wrong = [one for one in sheets if _unexplained(one, item)]
        if wrong and len({one.key["variant"] for one in sheets}) > 1:
            right = len(sheets) - len(wrong)
            says = f"right for {right} of them alone" if right else "wrong for all of them"
            yield Alike(exercise, item, given, tuple(one.learner for one in sheets), says)


def _typed(one: Marked, item: str) -> str:
    given = one.given(item)
    return " ".join(given.split()).casefold() if isinstance(given, str) else ""


def _unexplained(one: Marked, item: str) -> bool:
    graded = one.graded[item]
    return graded.code in ("wrong", "near") and not codes(graded)
