"""How long each line of the trace was busy in each part of the run: rows of table `trace_bin`.

In:  equal parts of a run (run_bins), and what its lines were busy with.
Out: rows of table `trace_bin` of a run.

DuckDB would keep a sum for each part of each line at once. Here what lines were busy with passes by
in batches, in which few parts are.
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
INSERT = """
INSERT INTO {} BY NAME
SELECT $run AS run, line.profile, line.kind, spent.bin, spent.busy
FROM (
    SELECT profile, CAST(bin AS INTEGER) AS bin, CAST(sum("time") AS BIGINT) AS busy
    FROM batch_sums GROUP BY ALL HAVING sum("time") > 0
) AS spent
JOIN trace_line AS line ON line.profile = spent.profile
"""
Integers = npt.NDArray[np.int64]
Columns = Mapping[str, Integers]
"""Columns of one length by name."""


def insert_bins(tables: RunTables) -> None:
    """Fill table `trace_bin` of a run."""
    tables.provide(BINS)
    bins = read_columns(tables.connection.sql(BINS).to_arrow_table())
    if len(bins["start"]):
        tables.provide(ACTIVITY)
        insert_sums(tables, "trace_bin", add_by_bin(bins, read_batches(tables, ACTIVITY)), INSERT)


def insert_sums(tables: RunTables, name: str, sums: pa.Table, insert: str) -> None:
    """Fill a table of a run by a statement that reads `batch_sums`."""
    tables.provide(insert)
    tables.connection.register("batch_sums", sums)
    tables.connection.execute(insert.format(tables.stored(name)), {"run": tables.run})
    tables.connection.unregister("batch_sums")


def read_batches(tables: RunTables, sql: str) -> Iterator[Columns]:
    """The rows of a query of whole numbers; what it reads is there."""
    for batch in tables.connection.sql(sql).to_arrow_reader(BATCH_ROWS):
        yield read_columns(batch)


def read_columns(rows: pa.Table | pa.RecordBatch) -> Columns:
    """Columns of whole numbers, none of them NULL."""
    columns = zip(rows.schema.names, rows.columns, strict=True)
    return {
        name: np.asarray(column.to_numpy(zero_copy_only=False)).astype(np.int64, copy=False)
        for name, column in columns
    }


def add_by_bin(bins: Columns, activity: Iterable[Columns]) -> pa.Table:
    """Time [ns] by profile and bin, in a row for each batch that has any.

    `bins`: start and stop of each, which lie side by side. `activity`: profile, start and stop, in
    any order. What lies outside all bins is left out.
    """
    many = len(bins["start"])
    key, time = join_sums(piece for batch in activity for piece in _divide(bins, batch))
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
    yield add_alike(places[whole], (stop - start)[whole])
    others = np.flatnonzero(~whole)
    for row in range(0, len(others), LONG_ROWS):
        some = others[row : row + LONG_ROWS]
        found, place, time = find_overlaps(start[some], stop[some], begins, ends)
        yield add_alike(profile[some][found] * len(begins) + place, time)


def add_alike(keys: Integers, time: Integers) -> tuple[Integers, Integers]:
    """Each of the keys once, and the sum of its times: quick where they come nearly in order."""
    order = np.argsort(keys, kind="stable")
    keys, time = keys[order], time[order]
    begins = np.flatnonzero(np.append(True, keys[1:] != keys[:-1])[: len(keys)])
    return keys[begins], np.add.reduceat(time, begins) if len(begins) else time


def join_sums(found: Iterable[tuple[Integers, Integers]]) -> tuple[Integers, Integers]:
    """All keys and all times of batches."""
    none = np.empty(0, np.int64)
    keys, times = zip((none, none), *found, strict=True)
    return np.concatenate(keys), np.concatenate(times)
