"""A number: `answer`, `unit`, `tolerance`, `wrong`."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from perfolio.exercises import html_form
from perfolio.exercises.item_context import Making
from perfolio.exercises.model import Given, Graded, Json, Keyed
from perfolio.exercises.number_items import Numeric, made_number, read_number
from perfolio.exercises.number_keys import grade_quantity, quantity_text
from perfolio.exercises.paper_form import Pen, block
from perfolio.exercises.platform_items import Numerical, numerical
from perfolio.exercises.strict_fields import Fields

POINTS = 1.0
NEEDS = ("accept", "unit", "printed", "factor", "units", "slips")


def load(fields: Fields) -> Numeric:
    """The keys of a number."""
    return read_number(fields)


def key(making: Making) -> Keyed:
    """Its value with all that is accepted and all that is known to be wrong."""
    made, _, dropped = made_number(making.item.own, making, making.item.points)
    return Keyed({"unit": made["printed"]}, made, tuple(dropped))


def html(shown: Json) -> str:
    """One field with its unit."""
    field = html_form.number_input(shown, shown["unit"])
    return html_form.item(shown, [f"<p>{field}</p>"], group=False)


def paper(shown: Json, pen: Pen) -> str:
    """A box with its unit."""
    return block(shown, [f"<p>{pen.number(shown, shown['unit'])}</p>"])


def solve(key: Mapping[str, Any]) -> Given:
    """The value as it may be typed."""
    return quantity_text(key)


def quiz(shown: Json, key: Mapping[str, Any]) -> Numerical:
    """A number with its units, mistakes and slips."""
    del shown
    return numerical(key)


def grade(key: Mapping[str, Any], given: Mapping[str, Any]) -> Graded:
    """As `perfolio.exercises.number_keys` says."""
    return grade_quantity(key, given)
