"""Who is to blame for idle time of the GPU: sums over a merge of gaps and samples.

In:  gaps of the GPU, and what launching threads were sampled in, of one run of a store.
Out: rows of table `blame`.

Begins and ends of both come sorted by time, for one GPU after the other; samples are of the
threads that feed it. How they add up is in `idle_blame_sums`. Of several GPUs, rows hold the mean.
Batches are cut anywhere, so memory does not grow with the trace.
"""

from __future__ import annotations

from collections.abc import Iterator

import duckdb
import numpy as np
import pyarrow as pa

from perfolio.store.idle_blame_exact import compute_blame_rows, is_recorded
from perfolio.store.idle_blame_sums import (
    KINDS,
    PERIODS,
    STEADY,
    BatchState,
    BlameEvents,
    BlameShares,
    BlameSums,
    Integers,
    PeriodCuts,
    add_batch,
    compute_shares,
)
from perfolio.store.run_tables import RunTables

EVENTS = """
WITH held AS NOT MATERIALIZED (
    SELECT device, context, taken, stop, stands FROM {samples}
),
long AS NOT MATERIALIZED (
    SELECT fed.device, trace.context, sample.sample AS taken,
        unnest(range(sample.start + $period // 2, sample.sample, $period)) AS moment
    FROM long_sample AS sample
    JOIN fed_gpus AS fed ON fed.profile = sample.profile
    JOIN trace
        ON trace.profile = sample.profile AND trace."time" = sample.sample
    WHERE trace.context <> 0
),
idle AS NOT MATERIALIZED (
    SELECT idle.device, idle.start, idle.stop, CASE
            WHEN idle.place = 'before' THEN 2
            WHEN idle.counts IS NULL THEN CASE WHEN idle.short THEN 8 ELSE 5 END
            WHEN idle.short THEN 4
            WHEN long_wait.start IS NOT NULL THEN 3
            ELSE 1
        END::TINYINT AS kind
    FROM idle_pieces AS idle
    LEFT JOIN long_waits AS long_wait
        ON long_wait.device = idle.device AND long_wait.start = idle.start
    WHERE idle.place <> 'after'
)
SELECT moment, context, kind, stands
FROM (
    SELECT device, taken AS moment, context, 9::TINYINT AS kind, stands FROM held
    UNION ALL
    SELECT device, stop, context, -9, 0 FROM held
    UNION ALL
    SELECT device, moment, context, 9, 0 FROM long
    UNION ALL
    SELECT device, least(moment + $period, taken), context, -9, 0 FROM long
    UNION ALL
    SELECT device, start, 0, kind, 0 FROM idle
    UNION ALL
    SELECT device, stop, 0, -kind, 0 FROM idle
)
ORDER BY device, moment, kind, context
"""
"""One GPU after the other: where one ends nothing lasts, neither a sample nor a gap.

In one order, also of what happens at once: sums of doubles depend on it, and a sample at the
begin of a gap is in it. A long one that also stands for the time before it counts there as one in
each period.
"""
CONTEXTS = """
SELECT DISTINCT trace.context
FROM trace
JOIN trace_line AS line
    ON line.profile = trace.profile AND line.launching
ORDER BY trace.context
"""
CUTS = """
SELECT gpus(), (SELECT count(*) / count(DISTINCT profile) FROM fed_gpus),
    launch_period(), drops_samples()
WHERE gpus() > 0 AND launch_period() > 0
"""
BEGINS = "SELECT start, period FROM idle_periods ORDER BY start NULLS FIRST"
BATCH_ROWS = 1 << 18
SCHEMA = pa.schema(
    [
        ("run", pa.int32()),
        ("period", pa.string()),
        ("gap", pa.string()),
        ("steady", pa.bool_()),
        ("octave", pa.int8()),
        ("context", pa.uint32()),
        ("duration", pa.float64()),
        ("square", pa.float64()),
        ("samples", pa.float64()),
        ("sampled", pa.float64()),
    ]
)


def insert_blame(tables: RunTables) -> None:
    """Fill table `blame` of a run, whose gaps and iterations are there already."""
    if is_recorded(tables):
        _insert_recorded(tables)
    else:
        _insert_sampled(tables)


def _insert_recorded(tables: RunTables) -> None:
    """Blame that is known to the nanosecond: no sample stands for any of it."""
    found = compute_blame_rows(tables)
    periods = found.column("period").to_pylist()
    _store_rows(
        tables,
        found.append_column("run", pa.array(np.full(len(periods), tables.run, np.int32)))
        .append_column("steady", pa.array([period in STEADY for period in periods], pa.bool_()))
        .append_column("octave", pa.nulls(len(periods), pa.int8()))
        .append_column("square", pa.array(np.zeros(len(periods))))
        .append_column("samples", pa.array(np.zeros(len(periods))))
        .append_column("sampled", found.column("duration")),
    )


def _insert_sampled(tables: RunTables) -> None:
    connection = tables.connection
    for sql in (CUTS, CONTEXTS, BEGINS):
        tables.provide(sql)
    found = connection.execute(CUTS).fetchall()
    contexts = _read_column(connection.sql(CONTEXTS).to_arrow_table(), "context")
    if not found or not len(contexts):
        return
    gpus, fed, period, drops = found[0]
    first, *later = connection.execute(BEGINS).fetchall()
    cuts = PeriodCuts(
        np.array([start for start, _ in later], np.int64),
        np.array([PERIODS.index(name) for _, name in (first, *later)], np.int64),
        period,
    )
    sums = BlameSums.empty(len(contexts), cuts)
    cut = BatchState(0, 0, -1, 0.0, np.zeros((3, len(contexts))))
    sql = format_events_query(drops=bool(drops))
    tables.provide(sql)
    for events in _read_events(connection.sql(sql, params={"period": period}), contexts):
        cut = add_batch(cut, events, cuts, sums)
    _insert_shares(tables, contexts, _compute_mean(compute_shares(sums, cuts), gpus, fed))


def _compute_mean(found: BlameShares, gpus: int, fed: float) -> BlameShares:
    """The mean over GPUs; a sample counts once, whatever number of GPUs its thread feeds."""
    times = np.array([gpus, gpus**2 / fed, fed, gpus])
    return BlameShares(found.kind, found.octave, found.place, found.sums / times[:, None])


def format_events_query(*, drops: bool) -> str:
    """What samples stand for costs memory to tell, so only where the profiler drops some."""
    return EVENTS.format(samples="launching_samples" if drops else "fed_samples")


def _read_events(query: duckdb.DuckDBPyRelation, contexts: Integers) -> Iterator[BlameEvents]:
    for batch in query.to_arrow_reader(BATCH_ROWS):
        if batch.num_rows:
            place = np.searchsorted(contexts, _read_column(batch, "context"))
            yield BlameEvents(
                _read_column(batch, "moment"),
                np.minimum(place, len(contexts) - 1),
                _read_column(batch, "kind"),
                _read_column(batch, "stands"),
            )


def _read_column(rows: pa.Table | pa.RecordBatch, name: str) -> Integers:
    return np.asarray(rows.column(name).to_numpy(zero_copy_only=False)).astype(np.int64)


def _insert_shares(tables: RunTables, contexts: Integers, found: BlameShares) -> None:
    kind, octave = found.kind, found.octave.astype(np.int8)
    rows = pa.table(
        {
            "run": np.full(len(kind), tables.run, np.int32),
            "period": np.array([period for period, _ in KINDS], object)[kind],
            "gap": np.array([gap for _, gap in KINDS], object)[kind],
            "steady": np.array([period in STEADY for period, _ in KINDS])[kind],
            "octave": pa.array(octave, pa.int8(), mask=octave < 0),
            "context": contexts[found.place].astype(np.uint32),
            "duration": found.sums[0],
            "square": found.sums[1],
            "samples": found.sums[2],
            "sampled": found.sums[3],
        },
        schema=SCHEMA,
    )
    _store_rows(tables, rows)


def _store_rows(tables: RunTables, rows: pa.Table) -> None:
    tables.connection.register("blame_rows", rows)
    tables.connection.execute(
        f"INSERT INTO {tables.stored('blame')} BY NAME SELECT * FROM blame_rows"  # noqa: S608 - names of ours
    )
    tables.connection.unregister("blame_rows")
