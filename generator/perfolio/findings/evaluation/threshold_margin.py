"""How far a value is from the threshold at which its severity would change.

In:  findings with a value.
Out: a `Margin`: the nearest threshold, the distance from it, and both in a sentence.
"""

from __future__ import annotations

import math
from dataclasses import replace

from perfolio.common.units import quantity, threshold_text
from perfolio.findings.evaluation.finding_sentences import named, side, would_be
from perfolio.findings.model.conditions import beyond
from perfolio.findings.model.confidence import spanned
from perfolio.findings.model.finding import Finding, Margin
from perfolio.findings.model.rule import Condition, Severity
from perfolio.metrics.model import Results


def margin_of(finding: Finding) -> Margin | None:
    """The margin of a fired or passed finding; None where there is no value."""
    value = finding.value
    if value is None:
        return None
    if finding.rule.ceiling:
        return _ruled_out(finding, value)
    bounds = [threshold.value for threshold in finding.rule.thresholds]
    nearest = min(bounds, key=lambda bound: abs(value - bound))
    distance = abs(value - nearest)
    return Margin(
        threshold=nearest,
        distance=distance,
        relative=distance / abs(nearest) if nearest else None,
        sentence=_sentence(finding, value, nearest),
    )


def _ruled_out(finding: Finding, bound: float) -> Margin:
    """The margin of what a bound passes: at least the bound's, and no part of the threshold."""
    mildest = finding.rule.thresholds[0]
    return Margin(
        threshold=mildest.value,
        distance=abs(bound - mildest.value),
        relative=None,
        sentence=f"{would_be(finding, mildest)}, which {quantity(bound, finding.unit)} at most "
        "rule out; how many there are is not measured.",
    )


def worth_little(
    finding: Finding, share: float, of: str, severity: Severity, cap: float
) -> Margin | None:
    """The margin of a finding that is no severer than `severity` for its `share` below `cap`."""
    gain, whole = quantity(share, "ratio"), of.partition(";")[0]
    most = "information" if severity == "info" else severity
    return _with_sentence(
        finding,
        f"Its value alone would make it {_own_severity(finding)}; it is {most} as long as it is "
        f"worth less than {threshold_text(cap, 'ratio')} of {whole}, "
        f"and here it is {gain} at most.",
    )


def harmless(finding: Finding, held_back: Condition, results: Results) -> Margin | None:
    """The margin of a finding beyond its threshold that a condition shows to be harmless."""
    other, asked = named(results[held_back.metric]), side(held_back, results)
    return _with_sentence(finding, f"It would be {_own_severity(finding)} if {other} were {asked}.")


def gated(finding: Finding, unmet: Condition | None, results: Results) -> Margin | None:
    """The margin of a passed finding that its rule's condition `unmet` would keep from firing."""
    if unmet is None or finding.rule.ceiling or finding.value is None:
        return finding.margin
    other, mildest = results[unmet.metric], finding.rule.thresholds[0]
    return _with_sentence(
        finding,
        f"{would_be(finding, mildest)}, but only where {named(other)} is {side(unmet, results)}; "
        f"here that is {quantity(other.value, other.metric.unit)}, "
        f"and the value is {quantity(finding.value, finding.unit)}.",
    )


def is_spared(finding: Finding) -> bool:
    """Whether it passed although its value is beyond a threshold: a condition shows it harmless."""
    if finding.status != "passed" or finding.value is None:
        return False
    return beyond(finding.value, finding.rule.direction, finding.rule.thresholds[0].value)


def relative(finding: Finding) -> float:
    """The relative distance, for sorting; infinite from a threshold of 0, 0 without any."""
    found = finding.margin
    if found is None:
        return 0.0
    return math.inf if found.relative is None else found.relative


def _with_sentence(finding: Finding, sentence: str) -> Margin | None:
    found = margin_of(finding)
    return replace(found, sentence=sentence) if found else None


def _own_severity(finding: Finding) -> str:
    """The severity by the thresholds alone."""
    return next(
        (each.severity for each in finding.rule.thresholds if each.value == finding.threshold), ""
    )


def _sentence(finding: Finding, value: float, nearest: float) -> str:
    rule, unit = finding.rule, finding.unit
    where = [threshold.value for threshold in rule.thresholds].index(nearest)
    if not beyond(value, rule.direction, nearest):
        change = would_be(finding, rule.thresholds[where])
    else:
        back = {"above": "or less", "below": "or more"}[rule.direction]
        mild = f"be {rule.thresholds[where - 1].severity}" if where else "pass"
        change = f"It would {mild} at {threshold_text(nearest, unit)} {back}"
    left_open = ", and its interval does not decide" if spanned(finding) else ""
    return f"{change}; the value is {quantity(value, unit)}{left_open}."
