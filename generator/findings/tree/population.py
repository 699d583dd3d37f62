"""What steps and severities are judged by: the steady iterations, where a run has them.

In:  amounts of time, the causes that they concern, and the tree of these.
Out: shares of what each is judged by.

Start-up, warm-up and the end of a run do not grow with it, so that a share of a short run says
little about a long one. What takes place there is still judged by the whole, once.
"""

from __future__ import annotations

from generator.findings.estimates.bounds import share
from generator.findings.terms.finding import Finding
from generator.findings.tree.causes import Cause, Tree

_ONCE = ("host.start", "host.warm_up", "host.tail", "cpu")
"""Causes that lie outside of iterations, or that no iteration is known of."""


def recurs(cause: str) -> bool:
    """Whether a cause, by its key, may lie in iterations."""
    return not any(cause == key or cause.startswith(f"{key}.") for key in _ONCE)


def judged_share(tree: Tree, amount: float, cause: str) -> float:
    """What `amount` is at most of what it is judged by [ratio]."""
    whole = tree.steady if tree.steady is not None and recurs(cause) else tree.amount
    return share(amount / whole) if whole > 0.0 else 0.0


def steady_share(tree: Tree, finding: Finding) -> float | None:
    """What a gain is of the steady iterations, a warm-up left out; None where it has no part there.

    By its own bound where that is of iterations, or says so.
    """
    worth = finding.estimate
    if tree.steady is None or worth is None or not worth.saved or not recurs(finding.rule.parent):
        return None
    if worth.of.kind == "iteration":
        return worth.reduction
    if worth.steady is not None:
        return worth.steady
    return judged_share(tree, worth.saved, finding.rule.parent)


def one_step(tree: Tree, cause: Cause) -> str:
    """The outermost cause of those that one step answers; empty where each has its own."""
    found = ""
    known: Cause | None = cause
    while known is not None and known.same:
        found, known = known.key, tree.find(known.parent)
    return found
