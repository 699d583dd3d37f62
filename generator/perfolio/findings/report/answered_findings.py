"""Which findings pass once a step brings all that it can, and which it answers only in part.

In:  a roadmap, findings, the tree of causes, results.
Out: the roadmap, the findings beside each step told apart.

A finding is judged again by its own rule, on results from which the whole bound of the step is
taken off. Where these do not change its value, it is answered if one step answers both causes by
definition (`same`, see causes).
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from types import MappingProxyType

from perfolio.findings.estimates.bound_formulas import clamp_share
from perfolio.findings.estimates.time_ledger import ANY_IDLE, BUSY, COMPLETE, COPIES, select_cells
from perfolio.findings.evaluation.rule_evaluation import evaluate
from perfolio.findings.model.change_effect import CellFilter, compute_saved, sum_cells
from perfolio.findings.model.finding import Finding
from perfolio.findings.tree.cause_tree import ON_THE_CLOCK, CauseTree, is_ending_long_waits
from perfolio.findings.tree.roadmap import Roadmap, RoadmapStep
from perfolio.metrics.metric_values import get_value
from perfolio.metrics.model import Results

_SHARES: Mapping[str, tuple[CellFilter, CellFilter]] = MappingProxyType(
    {
        "time.gpu_idle_share": (ANY_IDLE, CellFilter()),
        "time.gpu_utilisation": (BUSY, CellFilter()),
        "time.steady_idle_share": (ANY_IDLE, COMPLETE),
        "time.steady_utilisation": (BUSY, COMPLETE),
        "time.long_gap_share": (ANY_IDLE, COMPLETE),
        "time.exposed_copy_share": (COPIES, CellFilter()),
        "time.iteration_exposed_copy_share": (COPIES, COMPLETE),
    }
)
"""Shares by metric: of which cells they are, and of which whole."""


def split_answered_findings(
    roadmap: Roadmap, findings: Sequence[Finding], tree: CauseTree, results: Results
) -> Roadmap:
    """`roadmap` with the findings that a step answers only in part in `part` of it."""
    by_code = {finding.rule.code: finding for finding in findings}

    def told(step: RoadmapStep) -> RoadmapStep:
        lead = by_code[step.code]
        values = _compute_after(lead, tree, results)
        after = {**results, **{key: replace(results[key], value=v) for key, v in values.items()}}
        also = {
            code
            for code in step.also
            if (by_code[code].rule.metric not in values and _is_one(tree, lead, by_code[code]))
            or (values and _is_passing(by_code[code], after))
        }
        part = tuple(code for code in step.also if code not in also)
        return replace(step, also=tuple(code for code in step.also if code in also), part=part)

    return replace(
        roadmap,
        steps=tuple(told(step) for step in roadmap.steps),
        not_now=tuple(told(step) for step in roadmap.not_now),
    )


def _is_one(tree: CauseTree, lead: Finding, other: Finding) -> bool:
    """Whether both concern causes that one step answers."""
    steps = [
        tree.one_step(cause)
        for cause in (tree.find(each.rule.cause) for each in (lead, other))
        if cause is not None
    ]
    return len(steps) == 2 and steps[0] == steps[1] != ""


def _is_passing(other: Finding, after: Results) -> bool:
    (found,) = evaluate(after, {other.rule.code: other.rule})
    return found.status == "passed"


def _compute_after(lead: Finding, tree: CauseTree, results: Results) -> dict[str, float]:
    """Values of metrics as they would be at best after the step; none where nothing bounds it."""
    worth = lead.estimate
    if worth is None or tree.whole not in ON_THE_CLOCK or not worth.effects:
        return {}
    values: dict[str, float] = {}
    for metric, (part, whole) in _SHARES.items():
        value, cells = get_value(results, metric), select_cells(tree.cells, whole)
        gone, length = (
            compute_saved(worth.effects, select_cells(cells, part)),
            sum_cells(cells, whole),
        )
        left = length - compute_saved(worth.effects, cells)
        if value is not None and left < length:
            values[metric] = clamp_share((value * length - gone) / left) if left > 0.0 else 0.0
    other = get_value(results, "time.longest_other_gap")
    if other is not None and is_ending_long_waits(worth.effects, tree):
        values["time.longest_gap"] = other
    return values
