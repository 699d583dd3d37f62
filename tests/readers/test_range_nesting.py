"""Ranges of threads in the tree of their contexts, against looking at one after the other."""

from __future__ import annotations

from collections import defaultdict
from unittest.mock import patch

from hypothesis import given
from hypothesis import strategies as st

from perfolio.readers.events import range_nesting
from perfolio.readers.events.range_nesting import ROOT, CallingContextTree, place_ranges
from perfolio.readers.events.recording import NONE, RangeColumns, RangeKind

LINES = 3
Range = tuple[int, int, int, int, int]
"""Line, begin, duration, kind and code."""
MOMENTS = st.one_of(st.integers(0, 40), st.sampled_from([0, 8, 16, 24, 32]))
RANGES = st.lists(
    st.tuples(
        st.integers(0, LINES - 1),
        MOMENTS,
        st.one_of(st.integers(0, 9), st.sampled_from([0, 8, 16, 32])),
        st.sampled_from(RangeKind).map(int),
        st.integers(NONE, 3),
    ),
    max_size=40,
)


class OneByOne:
    """The same, simply: a stack of the ranges that have begun."""

    def __init__(self, ranges: list[Range], deepest: int) -> None:
        self.deepest = deepest
        self.parents, self.codes = [NONE], [NONE]
        entries = [self.below(ROOT, -2 - line) for line in range(LINES)]
        self.context, self.parent = [0] * len(ranges), [NONE] * len(ranges)
        self.own: defaultdict[tuple[int, int], int] = defaultdict(int)
        self.points: dict[int, list[tuple[int, int]]] = {}
        rows = sorted(
            enumerate(ranges), key=lambda one: (one[1][0], one[1][1], -one[1][2], one[1][3])
        )
        for line in range(LINES):
            own = [(number, *one[1:]) for number, one in rows if one[0] == line]
            if own:
                self.walk(line, entries[line], own)

    def below(self, parent: int, code: int) -> int:
        for number, pair in enumerate(zip(self.parents, self.codes, strict=True)):
            if pair == (parent, code):
                return number
        self.parents.append(parent)
        self.codes.append(code)
        return len(self.parents) - 1

    def depth(self, context: int) -> int:
        return 0 if context == ROOT else 1 + self.depth(self.parents[context])

    def walk(self, line: int, entry: int, rows: list[Range]) -> None:
        stack: list[tuple[int, int, int, int]] = []
        changes: list[tuple[int, int]] = []

        def end_before(moment: float) -> None:
            while stack and stack[-1][0] <= moment:
                changes.append((stack.pop()[0], stack[-1][1] if stack else ROOT))

        for number, begin, duration, kind, code in rows:
            end_before(begin)
            limit, around, parent, charged = stack[-1] if stack else (1 << 60, ROOT, NONE, NONE)
            outer, stop = around or entry, min(begin + duration, limit)
            if kind == RangeKind.STEP:
                self.context[number] = outer
                changes.append((begin, around))
                continue
            level = outer if self.depth(outer) < self.deepest else self.parents[outer]
            context = self.context[number] = self.below(level, code)
            self.parent[number] = parent
            if kind != RangeKind.SYSTEM and stop > begin:
                self.own[line, context] += stop - begin
                if charged != NONE:
                    self.own[line, charged] -= stop - begin
            changes.append((begin, context))
            stack.append((stop, context, number, charged if kind == RangeKind.SYSTEM else context))
        end_before(float("inf"))
        changes.append((max(one[1] + one[2] for one in rows), ROOT))
        self.points[line] = settle(changes)


def settle(changes: list[tuple[int, int]]) -> list[tuple[int, int]]:
    """The last place at each moment that changes anything, and the end."""
    found: list[tuple[int, int]] = []
    before = NONE
    for moment in sorted({moment for moment, _ in changes}):
        places = [place for other, place in changes if other == moment]
        if any(place != before for place in places) or moment == changes[-1][0]:
            found.append((moment, places[-1]))
        before = places[-1]
    return found


@given(RANGES, st.sampled_from([2, 3, 4, 1_000]))
def test_ranges_lie_where_one_after_the_other_puts_them(ranges: list[Range], deepest: int) -> None:
    columns = RangeColumns()
    for line, begin, duration, kind, code in ranges:
        columns.append(line, begin, duration, kind, code, NONE, NONE)
    tree = CallingContextTree()
    entries = {line: tree.below(ROOT, -2 - line) for line in range(LINES)}
    with (
        patch.object(range_nesting, "DEEPEST", deepest),
        patch.object(range_nesting, "_PIECE", 5),
    ):
        nested = place_ranges(columns, tree, entries)
    wanted = OneByOne(ranges, deepest)
    assert tree.parents.tolist()[1:] == wanted.parents[1:]
    assert tree.codes.tolist() == wanted.codes
    assert nested.context.tolist() == wanted.context
    assert nested.parent.tolist() == wanted.parent
    line, context, spent = (column.tolist() for column in nested.own)
    assert dict(zip(zip(line, context, strict=True), spent, strict=True)) == wanted.own
    points = {
        line: list(zip(moments.tolist(), places.tolist(), strict=True))
        for line, (moments, places) in nested.points.items()
    }
    assert points == wanted.points
