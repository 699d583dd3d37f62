"""Queries in other spellings gave rows of all runs, and a query could write into an export.

Names were found behind FROM and JOIN alone, in lower case: `FROM METRIC`, a comma, a comment or a
PIVOT read the tables of all runs, and sums were of the wrong rows. Several statements ran, and
only the last one's rows were shown. JSON lost columns of one name, and held NaN.
"""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path

import duckdb
import pytest

from perfolio.common.errors import QueryError
from perfolio.pipeline.run_documents import export_ingested, ingest_paths
from perfolio.store.database import open_store
from perfolio.store.user_query import run_query
from tests.kit.databases import Shape, write_database


@pytest.fixture(scope="module")
def stores(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("two")
    paths = [
        write_database(folder / f"{name}.d", Shape(profiles=count, points=40, seed=count))
        for name, count in (("one", 2), ("two", 5))
    ]
    runs = ingest_paths(paths, folder / "store.duckdb")
    export_ingested(folder / "store.duckdb", runs, folder / "runs")
    return folder


@pytest.fixture(scope="module")
def connection(stores: Path) -> Iterator[duckdb.DuckDBPyConnection]:
    with open_store(stores / "store.duckdb") as made:
        yield made


@pytest.fixture(scope="module")
def exported(stores: Path) -> Iterator[duckdb.DuckDBPyConnection]:
    with open_store(stores / "runs") as made:
        yield made


def answer(connection: duckdb.DuckDBPyConnection, sql: str, run: str | None = "one") -> object:
    return json.loads("".join(run_query(connection, sql, "json", run=run)))


@pytest.mark.slow
@pytest.mark.parametrize(
    "sql",
    [
        "SELECT count(*) AS n FROM PROFILE",
        'SELECT count(*) AS n FROM "Profile"',
        "SELECT count(*) AS n FROM -- all of it\nprofile",
        "SELECT count(*) AS n FROM /* all */ profile",
        "SELECT count(*) AS n FROM run, profile",
        "SELECT count(*) AS n FROM main_threads AS m, profile WHERE m.profile = m.profile",
        "WITH p AS (TABLE profile) SELECT count(*) AS n FROM p",
    ],
)
def test_a_run_that_is_named_is_the_only_one(
    connection: duckdb.DuckDBPyConnection, sql: str
) -> None:
    assert answer(connection, sql) == [{"n": 2}]


def test_models_are_known_behind_a_comma_too(connection: duckdb.DuckDBPyConnection) -> None:
    assert answer(connection, "SELECT count(*) AS n FROM run, total", None) != [{"n": 0}]


@pytest.mark.parametrize(
    "sql", ["SELECT 1; SELECT 2", "BEGIN; SELECT 1", "SELECT 1 AS a; DROP VIEW temp.profile"]
)
def test_one_statement_at_a_time(connection: duckdb.DuckDBPyConnection, sql: str) -> None:
    with pytest.raises(QueryError, match="more than one statement"):
        answer(connection, sql)


@pytest.mark.slow
@pytest.mark.parametrize(
    "sql",
    [
        "COPY (SELECT 1 AS a) TO '{}/x.parquet'",
        "ATTACH '{}/new.duckdb' AS n",
        "EXPORT DATABASE '{}/dump'",
        "CREATE TABLE zz AS SELECT 1",
        "CREATE TEMP TABLE zz AS SELECT 1",
        "DROP VIEW metric",
        "SET threads = 4",
        "BEGIN",
    ],
)
def test_an_export_is_only_read(
    stores: Path, exported: duckdb.DuckDBPyConnection, sql: str
) -> None:
    before = sorted(stores.rglob("*"))
    with pytest.raises(QueryError, match="it does not begin with SELECT"):
        answer(exported, sql.format(stores / "runs"))
    assert answer(exported, "SELECT count(*) AS n FROM profile") == [{"n": 2}]
    assert sorted(stores.rglob("*")) == before


def test_json_keeps_all_columns_and_is_json(connection: duckdb.DuckDBPyConnection) -> None:
    sql = (
        "SELECT 1 AS a, 2 AS a, 'nan'::DOUBLE AS b, [1.0, 'inf'::DOUBLE] AS c,"
        " {'d': 'nan'::DOUBLE} AS e"
    )
    assert answer(connection, sql) == [
        {"a": 1, "a_2": 2, "b": None, "c": [1.0, None], "e": {"d": None}}
    ]
