"""Who is to blame for idle time of the GPU: sums over a merge of gaps and samples.

In:  gaps of the GPU, and what launching threads were sampled in, of one run of a store.
Out: rows of table `blame`.

Begins and ends of both come sorted by time, for one GPU after the other; samples are of the
threads that feed it. How they add up is in `blame_sums`. Of several GPUs, rows hold the mean.
Batches are cut anywhere, so memory does not grow with the trace.
"""

from __future__ import annotations

from collections.abc import Iterator

import duckdb
import numpy as np
import pyarrow as pa

from generator.store.blame_sums import KINDS, Cut, Cuts, Events, Integers, Sums, advance

EVENTS = """
WITH held AS (
    SELECT fed.device, held.context, held.start, held.stop
    FROM launching_interval($run) AS held
    JOIN fed_gpus($run) AS fed ON fed.profile = held.profile
),
idle AS (
    SELECT device, start, stop, CASE period WHEN 'before' THEN 3 ELSE 2 END::TINYINT AS kind
    FROM gpu_idle
    WHERE run = $run AND period <> 'after'
)
SELECT moment, context, kind
FROM (
    SELECT device, start AS moment, context, 1::TINYINT AS kind FROM held
    UNION ALL
    SELECT device, stop, context, -1 FROM held
    UNION ALL
    SELECT device, start, 0, kind FROM idle
    UNION ALL
    SELECT device, stop, 0, -kind FROM idle
)
ORDER BY device, moment, kind, context
"""
"""One GPU after the other: where one ends nothing lasts, neither a sample nor a gap.

In one order, also of what happens at once: sums of doubles depend on it.
"""
CONTEXTS = """
SELECT DISTINCT trace.context
FROM trace
JOIN trace_line AS line
    ON line.run = $run AND line.profile = trace.profile AND line.launching
WHERE trace.run = $run
ORDER BY trace.context
"""
CUTS = """
SELECT gpus($run), (SELECT count(*) / count(DISTINCT profile) FROM fed_gpus($run)),
    steady.start, steady.stop
FROM (
    SELECT min(start) AS start, max(start + duration) AS stop FROM steady_iterations($run)
) AS steady
WHERE gpus($run) > 0
"""
BATCH_ROWS = 1 << 20
LEAST = 0.01
"""Nanoseconds of blame below which a sum is an error of summation."""
SCHEMA = pa.schema(
    [
        ("run", pa.int32()),
        ("period", pa.string()),
        ("steady", pa.bool_()),
        ("context", pa.uint32()),
        ("sampled", pa.float64()),
        ("duration", pa.float64()),
        ("samples", pa.float64()),
        ("square", pa.float64()),
        ("counted", pa.float64()),
    ]
)


def insert_blame(connection: duckdb.DuckDBPyConnection, run: int) -> None:
    """Fill table `blame` of `run`, whose gaps and iterations are there already."""
    found = connection.execute(CUTS, {"run": run}).fetchall()
    contexts = _column(connection.sql(CONTEXTS, params={"run": run}).to_arrow_table(), "context")
    if not found or not len(contexts):
        return
    gpus, fed, *steady = found[0]
    cuts = Cuts((steady[0] or 0, steady[1] or 0))
    sums = Sums(*np.zeros((5, len(KINDS), len(contexts))))
    nothing = np.zeros(len(contexts))
    cut = Cut(0, nothing, -1, 0.0, nothing, nothing)
    for events in _events(connection, run, contexts):
        cut = advance(cut, events, cuts, sums)
    _insert(connection, run, contexts, _mean(sums, gpus, fed))


def _mean(sums: Sums, gpus: int, fed: float) -> Sums:
    """The mean over GPUs; a sample counts once, whatever number of GPUs its thread feeds."""
    times = (sums.sampled / gpus, sums.whole / gpus, sums.square / gpus)
    return Sums(*times, sums.samples / fed, sums.counted / gpus)


def _events(
    connection: duckdb.DuckDBPyConnection, run: int, contexts: Integers
) -> Iterator[Events]:
    reader = connection.sql(EVENTS, params={"run": run}).to_arrow_reader(BATCH_ROWS)
    for batch in reader:
        if batch.num_rows:
            place = np.searchsorted(contexts, _column(batch, "context"))
            yield Events(
                _column(batch, "moment"),
                np.minimum(place, len(contexts) - 1),
                _column(batch, "kind"),
            )


def _column(rows: pa.Table | pa.RecordBatch, name: str) -> Integers:
    return np.asarray(rows.column(name).to_numpy(zero_copy_only=False)).astype(np.int64)


def _insert(
    connection: duckdb.DuckDBPyConnection, run: int, contexts: Integers, sums: Sums
) -> None:
    kind, place = np.nonzero(sums.whole > LEAST)
    rows = pa.table(
        {
            "run": np.full(len(kind), run, np.int32),
            "period": np.array([period for period, _ in KINDS], object)[kind],
            "steady": np.array([steady for _, steady in KINDS])[kind],
            "context": contexts[place].astype(np.uint32),
            "sampled": sums.sampled[kind, place],
            "duration": sums.whole[kind, place],
            "samples": sums.samples[kind, place],
            "square": sums.square[kind, place],
            "counted": sums.counted[kind, place],
        },
        schema=SCHEMA,
    )
    connection.register("blame_rows", rows)
    connection.execute("INSERT INTO blame BY NAME SELECT * FROM blame_rows")
    connection.unregister("blame_rows")
