"""Callers and callees to calling paths, of tools that record no paths.

In:  functions with their own amounts, and calls between them with what each call cost.
Out: a tree in which the contexts of a function have together what the function has.

What a function costs is divided among its callers by what their calls cost, and so further up: as
gprof does, which assumes that a function costs the same whoever calls it. Functions that call each
other in a circle stand below the one by which the circle is entered, each with its own amount.
"""

from __future__ import annotations

import heapq
from collections import defaultdict
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field

import numpy as np

from perfolio.readers.hatchet.call_places import CostedCallTree, PlaceAmounts
from perfolio.readers.hatchet.worker import HatchetTables

MOST_CONTEXTS = 20_000
ROUNDED = 0.01
"""Of what a function costs: what its callers may lack of it because numbers are rounded."""
Edges = Mapping[tuple[int, int], float]


@dataclass
class FunctionTree:
    """A tree of functions."""

    parents: list[int] = field(default_factory=list)
    functions: list[int] = field(default_factory=list)
    amounts: list[float] = field(default_factory=list)
    lost: float = 0.0
    """What the contexts beyond the most that are made would have."""
    circles: int = 0
    """Functions that call each other in a circle."""


def make_function_tree(own: Sequence[float], whole: Sequence[float], edges: Edges) -> FunctionTree:
    """The tree of functions with their own amounts and amounts with all below."""
    circle = _find_circles(len(own), edges)
    return _PathSpread(own, whole, edges, circle).paths()


class _PathSpread:
    """From the roots down, the largest amounts first."""

    def __init__(
        self, own: Sequence[float], whole: Sequence[float], edges: Edges, circle: list[int]
    ) -> None:
        self.own, self.circle = own, circle
        self.members: dict[int, list[int]] = defaultdict(list)
        for function, number in enumerate(circle):
            self.members[number].append(function)
        self.called: dict[int, list[tuple[int, float]]] = defaultdict(list)
        into: dict[int, float] = defaultdict(float)
        callers: dict[int, int] = defaultdict(int)
        for (caller, callee), amount in edges.items():
            if circle[caller] != circle[callee]:
                into[circle[callee]] += amount
                callers[circle[callee]] += 1
                self.called[caller].append((callee, amount))
        self.into, self.callers = into, callers
        self.begins = self._begins(whole)
        self.found = FunctionTree(circles=sum(len(m) for m in self.members.values() if len(m) > 1))

    def _begins(self, whole: Sequence[float]) -> list[tuple[int, float]]:
        """Functions that nothing recorded calls, or not all of them, with what they have there."""
        begins = []
        for number, members in self.members.items():
            into = self.into[number]
            most = max(whole[each] for each in members)
            rest = most - into
            if not self.callers[number] or rest > ROUNDED * most:
                self.into[number] = into + max(rest, 0.0)
                begins.append((max(members, key=lambda each: (whole[each], -each)), max(rest, 0.0)))
        return begins

    def paths(self) -> FunctionTree:
        """The tree."""
        waiting = [(-self._share(f, amount), f, -1) for f, amount in self.begins]
        heapq.heapify(waiting)
        while waiting:
            share, function, parent = heapq.heappop(waiting)
            if len(self.found.functions) >= MOST_CONTEXTS:
                self.found.lost += -share * self._all_of(function)
                continue
            for callee, part, at in self._enter(function, parent, -share):
                heapq.heappush(waiting, (-part, callee, at))
        return self.found

    def _enter(self, function: int, parent: int, share: float) -> list[tuple[int, float, int]]:
        """Contexts of a function, and of those that it is in a circle with; then what they call."""
        first = self._add(function, parent, share)
        places = {function: first}
        for other in self.members[self.circle[function]]:
            if other != function:
                places[other] = self._add(other, first, share)
        return [
            (callee, share * self._share(callee, amount), at)
            for caller, at in places.items()
            for callee, amount in sorted(self.called[caller])
        ]

    def _add(self, function: int, parent: int, share: float) -> int:
        self.found.parents.append(parent)
        self.found.functions.append(function)
        self.found.amounts.append(share * self.own[function])
        return len(self.found.functions) - 1

    def _share(self, function: int, amount: float) -> float:
        """Which part of a function, or of its circle, a call is."""
        number = self.circle[function]
        into = self.into[number]
        if into > 0:
            return amount / into
        return 1.0 / max(self.callers[number], 1)

    def _all_of(self, function: int) -> float:
        return sum(self.own[each] for each in self.members[self.circle[function]])


def _find_circles(count: int, edges: Edges) -> list[int]:
    """The circle of each function: strongly connected components, by Kosaraju's algorithm."""
    forth: dict[int, list[int]] = defaultdict(list)
    back: dict[int, list[int]] = defaultdict(list)
    for caller, callee in edges:
        forth[caller].append(callee)
        back[callee].append(caller)
    ended: list[int] = []
    seen: set[int] = set()
    for root in range(count):
        ended += _walk_graph(root, forth, seen)
    circle, seen = [0] * count, set()
    for number, root in enumerate(reversed(ended)):
        for function in _walk_graph(root, back, seen):
            circle[function] = number
    return circle


def _walk_graph(root: int, after: Mapping[int, list[int]], seen: set[int]) -> list[int]:
    """What is reached from `root` and was not seen, each after all that it reaches."""
    if root in seen:
        return []
    seen.add(root)
    ended, path = [], [(root, iter(after.get(root, ())))]
    while path:
        at, rest = path[-1]
        step = next((each for each in rest if each not in seen), None)
        if step is None:
            ended.append(at)
            path.pop()
        else:
            seen.add(step)
            path.append((step, iter(after.get(step, ()))))
    return ended


def spread_calls(calls: CostedCallTree, framed: HatchetTables) -> CostedCallTree:
    """A tree of paths in place of functions and who calls whom."""
    edges: dict[tuple[int, int], float] = {}
    for row in framed.edges:
        pair = (row["caller"], row["called"])
        edges[pair] = edges.get(pair, 0.0) + max(row["amount"], 0.0)
    own = calls.measures[0].amounts[0]
    whole = framed.amounts.select(["place", "metric time (inc)"]).to_pylist()
    inclusive = [0.0] * len(calls.places)
    for row in whole:
        if row["place"] >= 0:
            inclusive[row["place"]] = float(row["metric time (inc)"] or 0.0)
    paths = make_function_tree(own.tolist(), inclusive, edges)
    places = [
        calls.places[function]._replace(parent=parent)
        for function, parent in zip(paths.functions, paths.parents, strict=True)
    ]
    calls.notes.append(
        "the tool records callers, not calling paths: a function's cost is divided among its "
        "callers by what their calls cost"
    )
    calls.notes += list(_describe_losses(paths.circles, paths.lost, float(own.sum())))
    measure = PlaceAmounts(calls.measures[0].measure, np.array([paths.amounts]), is_inclusive=False)
    return CostedCallTree(places, calls.threads, [measure], calls.notes, calls.title, calls.version)


def _describe_losses(circles: int, lost: float, total: float) -> Iterator[str]:
    if circles:
        yield (
            f"{circles} functions call each other in circles: they stand below the one by which a "
            "circle is entered"
        )
    if lost > ROUNDED * 1e-3 * total:
        yield f"paths beyond the largest ones, with {lost / total:.2%} of the total, are left out"
