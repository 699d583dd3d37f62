"""All that hold: `options`, each with the condition `right`."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from perfolio.exercises import html_form
from perfolio.exercises.item_context import Making
from perfolio.exercises.model import Given, Graded, Json, Keyed, NotAskedError
from perfolio.exercises.option_items import Option, decided, enough, lettered, read_options, ticked
from perfolio.exercises.paper_form import Pen, block, ticks
from perfolio.exercises.platform_items import Ticks, tick_task
from perfolio.exercises.strict_fields import Fields

POINTS = 2.0
NEEDS = ("options", "right")


def load(fields: Fields) -> tuple[Option, ...]:
    """Options with conditions."""
    return read_options(fields)


def key(making: Making) -> Keyed:
    """At least one option holds on this run, so that an empty answer is none."""
    known, dropped = decided(making.item.own, making)
    enough(known, dropped)
    if not any(each["right"] for each in known):
        raise NotAskedError("none of its options holds on this run", refused=True)
    made = lettered(known, making)
    return Keyed(made.shown, made.key, tuple(dropped))


def html(shown: Json) -> str:
    """Check boxes."""
    return html_form.item(shown, html_form.ticks(shown, "checkbox", shown["options"]))


def paper(shown: Json, pen: Pen) -> str:
    """Boxes to tick."""
    return block(shown, ticks(shown, pen))


def solve(key: Mapping[str, Any]) -> Given:
    """The letters of all that hold."""
    return list(key["right"])


def quiz(shown: Json, key: Mapping[str, Any]) -> Ticks:
    """All that hold."""
    del shown
    return tick_task(key, single=False)


def grade(key: Mapping[str, Any], given: Mapping[str, Any]) -> Graded:
    """A right tick adds a share, a wrong one takes one away; never below 0."""
    chosen = ticked(given)
    if not chosen:
        return Graded(0.0, "blank")
    right, wrong = set(key["right"]), set(chosen) - set(key["right"])
    share = max(0, len(set(chosen) & right) - len(wrong)) / len(right)
    if share == 1.0:
        return Graded(float(key["points"]), "right")
    told = [each for each in key["options"] if each["letter"] in wrong]
    because = " ".join(each["because"] for each in told if each.get("because"))
    code = next((each["code"] for each in told if each.get("code")), "part" if share else "wrong")
    return Graded(float(key["points"]) * share, code, because)
