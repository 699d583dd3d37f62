"""Why the run takes its time, what to do, what it brings, and how good the data are: one document.

In:  results, findings, facts of the run.
Out: the entries `causes`, `roadmap`, `targets`, `worth` and `scorecard` of findings.json.
"""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from typing import Any

from perfolio.findings.model.finding import Finding
from perfolio.findings.report.answered_findings import told_apart
from perfolio.findings.report.combined_gain import worth_of
from perfolio.findings.report.scorecard import scorecard
from perfolio.findings.report.share_lint import lint_results
from perfolio.findings.report.targets import targets_of
from perfolio.findings.tree.cause_tree import Tree
from perfolio.findings.tree.roadmap import PHASES, Roadmap, Step, roadmap_of
from perfolio.metrics.model import Results

_OF_A_TREE = ("whole", "of", "amount", "left_out", "steady", "unit")
_NOT_TOLD = ("same", "cells")
"""What of a cause does not stand in the document."""
_NOT_OF_A_STEP = ("effects", "gains")
"""The same of a step."""


def plan(
    tree: Tree, results: Results, findings: Sequence[Finding], run: Mapping[str, Any]
) -> dict[str, Any]:
    """The five entries. `run` is the part `run` of metrics.json."""
    roadmap = roadmap_of(tree, findings, results)
    worth = worth_of(tree, roadmap, results, run.get("settings") or {})
    return {
        "causes": _tree(tree, findings),
        "roadmap": _roadmap(told_apart(roadmap, findings, tree, results)),
        "targets": targets_of(findings),
        "worth": worth,
        "scorecard": scorecard(results, run, lint_results(results)),
    }


def _tree(tree: Tree, findings: Sequence[Finding]) -> dict[str, Any]:
    codes: dict[str, list[str]] = {}
    for finding in findings:
        if finding.status == "fired":
            codes.setdefault(finding.rule.parent, []).append(finding.rule.code)
    return {
        **{name: getattr(tree, name) for name in _OF_A_TREE},
        "nodes": [
            {**without(cause, _NOT_TOLD), "findings": codes.get(cause.key, [])}
            for cause in tree.causes
        ],
    }


def _roadmap(roadmap: Roadmap) -> dict[str, Any]:
    return {
        "kind": roadmap.kind,
        "phases": [
            {"phase": phase, "steps": [_step(s) for s in roadmap.steps if s.phase == phase]}
            for phase in PHASES
        ],
        "not_now": [_step(step) for step in roadmap.not_now],
        "measure": [{"what": what, "collect": command} for what, command in roadmap.measure],
    }


def _step(step: Step) -> dict[str, Any]:
    return without(step, _NOT_OF_A_STEP)


def without(record: object, names: Collection[str]) -> dict[str, Any]:
    """The fields of a dataclass but those of these names."""
    return {name: value for name, value in vars(record).items() if name not in names}
