"""Impact against effort: each of the `codes` of findings into one of four fields.

`edge` is the share of the time from which on an impact is high. Both come from the findings: the
bound of the estimate, and the effort that the rule names.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from generator.units import threshold_text
from generator.worksheets import markup
from generator.worksheets.fields import Fields
from generator.worksheets.making import Making
from generator.worksheets.model import Given, Graded, Json, Keyed, NotAskedError
from generator.worksheets.paper import Pen, block, signed
from generator.worksheets.quiz import Places, places
from generator.worksheets.tolerance import COMPUTING

POINTS = 4.0
_LOW_EFFORT = ("hours", "days")
_MOST = 8


@dataclass(frozen=True)
class Matrix:
    """Which findings, and where the edge of high impact is."""

    codes: tuple[str, ...]
    edge: float


def load(fields: Fields) -> Matrix:
    """Without codes, all that fired and have an estimate."""
    edge = fields.number("edge", 0.1)
    if not 0.0 < edge < 1.0:
        raise fields.refuse("edge must lie between 0 and 1")
    return Matrix(fields.texts("codes"), edge)


def key(making: Making) -> Keyed:
    """The fields that each finding may be in: near the edge, two."""
    own: Matrix = making.item.own
    found = [
        item
        for item in making.run.findings["findings"]
        if item["status"] == "fired"
        and item["estimate"]
        and (not own.codes or item["code"] in own.codes)
    ][:_MOST]
    if len(found) < 2:
        raise NotAskedError("fewer than two findings of this run have an estimate and an effort")
    quadrants = [_quadrants(item, own.edge) for item in found]
    edge = threshold_text(own.edge, "ratio")
    options = [
        {"letter": letter, "says": f"impact {impact} {edge}, effort {effort}"}
        for letter, (impact, effort) in zip("ABCD", _fields(), strict=True)
    ]
    shown = {
        "options": options,
        "rows": [item["title"] for item in found],
    }
    return Keyed(shown, {"places": quadrants, "source": {"finding": [i["code"] for i in found]}})


def html(shown: Json) -> str:
    """A list to choose a field from, per finding."""
    letters = [each["letter"] for each in shown["options"]]
    rows = [
        f'<div class="pf-option"><label>{markup.select(shown, n, letters)} '
        f"{markup.words(title)}</label></div>"
        for n, title in enumerate(shown["rows"])
    ]
    return markup.item(shown, [markup.letters_list(shown["options"]), *rows])


def paper(shown: Json, pen: Pen) -> str:
    """What the letters mean, and a box for one per finding."""
    return block(shown, [markup.letters_list(shown["options"]), *signed(shown, pen, shown["rows"])])


def solve(key: Mapping[str, Any]) -> Given:
    """The first field that each finding may be in."""
    return [str(place[0]) for place in key["places"]]


def quiz(shown: Json, key: Mapping[str, Any]) -> Places:
    """A field for each finding."""
    return places(shown["rows"], shown["options"], key["places"])


def grade(key: Mapping[str, Any], given: Mapping[str, Any]) -> Graded:
    """Each finding for itself."""
    said = [str(each).strip().upper() for each in given.get("given") or ()]
    if not any(said):
        return Graded(0.0, "blank")
    places = key["places"]
    right = sum(each in place for each, place in zip(said, places, strict=False))
    code = "right" if right == len(places) else "part" if right else "wrong"
    return Graded(float(key["points"]) * right / len(places), code)


def _fields() -> tuple[tuple[str, str], ...]:
    low, high = "hours or days", "weeks or months"
    return (
        ("at least", low),
        ("at least", high),
        ("below", low),
        ("below", high),
    )


def _quadrants(item: Mapping[str, Any], edge: float) -> list[str]:
    share, column = float(item["estimate"]["reduction"]), item["effort"] not in _LOW_EFFORT
    slack = COMPUTING * edge
    rows = [row for row, near in enumerate((share >= edge - slack, share < edge + slack)) if near]
    return ["ABCD"[2 * row + column] for row in rows]
