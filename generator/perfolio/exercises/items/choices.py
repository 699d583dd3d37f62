"""All that hold: `options`, each with the condition `right`."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from perfolio.exercises import html_form
from perfolio.exercises.item_context import ItemContext
from perfolio.exercises.model import Given, GradedAnswer, Json, KeyedItem, NotAskedError
from perfolio.exercises.option_items import (
    AnswerOption,
    decide_options,
    list_ticked_letters,
    make_lettered_key,
    read_options,
    require_two_options,
)
from perfolio.exercises.paper_form import Pen, render_block, render_tick_boxes
from perfolio.exercises.platform_items import TickTask, make_tick_task
from perfolio.exercises.strict_fields import StrictFields

POINTS = 2.0
NEEDS = ("options", "right")


def load(fields: StrictFields) -> tuple[AnswerOption, ...]:
    """Options with conditions."""
    return read_options(fields)


def key(context: ItemContext) -> KeyedItem:
    """At least one option holds on this run, so that an empty answer is none."""
    known, dropped = decide_options(context.item.own, context)
    require_two_options(known, dropped)
    if not any(each["right"] for each in known):
        raise NotAskedError("none of its options holds on this run", refused=True)
    made = make_lettered_key(known, context)
    return KeyedItem(made.shown, made.key, tuple(dropped))


def html(shown: Json) -> str:
    """Check boxes."""
    return html_form.render_item(
        shown, html_form.render_option_inputs(shown, "checkbox", shown["options"])
    )


def paper(shown: Json, pen: Pen) -> str:
    """Boxes to tick."""
    return render_block(shown, render_tick_boxes(shown, pen))


def solve(key: Mapping[str, Any]) -> Given:
    """The letters of all that hold."""
    return list(key["right"])


def quiz(shown: Json, key: Mapping[str, Any]) -> TickTask:
    """All that hold."""
    del shown
    return make_tick_task(key, single=False)


def grade(key: Mapping[str, Any], given: Mapping[str, Any]) -> GradedAnswer:
    """A right tick adds a share, a wrong one takes one away; never below 0."""
    chosen = list_ticked_letters(given)
    if not chosen:
        return GradedAnswer(0.0, "blank")
    right, wrong = set(key["right"]), set(chosen) - set(key["right"])
    share = max(0, len(set(chosen) & right) - len(wrong)) / len(right)
    if share == 1.0:
        return GradedAnswer(float(key["points"]), "right")
    mistaken = [each for each in key["options"] if each["letter"] in wrong]
    because = " ".join(each["because"] for each in mistaken if each.get("because"))
    code = next(
        (each["code"] for each in mistaken if each.get("code")), "part" if share else "wrong"
    )
    return GradedAnswer(float(key["points"]) * share, code, because)
