"""Why the run takes its time, what to do, what it brings, and how good the data are: one document.

In:  results, findings, facts of the run.
Out: the entries `causes`, `roadmap`, `targets`, `worth` and `scorecard` of findings.json.
"""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from typing import Any

from perfolio.findings.model.finding import Finding
from perfolio.findings.report.answered_findings import split_answered_findings
from perfolio.findings.report.combined_gain import compute_worth
from perfolio.findings.report.scorecard import make_scorecard
from perfolio.findings.report.share_lint import find_share_faults
from perfolio.findings.report.targets import list_targets
from perfolio.findings.tree.cause_tree import CauseTree
from perfolio.findings.tree.roadmap import PHASES, Roadmap, RoadmapStep, make_roadmap
from perfolio.metrics.model import Results

_OF_A_TREE = ("whole", "of", "amount", "left_out", "steady", "unit")
_NOT_TOLD = ("same", "cells")
"""What of a cause does not stand in the document."""
_NOT_OF_A_STEP = ("effects", "gains")
"""The same of a step."""


def make_action_plan(
    tree: CauseTree, results: Results, findings: Sequence[Finding], run: Mapping[str, Any]
) -> dict[str, Any]:
    """The five entries. `run` is the part `run` of metrics.json."""
    roadmap = make_roadmap(tree, findings, results)
    worth = compute_worth(tree, roadmap, results, run.get("settings") or {})
    return {
        "causes": _describe_tree(tree, findings),
        "roadmap": _describe_roadmap(split_answered_findings(roadmap, findings, tree, results)),
        "targets": list_targets(findings),
        "worth": worth,
        "scorecard": make_scorecard(results, run, find_share_faults(results)),
    }


def _describe_tree(tree: CauseTree, findings: Sequence[Finding]) -> dict[str, Any]:
    codes: dict[str, list[str]] = {}
    for finding in findings:
        if finding.status == "fired":
            codes.setdefault(finding.rule.cause, []).append(finding.rule.code)
    return {
        **{name: getattr(tree, name) for name in _OF_A_TREE},
        "nodes": [
            {**drop_fields(cause, _NOT_TOLD), "findings": codes.get(cause.key, [])}
            for cause in tree.causes
        ],
    }


def _describe_roadmap(roadmap: Roadmap) -> dict[str, Any]:
    return {
        "kind": roadmap.kind,
        "phases": [
            {
                "phase": phase,
                "steps": [_describe_step(s) for s in roadmap.steps if s.phase == phase],
            }
            for phase in PHASES
        ],
        "not_now": [_describe_step(step) for step in roadmap.not_now],
        "measure": [{"what": what, "collect": command} for what, command in roadmap.measure],
    }


def _describe_step(step: RoadmapStep) -> dict[str, Any]:
    return drop_fields(step, _NOT_OF_A_STEP)


def drop_fields(record: object, names: Collection[str]) -> dict[str, Any]:
    """The fields of a dataclass but those of these names."""
    return {name: value for name, value in vars(record).items() if name not in names}
