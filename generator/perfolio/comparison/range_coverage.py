"""How often savings lie in the range that reports expected, and what a project's steps reached.

In:  outcomes of pairs of runs. Out: a `RangeCoverage` with its interval; ranges by code of a rule.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

from perfolio.common.units import quantity
from perfolio.comparison.promise_record import PairOutcome, StepOutcome
from perfolio.findings.estimates.bound_formulas import ShareInterval, compute_wilson
from perfolio.findings.estimates.observed_gains import OF_PROJECT, ExpectedGain

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


def measure_coverage(pairs: Iterable[PairOutcome]) -> RangeCoverage:
    """The coverage of the ranges of all pairs: of steps that were taken alone."""
    return count_in_range(outcome for pair in pairs for outcome in pair.steps)


def count_in_range(outcomes: Iterable[StepOutcome]) -> RangeCoverage:
    """The coverage of the ranges of these outcomes."""
    found = [outcome.in_range for outcome in outcomes]
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
