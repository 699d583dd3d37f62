"""How much of the whole each cause has, and which cause it lies in.

In:  the nodes of `causes.yaml`, those of them that have something to tell, and a run's results.
Out: parent and amount by node. A child has no more than its parent leaves; a view of the same
     time takes nothing from its siblings. No upper end by samples is above that of the parent.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Literal

from generator.errors import ContentError
from generator.findings.estimates.amounts import amount
from generator.findings.terms.conditions import all_hold
from generator.findings.tree.catalog import ROOT, Node
from generator.metrics.model import Results

_NEGLIGIBLE = 1e-9
_SMALL = 1e-3
"""A share of the whole that is told only of a branch, or where a finding is about it."""
_SMALL_VIEW = 1e-2
"""The same of a view, which no sum needs: less is not worth a step."""


def amounts_by_node(
    nodes: Sequence[Node],
    telling: Sequence[Node],
    whole: tuple[str, float],
    results: Results,
    named: set[str],
) -> dict[str, tuple[str, float]]:
    """Parent and amount of every node that has an amount of this whole, by key.

    A node that has nothing to tell is passed over: what lies below it moves up. So is one that
    is small, unless it is a branch of the whole or a finding names it or what lies below it.
    """
    key, size = whole
    named = named.union(*(_above(node, nodes) for node in nodes if node.key in named))
    placed: dict[str, tuple[str, float]] = {ROOT: ("", size)}
    left = {ROOT: size}
    for node in telling[1:]:
        parent = nearest(node.parent, nodes, placed)
        asked = left[parent] if node.rest and node.parent in placed else None
        asked = asked_by(node, key, results)[0] if asked is None else asked
        room = placed[parent][1] if node.view else left[parent]
        least = _least(node, is_told=parent == ROOT or node.key in named)
        if asked is None or min(asked, room) <= least * size:
            continue
        taken = min(asked, room)
        placed[node.key] = (parent, taken)
        left[node.key] = taken
        if not node.view:
            left[parent] -= taken
    return placed


def _least(node: Node, *, is_told: bool) -> float:
    """The share of the whole that a node must exceed."""
    if is_told:
        return _NEGLIGIBLE
    return _SMALL_VIEW if node.view else _SMALL


def _above(node: Node, nodes: Sequence[Node]) -> set[str]:
    parents = {each.key: each.parent for each in nodes}
    found, key = set[str](), node.parent
    while key:
        found.add(key)
        key = parents[key]
    return found


def asked_by(node: Node, whole: str, results: Results) -> tuple[float | None, str]:
    """What a node asks for by its best formula that is measured, and the formula."""
    if not all_hold(node.when, results):
        return None, ""
    fitting = (each for each in node.amounts.get(whole, ()) if all_hold(each.when, results))
    values = ((amount(each.text, results), each.text) for each in fitting)
    return next((found for found in values if found[0] is not None), (None, ""))


def upper_ends(
    nodes: Sequence[Node],
    placed: Mapping[str, tuple[str, float]],
    whole: str,
    results: Results,
) -> dict[str, float]:
    """The upper end of each amount that is sampled, by key: never above that of its parent."""
    found: dict[str, float] = {}
    for node in (each for each in nodes if each.key in placed):
        parent, own = placed[node.key]
        high = _most_of(node, whole, results)
        if high is not None and parent:
            high = min(high, found.get(parent, placed[parent][1]))
        if high is not None and high > own:
            found[node.key] = high
    return found


def _most_of(node: Node, whole: str, results: Results) -> float | None:
    """The upper end of what a node asks for, None where it is exact or not measured."""
    value, formula = asked_by(node, whole, results)
    if whole in node.most:
        high = amount(node.most[whole], results)
    else:
        high = amount(formula, results, "high") if formula else None
    return high if value is not None and high is not None and high > value else None


def bound_of(
    node: Node, nodes: Sequence[Node], placed: Mapping[str, tuple[str, float]]
) -> Literal["", "least", "most"]:
    """Whether a node's amount is a lower bound, or an upper one: what lower ones leave."""
    if node.key not in placed:
        return ""
    if node.at_least:
        return "least"
    parent = placed[node.key][0]
    beside = (each for each in nodes if each.at_least and each.key in placed and not each.view)
    return "most" if node.rest and any(placed[each.key][0] == parent for each in beside) else ""


def nearest(key: str, nodes: Sequence[Node], placed: Mapping[str, object]) -> str:
    """`key`, or the nearest node above it that this run has."""
    above = {node.key: node.parent for node in nodes}
    while key not in placed:
        if key not in above:
            raise ContentError(f"causes.yaml has no node {key!r}")
        key = above[key]
    return key
