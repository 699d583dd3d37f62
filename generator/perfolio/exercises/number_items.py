"""A number that is asked: read from an item, and made a key on one run.

In:  `answer`, `unit`, `tolerance` and `wrong` of an item, of a table's column or of a pair.
Out: `Numeric`, and from it and a run the JSON of its key and what the sheet shows.
"""

from __future__ import annotations

import re
from dataclasses import dataclass, replace
from typing import Any

from perfolio.common.errors import ContentError
from perfolio.exercises.answer_values import first_known, lookup, solved
from perfolio.exercises.distractors import kept, mistakes
from perfolio.exercises.follow_up import follow_tree
from perfolio.exercises.item_context import Making
from perfolio.exercises.model import Answer, Json, NotAskedError, Solved, Wrong
from perfolio.exercises.number_keys import quantity_key
from perfolio.exercises.number_parser import base_of
from perfolio.exercises.strict_fields import Fields, answer_in, read_wrong
from perfolio.exercises.tolerance import interval, relative

_MICRO = re.compile(r"^u(?=s|B)")


@dataclass(frozen=True)
class Numeric:
    """What an author says of a number."""

    answer: Answer
    unit: str
    """As the sheet prints it: `ms`, `%`, or a name of `UNITS`; empty: the metric's own."""
    tolerance: Any
    wrong: tuple[Wrong, ...]


def read_unit(fields: Fields) -> str:
    """The `unit` of a number, which has to be one."""
    unit = fields.text("unit", "")
    if unit and base_of(unit) is None:
        raise fields.refuse(f"unknown unit {unit!r}")
    return unit


def read_number(fields: Fields) -> Numeric:
    """The keys of a number."""
    return Numeric(
        answer_in(fields),
        read_unit(fields),
        fields.any("tolerance", None),
        read_wrong(fields),
    )


def made_number(number: Numeric, making: Making, points: float) -> tuple[Json, Solved, list[str]]:
    """The key of a number, its value, and the distractors that were dropped."""
    spelled = base_of(number.unit) if number.unit else None
    base = spelled[0] if spelled else ""
    number = replace(number, answer=first_known(number.answer, making.run, base, making.earlier))
    right = solved(number.answer, making.run, base, making.earlier)
    printed = (number.unit, spelled[1]) if spelled else _own(right.unit)
    share = relative(number.tolerance, right)
    ends = interval(right, share)
    found, dropped = mistakes(number.answer, right, number.wrong, making.run)
    wrong, close = kept(
        [replace(m, says=making.told(m.says)) for m in found], ends, share, right.unit
    )
    key = quantity_key(right, ends, share, _shown(printed))
    key |= {"points": points, "wrong": wrong, "source": right.source}
    tree = None
    if number.answer.source == "expression":
        known = lookup(making.run, making.earlier)
        tree = follow_tree(number.answer.name, making.ids, known, making.run.column)
    if tree is not None:
        key |= {"follow": tree, "follow_within": share}
    return key, right, [*dropped, *close]


def _own(unit: str) -> tuple[str, float]:
    found = base_of(unit)
    if found is None or unit in ("text", "id"):
        raise ContentError(f"a value in {unit!r} is no number to ask for")
    return unit, found[1]


def _shown(printed: tuple[str, float]) -> tuple[str, float]:
    """The symbol of a unit as the sheet prints it: `µs` also where the author typed `us`."""
    from perfolio.common.units import UNITS

    unit, factor = printed
    return (UNITS[unit].symbol if unit in UNITS else _MICRO.sub("µ", unit)), factor


def not_zero(value: float, title: str) -> float:
    """A value to divide by. Raises NotAskedError for 0."""
    if value == 0.0:
        raise NotAskedError(f"{title} is 0 in this run", refused=True)
    return value
