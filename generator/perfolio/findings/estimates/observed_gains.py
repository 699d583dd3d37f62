"""What steps of a kind reached of their bounds, where a run before and one after are known.

In:  `outcomes.toml`: by rule the shares of the bound that steps reached, simulated or measured.
Out: an `ExpectedGain` of a gain, or None where no pair of runs is known for its rule.

A bound says what is at most saved; this says what was saved where somebody looked. It is a share
of what a part takes as measured, and not of the upper end that a bound has. It is no
forecast: the cases are few, and the page on outcomes names each one.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Annotated

from msgspec import Meta

from perfolio.common.content_files import reload_when_edited
from perfolio.findings.estimates.estimator_catalog import load_estimators
from perfolio.findings.model.content_entries import read_file
from perfolio.findings.model.finding import Estimate, Finding
from perfolio.findings.model.rule import ContentEntry
from perfolio.metrics.model import Results

OF_PROJECT = "project"
"""Source of what the project's own steps reached."""
FILE = Path(__file__).with_name("outcomes.toml")
_Share = Annotated[float, Meta(ge=0.0, le=1.0, description="a share of a bound, from 0 to 1")]


@dataclass(frozen=True)
class ExpectedGain:
    """The range of what steps of a kind reached, as shares of their bounds [ratio]."""

    low: float
    high: float
    cases: int
    source: str
    part: float = 1.0
    """What `low` and `high` are lessened by: the share as measured over its upper end [ratio]."""


class OutcomeEntry(ContentEntry, frozen=True, kw_only=True):
    """Shares that steps reached, by how that is known."""

    measured: tuple[_Share, ...] = ()
    simulated: tuple[_Share, ...] = ()


@reload_when_edited(FILE)
def load_outcomes(path: Path) -> Mapping[str, ExpectedGain]:
    """The ranges by code of a rule. ContentError where the file is faulty."""
    outcomes = read_file(path, dict[str, OutcomeEntry])
    known = ((code, each) for code, each in outcomes.items() if each.measured or each.simulated)
    return {code: make_range(outcome) for code, outcome in known}


def find_expected(
    finding: Finding, results: Results, own: Mapping[str, ExpectedGain] | None = None
) -> ExpectedGain | None:
    """What steps like a fired finding's reached; None of limits, and where nothing bounds it.

    A bound has the upper end of a sampled share. What is expected is of the share itself: no step
    is expected to save more than its part takes as measured. `own` is what the project's own steps
    reached, by code: shares of bounds as reports have them, which count before ours.
    """
    worth = finding.estimate
    if finding.status != "fired" or worth is None or worth.kind != "gain":
        return None
    if own and finding.rule.code in own:
        return own[finding.rule.code]
    found = load_outcomes().get(finding.rule.code)
    if found is None or finding.low is None:
        return found
    part = _compute_measured_part(finding, worth, results)
    return replace(found, low=part * found.low, high=part * found.high, part=part)


def _compute_measured_part(finding: Finding, worth: Estimate, results: Results) -> float:
    """The part of its bound that an estimate has without the interval of its rule's metric."""
    rule = finding.rule
    estimator = load_estimators().get(rule.estimator)
    plain = replace(results[rule.metric], low=None, high=None)
    found = (
        estimator(rule.metric, finding.value, {**results, rule.metric: plain})
        if estimator and finding.value is not None
        else None
    )
    return min(found.reduction / worth.reduction, 1.0) if isinstance(found, Estimate) else 1.0


def make_range(outcome: OutcomeEntry) -> ExpectedGain:
    """The range of shares: of what was measured alone, where anything was."""
    source, shares = "simulated", outcome.simulated
    if outcome.measured:
        source, shares = "measured", outcome.measured
    return ExpectedGain(min(shares), max(shares), len(shares), source)
