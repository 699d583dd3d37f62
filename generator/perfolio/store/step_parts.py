"""What main threads are in during typical steps: the rows of table `host_step_part`.

In:  moments from which a step or attention goes on (step_moment), and what threads were in.
Out: rows of table `host_step_part` of a run.

A join by order would hold and sort all that threads were in. Here it passes a batch at a time, and
each begin is looked up among the moments, which are few.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator

import numpy as np
import numpy.typing as npt
import pyarrow as pa

from perfolio.store.run_tables import RunTables

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
BATCH_ROWS = 1 << 17
INSERT = """
INSERT INTO {} BY NAME
WITH spent AS MATERIALIZED (
    SELECT spent.profile, spent.start, frame.name, sum(spent."time") AS "time",
        CASE WHEN frame.phase = 'data' THEN 'input' WHEN frame.phase = 'optimizer' THEN 'optimizer'
            WHEN spent.attends THEN 'attention' WHEN operator.multiplies THEN 'products'
            ELSE 'other operators' END AS part
    FROM spent_in_steps AS spent
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


def insert_step_parts(tables: RunTables) -> None:
    """Fill table `host_step_part` of a run."""
    tables.provide(MOMENTS)
    moments = _read_columns(tables.connection.sql(MOMENTS).to_arrow_table())
    spent = add_times(moments, _read_stays(tables))
    tables.provide(INSERT)
    tables.connection.register("spent_in_steps", spent)
    tables.connection.execute(INSERT.format(tables.stored("host_step_part")), {"run": tables.run})
    tables.connection.unregister("spent_in_steps")


def _read_stays(tables: RunTables) -> Iterator[dict[str, Integers]]:
    tables.provide(STAYS)
    for batch in tables.connection.sql(STAYS).to_arrow_reader(BATCH_ROWS):
        yield _read_columns(batch)


def _read_columns(rows: pa.Table | pa.RecordBatch) -> dict[str, Integers]:
    columns = zip(rows.schema.names, rows.columns, strict=True)
    return {
        name: np.asarray(column.to_numpy(zero_copy_only=False)).astype(np.int64, copy=False)
        for name, column in columns
    }


def add_times(moments: dict[str, Integers], stays: Iterable[dict[str, Integers]]) -> pa.Table:
    """Parts of the time of steps [ns], with profile, begin, whether attention goes on, and frame.

    `moments`: profile, start, step and stop of the step, and until when attention goes on, in the
    order of profile and start. `stays`: profile (one of these), start, duration and frame (below
    2^32), in any order. What begins in a step and lasts longer counts up to its end.
    """
    none = np.empty(0, np.int64)
    found = [(none, none), *(_add_alike(*_place_stays(moments, batch)) for batch in stays)]
    keys, time = (np.concatenate(each) for each in zip(*found, strict=True))
    place, rest = np.divmod(keys, 1 << 33)
    attends, frame = np.divmod(rest, 1 << 32)
    return pa.table(
        {
            "profile": moments["profile"][place],
            "start": moments["step"][place],
            "attends": attends > 0,
            "frame": frame,
            "time": time,
        }
    )


def _add_alike(keys: Integers, time: Integers) -> tuple[Integers, Integers]:
    """Each of the keys once, and the sum of its times."""
    found, group = np.unique(keys, return_inverse=True)
    sums = np.zeros(len(found), np.int64)
    np.add.at(sums, group, time)
    return found, sums


def _place_stays(
    moments: dict[str, Integers], stays: dict[str, Integers]
) -> tuple[Integers, Integers]:
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
