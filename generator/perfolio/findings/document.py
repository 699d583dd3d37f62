"""findings.json: everything that a report's pages say about findings.

In:  the document of the metrics.
Out: a document of version perfolio-findings/3. It holds the metrics too: whatever a page says of
     the run can be made from it alone. A file has a shorter form: see
     `perfolio.findings.document_format`.
"""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any, cast

from msgspec import to_builtins

from perfolio import __version__
from perfolio.findings.estimates.observed_gains import ExpectedGain, find_expected
from perfolio.findings.evaluation.rule_evaluation import evaluate
from perfolio.findings.evaluation.severity import cap_by_cause
from perfolio.findings.evaluation.threshold_margin import is_spared
from perfolio.findings.invariants import NOTE, find_defects
from perfolio.findings.method.bottlenecks import find_bottleneck
from perfolio.findings.method.workflow import describe_workflow
from perfolio.findings.model.confidence import is_undecided, judge_confidence
from perfolio.findings.model.evidence import list_shown_columns
from perfolio.findings.model.finding import Estimate, Finding
from perfolio.findings.model.rule import Rule
from perfolio.findings.model.run_traits import (
    NVIDIA_ONLY,
    OTHERS,
    find_gpu_vendor,
    has_no_gpu,
    has_no_ranks,
    is_about_gpu,
    is_about_ranks,
)
from perfolio.findings.model.step_replay import AskReplay, StraggledRun, add_expectations
from perfolio.findings.provenance import describe_provenance
from perfolio.findings.report.action_plan import drop_fields, make_action_plan
from perfolio.findings.report.key_figures import choose_key_figures
from perfolio.findings.report.verdict import choose_verdict
from perfolio.findings.rules.advice_passages import resolve_sections
from perfolio.findings.rules.catalog import load_rules
from perfolio.findings.tree.affected_share import find_affected
from perfolio.findings.tree.blocked_steps import hold_back_steps
from perfolio.findings.tree.run_tree import build_tree
from perfolio.findings.tree.time_breakdown import make_breakdown
from perfolio.metrics.caveats import filter_commands
from perfolio.metrics.document import read_results
from perfolio.metrics.metric_values import get_value
from perfolio.metrics.model import Results

VERSION = "perfolio-findings/3"
SCHEMA = Path(__file__).parent / "schema" / "findings-3.schema.json"

_RUN_FACTS = ("slug", "title", "digest")

_NOT_TOLD = ("is_told", "effects")
"""What of an estimate stands in the document in another form, or not at all."""

_BATCHES = "workload.batches"
"""What metrics need that tell the time of a batch on the CPU."""


def make_findings_document(
    metrics: Mapping[str, Any],
    rules: Mapping[str, Rule] | None = None,
    own_gains: Mapping[str, ExpectedGain] | None = None,
    ask_replay: AskReplay | None = None,
) -> dict[str, Any]:
    """The document of the run that `metrics` (metrics.json) describes; None: all rules.

    `own_gains` is what steps of the same project reached of their bounds, by code of a rule, and
    `ask_replay` replays the run with steps.
    Raises ContentError where `metrics` is of another version or a rule is faulty.
    """
    results, tool = read_results(metrics), metrics["run"]["tool"]
    known = load_rules(metrics=results) if rules is None else rules
    findings = evaluate(results, known)
    tree = build_tree(results, findings)
    findings = cap_by_cause(hold_back_steps(findings, tree, results), tree, results)
    planned = make_action_plan(tree, results, findings, metrics["run"], ask_replay)
    steps = [step for phase in planned["roadmap"]["phases"] for step in phase["steps"]]
    document = {
        "schema": VERSION,
        "perfolio": __version__,
        "run": {key: metrics["run"][key] for key in _RUN_FACTS},
        "verdict": choose_verdict(results),
        "breakdown": make_breakdown(results),
        "key_figures": choose_key_figures(results, findings, steps[0]["code"] if steps else ""),
        "findings": [
            {
                **_describe_finding(finding, results),
                "expected": find_expected(finding, results, own_gains),
                "collect": filter_commands(finding.collect, tool),
                "sections": resolve_sections(finding.rule.sections, results, tool),
                "affected": find_affected(finding, tree, results),
            }
            for finding in findings
        ],
        **planned,
        "stragglers": _find_stragglers(results, ask_replay),
        "bottleneck": find_bottleneck(results, findings),
        "workflow": describe_workflow(results, tool),
        "not_measured": _list_not_measured(results),
        "claims": None,
        "provenance": describe_provenance(metrics, known.values()),
    }
    written = {**add_expectations(_to_lists(to_builtins(document))), "metrics": dict(metrics)}
    return _add_defects(written, find_defects(written, results, known))


def _find_stragglers(results: Results, ask: AskReplay | None) -> StraggledRun | None:
    """Who holds up the others; None of runs of one rank, or without a GPU."""
    ranks = get_value(results, "run.ranks") or 0.0
    if ask is None or has_no_gpu(results):
        return None
    return ask.find_stragglers(ranks)


def _add_defects(document: dict[str, Any], defects: Sequence[str]) -> dict[str, Any]:
    """The document with a warning on each thing in it that cannot be."""
    if not defects:
        return document
    metrics = document["metrics"]
    told = metrics["run"].get("warnings", ())
    warnings = [*told, *(NOTE.format(each) for each in defects)]
    return {**document, "metrics": {**metrics, "run": {**metrics["run"], "warnings": warnings}}}


def load_schema() -> dict[str, Any]:
    """The JSON Schema of the document as it is written."""
    return cast(dict[str, Any], json.loads(SCHEMA.read_text(encoding="utf-8")))


def _describe_finding(finding: Finding, results: Results) -> dict[str, Any]:
    rule = finding.rule
    return {
        **_describe_rule(rule),
        "status": finding.status,
        "severity": finding.severity,
        "unit": finding.unit,
        "value": finding.value,
        "low": finding.low,
        "high": finding.high,
        "undecided": finding.value is not None and not is_spared(finding) and is_undecided(finding),
        "threshold": finding.threshold,
        "margin": finding.margin,
        "headline": finding.headline,
        "confidence": judge_confidence(finding, results),
        "sentence": finding.sentence,
        "reason": finding.reason,
        "collect": finding.collect,
        "evidence": _describe_evidence(finding, results),
        "estimate": _describe_estimate(finding.estimate) if finding.estimate else None,
        "besides": finding.rule.worth.besides if finding.is_gain else "",
        "refused": finding.refusal.reason,
        "held_back": finding.held_back,
    }


def _describe_estimate(worth: Estimate) -> dict[str, Any]:
    """An estimate with its whole in words, and of which kind that is."""
    of = worth.of
    return {
        **drop_fields(worth, _NOT_TOLD),
        "of": of.words,
        "whole": of.kind,
        "on_clock": of.on_clock,
        "factor": worth.factor,
        "told_factor": worth.told_factor,
        "left": worth.left,
    }


def _describe_rule(rule: Rule) -> dict[str, Any]:
    return {
        "code": rule.code,
        "slug": rule.slug,
        "title": rule.title,
        "metric": rule.metric or None,
        "measures": rule.needs.measures,
        "direction": rule.direction,
        "thresholds": rule.thresholds,
        "default_thresholds": rule.defaults,
        "threshold_source": rule.threshold_source,
        "chart": rule.chart,
        "parent": rule.cause,
        "effort": rule.effort,
        "who": rule.who,
        "first": rule.first,
        "phase": rule.phase,
        "after": list(rule.after),
        "risk": rule.risk,
        "target": rule.target.value,
        "target_source": rule.target.source if rule.target.value is not None else "",
    }


def _describe_evidence(finding: Finding, results: Results) -> dict[str, Any] | None:
    """The rows that show the finding, with what their columns mean."""
    if not finding.evidence:
        return None
    columns = list_shown_columns(finding.rule, results[finding.rule.evidence.table])
    return {
        "metric": finding.rule.evidence.table,
        "columns": columns,
        "rows": [[row[column.name] for column in columns] for row in finding.evidence],
    }


def _list_not_measured(results: Results) -> list[dict[str, str]]:
    """What the run lacks, and somebody may miss: no GPU metrics of a run without a GPU.

    Nor balance of ranks of a single process, nor what only NVIDIA's GPUs have of others, nor
    batches of a program that is not seen training on the CPU. Nobody misses the named wrong
    alternatives.
    """
    no_gpu, no_ranks = has_no_gpu(results), has_no_ranks(results)
    others = find_gpu_vendor(results) in OTHERS
    trains = no_gpu and (get_value(results, "time.main_told_share") or 0.0) > 0.0
    return [
        {
            "metric": name,
            "title": result.metric.title,
            "reason": result.reason,
            "collect": result.collect,
        }
        for name, result in results.items()
        if result.status == "failed"
        or (
            result.status == "not_measured"
            and not name.startswith("seed.")
            and not (no_gpu and is_about_gpu(result.metric))
            and not (no_ranks and is_about_ranks(result.metric))
            and not (others and NVIDIA_ONLY in result.metric.needs)
            and not (_BATCHES in result.metric.needs and not trains)
        )
    ]


def _to_lists(value: Any) -> Any:
    """`value` with tuples as lists at any depth: what JSON reads back."""
    if isinstance(value, dict):
        return {key: _to_lists(each) for key, each in value.items()}
    return [_to_lists(each) for each in value] if isinstance(value, (list, tuple)) else value
