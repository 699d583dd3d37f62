"""What several findings are worth together: a bound on the union of the time that they concern.

In:  a tree of causes, and claims: so much of the whole, at this node.
Out: bounds of the union. Estimates are never added or multiplied anywhere else.

From above, claims add up, and are never more than the cause that bounds them: the one that they
concern, or one above where its amount is told by samples, or is another part of the same time.
Only causes whose amount is all that a finding on them can save bound anything; a view does not.
From below the union is the largest claim. Lower ends do not add up even on different causes: what
runs beside other work instead of before it is hidden only as long as that other work lasts.
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
    beyond: float = 0.0
    """The part of `most` that may lie outside of the cause, anywhere in `outside`."""
    outside: str = ROOT


def joint_most(tree: Tree, claims: Sequence[Claim]) -> float:
    """Upper bound of what all claims save together, in the unit of the tree's whole."""
    root = tree.find(ROOT)
    return _most(tree, root, _placed(tree, claims)) if root is not None else 0.0


def joint_least(tree: Tree, claims: Sequence[Claim]) -> float:
    """Lower bound of what all claims save together: the largest lower end."""
    return max((min(claim.least, joint_most(tree, [claim])) for claim in claims), default=0.0)


def _placed(tree: Tree, claims: Sequence[Claim]) -> list[tuple[str, float]]:
    """Amounts at the causes that bound them; none of a cause that is no part of the whole."""
    found = []
    for claim in claims:
        cause, outside = tree.find(claim.key), tree.find(claim.outside)
        beyond = min(claim.beyond, claim.most) if outside is not None else 0.0
        if cause is not None:
            found.append((cause.within or cause.key, claim.most - beyond))
        if outside is not None and beyond > 0.0:
            found.append((outside.key, beyond))
    return found


def _most(tree: Tree, cause: Cause, placed: Sequence[tuple[str, float]]) -> float:
    own = [amount for key, amount in placed if key == cause.key]
    below = [_most(tree, child, placed) for child in tree.children(cause.key)]
    return min(math.fsum([*own, *below]), _room(cause))


def _room(cause: Cause) -> float:
    """All that a cause can give; nothing where it is no part of the whole.

    That is the upper end of an amount that is sampled. A view is limited by its parent alone.
    """
    if cause.view:
        return math.inf
    if cause.amount is not None and cause.most is not None:
        return max(cause.most, cause.amount)
    return cause.amount if cause.amount is not None else 0.0
