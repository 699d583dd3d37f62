"""Where a series of numbers changes its level, and by how much.

In:  numbers in the order of commits, one for each commit. Out: `ChangePoint`s, first ones first.

The method is that of Hunter (Fleming et al., ICPE 2023), which Apache Otava has, too: in windows
that overlap, E-divisive (Matteson and James, JASA 109, 2014) proposes where two parts differ most;
then those are dropped, the weakest first, that Student's t test does not confirm against both of
their neighbours, or that are smaller than a floor. Logarithms are compared, so that a change is a
ratio. Otava itself pins other packages, and brings clients of databases and of chats, which no
cluster without internet can have.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from perfolio.comparison.student_t import compute_tail, find_quantile

FLOOR = 0.03
"""Least change that is one: half of 6 %, as a floor as large as the change finds half [ratio]."""
MOST_CHANCE = 1e-5
"""Largest probability that a change is chance: 1e-3 gives 2.4 false ones in 100 commits where
neighbours resemble each other (autocorrelation 0.6), and this 0 to 0.2."""
WINDOW = 50
"""So many numbers are looked at together, and at most as many on either side of a change."""
LEAST_RUN = 3
"""So many numbers a level has at least: a single one may be an outlier."""
_WEAK = 0.05
"""Largest probability with which a proposal is looked at further."""
_LIKELY = 0.975

_Numbers = npt.NDArray[np.float64]


@dataclass(frozen=True)
class ChangePoint:
    """A number from which on the level is another one."""

    place: int
    """Of the first number of the new level."""
    before: float
    """Geometric mean of the level before, in the series' unit."""
    after: float
    change: float
    """after / before - 1 [ratio]."""
    low: float
    """Ends of the 95 % interval of `change` [ratio]."""
    high: float
    chance: float
    """Probability of such a difference without a change."""


def find_change_points(
    values: Sequence[float], floor: float = FLOOR, most_chance: float = MOST_CHANCE
) -> list[ChangePoint]:
    """Where the level changes by at least `floor` [ratio]. `values` must be above 0 and finite."""
    logs = np.log(np.asarray(values, dtype=np.float64))
    places = _drop_weak(logs, sorted(_propose(logs)), math.log1p(floor), most_chance)
    edges = [0, *places, len(logs)]
    return [
        _describe(logs, edges[number], place, edges[number + 2])
        for number, place in enumerate(places)
    ]


def _propose(logs: _Numbers) -> set[int]:
    """Where, in any window, two parts differ."""
    found: set[int] = set()
    for start in range(0, max(1, len(logs) - WINDOW // 2), WINDOW // 2):
        part = logs[start : start + WINDOW]
        distances = np.abs(part[:, None] - part[None, :])
        sums = np.zeros((len(part) + 1, len(part) + 1))
        sums[1:, 1:] = distances.cumsum(axis=0).cumsum(axis=1)
        ranges = [(0, len(part))]
        while ranges:
            low, high = ranges.pop()
            place = _find_split(sums, low, high)
            if place and _compute_chance(part[low:place], part[place:high]) < _WEAK:
                found.add(start + place)
                ranges += [(low, place), (place, high)]
    return found


def _find_split(sums: _Numbers, low: int, high: int) -> int:
    """Where the two parts of a range differ most by E-divisive; 0 where it is too short.

    `sums` are those of all distances of pairs before a row and a column.
    """
    places = np.arange(low + LEAST_RUN, high - LEAST_RUN + 1)
    if len(places) == 0:
        return 0
    first, second = places - low, high - places
    whole = sums[high, high] - sums[low, high] - sums[high, low] + sums[low, low]
    left = sums[places, places] - sums[low, places] - sums[places, low] + sums[low, low]
    right = sums[high, high] - sums[places, high] - sums[high, places] + sums[places, places]
    between = (whole - left - right) / 2.0
    apart = (
        2.0 * between / (first * second)
        - left / (first * (first - 1))
        - right / (second * (second - 1))
    )
    return int(places[np.argmax(apart * first * second / (first + second))])


def _compute_chance(first: _Numbers, second: _Numbers) -> float:
    """Student's t test of two groups: the probability of such means where both are one."""
    freedom = len(first) + len(second) - 2
    difference = float(second.mean() - first.mean())
    error = _compute_error(first, second)
    if error == 0.0:
        return 0.0 if difference else 1.0
    return compute_tail(difference / error, freedom)


def _compute_error(first: _Numbers, second: _Numbers) -> float:
    """Standard error of the difference of two means of one variance."""
    freedom = len(first) + len(second) - 2
    squares = float(((first - first.mean()) ** 2).sum() + ((second - second.mean()) ** 2).sum())
    return math.sqrt(squares / freedom * (1.0 / len(first) + 1.0 / len(second)))


def _drop_weak(logs: _Numbers, places: list[int], floor: float, most_chance: float) -> list[int]:
    """Those that hold against both neighbours; the weakest goes first, as others then gain."""
    kept = list(places)
    while kept:
        edges = [0, *kept, len(logs)]
        sides = [_take_sides(logs, *edges[at : at + 3]) for at in range(len(kept))]
        chances = [_compute_chance(*side) for side in sides]
        weakest = max(range(len(kept)), key=chances.__getitem__)
        if chances[weakest] > most_chance:
            del kept[weakest]
            continue
        sizes = [abs(float(after.mean() - before.mean())) for before, after in sides]
        smallest = min(range(len(kept)), key=sizes.__getitem__)
        if sizes[smallest] >= floor:
            break
        del kept[smallest]
    return kept


def _take_sides(logs: _Numbers, low: int, place: int, high: int) -> tuple[_Numbers, _Numbers]:
    return logs[max(low, place - WINDOW) : place], logs[place : min(high, place + WINDOW)]


def _describe(logs: _Numbers, low: int, place: int, high: int) -> ChangePoint:
    before, after = _take_sides(logs, low, place, high)
    difference = float(after.mean() - before.mean())
    freedom = len(before) + len(after) - 2
    room = find_quantile(_LIKELY, freedom) * _compute_error(before, after)
    return ChangePoint(
        place,
        math.exp(float(before.mean())),
        math.exp(float(after.mean())),
        math.expm1(difference),
        math.expm1(difference - room),
        math.expm1(difference + room),
        _compute_chance(before, after),
    )
