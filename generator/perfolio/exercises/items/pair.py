"""A figure before a change and after it, and their ratio: `answer`, `unit`, `tolerance`."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from typing import Any

from perfolio.exercises import html_form
from perfolio.exercises.cell_items import format_cells, grade_cells, name_cell, split_points
from perfolio.exercises.item_context import ItemContext
from perfolio.exercises.model import (
    Answer,
    Given,
    GradedAnswer,
    Json,
    KeyedItem,
    NotAskedError,
    SolvedValue,
)
from perfolio.exercises.number_items import (
    AuthoredNumber,
    make_number_key,
    read_number,
    require_nonzero,
)
from perfolio.exercises.number_keys import make_quantity_key
from perfolio.exercises.paper_form import Pen, render_block
from perfolio.exercises.platform_items import GridTask, make_numerical_task
from perfolio.exercises.strict_fields import StrictFields
from perfolio.exercises.tolerance import COMPUTING, compute_interval

POINTS = 3.0
NEEDS = ("cells",)
_PARTS = ("before", "after", "after / before")


def load(fields: StrictFields) -> AuthoredNumber:
    """The keys of a number."""
    return read_number(fields)


def key(context: ItemContext) -> KeyedItem:
    """The figure of both runs and their ratio, which follows from the learner's own figures too."""
    if context.before is None:
        raise NotAskedError("there is no run before the change beside this one")
    number: AuthoredNumber = context.item.own
    earlier = replace(context, run=context.before)
    first, before, dropped = make_number_key(number, earlier, 1.0)
    second, after, _ = make_number_key(number, context, 1.0)
    ratio = after.value / require_nonzero(before.value, "the figure before")
    solved = SolvedValue(ratio, "x", computed=True, source=_describe_source(number.answer))
    third = make_quantity_key(solved, compute_interval(solved, COMPUTING), COMPUTING, ("×", 1.0))
    tree = ["/", {"item": name_cell(1)}, {"item": name_cell(0)}]
    third |= {"follow": tree, "follow_within": COMPUTING, "wrong": [], "source": solved.source}
    cells = split_points([first, second, third], context.item.points)
    return KeyedItem(
        {"units": [cell["printed"] for cell in cells], "before": context.before.slug},
        {"cells": cells},
        tuple(dropped),
    )


def html(shown: Json) -> str:
    """Three fields."""
    fields = [
        f'<p><label for="{html_form.make_input_id(shown, n)}">{name}</label> '
        f"{html_form.render_number_input(shown, unit, n)}</p>"
        for n, (name, unit) in enumerate(zip(_PARTS, shown["units"], strict=True))
    ]
    return html_form.render_item(shown, fields)


def paper(shown: Json, pen: Pen) -> str:
    """Three boxes."""
    boxes = [
        f'<span class="answer">{name} {pen.number(shown, unit, n, name)}</span>'
        for n, (name, unit) in enumerate(zip(_PARTS, shown["units"], strict=True))
    ]
    return render_block(shown, [f'<p class="row">{" ".join(boxes)}</p>'])


def solve(key: Mapping[str, Any]) -> Given:
    """All figures as they may be typed."""
    return format_cells(key)


def quiz(shown: Json, key: Mapping[str, Any]) -> GridTask:
    """Three numbers."""
    del shown
    cells = (make_numerical_task(cell) for cell in key["cells"])
    return GridTask(("", ""), tuple(zip(_PARTS, cells, strict=True)))


def grade(key: Mapping[str, Any], given: Mapping[str, Any]) -> GradedAnswer:
    """Each figure a third; a ratio that follows from wrong figures earns its own."""
    return grade_cells(key, given)


def _describe_source(answer: Answer) -> Json:
    return {"expression": f"after / before of {answer.name}"}
