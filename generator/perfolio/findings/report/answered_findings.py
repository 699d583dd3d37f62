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

from perfolio.findings.estimates.bound_formulas import share
from perfolio.findings.estimates.time_ledger import ANY_IDLE, BUSY, COMPLETE, COPIES, within
from perfolio.findings.evaluation.rule_evaluation import evaluate
from perfolio.findings.model.change_effect import Where, saved, total
from perfolio.findings.model.finding import Finding
from perfolio.findings.tree.cause_tree import ON_THE_CLOCK, Tree, ends_long_waits
from perfolio.findings.tree.roadmap import Roadmap, Step
from perfolio.metrics.metric_values import measured
from perfolio.metrics.model import Results

_SHARES: Mapping[str, tuple[Where, Where]] = MappingProxyType(
    {
        "time.gpu_idle_share": (ANY_IDLE, Where()),
        "time.gpu_utilisation": (BUSY, Where()),
        "time.steady_idle_share": (ANY_IDLE, COMPLETE),
        "time.steady_utilisation": (BUSY, COMPLETE),
        "time.long_gap_share": (ANY_IDLE, COMPLETE),
        "time.exposed_copy_share": (COPIES, Where()),
        "time.iteration_exposed_copy_share": (COPIES, COMPLETE),
    }
)
"""Shares by metric: of which cells they are, and of which whole."""


def told_apart(
    roadmap: Roadmap, findings: Sequence[Finding], tree: Tree, results: Results
) -> Roadmap:
    """`roadmap` with the findings that a step answers only in part in `part` of it."""
    by_code = {finding.rule.code: finding for finding in findings}

    def told(step: Step) -> Step:
        lead = by_code[step.code]
        values = _after(lead, tree, results)
        after = {**results, **{key: replace(results[key], value=v) for key, v in values.items()}}
        also = {
            code
            for code in step.also
            if (by_code[code].rule.metric not in values and _is_one(tree, lead, by_code[code]))
            or (values and _passes(by_code[code], after))
        }
        part = tuple(code for code in step.also if code not in also)
        return replace(step, also=tuple(code for code in step.also if code in also), part=part)

    return replace(
        roadmap,
        steps=tuple(told(step) for step in roadmap.steps),
        not_now=tuple(told(step) for step in roadmap.not_now),
    )


def _is_one(tree: Tree, lead: Finding, other: Finding) -> bool:
    """Whether both concern causes that one step answers."""
    steps = [
        tree.one_step(cause)
        for cause in (tree.find(each.rule.parent) for each in (lead, other))
        if cause is not None
    ]
    return len(steps) == 2 and steps[0] == steps[1] != ""


def _passes(other: Finding, after: Results) -> bool:
    (found,) = evaluate(after, {other.rule.code: other.rule})
    return found.status == "passed"


def _after(lead: Finding, tree: Tree, results: Results) -> dict[str, float]:
    """Values of metrics as they would be at best after the step; none where nothing bounds it."""
    worth = lead.estimate
    if worth is None or tree.whole not in ON_THE_CLOCK or not worth.effects:
        return {}
    values: dict[str, float] = {}
    for metric, (part, whole) in _SHARES.items():
        value, cells = measured(results, metric), within(tree.cells, whole)
        gone, length = saved(worth.effects, within(cells, part)), total(cells, whole)
        left = length - saved(worth.effects, cells)
        if value is not None and left < length:
            values[metric] = share((value * length - gone) / left) if left > 0.0 else 0.0
    other = measured(results, "time.longest_other_gap")
    if other is not None and ends_long_waits(worth.effects, tree):
        values["time.longest_gap"] = other
    return values
