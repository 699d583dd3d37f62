"""Ranges of host threads to calling contexts, and to what each thread was in at each moment.

In:  ranges with begin, duration and place of code, in any order.
Out: a tree of contexts, the context of each range, time in each context without what is called
     there, and the moments at which a thread's innermost context changes.

A range lies within those of its thread that have begun and not ended when it begins. What reaches
beyond the end of the one around it, as clocks of several recorders allow, is cut there: no
nanosecond of a thread counts twice.

A stretch of ranges, or of other intervals, begins where none is open. In most stretches each ends
within those around it, and what lies in what follows from sorting alone; only in others one is
looked at after the other.
"""

from __future__ import annotations

from array import array
from collections.abc import Iterator
from dataclasses import dataclass, field
from itertools import pairwise

import numpy as np
import numpy.typing as npt
import pyarrow as pa

from perfolio.readers.events.recording import NONE, Ints, RangeColumns, RangeKind

DEEPEST = 1_000
"""Contexts above a context at most: what lies deeper is taken to be called one level higher."""
_PIECE, _MANY = 1 << 16, 1 << 20
"""Ranges and changes at a time: numbers of all at once would take more memory than columns."""
_BITS = 32
"""Of the number of a context: of more contexts there is no tree."""
Numbers = npt.NDArray[np.int32]
"""Of ranges or contexts: there are never so many that they take more bits."""
Amounts = tuple[Ints, Ints, Ints]
_NOTHING = (np.zeros(0, np.int64),) * 3
ROOT = 0
"""The run as a whole, above all entry points: no context of its own."""


def find_followers(start: Ints, stop: Ints) -> Numbers:
    """The first later interval that begins when each has ended, or how many intervals there are."""
    follower = np.empty(len(start), np.int32)
    follower[:] = np.maximum(np.searchsorted(start, stop), np.arange(1, len(start) + 1))
    return follower


def count_open(follower: Numbers) -> Numbers:
    """How many intervals have begun, and not ended, when each begins."""
    count = len(follower)
    ended = np.bincount(follower, minlength=count + 1)[:count].cumsum()
    return np.asarray(np.arange(count) - ended, np.int32)


def find_crossed_stretches(follower: Numbers, depth: Numbers) -> Iterator[slice]:
    """The stretches in which some interval ends after one that it begins in.

    Where none does, what follows an interval lies in no more intervals than it does.
    """
    crossed = np.flatnonzero(np.append(depth, 0)[follower] > depth)
    if not len(crossed):
        return
    edges = np.append(np.flatnonzero(depth == 0), len(depth))
    for number in np.unique(np.searchsorted(edges, crossed, side="right")).tolist():
        yield slice(int(edges[number - 1]), int(edges[number]))


def cut_followers(follower: Numbers, depth: Numbers) -> bool:
    """Let intervals end with those that they begin in; whether any had to."""
    stretches = [*find_crossed_stretches(follower, depth)]
    for stretch in stretches:
        ends = [len(follower)]
        cut = follower[stretch].tolist()
        for place, end in enumerate(cut):
            while ends[-1] <= stretch.start + place:
                ends.pop()
            cut[place] = min(end, ends[-1])
            ends.append(cut[place])
        follower[stretch] = cut
    return bool(stretches)


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

    context: Numbers
    """Context of each range; of a step, the context around it."""
    parent: Numbers
    """Position of the range around each, steps left out; NONE where there is none."""
    own: Amounts
    """Lines and contexts, each pair once, and time there without what was called [ns]."""
    points: dict[int, tuple[Ints, Numbers]]
    """Of each line the moments of change [ns], and the innermost context from there on: 0 where it
    is in nothing that was recorded, and at the end."""


def place_ranges(
    ranges: RangeColumns, tree: CallingContextTree, entries: dict[int, int]
) -> NestedRanges:
    """Place all ranges in the tree, which holds the entry points of their lines and no more."""
    order = np.lexsort((ranges["kind"], -ranges["duration"], ranges["start"], ranges["line"]))
    placed = _nest_rows(ranges, order)
    _find_contexts(placed, tree, entries)
    points = {line: _settle_changes(*_list_changes(placed, own)) for line, own in placed.lines}
    own = [
        _list_own_times(placed, slice(first, first + _PIECE))
        for first in range(0, len(order), _PIECE)
    ]
    pairs = [np.concatenate(column) for column in zip(*own, strict=True)]
    context, parent = np.zeros(len(order), np.int32), np.full(len(order), NONE, np.int32)
    context[order] = placed.context
    inner = np.flatnonzero((placed.parent != NONE) & (placed.kind != RangeKind.STEP))
    parent[order[inner]] = order[placed.parent[inner]]
    return NestedRanges(context, parent, _sum_amounts(*pairs) if own else _NOTHING, points)


@dataclass
class _PlacedRows:
    """Ranges in order of their lines and times; columns by place in this order."""

    lines: list[tuple[int, slice]]
    """Lines, and the ranges of each."""
    line: Numbers
    kind: Numbers
    code: Numbers
    start: Ints
    stop: Ints
    """When they end [ns], within those around them once their contexts are found."""
    depth: Numbers
    """In how many others each lies."""
    follower: Numbers
    """The first that begins when each has ended, or one behind the last of the line."""
    parent: Numbers
    """Place of the range around each; NONE where there is none."""
    context: Numbers
    """As `NestedRanges`."""
    charged: Numbers
    """The context that the time of those around each is charged to; NONE where there are none."""
    last: dict[int, int] = field(default_factory=dict)
    """When all ranges of a line have ended, also those that reach beyond others [ns]."""


def _nest_rows(ranges: RangeColumns, order: npt.NDArray[np.intp]) -> _PlacedRows:
    """What lies in what. A step ends for others as it begins: none lies in it."""
    line, kind, code = (ranges[name][order].astype(np.int32) for name in ("line", "kind", "code"))
    start = ranges["start"][order]
    stop = start + ranges["duration"][order]
    edges = np.flatnonzero(np.diff(line, prepend=NONE, append=NONE)).tolist()
    lines = [(int(line[first]), slice(first, end)) for first, end in pairwise(edges)]
    follower = np.zeros(len(order), np.int32)
    for _, own in lines:
        follower[own] = find_followers(start[own], stop[own]) + own.start
    steps = np.flatnonzero(kind == RangeKind.STEP)
    follower[steps] = steps + 1
    depth = count_open(follower)
    if cut_followers(follower, depth):
        depth = count_open(follower)
    last = {number: int(stop[own].max()) for number, own in lines}
    parent, nothing = _find_parents(depth), np.full(len(order), NONE, np.int32)
    return _PlacedRows(
        lines, line, kind, code, start, stop, depth, follower, parent, nothing, nothing.copy(), last
    )


def _sort_by_depth(depth: Numbers) -> npt.NDArray[np.intp]:
    """Places of those of each depth, one depth after the other."""
    is_shallow = int(depth.max(initial=0)) < 1 << 15  # of which sorting is much faster
    return np.argsort(depth.astype(np.int16) if is_shallow else depth, kind="stable")


def _find_parents(depth: Numbers) -> Numbers:
    """The last range before each that lies in one range less; NONE of those that lie in none."""
    count, places = len(depth), _sort_by_depth(depth)
    keys = depth[places].astype(np.int64) * count + places
    around = places[np.searchsorted(keys, keys - count) - 1]
    parent = np.empty(count, np.int32)
    parent[places] = np.where(keys < count, NONE, around)
    return parent


@dataclass
class _FoundContexts:
    """Contexts as they are found, which are numbered when all are: as their first ranges begin."""

    tree: CallingContextTree
    known: dict[int, int] = field(default_factory=dict)
    """Their provisional numbers, which go on from those of the tree, by what is told of them."""
    parents: list[int] = field(default_factory=list)
    depths: list[int] = field(default_factory=list)
    first: list[int] = field(default_factory=list)
    """Place of the first range of each, which no context of the tree has."""

    def __post_init__(self) -> None:
        """Begin with the contexts of the tree."""
        self.parents, self.depths = self.tree.parents.tolist(), self.tree.depths.tolist()
        self.first = [NONE] * len(self.tree)

    def find(self, outer: Numbers, code: Numbers, rows: npt.NDArray[np.intp]) -> Numbers:
        """The contexts of places of code within others, none too deep, in order of ranges."""
        told = pa.array(outer.astype(np.int64) << _BITS | code - NONE).dictionary_encode()
        places = told.indices.to_numpy()
        first = rows[np.flatnonzero(np.diff(np.maximum.accumulate(places), prepend=NONE))]
        pairs = zip(told.dictionary.to_pylist(), first.tolist(), strict=True)
        numbers = np.array([self.number(*each) for each in pairs], np.int32)
        return np.asarray(numbers[places], np.int32)

    def number(self, told: int, row: int) -> int:
        """The provisional number of a context that a range has."""
        found = self.known.setdefault(told, len(self.parents))
        if found == len(self.parents):
            parent = told >> _BITS
            self.parents.append(parent)
            self.depths.append(self.depths[parent] + 1)
            self.first.append(row)
        self.first[found] = min(self.first[found], row)
        return found

    def grow_tree(self) -> Numbers:
        """Put all into the tree: the final number of each, and behind them NONE."""
        codes = {number: told for told, number in self.known.items()}
        final = np.arange(len(self.parents) + 1, dtype=np.int32)
        final[-1] = NONE
        for number in sorted(codes, key=self.first.__getitem__):
            code = (codes[number] & ((1 << _BITS) - 1)) + NONE
            final[number] = self.tree.below(int(final[self.parents[number]]), code)
        return final


def _find_contexts(placed: _PlacedRows, tree: CallingContextTree, entries: dict[int, int]) -> None:
    """Contexts, ends and what is charged: of a depth all ranges at once, the outer ones first."""
    found, passed = _FoundContexts(tree), np.full(len(placed.line), NONE, np.int32)
    entry = np.zeros(max(entries, default=0) + 1, np.int32)
    entry[list(entries)] = list(entries.values())
    places = _sort_by_depth(placed.depth)
    edges = np.cumsum(np.bincount(placed.depth)).tolist()
    for first, end in pairwise([0, *edges[: DEEPEST - 1]]):
        rows = places[first:end]
        around, kind = placed.parent[rows], placed.kind[rows]
        outer = placed.context[around] if first else entry[placed.line[rows]]
        if first:
            placed.charged[rows] = passed[around]
            placed.stop[rows] = np.minimum(placed.stop[rows], placed.stop[around])
        placed.context[rows] = outer
        own = kind != RangeKind.STEP
        placed.context[rows[own]] = found.find(outer[own], placed.code[rows[own]], rows[own])
        is_system = kind == RangeKind.SYSTEM
        passed[rows] = np.where(is_system, placed.charged[rows], placed.context[rows])
    for row in np.sort(places[sum(np.bincount(placed.depth)[: DEEPEST - 1]) :]).tolist():
        _find_deep_context(placed, found, passed, row)
    final = found.grow_tree()
    placed.context, placed.charged = final[placed.context], final[placed.charged]


def _find_deep_context(
    placed: _PlacedRows, found: _FoundContexts, passed: Numbers, row: int
) -> None:
    """The same of one range: few lie in so many others, and their contexts may be too deep."""
    around, kind = placed.parent[row], placed.kind[row]
    outer = int(placed.context[around])
    placed.charged[row] = passed[around]
    placed.stop[row] = min(placed.stop[row], placed.stop[around])
    if kind != RangeKind.STEP:
        outer = outer if found.depths[outer] < DEEPEST else found.parents[outer]
        outer = found.number(outer << _BITS | int(placed.code[row]) - NONE, row)
    placed.context[row] = outer
    passed[row] = placed.charged[row] if kind == RangeKind.SYSTEM else outer


def _list_changes(placed: _PlacedRows, own: slice) -> tuple[Ints, Numbers]:
    """Moments of a line and what it is in from then on, each change as it comes.

    Each range begins, and ends before the first one that begins when it has ended: of several that
    end there the inner one first. A step is no change of its own.
    """
    count, within = own.stop - own.start, placed.kind[own] != RangeKind.STEP
    depth = np.append(placed.depth[own], np.int32(0))
    begin = np.arange(count + 1, dtype=np.int32)
    begin[1:] += np.cumsum(within, dtype=np.int32)
    begin -= depth
    follower = placed.follower[own] - np.int32(own.start)
    end = (begin[follower] - 1 - depth[:-1] + depth[follower])[within]
    del follower
    moments = np.empty(count + len(end) + 1, np.int64)
    places = np.empty(len(moments), np.int32)
    outside = np.append(placed.context, np.int32(ROOT))[placed.parent[own]]
    moments[begin[:-1]], moments[end] = placed.start[own], placed.stop[own][within]
    places[begin[:-1]] = np.where(within, placed.context[own], outside)
    places[end] = outside[within]
    moments[-1], places[-1] = placed.last[placed.line[own.start]], ROOT
    return moments, places


def _settle_changes(moment: Ints, place: Numbers) -> tuple[Ints, Numbers]:
    """Each moment with the last of its places, but for moments that change nothing.

    One counts that changes something in between. The last one of a line is its end. They are moved
    to the front, many at a time.
    """
    edges = np.unique(np.searchsorted(moment, moment[_MANY::_MANY]))
    before, count = NONE, 0
    for begin, end in pairwise([0, *edges[edges > 0].tolist(), len(moment)]):
        own, there = moment[begin:end], place[begin:end]
        first = np.flatnonzero(np.diff(own, prepend=own[0] - 1))
        counts = np.diff(first, append=len(own))
        after = there[first + counts - 1]
        earlier = np.concatenate([[before], after[:-1]], dtype=np.int32)
        kept = np.logical_or.reduceat(there != np.repeat(earlier, counts), first)
        kept[-1] |= end == len(moment)
        before, begun, count = int(after[-1]), count, count + int(kept.sum())
        moment[begun:count], place[begun:count] = own[first[kept]], after[kept]
    return moment[:count], place[:count]


def _list_own_times(placed: _PlacedRows, rows: slice) -> Amounts:
    """Time by line and context, which what is around it does not have for itself.

    Time in calls of the operating system is charged to what made them.
    """
    kind, spent = placed.kind[rows], placed.stop[rows] - placed.start[rows]
    own = np.flatnonzero((spent > 0) & (kind != RangeKind.SYSTEM) & (kind != RangeKind.STEP))
    line, charged = placed.line[rows][own], placed.charged[rows][own]
    context, spent = placed.context[rows][own], spent[own]
    inner = np.flatnonzero(charged != NONE)
    return _sum_amounts(
        np.concatenate([line, line[inner]], dtype=np.int64),
        np.concatenate([context, charged[inner]], dtype=np.int64),
        np.concatenate([spent, -spent[inner]]),
    )


def _sum_amounts(line: Ints, context: Ints, amount: Ints) -> Amounts:
    """Each pair once."""
    told = pa.array(line << _BITS | context).dictionary_encode()
    total = np.zeros(len(told.dictionary), np.int64)
    np.add.at(total, told.indices.to_numpy(), amount)
    pairs = told.dictionary.to_numpy()
    order = np.argsort(pairs)
    return pairs[order] >> _BITS, pairs[order] & ((1 << _BITS) - 1), total[order]
