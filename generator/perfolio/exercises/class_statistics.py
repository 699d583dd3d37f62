"""What a class answered: items, mistakes by how often they were met, objectives. No names.

In:  graded sheets. Out: rows for a page and for a table.

An item is the same in all variants of an exercise: statistics are by exercise and item.
"""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from statistics import StatisticsError, correlation
from typing import Any

from perfolio.exercises.grader import load_feedback
from perfolio.exercises.model import GradedAnswer, Json
from perfolio.exercises.submissions import GradedSheet

FEW = 10
"""Learners from which on it is said how an item goes with the rest of its sheet."""
_NAMELESS = frozenset(
    {"right", "follows", "near", "part", "wrong", "blank", "unreadable", "done", "by-hand",
     "no-order", "two-ticks"}
)  # fmt: skip
"""Codes that name no mistake."""


@dataclass(frozen=True)
class ItemStatistics:
    """One item over all who were asked it."""

    exercise: str
    title: str
    item: str
    ask: str
    type: str
    n: int
    share: float | None
    """Of the points; None where nothing was graded yet."""
    blank: float
    waiting: int
    """Answers that a person has to grade."""
    hints: float
    """Per learner."""
    rest: float | None
    """Correlation with the rest of the sheet; None for few learners, or all alike."""


@dataclass(frozen=True)
class MistakeCount:
    """A known mistake, and how often it was met."""

    exercise: str
    item: str
    code: str
    count: int
    n: int
    says: str


@dataclass(frozen=True)
class ObjectiveShare:
    """What the items of an objective earned."""

    exercise: str
    says: str
    share: float
    items: int


def compute_item_statistics(marked: Sequence[GradedSheet]) -> list[ItemStatistics]:
    """Items in the order of their exercises: those with points, or that somebody answered."""
    statistics = [_summarize_item(sheets, item) for sheets, item in _group_by_item(marked)]
    return [one for one in statistics if one.share is not None or one.blank < 1.0]


def count_mistakes(marked: Sequence[GradedSheet]) -> list[MistakeCount]:
    """The mistakes that have a name, most frequent first."""
    counts = []
    for sheets, item in _group_by_item(marked):
        met = Counter(code for one in sheets for code in find_mistake_codes(one.graded[item]))
        for code, count in met.items():
            says = next(
                text for one in sheets if (text := _explain_mistake(one.key["items"][item], code))
            )
            counts.append(MistakeCount(sheets[0].exercise, item, code, count, len(sheets), says))
    return sorted(counts, key=lambda one: (-one.count, one.exercise, one.item, one.code))


def rank_objectives(marked: Sequence[GradedSheet]) -> list[ObjectiveShare]:
    """The share of points by objective, weakest first."""
    earned: dict[tuple[str, str], list[float]] = defaultdict(lambda: [0.0, 0.0])
    items: dict[tuple[str, str], set[str]] = defaultdict(set)
    waiting = {
        (one.exercise, item) for one in marked for item in one.graded if _is_ungraded(one, item)
    }
    for one in marked:
        for item, key in one.key["items"].items():
            if not key["points"] or (one.exercise, item) in waiting:
                continue
            for says in key["objectives"]:
                place = (one.exercise, says)
                earned[place][0] += one.graded[item].points
                earned[place][1] += key["points"]
                items[place].add(item)
    objectives = [
        ObjectiveShare(exercise, says, got / most, len(items[exercise, says]))
        for (exercise, says), (got, most) in earned.items()
    ]
    return sorted(objectives, key=lambda one: (one.share, one.exercise, one.says))


def find_mistake_codes(graded: GradedAnswer) -> set[str]:
    """The mistakes with a name in one answer."""
    return {code for code in (graded.code, *graded.parts) if code not in _NAMELESS}


def _group_by_item(marked: Sequence[GradedSheet]) -> Iterator[tuple[list[GradedSheet], str]]:
    """Each item of each exercise with the sheets that ask it."""
    by_exercise: dict[str, list[GradedSheet]] = defaultdict(list)
    for one in marked:
        by_exercise[one.exercise].append(one)
    for exercise in sorted(by_exercise):
        names = dict.fromkeys(item for one in by_exercise[exercise] for item in one.key["items"])
        for item in names:
            yield [one for one in by_exercise[exercise] if item in one.graded], item


def _summarize_item(sheets: Sequence[GradedSheet], item: str) -> ItemStatistics:
    key: Json = sheets[0].key["items"][item]
    graded = [one for one in sheets if not _is_ungraded(one, item)]
    answers = [one.answers["items"].get(item, {}) for one in sheets]
    all_graded = len(graded) == len(sheets)  # until all are read, blank answers alone have points
    shares = [_compute_share(one, item) for one in graded] if all_graded else []
    return ItemStatistics(
        exercise=sheets[0].exercise,
        title=sheets[0].key.get("title", sheets[0].exercise),
        item=item,
        ask=key.get("ask", ""),
        type=key["type"],
        n=len(sheets),
        share=sum(shares) / len(shares) if shares and key["points"] else None,
        blank=sum(one.graded[item].code == "blank" for one in sheets) / len(sheets),
        waiting=len(sheets) - len(graded),
        hints=sum(each.get("hints", 0) for each in answers) / len(sheets),
        rest=_compute_rest_correlation(graded, item),
    )


def _is_ungraded(one: GradedSheet, item: str) -> bool:
    """Whether somebody has to read the answer first."""
    return one.graded[item].code == "by-hand"


def _compute_share(one: GradedSheet, item: str) -> float:
    most = one.key["items"][item]["points"]
    return one.graded[item].points / most if most else 0.0


def _compute_rest_correlation(sheets: Sequence[GradedSheet], item: str) -> float | None:
    if len(sheets) < FEW:
        return None
    own = [_compute_share(one, item) for one in sheets]
    rest = [
        sum(graded.points for name, graded in one.graded.items() if name != item) for one in sheets
    ]
    try:
        return correlation(own, rest)
    except StatisticsError:
        return None


def _explain_mistake(key: Mapping[str, Any], code: str) -> str:
    """What an exercise says of a mistake; else what is said of it everywhere."""
    for each in (key, *key.get("cells", ())):
        for wrong in each.get("wrong", ()):
            if wrong["code"] == code:
                return str(wrong["says"])
    because = (each["because"] for each in key.get("options", ()) if each["code"] == code)
    unit = str(key.get("printed", "")) or "the unit of the sheet"
    return next((text for text in because if text), "") or load_feedback().get(code, code).replace(
        "{unit}", unit
    )
