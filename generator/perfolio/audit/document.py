"""Judgements as a part of findings.json.

In:  claims.toml as text, the results and findings of one run. Out: the entry `claims`.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from typing import Any

from perfolio.audit.claim_verdicts import format_times, judge_claims
from perfolio.audit.claims import NAME, load_claims
from perfolio.audit.expression import list_names
from perfolio.audit.model import VERDICTS, Judgement
from perfolio.audit.speedup import format_factor
from perfolio.common.units import quantity
from perfolio.metrics.model import Results


def make_claims_document(
    text: str, results: Results, findings: Sequence[Mapping[str, Any]], where: str = NAME
) -> dict[str, Any]:
    """`{title, source, tolerance, counts, claims: [...]}`; raises UsageError for a faulty text."""
    claims = load_claims(text, results, where)
    judged = judge_claims(claims, results, findings)
    counts = Counter(one.verdict for one in judged)
    return {
        "title": claims.title,
        "source": claims.source,
        "tolerance": claims.tolerance,
        "counts": {verdict: counts[verdict] for verdict in VERDICTS if counts[verdict]},
        "claims": [_make_entry(one) for one in judged],
    }


def _format_measured(one: Judgement) -> str:
    """The truth, and of a speed-up its bound, as people read it."""
    if one.claim.kind == "speedup":
        return f"at most {format_factor(one.truth or 0.0)}"
    shown = quantity(one.truth, one.claim.unit)
    wrong = any(name.startswith("seed.") for name in list_names(one.claim.quantity))
    return f"{shown} by this formula" if wrong else shown


def _make_entry(one: Judgement) -> dict[str, Any]:
    claim = one.claim
    finite = one.truth is not None and one.truth != float("inf")
    return {
        "key": claim.key,
        "says": claim.says,
        "line": claim.line,
        "kind": claim.kind,
        "quantity": claim.quantity,
        "formula": claim.formula or claim.affects,
        "unit": claim.unit,
        "value": claim.value,
        "truth": one.truth if finite else None,
        "claimed": quantity(claim.value, claim.unit),
        "measured": _format_measured(one) if finite else "",
        "ratio": one.ratio if finite else None,
        "times": format_times(one.ratio) if finite and one.ratio else "",
        "verdict": one.verdict,
        "reasons": list(one.reasons),
    }
