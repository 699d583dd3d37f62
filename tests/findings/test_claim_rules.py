"""The rule on claims, fed by the claims that an audit judged."""

from __future__ import annotations

from typing import Any

import pytest

from perfolio.findings.claim_rules import judge_claims
from perfolio.findings.document import make_findings_document
from perfolio.findings.rules.catalog import load_rules
from perfolio.metrics.document import make_metrics_document
from tests.findings.support import results, validate
from tests.findings.test_document import RUN


def _claim(value: str, bound: str, ratio: float | None, kind: str = "speedup") -> dict[str, Any]:
    verdict = "unbounded" if ratio is None or ratio > 1.0 else "within its bound"
    return {"kind": kind, "claimed": value, "measured": bound, "ratio": ratio, "verdict": verdict}


RULES = load_rules()
(CODE,) = (code for code, rule in RULES.items() if rule.needs.input == "claims")
BOLD = _claim("100×", "at most 1.0024×", 99.76)
MODEST = _claim("1.10×", "at most 2.00×", 0.55)


def _document() -> dict[str, Any]:
    given = results({"gpu.operation_time": 2.0, "gpu.copy_to_kernel": 1.5, "run.ranks": 0.0})
    return make_findings_document(make_metrics_document(RUN, given))


def _judged(*claims: dict[str, Any]) -> tuple[dict[str, Any], dict[str, Any]]:
    document = _document()
    document["findings"] = judge_claims(document["findings"], {"claims": list(claims)}, RULES)
    validate(document)
    return document, next(one for one in document["findings"] if one["code"] == CODE)


def test_a_promise_above_its_bound_fires_before_milder_findings() -> None:
    document, finding = _judged(MODEST, BOLD)
    assert (finding["status"], finding["severity"]) == ("fired", "high")
    assert finding["value"] == pytest.approx(99.76)
    assert finding["sentence"] == (
        "1 of 2 promised speed-ups exceed their bound; the boldest promises 100×, where "
        "at most 1.0024× is possible."
    )
    assert document["findings"][0]["code"] == CODE


def test_promises_within_their_bounds_pass() -> None:
    _, finding = _judged(MODEST)
    assert finding["status"] == "passed"
    assert finding["sentence"] == "1 of 1 promised speed-ups lie within their bounds."
    margin = finding["margin"]
    assert (margin["threshold"], margin["relative"]) == (1.0, pytest.approx(0.45))
    assert margin["distance"] == pytest.approx(0.45)
    assert margin["sentence"] == (
        "It would fire where the boldest claim were above its bound; it is 0.550× of it."
    )


@pytest.mark.parametrize("claims", [(), (_claim("3", "4", 0.75, "value"),),
                                    (_claim("10×", "", None),)])  # fmt: skip
def test_without_a_promise_whose_bound_is_known_it_does_not_apply(claims: Any) -> None:
    document, finding = _judged(*claims)
    assert finding["status"] == "not_applicable"
    assert "promises no speed-up" in finding["reason"]
    codes = [one["code"] for one in _document()["findings"]]
    assert [one["code"] for one in document["findings"]] == codes
