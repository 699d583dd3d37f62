"""What steps and severities are judged by: the steady iterations, where a run has them.

In:  amounts of time, the causes that they concern, and the tree of these.
Out: shares of what each is judged by.

Start-up, warm-up and the end of a run do not grow with it, so that a share of a short run says
little about a long one. What takes place there is still judged by the whole, once.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from generator.findings.estimates.bounds import share
from generator.findings.estimates.clock import steady_time
from generator.findings.terms.finding import Estimate, Finding
from generator.findings.tree.causes import Tree
from generator.metrics.model import Results

_ONCE = ("host.start", "host.warm_up", "host.tail", "cpu")
"""Causes that lie outside of iterations, or that no iteration is known of."""


def recurs(cause: str) -> bool:
    """Whether a cause, by its key, may lie in iterations."""
    return not any(cause == key or cause.startswith(f"{key}.") for key in _ONCE)


def judged_share(tree: Tree, amount: float, cause: str) -> float:
    """What `amount` is at most of what it is judged by [ratio]."""
    whole = tree.steady if tree.steady is not None and recurs(cause) else tree.amount
    return share(amount / whole) if whole > 0.0 else 0.0


def with_steady(worth: Estimate, cause: str, results: Results) -> Estimate:
    """A gain of a whole run, with its share of the steady iterations where it may lie there."""
    steady = steady_time(results)
    if steady is None or worth.saved is None or worth.kind != "gain":
        return worth
    if worth.steady is not None or not (worth.of.of_the_run and recurs(cause)):
        return worth
    return replace(worth, steady=share(worth.saved / steady))


def of_steady(tree: Tree, most: float, counted: Sequence[Finding]) -> float | None:
    """What `most`, the joint bound of findings, is of the steady iterations, a warm-up left out."""
    known = [each for each in counted if recurs(each.rule.parent)]
    saved = max((worth.saved or 0.0 for each in known if (worth := each.estimate)), default=0.0)
    if tree.steady is None or not saved > 0.0:
        return None
    largest = max(_steady_gain(tree, each) for each in known)
    return min(largest * max(most / saved, 1.0), 1.0)


def _steady_gain(tree: Tree, finding: Finding) -> float:
    worth = finding.estimate
    if worth is None or worth.of.kind == "iteration":
        return 0.0 if worth is None else worth.reduction
    if worth.steady is not None:
        return worth.steady
    return judged_share(tree, worth.saved or 0.0, finding.rule.parent)
