"""Ranges of host threads to calling contexts, and to what each thread was in at each moment.

In:  ranges with begin, duration and place of code, in any order.
Out: a tree of contexts, the context of each range, time in each context without what is called
     there, and the moments at which a thread's innermost context changes.

A range lies within those of its thread that have begun and not ended when it begins. What reaches
beyond the end of the one around it, as clocks of several recorders allow, is cut there: no
nanosecond of a thread counts twice.
"""

from __future__ import annotations

from array import array
from collections.abc import Iterable
from dataclasses import dataclass, field
from itertools import pairwise

import numpy as np

from perfolio.readers.events.recording import NONE, Ints, RangeColumns, RangeKind

DEEPEST = 1_000
"""Contexts above a context at most: what lies deeper is taken to be called one level higher."""
_PIECE = 1 << 16
"""Ranges that are placed at a time: numbers of all at once would take more memory than columns."""
_NEVER = 1 << 63
_BITS = 32
"""Of the number of a context: of more contexts there is no tree."""
Amounts = tuple[Ints, Ints, Ints]
_NOTHING = (np.zeros(0, np.int64),) * 3
ROOT = 0
"""The run as a whole, above all entry points: no context of its own."""


@dataclass
class CallingContextTree:
    """Calling contexts: each is a place of code below another one, numbered from 1."""

    parents: array[int] = field(default_factory=lambda: array("q", [ROOT]))
    codes: array[int] = field(default_factory=lambda: array("q", [NONE]))
    depths: array[int] = field(default_factory=lambda: array("q", [0]))
    entries: array[int] = field(default_factory=lambda: array("q", [ROOT]))
    """The entry point above each."""
    known: dict[tuple[int, int], int] = field(default_factory=dict)

    def __len__(self) -> int:
        """Contexts with the whole run, which is number 0."""
        return len(self.parents)

    def below(self, parent: int, code: int) -> int:
        """The context of a place of code that is reached from another context."""
        found = self.known.get((parent, code))
        if found is None:
            found = len(self.parents)
            self.known[parent, code] = found
            self.parents.append(parent)
            self.codes.append(code)
            self.depths.append(self.depths[parent] + 1)
            self.entries.append(self.entries[parent] if parent != ROOT else found)
        return found


@dataclass(frozen=True)
class NestedRanges:
    """Where the ranges of a recording lie; columns by position of the range, or as said."""

    context: Ints
    """Context of each range; of a step, the context around it."""
    parent: Ints
    """Position of the range around each, steps left out; NONE where there is none."""
    own: Amounts
    """Lines and contexts, each pair once, and time there without what was called [ns]."""
    points: dict[int, tuple[Ints, Ints]]
    """Of each line the moments of change [ns], and the innermost context from there on: 0 where it
    is in nothing that was recorded, and at the end."""


def place_ranges(
    ranges: RangeColumns, tree: CallingContextTree, entries: dict[int, int]
) -> NestedRanges:
    """Place all ranges in the tree, below the entry point of their line."""
    order = np.lexsort((ranges["kind"], -ranges["duration"], ranges["start"], ranges["line"]))
    context = np.zeros(len(ranges), np.int64)
    parent = np.full(len(ranges), NONE, np.int64)
    walk, own = _RangeWalk(tree, entries), list[Amounts]()
    for first in range(0, len(order), _PIECE):
        rows = order[first : first + _PIECE]
        placed = walk.place(ranges, rows)
        context[rows], parent[rows] = placed.contexts, placed.parents
        own.append(_list_own_times(ranges, rows, placed))
    walk.end_line()
    pairs = [np.concatenate(column) for column in zip(*own, strict=True)]
    return NestedRanges(context, parent, _sum_amounts(*pairs) if own else _NOTHING, walk.points)


def _new_array() -> array[int]:
    return array("q")


@dataclass
class _PlacedRows:
    """Some ranges, in order of their lines and times."""

    contexts: list[int] = field(default_factory=list)
    parents: list[int] = field(default_factory=list)
    """As `NestedRanges`."""
    stops: list[int] = field(default_factory=list)
    """When they end within those around them [ns]."""
    charged: list[int] = field(default_factory=list)
    """The context that the time of those around them is charged to."""


@dataclass
class _RangeWalk:
    """Along all lines, one after the other, each in order of time."""

    tree: CallingContextTree
    entries: dict[int, int]
    points: dict[int, tuple[Ints, Ints]] = field(default_factory=dict)
    inner: dict[tuple[int, int], int] = field(default_factory=dict)
    """The context of a place of code within another context, as far as known."""
    line: int = NONE
    last: int = 0
    """When the last range of the line ended, of those that began [ns]."""
    stack: list[tuple[int, int, int, int, int]] = field(default_factory=list)
    """Of each range that has begun, and not ended: its end, the context of what begins in it, its
    position, its own context, and the one that its time is charged to. The first is the line."""
    moments: array[int] = field(default_factory=_new_array)
    places: array[int] = field(default_factory=_new_array)
    """What the line was in from when on, each change as it came."""

    def place(self, ranges: RangeColumns, rows: Ints) -> _PlacedRows:
        """Place some ranges, in order of their lines and times."""
        placed, start = _PlacedRows(), ranges["start"][rows]
        first = np.flatnonzero(np.diff(ranges["line"][rows], prepend=NONE))
        bounds = [0, *first[first > 0].tolist(), len(rows)]
        for begin, end in pairwise(bounds):
            own = rows[begin:end]
            line, stop = int(ranges["line"][own[0]]), start[begin:end] + ranges["duration"][own]
            if line != self.line:
                self.end_line()
                self.line, self.last = line, int(start[begin])
                self.stack = [(_NEVER, self.entries[line], NONE, ROOT, NONE)]
            columns = (own, ranges["kind"][own], ranges["code"][own], start[begin:end], stop)
            self._enter(placed, zip(*(each.tolist() for each in columns), strict=True))
            self.last = max(self.last, int(stop.max()))
        return placed

    def _enter(self, placed: _PlacedRows, rows: Iterable[tuple[int, ...]]) -> None:
        """Begin each range within those that have not ended; a step is no context."""
        stack, inner, moments, places = self.stack, self.inner, list[int](), list[int]()
        step, system = int(RangeKind.STEP), int(RangeKind.SYSTEM)
        contexts, stops, charges = placed.contexts, placed.stops, placed.charged
        for row, kind, code, start, stop in rows:
            while stack[-1][0] <= start:
                moments.append(stack.pop()[0])
                places.append(stack[-1][3])
            end, outer, parent, context, charged = stack[-1]
            if kind == step:
                contexts.append(outer)
                parent = NONE
            else:
                stop = stop if stop < end else end  # noqa: FURB136, PLW2901 - faster than `min`
                context = inner.get((outer, code)) or self._find_context(outer, code)
                contexts.append(context)
                stack.append((stop, context, row, context, charged if kind == system else context))
            placed.parents.append(parent)
            stops.append(stop)
            charges.append(charged)
            moments.append(start)
            places.append(context)
        self.moments.extend(moments)
        self.places.extend(places)

    def end_line(self) -> None:
        """Nothing is known of a line after its last range."""
        while len(self.stack) > 1:
            self.moments.append(self.stack.pop()[0])
            self.places.append(self.stack[-1][3])
        if self.line != NONE:
            self.moments.append(self.last)
            self.places.append(ROOT)
            self.points[self.line] = _settle_changes(self.moments, self.places)
        self.moments, self.places = _new_array(), _new_array()

    def _find_context(self, outer: int, code: int) -> int:
        tree = self.tree
        shallow = tree.depths[outer] < DEEPEST
        found = tree.below(outer if shallow else tree.parents[outer], code)
        self.inner[outer, code] = found
        return found


def _settle_changes(moments: array[int], places: array[int]) -> tuple[Ints, Ints]:
    """Each moment with the last of its places, but for moments that change nothing.

    One counts that changes something in between. The last one of a line is its end.
    """
    moment, place = np.frombuffer(moments, np.int64), np.frombuffer(places, np.int64)
    first = np.flatnonzero(np.diff(moment, prepend=moment[0] - 1))
    counts = np.diff(first, append=len(moment))
    after = place[first + counts - 1]
    before = np.concatenate([[NONE], after[:-1]])
    kept = np.logical_or.reduceat(place != np.repeat(before, counts), first)
    kept[-1] = True
    return moment[first[kept]], after[kept]


def _list_own_times(ranges: RangeColumns, rows: Ints, placed: _PlacedRows) -> Amounts:
    """Time by line and context, which what is around it does not have for itself.

    Time in calls of the operating system is charged to what made them.
    """
    line, kind = ranges["line"][rows], ranges["kind"][rows]
    context, charged = np.array(placed.contexts, np.int64), np.array(placed.charged, np.int64)
    spent = np.array(placed.stops, np.int64) - ranges["start"][rows]
    own = np.flatnonzero((spent > 0) & (kind != RangeKind.SYSTEM) & (kind != RangeKind.STEP))
    inner = own[charged[own] != NONE]
    return _sum_amounts(
        np.concatenate([line[own], line[inner]]),
        np.concatenate([context[own], charged[inner]]),
        np.concatenate([spent[own], -spent[inner]]),
    )


def _sum_amounts(line: Ints, context: Ints, amount: Ints) -> Amounts:
    """Each pair once."""
    pairs, each = np.unique(line << _BITS | context, return_inverse=True)
    total = np.zeros(len(pairs), np.int64)
    np.add.at(total, each, amount)
    return pairs >> _BITS, pairs & ((1 << _BITS) - 1), total
