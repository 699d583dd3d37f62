"""One of several: `options`, each with the condition `right`, or `pick`, whose first is right."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from perfolio.exercises import html_form
from perfolio.exercises.item_context import Making
from perfolio.exercises.model import Given, Graded, Json, Keyed, NotAskedError
from perfolio.exercises.option_items import (
    Option,
    decided,
    enough,
    grade_one,
    lettered,
    read_options,
)
from perfolio.exercises.paper_form import Pen, block, ticks
from perfolio.exercises.platform_items import Ticks, tick_task
from perfolio.exercises.row_choice import Pick, picked, read_pick
from perfolio.exercises.strict_fields import Fields
from perfolio.exercises.tolerance import READING

POINTS = 1.0
NEEDS = ("options", "right")
_OFFERED = 4


def load(fields: Fields) -> tuple[Option, ...] | Pick:
    """Options, or the rows of a table to pick from."""
    if "pick" in fields:
        return read_pick(fields.inside("pick"), offers=_OFFERED)
    return read_options(fields)


def key(making: Making) -> Keyed:
    """Exactly one option is right on this run, or it is not asked."""
    if isinstance(making.item.own, Pick):
        return lettered(_first(making.item.own, making), making)
    known, dropped = decided(making.item.own, making)
    enough(known, dropped)
    right = [each["says"] for each in known if each["right"]]
    if len(right) != 1:
        raise NotAskedError(
            f"{len(right)} of its options are right on this run, not one", refused=True
        )
    made = lettered(known, making)
    return Keyed(made.shown, made.key, tuple(dropped))


def html(shown: Json) -> str:
    """Radio buttons."""
    return html_form.item(shown, html_form.ticks(shown, "radio", shown["options"]))


def paper(shown: Json, pen: Pen) -> str:
    """Boxes, one to tick."""
    return block(shown, ticks(shown, pen, one=True))


def solve(key: Mapping[str, Any]) -> Given:
    """The letter of what is right."""
    return [str(key["right"][0])]


def quiz(shown: Json, key: Mapping[str, Any]) -> Ticks:
    """One of its options."""
    del shown
    return tick_task(key, single=True)


def grade(key: Mapping[str, Any], given: Mapping[str, Any]) -> Graded:
    """One tick is right; two earn nothing."""
    return grade_one(key, given)


def _first(pick: Pick, making: Making) -> list[Json]:
    rows = picked(pick, making.run)
    first, second = rows[0].value, rows[1].value
    if abs(first - second) <= 2.0 * READING * abs(first):
        raise NotAskedError("the first two are too close to tell apart", refused=True)
    return [
        {"says": each.says, "right": each is rows[0], "when": f"first by {pick.by}",
         "because": "", "code": ""}
        for each in rows
    ]  # fmt: skip
