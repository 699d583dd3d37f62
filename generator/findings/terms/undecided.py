"""Thresholds that the interval of a value spans: there the value alone decides nothing.

In:  findings with a value and its interval.
Out: the thresholds within the interval, and what that leaves open.

A finding keeps the status and the severity that its value gives; its words say that another one is
as possible.
"""

from __future__ import annotations

from generator.findings.terms.finding import Finding
from generator.units import threshold_text


def spanned(finding: Finding) -> tuple[float, ...]:
    """The thresholds of its rule within its interval, from mild to severe; none without one."""
    low, high = finding.low, finding.high
    if low is None or high is None:
        return ()
    bounds = (threshold.value for threshold in finding.rule.thresholds)
    return tuple(bound for bound in bounds if low <= bound <= high)


def is_undecided(finding: Finding) -> bool:
    """Whether it may as well have passed as fired: the interval spans the mildest threshold."""
    return finding.rule.thresholds[0].value in spanned(finding)


def spanning_words(finding: Finding) -> str:
    """To follow an interval: `, which spans the threshold of 20 %`; empty where it spans none."""
    found = [threshold_text(bound, finding.unit) for bound in spanned(finding)]
    if not found:
        return ""
    return f", which spans the threshold{'s' if len(found) > 1 else ''} of {' and '.join(found)}"


def open_words(finding: Finding) -> tuple[str, ...]:
    """What the interval leaves open, as a sentence; none where it decides."""
    if not spanned(finding):
        return ()
    if not is_undecided(finding):
        return ("How severe it is, the interval does not decide.",)
    other = "pass" if finding.status == "fired" else "fire"
    return (f"Undecided: by its interval it may {other} as well.",)
