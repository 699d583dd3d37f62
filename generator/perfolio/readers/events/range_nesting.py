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
    calls: dict[tuple[int, int], int]
    """Ranges by line and context."""
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
    found = NestedRanges(context, parent, defaultdict(int), defaultdict(int), {})
    bounds = np.flatnonzero(np.diff(line[order], prepend=NONE))
    for rows in np.split(order, bounds[1:]) if len(order) else []:
        number = int(line[rows[0]])
        _place_line(ranges, rows, number, _LineWalk(tree, found, number, entries[number]))
    return found


@dataclass
class _LineWalk:
    """Along one line, in order of time."""

    tree: CallingContextTree
    found: NestedRanges
    line: int
    entry: int
    stops: list[int] = field(default_factory=list)
    contexts: list[int] = field(default_factory=list)
    rows: list[int] = field(default_factory=list)
    charged: list[int] = field(default_factory=list)
    """Of each range that has begun, the context that its time is charged to."""
    moments: array[int] = field(default_factory=lambda: array("q"))
    places: array[int] = field(default_factory=lambda: array("q"))

    def change(self, moment: int, context: int) -> None:
        """From `moment` on the thread is in `context`."""
        if self.moments and self.moments[-1] == moment:
            self.places[-1] = context
        elif not self.places or self.places[-1] != context:
            self.moments.append(moment)
            self.places.append(context)

    def end(self, moment: int) -> None:
        """Nothing is known of the thread after `moment`."""
        if self.moments[-1] < moment:
            self.moments.append(moment)
            self.places.append(ROOT)

    def leave_until(self, moment: int) -> None:
        """End all ranges that have ended at `moment`."""
        while self.stops and self.stops[-1] <= moment:
            stop = self.stops.pop()
            self.contexts.pop()
            self.rows.pop()
            self.charged.pop()
            self.change(stop, self.contexts[-1] if self.contexts else ROOT)

    def enter(self, row: int, kind: int, code: int, start: int, stop: int) -> None:
        """Begin a range within those that have not ended.

        Time in calls of the operating system is charged to what made them.
        """
        outer = self.contexts[-1] if self.contexts else self.entry
        stop = min(stop, self.stops[-1]) if self.stops else stop
        shallow = self.tree.depths[outer] < DEEPEST
        context = self.tree.below(outer if shallow else self.tree.parents[outer], code)
        self.found.context[row] = context
        self.found.parent[row] = self.rows[-1] if self.rows else NONE
        self.found.calls[self.line, context] += 1
        above = self.charged[-1] if self.charged else NONE
        if stop > start and kind != RangeKind.SYSTEM:
            self.found.own[self.line, context] += stop - start
            if above != NONE:
                self.found.own[self.line, above] -= stop - start
        self.stops.append(stop)
        self.contexts.append(context)
        self.rows.append(row)
        self.charged.append(above if kind == RangeKind.SYSTEM else context)
        self.change(start, context)


def _place_line(ranges: RangeColumns, rows: Ints, number: int, walk: _LineWalk) -> None:
    starts = ranges["start"][rows].tolist()
    stops = (ranges["start"][rows] + ranges["duration"][rows]).tolist()
    kinds, codes = ranges["kind"][rows].tolist(), ranges["code"][rows].tolist()
    last = starts[0]
    for row, kind, code, start, stop in zip(
        rows.tolist(), kinds, codes, starts, stops, strict=True
    ):
        walk.leave_until(start)
        last = max(last, stop)
        if kind != RangeKind.STEP:
            walk.enter(row, kind, code, start, stop)
            continue
        walk.found.context[row] = walk.contexts[-1] if walk.contexts else walk.entry
        walk.change(start, walk.contexts[-1] if walk.contexts else ROOT)
    walk.leave_until(last)
    walk.end(last)
    walk.found.points[number] = (walk.moments, walk.places)
