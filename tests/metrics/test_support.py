"""Stores of cases: what a query that is wrong would read there."""

from __future__ import annotations

import duckdb
import pytest

from perfolio.store.model_catalog import list_tables_of_runs
from tests.metrics.other_run import OTHER, RUN, columns
from tests.metrics.support import store_of

CASES = (
    {"base": "iterating", "totals": {"GKER (sec)": 2, "GPUOP (sec)": 2, "GKER:COUNT": 10}},
    {"base": "traced", "hardware": {"fp64_flops": 1e12}, "settings": {"workload.steps": "3"}},
)
NAMES = {"profile", "module", "file", "function", "context", "metric"}
NUMBERS = {"INTEGER", "BIGINT", "HUGEINT", "UINTEGER", "UBIGINT", "DOUBLE"}


@pytest.mark.slow
@pytest.mark.parametrize("case", CASES, ids=lambda case: case["base"])
def test_the_other_run_has_rows_like_these_and_other_numbers(case: dict[str, object]) -> None:
    compared = set()
    with store_of(case) as connection:
        for table in list_tables_of_runs():
            described = columns(connection, table)
            names = [f'"{column.name}"' for column in described if column.identifies]
            numbers = [c.name for c in described if not c.identifies and c.type in NUMBERS]
            mine, others = (count(connection, table, run) for run in (RUN, OTHER))
            assert mine <= others <= 2 * mine, table
            assert mine < 10 or mine < others or table in NAMES, table
            for number in numbers:
                keys = ", ".join(name for name in names if name != '"run"')
                same = both(connection, table, keys, number)
                assert same == 0, f"{table}.{number} is the same in {same} rows"
                compared.add(f"{table}.{number}")
    assert {"value.value", "trace.time", "gpu_level.stop", "iteration.gpu_busy"} <= compared


def count(connection: duckdb.DuckDBPyConnection, table: str, run: int) -> int:
    row = connection.execute(f"SELECT count(*) FROM {table} WHERE run = {run}").fetchone()
    return int(row[0]) if row else 0


def both(connection: duckdb.DuckDBPyConnection, table: str, keys: str, number: str) -> int:
    """How many rows of the other run have the identifiers and the number of one of the first."""
    chosen = ", ".join(filter(None, [keys, f'"{number}"']))
    row = connection.execute(
        f"SELECT count(*) FROM (SELECT DISTINCT {chosen} FROM {table} WHERE run = {RUN}"
        f' AND "{number}" IS NOT NULL'
        f" INTERSECT SELECT {chosen} FROM {table} WHERE run = {OTHER})"
    ).fetchone()
    return int(row[0]) if row else 0


def test_rows_come_in_no_order_but_points_of_a_line() -> None:
    with store_of(CASES[0]) as connection:
        contexts = connection.execute("SELECT id FROM context WHERE run = 1").fetchall()
        runs = connection.execute("SELECT run FROM metric").fetchall()
        times = connection.execute(
            "SELECT time FROM trace WHERE run = 1 AND profile = 3 ORDER BY rowid"
        ).fetchall()
    assert contexts != sorted(contexts)
    assert runs not in (sorted(runs), sorted(runs, reverse=True))
    assert len(times) > 2
    assert times == sorted(times)
