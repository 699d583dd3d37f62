"""What several findings are worth together: a bound on the union of the time that they concern.

In:  a tree of causes, and claims: so much of the whole, at this node.
Out: bounds of the union. Estimates are never added or multiplied anywhere else.

Claims add up, and are never more than the cause that bounds them: the one that they concern, or
one above where its amount is told by samples, or is another part of the same time. Claims on causes
that one step answers (`same`) are the same time seen in several ways, so there the largest counts;
and so are parts of claims beyond their causes that have the same name (`host.launch/after copies`).
Only causes whose amount is all that a finding on them can save bound anything; a view does not.
No joint bound is less than that of one finding alone, which is one of its own right.
"""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field

from generator.findings.tree.catalog import ROOT, load_causes
from generator.findings.tree.causes import Cause, Tree


@dataclass(frozen=True)
class Claim:
    """An amount of a tree's whole that a finding could save, at the cause that it concerns."""

    key: str
    most: float
    beyond: Mapping[str, float] = field(default_factory=dict)
    """The parts of `most` that lie in other causes, by their keys: copies that go with it. With a
    name after the key, separated by `/`, the same time as other parts of that name."""


def joint_most(tree: Tree, claims: Sequence[Claim]) -> float:
    """Upper bound of what all claims save together, in the unit of the tree's whole."""
    root = tree.find(ROOT)
    if root is None:
        return 0.0
    alone = (_most(tree, root, _placed(tree, [claim])) for claim in claims)
    return max(_most(tree, root, _placed(tree, claims)), *alone, 0.0)


def _placed(tree: Tree, claims: Sequence[Claim]) -> list[tuple[str, float]]:
    """Amounts at the causes that bound them; none of a cause that is no part of the whole.

    Of the claims that one step answers the largest, within the cause and beyond it. A part beyond
    it is the same time as what findings on that other cause claim.
    """
    found: dict[tuple[str, str], tuple[float, str]] = {}
    for place, claim in enumerate(claims):
        cause = tree.find(claim.key)
        if cause is None:
            continue
        step, left = one_step(tree, cause) or str(place), claim.most
        for key, amount in claim.beyond.items():
            other = place_of(tree, key)
            if other is not None:
                is_named = key != cause_of(key)
                further = (min(amount, left), (is_named and other.within) or other.key)
                left -= further[0]
                slot = ("", key) if is_named else _slot(tree, cause, other, step, key)
                found[slot] = max(found.get(slot, further), further)
        within = (left, cause.within or cause.key)
        found[step, "within"] = max(found.get((step, "within"), within), within)
    return [(key, amount) for amount, key in found.values()]


def place_of(tree: Tree, part: str) -> Cause | None:
    """The cause in which a part of a claim lies, or the nearest above it that the tree has.

    None where that is the whole run.
    """
    parents = {node.key: node.parent for node in load_causes()[1]}
    key = cause_of(part)
    while key and tree.find(key) is None:
        key = parents.get(key, "")
    return tree.find(key) if key != ROOT else None


def cause_of(part: str) -> str:
    """The key of the cause in which a part of a claim lies, which may have a name of its own."""
    return part.partition("/")[0]


def _slot(tree: Tree, cause: Cause, other: Cause, step: str, key: str) -> tuple[str, str]:
    """What a part in `other` of a claim at `cause` is the same time as."""
    shared = one_step(tree, other)
    return (shared, "within") if shared else (_inner_step(tree, cause) or step, key)


def _inner_step(tree: Tree, cause: Cause) -> str:
    """The step on the cause below or beside one in which its claims lie: beyond it is the same."""
    inner = tree.find(cause.within)
    beside = inner is not None and inner.parent in (cause.key, cause.parent)
    return one_step(tree, inner) if inner is not None and beside else ""


def one_step(tree: Tree, cause: Cause) -> str:
    """The outermost cause of those that one step answers; empty where each has its own."""
    found = ""
    known: Cause | None = cause
    while known is not None and known.same:
        found, known = known.key, tree.find(known.parent)
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
