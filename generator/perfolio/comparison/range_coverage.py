"""How often savings lie in the range that reports expected, and what a project's steps reached.

In:  outcomes of pairs of runs. Out: a `RangeCoverage` with its interval; ranges by code of a rule.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from statistics import median

from perfolio.common.units import quantity
from perfolio.comparison.promise_record import PairOutcome, StepOutcome
from perfolio.findings.estimates.bound_formulas import ShareInterval, compute_wilson
from perfolio.findings.estimates.observed_gains import OF_PROJECT, ExpectedGain
from perfolio.findings.model.step_replay import METHODS, ExpectationMethod

USUAL_SHARE = 0.8
"""Of outcomes, that ranges should have: one that has fewer tells too little [ratio]."""
_LEAST_CASES = 3
"""Outcomes of a project from which on its own range is one."""


@dataclass(frozen=True)
class RangeCoverage:
    """How many outcomes lie in the range that was expected."""

    inside: int
    judged: int

    @property
    def share(self) -> float | None:
        """Of all that were judged; None where there are none [ratio]."""
        return self.inside / self.judged if self.judged else None

    @property
    def interval(self) -> ShareInterval:
        """The 95 % Wilson interval of the share: two of two are no proof."""
        return compute_wilson(self.share or 0.0, self.judged)

    @property
    def counted(self) -> str:
        """Both numbers, the share and its interval: `2 of 2 (100.0 %, 95 % interval ...)`."""
        if self.share is None:
            return "0 of 0"
        low, high = (quantity(end, "ratio") for end in (self.interval.low, self.interval.high))
        share = quantity(self.share, "ratio")
        return f"{self.inside} of {self.judged} ({share}, 95 % interval {low} to {high})"

    @property
    def conclusion(self) -> str:
        """What that says of the ranges."""
        wanted = f"{100.0 * USUAL_SHARE:.0f} %"
        if self.share is None:
            return "No step with a range was taken by itself, so nothing is known of ranges."
        if self.interval.low >= USUAL_SHARE:
            return f"Ranges can be relied on: {wanted} of savings or more lie in them."
        if self.interval.high < USUAL_SHARE:
            return f"Do not rely on ranges: fewer than {wanted} of savings lie in them."
        return f"So few savings do not tell whether {wanted} lie in their ranges."


@dataclass(frozen=True)
class MethodCoverage:
    """How well one way to promise did, of steps that were taken alone."""

    method: ExpectationMethod
    held: int
    """Savings in their range; of bounds alone, those that were not exceeded."""
    judged: int
    error: float
    """Median distance of what was saved from the middle of what was expected [ratio]."""

    @property
    def words(self) -> str:
        """All of it in a sentence."""
        return (
            f"By {METHODS[self.method]}: {self.held} of {self.judged} held, off by "
            f"{quantity(self.error, 'ratio')} in the median."
        )


def measure_methods(outcomes: Iterable[StepOutcome]) -> list[MethodCoverage]:
    """Each way to promise by which a step was promised and judged."""
    every = [outcome for outcome in outcomes if outcome.is_alone]
    found = []
    for method in METHODS:
        judged = [
            (one, error)
            for one in every
            if one.step.method == method and (error := _find_error(one)) is not None
        ]
        if judged:
            held = sum(_is_held(one) for one, _ in judged)
            errors = [error for _, error in judged]
            found.append(MethodCoverage(method, held, len(judged), median(errors)))
    return found


def _find_error(outcome: StepOutcome) -> float | None:
    """How far a saving is from the middle of its range, or from its bound alone [ratio]."""
    saved, expected, step = outcome.measured, outcome.step.range, outcome.step
    if step.method == "bound":
        expected = (step.bound, step.bound)
    return None if saved is None or expected is None else abs(saved - sum(expected) / 2.0)


def _is_held(outcome: StepOutcome) -> bool:
    if outcome.step.method == "bound":
        return outcome.kind != "exceeded-bound"
    return bool(outcome.in_range)


def measure_coverage(pairs: Iterable[PairOutcome]) -> RangeCoverage:
    """The coverage of the ranges of all pairs: of steps that were taken alone."""
    return count_in_range(outcome for pair in pairs for outcome in pair.steps)


def count_in_range(
    outcomes: Iterable[StepOutcome], method: ExpectationMethod | None = None
) -> RangeCoverage:
    """The coverage of the ranges of these outcomes, or of those that were promised by a method."""
    found = [
        outcome.in_range for outcome in outcomes if method is None or outcome.step.method == method
    ]
    return RangeCoverage(found.count(True), len(found) - found.count(None))


def learn_ranges(pairs: Iterable[PairOutcome], report: str = "") -> dict[str, ExpectedGain]:
    """Least and most share of its bound that a step reached in a project's own outcomes, by code.

    Of three outcomes or more. What came of the report of the recording with the digest `report`
    tells nothing of what it may expect.
    """
    shares: dict[str, list[float]] = {}
    for pair in pairs:
        for one in () if pair.rests_on(report) else pair.steps:
            judged = one.kind in ("kept", "fell-short") and not one.together
            if judged and one.saved is not None:
                shares.setdefault(one.step.code, []).append(
                    min(max(one.saved / one.step.bound, 0.0), 1.0)
                )
    return {
        code: ExpectedGain(min(each), max(each), len(each), OF_PROJECT)
        for code, each in shares.items()
        if len(each) >= _LEAST_CASES
    }
