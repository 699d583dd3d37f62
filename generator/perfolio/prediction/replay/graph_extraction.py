"""The launch graph of a run, from a store.

In:  the tables of one run. Out: a `LaunchGraph` of the last iterations, with delays and edges.

Warm-up is left out. Of a long run as many iterations are taken as have 12,000 operations, three at
least, since a replay takes time by operation. Times are shifted, so that the window begins at one
second.
"""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
import numpy.typing as npt

from perfolio.prediction.replay.call_columns import (
    LaunchedOperation,
    RecordedCall,
    RecordedRank,
    fill_columns,
    find_batches,
)
from perfolio.prediction.replay.delays import set_delays, set_queue
from perfolio.prediction.replay.launch_graph import (
    ALL,
    NO_EVENT,
    NO_RECORD,
    NOTHING,
    UNKNOWN,
    LaunchGraph,
    RankGroup,
    RecordedWait,
)
from perfolio.prediction.replay.rank_meetings import find_meetings
from perfolio.prediction.replay.refusals import Replayability, judge_graph, measure_unexplained
from perfolio.prediction.replay.stream_edges import infer_edges
from perfolio.store.run_tables import RunTables

MOST_OPERATIONS = 12_000
LEAST_STEPS = 4
"""Iterations at least, where there are so many: the first one leads in."""
_ORIGIN = 1_000_000_000
_STEPS = """
SELECT DISTINCT CAST(coalesce(owner.rank, 0) AS BIGINT) AS rank, range.start
FROM host_range AS range JOIN profile AS owner ON owner."index" = range.profile
WHERE range.kind = 'step' ORDER BY rank, range.start
"""
_ITERATIONS = "SELECT start FROM iteration ORDER BY start"
_LAST = "SELECT stop FROM iteration WHERE mark <> 'incomplete' ORDER BY start DESC LIMIT 1"
_LOADING = """
SELECT CAST(coalesce(owner.rank, 0) AS BIGINT) AS rank, stay.profile, stay.start,
    stay.start + stay.duration AS stop
FROM host_stay AS stay
JOIN profile AS owner ON owner."index" = stay.profile
JOIN enclosing_frame AS place ON place.context = stay.context
JOIN frame ON frame.frame = place.frame AND frame.phase = 'data'
WHERE stay.start >= $low AND stay.start < $high
    AND stay.profile IN (SELECT profile FROM host_call)
ORDER BY rank, stay.start, stop
"""
_TAKING = """
SELECT CAST(coalesce(owner.rank, 0) AS BIGINT) AS rank, taken.profile, taken.start, taken.stop
FROM loader_wait AS taken JOIN profile AS owner ON owner."index" = taken.profile
WHERE taken.start < $high ORDER BY rank, taken.start, taken.stop
"""
_WAITS = """
SELECT CAST(coalesce(owner.rank, 0) AS BIGINT) AS rank, told.kind = 'stream' AS by_stream,
    made.start, made.profile AS thread, told.profile AS stream, told.stream IS NULL AS of_all,
    told.event IS NOT NULL AS of_event, recorded.start AS recorded, told.source,
    told.source_stream IS NULL AS unknown
FROM stream_wait AS told
JOIN host_call AS made ON made.id = told."call"
JOIN profile AS owner ON owner."index" = made.profile
LEFT JOIN host_call AS recorded ON recorded.id = told.record
WHERE told.kind <> 'record' AND made.start >= $low AND made.start < $high
ORDER BY rank, made.start, made.id
"""
_STEADY = "SELECT start FROM steady_bounds WHERE start IS NOT NULL"
_COUNTS = "SELECT start FROM gpu_operation ORDER BY start"
_CALLS = """
SELECT CAST(coalesce(owner.rank, 0) AS BIGINT) AS rank, call.id, call.profile, call.name,
    call.start, call.start + call.duration AS stop, coalesce(gpu_wait(call.name), '') AS kind,
    coalesce(frame.phase = 'optimizer', false) AS updates
FROM host_call AS call
JOIN profile AS owner ON owner."index" = call.profile
LEFT JOIN enclosing_frame AS place ON place.context = call.context
LEFT JOIN frame ON frame.frame = place.frame
WHERE call.start >= $low AND call.start < $high AND (
    gpu_wait(call.name) IN ('synchronises', 'copies')
    OR call.id IN (SELECT call FROM gpu_operation WHERE call IS NOT NULL)
)
ORDER BY rank, call.start, stop DESC, call.id
"""
_OPERATIONS = """
SELECT CAST(coalesce(owner.rank, 0) AS BIGINT) AS rank, coalesce(ran.call, -1) AS call, ran.start,
    ran.duration, ran.profile, ran.operation, ran.context, coalesce(ran.bytes, 0) AS size,
    coalesce(shared."group", '') AS "group", coalesce(shared.sequence, -1) AS sequence
FROM gpu_operation AS ran JOIN profile AS owner ON owner."index" = ran.profile
LEFT JOIN (
    SELECT profile, start, any_value("group") AS "group", any_value(sequence) AS sequence
    FROM collective GROUP BY ALL
) AS shared ON shared.profile = ran.profile AND shared.start = ran.start
WHERE ran.start >= $low
ORDER BY rank, ran.start, ran.profile, ran.context
"""
_WORKS = """
SELECT DISTINCT ran.context, coalesce(kind.class, ran.operation) AS class,
    coalesce(kind.moves, false) AS moves, coalesce(named.function_name, named.name, '') AS name
FROM gpu_operation AS ran
LEFT JOIN kernel_class AS kind ON kind.context = ran.context
LEFT JOIN context_name AS named ON named.context = ran.context
"""
_GROUPS = """
SELECT "group", max(coalesce(ranks, 0)), bool_or(lower(name) IN ('send', 'recv'))
FROM collective WHERE "group" <> '' GROUP BY ALL ORDER BY "group"
"""
_RANKS = """
SELECT value FROM setting WHERE key = 'run.ranks' AND try_cast(value AS BIGINT) IS NOT NULL
"""
_LINK = """
SELECT coalesce(hardware.link_bandwidth, 0.0) AS rate, hardware.name
FROM run JOIN hardware ON hardware.name = run.hardware
"""
QUERIES = (
    *(_STEPS, _ITERATIONS, _LAST, _STEADY, _LOADING, _COUNTS),
    *(_CALLS, _OPERATIONS, _WORKS, _LINK, _RANKS, _GROUPS),
    *(_TAKING, _WAITS),
)

Integers = npt.NDArray[np.int64]


@dataclass(frozen=True)
class _Window:
    """What is replayed: begins of iterations by rank, and when the last one ends."""

    begins: dict[int, list[int]]
    low: int
    high: int
    steps: int
    is_recording: bool = False


def extract_graph(tables: RunTables) -> tuple[LaunchGraph, Replayability] | None:
    """The graph of a run, and whether it can be replayed; None where no calls are recorded."""
    if not tables.rows("SELECT 1 FROM host_call LIMIT 1"):
        return None
    for sql in QUERIES:
        tables.provide(sql)
    window = _choose_window(tables)
    if window is None:
        return None
    works, device = tables.rows(_WORKS), next(iter(tables.rows(_LINK)), (0.0, ""))
    graph = LaunchGraph(
        ranks=[],
        classes={context: kind for context, kind, _, _ in works},
        moves=frozenset(context for context, _, moves, _ in works if moves),
        names={context: name for context, _, _, name in works},
        steps=window.steps,
        is_recording=window.is_recording,
        link_rate=float(device[0]),
        device=device[1],
    )
    told = tables.rows(_GROUPS)
    graph.groups = {n: RankGroup(size, sends) for n, (_, size, sends) in enumerate(told, 1)}
    groups = {name: n for n, (name, *_) in enumerate(told, 1)}
    every, kept = _read_ranks(tables, window, groups), []
    for recorded in every:
        rank = fill_columns(recorded, graph.classes)
        if rank.calls.start and rank.operations.start:
            graph.ranks.append(rank)
            kept.append(recorded.waits)
    for rank, waits in zip(graph.ranks, kept, strict=True):
        set_delays(rank)
        infer_edges(rank, waits)
        set_queue(rank)
    unexplained = measure_unexplained(graph)
    ranks = max([1, *(int(number) for (number,) in tables.rows(_RANKS))])
    find_meetings(graph, ranks)
    return (graph, judge_graph(graph, every, ranks, unexplained)) if graph.ranks else None


def _choose_window(tables: RunTables) -> _Window | None:
    """The last iterations; of a run without any, or of one, all that was recorded.

    Marked steps go before the store's iterations, as many as these are: a call belongs to the step
    in which its rank made it. The store's begin when the GPUs have ended what was launched before,
    20 ms later where the host is ahead, and are of one rank.
    """
    marked: dict[int, list[int]] = {}
    for rank, start in tables.rows(_STEPS):
        marked.setdefault(rank, []).append(start)
    found = [start for (start,) in tables.rows(_ITERATIONS)]
    begun = np.array([start for (start,) in tables.rows(_COUNTS)], np.int64)
    if not len(begun):
        return None
    reference = next(iter(marked.values()), found)
    if len(reference) < 2:
        (call,) = tables.rows("SELECT min(start), max(start + duration) FROM host_call")
        return _Window({0: [call[0]]}, call[0], call[1] + 1, 1, is_recording=True)
    steady = tables.rows(_STEADY)
    warm = max(0, bisect_left(reference, steady[0][0]) - 2) if steady else 0
    warm = max(warm, bisect_left(reference, _find_settled(tables, int(begun[-1]))))
    if len(reference) - warm < 2:
        warm = max(0, len(reference) - LEAST_STEPS)
    first = warm + _choose_first(reference[warm:], begun)
    chosen = {rank: each[first:] for rank, each in (marked or {0: found}).items() if each[first:]}
    stop = [] if marked else tables.rows(_LAST)
    high = max([end for (end,) in stop] + [int(begun[-1]) + 1])
    return _Window(chosen, min(each[0] for each in chosen.values()), high, len(reference) - first)


def _find_settled(tables: RunTables, high: int) -> int:
    """From when on the loader's workers decide; 0 where they do not [ns]."""
    rows = tables.rows(_TAKING, {"high": high})
    first = [(start, stop) for rank, _, start, stop in rows if rank == rows[0][0]]
    return find_batches(_join_times(first)).since


def _join_times(times: Sequence[tuple[int, int]]) -> list[tuple[int, int]]:
    """Times by their begins, without what lies in others."""
    joined: list[tuple[int, int]] = []
    for start, stop in times:
        if joined and start < joined[-1][1]:
            joined[-1] = (joined[-1][0], max(joined[-1][1], stop))
        else:
            joined.append((start, stop))
    return joined


def _choose_first(begins: Sequence[int], begun: Integers) -> int:
    """The first iteration that is taken, so that few operations follow it."""
    counts = len(begun) - np.searchsorted(begun, np.array(begins, np.int64))
    within = np.flatnonzero(counts <= MOST_OPERATIONS)
    least = max(0, len(begins) - LEAST_STEPS)
    return int(min(within[0], least)) if len(within) else least


def _read_ranks(
    tables: RunTables, window: _Window, groups: Mapping[str, int]
) -> list[RecordedRank]:
    """What was recorded of ranks; `groups` numbers those that collectives name."""
    given = {"low": window.low, "high": window.high}
    shift = _ORIGIN - window.low
    ranks: dict[int, RecordedRank] = {}

    def find_rank(number: int) -> RecordedRank:
        if number not in ranks:
            begins = window.begins.get(number) or next(iter(window.begins.values()))
            ranks[number] = RecordedRank([begin + shift for begin in begins], number=number)
        return ranks[number]

    for rank, *call in tables.rows(_CALLS, given):
        find_rank(rank).calls.append(_shift_call(call, shift))
    streams: dict[tuple[int, int], int] = {}
    found = tables.rows(_OPERATIONS, {"low": window.low})
    for rank, call, start, length, profile, *what in found:
        one = find_rank(rank)
        stream = streams.setdefault((rank, profile), one.streams)
        one.streams = max(one.streams, stream + 1)
        what[-2] = groups.get(what[-2], 0)
        one.operations.append(LaunchedOperation(call, start + shift, length, stream, *what))
    _read_loading(tables, given, ranks, shift)
    _read_waits(tables, given, _KnownStreams(ranks, streams, shift))
    return [ranks[number] for number in sorted(ranks)]


def _read_loading(
    tables: RunTables, given: Mapping[str, int], ranks: Mapping[int, RecordedRank], shift: int
) -> None:
    """When programs load input; of those that take it from workers, on the threads that do."""
    threads: dict[int, set[int]] = {}
    for rank, thread, start, stop in tables.rows(_TAKING, {"high": given["high"]}):
        if rank in ranks:
            threads.setdefault(rank, set()).add(thread)
            ranks[rank].taking.append((start + shift, stop + shift))
    for one in ranks.values():
        one.taking = _join_times(one.taking)
    for rank, thread, start, stop in tables.rows(_LOADING, given):
        if rank in ranks and thread in threads.get(rank, {thread}):
            ranks[rank].loading.append((start + shift, stop + shift))


@dataclass(frozen=True)
class _KnownStreams:
    """Ranks, and the numbers of their streams by rank and profile."""

    ranks: Mapping[int, RecordedRank]
    streams: Mapping[tuple[int, int], int]
    shift: int


def _read_waits(tables: RunTables, given: Mapping[str, int], known: _KnownStreams) -> None:
    """What waits are for, as far as the tool tells."""
    streams, shift = known.streams, known.shift
    for row in tables.rows(_WAITS, given):
        rank, by_stream, start, thread, stream, of_all, of_event, recorded, source, lost = row
        if rank in known.ranks:
            known.ranks[rank].waits.append(
                RecordedWait(
                    by_stream=by_stream,
                    start=start + shift,
                    thread=thread,
                    stream=ALL if of_all else streams.get((rank, stream), NOTHING),
                    recorded=_find_moment(recorded, shift, is_event=of_event),
                    source=UNKNOWN if lost else streams.get((rank, source), NOTHING),
                )
            )


def _find_moment(recorded: int | None, shift: int, *, is_event: bool) -> int:
    """When an event was recorded."""
    if recorded is None:
        return NO_RECORD if is_event else NO_EVENT
    return max(0, recorded + shift)


def _shift_call(row: Sequence[Any], shift: int) -> RecordedCall:
    identifier, thread, name, start, stop, kind, updates = row
    return RecordedCall(identifier, thread, name, start + shift, stop + shift, kind, updates)
