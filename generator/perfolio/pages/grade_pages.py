"""Graded sheets as pages: one per learner, and one of the class, which has no names.

In:  graded sheets. Out: HTML that loads nothing, and Markdown. What learners typed is text there.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from perfolio.exercises import key_explanation
from perfolio.exercises.class_statistics import (
    compute_item_statistics,
    count_mistakes,
    rank_objectives,
)
from perfolio.exercises.grader import load_feedback as known_words
from perfolio.exercises.model import Json
from perfolio.exercises.submissions import GradedSheet
from perfolio.pages.handout_pages import read_handout_css
from perfolio.pages.template_environment import render

_SIGNS = {"right": "✓", "follows": "✓", "blank": "–", "by-hand": "?", "done": "✓"}
_SHOWN = 300
"""Characters of an answer that feedback repeats."""


@dataclass(frozen=True)
class AnsweredItem:
    """One item for its learner."""

    ask: str
    given: str
    sign: str
    result: str
    """Right, partly right, waiting..., in words: a sign alone is not read aloud."""
    points: str
    says: str
    right: str
    explain: str


def render_feedback(learner: str, sheets: Sequence[GradedSheet]) -> str:
    """All sheets of a learner."""
    return render(
        "worksheet/feedback.html.j2",
        css=read_handout_css(),
        learner=learner,
        sheets=[(one, count_points(one), list(_describe_answers(one))) for one in sheets],
    )


def render_class(marked: Sequence[GradedSheet]) -> str:
    """What the class answered."""
    return render(
        "worksheet/class.md.j2",
        learners=len({one.learner for one in marked}),
        sheets=len(marked),
        items=compute_item_statistics(marked),
        mistakes=count_mistakes(marked),
        objectives=rank_objectives(marked),
    )


def count_points(one: GradedSheet) -> tuple[float, float, int]:
    """Points of a sheet: earned, possible, and how many answers wait for a person."""
    waiting = sum(each.code == "by-hand" for each in one.graded.values())
    points = sum(each.points for each in one.graded.values())
    return points, sum(key["points"] for key in one.key["items"].values()), waiting


def _describe_answers(one: GradedSheet) -> Iterator[AnsweredItem]:
    for item, key in one.key["items"].items():
        graded = one.graded[item]
        if not key["points"] and graded.code == "blank":
            continue
        full = graded.points == key["points"]
        yield AnsweredItem(
            ask=key.get("ask", item),
            given=key_explanation.format_given_answer(one.given(item))[:_SHOWN],
            sign=_SIGNS.get(graded.code, "✓" if full else "✗"),
            result=_describe_result(key, graded.code, graded.points),
            points=f"{graded.points:.3g} of {key['points']:g}" if key["points"] else "",
            says="" if graded.code in ("right", "blank", "by-hand") else graded.feedback,
            right="" if full else key_explanation.format_right_answer(key),
            explain=key["explain"],
        )


def _describe_result(key: Json, code: str, points: float) -> str:
    if code == "by-hand":
        return "Not graded yet"
    if code in ("done", "blank"):
        return known_words()[code].rstrip(".")
    return "Right" if points == key["points"] else "Partly right" if points else "Not right"
