"""The findings document as it is written to findings.json, and back.

In:  the document as programs here have it. Out: the same without what is equal in all reports, and
     the other way round.

Advice of a rule that did not fire stands in the rule, and what a metric is over in catalogue.json
beside the reports. Why something is not measured stands at its metric.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from perfolio.common.errors import ContentError
from perfolio.findings.model.rule import Rule
from perfolio.findings.model.step_replay import add_expectations
from perfolio.findings.own_program import find_own_program, name_in_sections
from perfolio.findings.rules.advice_passages import resolve_sections
from perfolio.findings.rules.catalog import load_rules
from perfolio.metrics import document_format as metrics
from perfolio.metrics.document import read_results
from perfolio.metrics.model import Results

_WHY = ("title", "reason", "collect")


def shorten_document(document: Mapping[str, Any]) -> dict[str, Any]:
    """The document as a file has it; `schema/findings-3.schema.json` describes it."""
    return {
        **document,
        "findings": [_shorten_finding(finding) for finding in document["findings"]],
        "not_measured": [item["metric"] for item in document["not_measured"]],
        "metrics": metrics.shorten_document(document["metrics"]),
    }


def restore_document(document: Mapping[str, Any]) -> dict[str, Any]:
    """A written document with what the installed rules and metrics say."""
    measured = metrics.restore_document(document["metrics"])
    results = read_results(measured)
    entries = {item["name"]: item for item in measured["metrics"]}
    rules = load_rules()
    return add_expectations({
        **document,
        "findings": [
            finding
            if finding["status"] == "fired"
            else {
                **finding,
                "sections": resolve_advice(rules.get(finding["code"]), results, measured["run"])
                or {},
            }
            for finding in document["findings"]
        ],
        "not_measured": [
            {"metric": name, **{key: entries[name][key] for key in _WHY}}
            for name in document["not_measured"]
            if name in entries
        ],
        "metrics": measured,
    })  # fmt: skip


def resolve_advice(
    rule: Rule | None, results: Results, run: Mapping[str, Any]
) -> dict[str, str] | None:
    """A rule's sections on a run; None where a document of another version lacks a metric."""
    if rule is None:
        return None
    try:
        sections = resolve_sections(rule.sections, results, str(run["tool"]))
    except ContentError:
        return None
    return name_in_sections(sections, find_own_program(run))


def _shorten_finding(finding: Mapping[str, Any]) -> dict[str, Any]:
    fired = finding["status"] == "fired"
    return {key: value for key, value in finding.items() if fired or key != "sections"}
