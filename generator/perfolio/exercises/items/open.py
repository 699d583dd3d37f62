"""A question in words: `rubric`, yes or no per line, and a `model` answer. A person grades it."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from perfolio.exercises import html_form
from perfolio.exercises.item_context import ItemContext
from perfolio.exercises.model import Given, GradedAnswer, Json, KeyedItem
from perfolio.exercises.paper_form import Pen, render_block
from perfolio.exercises.platform_items import WordTask
from perfolio.exercises.strict_fields import StrictFields

POINTS = 2.0
NEEDS = ("rubric", "model")
BY_HAND = "by-hand"
_LINES = 4


@dataclass(frozen=True)
class OpenRubric:
    """Lines of the rubric with their points, and what a good answer says."""

    rubric: tuple[tuple[str, float], ...]
    model: str
    finding: str
    """Code of the finding whose sentence is the model answer."""


def load(fields: StrictFields) -> OpenRubric:
    """A rubric, and a model answer of words with values or of a finding."""
    rubric = []
    for each in fields.each("rubric"):
        rubric.append((each.text("says"), each.number("points")))
        each.done()
    parsed = OpenRubric(tuple(rubric), fields.text("model", ""), fields.text("finding", ""))
    if not rubric or bool(parsed.model) == bool(parsed.finding):
        raise fields.refuse("needs a rubric, and either model or finding")
    return parsed


def key(context: ItemContext) -> KeyedItem:
    """The rubric and the model answer."""
    own: OpenRubric = context.item.own
    model = (
        context.run.finding(own.finding)["sentence"]
        if own.finding
        else context.fill_known(own.model)
    )
    model = model or context.say(own.model)  # which says what is missing
    rubric = [{"says": context.say(says), "points": points} for says, points in own.rubric]
    return KeyedItem({}, {"rubric": rubric, "model": model, "source": {"finding": own.finding}})


def html(shown: Json) -> str:
    """Room for some lines."""
    area = (
        f'<p><textarea id="{html_form.make_input_id(shown)}" '
        f'name="{html_form.make_input_name(shown)}" '
        f'rows="{_LINES}" cols="60"></textarea></p>'
    )
    return html_form.render_item(shown, [area], group=False)


def paper(shown: Json, pen: Pen) -> str:
    """Room for some lines."""
    return render_block(shown, [pen.lines(shown)])


def solve(key: Mapping[str, Any]) -> Given:
    """The model answer."""
    return str(key["model"])


def quiz(shown: Json, key: Mapping[str, Any]) -> WordTask:
    """The rubric and the model answer help to grade it."""
    del shown
    lines = (f"{html_form.format_points(line['points'])}: {line['says']}" for line in key["rubric"])
    return WordTask((*lines, key["model"]))


def grade(key: Mapping[str, Any], given: Mapping[str, Any]) -> GradedAnswer:
    """Nothing by itself: an answer waits for its points."""
    del key
    answer = str(given.get("given") or "").strip()
    return GradedAnswer(0.0, BY_HAND if answer else "blank")
