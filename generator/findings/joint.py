"""What several findings are worth together: a bound on the union of the time that they concern.

In:  a tree of causes, and claims: so much of the whole, at this node.
Out: bounds of the union. Estimates are never added or multiplied anywhere else.

Claims on different causes concern different time, for causes share out their parent: they add
up. Claims on one cause may concern the same time. From above, their union is at most their
sum, or the largest where the node says that they are the same, and never more than the node.
From below it is at least the largest.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass

from generator.findings.causes import Cause, Tree
from generator.findings.causes_catalog import ROOT


@dataclass(frozen=True)
class Claim:
    """An amount of a tree's whole that a finding could save, at the cause that it concerns."""

    key: str
    most: float
    least: float = 0.0


def joint_most(tree: Tree, claims: Sequence[Claim]) -> float:
    """Upper bound of what all claims save together, in the unit of the tree's whole."""
    root = tree.find(ROOT)
    return _most(tree, root, claims) if root is not None else 0.0


def joint_least(tree: Tree, claims: Sequence[Claim]) -> float:
    """Lower bound of what all claims save together, each at its own lower end."""
    root = tree.find(ROOT)
    return _least(tree, root, claims) if root is not None else 0.0


def _most(tree: Tree, cause: Cause, claims: Sequence[Claim]) -> float:
    own = [claim.most for claim in claims if claim.key == cause.key]
    below = [_most(tree, child, claims) for child in tree.children(cause.key)]
    together = max([math.fsum(below), *own]) if cause.same else math.fsum([*own, *below])
    return min(together, _room(cause))


def _least(tree: Tree, cause: Cause, claims: Sequence[Claim]) -> float:
    own = [claim.least for claim in claims if claim.key == cause.key]
    children = tree.children(cause.key)
    parts = math.fsum(_least(tree, child, claims) for child in children if not child.view)
    views = [_least(tree, child, claims) for child in children if child.view]
    return min(max([parts, *views, *own]), _room(cause))


def _room(cause: Cause) -> float:
    """All that a cause can give; nothing where it is no part of the whole.

    That is the upper end of an amount that is sampled. A view without an amount is limited by its
    parent alone.
    """
    if cause.amount is not None and cause.most is not None:
        return max(cause.most, cause.amount)
    if cause.amount is not None:
        return cause.amount
    return math.inf if cause.view else 0.0
