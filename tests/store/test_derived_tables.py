"""What is derived from traces, against references that go nanosecond by nanosecond, and DuckDB."""

from __future__ import annotations

from bisect import bisect_right
from collections import defaultdict
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from functools import cache
from itertools import chain, pairwise
from pathlib import Path
from typing import Any, cast
from unittest.mock import patch

import duckdb
import numpy as np
import pyarrow as pa
import pytest
from hypothesis import assume, given, settings
from hypothesis import strategies as st

from perfolio.common.progress import QuietProgress
from perfolio.readers import registry
from perfolio.readers.run_description import RunDescription
from perfolio.store.database import create_schema, open_store
from perfolio.store.derived_tables import derive
from perfolio.store.idle_blame import BATCH_ROWS, _add_times
from perfolio.store.ingest import ingest
from perfolio.store.model_catalog import StoreModel, load_models
from perfolio.store.punctual_distances import find_quantile
from perfolio.store.run_tables import RunTables, make_run_tables
from perfolio.store.step_parts import add_by_step
from perfolio.store.trace_bins import add_by_bin
from tests.bench.make import write_ranks
from tests.kit.measurements import derived_for
from tests.kit.queries import rows_of
from tests.kit.samples import simulated_sample, store_at
from tests.kit.shared import database
from tests.metrics.case_rows import EPOCH, trace_rows
from tests.metrics.support import kept_read_by

KERNEL, COPY, MEMSET, MAIN, WORK, LOAD = 4, 5, 6, 2, 8, 9
PROFILES = ("CPU thread", "CPU thread", "GPU stream", "GPU stream")
CONTEXTS = [
    (1, 0, 1, "entry", None), (2, 1, 2, "function", "main"), (3, 2, 3, "function", "step"),
    (4, 3, 4, "function", "<gpu kernel>"), (5, 3, 4, "function", "<gpu copyin>"),
    (6, 3, 4, "function", "<gpu memset>"), (7, 0, 1, "entry", None), (8, 7, 2, "function", "work"),
    (9, 2, 3, "function", "load"),
]  # fmt: skip
Busy = list[tuple[int, int, int]]
"""Intervals (start, duration, context) of a line, in order and without overlap."""
Lines = dict[int, Busy]
BUSY = {
    "run": "SELECT busy, kernel_busy, copy_busy FROM gpu_use",
    "steady": "SELECT sum(held), coalesce(sum(held) FILTER (kernels > 0), 0),"
    " coalesce(sum(held) FILTER (copies > 0), 0)"
    " FROM (SELECT kernels, copies,"
    " least(level.stop, span.stop) - greatest(level.start, span.start)"
    " AS held FROM gpu_level AS level CROSS JOIN steady_span AS span"
    " WHERE kernels + copies + others > 0 AND level.start < span.stop AND level.stop > span.start)"
    " HAVING count(*) > 0",
}
"""Time in which a GPU is busy, in kernels and in copies: of the run, and from its first to its last
steady iteration (all operations where there is none)."""


@pytest.fixture(scope="module")
def empty() -> duckdb.DuckDBPyConnection:
    connection = duckdb.connect()
    create_schema(connection)
    return connection


@contextmanager
def derived(
    empty: duckdb.DuckDBPyConnection,
    lines: Lines,
    kinds: tuple[str, ...] = PROFILES,
    *,
    cpu_time: dict[int, float] | None = None,
    functions: dict[tuple[int, int], float] | None = None,
    gpus: dict[int, int] | None = None,
    asked: tuple[str, ...] = (),
) -> Iterator[duckdb.DuckDBPyConnection]:
    """Run 1 with these lines, derived; gone again afterwards.

    Samples are of elapsed time, or, with the seconds of some profiles, of CPU time; `functions`
    has seconds of it by profile and context. With `asked`, what these models do not follow from is
    left out: where lines are random, it takes most of the time.
    """
    empty.begin()
    try:
        empty.execute(
            "INSERT INTO run VALUES"
            " (1, 'r', 'p', 'q', 'd', 'c', [], 't', '4', 't', '', NULL, NULL, [])"
        )
        profiles = [(index, kind, (gpus or {}).get(index)) for index, kind in enumerate(kinds, 1)]
        _insert(empty, "profile", "(1, ?, 'p', ?, NULL, NULL, NULL, ?, NULL, NULL)", profiles)
        named = [(number, name) for number, *_, name in CONTEXTS if name]
        _insert(empty, "function", "(1, ?, ?, NULL, NULL, NULL, NULL)", named)
        contexts = [
            (number, parent, depth, "call" if name else "entry", kind, number if name else None)
            for number, parent, depth, kind, name in CONTEXTS
        ]
        _insert(empty, "context", "(1, ?, ?, ?, 'e', ?, ?, ?, NULL, NULL, NULL, NULL)", contexts)
        if cpu_time is not None:
            empty.execute(
                "INSERT INTO metric VALUES (1, 1, 'CPUTIME (sec)', 'cpu_time', 'execution',"
                " NULL, NULL)"
            )
            for profile, seconds in cpu_time.items():
                empty.execute("INSERT INTO value VALUES (1, ?, 0, 1, ?)", [profile, seconds])
            empty.execute(
                "INSERT INTO metric VALUES (1, 2, 'CPUTIME (sec)', 'cpu_time', 'function',"
                " NULL, NULL)"
            )
            for (profile, context), seconds in (functions or {}).items():
                empty.execute(
                    "INSERT INTO value VALUES (1, ?, ?, 2, ?)", [profile, context, seconds]
                )
        case: dict[str, Any] = {
            "lines": {p: [_last(busy), *(list(one) for one in busy)] for p, busy in lines.items()}
        }
        _insert(empty, "trace", "(1, ?, ?, ?, ?, ?)", trace_rows(case, {}))
        derive(empty, 1, _kept_for(asked) if asked else None)
        yield empty
    finally:
        empty.rollback()


def _insert(
    connection: duckdb.DuckDBPyConnection, table: str, row: str, rows: Sequence[Sequence[Any]]
) -> None:
    """All rows in one statement, since most of what a statement takes is not its rows."""
    if rows:
        values = ", ".join([row] * len(rows))
        connection.execute(f"INSERT INTO {table} VALUES {values}", [*chain.from_iterable(rows)])


@cache
def _kept_for(asked: tuple[str, ...]) -> frozenset[str]:
    """Kept models among those that are asked for, or that these read."""
    return frozenset(kept_read_by([f"FROM {name}" for name in asked]))


def _last(busy: Busy) -> int:
    return max((start + duration for start, duration, _ in busy), default=0)


def rows(connection: duckdb.DuckDBPyConnection, query: str) -> list[tuple[Any, ...]]:
    return rows_of(connection, query)


def one(connection: duckdb.DuckDBPyConnection, query: str) -> Any:
    return rows(connection, query)[0][0]


SOME = settings(max_examples=30)


@st.composite
def busy_lines(draw: st.DrawFn, contexts: tuple[int, ...], least_idle: int = 0) -> Busy:
    """Up to eight intervals; idles of exactly 1 ns, the tool's artefact, do not occur.

    None is longer than ten times another: a sample of elapsed time lasts no longer.
    """
    busy, time = [], draw(st.integers(0, 20))
    for _ in range(draw(st.integers(0, 8))):
        duration = draw(st.integers(1, 10))
        busy.append((time, duration, draw(st.sampled_from(contexts))))
        time += duration + draw(st.sampled_from([least_idle, 2, 3, 7, 20]))
    return busy


gpu = busy_lines((KERNEL, COPY, MEMSET))
cpu = busy_lines((MAIN, LOAD, WORK))


def running(busy: Busy, contexts: tuple[int, ...]) -> set[int]:
    """The nanoseconds in which any interval of these contexts lasts."""
    return {
        t for start, duration, context in busy if context in contexts
        for t in range(start, start + duration)
    }  # fmt: skip


@pytest.mark.slow
@SOME
@given(first=gpu, second=gpu)
def test_busy_time_is_the_union_of_intervals(
    empty: duckdb.DuckDBPyConnection, first: Busy, second: Busy
) -> None:
    both = first + second
    busy = running(both, (KERNEL, COPY, MEMSET))
    kernels, copies = running(both, (KERNEL,)), running(both, (COPY,))
    asked = ("gpu_use", "gpu_level", "gpu_operation")
    with derived(empty, {3: first, 4: second}, asked=asked) as connection:
        use = rows(
            connection, "SELECT span, busy, kernel_busy, copy_busy, overlap, work FROM gpu_use"
        )
        levels = rows(
            connection,
            "SELECT start, stop, kernels + copies + others FROM gpu_level ORDER BY start",
        )
        negative = one(
            connection, "SELECT count(*) FROM gpu_operation WHERE duration < 0 OR raw_duration < 0"
        )
    assert negative == 0
    if not busy:
        assert use == []
        return
    span = max(busy) + 1 - min(busy)
    work = sum(duration for _, duration, _ in both)
    assert use == [(span, len(busy), len(kernels), len(copies), len(kernels & copies), work)]
    assert all(start < stop for start, stop, _ in levels)
    assert [stop for _, stop, _ in levels[:-1]] == [start for start, _, _ in levels[1:]]
    idle = {t for start, stop, level in levels if not level for t in range(start, stop)}
    assert {t - EPOCH for t in idle} == set(range(min(busy), max(busy) + 1)) - busy


@pytest.mark.slow
@SOME
@given(first=gpu, second=gpu)
def test_each_gpu_has_levels_of_its_own(
    empty: duckdb.DuckDBPyConnection, first: Busy, second: Busy
) -> None:
    """As if it were the only one; their mean stands for both, if both run kernels or none."""
    own = [(running(line, (KERNEL,)), running(line, (COPY,)), line) for line in (first, second)]
    own = [one for one in own if one[2]]
    most = max((len(kernels) for kernels, *_ in own), default=0)
    own = [one for one in own if 100 * len(one[0]) >= most]
    asked = ("gpu_use", "gpu_level", "gpu_gap")
    with derived(empty, {3: first, 4: second}, gpus={3: 1, 4: 2}, asked=asked) as connection:
        use = rows(connection, "SELECT kernel_busy, copy_busy, overlap, span FROM gpu_use")
        levels = rows(
            connection,
            f"SELECT device, start - {EPOCH}, stop - {EPOCH}, kernels FROM gpu_level ORDER BY ALL",
        )
        gaps = rows(connection, "SELECT device, count(*) FROM gpu_gap GROUP BY ALL ORDER BY ALL")
    if not own:
        assert use == []
        return
    spans = [line[-1][0] + line[-1][1] - line[0][0] for *_, line in own]
    sums = (sum(len(k) for k, *_ in own), sum(len(c) for _, c, _ in own), 0, sum(spans))
    assert use[0] == pytest.approx([whole / len(own) for whole in sums])
    for device, (kernels, _, line) in enumerate(own):
        mine = [(start, stop, n) for d, start, stop, n in levels if d == device]
        assert (mine[0][0], mine[-1][1]) == (line[0][0], line[-1][0] + line[-1][1])
        assert {t for start, stop, n in mine if n for t in range(start, stop)} == kernels
        apart = sum(a[0] + a[1] < b[0] for a, b in pairwise(line))
        assert dict(gaps).get(device, 0) == apart


@pytest.mark.slow
@SOME
@given(first=gpu, second=gpu, launcher=cpu, other=cpu)
def test_bins_and_phases_add_up_to_the_whole(
    empty: duckdb.DuckDBPyConnection, first: Busy, second: Busy, launcher: Busy, other: Busy
) -> None:
    asked = ("gpu_bins", "gpu_use", "gpu_level", "steady_span", "trace_bin", "trace_line_busy")
    of_phases = ("run_phases", "traced_span", "gpu_span")
    lines = {1: launcher, 2: other, 3: first, 4: second}
    with derived(empty, lines, asked=(*asked, "run_bins", *of_phases)) as connection:
        for whole in ("run", "steady"):
            bins = rows(
                connection,
                "SELECT bin, start, stop, busy, kernel, copy "
                f"FROM gpu_bins WHERE whole = '{whole}' ORDER BY bin",
            )
            if not bins:
                continue
            use = rows(connection, BUSY[whole]) or [(0, 0, 0)]
            assert tuple(sum(column) for column in list(zip(*bins, strict=True))[3:]) == use[0]
            assert [stop for _, _, stop, *_ in bins[:-1]] == [start for _, start, *_ in bins[1:]]
            assert all(max(parts) <= stop - start for _, start, stop, *parts in bins)
        found = dict(rows(connection, "SELECT profile, sum(busy) FROM trace_bin GROUP BY profile"))
        spent = dict(rows(connection, "SELECT profile, busy FROM trace_line_busy WHERE busy > 0"))
        if rows(connection, "FROM run_bins"):
            assert found == spent
        phases = rows(connection, "SELECT start, stop FROM run_phases ORDER BY start")
        span = rows(connection, "SELECT start, stop FROM traced_span WHERE EXISTS (FROM gpu_span)")
    if span:
        assert sum(stop - start for start, stop in phases) == span[0][1] - span[0][0]
        assert [stop for _, stop in phases[:-1]] == [start for start, _ in phases[1:]]


@pytest.mark.slow
@SOME
@given(number=st.integers(1, 1200), data=st.data())
def test_a_time_lies_in_the_part_that_holds_it(
    empty: duckdb.DuckDBPyConnection, number: int, data: st.DataObject
) -> None:
    """Also where 64 bits are too few to compute with."""
    many = 2**63 // number
    longest = st.sampled_from([1, 10**6, many - 2, many - 1, many, many + 1, 2**63 - 2])
    whole = number + data.draw(longest.flatmap(lambda n: st.integers(0, n - 1)))
    whole = min(whole, 2**63 - 2)
    edges = [whole * i // number for i in range(number)]
    edge = data.draw(st.sampled_from(edges))
    for distance in {max(edge - 1, 0), edge, min(edge + 1, whole - 1), whole - 1}:
        found = one(empty, f"SELECT bin_of({distance}::BIGINT, {whole}::BIGINT, {number})")
        assert found == bisect_right(edges, distance) - 1


@SOME
@given(
    steps=st.lists(st.tuples(st.integers(0, 3), st.integers(1, 5), st.integers(1, 3)), max_size=9),
    gaps=st.lists(st.tuples(st.integers(0, 30), st.integers(1, 20), st.integers(1, 3)), max_size=6),
    batch=st.integers(1, 9),
)
def test_blame_shares_gaps_by_what_a_thread_was_in(
    steps: list[tuple[int, int, int]], gaps: list[tuple[int, int, int]], batch: int
) -> None:
    """However many stays come at once; gaps of several GPUs overlap."""
    contexts, entry, now = np.array([0, 1, 2, 3, 9]), 9, 0
    stays = []
    for pause, length, context in steps:
        stays.append((now + pause, now + pause + length, context))
        now += pause + length
    expected = np.zeros((3, len(contexts)))
    for start, length, kind in gaps:
        for moment in range(start, start + length):
            inside = [context for begin, end, context in stays if begin <= moment < end]
            expected[kind - 1, [*contexts].index(inside[0] if inside else entry)] += 1 / kind

    times = np.zeros_like(expected)
    begins, lengths, kinds = np.array(sorted(gaps), np.int64).reshape(-1, 3).T
    columns = {"start": begins, "stop": begins + lengths, "kind": kinds, "weight": 1 / kinds}
    parts = [stays[first : first + batch] for first in range(0, len(stays), batch)]
    read = ([*np.array(part).T] for part in parts)
    _add_times(times, contexts, pa.table(columns), read, entry)
    assert times == pytest.approx(expected)


def columns(found: Sequence[tuple[int, ...]], *names: str) -> dict[str, Any]:
    return dict(zip(names, np.array(found, np.int64).T, strict=True))


@SOME
@given(
    width=st.integers(1, 5),
    many=st.integers(1, 9),
    activity=st.lists(st.tuples(*map(st.integers, (1, 0, 0), (2, 50, 50))), max_size=12),
    batch=st.integers(1, 9),
    at_once=st.sampled_from([1, 2, 1024]),
)
def test_bins_hold_what_lies_in_them(
    width: int, many: int, activity: list[tuple[int, int, int]], batch: int, at_once: int
) -> None:
    """However many rows come at once, in whatever order; also what is partly outside."""
    edges = range(10, 10 + width * many + 1, width)
    expected = {
        (profile, bin_): time
        for profile in (1, 2)
        for bin_, (begin, end) in enumerate(pairwise(edges))
        if (
            time := sum(
                max(min(end, start + lasts) - max(begin, start), 0)
                for owner, start, lasts in activity
                if owner == profile
            )
        )
    }
    rows_ = [(profile, start, start + lasts) for profile, start, lasts in activity]
    with patch("perfolio.store.trace_bins.LONG_ROWS", at_once):
        found = add_by_bin(
            columns([*pairwise(edges)], "start", "stop"),
            [
                columns(rows_[first : first + batch], "profile", "start", "stop")
                for first in range(0, len(rows_), batch)
            ],
        )
    sums: dict[tuple[int, int], int] = defaultdict(int)
    for profile, bin_, time in zip(*found.to_pydict().values(), strict=True):
        sums[profile, bin_] += time
    assert {place: time for place, time in sums.items() if time} == expected


@pytest.mark.parametrize(
    ("start", "busy"), [(995, [10, 10, 10]), (990, [10, 10, 5]), (980, [10, 5])]
)
def test_what_begins_before_the_run_is_cut_there(
    empty: duckdb.DuckDBPyConnection, start: int, busy: list[int]
) -> None:
    """A GPU with less than 1 % of the time in kernels takes no part; bins are 10 ns."""
    lines = {3: [(1000, 12_000, KERNEL)], 4: [(start, 35, KERNEL)]}
    with derived(empty, lines, gpus={3: 0, 4: 1}, asked=("trace_bin",)) as connection:
        found = rows(connection, "SELECT bin, busy FROM trace_bin WHERE profile = 4 ORDER BY bin")
    assert found == [*enumerate(busy)]


@SOME
@given(
    marks=st.sets(st.tuples(st.integers(1, 2), st.integers(0, 30)), min_size=1, max_size=9),
    lengths=st.lists(st.tuples(st.integers(0, 9), st.integers(0, 9)), min_size=9, max_size=9),
    stays=st.lists(st.tuples(*map(st.integers, (1, 0, 0, 0), (2, 40, 9, 3))), max_size=12),
    batch=st.integers(1, 9),
)
def test_parts_of_steps_are_found_by_begins_alone(
    marks: set[tuple[int, int]],
    lengths: list[tuple[int, int]],
    stays: list[tuple[int, int, int, int]],
    batch: int,
) -> None:
    """However many stays come at once, and in whatever order: also where steps come in bursts."""
    moments = [
        (profile, start, start - 1, start + lasts, start + attends)
        for (profile, start), (lasts, attends) in zip(sorted(marks), lengths, strict=False)
    ]
    stays = [stay for stay in stays if any(profile == stay[0] for profile, *_ in moments)]
    expected: dict[tuple[int, ...], int] = defaultdict(int)
    for profile, begin, duration, frame in stays:
        before = [one for one in moments if one[0] == profile and one[1] <= begin]
        if before and begin < before[-1][3]:
            _, _, step, stop, attends = before[-1]
            expected[profile, step, begin < attends, frame] += min(duration, stop - begin)

    found = add_by_step(
        columns(moments, "profile", "start", "step", "stop", "attends"),
        [
            columns(stays[first : first + batch], "profile", "start", "duration", "frame")
            for first in range(0, len(stays), batch)
        ],
    )
    sums: dict[tuple[int, ...], int] = defaultdict(int)
    for profile, step, attends, frame, time in zip(*found.to_pydict().values(), strict=True):
        sums[profile, step, attends, frame] += time
    assert sums == expected


@pytest.mark.slow
@SOME
@given(
    stream=gpu,
    launcher=busy_lines((MAIN, LOAD)),
    second=busy_lines((MAIN, LOAD, WORK)),
    batch=st.sampled_from([1, 2, 5, BATCH_ROWS]),
)
def test_blame_shares_gaps_by_the_samples_taken_in_them(
    empty: duckdb.DuckDBPyConnection, stream: Busy, launcher: Busy, second: Busy, batch: int
) -> None:
    """However many events come at once: batches are cut through gaps and samples.

    All gaps here are shorter than 1,024 ns, so those of less than ten periods are of one class,
    unless some lie in steady iterations and others do not.
    """
    launching = [line for line in (launcher, second) if any(c != WORK for _, _, c in line)]
    taken = sorted((s, c, s + d) for line in launching for s, d, c in line)
    asked = ("blame", "gpu_gap", "iteration", "launch_period")
    with (
        patch("perfolio.store.idle_blame.BATCH_ROWS", batch),
        derived(empty, {1: launcher, 2: second, 3: stream}, asked=asked) as connection,
    ):
        assume(not rows(connection, "SELECT iteration FROM iteration"))
        gaps = rows(connection, "SELECT start, stop FROM gpu_gap")
        period = one(connection, "SELECT launch_period()")
        blame = rows(
            connection,
            "SELECT context, octave, duration, square, samples, sampled "
            "FROM blame WHERE period <> 'before'",
        )
    expected: dict[tuple[int, int | None], list[float]] = defaultdict(lambda: [0.0] * 4)
    classes: dict[int, list[tuple[int, int]]] = defaultdict(list)
    for number, (start, stop) in enumerate(gaps):
        is_short = stop - start < 10 * (period or 0)
        classes[-1 if is_short else number].append((start - EPOCH, stop - EPOCH))
    for key, members in classes.items():
        counts: dict[int, float] = defaultdict(float)
        for place, (s, context, _) in enumerate(taken):
            if any(start <= s < stop for start, stop in members):
                counts[context] += 1 / sum(end > s for _, _, end in taken[: place + 1])
        for context, count in counts.items():
            each = sum(stop - start for start, stop in members) / sum(counts.values())
            sums = expected[context, 9 if key < 0 else None]
            for position, part in enumerate((each, each**2, 1.0, min(each, period))):
                sums[position] += count * part
    found = {(context, octave): sums for context, octave, *sums in blame}
    assert set(found) == set(expected)
    for where, sums in expected.items():
        assert found[where] == pytest.approx(sums, rel=1e-9)


@pytest.mark.slow
@SOME
@given(first=cpu, second=cpu, cpu_ns=st.integers(1, 60))
def test_a_sample_of_cpu_time_stands_for_one_period(
    empty: duckdb.DuckDBPyConnection, first: Busy, second: Busy, cpu_ns: int
) -> None:
    """The period is the median distance of samples, less where the CPU time is less."""
    threads = {p: line for p, line in ((1, first), (2, second)) if line}
    starts = {p: [start for start, _, _ in line] for p, line in threads.items()}
    spent, asked = {1: cpu_ns / 1e9}, ("cpu_interval", "trace_line")
    with derived(empty, dict(threads), cpu_time=spent, asked=asked) as connection:
        found = rows(
            connection,
            f"SELECT profile, start - {EPOCH}, stop - {EPOCH} FROM cpu_interval ORDER BY ALL",
        )
        longest = dict(rows(connection, "SELECT profile, longest FROM trace_line"))
    assert all(0 <= stop - start <= longest[p] for p, start, stop in found)
    for profile, begins in starts.items():
        bounds = [*begins[1:], 10**9]
        mine = [(start, stop) for p, start, stop in found if p == profile]
        assert [start for start, _ in mine] == begins
        assert all(stop <= bound for (_, stop), bound in zip(mine, bounds, strict=True))
    assert sum(stop - start for p, start, stop in found if p == 1) <= cpu_ns
    adjacent = [
        duration for line in threads.values() for (start, duration, _), (after, _, _)
        in pairwise(line) if start + duration == after
    ]  # fmt: skip
    distances = adjacent or [duration for line in threads.values() for _, duration, _ in line]
    if distances:
        period = sorted(distances)[(len(distances) - 1) // 2]
        assert longest.get(2, period) == period


@pytest.mark.parametrize(
    ("spent", "begin"),
    [
        (9e-8, 520),  # nine periods: the thread slept
        (4e-7, 130),  # 400 ns up to its end at 530
        (9e-7, 30),  # more than there is room for since the sample before
    ],
)
def test_a_sample_that_carries_many_periods_stands_for_the_time_before_it(
    empty: duckdb.DuckDBPyConnection, spent: float, begin: int
) -> None:
    """Samples every 10 ns, and one after 490 ns in a call of the kernel."""
    line = [(0, 10, MAIN), (10, 10, MAIN), (20, 5, MAIN), (520, 10, LOAD), (530, 10, MAIN)]
    cost, asked = {(1, MAIN): 4e-8, (1, LOAD): spent}, ("cpu_interval", "long_sample")
    whole = {1: 4.5e-8 + spent}
    with derived(empty, {1: line}, cpu_time=whole, functions=cost, asked=asked) as connection:
        found = rows(
            connection,
            f"SELECT start - {EPOCH}, stop - {EPOCH} FROM cpu_interval ORDER BY start",
        )
        kept = one(connection, "SELECT sum(sample - start) FROM long_sample")
    assert found == [(0, 10), (10, 20), (20, 30), (begin, 530), (530, 540)]
    assert kept == (520 - begin or None)


def test_lines_that_do_not_lie_side_by_side_are_not_neighbours(
    empty: duckdb.DuckDBPyConnection,
) -> None:
    """An idle that ends one line says nothing of the one after it."""
    lines = {1: [(0, 10, MAIN), (10, 10, MAIN)], 2: [(20, 4, LOAD)]}
    with derived(empty, lines, cpu_time={}, asked=("cpu_interval",)) as connection:
        found = rows(connection, f"SELECT profile, start - {EPOCH}, stop - start FROM cpu_interval")
    assert sorted(found) == [(1, 0, 10), (1, 10, 10), (2, 20, 4)]


@pytest.mark.parametrize(
    ("lines", "counts"),
    [
        ({}, (0, 0, 0)),
        ({1: [(5, 0, MAIN)]}, (0, 0, 0)),
        ({3: [(5, 10, KERNEL)]}, (1, 1, 0)),
        ({3: [(5, 10, KERNEL)], 4: [(5, 10, KERNEL)]}, (2, 1, 0)),
        ({3: [(5, 10, KERNEL), (15, 10, COPY)]}, (2, 2, 0)),
        ({3: [(5, 10, KERNEL)], 4: [(40, 10, KERNEL)]}, (2, 3, 1)),
    ],
)
def test_small_traces(
    empty: duckdb.DuckDBPyConnection, lines: Lines, counts: tuple[int, int, int]
) -> None:
    with derived(empty, lines) as connection:
        assert counts == (
            one(connection, "SELECT count(*) FROM gpu_operation"),
            one(connection, "SELECT count(*) FROM gpu_level"),
            one(connection, "SELECT count(*) FROM gpu_gap"),
        )


@pytest.mark.slow
def test_lines_of_unknown_kind_are_told_by_what_they_run(empty: duckdb.DuckDBPyConnection) -> None:
    lines = {1: [(0, 10, MAIN), (20, 10, KERNEL)], 2: [(0, 5, COPY)], 3: [(0, 5, KERNEL)]}
    kinds_told = ("unknown", "unknown", "CPU thread")
    with derived(empty, lines, kinds_told, asked=("profile",)) as connection:
        kinds = rows(connection, 'SELECT kind FROM profile ORDER BY "index"')
    assert kinds == [("CPU thread",), ("GPU stream",), ("CPU thread",)]


@pytest.mark.slow
def test_deriving_one_run_leaves_another_alone(empty: duckdb.DuckDBPyConnection) -> None:
    lines = {1: [(0, 50, MAIN)], 3: [(10, 10, KERNEL)]}
    with derived(empty, lines) as connection:
        before = rows(connection, "FROM gpu_operation")
        connection.execute(
            "INSERT INTO run VALUES"
            " (2, 's', 'p', 'q', 'd', 'c', [], 't', '4', 't', '', NULL, NULL, [])"
        )
        derive(connection, 2)
        assert rows(connection, "FROM gpu_operation") == before


def test_rows_are_derived_in_the_same_order_each_time(
    empty: duckdb.DuckDBPyConnection, monkeypatch: pytest.MonkeyPatch
) -> None:
    def threads() -> int:
        return int(empty.execute("SELECT current_setting('threads')").fetchall()[0][0])

    seen: set[int] = set()
    before = threads()
    monkeypatch.setattr("perfolio.store.derived_tables.fill", lambda *_: seen.add(threads()))
    derive(empty, 1)
    assert seen == {1}, "several threads insert rows in the order in which they finish"
    assert threads() == before


def test_a_model_that_reads_its_rows_twice_ends(empty: duckdb.DuckDBPyConnection) -> None:
    """DuckDB 2.0 waits for ever under a LIMIT where two joined readers share many streamed rows."""
    sql = (
        "WITH one AS (SELECT range AS id FROM range(500_000)),"
        " two AS (SELECT one.id FROM range(20_000) AS few(id) ASOF JOIN one ON one.id <= few.id)"
        " FROM one JOIN two USING (id)"
    )
    model = StoreModel("twice", "table", "", "", sql, frozenset())
    tables = RunTables(empty, 1, frozenset({"twice"}), "memory")
    with patch.dict(cast("dict[str, StoreModel]", load_models()), {"twice": model}):
        tables.provide_one("twice")
    assert one(empty, "SELECT count(*) FROM twice") == 20_000
    tables.close()


SAMPLES = ("dlrm-h100-timed", "eight-ranks", "low-occupancy", "transformer")
REAL = ("dlrm-h100-traces.d", "dlrm-h100-gpu.d", "loops-hip-amd-t.d", "loops-cuda-nvidiapc-t.d")
SAMPLED = ("mpi4.d", "multi-proc40.d", "tinyllama-cpu-python.d")

WHOLE = (
    "SELECT cell.device,"
    " sum(cell.ns) = any_value(coalesce(cpu.stop - cpu.start, gpu.stop - gpu.start))"
    " FROM gpu_cell AS cell JOIN gpu_device AS gpu ON gpu.device = cell.device"
    " LEFT JOIN cpu_trace_span AS cpu ON true GROUP BY cell.device"
)


@pytest.mark.parametrize("name", SAMPLES)
def test_cells_of_a_gpu_are_all_of_its_time(name: str) -> None:
    with open_store(store_at(simulated_sample(name).folder)) as connection:
        found = rows_of(connection, WHOLE)
    assert found
    assert all(equal for _, equal in found), "to the nanosecond"


@pytest.mark.real
@pytest.mark.parametrize("name", REAL)
def test_cells_of_a_recorded_gpu_are_all_of_its_time(name: str) -> None:
    with open_store(store_at(database(name), "")) as connection:
        found = rows_of(connection, WHOLE)
    assert found
    assert all(equal for _, equal in found), "to the nanosecond"


@pytest.mark.real
@pytest.mark.parametrize("name", SAMPLED)
def test_time_of_threads_is_in_one_stretch(name: str) -> None:
    with open_store(store_at(database(name), "")) as connection:
        ((wall, alive),) = rows_of(connection, "SELECT sum(ns), sum(ns * alive) FROM cpu_wall")
        ((span, lives),) = rows_of(
            connection,
            "SELECT max(stop) - min(start), sum(stop - start)"
            " FROM trace_line WHERE kind = 'CPU thread'",
        )
        ((told,),) = rows_of(connection, "SELECT sum(stop - start) FROM cpu_stretch")
        overlaps = rows_of(
            connection,
            "SELECT 1 FROM (SELECT start < lag(stop) OVER line AS again FROM cpu_stretch"
            " WINDOW line AS (PARTITION BY profile ORDER BY start, stop)) WHERE again",
        )
    assert (wall, alive) == (span, lives), "to the nanosecond"
    assert told <= lives
    assert told > 0.99 * lives, "what passes before a thread's first sample is little"
    assert overlaps == []


EXPECTED = """
SELECT sample.profile, if(grouping(frame.role) = 0, frame.role, 'any') AS role, count(*) AS samples,
    least(quantile_cont(sample.distance, 0.05), 1.1 * any_value(run.least)) AS distance
FROM host_sample AS sample
CROSS JOIN (
    SELECT quantile_cont(distance, 0.01) AS least FROM host_sample WHERE distance > 0
) AS run
LEFT JOIN enclosing_frame AS enclosing ON enclosing.context = sample.context
LEFT JOIN frame ON frame.frame = enclosing.frame
WHERE sample.distance > 0
GROUP BY GROUPING SETS ((sample.profile, frame.role), (sample.profile)) HAVING count(*) >= 20
ORDER BY ALL
"""


@pytest.mark.parametrize(("contexts", "points"), [(40_000, 4_000), (400, 40_000)])
def test_distances_are_quantiles_of_each_thread(tmp_path: Path, contexts: int, points: int) -> None:
    """Of many contexts and few samples, a join gives these in an order of its own."""
    write_ranks(tmp_path / "ranks.d", 2, contexts, points, 1, QuietProgress())
    store = tmp_path / "store.duckdb"
    with derived_for(["FROM punctual_distance", EXPECTED]):
        ingest([(registry.read(tmp_path / "ranks.d"), RunDescription())], store)
    with (
        open_store(store, reproducible=True) as connection,
        make_run_tables(connection, 1) as tables,
    ):
        found = tables.rows("FROM punctual_distance ORDER BY ALL")
        expected = tables.rows(EXPECTED)
    assert [row[:3] for row in found] == [row[:3] for row in expected]
    assert {row[1] for row in found} >= {"working", "waiting", "any"}
    assert [row[3] for row in found] == pytest.approx([row[3] for row in expected], rel=1e-15)


@pytest.mark.parametrize("count", [1, 2, 19, 20, 21, 1_000, 7_687])
@pytest.mark.parametrize("part", [0.01, 0.05])
def test_a_quantile_is_that_of_duckdb(count: int, part: float) -> None:
    values = np.random.default_rng(count).integers(1, 10**7, count)
    ((expected,),) = duckdb.execute(
        f"SELECT quantile_cont(v, {part}) FROM (SELECT unnest($values::BIGINT[]) AS v)",
        {"values": values.tolist()},
    ).fetchall()
    assert find_quantile(values, part) == pytest.approx(expected, rel=1e-15)
