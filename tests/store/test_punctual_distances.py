"""Punctual distances of samples, against the quantiles of DuckDB."""

from __future__ import annotations

from pathlib import Path

import duckdb
import numpy as np
import pytest

from perfolio.common.progress import QuietProgress
from perfolio.readers import registry
from perfolio.readers.run_description import RunDescription
from perfolio.store.database import open_store
from perfolio.store.ingest import ingest
from perfolio.store.punctual_distances import find_quantile
from perfolio.store.run_tables import make_run_tables
from tests.bench.make import write_ranks

EXPECTED = """
SELECT sample.profile, if(grouping(frame.role) = 0, frame.role, 'any') AS role, count(*) AS samples,
    least(quantile_cont(sample.distance, 0.05), 1.1 * any_value(run.least)) AS distance
FROM host_sample AS sample
CROSS JOIN (
    SELECT quantile_cont(distance, 0.01) AS least FROM host_sample WHERE distance > 0
) AS run
LEFT JOIN enclosing_frame AS enclosing ON enclosing.context = sample.context
LEFT JOIN frame ON frame.frame = enclosing.frame
WHERE sample.distance > 0
GROUP BY GROUPING SETS ((sample.profile, frame.role), (sample.profile)) HAVING count(*) >= 20
ORDER BY ALL
"""


@pytest.mark.parametrize(("contexts", "points"), [(40_000, 4_000), (400, 40_000)])
def test_distances_are_quantiles_of_each_thread(tmp_path: Path, contexts: int, points: int) -> None:
    """Of many contexts and few samples, a join gives these in an order of its own."""
    write_ranks(tmp_path / "ranks.d", 2, contexts, points, 1, QuietProgress())
    store = tmp_path / "store.duckdb"
    ingest([(registry.read(tmp_path / "ranks.d"), RunDescription())], store)
    with (
        open_store(store, reproducible=True) as connection,
        make_run_tables(connection, 1) as tables,
    ):
        found = tables.rows("FROM punctual_distance ORDER BY ALL")
        expected = tables.rows(EXPECTED)
    assert [row[:3] for row in found] == [row[:3] for row in expected]
    assert {row[1] for row in found} >= {"working", "waiting", "any"}
    assert [row[3] for row in found] == pytest.approx([row[3] for row in expected], rel=1e-15)


@pytest.mark.parametrize("count", [1, 2, 19, 20, 21, 1_000, 7_687])
@pytest.mark.parametrize("part", [0.01, 0.05])
def test_a_quantile_is_that_of_duckdb(count: int, part: float) -> None:
    values = np.random.default_rng(count).integers(1, 10**7, count)
    ((expected,),) = duckdb.execute(
        f"SELECT quantile_cont(v, {part}) FROM (SELECT unnest($values::BIGINT[]) AS v)",
        {"values": values.tolist()},
    ).fetchall()
    assert find_quantile(values, part) == pytest.approx(expected, rel=1e-15)
