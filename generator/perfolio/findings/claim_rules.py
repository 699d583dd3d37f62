"""Rules on claims, which another report feeds and no metric: promised factors and bounds.

In:  the findings of a document, its claims as the audit judged them, and the rules.
Out: the same findings in their order, judged where a rule needs claims.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from perfolio.common.units import quantity
from perfolio.findings.model.rule import SEVERITIES, Rule

_NEEDED = "claims"
"""What such a rule needs, in `external_inputs.toml`."""
_ORDER = ("fired", "error", "passed", "not_evaluated", "not_applicable")
_NO_PROMISE = "The report that was audited promises no speed-up whose bound is known."


def judge_claims(
    findings: Sequence[Mapping[str, Any]], claims: Mapping[str, Any], rules: Mapping[str, Rule]
) -> list[Mapping[str, Any]]:
    """`findings` with those on claims judged by the promised factors among `claims`."""
    promises = [one for one in claims["claims"] if one["kind"] == "speedup" and one["ratio"]]
    fed = {code for code, rule in rules.items() if rule.needs.input == _NEEDED}
    judged = [
        {**one, **_judge_promises(one, promises)} if one["code"] in fed else one for one in findings
    ]
    return sorted(judged, key=_rank_finding)


def _judge_promises(
    rule: Mapping[str, Any], promises: Sequence[Mapping[str, Any]]
) -> dict[str, Any]:
    if not promises:
        return {"reason": _NO_PROMISE}
    worst = max(promises, key=lambda one: float(one["ratio"]))
    beyond = sum(one["verdict"] == "unbounded" for one in promises)
    value, threshold = float(worst["ratio"]), float(rule["thresholds"][0]["value"])
    fired = beyond > 0 and value > threshold
    facts = (
        f"{beyond} of {len(promises)} promised speed-ups exceed their bound; the boldest promises "
        f"{worst['claimed']}, where {worst['measured']} is possible."
        if fired
        else f"{len(promises)} of {len(promises)} promised speed-ups lie within their bounds."
    )
    return {
        "status": "fired" if fired else "passed",
        "severity": rule["thresholds"][0]["severity"] if fired else None,
        "confidence": "sure" if fired else None,
        "headline": facts,
        "value": value,
        "threshold": threshold,
        "sentence": facts,
        "reason": "",
        "margin": {
            "threshold": threshold,
            "distance": abs(value - threshold),
            "relative": abs(value - threshold) / threshold,
            "sentence": f"It would {'pass' if fired else 'fire'} where the boldest claim were "
            f"{'within' if fired else 'above'} its bound; it is {quantity(value, 'x')} of "
            "it.",
        },
    }


def _rank_finding(finding: Mapping[str, Any]) -> tuple[int, int]:
    severity = finding["severity"]
    rank = SEVERITIES.index(severity) if severity else len(SEVERITIES)
    return _ORDER.index(finding["status"]), rank
