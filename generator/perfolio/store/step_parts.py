"""What main threads are in during typical steps: the rows of table `host_step_part`.

In:  moments from which a step or attention goes on (step_moment), and what threads were in.
Out: rows of table `host_step_part` of a run.

A join by order would hold and sort all that threads were in. Here it passes by in batches, and each
begin is looked up among the moments, which are few.
"""

from __future__ import annotations

from collections.abc import Iterable

import numpy as np
import pyarrow as pa

from perfolio.store.run_tables import RunTables
from perfolio.store.trace_bins import (
    Columns,
    Integers,
    add_alike,
    insert_sums,
    join_sums,
    read_batches,
    read_columns,
)

FRAME_BITS = 32
MOMENTS = """
-- Nothing is in a step before the first one; attention that never began has ended already.
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
INSERT = """
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


def insert_step_parts(tables: RunTables) -> None:
    """Fill table `host_step_part` of a run."""
    for sql in (MOMENTS, STAYS):
        tables.provide(sql)
    moments = read_columns(tables.connection.sql(MOMENTS).to_arrow_table())
    sums = add_by_step(moments, read_batches(tables, STAYS))
    insert_sums(tables, "host_step_part", sums, INSERT)


def add_by_step(moments: Columns, stays: Iterable[Columns]) -> pa.Table:
    """Time [ns] by profile, begin of the step, whether attention goes on, and frame.

    In a row for each batch that has any. `moments`: profile, start, step and stop of the step, and
    until when attention goes on, in the order of profile and start. `stays`: profile (one of
    these), start, duration and frame (below 2^32), in any order. What begins in a step and lasts
    longer counts up to its end.
    """
    key, time = join_sums(add_alike(*_place_stays(moments, batch)) for batch in stays)
    place, attends = np.divmod(key >> FRAME_BITS, 2)
    profile, start = (moments[name][place] for name in ("profile", "step"))
    frame = key & ((1 << FRAME_BITS) - 1)
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
    return ((2 * place + attends) << FRAME_BITS) + stays["frame"][inside], time
