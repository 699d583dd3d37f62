"""The time of a run without GPU work, by what its main threads do, and what processors counted.

In:  a run of a store. Out: its window, rows that sum to that of all main threads, and counts.

Where it is recorded what threads were in, each nanosecond is theirs, and of several ranks time in
collectives has rows of its own; else samples share the wall time, as in table main_stretch.
"""

from __future__ import annotations

from collections import defaultdict
from dataclasses import dataclass

import numpy as np

from perfolio.comparison import host_collectives
from perfolio.comparison.division import apportion
from perfolio.comparison.frame_paths import UNKNOWN, read_paths
from perfolio.comparison.host_activities import NOTHING, name_activity
from perfolio.comparison.host_collectives import HostWaits, measure_host_waits
from perfolio.comparison.host_time import NEAR, overlap_stays
from perfolio.comparison.run_record import ProcessorCounts, RankTime, TimeRow
from perfolio.comparison.steady_window import SteadyWindow
from perfolio.store.run_tables import RunTables

_SPAN = "SELECT start, stop FROM cpu_trace_span"
_STEPS = """
SELECT start, stop FROM host_step
WHERE profile = (SELECT min(profile) FROM host_step) ORDER BY start
"""
_MAIN = "SELECT profile FROM main_threads ORDER BY profile"
_IS_RECORDED = "SELECT 1 FROM host_stay LIMIT 1"
_STRETCHES = """
SELECT frame, part, sum(spent) AS spent FROM main_stretches
GROUP BY frame, part ORDER BY frame, part
"""
_COUNTERS = """
SELECT cost.name, sum(cost.value) AS value
FROM cost JOIN frame ON frame.frame = cost.context
WHERE cost.scope = 'function' AND frame.role = 'working'
    AND cost.name IN (SELECT unnest($names))
GROUP BY cost.name
"""
_COLLECTED = "SELECT name FROM collected"
QUERIES = (
    _SPAN, _STEPS, _MAIN, _IS_RECORDED, _STRETCHES, _COUNTERS, _COLLECTED,
    *host_collectives.QUERIES,
)  # fmt: skip
_INSTRUCTIONS = ("perf::instructions", "instructions", "PAPI_TOT_INS")
_CYCLES = ("perf::cycles", "perf::cpu-cycles", "cycles", "cpu-cycles", "PAPI_TOT_CYC")
_TIMES = {"cpu_time": 1e9, "perf::task-clock": 1.0, "task-clock": 1.0, "perf::cpu-clock": 1.0}
"""Measures of time on processors, and nanoseconds of their unit."""
_OTHERS = "other ranks"
"""What a wait in a collective of the host is for."""


@dataclass(frozen=True)
class DividedThreads:
    """The time of main threads."""

    rows: tuple[TimeRow, ...]
    ranks: tuple[RankTime, ...] = ()
    """Of several ranks whose collectives are recorded; else empty."""
    instant: int | None = None
    """Length of the window with a network that takes no time [ns]; None where that is not told."""


def find_main_window(tables: RunTables) -> tuple[SteadyWindow, int] | None:
    """The window of a run without GPU operations, and its main threads; None without a trace."""
    spans, main = tables.rows(_SPAN), tables.rows(_MAIN)
    if not spans or spans[0][0] is None or not main or spans[0][1] <= spans[0][0]:
        return None
    steps = tables.rows(_STEPS)
    bounds = (*(start for start, _ in steps), steps[-1][1]) if steps else ()
    if len(bounds) > 2 and (np.diff(np.array(bounds, np.int64)) > 0).all():
        return SteadyWindow(bounds, is_steady=True), len(main)
    return SteadyWindow((spans[0][0], spans[0][1]), is_steady=False), len(main)


def read_processor_counts(tables: RunTables) -> ProcessorCounts | None:
    """What processors counted in code that works; None where not all of it was counted."""
    known = {str(name) for (name,) in tables.rows(_COLLECTED)}
    chosen = [
        next((name for name in names if name in known), "")
        for names in (_INSTRUCTIONS, _CYCLES, _TIMES)
    ]
    if not all(chosen):
        return None
    found = {str(name): float(value) for name, value in tables.rows(_COUNTERS, {"names": chosen})}
    counts = [found.get(name, 0.0) for name in chosen]
    if min(counts) <= 0.0:
        return None
    return ProcessorCounts(counts[0], counts[1], counts[2] * _TIMES[chosen[2]])


def divide_main_threads(tables: RunTables, window: SteadyWindow, lanes: int) -> DividedThreads:
    """Rows of the window of all main threads, and parts of each rank."""
    total = (window.stop - window.start) * lanes
    if tables.rows(_IS_RECORDED):
        return _divide_stays(tables, window, total)
    found = tables.rows(_STRETCHES)
    weights = [max(float(spent), 0.0) for *_, spent in found]
    weights.append(max(total - sum(weights), 0.0))
    shares = apportion(total, np.array(weights)).tolist()
    paths = read_paths(tables, {frame for frame, _, _ in found})
    summed: defaultdict[tuple[str, tuple[str, ...]], int] = defaultdict(int)
    for (frame, part, _), share in zip(found, shares[:-1], strict=True):
        summed[part, paths.get(frame, UNKNOWN).names[-NEAR:]] += share
    summed[NOTHING, ()] += shares[-1]
    return DividedThreads(_make_rows(summed))


def _divide_stays(tables: RunTables, window: SteadyWindow, total: int) -> DividedThreads:
    waits = measure_host_waits(tables, window)
    start, stop = (np.array([moment], np.int64) for moment in (window.start, window.stop))
    spent: defaultdict[int, int] = defaultdict(int)
    main = [int(profile) for (profile,) in tables.rows(_MAIN)]
    for profile in main:
        for context, ns in overlap_stays(tables, profile, start, stop).items():
            if context not in waits.contexts:
                spent[context] += ns
    paths = read_paths(tables, spent.keys())
    summed: defaultdict[tuple[str, tuple[str, ...]], int] = defaultdict(int)
    for context, ns in spent.items():
        path = paths.get(context, UNKNOWN)
        summed[name_activity(path), path.names[-NEAR:]] += ns
    found, ranks = _list_waits(waits, total // len(main))
    summed[NOTHING, ()] += total - sum(spent.values()) - sum(row.ns for row in found)
    return DividedThreads((*_make_rows(summed), *found), ranks, waits.instant)


def _list_waits(waits: HostWaits, each: int) -> tuple[tuple[TimeRow, ...], tuple[RankTime, ...]]:
    """Rows of collectives, and parts of ranks, of which each has so much time [ns]."""
    ranks = tuple(
        RankTime(rank, {
            "collective": waits.transfer[rank],
            "collective wait": waits.wait[rank],
            "main thread": each - waits.transfer[rank] - waits.wait[rank],
        })
        for rank in sorted(waits.wait)
    )  # fmt: skip
    sums = {"collective": waits.transfer, "collective wait": waits.wait}
    rows = (
        TimeRow("collective", "collective", sum(sums["collective"].values()), 0,
                short="collectives"),
        TimeRow("collective wait", _OTHERS, sum(sums["collective wait"].values()), 0,
                short="collectives"),
    )  # fmt: skip
    return tuple(row for row in rows if row.ns), ranks


def _make_rows(summed: dict[tuple[str, tuple[str, ...]], int]) -> tuple[TimeRow, ...]:
    return tuple(
        TimeRow("main thread", kind, ns, 0, names, short=names[-1] if names else kind)
        for (kind, names), ns in summed.items()
        if ns
    )
