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
from collections import defaultdict
from dataclasses import dataclass, field

import numpy as np

from perfolio.readers.events.recording import NONE, Ints, RangeColumns, RangeKind

DEEPEST = 1_000
"""Contexts above a context at most: what lies deeper is taken to be called one level higher."""
_PIECE = 1 << 16
"""Ranges that are placed at a time."""
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
    own: dict[tuple[int, int], int]
    """Time by line and context, without what was called there [ns]."""
    points: dict[int, tuple[array[int], array[int]]]
    """Of each line the moments of change [ns], and the innermost context from there on: 0 where it
    is in nothing that was recorded, and at the end."""


def place_ranges(
    ranges: RangeColumns, tree: CallingContextTree, entries: dict[int, int]
) -> NestedRanges:
    """Place all ranges in the tree, below the entry point of their line."""
    line, start, duration = ranges["line"], ranges["start"], ranges["duration"]
    order = np.lexsort((ranges["kind"], -duration, start, line))
    context = np.zeros(len(ranges), np.int64)
    parent = np.full(len(ranges), NONE, np.int64)
    found, inner = NestedRanges(context, parent, {}, {}), dict[tuple[int, int], int]()
    bounds = np.flatnonzero(np.diff(line[order], prepend=NONE))
    for rows in np.split(order, bounds[1:]) if len(order) else []:
        number = int(line[rows[0]])
        walk = _LineWalk(tree, inner, entries[number], int(start[rows[0]]))
        for first in range(0, len(rows), _PIECE):
            _walk_piece(ranges, rows[first : first + _PIECE], walk)
        walk.end()
        context[rows] = np.frombuffer(walk.contexts, np.int64)
        parent[rows] = np.frombuffer(walk.parents, np.int64)
        found.own.update({(number, place): spent for place, spent in walk.own.items()})
        found.points[number] = (walk.moments, walk.places)
    return found


def _new_array() -> array[int]:
    return array("q")


@dataclass
class _LineWalk:
    """Along one line, in order of time."""

    tree: CallingContextTree
    inner: dict[tuple[int, int], int]
    """The context of a place of code within another context, as far as known."""
    entry: int
    last: int
    """When the last range ended, of those that began [ns]."""
    stack: list[tuple[int, int, int, int]] = field(default_factory=list)
    """Of each range that has begun, and not ended: its end, context and position, and the context
    that its time is charged to."""
    contexts: array[int] = field(default_factory=_new_array)
    parents: array[int] = field(default_factory=_new_array)
    """Of each range in order, as `NestedRanges`."""
    own: defaultdict[int, int] = field(default_factory=lambda: defaultdict(int))
    moments: array[int] = field(default_factory=_new_array)
    places: array[int] = field(default_factory=_new_array)

    def change(self, moment: int, context: int) -> None:
        """From `moment` on the thread is in `context`."""
        if self.moments and self.moments[-1] == moment:
            self.places[-1] = context
        elif not self.places or self.places[-1] != context:
            self.moments.append(moment)
            self.places.append(context)

    def end(self) -> None:
        """Nothing is known of the thread after its last range."""
        self.leave_until(self.last)
        if self.moments[-1] < self.last:
            self.moments.append(self.last)
            self.places.append(ROOT)

    def leave_until(self, moment: int) -> None:
        """End all ranges that have ended at `moment`."""
        stack = self.stack
        while stack and stack[-1][0] <= moment:
            stop = stack.pop()[0]
            self.change(stop, stack[-1][1] if stack else ROOT)

    def mark(self, start: int) -> None:
        """A step begins: it is no context."""
        self.contexts.append(self.stack[-1][1] if self.stack else self.entry)
        self.parents.append(NONE)
        self.change(start, self.stack[-1][1] if self.stack else ROOT)

    def enter(self, row: int, kind: int, code: int, start: int, stop: int) -> None:
        """Begin a range within those that have not ended.

        Time in calls of the operating system is charged to what made them.
        """
        outer, parent, above = self.entry, NONE, NONE
        if self.stack:
            end, outer, parent, above = self.stack[-1]
            stop = min(stop, end)
        context = self.inner.get((outer, code)) or self._find_context(outer, code)
        self.contexts.append(context)
        self.parents.append(parent)
        charged = above
        if kind != RangeKind.SYSTEM:
            charged = context
            if stop > start:
                self.own[context] += stop - start
                if above != NONE:
                    self.own[above] -= stop - start
        self.stack.append((stop, context, row, charged))
        self.change(start, context)

    def _find_context(self, outer: int, code: int) -> int:
        tree = self.tree
        shallow = tree.depths[outer] < DEEPEST
        found = tree.below(outer if shallow else tree.parents[outer], code)
        self.inner[outer, code] = found
        return found


def _walk_piece(ranges: RangeColumns, rows: Ints, walk: _LineWalk) -> None:
    """Along some ranges: numbers of all at once would take more memory than their columns."""
    starts = ranges["start"][rows]
    stops = starts + ranges["duration"][rows]
    kinds, codes = ranges["kind"][rows].tolist(), ranges["code"][rows].tolist()
    step, stack = int(RangeKind.STEP), walk.stack
    for row, kind, code, start, stop in zip(
        rows.tolist(), kinds, codes, starts.tolist(), stops.tolist(), strict=True
    ):
        if stack and stack[-1][0] <= start:
            walk.leave_until(start)
        if kind == step:
            walk.mark(start)
        else:
            walk.enter(row, kind, code, start, stop)
    walk.last = max(walk.last, int(stops.max()))
