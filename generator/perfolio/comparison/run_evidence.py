"""Whether two groups of runs differ by more than runs differ by chance.

In:  a time of each run on both sides. Out: the difference with its interval, and a verdict.

The run is the unit of evidence, never the iteration: iterations of one run are alike, and a test on
them calls 36 to 79 % of unchanged pairs changed. The test is Welch's on logarithms of the times of
runs, two-sided at 5 %, and the difference must be 2 % or what the user asks. Fewer than three runs
on a side are recordings that differ, and no verdict.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from statistics import fmean
from typing import Literal

from perfolio.comparison.student_t import compute_tail, find_quantile

LEAST_RUNS = 3
"""On each side, from which on there is a verdict."""
FLOOR = 0.02
"""Least difference that is called one [ratio]."""
LEVEL = 0.05
POWER = 0.80
USUAL_SPREAD = 0.02
"""Standard deviation between runs that is assumed where repeats do not tell one [ratio]."""
MOST_REPEATS = 1_000

VerdictKind = Literal[
    "faster", "slower", "no-difference", "cannot-tell", "not-comparable", "recordings-differ"
]
Order = Literal["interleaved", "blocks", "not recorded"]


@dataclass(frozen=True)
class RunDifference:
    """What the times of runs say. Ratios are of the time: -0.1 takes 10 % less."""

    kind: VerdictKind
    value: float
    """Geometric mean after over that before, less 1 [ratio]."""
    floor: float
    """Least difference that is called one [ratio]."""
    runs: tuple[int, int]
    """Before and after."""
    low: float | None = None
    """95 % interval; None with fewer than three runs on a side [ratio]."""
    high: float | None = None
    p: float | None = None
    """Probability of such a difference by chance alone."""
    spread: float | None = None
    """Standard deviation between runs of a side, of both together [ratio]."""
    least_detectable: float | None = None
    """Change that so many runs would show in 80 % of cases [ratio]."""
    repeats: int | None = None
    """Runs on each side that would decide in 80 % of cases whether there is one: that show this
    difference, or, of one below the floor, that it is below; None where no thousand is enough."""
    repeats_assume: float | None = None
    """The spread that is assumed for them; None where the runs tell it [ratio]."""


def judge_times(
    before: Sequence[float], after: Sequence[float], asked: float = 0.0
) -> RunDifference:
    """Judge positive times of runs [any unit]."""
    first, second = ([math.log(value) for value in times] for times in (before, after))
    floor, runs = max(FLOOR, asked), (len(first), len(second))
    shift = fmean(second) - fmean(first)
    if min(runs) < LEAST_RUNS:
        return RunDifference(
            "recordings-differ", math.expm1(shift), floor, runs,
            repeats=_count_deciding(shift, USUAL_SPREAD, floor), repeats_assume=USUAL_SPREAD,
        )  # fmt: skip
    parts = [_compute_variance(values) / len(values) for values in (first, second)]
    error, df = math.sqrt(sum(parts)), _compute_freedom(parts, runs)
    half = find_quantile(1.0 - LEVEL / 2.0, df) * error
    p = compute_tail(shift / error, df) if error > 0.0 else float(shift == 0.0)
    spread = _pool_spread(first, second)
    low, high = math.expm1(shift - half), math.expm1(shift + half)
    return RunDifference(
        _name_verdict(shift, p, (low, high), floor),
        math.expm1(shift),
        floor,
        runs,
        low,
        high,
        p,
        spread,
        _compute_detectable(spread, runs),
        _count_deciding(shift, spread, floor),
    )


def _name_verdict(
    shift: float, p: float, interval: tuple[float, float], floor: float
) -> VerdictKind:
    value = math.expm1(shift)
    if p < LEVEL and abs(value) >= floor:
        return "faster" if value < 0.0 else "slower"
    return "no-difference" if interval[0] > -floor and interval[1] < floor else "cannot-tell"


def _compute_variance(values: Sequence[float]) -> float:
    mean = fmean(values)
    return sum((value - mean) ** 2 for value in values) / (len(values) - 1)


def _compute_freedom(parts: Sequence[float], runs: tuple[int, int]) -> float:
    """Degrees of freedom by Welch and Satterthwaite."""
    below = sum(part**2 / (count - 1) for part, count in zip(parts, runs, strict=True))
    return sum(parts) ** 2 / below if below > 0.0 else float(sum(runs) - 2)


def _pool_spread(first: Sequence[float], second: Sequence[float]) -> float:
    summed = sum(_compute_variance(values) * (len(values) - 1) for values in (first, second))
    return math.sqrt(summed / (len(first) + len(second) - 2))


def _compute_detectable(spread: float, runs: tuple[int, int]) -> float:
    df = sum(runs) - 2
    reach = find_quantile(1.0 - LEVEL / 2.0, df) + find_quantile(POWER, df)
    return math.expm1(reach * spread * math.sqrt(1.0 / runs[0] + 1.0 / runs[1]))


def _count_deciding(shift: float, spread: float, floor: float) -> int | None:
    """Runs on each side with which there is a verdict, if the difference stays what it is."""
    below = -math.log1p(-floor) if floor < 1.0 else math.inf
    least = math.log1p(floor) if shift > 0.0 else below
    return count_repeats(shift if abs(shift) >= least else least - abs(shift), spread)


def count_repeats(shift: float, spread: float) -> int | None:
    """Runs on each side that would tell a shift of logarithms; three at least."""
    if shift == 0.0:
        return None
    low, high = LEAST_RUNS, MOST_REPEATS
    if not _is_enough(high, shift, spread):
        return None
    while low < high:
        middle = (low + high) // 2
        if _is_enough(middle, shift, spread):
            high = middle
        else:
            low = middle + 1
    return low


def _is_enough(runs: int, shift: float, spread: float) -> bool:
    df = 2 * runs - 2
    reach = find_quantile(1.0 - LEVEL / 2.0, df) + find_quantile(POWER, df)
    return reach * spread * math.sqrt(2.0 / runs) <= abs(shift)


def find_order(before: Sequence[str | None], after: Sequence[str | None]) -> Order:
    """Whether all runs of one side were recorded before the other's: then drift looks as a change.

    One run on each side has no order that tells anything.
    """
    first = [moment for moment in before if moment is not None]
    second = [moment for moment in after if moment is not None]
    if len(first) < len(before) or len(second) < len(after) or len(first) + len(second) < 3:
        return "not recorded"
    return "blocks" if max(first) < min(second) or max(second) < min(first) else "interleaved"
