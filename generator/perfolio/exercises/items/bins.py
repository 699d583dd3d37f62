"""The class that a number is in: `answer`, `unit`, sorted `edges`, and perhaps `names` of classes.

Bins follow from the edges, so every value is in exactly one.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from itertools import pairwise
from typing import Any

from perfolio.common.units import format_threshold
from perfolio.exercises import html_form
from perfolio.exercises.item_context import Making
from perfolio.exercises.model import Given, Graded, Json, Keyed
from perfolio.exercises.number_items import Numeric, made_number, read_number
from perfolio.exercises.number_parser import base_of
from perfolio.exercises.option_items import grade_one
from perfolio.exercises.option_order import letter
from perfolio.exercises.paper_form import Pen, block, ticks
from perfolio.exercises.platform_items import Ticks, tick_task
from perfolio.exercises.strict_fields import Fields

POINTS = 1.0
NEEDS = ("options", "right")


@dataclass(frozen=True)
class Bins:
    """A number and the edges between classes, in the unit that the sheet prints."""

    number: Numeric
    edges: tuple[float, ...]
    names: tuple[str, ...]
    source: str
    """Who says what the classes are called."""


def load(fields: Fields) -> Bins:
    """Edges rise; names need a source and are one more than edges."""
    edges = tuple(fields.many("edges"))
    numbers = all(isinstance(each, (int, float)) and not isinstance(each, bool) for each in edges)
    if not edges or not numbers or list(edges) != sorted(set(edges)):
        raise fields.refuse("edges must be numbers that rise")
    found = Bins(read_number(fields), edges, fields.texts("names"), fields.text("source", ""))
    if not found.number.unit:
        raise fields.refuse("lacks unit: edges are in the unit that the sheet prints")
    if found.names and (not found.source or len(found.names) != len(edges) + 1):
        raise fields.refuse("names are one more than edges, and have a source")
    return found


def key(making: Making) -> Keyed:
    """The bin of the value; near an edge, the bins on both sides."""
    bins: Bins = making.item.own
    made, right, _ = made_number(bins.number, making, making.item.points)
    unit, factor = base_of(bins.number.unit) or (right.unit, 1.0)
    edges = [float(each) * factor for each in bins.edges]
    accept = made["accept"][0]
    first, last = (bin_of(accept[end], edges) for end in ("low", "high"))
    says = _words(edges, unit)
    if bins.names:
        says = [f"{text}: {name}" for text, name in zip(says, bins.names, strict=True)]
    options = [{"letter": letter(n), "says": text} for n, text in enumerate(says)]
    named = [{**each, "because": "", "code": ""} for each in options]
    right_letters = [letter(n) for n in range(first, last + 1)]
    return Keyed(
        {"options": options, "source": bins.source},
        {"options": named, "right": right_letters, "value": right.value, "unit": unit,
         "source": right.source},
    )  # fmt: skip


def bin_of(value: float, edges: list[float]) -> int:
    """How many edges are at or below a value."""
    return sum(edge <= value for edge in edges)


def html(shown: Json) -> str:
    """Radio buttons, and who named the classes."""
    lines = html_form.ticks(shown, "radio", shown["options"])
    if shown["source"]:
        lines.append(f'<p class="pf-source">Classes: {html_form.words(shown["source"])}</p>')
    return html_form.item(shown, lines)


def paper(shown: Json, pen: Pen) -> str:
    """Boxes, one to tick, and who named the classes."""
    lines = ticks(shown, pen, one=True)
    if shown["source"]:
        lines.append(f'<p class="note">Classes: {html_form.words(shown["source"])}</p>')
    return block(shown, lines)


def solve(key: Mapping[str, Any]) -> Given:
    """The letter of the bin, or of the lower one near an edge."""
    return [str(key["right"][0])]


def quiz(shown: Json, key: Mapping[str, Any]) -> Ticks:
    """One of its options."""
    del shown
    return tick_task(key, single=True)


def grade(key: Mapping[str, Any], given: Mapping[str, Any]) -> Graded:
    """One tick, in any of the bins that the value may be in."""
    return grade_one(key, given)


def _words(edges: list[float], unit: str) -> list[str]:
    texts = [format_threshold(edge, unit) for edge in edges]
    inner = [f"at least {low}, below {high}" for low, high in pairwise(texts)]
    return [f"below {texts[0]}", *inner, f"at least {texts[-1]}"]
