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
from typing import Literal

from generator.findings.estimates.bounds import share
from generator.findings.estimates.clock import WALL
from generator.findings.judge.evaluate import evaluate
from generator.findings.terms.finding import Estimate, Finding
from generator.findings.tree.causes import Tree
from generator.findings.tree.population import one_step
from generator.findings.tree.roadmap import Roadmap, Step
from generator.metrics.model import Results
from generator.metrics.values import measured

_STEADY = "time.steady"
_WAIT = "host.gap"
"""The step on this cause takes the longest gap of each iteration."""
_Part = Literal["goes", "stays"]
_SHARES: Mapping[str, tuple[str, str, _Part]] = MappingProxyType(
    {
        "time.gpu_idle_share": ("host", WALL, "goes"),
        "time.gpu_utilisation": ("host", WALL, "stays"),
        "time.steady_idle_share": ("host", _STEADY, "goes"),
        "time.steady_utilisation": ("host", _STEADY, "stays"),
        "time.long_gap_share": ("host", _STEADY, "goes"),
        "time.exposed_copy_share": ("transfers", WALL, "goes"),
        "time.iteration_exposed_copy_share": ("transfers", _STEADY, "goes"),
    }
)
"""Shares by metric: the branch of causes whose steps change them, what they are a share of, and
whether the time that such a step takes off it is theirs or not."""


def told_apart(
    roadmap: Roadmap, findings: Sequence[Finding], tree: Tree, results: Results
) -> Roadmap:
    """`roadmap` with the findings that a step answers only in part in `part` of it."""
    by_code = {finding.rule.code: finding for finding in findings}

    def told(step: Step) -> Step:
        lead = by_code[step.code]
        values = _after(lead, results)
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
        one_step(tree, cause)
        for cause in (tree.find(each.rule.parent) for each in (lead, other))
        if cause is not None
    ]
    return len(steps) == 2 and steps[0] == steps[1] != ""


def _passes(other: Finding, after: Results) -> bool:
    (found,) = evaluate(after, {other.rule.code: other.rule})
    return found.status == "passed"


def _after(lead: Finding, results: Results) -> dict[str, float]:
    """Values of metrics as they would be at best after the step; none where nothing bounds it."""
    worth = lead.estimate
    if worth is None or worth.saved is None or not worth.of.on_clock:
        return {}
    branch = lead.rule.parent.partition(".")[0]
    values = {
        metric: _share_after(value, whole, _saved(worth, of, whole), part)
        for metric, (where, of, part) in _SHARES.items()
        if where == branch
        and (value := measured(results, metric)) is not None
        and (whole := measured(results, of)) is not None
    }
    other = measured(results, "time.longest_other_gap")
    if other is not None and (lead.rule.parent + ".").startswith((f"{_WAIT}.", "host.data.")):
        values["time.longest_gap"] = other
    return values


def _saved(worth: Estimate, of: str, whole: float) -> float:
    """What the step takes off steady iterations, or off the run [s]."""
    if of == _STEADY and worth.of.kind == "iteration":
        return worth.reduction * whole
    return worth.saved or 0.0


def _share_after(value: float, whole: float, saved: float, part: _Part) -> float:
    left = max(whole - saved, 0.0)
    own = value * whole - (saved if part == "goes" else 0.0)
    return share(own / left) if left > 0.0 else 0.0
