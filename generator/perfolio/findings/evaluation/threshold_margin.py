"""How far a value is from the threshold at which its severity would change.

In:  findings with a value.
Out: a `ThresholdMargin`: the nearest threshold, the distance from it, and both in a sentence.
"""

from __future__ import annotations

import math
from dataclasses import replace

from perfolio.common.units import format_threshold, quantity
from perfolio.findings.evaluation.finding_sentences import (
    describe_severity,
    describe_side,
    name_metric,
)
from perfolio.findings.model.conditions import is_beyond
from perfolio.findings.model.confidence import list_spanned_thresholds
from perfolio.findings.model.finding import Finding, ThresholdMargin
from perfolio.findings.model.rule import Condition, Severity
from perfolio.metrics.model import Results


def compute_margin(finding: Finding) -> ThresholdMargin | None:
    """The margin of a fired or passed finding; None where there is no value."""
    value = finding.value
    if value is None:
        return None
    if finding.rule.ceiling:
        return _make_ceiling_margin(finding, value)
    bounds = [threshold.value for threshold in finding.rule.thresholds]
    nearest = min(bounds, key=lambda bound: abs(value - bound))
    distance = abs(value - nearest)
    return ThresholdMargin(
        threshold=nearest,
        distance=distance,
        relative=distance / abs(nearest) if nearest else None,
        sentence=_write_sentence(finding, value, nearest),
    )


def _make_ceiling_margin(finding: Finding, bound: float) -> ThresholdMargin:
    """The margin of what a bound passes: at least the bound's, and no part of the threshold."""
    mildest = finding.rule.thresholds[0]
    return ThresholdMargin(
        threshold=mildest.value,
        distance=abs(bound - mildest.value),
        relative=None,
        sentence=f"{describe_severity(finding, mildest)}, which "
        f"{quantity(bound, finding.unit)} at most rule out; how many there are is not measured.",
    )


def make_worth_margin(
    finding: Finding, share: float, of: str, severity: Severity, cap: float
) -> ThresholdMargin | None:
    """The margin of a finding that is no severer than `severity` for its `share` below `cap`."""
    gain, whole = quantity(share, "ratio"), of.partition(";")[0]
    most = "information" if severity == "info" else severity
    return _set_sentence(
        finding,
        f"Its value alone would make it {_find_own_severity(finding)}; it is {most} as long as it "
        "is "
        f"worth less than {format_threshold(cap, 'ratio')} of {whole}, "
        f"and here it is {gain} at most.",
    )


def make_harmless_margin(
    finding: Finding, held_back: Condition, results: Results
) -> ThresholdMargin | None:
    """The margin of a finding beyond its threshold that a condition shows to be harmless."""
    other, asked = name_metric(results[held_back.metric]), describe_side(held_back, results)
    return _set_sentence(
        finding, f"It would be {_find_own_severity(finding)} if {other} were {asked}."
    )


def make_gated_margin(
    finding: Finding, unmet: Condition | None, results: Results
) -> ThresholdMargin | None:
    """The margin of a passed finding that its rule's condition `unmet` would keep from firing."""
    if unmet is None or finding.rule.ceiling or finding.value is None:
        return finding.margin
    other, mildest = results[unmet.metric], finding.rule.thresholds[0]
    return _set_sentence(
        finding,
        f"{describe_severity(finding, mildest)}, but only where {name_metric(other)} is "
        f"{describe_side(unmet, results)}; "
        f"here that is {quantity(other.value, other.metric.unit)}, "
        f"and the value is {quantity(finding.value, finding.unit)}.",
    )


def is_spared(finding: Finding) -> bool:
    """Whether it passed although its value is beyond a threshold: a condition shows it harmless."""
    if finding.status != "passed" or finding.value is None:
        return False
    return is_beyond(finding.value, finding.rule.direction, finding.rule.thresholds[0].value)


def get_relative_distance(finding: Finding) -> float:
    """The relative distance, for sorting; infinite from a threshold of 0, 0 without any."""
    found = finding.margin
    if found is None:
        return 0.0
    return math.inf if found.relative is None else found.relative


def _set_sentence(finding: Finding, sentence: str) -> ThresholdMargin | None:
    found = compute_margin(finding)
    return replace(found, sentence=sentence) if found else None


def _find_own_severity(finding: Finding) -> str:
    """The severity by the thresholds alone."""
    return next(
        (each.severity for each in finding.rule.thresholds if each.value == finding.threshold), ""
    )


def _write_sentence(finding: Finding, value: float, nearest: float) -> str:
    rule, unit = finding.rule, finding.unit
    where = [threshold.value for threshold in rule.thresholds].index(nearest)
    if not is_beyond(value, rule.direction, nearest):
        change = describe_severity(finding, rule.thresholds[where])
    else:
        back = {"above": "or less", "below": "or more"}[rule.direction]
        mild = f"be {rule.thresholds[where - 1].severity}" if where else "pass"
        change = f"It would {mild} at {format_threshold(nearest, unit)} {back}"
    left_open = ", and its interval does not decide" if list_spanned_thresholds(finding) else ""
    return f"{change}; the value is {quantity(value, unit)}{left_open}."
