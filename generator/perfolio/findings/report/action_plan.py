"""Why the run takes its time, what to do, what it brings, and how good the data are: one document.

In:  results, findings, facts of the run.
Out: the entries `causes`, `roadmap`, `targets`, `worth`, `replay` and `scorecard` of findings.json.

A target is of a finding whose rule sets one, but for values that are harmless in this run; a later
run is held against the same ones. No threshold becomes a goal by itself.
"""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from perfolio.findings.evaluation.threshold_margin import is_spared
from perfolio.findings.model.conditions import is_beyond
from perfolio.findings.model.finding import Finding
from perfolio.findings.model.rule import Direction
from perfolio.findings.model.step_replay import AskReplay, StepReplay
from perfolio.findings.report.answered_findings import split_answered_findings
from perfolio.findings.report.combined_gain import compute_worth
from perfolio.findings.report.scorecard import make_scorecard
from perfolio.findings.report.share_lint import find_share_faults
from perfolio.findings.tree.cause_tree import CauseTree
from perfolio.findings.tree.roadmap import PHASES, Roadmap, RoadmapStep, make_roadmap
from perfolio.metrics.model import Results

_OF_A_TREE = ("whole", "of", "amount", "left_out", "steady", "unit")
_NOT_TOLD = ("same", "cells")
"""What of a cause does not stand in the document."""
_NOT_OF_A_STEP = ("effects", "gains")
"""The same of a step."""


@dataclass(frozen=True)
class MetricTarget:
    """A metric, and what it should reach."""

    code: str
    metric: str
    unit: str
    today: float
    target: float
    direction: Direction
    """`above`: larger is worse, the metric should fall to the target; `below`: it should rise."""
    why: str
    reached: bool
    undecided: bool
    """Whether today's value has reached it, and not its whole interval."""
    fired: bool


def make_action_plan(
    tree: CauseTree,
    results: Results,
    findings: Sequence[Finding],
    run: Mapping[str, Any],
    ask: AskReplay | None = None,
) -> dict[str, Any]:
    """The six entries. `run` is the part `run` of metrics.json, and `ask` replays the run."""
    replayed: list[StepReplay | None] = [None]

    def rank(codes: Sequence[str]) -> list[str]:
        replayed[0] = found = ask(codes) if ask is not None else None
        return [code for step in found.steps for code in step.codes] if found is not None else []

    roadmap = make_roadmap(tree, findings, results, rank if ask is not None else None)
    worth = compute_worth(tree, roadmap, results, run.get("settings") or {})
    return {
        "causes": _describe_tree(tree, findings),
        "roadmap": _describe_roadmap(split_answered_findings(roadmap, findings, tree, results)),
        "targets": list_targets(findings),
        "worth": worth,
        "replay": replayed[0],
        "scorecard": make_scorecard(results, run, find_share_faults(results)),
    }


def list_targets(findings: Sequence[Finding]) -> tuple[MetricTarget, ...]:
    """Targets of what fired and of what passed; those of the data's quality are left out."""
    found = (_make_target(finding) for finding in findings if finding.rule.cause)
    return tuple(target for target in found if target is not None)


def _compare_with_target(finding: Finding, target: float) -> tuple[bool, bool]:
    """Whether its value misses the target, and whether the worse end of its interval does."""
    direction = finding.rule.direction
    end = finding.high if direction == "above" else finding.low
    today = finding.value is not None and is_beyond(finding.value, direction, target)
    return today, today or (end is not None and is_beyond(end, direction, target))


def _make_target(finding: Finding) -> MetricTarget | None:
    rule, today = finding.rule, finding.value
    if today is None or rule.target.value is None or finding.status not in ("fired", "passed"):
        return None
    if is_spared(finding):
        return None
    short, perhaps = _compare_with_target(finding, rule.target.value)
    if short and finding.status == "passed":
        return None  # too little to notice, though the target is less
    return MetricTarget(
        code=rule.code,
        metric=rule.metric,
        unit=finding.unit,
        today=today,
        target=rule.target.value,
        direction=rule.direction,
        why=rule.target.source,
        reached=not perhaps,
        undecided=perhaps and not short,
        fired=finding.status == "fired",
    )


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
