"""Why the run takes its time, what to do, what it brings, and how good the data are: one document.

In:  results, findings, facts of the run.
Out: the entries `causes`, `roadmap`, `targets`, `worth` and `scorecard` of findings.json.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import asdict
from typing import Any

from generator.findings.report.answers import told_apart
from generator.findings.report.lint import Fault, lint_definitions, lint_hardware, lint_results
from generator.findings.report.scorecard import scorecard
from generator.findings.report.targets import targets_of
from generator.findings.report.worth import worth_of
from generator.findings.terms.finding import Finding
from generator.findings.tree.causes import Cause, Tree
from generator.findings.tree.roadmap import PHASES, Roadmap, gains_of, roadmap_of
from generator.metrics.model import Results

_NOT_TOLD = ("places", "same", "cells")
"""What of a cause stands in the document in another form, or not at all."""


def plan(
    tree: Tree, results: Results, findings: Sequence[Finding], run: Mapping[str, Any]
) -> dict[str, Any]:
    """The five entries. `run` is the part `run` of metrics.json."""
    roadmap = roadmap_of(tree, findings, results)
    gains = gains_of(tree, findings)
    worth = worth_of(tree, roadmap, gains, results, run.get("settings") or {})
    return {
        "causes": _tree(tree, findings),
        "roadmap": _roadmap(told_apart(roadmap, findings, tree, results)),
        "targets": [asdict(target) for target in targets_of(findings)],
        "worth": plain(asdict(worth)),
        "scorecard": [asdict(score) for score in scorecard(results, run, faults_of(results, run))],
    }


def faults_of(results: Results, run: Mapping[str, Any]) -> tuple[Fault, ...]:
    """What the lint of denominators finds in a run: its metrics, its device and its results."""
    hardware = run.get("hardware")
    return (
        *lint_definitions(result.metric for result in results.values()),
        *lint_hardware([hardware] if hardware else []),
        *lint_results(results),
    )


def _tree(tree: Tree, findings: Sequence[Finding]) -> dict[str, Any]:
    codes: dict[str, list[str]] = {}
    for finding in findings:
        if finding.status == "fired":
            codes.setdefault(finding.rule.parent, []).append(finding.rule.code)
    return {
        "whole": tree.whole,
        "of": tree.of,
        "amount": tree.amount,
        "left_out": tree.left_out,
        "steady": tree.steady,
        "unit": tree.unit,
        "nodes": [_cause(cause, codes.get(cause.key, [])) for cause in tree.causes],
    }


def _cause(cause: Cause, findings: list[str]) -> dict[str, Any]:
    places = cause.places
    return {
        **{name: value for name, value in vars(cause).items() if name not in _NOT_TOLD},
        "findings": findings,
        "metrics": list(dict.fromkeys(cause.metrics)),
        "places": None
        if places is None
        else {
            "metric": places.metric,
            "columns": [asdict(column) for column in places.columns],
            "rows": [list(row) for row in places.rows],
        },
    }


def _roadmap(roadmap: Roadmap) -> dict[str, Any]:
    return {
        "kind": roadmap.kind,
        "phases": [
            {
                "phase": phase,
                "steps": [plain(asdict(s)) for s in roadmap.steps if s.phase == phase],
            }
            for phase in PHASES
        ],
        "not_now": [plain(asdict(step)) for step in roadmap.not_now],
        "measure": [{"what": what, "collect": command} for what, command in roadmap.measure],
    }


def plain(value: Any) -> Any:
    """`value` with tuples as lists at any depth: what JSON reads back."""
    if isinstance(value, dict):
        return {key: plain(each) for key, each in value.items()}
    return [plain(each) for each in value] if isinstance(value, (list, tuple)) else value
