"""How far an answer may be from the value: never less than the page's own rounding.

In:  a solved value, and what its item says of its tolerance. Out: the interval that is right.
"""

from __future__ import annotations

from perfolio.common.errors import ContentError
from perfolio.common.units import quantity
from perfolio.exercises.model import NotAskedError, SolvedValue
from perfolio.exercises.number_parser import find_factor, list_spellings, parse_number

READING, COMPUTING, CHART = 0.01, 0.05, 0.10
BY_NAME = {"reading": READING, "computing": COMPUTING, "chart": CHART}
WIDEST = 0.10
"""A sampled figure whose interval is wider, relative to it, is not asked."""
NEAR = 3.0
"""Within so many tolerances, an answer earns half."""


def choose_tolerance(tolerance: object, solved: SolvedValue) -> float:
    """The relative tolerance of an item: said, else by what the learner does."""
    if tolerance is None:
        return COMPUTING if solved.computed else READING
    if isinstance(tolerance, str) and tolerance in BY_NAME:
        return BY_NAME[tolerance]
    share = tolerance.get("relative") if isinstance(tolerance, dict) else None
    if isinstance(share, float) and 0.0 < share < 1.0:
        return share
    names = ", ".join(BY_NAME)
    raise ContentError(f"tolerance {tolerance!r} is none of {names} or {{relative: 0.02}}")


def compute_interval(solved: SolvedValue, share: float) -> tuple[float, float]:
    """The values that are right. NotAskedError where samples leave too much open."""
    value = solved.value
    half = max(abs(value) * share, compute_rounding(value, solved.unit))
    low, high = value - half, value + half
    if solved.low is not None and solved.high is not None:
        if solved.high - solved.low > 2.0 * WIDEST * abs(value):
            ends = " and ".join(quantity(end, solved.unit) for end in (solved.low, solved.high))
            raise NotAskedError(f"samples leave it between {ends}", refused=True)
        low, high = min(low, solved.low), max(high, solved.high)
    return low, high


def compute_rounding(value: float, unit: str) -> float:
    """Half a unit of the last digit with which pages print a value; 0 of 0, which is exact.

    Of one that prints as `<0.01 %` it is that bound.
    """
    text = quantity(value, unit).replace(",", "").replace("×", "")
    read = parse_number(text) if value else None
    if read is None:
        return 0.0
    spelled = list_spellings(unit, value)
    scale = find_factor(read.unit, spelled) if read.unit else spelled.get("")
    factor = 1.0 if scale is None else scale
    if text[0] in "<>":
        return abs(read.values[0]) * factor
    mantissa, _, power = text.split(" ")[0].partition("e")
    places = len(mantissa.partition(".")[2])
    return 0.5 * 10.0 ** (int(power or 0) - places) * factor
