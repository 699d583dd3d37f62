"""Things to do, ticked for oneself. No points, for a tick proves nothing.

They are `entries`, or the cells of the column `of` a table: `steps.plan`.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from perfolio.exercises import html_form
from perfolio.exercises.item_context import ItemContext
from perfolio.exercises.model import Given, GradedAnswer, Json, KeyedItem
from perfolio.exercises.option_items import MOST_OPTIONS, format_letter
from perfolio.exercises.paper_form import Pen, render_block, render_tick_boxes
from perfolio.exercises.platform_items import NoteTask
from perfolio.exercises.strict_fields import StrictFields

POINTS = 0.0
NEEDS = ()


def load(fields: StrictFields) -> tuple[str, ...] | str:
    """What is to be done."""
    if "of" in fields:
        return fields.text("of")
    entries = fields.texts("entries")
    if not entries:
        raise fields.refuse("lacks entries")
    return entries


def key(context: ItemContext) -> KeyedItem:
    """Nothing is right or wrong here."""
    own = context.item.own
    if isinstance(own, str):
        context.run.result(own.rpartition(".")[0])
        lines = [html_form.shorten_label(cell) for cell in context.run.cells(own)][:MOST_OPTIONS]
    else:
        lines = [entry for each in own if (entry := context.fill_known(each))]
    return KeyedItem(
        {"options": [{"letter": format_letter(n), "says": each} for n, each in enumerate(lines)]},
        {},
    )


def html(shown: Json) -> str:
    """Check boxes."""
    return html_form.render_item(
        shown, html_form.render_option_inputs(shown, "checkbox", shown["options"])
    )


def paper(shown: Json, pen: Pen) -> str:
    """Boxes to tick."""
    return render_block(shown, render_tick_boxes(shown, pen)[1:])


def solve(key: Mapping[str, Any]) -> Given:
    """Nothing: who did what is not known."""
    del key
    return ""


def quiz(shown: Json, key: Mapping[str, Any]) -> NoteTask:
    """What is to be done, to read."""
    del key
    return NoteTask(tuple(each["says"] for each in shown["options"]))


def grade(key: Mapping[str, Any], given: Mapping[str, Any]) -> GradedAnswer:
    """Progress, no points."""
    del key
    return GradedAnswer(0.0, "done" if given.get("given") else "blank")
