"""Events far from all others: which of them are no part of a run; and ranges within each other."""

from __future__ import annotations

import gzip
from collections import defaultdict
from collections.abc import Callable
from pathlib import Path
from unittest.mock import patch

import pytest
from hypothesis import given
from hypothesis import strategies as st

from perfolio.common.errors import InputError
from perfolio.readers.events import range_nesting
from perfolio.readers.events.range_nesting import ROOT, CallingContextTree, place_ranges
from perfolio.readers.events.recording import (
    NONE,
    LineKey,
    RangeColumns,
    RangeKind,
    RecordedProcess,
    Recording,
)
from perfolio.readers.events.stray_events import set_strays_aside
from perfolio.readers.text_lines import read_csv_rows, read_lines
from perfolio.readers.text_stream import open_text
from tests.kit import crafted
from tests.kit.limits import allowed, measured

SECOND = 10**9
STEADY = [(n * 1000, 900) for n in range(40)]
"""40 calls in 40 us."""
CASES = {
    "one call ten minutes later": ([*STEADY, (600 * SECOND, 1000)], 40),
    "one call ten minutes before": ([(0, 1000), *((600 * SECOND + s, d) for s, d in STEADY)], 40),
    "one on either side": (
        [(0, 1000), *((600 * SECOND + s, d) for s, d in STEADY), (9000 * SECOND, 10)],
        40,
    ),
    "one far, and one much farther": (
        [*STEADY, (600 * SECOND, 10), (90_000 * SECOND, 10)],
        40,
    ),
    "half a second later": ([*STEADY, (SECOND // 2, 1000)], 41),
    "one that lasts": ([*STEADY, (600 * SECOND, 100_000)], 41),
    "several": ([*STEADY, *((600 * SECOND + n, 10) for n in range(4))], 44),
    "one among few": ([*STEADY[:5], (600 * SECOND, 10)], 6),
    "nine times what the others last": ([(0, 60 * SECOND), *STEADY, (600 * SECOND, 10)], 42),
    "ten times and more": ([(0, 54 * SECOND), *STEADY, (600 * SECOND, 10)], 41),
    "two phases": ([*STEADY, *((600 * SECOND + s, d) for s, d in STEADY)], 80),
    "all at once": ([(5, 0)] * 20, 20),
    "nothing": ([], 0),
}


def recorded(events: list[tuple[int, int]]) -> Recording:
    recording = Recording(processes=[RecordedProcess()])
    line = recording.lines.of(LineKey(0, is_gpu=False, key=1))
    for start, duration in events:
        recording.ranges.append(line, start, duration, RangeKind.CALL, 0, NONE, NONE)
    return recording


@pytest.mark.parametrize("name", CASES)
def test_only_what_is_next_to_nothing_and_far_away_is_left_out(name: str) -> None:
    events, kept = CASES[name]
    recording = recorded(events)
    said = list(set_strays_aside(recording))
    assert len(recording.ranges) == kept
    assert bool(said) == (kept < len(events))


def test_what_a_process_lived_is_no_gap() -> None:
    recording = recorded([*STEADY, (600 * SECOND, 1000)])
    recording.lives[0] = (0, 601 * SECOND)
    assert list(set_strays_aside(recording)) == []


def test_operations_and_allocations_are_told_from_calls() -> None:
    recording = recorded(STEADY)
    line = recording.lines.of(LineKey(0, is_gpu=True, key=7))
    rest = [50, 0, 0, *[NONE] * 11]
    recording.operations.append(line, 600 * SECOND, *rest)
    recording.operations.append(line, 500, *rest)
    recording.memory.append(0, 700, NONE, 8, NONE, NONE, NONE)
    (said,) = set_strays_aside(recording)
    assert "600.0 s" in said
    assert recording.operations["start"].tolist() == [500]
    assert [len(recording.ranges), len(recording.memory)] == [40, 1]


# What is promised of time and memory holds for databases made to take the most of both.


@pytest.mark.slow
@pytest.mark.parametrize("make", [*crafted.READ, *crafted.REFUSED])
def test_a_crafted_database_keeps_within_limits(
    make: Callable[[Path, int], None], tmp_path: Path
) -> None:
    database = crafted.crafted(make, tmp_path / "x", 1_000_000)
    seconds, memory = measured(database)
    most_seconds, most_memory = allowed(database)
    assert seconds < most_seconds
    assert memory < most_memory


# Lines of texts, as readers take them.


def test_a_whole_text_has_no_more_bytes_than_are_allowed(tmp_path: Path) -> None:
    path = tmp_path / "a.json.gz"
    path.write_bytes(gzip.compress(b"1234567890"))
    assert open_text(path).read_all(10, hint="") == b"1234567890"
    with pytest.raises(InputError, match="has more than 9 bytes of text") as refusal:
        open_text(path).read_all(9, hint="split it")
    assert refusal.value.hint == "split it"


def test_rows_are_what_their_cells_hold(tmp_path: Path) -> None:
    path = tmp_path / "a.csv"
    path.write_text('a;b\n"1\n2";3\n\n4', encoding="utf-8")
    text = open_text(path)
    rows = read_csv_rows(text, read_lines(text), delimiter=";")
    assert list(rows) == [["a", "b"], ["1\n2", "3"], [], ["4"]]


def test_a_row_that_cannot_be_read_is_named_by_its_line(tmp_path: Path) -> None:
    path = tmp_path / "a.csv"
    path.write_text(f"a,b\n1,{'x' * 200_000}\n", encoding="utf-8")
    text = open_text(path)
    with pytest.raises(InputError, match=r"a\.csv: line 2: field larger than field limit"):
        list(read_csv_rows(text, read_lines(text)))


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
        patch.object(range_nesting, "_MANY", 3),
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
