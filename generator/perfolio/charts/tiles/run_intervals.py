"""The store to rows of intervals: of each thread by depth, of each stream by lane, and of memory.

In:  a connection to a store, and a run. Out: a `RunTimeline`, whose columns are sorted by row and
     start.

Within a row no interval begins before the one before it ends. On a thread an interval lies one row
below those that it begins in; one that outlives them is not cut. Kernels of a stream that overlap
get further rows.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from heapq import heappop, heappush
from itertools import pairwise

import duckdb
import numpy as np
import numpy.typing as npt

from perfolio.metrics.caveats import is_sampling_tool
from perfolio.readers.events.range_nesting import (
    count_open,
    find_crossed_stretches,
    find_followers,
)
from perfolio.store.run_tables import RunTables, make_run_tables

Integers = npt.NDArray[np.int64]

MOST_INTERVALS = 4_000_000
"""Beyond, a page has the overview alone: tiles would take 20 MB, and memory 40 B an interval."""
MOST_ROWS = 2_000
MOST_MARKS = 1_000
MOST_NAME = 300
"""Characters of a name that are kept."""
OUTWARDS = ("step", "annotation", "operator", "library", "call", "system")
"""Of intervals with the same times the first kind lies around the others."""
LATEST = 2**50
"""A browser computes parts of a tile exactly up to that [ns]."""

_COUNT = """
    SELECT (SELECT count(*) FROM host_range) + (SELECT count(*) FROM host_call)
            + (SELECT count(*) FROM host_function) AS host,
        (SELECT count(*) FROM gpu_operation) AS gpu, (SELECT count(*) FROM memory_event) AS memory,
        (SELECT tool FROM run) AS tool
"""
_PLACES = f"""
    CREATE TEMP TABLE timeline_place AS
    SELECT ran.context, ran.operation, ran.number, ran.spent,
        left(coalesce(kernel.short, words.words, ran.operation), {MOST_NAME}) AS name,
        CASE WHEN ran.operation = 'kernel' THEN 'kernel ' || coalesce(class.class, 'other')
            WHEN ran.operation LIKE 'copy%' OR ran.operation = 'migration' THEN 'copy'
            ELSE ran.operation END AS class
    FROM (
        SELECT context, operation, count(*) AS number, sum(duration) AS spent
        FROM gpu_operation GROUP BY context, operation
    ) AS ran
    LEFT JOIN kernel_context AS kernel ON kernel.context = ran.context
    LEFT JOIN kernel_class AS class ON class.context = ran.context
    LEFT JOIN gpu_context AS words ON words.context = ran.context
    UNION ALL
    SELECT called.context, called.kind, called.number, called.spent,
        left(coalesce(named.name, called.kind), {MOST_NAME}), called.kind
    FROM (
        SELECT context, kind, count(*) AS number, sum(duration) AS spent
        FROM host_function GROUP BY context, kind
    ) AS called
    LEFT JOIN context_name AS named ON named.context = called.context
"""  # noqa: S608 - a number of ours
_NAMES = f"""
    CREATE TEMP TABLE timeline_name AS
    SELECT CAST(row_number() OVER (ORDER BY class, name) - 1 AS INTEGER) AS code, class, name,
        CAST(sum(number) AS BIGINT) AS number,
        CAST(least(sum(spent), {2 * LATEST}) AS BIGINT) AS spent
    FROM (
        SELECT kind AS class, left(name, {MOST_NAME}) AS name, count(*) AS number,
            sum(duration) AS spent FROM host_range GROUP BY ALL
        UNION ALL
        SELECT 'call', left(name, {MOST_NAME}) AS name, count(*), sum(duration)
        FROM host_call GROUP BY ALL
        UNION ALL SELECT class, name, number, spent FROM timeline_place
    )
    GROUP BY class, name
"""  # noqa: S608 - a number of ours
_INTERVALS = f"""
    SELECT 2 * own.profile + CAST(own.kind = 'python' AS INTEGER) AS line, own.start, own.duration,
        own.code, own.id, CAST(own.way AS TINYINT) AS way
    FROM (
        SELECT own.profile, own.kind, own.start, own.duration, code, -1 AS id, 0 AS way,
            own.id AS turn
        FROM host_range AS own
        JOIN timeline_name AS n ON n.class = own.kind AND n.name = left(own.name, {MOST_NAME})
        UNION ALL
        SELECT own.profile, 'call', own.start, own.duration, code, own.id, 1, own.id
        FROM host_call AS own
        JOIN timeline_name AS n ON n.class = 'call' AND n.name = left(own.name, {MOST_NAME})
        UNION ALL
        SELECT own.profile, own.kind, own.start, own.duration, code, -1, 0, own.id
        FROM host_function AS own
        JOIN timeline_place AS place
            ON place.context = own.context AND place.operation = own.kind
        JOIN timeline_name AS n ON n.class = place.class AND n.name = place.name
        UNION ALL
        SELECT ran.profile, 'gpu', ran.start, ran.duration, code, coalesce(ran.call, -1), 2,
            ran.call
        FROM gpu_operation AS ran
        JOIN timeline_place AS place
            ON place.context = ran.context AND place.operation = ran.operation
        JOIN timeline_name AS n ON n.class = place.class AND n.name = place.name
    ) AS own
    ORDER BY line, start, duration DESC,
        coalesce(list_position({list(OUTWARDS)}, kind), 99), turn, code
"""  # noqa: S608 - words and a number of ours
_LINES = """
    SELECT profile."index", coalesce(profile.rank, -1) AS rank,
        profile.kind = 'GPU stream' AS streams,
        coalesce(line.name, thread.name, profile.identifier_tuple) AS name
    FROM profile
    LEFT JOIN line_name AS line ON line.profile = profile."index"
    LEFT JOIN process_thread AS thread ON thread.profile = profile."index"
    ORDER BY profile.rank NULLS FIRST, profile.node NULLS FIRST, profile.kind <> 'GPU stream',
        profile.gpu_context, profile.gpu_stream, profile.thread, profile."index"
"""
_MEMORY = """
    SELECT coalesce(profile.rank, -1) AS rank, event.device, event."time" AS start,
        event.allocated AS amount
    FROM memory_event AS event JOIN profile ON profile."index" = event.profile
    WHERE event.device IS NOT NULL AND event.allocated IS NOT NULL AND event.allocated >= 0
    ORDER BY rank, event.device, start, event.allocated
"""
_MARKS = "SELECT start, stop FROM iteration ORDER BY iteration"
_ORIGIN = "SELECT start, stop FROM traced_span"
_NAME_ROWS = "SELECT class, name, number, spent FROM timeline_name ORDER BY code"
_COLUMNS = ("start", "duration", "code", "way", "id")
_AT_ONCE = 65_536
_CALL_WAY, _OPERATION_WAY, _MEMORY_WAY = 1, 2, 3
"""Column `way` of calls, operations and memory."""
_QUERIES = (_COUNT, _PLACES, _NAMES, _INTERVALS, _LINES, _MEMORY, _MARKS, _ORIGIN)


@dataclass(frozen=True)
class TimelineTrack:
    """Rows of one thread, one stream or the memory of one device."""

    name: str
    kind: str
    """`stream`, `memory` or `thread`."""
    rows: int


@dataclass(frozen=True)
class NameTotal:
    """A name of a class of work, and what there is of it in the run."""

    name: str
    group: str
    number: int
    spent: int
    """Time of all of them [ns]."""


@dataclass(frozen=True)
class RunTimeline:
    """All intervals of a run, sorted by row and start; times count from `base` [ns]."""

    tracks: Sequence[TimelineTrack]
    names: Sequence[NameTotal]
    base: int
    """When the first one begins, since the epoch [ns]."""
    origin: int
    """Where the times of the report count from, since `base` [ns]."""
    stop: int
    """Where the last one ends, since `base` [ns]."""
    marks: Sequence[tuple[int, int]]
    """Begins and ends of iterations, since `base` [ns]."""
    bounds: Integers
    """Where each row begins among the intervals, and where the last one ends."""
    start: Integers
    duration: Integers
    """Of memory: bytes that are allocated from then on."""
    code: Integers
    """Place of its name in `names`."""
    partner: Integers
    """Place of what it launched first, or of what launched it; -1 for neither."""

    @property
    def kinds(self) -> list[str]:
        """The kind of each row."""
        return [track.kind for track in self.tracks for _ in range(track.rows)]


def read_timeline(connection: duckdb.DuckDBPyConnection, run: int) -> RunTimeline | None:
    """All intervals of a run; None where its tool takes samples, or has none, or too many."""
    with make_run_tables(connection, run, _QUERIES) as tables:
        ((host, gpu, memory, tool),) = tables.rows(_COUNT)
        if is_sampling_tool(tool) or not host + gpu or host + gpu + memory > MOST_INTERVALS:
            return None
        try:
            for sql in (_PLACES, _NAMES):
                tables.provide(sql)
                tables.connection.execute(sql)
            return _assemble_rows(tables)
        finally:
            for name in ("timeline_name", "timeline_place"):
                tables.connection.execute(f"DROP TABLE IF EXISTS temp.{name}")


@dataclass(frozen=True)
class _TrackLine:
    """A thread, stream or memory, before it has rows."""

    name: str
    kind: str
    items: slice
    """Its intervals, among those of all."""


def _assemble_rows(tables: RunTables) -> RunTimeline | None:
    flat, lines = _read_lines(tables)
    tracks, rows = _lay_rows(flat, lines)
    count = sum(track.rows for track in tracks)
    if not 0 < count <= MOST_ROWS:
        return None
    order = np.argsort(rows, kind="stable")[int((rows < 0).sum()) :]
    bounds = np.searchsorted(rows[order], np.arange(count + 1))
    ((origin, latest),) = tables.rows(_ORIGIN) or [(None, None)]
    start, duration, code, way, number = (flat.pop(name)[order] for name in _COLUMNS)
    first, last = int(start.min()), int(start.max())
    base = first if origin is None else min(first, int(origin))
    if last - base >= LATEST or int(duration.min()) < 0 or int(duration.max()) > LATEST:
        return None
    start -= base
    stop = int(np.where(way != _MEMORY_WAY, start + duration, start).max())
    stop = max(stop, int(latest) - base) if latest is not None else stop
    if not 0 < stop < LATEST:
        return None
    marks = tables.rows(_MARKS)[:MOST_MARKS]
    return RunTimeline(
        tracks=tracks,
        names=[NameTotal(n, group, k, t) for group, n, k, t in tables.rows(_NAME_ROWS)],
        base=base,
        origin=0 if origin is None else int(origin) - base,
        stop=stop,
        marks=[(int(begin) - base, int(end) - base) for begin, end in marks],
        bounds=bounds.astype(np.int64),
        start=start,
        duration=duration,
        code=code,
        partner=_find_partners(way, number, start),
    )


def _read_lines(tables: RunTables) -> tuple[dict[str, Integers], list[_TrackLine]]:
    """Columns of all intervals, and the tracks that they are of, in their order."""
    tables.provide(_INTERVALS)
    found = tables.connection.execute(_INTERVALS).fetchnumpy()
    of_line = dict(_split_runs(np.asarray(found.pop("line"))))
    flat = {name: np.asarray(found.pop(name)) for name in _COLUMNS}
    placed: list[tuple[tuple[int, int], _TrackLine]] = []
    for profile, rank, streams, name in tables.rows(_LINES):
        kind, order = ("stream", (rank, 0)) if streams else ("thread", (rank, 2))
        for line, told in ((2 * profile, name), (2 * profile + 1, f"{name}, Python")):
            if line in of_line:
                placed.append((order, _TrackLine(told, kind, of_line[line])))
    series = _read_memory(tables)
    at = len(flat["start"])
    for rank, name, columns in series:
        items = slice(at, at := at + len(columns["start"]))
        placed.append(((rank, 1), _TrackLine(name, "memory", items)))
    for name in _COLUMNS if series else ():
        joined = (flat[name], *(columns[name] for _, _, columns in series))
        flat[name] = np.concatenate(joined, dtype=flat[name].dtype)
    return flat, [line for _, line in sorted(placed, key=lambda each: each[0])]


def _split_runs(keys: Integers) -> Iterator[tuple[int, slice]]:
    """Where each key stands, of keys in order."""
    edges = np.flatnonzero(np.diff(keys)) + 1
    bounds = [0, *edges.tolist(), len(keys)]
    for begin, end in pairwise(bounds):
        if end > begin:
            yield int(keys[begin]), slice(begin, end)


def _read_memory(tables: RunTables) -> list[tuple[int, str, dict[str, Integers]]]:
    """What is allocated on each device after each event: rank, name, columns."""
    tables.provide(_MEMORY)
    found = tables.connection.execute(_MEMORY).fetchnumpy()
    columns = {name: np.asarray(column, dtype=np.int64) for name, column in found.items()}
    ranks, devices = columns["rank"], columns["device"]
    both = np.cumsum(np.append(0, (np.diff(ranks) != 0) | (np.diff(devices) != 0)))
    series = []
    for _, items in _split_runs(both[: len(ranks)]):
        start = columns["start"][items]
        rank, device, zero = int(ranks[items][0]), int(devices[items][0]), np.zeros_like(start)
        own = f"rank {rank} " if rank >= 0 else ""
        given = {"start": start, "duration": columns["amount"][items], "code": zero}
        given |= {"id": zero - 1, "way": zero + _MEMORY_WAY}
        series.append((rank, f"{own}memory of GPU {device}", given))
    return series


def _lay_rows(
    flat: dict[str, Integers], lines: Sequence[_TrackLine]
) -> tuple[list[TimelineTrack], Integers]:
    """Tracks, and the row of each interval; -1 where it is of no track."""
    rows: Integers = np.full(len(flat["start"]), -1, dtype=np.int64)
    tracks, first = [], 0
    for line in lines:
        begin = flat["start"][line.items]
        if line.kind == "memory":
            own = np.zeros(len(begin), dtype=np.int64)
        else:
            ends = begin + flat["duration"][line.items]
            lay = nest_intervals if line.kind == "thread" else spread_lanes
            own = lay(begin, ends)
        rows[line.items] = first + own
        tracks.append(TimelineTrack(line.name, line.kind, int(own.max()) + 1))
        first += tracks[-1].rows
    return tracks, rows


def _iterate_values(column: Integers) -> Iterator[int]:
    """The values as numbers of Python, of which only some are there at once."""
    for begin in range(0, len(column), _AT_ONCE):
        yield from column[begin : begin + _AT_ONCE].tolist()


def nest_intervals(begins: Integers, ends: Integers) -> Integers:
    """How deep each interval lies in those before it; they are sorted, the longer one first."""
    follower = find_followers(begins, ends)
    depths = count_open(follower)
    for stretch in find_crossed_stretches(follower, depths):
        within: list[int] = []
        for place, end in enumerate(follower[stretch].tolist(), stretch.start):
            while within and within[-1] <= place:
                within.pop()
            depths[place] = len(within)
            within.append(end)
    return depths.astype(np.int64)


def spread_lanes(begins: Integers, ends: Integers) -> Integers:
    """The first lane in which nothing runs when an interval begins; they are sorted."""
    if not np.any(find_followers(begins, ends) > np.arange(1, len(begins) + 1)):
        return np.zeros(len(begins), dtype=np.int64)
    free: list[int] = []
    busy: list[tuple[int, int]] = []
    lanes: list[int] = []
    for begin, end in zip(_iterate_values(begins), _iterate_values(ends), strict=True):
        while busy and busy[0][0] <= begin:
            heappush(free, heappop(busy)[1])
        lanes.append(heappop(free) if free else len(busy))
        heappush(busy, (end, lanes[-1]))
    return np.array(lanes, dtype=np.int64)


def _find_partners(way: Integers, number: Integers, start: Integers) -> Integers:
    """The call that launched an operation, and the first operation that a call launched."""
    partner = np.full(len(way), -1, dtype=np.int64)
    calls = np.flatnonzero(way == _CALL_WAY)
    calls = calls[np.argsort(number[calls], kind="stable")]
    ran = np.flatnonzero((way == _OPERATION_WAY) & (number >= 0))
    if not len(calls) or not len(ran):
        return partner
    at = np.minimum(np.searchsorted(number[calls], number[ran]), len(calls) - 1)
    known = number[calls[at]] == number[ran]
    ran, launch = ran[known], calls[at[known]]
    partner[ran] = launch
    last_first = np.argsort(-start[ran], kind="stable")
    partner[launch[last_first]] = ran[last_first]  # of several the one written last: the first
    return partner
