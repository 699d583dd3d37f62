"""How far apart samples are that come in time: the rows of table `punctual_distance`.

In:  distances of the samples of all threads of one run of a store, and the roles of their frames.
Out: rows by thread and role, and by thread.

A quantile needs all distances, which DuckDB keeps for each group in memory that other tables need.
Here they lie once, one thread after another, and take half of the processor time.
"""

from __future__ import annotations

from collections.abc import Iterator
from fractions import Fraction
from itertools import pairwise

import numpy as np
import numpy.typing as npt
import pyarrow as pa

from perfolio.store.run_tables import RunTables

ROLES = ("working", "waiting", "gpu", "gpu wait")
ANY = "any"
PUNCTUAL = 0.05
"""Part of a thread's distances up to which they are punctual."""
LEAST = 0.01
"""Part of the run's distances that tells its least ones."""
ABOVE_LEAST = 1.1
FEWEST = 20
"""Samples below which a quantile says too little."""
BATCH_ROWS = 1 << 17

MOST = "SELECT count(*) FROM host_point"
DISTANCES = """
SELECT sample.profile, CAST(coalesce(place.role, 0) AS TINYINT) AS role, sample.distance
FROM host_sample AS sample LEFT JOIN (
    SELECT enclosing.context, CAST(list_position($roles, frame.role) AS TINYINT) AS role
    FROM enclosing_frame AS enclosing JOIN frame ON frame.frame = enclosing.frame
) AS place ON place.context = sample.context
WHERE sample.distance > 0
"""
COLUMNS = {"profile": np.int32, "role": np.int8, "distance": np.int64}
INSERT = """
INSERT INTO {} BY NAME
SELECT $run AS run, * REPLACE (least(distance, $most) AS distance) FROM distance_rows
"""

Integers = npt.NDArray[np.int64]
Row = dict[str, object]


def insert_distances(tables: RunTables) -> None:
    """Fill table `punctual_distance` of a run."""
    profile, role, distance = _read_samples(tables)
    if not len(profile):
        return
    edges = np.flatnonzero(profile[1:] != profile[:-1]) + 1
    rows = [
        row
        for first, last in pairwise((0, *edges.tolist(), len(profile)))
        for row in _make_rows(int(profile[first]), role[first:last], distance[first:last])
    ]
    if rows:
        given = {"run": tables.run, "most": ABOVE_LEAST * find_quantile(distance, LEAST)}
        tables.connection.register("distance_rows", pa.Table.from_pylist(rows))
        tables.connection.execute(INSERT.format(tables.stored("punctual_distance")), given)
        tables.connection.unregister("distance_rows")


def _read_samples(tables: RunTables) -> list[Integers]:
    """Thread, role and distance of the samples, one thread after another."""
    for sql in (MOST, DISTANCES):
        tables.provide(sql)
    ((most,),) = tables.execute(MOST).fetchall()
    columns = {name: np.empty(most, dtype) for name, dtype in COLUMNS.items()}
    done = 0
    found = tables.connection.sql(DISTANCES, params={"roles": list(ROLES)})
    for batch in found.to_arrow_reader(BATCH_ROWS):
        for name, column in columns.items():
            column[done : done + batch.num_rows] = batch.column(name).to_numpy()
        done += batch.num_rows
    read = [column[:done] for column in columns.values()]
    if (read[0][1:] < read[0][:-1]).any():  # of few samples, a join has its own order
        order = np.argsort(read[0], kind="stable")
        read = [column[order] for column in read]
    return read


def _make_rows(profile: int, role: Integers, distance: Integers) -> Iterator[Row]:
    """Rows of a thread, whose distances are not yet bounded by the least ones of the run."""
    groups = [(name, distance[role == i]) for i, name in enumerate((None, *ROLES))]
    for name, group in (*groups, (ANY, distance.copy())):
        if len(group) >= FEWEST:
            row: Row = {"profile": profile, "role": name, "samples": len(group)}
            yield row | {"distance": find_quantile(group, PUNCTUAL)}


def find_quantile(values: Integers, part: float) -> float:
    """The quantile of values, which are in another order then.

    It is what DuckDB's `quantile_cont` finds, which rounds the larger product with the sum.
    """
    place = (len(values) - 1) * part
    low = int(place)
    high = min(low + 1, len(values) - 1)
    values.partition((low, high))
    beyond = place - low
    above = float(values[high]) * beyond
    return float(Fraction(int(values[low])) * Fraction(1 - beyond) + Fraction(above))
