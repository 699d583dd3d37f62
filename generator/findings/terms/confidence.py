"""How far one can trust what a finding says, in one of three words.

In:  findings and results. Out: `sure`, `likely` or `check first`.
"""

from __future__ import annotations

from typing import Literal

from generator.findings.terms.conditions import holds, shared_condition
from generator.findings.terms.finding import Finding
from generator.findings.terms.undecided import is_undecided
from generator.metrics.model import Results

Confidence = Literal["sure", "likely", "check first"]
_HELD_UP = ("slowed", "hooked")
"""Shared conditions under which the profiler's own work may be what is seen of the host."""
_OF_THE_HOST = ("host", "cpu")


def confidence(finding: Finding, results: Results) -> Confidence | None:
    """The word for a finding that fired; None for one that did not.

    Check first: its interval spans the threshold, or it is about a host that the profiler held up.
    Likely: its value is sampled, so that it has an interval. Sure: all else.
    """
    if finding.status != "fired":
        return None
    on_host = finding.rule.parent.startswith(_OF_THE_HOST)
    held_up = on_host and any(holds(shared_condition(name), results) for name in _HELD_UP)
    if held_up or is_undecided(finding):
        return "check first"
    return "sure" if finding.low is None else "likely"
