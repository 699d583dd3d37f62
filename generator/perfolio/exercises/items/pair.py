"""A figure before a change and after it, and their ratio: `answer`, `unit`, `tolerance`."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from typing import Any

from perfolio.exercises import html_form
from perfolio.exercises.cell_items import cell_name, cells_text, grade_cells, with_points
from perfolio.exercises.item_context import Making
from perfolio.exercises.model import Answer, Given, Graded, Json, Keyed, NotAskedError, Solved
from perfolio.exercises.number_items import Numeric, made_number, not_zero, read_number
from perfolio.exercises.number_keys import quantity_key
from perfolio.exercises.paper_form import Pen, block
from perfolio.exercises.platform_items import Grid, numerical
from perfolio.exercises.strict_fields import Fields
from perfolio.exercises.tolerance import COMPUTING, interval

POINTS = 3.0
NEEDS = ("cells",)
_PARTS = ("before", "after", "after / before")


def load(fields: Fields) -> Numeric:
    """The keys of a number."""
    return read_number(fields)


def key(making: Making) -> Keyed:
    """The figure of both runs and their ratio, which follows from the learner's own figures too."""
    if making.before is None:
        raise NotAskedError("there is no run before the change beside this one")
    number: Numeric = making.item.own
    earlier = replace(making, run=making.before)
    first, before, dropped = made_number(number, earlier, 1.0)
    second, after, _ = made_number(number, making, 1.0)
    ratio = after.value / not_zero(before.value, "the figure before")
    solved = Solved(ratio, "x", computed=True, source=_source(number.answer))
    third = quantity_key(solved, interval(solved, COMPUTING), COMPUTING, ("×", 1.0))
    tree = ["/", {"item": cell_name(1)}, {"item": cell_name(0)}]
    third |= {"follow": tree, "follow_within": COMPUTING, "wrong": [], "source": solved.source}
    cells = with_points([first, second, third], making.item.points)
    return Keyed(
        {"units": [cell["printed"] for cell in cells], "before": making.before.slug},
        {"cells": cells},
        tuple(dropped),
    )


def html(shown: Json) -> str:
    """Three fields."""
    fields = [
        f'<p><label for="{html_form.input_id(shown, n)}">{name}</label> '
        f"{html_form.number_input(shown, unit, n)}</p>"
        for n, (name, unit) in enumerate(zip(_PARTS, shown["units"], strict=True))
    ]
    return html_form.item(shown, fields)


def paper(shown: Json, pen: Pen) -> str:
    """Three boxes."""
    boxes = [
        f'<span class="answer">{name} {pen.number(shown, unit, n, name)}</span>'
        for n, (name, unit) in enumerate(zip(_PARTS, shown["units"], strict=True))
    ]
    return block(shown, [f'<p class="row">{" ".join(boxes)}</p>'])


def solve(key: Mapping[str, Any]) -> Given:
    """All figures as they may be typed."""
    return cells_text(key)


def quiz(shown: Json, key: Mapping[str, Any]) -> Grid:
    """Three numbers."""
    del shown
    cells = (numerical(cell) for cell in key["cells"])
    return Grid(("", ""), tuple(zip(_PARTS, cells, strict=True)))


def grade(key: Mapping[str, Any], given: Mapping[str, Any]) -> Graded:
    """Each figure a third; a ratio that follows from wrong figures earns its own."""
    return grade_cells(key, given)


def _source(answer: Answer) -> Json:
    return {"expression": f"after / before of {answer.name}"}
