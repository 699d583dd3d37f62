"""What a key needs besides what its schema says, for every answer to be graded.

In:  a key that its schema allows. Out: the first thing that is wrong, with its place, or None.
"""

from __future__ import annotations

import math
from collections.abc import Iterator, Mapping
from typing import Any

from perfolio.common.units import UNITS
from perfolio.exercises.items import list_type_names, load_item_type
from perfolio.exercises.model import Json

_DEEPEST = 40
_OPERANDS = 2
_SMALLEST = 1e-30


def find_first_gap(key: Json) -> str | None:
    """`items/s1-wall: lacks accept`; None where nothing is wrong."""
    for name, item in key["items"].items():
        for problem in _find_problems(item):
            return f"items/{name}: {problem}"
    return None


def _find_problems(item: Json) -> Iterator[str]:
    if item["type"] not in list_type_names():
        yield f"unknown type {item['type']!r}"
        return
    yield from (
        f"lacks {name}" for name in load_item_type(item["type"]).NEEDS if not _has_part(item, name)
    )
    letters = {each["letter"] for each in item.get("options", ())}
    named = [*item.get("right", ()), *(each for place in item.get("places", ()) for each in place)]
    if letters and not letters.issuperset(named):
        yield "names letters that are no options"
    if not all(item.get("places", ())):
        yield "has a place without a letter"
    if "values" in item and len(item["values"]) != len(letters):
        yield "has not as many values as options"
    for each in (item, *item.get("cells", ())):
        if "accept" in each:
            yield from _find_number_problems(each)


def _has_part(item: Json, name: str) -> bool:
    """Whether a part is there; all lists have something in them but that of slips."""
    return name in item and (name == "slips" or item[name] != [])


def _find_number_problems(key: Json) -> Iterator[str]:
    """A number that is accepted, in a unit that there is."""
    if not key["accept"]:
        yield "accepts nothing"
    units = [key["unit"], *(each["unit"] for each in key["accept"])]
    if unknown := [unit for unit in units if unit not in UNITS or unit in ("text", "id")]:
        yield f"unknown unit {unknown[0]!r}"
    if not _SMALLEST < key["factor"] < 1.0 / _SMALLEST:
        yield f"factor must lie between {_SMALLEST:g} and {1.0 / _SMALLEST:g}"
    if "follow" in key and not ("follow_within" in key and _is_tree(key["follow"])):
        yield "follow is no tree, or has no follow_within"


def _is_tree(tree: Any, depth: int = 0) -> bool:
    """Whether something is a number, `{"item": id}`, or `[operator, tree, tree]`."""
    if isinstance(tree, Mapping):
        return isinstance(tree.get("item"), str)
    if isinstance(tree, list):
        known = len(tree) == 1 + _OPERANDS and tree[0] in ("+", "-", "*", "/")
        return known and depth < _DEEPEST and all(_is_tree(each, depth + 1) for each in tree[1:])
    return isinstance(tree, (int, float)) and not isinstance(tree, bool) and math.isfinite(tree)
