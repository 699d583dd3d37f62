"""A number in a key, and the grading of what somebody typed for it.

In:  a value with its tolerance and mistakes. Out: the JSON of a key; from that JSON and an
     answer as JSON, points with a code. Tables, pairs and numbers share it.

`grade` is a pure function of plain JSON: the browser's grader does the same with the same data.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from decimal import Decimal
from functools import cache
from typing import Any

from perfolio.common.units import UNITS
from perfolio.exercises.model import GradedAnswer, Json, SolvedValue
from perfolio.exercises.number_parser import (
    TypedNumber,
    find_factor,
    list_other_units,
    list_spellings,
    parse_number,
)
from perfolio.exercises.tolerance import COMPUTING, NEAR

HALF = 0.5
UNITLESS = tuple(name for name, unit in UNITS.items() if not unit.symbol)
_SPELLED = 9
"""Digits before and after the point up to which a number is written without a power of ten."""
_POWERS = tuple(10.0**power for n in (3, 6, 9, 12) for power in (n, -n))
_BINARY = tuple(1.024**power for n in (1, 2, 3, 4) for power in (n, -n))
SLIPS: Mapping[str, Sequence[float]] = {
    "bits-bytes": (8.0, 1.0 / 8.0),
    "ratio-percent": (100.0, 0.01),
    "prefix": _POWERS,
    "binary-prefix": _BINARY,
}
"""Factors by which an answer is off that was read right and written wrong: half the points."""
_SUMMED = {"CPU-s": "cpu-seconds", "CPU-ns": "cpu-seconds", "thread-s": "thread-seconds"}


def make_quantity_key(
    solved: SolvedValue, right: tuple[float, float], share: float, printed: tuple[str, float]
) -> Json:
    """The part of a key that says which numbers are right.

    `share` is the relative tolerance: within three times that an answer is near. `printed` is the
    sheet's unit with its factor to the base unit.
    """
    (low, high), value, unit = right, solved.value, solved.unit
    accept = [{"value": value, "unit": unit, "low": low, "high": high, "share": 1.0}]
    wide = NEAR * share * abs(value)
    if value - wide < low or high < value + wide:
        ends = {"low": min(low, value - wide), "high": max(high, value + wide)}
        accept.append(accept[0] | ends | {"share": HALF})
    return {
        "unit": unit,
        "printed": printed[0],
        "factor": printed[1],
        "units": {
            name.replace("µ", "u"): factor for name, factor in list_spellings(unit, value).items()
        },
        "accept": accept,
        "slips": _list_slips(unit),
    }


def grade_quantity(key: Mapping[str, Any], given: Mapping[str, Any]) -> GradedAnswer:
    """`{given: text, unit?: text, earlier?: {id: number}}` held against a number of a key."""
    text = str(given.get("given") or "").strip()
    if not text:
        return GradedAnswer(0.0, "blank")
    read = parse_number(f"{text} {given.get('unit') or ''}")
    if read is None:
        return GradedAnswer(0.0, "unreadable")
    values = convert_to_base(key, read)
    if not values:
        return GradedAnswer(0.0, _find_unit_code(key["unit"], read.unit))
    return max((_grade_value(key, each, given) for each in values), key=lambda one: one.points)


def convert_to_base(key: Mapping[str, Any], read: TypedNumber) -> tuple[float, ...]:
    """What was typed, in the base unit; nothing where its unit is of another kind."""
    factor = key["factor"]
    if read.unit and read.unit != key["printed"]:
        factor = find_factor(read.unit, key["units"])
        if factor is None and key["unit"] in UNITLESS and read.unit not in _list_other_units():
            factor = 1.0  # what is counted, written behind the number
    return () if factor is None else tuple(each * factor for each in read.values)


def read_quantity(key: Mapping[str, Any], given: Mapping[str, Any]) -> float | None:
    """The number that a learner meant, for what follows from it."""
    text = f"{given.get('given') or ''} {given.get('unit') or ''}".strip()
    read = parse_number(text) if text else None
    values = convert_to_base(key, read) if read else ()
    right = [each for each in values if _is_accepted(key, each, 1.0)]
    return (right or list(values) or [None])[0]  # type: ignore[list-item]


def format_key_value(key: Mapping[str, Any]) -> str:
    """The value of a key in the sheet's unit, with as many digits as it takes to be right."""
    right, factor = key["accept"][0], key["factor"]
    texts = (f"{right['value'] / factor:.{digits}g}" for digits in range(4, 18))
    precise_enough = (
        text for text in texts if right["low"] <= float(text) * factor <= right["high"]
    )
    text = next(precise_enough, repr(right["value"] / factor))
    return f"{Decimal(text):f}" if abs(Decimal(text).adjusted()) < _SPELLED else text


def _grade_value(key: Mapping[str, Any], value: float, given: Mapping[str, Any]) -> GradedAnswer:
    points = float(key["points"])
    if _is_accepted(key, value, 1.0):
        return GradedAnswer(points, "right")
    if _is_carried_forward(key, value, given.get("earlier") or {}):
        return GradedAnswer(points, "follows")
    for wrong in key.get("wrong", ()):
        if wrong["low"] <= value <= wrong["high"]:
            return GradedAnswer(0.0, wrong["code"], wrong["says"])
    for slip in key["slips"]:
        if any(_is_accepted(key, value * factor, 1.0) for factor in SLIPS[slip]):
            return GradedAnswer(points * HALF, slip)
    if _is_accepted(key, value, HALF):
        return GradedAnswer(points * HALF, "near")
    return GradedAnswer(0.0, "wrong")


def _is_accepted(key: Mapping[str, Any], value: float, share: float) -> bool:
    accepted = (each for each in key["accept"] if each["share"] == share)
    return any(each["low"] <= value <= each["high"] for each in accepted)


def _is_carried_forward(key: Mapping[str, Any], value: float, earlier: Mapping[str, float]) -> bool:
    """Whether a value is right for what the learner answered before."""
    expected = evaluate_tree(key["follow"], earlier) if key.get("follow") else None
    return expected is not None and abs(value - expected) <= key["follow_within"] * abs(expected)


def evaluate_tree(tree: Any, earlier: Mapping[str, float]) -> float | None:
    """A tree as keys have it: a number, `{"item": id}`, or `[operator, tree, tree]`."""
    if isinstance(tree, Mapping):
        return earlier.get(tree["item"])
    if not isinstance(tree, list):
        return float(tree)
    one, other = (evaluate_tree(each, earlier) for each in tree[1:])
    if one is None or other is None or (tree[0] == "/" and other == 0.0):
        return None
    return {
        "+": lambda: one + other,
        "-": lambda: one - other,
        "*": lambda: one * other,
        "/": lambda: one / other,
    }[tree[0]]()


def make_key_tables() -> Json:
    """What keys do not hold, for graders in another language: factors, and units of other kinds."""
    times = {unit: list_spellings(unit) for unit in ("s", *_SUMMED)}
    return {
        "slips": dict(SLIPS),
        "summed": dict(_SUMMED),
        "times": times,
        "half": HALF,
        "computing": COMPUTING,
        "unitless": list(UNITLESS),
        "others": sorted(_list_other_units()),
    }


@cache
def _list_other_units() -> frozenset[str]:
    return frozenset(list_other_units())


def _list_slips(unit: str) -> list[str]:
    if unit == "ratio":
        return ["ratio-percent"]
    if not UNITS[unit].scaled:
        return []
    bytes_too = ["bits-bytes", "prefix", "binary-prefix"]
    return bytes_too if unit in ("B", "B/s") else ["prefix"]


def _find_unit_code(unit: str, spelled: str) -> str:
    """`cpu-seconds` where seconds stand for CPU-seconds, or these for seconds."""
    for summed, code in _SUMMED.items():
        own, other = (summed, "s") if unit == summed else ("s", summed)
        if unit == own and find_factor(spelled, list_spellings(other)) is not None:
            return code
    return "unit"
