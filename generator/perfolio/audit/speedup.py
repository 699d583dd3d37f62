"""Promised factors against Amdahl's bound: a proposal cannot save more time than it concerns.

In:  a claim of a speed-up, with the share of the whole that it concerns. Out: a `Judgement`.
Bound: 1 / (1 - p), p the share (Amdahl, AFIPS 1967); the data's share goes before the report's.
"""

from __future__ import annotations

import math

from perfolio.audit.expression import evaluate, list_names
from perfolio.audit.facts import AuditFacts
from perfolio.audit.model import Claim, Judgement
from perfolio.common.units import quantity


def judge_speedup(claim: Claim, tolerance: float, facts: AuditFacts) -> Judgement:
    """Within its bound, or unbounded: above it, or with nothing that would bound it."""
    needed = 1.0 - 1.0 / claim.value if claim.value > 1.0 else 0.0
    asks = (
        f"A factor of {quantity(claim.value, 'x')} needs {quantity(needed, 'ratio')} "
        "of "
        f"{claim.of} to disappear."
    )
    measured = _clamp_share(evaluate(claim.affects, facts.true))
    stated = _clamp_share(evaluate(claim.affects, facts.claimed))
    share = measured if measured is not None else stated
    if share is None:
        return Judgement(claim, "unbounded", None, (asks, *_explain_unbounded(claim, facts)))
    bound = _compute_bound(share)
    known = _describe_bounds(claim, measured, stated)
    gaps = _describe_gap(claim, facts) if measured is None else []
    reasons = (asks, *known, *gaps, *_list_estimates(claim, facts))
    if claim.value <= bound * (1.0 + tolerance):
        more = "Whether it is reached, only a later run can show."
        return Judgement(claim, "within its bound", bound, (*reasons, more))
    return Judgement(claim, "unbounded", bound, reasons)


def _describe_bounds(claim: Claim, measured: float | None, stated: float | None) -> list[str]:
    """A sentence per share that is known: the measured one, and the report's own."""
    found = []
    for share, whose in ((measured, "as measured"), (stated, "by the report's own figures")):
        if share is not None and (share != measured or whose == "as measured"):
            found.append(
                f"It concerns {quantity(share, 'ratio')} of {claim.of} {whose}: even if all "
                "of "
                f"that vanished, the factor would be {format_factor(_compute_bound(share))} at "
                "most."
            )
    return found


def _compute_bound(share: float) -> float:
    return 1.0 / (1.0 - share) if share < 1.0 else math.inf


def format_factor(factor: float) -> str:
    """A factor with the digits that tell it from 1: `1.0024×`."""
    gain = factor - 1.0
    if not 0.0 < gain < 0.01:
        return quantity(factor, "x")
    return f"{factor:.{1 - math.floor(math.log10(gain))}f}×"


def _list_estimates(claim: Claim, facts: AuditFacts) -> list[str]:
    """What the estimates of the findings that it names are a part of."""
    codes = [name for name in list_names(claim.affects) if name[:1].isupper()]
    found = [each for each in facts.findings if each["code"] in codes and each["estimate"]]
    return [f"{each['code']} is bounded as a share of {each['estimate']['of']}." for each in found]


def _explain_unbounded(claim: Claim, facts: AuditFacts) -> list[str]:
    """No share: then what the findings of this run are worth is all there is to compare with."""
    unsaid = "The report does not say which part of it the proposal concerns."
    return [
        *(_describe_gap(claim, facts) if claim.affects else [unsaid]),
        *_describe_largest(facts),
    ]


def _describe_largest(facts: AuditFacts) -> list[str]:
    gains = [
        each
        for each in facts.findings
        if each["estimate"] and each["estimate"].get("kind", "gain") == "gain"
    ]
    if not gains:
        return []
    most = max(gains, key=lambda each: float(each["estimate"]["factor"]))
    factor = quantity(most["estimate"]["factor"], "x")
    of = most["estimate"]["of"].partition(";")[0]
    code = most["code"]
    return [f"No finding of this run is worth more than {code}: {factor} at most, of {of}."]


def _describe_gap(claim: Claim, facts: AuditFacts) -> list[str]:
    """Why the share is not measured."""
    used = [name for key in list_names(claim.affects) for name in _list_metrics(key, facts)]
    gap = facts.lacking(used)
    why = f": {gap.metric.title}: {gap.reason}" if gap else ""
    return [f"That share is not measured on this profile{why}."]


def _list_metrics(name: str, facts: AuditFacts) -> list[str]:
    return list_names(facts.claims[name].quantity) if name in facts.claims else [name]


def _clamp_share(value: float | None) -> float | None:
    return None if value is None else min(max(value, 0.0), 1.0)
