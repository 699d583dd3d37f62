"""What steps and severities are judged by: the steady iterations, where a run has them.

In:  amounts of time, the causes that they concern, and the tree of these.
Out: shares of what each is judged by.

Start-up, warm-up and the end of a run do not grow with it, so that a share of a short run says
little about a long one. What takes place there is still judged by the whole, once.
"""

from __future__ import annotations

from generator.findings.estimates.bounds import share
from generator.findings.estimates.ledger import STEADY, within
from generator.findings.terms.effect import saved
from generator.findings.terms.finding import Estimate
from generator.findings.tree.causes import Cause, Tree


def recurs(tree: Tree, key: str) -> bool:
    """Whether a cause may lie in iterations, as far as the ledger tells."""
    cause = tree.find(key)
    periods = cause.cells.period if cause is not None and cause.cells is not None else None
    return periods is None or not periods.isdisjoint(STEADY.period or ())


def judged_share(tree: Tree, amount: float, cause: str) -> float:
    """What `amount` is at most of what it is judged by [ratio]."""
    whole = tree.steady if tree.steady is not None and recurs(tree, cause) else tree.amount
    return share(amount / whole) if whole > 0.0 else 0.0


def steady_share(tree: Tree, worth: Estimate) -> float | None:
    """What a gain is of the steady iterations, a warm-up left out; None where it has no part there.

    Of an iteration that is its own bound.
    """
    if tree.steady is None or worth.of.kind == "iteration":
        return None if tree.steady is None else worth.reduction
    found = saved(worth.effects, within(tree.cells, STEADY))
    return share(found / tree.steady) if found > 0.0 else None


def one_step(tree: Tree, cause: Cause) -> str:
    """The outermost cause of those that one step answers; empty where each has its own."""
    found = ""
    known: Cause | None = cause
    while known is not None and known.same:
        found, known = known.key, tree.find(known.parent)
    return found
