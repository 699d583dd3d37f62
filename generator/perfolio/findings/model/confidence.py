"""How far one can trust what a finding says, and the thresholds that its interval spans.

In:  findings with a value and its interval, and results.
Out: `sure`, `likely` or `check first`; thresholds within the interval, what these leave open.

A finding keeps the status and the severity that its value gives; its words say that another one is
as possible.
"""

from __future__ import annotations

from typing import Literal

from perfolio.common.units import format_threshold
from perfolio.findings.model.conditions import find_shared_condition, is_met
from perfolio.findings.model.finding import Finding
from perfolio.metrics.model import Results


def list_spanned_thresholds(finding: Finding) -> tuple[float, ...]:
    """The thresholds of its rule within its interval, from mild to severe; none without one."""
    low, high = finding.low, finding.high
    if low is None or high is None:
        return ()
    bounds = (threshold.value for threshold in finding.rule.thresholds)
    return tuple(bound for bound in bounds if low <= bound <= high)


def is_undecided(finding: Finding) -> bool:
    """Whether it may as well have passed as fired: the interval spans the mildest threshold."""
    return finding.rule.thresholds[0].value in list_spanned_thresholds(finding)


def describe_spanned(finding: Finding) -> str:
    """To follow an interval: `, which spans the threshold of 20 %`; empty where it spans none."""
    found = [format_threshold(bound, finding.unit) for bound in list_spanned_thresholds(finding)]
    if not found:
        return ""
    return f", which spans the threshold{'s' if len(found) > 1 else ''} of {' and '.join(found)}"


def describe_undecided(finding: Finding) -> tuple[str, ...]:
    """What the interval leaves open, as a sentence; none where it decides."""
    if not list_spanned_thresholds(finding):
        return ()
    if not is_undecided(finding):
        return ("How severe it is, the interval does not decide.",)
    other = "pass" if finding.status == "fired" else "fire"
    return (f"Undecided: by its interval it may {other} as well.",)


Confidence = Literal["sure", "likely", "check first"]
_HELD_UP = ("slowed", "hooked", "lengthened", "instrumented", "loading")
"""Shared conditions under which the profiler's own work may be what is seen of the host."""
FEWER_LAUNCHES = ("gpu.kernels.fusable", "gpu.kernels.small")
"""Causes whose steps launch fewer kernels, and so shorten the pauses that the host makes."""
_OF_THE_HOST = ("host", "cpu", *FEWER_LAUNCHES)


def judge_confidence(finding: Finding, results: Results) -> Confidence | None:
    """The word for a finding that fired; None for one that did not.

    Check first: its interval spans the threshold, or it is about a host that the profiler held up.
    Likely: its value is sampled, so that it has an interval, or it is about a host of which the
    profiler recorded more than calls. Sure: all else.
    """
    if finding.status != "fired":
        return None
    on_host = finding.rule.cause.startswith(_OF_THE_HOST)
    if (on_host and is_held_up(results)) or is_undecided(finding):
        return "check first"
    slower = on_host and is_met(find_shared_condition("observed"), results)
    return "sure" if finding.low is None and not slower else "likely"


def is_held_up(results: Results) -> bool:
    """Whether what is seen of the host may be the profiler's own work."""
    return any(is_met(find_shared_condition(name), results) for name in _HELD_UP)
