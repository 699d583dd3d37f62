"""What steps of a project's own reports came to, so that later reports expect that.

In:  the project's promises.json; or a report, which says what it expected.
Out: `ProjectOutcomes`: what the report of a recording may expect, by code of a rule.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from perfolio.comparison.promise_file import FILE, read_promises
from perfolio.comparison.promise_record import PairOutcome
from perfolio.comparison.range_coverage import learn_ranges
from perfolio.findings.estimates.observed_gains import OF_PROJECT, ExpectedGain


@dataclass(frozen=True)
class ProjectOutcomes:
    """Outcomes of pairs of runs; none by default."""

    pairs: tuple[PairOutcome, ...] = ()
    told: Mapping[str, ExpectedGain] = field(default_factory=dict)
    """What a report says already, whatever the pairs are."""

    def learn(self, digest: str) -> Mapping[str, ExpectedGain]:
        """What the report of the recording with this digest expects: nothing of its own outcome."""
        return {**learn_ranges(self.pairs, digest), **self.told}


def read_outcomes(root: Path) -> ProjectOutcomes:
    """The outcomes of the project in `root`. Raises InputError where they cannot be read."""
    return ProjectOutcomes(tuple(read_promises(root / FILE)))


def take_told_outcomes(findings: Mapping[str, Any]) -> ProjectOutcomes:
    """What a report took from its project, so that it can be made again without that."""
    expected = {one["code"]: one["expected"] for one in findings["findings"] if one["expected"]}
    told = {
        code: ExpectedGain(float(one["low"]), float(one["high"]), int(one["cases"]), OF_PROJECT)
        for code, one in expected.items()
        if one["source"] == OF_PROJECT
    }
    return ProjectOutcomes(told=told)
