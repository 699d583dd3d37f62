"""Sums over rows that pass by in batches: tables `trace_bin` and `host_step_part` of a run.

In:  what lines of the trace are busy with, and what main threads are in during steps.
Out: how long, in each part of the run, and by what it is in each step.

DuckDB would keep a sum for each part of each line at once, and sort all that threads were in to
find the step that it lies in. Here rows are looked up among few intervals or moments, and added to
those beside them.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping

import numpy as np
import numpy.typing as npt
import pyarrow as pa

from perfolio.store.idle_blame import find_overlaps
from perfolio.store.run_tables import RunTables

BATCH_ROWS = 1 << 17
LONG_ROWS = 1 << 10
"""How many that lie in several parts are taken apart at once."""
BINS = "SELECT start, stop FROM run_bins ORDER BY bin"
ACTIVITY = """
SELECT profile, start, start + duration AS stop FROM gpu_operation WHERE duration > 0
UNION ALL
SELECT sample.profile, sample.taken, sample.taken + least(line.longest, sample.stay)
FROM host_sample AS sample JOIN trace_line AS line ON line.profile = sample.profile
WHERE sample.duration > 0
UNION ALL
SELECT profile, start, sample FROM long_sample
UNION ALL
SELECT profile, start, start + duration FROM host_stay
"""
INSERT_BINS = """
INSERT INTO {} BY NAME
SELECT $run AS run, line.profile, line.kind, spent.bin, spent.busy
FROM (
    SELECT profile, CAST(bin AS INTEGER) AS bin, CAST(sum("time") AS BIGINT) AS busy
    FROM batch_sums GROUP BY ALL HAVING sum("time") > 0
) AS spent
JOIN trace_line AS line ON line.profile = spent.profile
"""
MOMENTS = """
SELECT profile, start, step, stop, coalesce(attends, start) AS attends
FROM step_moment WHERE step IS NOT NULL ORDER BY profile, start
"""
STAYS = """
SELECT stay.profile, stay.start, stay.duration, alike.frame
FROM host_stay AS stay
JOIN enclosing_frame AS enclosing ON enclosing.context = stay.context
JOIN (
    SELECT frame AS any_frame, min(frame) OVER (PARTITION BY name, phase) AS frame FROM frame
) AS alike ON alike.any_frame = enclosing.frame
WHERE stay.profile IN (SELECT profile FROM host_step)
"""
INSERT_STEP_PARTS = """
INSERT INTO {} BY NAME
WITH spent AS MATERIALIZED (
    SELECT spent.profile, spent.start, frame.name, sum(spent."time") AS "time",
        CASE WHEN frame.phase = 'data' THEN 'input' WHEN frame.phase = 'optimizer' THEN 'optimizer'
            WHEN spent.attends THEN 'attention' WHEN operator.multiplies THEN 'products'
            ELSE 'other operators' END AS part
    FROM batch_sums AS spent
    JOIN frame ON frame.frame = spent.frame
    LEFT JOIN step_operator AS operator ON operator.name = frame.name
    GROUP BY ALL
),
told AS (SELECT profile, start, sum("time") AS "time" FROM spent GROUP BY ALL)
SELECT $run AS run, profile, start, part, name, CAST("time" AS BIGINT) AS "time" FROM spent
UNION ALL
SELECT $run, step.profile, step.start, 'between', '',
    CAST(greatest(step.stop - step.start - coalesce(told."time", 0), 0) AS BIGINT)
FROM host_step AS step
LEFT JOIN told ON told.profile = step.profile AND told.start = step.start
"""

Integers = npt.NDArray[np.int64]
Columns = Mapping[str, Integers]
"""Columns of one length by name."""


def insert_bins(tables: RunTables) -> None:
    """Fill table `trace_bin` of a run."""
    tables.provide(BINS)
    bins = _read_columns(tables.connection.sql(BINS).to_arrow_table())
    if len(bins["start"]):
        _insert(tables, "trace_bin", add_by_bin(bins, _read_batches(tables, ACTIVITY)), INSERT_BINS)


def insert_step_parts(tables: RunTables) -> None:
    """Fill table `host_step_part` of a run."""
    tables.provide(MOMENTS)
    moments = _read_columns(tables.connection.sql(MOMENTS).to_arrow_table())
    sums = add_by_step(moments, _read_batches(tables, STAYS))
    _insert(tables, "host_step_part", sums, INSERT_STEP_PARTS)


def _insert(tables: RunTables, name: str, sums: pa.Table, insert: str) -> None:
    tables.provide(insert)
    tables.connection.register("batch_sums", sums)
    tables.connection.execute(insert.format(tables.stored(name)), {"run": tables.run})
    tables.connection.unregister("batch_sums")


def _read_batches(tables: RunTables, sql: str) -> Iterator[Columns]:
    tables.provide(sql)
    for batch in tables.connection.sql(sql).to_arrow_reader(BATCH_ROWS):
        yield _read_columns(batch)


def _read_columns(rows: pa.Table | pa.RecordBatch) -> Columns:
    columns = zip(rows.schema.names, rows.columns, strict=True)
    return {
        name: np.asarray(column.to_numpy(zero_copy_only=False)).astype(np.int64, copy=False)
        for name, column in columns
    }


def add_by_bin(bins: Columns, activity: Iterable[Columns]) -> pa.Table:
    """Time [ns] by profile and bin, in one row or several.

    `bins`: start and stop of each, which lie side by side. `activity`: profile, start and stop, in
    any order: where it is that of time, rows are few. What lies outside all bins is left out.
    """
    many = len(bins["start"])
    key, time = _join(piece for batch in activity for piece in _divide(bins, batch))
    return pa.table({"profile": key // many, "bin": key % many, "time": time})


def _divide(bins: Columns, activity: Columns) -> Iterator[tuple[Integers, Integers]]:
    """Places, which are a profile and a bin in one number, and the time [ns] in each."""
    begins, ends = bins["start"], bins["stop"]
    profile, start, stop = (activity[name] for name in ("profile", "start", "stop"))
    first = np.searchsorted(ends, start, "right")
    whole = (
        (start >= begins[0])
        & (first < len(ends))
        & (stop <= ends[np.minimum(first, len(ends) - 1)])
    )
    places = profile * len(begins) + first
    yield _add_neighbours(places[whole], (stop - start)[whole])
    others = np.flatnonzero(~whole)
    for row in range(0, len(others), LONG_ROWS):
        some = others[row : row + LONG_ROWS]
        found, place, time = find_overlaps(start[some], stop[some], begins, ends)
        yield _add_neighbours(profile[some][found] * len(begins) + place, time)


def add_by_step(moments: Columns, stays: Iterable[Columns]) -> pa.Table:
    """Time [ns] by profile, begin of the step, whether attention goes on, and frame, likewise.

    `moments`: profile, start, step and stop of the step, and until when attention goes on, in the
    order of profile and start. `stays`: profile (one of these), start, duration and frame (below
    2^32), in any order. What begins in a step and lasts longer counts up to its end.
    """
    key, time = _join(_add_alike(*_place_stays(moments, batch)) for batch in stays)
    place, rest = np.divmod(key, 1 << 33)
    attends, frame = np.divmod(rest, 1 << 32)
    profile, start = (moments[name][place] for name in ("profile", "step"))
    names = ("profile", "start", "attends", "frame", "time")
    return pa.table(dict(zip(names, (profile, start, attends > 0, frame, time), strict=True)))


def _place_stays(moments: Columns, stays: Columns) -> tuple[Integers, Integers]:
    """Of each that begins in a step: moment, attention and frame in one number, and time [ns]."""
    start, place = stays["start"], np.full(len(stays["start"]), -1)
    for profile in np.unique(stays["profile"]).tolist():
        first, last = np.searchsorted(moments["profile"], [profile, profile + 1])
        own = np.flatnonzero(stays["profile"] == profile)
        found = np.searchsorted(moments["start"][first:last], start[own], "right")
        place[own] = np.where(found > 0, found + first - 1, -1)
    inside = np.flatnonzero((place >= 0) & (start < moments["stop"][place]))
    place, start = place[inside], start[inside]
    attends = (start < moments["attends"][place]).astype(np.int64)
    time = np.minimum(stays["duration"][inside], moments["stop"][place] - start)
    return (2 * place + attends << 32) + stays["frame"][inside], time


def _add_alike(keys: Integers, time: Integers) -> tuple[Integers, Integers]:
    """Each of the keys once, and the sum of its times."""
    order = np.argsort(keys, kind="stable")
    return _add_neighbours(keys[order], time[order])


def _add_neighbours(keys: Integers, time: Integers) -> tuple[Integers, Integers]:
    """Each key that is another than the one before, and the sum of the times up to the next."""
    if not len(keys):
        return keys, time
    edges = np.concatenate([[0], np.flatnonzero(keys[1:] != keys[:-1]) + 1])
    return keys[edges], np.add.reduceat(time, edges)


def _join(found: Iterable[tuple[Integers, Integers]]) -> tuple[Integers, Integers]:
    """All keys and all times."""
    none = np.empty(0, np.int64)
    keys, times = zip((none, none), *found, strict=True)
    return np.concatenate(keys), np.concatenate(times)
