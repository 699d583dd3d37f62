"""A question in words: `rubric`, yes or no per line, and a `model` answer. A person grades it."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from perfolio.exercises import html_form
from perfolio.exercises.item_context import Making
from perfolio.exercises.model import Given, Graded, Json, Keyed
from perfolio.exercises.paper_form import Pen, block
from perfolio.exercises.platform_items import Words
from perfolio.exercises.strict_fields import Fields

POINTS = 2.0
NEEDS = ("rubric", "model")
BY_HAND = "by-hand"
_LINES = 4


@dataclass(frozen=True)
class Open:
    """Lines of the rubric with their points, and what a good answer says."""

    rubric: tuple[tuple[str, float], ...]
    model: str
    finding: str
    """Code of the finding whose sentence is the model answer."""


def load(fields: Fields) -> Open:
    """A rubric, and a model answer of words with values or of a finding."""
    rubric = []
    for each in fields.each("rubric"):
        rubric.append((each.text("says"), each.number("points")))
        each.done()
    found = Open(tuple(rubric), fields.text("model", ""), fields.text("finding", ""))
    if not rubric or bool(found.model) == bool(found.finding):
        raise fields.refuse("needs a rubric, and either model or finding")
    return found


def key(making: Making) -> Keyed:
    """The rubric and the model answer."""
    own: Open = making.item.own
    model = making.run.finding(own.finding)["sentence"] if own.finding else making.told(own.model)
    model = model or making.say(own.model)  # which says what is missing
    rubric = [{"says": making.say(says), "points": points} for says, points in own.rubric]
    return Keyed({}, {"rubric": rubric, "model": model, "source": {"finding": own.finding}})


def html(shown: Json) -> str:
    """Room for some lines."""
    area = (
        f'<p><textarea id="{html_form.input_id(shown)}" name="{html_form.name_of(shown)}" '
        f'rows="{_LINES}" cols="60"></textarea></p>'
    )
    return html_form.item(shown, [area], group=False)


def paper(shown: Json, pen: Pen) -> str:
    """Room for some lines."""
    return block(shown, [pen.lines(shown)])


def solve(key: Mapping[str, Any]) -> Given:
    """The model answer."""
    return str(key["model"])


def quiz(shown: Json, key: Mapping[str, Any]) -> Words:
    """The rubric and the model answer help to grade it."""
    del shown
    lines = (f"{html_form.points_text(line['points'])}: {line['says']}" for line in key["rubric"])
    return Words((*lines, key["model"]))


def grade(key: Mapping[str, Any], given: Mapping[str, Any]) -> Graded:
    """Nothing by itself: an answer waits for its points."""
    del key
    said = str(given.get("given") or "").strip()
    return Graded(0.0, BY_HAND if said else "blank")
