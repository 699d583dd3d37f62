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
from perfolio.exercises.item_context import ItemContext
from perfolio.exercises.model import Given, GradedAnswer, Json, KeyedItem
from perfolio.exercises.number_items import AuthoredNumber, make_number_key, read_number
from perfolio.exercises.number_parser import find_base_unit
from perfolio.exercises.option_items import format_letter, grade_one
from perfolio.exercises.paper_form import Pen, render_block, render_tick_boxes
from perfolio.exercises.platform_items import TickTask, make_tick_task
from perfolio.exercises.strict_fields import StrictFields

POINTS = 1.0
NEEDS = ("options", "right")


@dataclass(frozen=True)
class BinEdges:
    """A number and the edges between classes, in the unit that the sheet prints."""

    number: AuthoredNumber
    edges: tuple[float, ...]
    names: tuple[str, ...]
    source: str
    """Who says what the classes are called."""


def load(fields: StrictFields) -> BinEdges:
    """Edges rise; names need a source and are one more than edges."""
    edges = tuple(fields.many("edges"))
    numbers = all(isinstance(each, (int, float)) and not isinstance(each, bool) for each in edges)
    if not edges or not numbers or list(edges) != sorted(set(edges)):
        raise fields.refuse("edges must be numbers that rise")
    bins = BinEdges(read_number(fields), edges, fields.texts("names"), fields.text("source", ""))
    if not bins.number.unit:
        raise fields.refuse("lacks unit: edges are in the unit that the sheet prints")
    if bins.names and (not bins.source or len(bins.names) != len(edges) + 1):
        raise fields.refuse("names are one more than edges, and have a source")
    return bins


def key(context: ItemContext) -> KeyedItem:
    """The bin of the value; near an edge, the bins on both sides."""
    bins: BinEdges = context.item.own
    made, right, _ = make_number_key(bins.number, context, context.item.points)
    unit, factor = find_base_unit(bins.number.unit) or (right.unit, 1.0)
    edges = [float(each) * factor for each in bins.edges]
    accept = made["accept"][0]
    first, last = (find_bin(accept[end], edges) for end in ("low", "high"))
    says = _describe_bins(edges, unit)
    if bins.names:
        says = [f"{text}: {name}" for text, name in zip(says, bins.names, strict=True)]
    options = [{"letter": format_letter(n), "says": text} for n, text in enumerate(says)]
    named = [{**each, "because": "", "code": ""} for each in options]
    right_letters = [format_letter(n) for n in range(first, last + 1)]
    return KeyedItem(
        {"options": options, "source": bins.source},
        {"options": named, "right": right_letters, "value": right.value, "unit": unit,
         "source": right.source},
    )  # fmt: skip


def find_bin(value: float, edges: list[float]) -> int:
    """How many edges are at or below a value."""
    return sum(edge <= value for edge in edges)


def html(shown: Json) -> str:
    """Radio buttons, and who named the classes."""
    lines = html_form.render_option_inputs(shown, "radio", shown["options"])
    if shown["source"]:
        lines.append(
            f'<p class="pf-source">Classes: {html_form.render_sentence(shown["source"])}</p>'
        )
    return html_form.render_item(shown, lines)


def paper(shown: Json, pen: Pen) -> str:
    """Boxes, one to tick, and who named the classes."""
    lines = render_tick_boxes(shown, pen, one=True)
    if shown["source"]:
        lines.append(f'<p class="note">Classes: {html_form.render_sentence(shown["source"])}</p>')
    return render_block(shown, lines)


def solve(key: Mapping[str, Any]) -> Given:
    """The letter of the bin, or of the lower one near an edge."""
    return [str(key["right"][0])]


def quiz(shown: Json, key: Mapping[str, Any]) -> TickTask:
    """One of its options."""
    del shown
    return make_tick_task(key, single=True)


def grade(key: Mapping[str, Any], given: Mapping[str, Any]) -> GradedAnswer:
    """One tick, in any of the bins that the value may be in."""
    return grade_one(key, given)


def _describe_bins(edges: list[float], unit: str) -> list[str]:
    texts = [format_threshold(edge, unit) for edge in edges]
    inner = [f"at least {low}, below {high}" for low, high in pairwise(texts)]
    return [f"below {texts[0]}", *inner, f"at least {texts[-1]}"]
