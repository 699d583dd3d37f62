"""A number: `answer`, `unit`, `tolerance`, `wrong`."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from perfolio.exercises import html_form
from perfolio.exercises.item_context import ItemContext
from perfolio.exercises.model import Given, GradedAnswer, Json, KeyedItem
from perfolio.exercises.number_items import AuthoredNumber, make_number_key, read_number
from perfolio.exercises.number_keys import format_key_value, grade_quantity
from perfolio.exercises.paper_form import Pen, render_block
from perfolio.exercises.platform_items import NumericalTask, make_numerical_task
from perfolio.exercises.strict_fields import StrictFields

POINTS = 1.0
NEEDS = ("accept", "unit", "printed", "factor", "units", "slips")


def load(fields: StrictFields) -> AuthoredNumber:
    """The keys of a number."""
    return read_number(fields)


def key(context: ItemContext) -> KeyedItem:
    """Its value with all that is accepted and all that is known to be wrong."""
    made, _, dropped = make_number_key(context.item.own, context, context.item.points)
    return KeyedItem({"unit": made["printed"]}, made, tuple(dropped))


def html(shown: Json) -> str:
    """One field with its unit."""
    field = html_form.render_number_input(shown, shown["unit"])
    return html_form.render_item(shown, [f"<p>{field}</p>"], group=False)


def paper(shown: Json, pen: Pen) -> str:
    """A box with its unit."""
    return render_block(shown, [f"<p>{pen.number(shown, shown['unit'])}</p>"])


def solve(key: Mapping[str, Any]) -> Given:
    """The value as it may be typed."""
    return format_key_value(key)


def quiz(shown: Json, key: Mapping[str, Any]) -> NumericalTask:
    """A number with its units, mistakes and slips."""
    del shown
    return make_numerical_task(key)


def grade(key: Mapping[str, Any], given: Mapping[str, Any]) -> GradedAnswer:
    """As `perfolio.exercises.number_keys` says."""
    return grade_quantity(key, given)
