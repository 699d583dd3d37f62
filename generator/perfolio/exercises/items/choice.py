"""One of several: `options`, each with the condition `right`, or `pick`, whose first is right."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from perfolio.exercises import html_form
from perfolio.exercises.item_context import ItemContext
from perfolio.exercises.model import Given, GradedAnswer, Json, KeyedItem, NotAskedError
from perfolio.exercises.option_items import (
    AnswerOption,
    decide_options,
    grade_one,
    make_lettered_key,
    read_options,
    require_two_options,
)
from perfolio.exercises.paper_form import Pen, render_block, render_tick_boxes
from perfolio.exercises.platform_items import TickTask, make_tick_task
from perfolio.exercises.row_choice import RowPick, pick_rows, read_pick
from perfolio.exercises.strict_fields import StrictFields
from perfolio.exercises.tolerance import READING

POINTS = 1.0
NEEDS = ("options", "right")
_OFFERED = 4


def load(fields: StrictFields) -> tuple[AnswerOption, ...] | RowPick:
    """Options, or the rows of a table to pick from."""
    if "pick" in fields:
        return read_pick(fields.inside("pick"), offers=_OFFERED)
    return read_options(fields)


def key(context: ItemContext) -> KeyedItem:
    """Exactly one option is right on this run, or it is not asked."""
    if isinstance(context.item.own, RowPick):
        return make_lettered_key(_list_picked_options(context.item.own, context), context)
    known, dropped = decide_options(context.item.own, context)
    require_two_options(known, dropped)
    right = [each["says"] for each in known if each["right"]]
    if len(right) != 1:
        raise NotAskedError(
            f"{len(right)} of its options are right on this run, not one", refused=True
        )
    made = make_lettered_key(known, context)
    return KeyedItem(made.shown, made.key, tuple(dropped))


def html(shown: Json) -> str:
    """Radio buttons."""
    return html_form.render_item(
        shown, html_form.render_option_inputs(shown, "radio", shown["options"])
    )


def paper(shown: Json, pen: Pen) -> str:
    """Boxes, one to tick."""
    return render_block(shown, render_tick_boxes(shown, pen, one=True))


def solve(key: Mapping[str, Any]) -> Given:
    """The letter of what is right."""
    return [str(key["right"][0])]


def quiz(shown: Json, key: Mapping[str, Any]) -> TickTask:
    """One of its options."""
    del shown
    return make_tick_task(key, single=True)


def grade(key: Mapping[str, Any], given: Mapping[str, Any]) -> GradedAnswer:
    """One tick is right; two earn nothing."""
    return grade_one(key, given)


def _list_picked_options(pick: RowPick, context: ItemContext) -> list[Json]:
    rows = pick_rows(pick, context.run)
    first, second = rows[0].value, rows[1].value
    if abs(first - second) <= 2.0 * READING * abs(first):
        raise NotAskedError("the first two are too close to tell apart", refused=True)
    return [
        {"says": each.says, "right": each is rows[0], "when": f"first by {pick.by}",
         "because": "", "code": ""}
        for each in rows
    ]  # fmt: skip
