"""Findings that wait for another step: faster kernels, while the GPU waits for launches.

In:  findings, the tree of causes and the results of a run.
Out: the findings, those on kernels with what they wait for and why.

Where the GPU has run dry before the next launch comes, the host sets the pace: a shorter kernel
then lengthens the pause after it. That ends with the step on the pauses, and comes after it.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import replace

from msgspec import structs

from perfolio.findings.model.confidence import FEWER_LAUNCHES
from perfolio.findings.model.finding import Finding
from perfolio.findings.tree.cause_tree import CauseTree
from perfolio.metrics.metric_values import get_value
from perfolio.metrics.model import Results

MUCH = 0.1
"""From this share of the steady iterations on, pauses between operations hold kernels back."""
_PAUSES = "host.launch"
_KERNELS = "gpu.kernels"
_WHY = "while the GPU pauses between launches, faster kernels may save less, or nothing"


def hold_back_steps(
    findings: Iterable[Finding], tree: CauseTree, results: Results
) -> tuple[Finding, ...]:
    """`findings` in their order; as they are where the GPU hardly pauses, or the profiler made it.

    Pauses that PC sampling may have made are no part of the tree, and what it left is no launch.
    Where a step was timed without the profiler, that tells how much the GPU can pause in it.
    """
    pauses = tree.find(_PAUSES)
    if pauses is None or pauses.amount is None or tree.steady is None or tree.left_out > 0.0:
        return tuple(findings)
    unprofiled = get_value(results, "time.unprofiled_idle_share")
    paused = tree.judged_share(pauses.amount, _PAUSES)
    if min(paused, paused if unprofiled is None else unprofiled) <= MUCH:
        return tuple(findings)
    listed = tuple(findings)
    on_pauses = tuple(
        each.rule.code for each in listed if each.status == "fired" and each.rule.cause == _PAUSES
    )
    return tuple(_make_waiting(each, on_pauses) for each in listed)


def _make_waiting(finding: Finding, first: tuple[str, ...]) -> Finding:
    rule = finding.rule
    is_faster = f"{rule.cause}.".startswith(f"{_KERNELS}.") and rule.cause not in FEWER_LAUNCHES
    if finding.status != "fired" or not is_faster:
        return finding
    after = tuple(dict.fromkeys((*rule.after, *first)))
    return replace(finding, rule=structs.replace(rule, after=after), held_back=_WHY)
