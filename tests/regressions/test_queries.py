"""Queries: how they end, what they print, and which rows and files they reach."""

from __future__ import annotations

import csv
import io
import json
import time
from collections.abc import Iterator
from pathlib import Path

import click
import duckdb
import pytest

from perfolio.cli.commands.query import query
from perfolio.common.errors import QueryError
from perfolio.pipeline.run_documents import export_ingested, ingest_paths
from perfolio.store.database import open_store
from perfolio.store.user_query import MOST_ROWS, Format, run_query
from tests.kit.databases import Shape, write_database

# Queries: an empty one was a traceback, an endless one ran on, and CSV held formulas.
#
# `perfolio query STORE ""` called `fetch` on None; a table was collected in memory, however long;
# `=cmd|...` came out of `--format csv` as it is, though the CSV of charts puts an apostrophe.

ENDLESS = "WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n) SELECT sum(i) FROM n"
FORMATS: tuple[Format, ...] = ("table", "csv", "json")


@pytest.fixture
def connection() -> Iterator[duckdb.DuckDBPyConnection]:
    with duckdb.connect() as made:
        yield made


@pytest.mark.parametrize("form", FORMATS)
@pytest.mark.parametrize("sql", ["", ";", " ; ;", "--x", "/* x */"])
def test_an_empty_query_is_one_line(
    connection: duckdb.DuckDBPyConnection, sql: str, form: Format
) -> None:
    with pytest.raises(QueryError, match=r"is empty|was refused"):
        list(run_query(connection, sql, form))


@pytest.mark.parametrize("form", FORMATS)
@pytest.mark.parametrize("sql", [ENDLESS, "FROM range(10000000000) SELECT range WHERE range < 0"])
def test_an_endless_query_ends_in_time(
    connection: duckdb.DuckDBPyConnection, sql: str, form: Format
) -> None:
    begun = time.monotonic()
    with pytest.raises(QueryError, match=r"stopped after 0\.3 s"):
        list(run_query(connection, sql, form, timeout=0.3))
    assert time.monotonic() - begun < 30
    assert list(run_query(connection, "SELECT 1 AS i", form, timeout=600))


@pytest.mark.parametrize("form", ["csv", "json"])
def test_time_is_up_between_rows_too(connection: duckdb.DuckDBPyConnection, form: Format) -> None:
    pieces = run_query(connection, "FROM range(100000000)", form, timeout=0.3)
    with pytest.raises(QueryError, match="stopped"):
        for _ in pieces:
            pass


def test_rows_come_before_the_last_one_is_known(connection: duckdb.DuckDBPyConnection) -> None:
    pieces = run_query(connection, "FROM range(10000000000000)", "csv")
    assert [next(pieces) for _ in range(3)] == ["range\n", "0\n", "1\n"]
    pieces.close()  # type: ignore[attr-defined]


def test_a_table_is_cut_and_says_so(connection: duckdb.DuckDBPyConnection) -> None:
    def lines(limit: int | None, rows: int) -> list[str]:
        text = "".join(run_query(connection, f"FROM range({rows})", "table", limit=limit))
        return text.splitlines()

    assert len(lines(None, MOST_ROWS)) == MOST_ROWS + 3
    assert lines(None, MOST_ROWS)[-1] == "(1,000 rows)"
    assert lines(None, 20_000_000)[-2] == "(1,000 rows)"
    assert lines(None, 20_000_000)[-1].startswith("(there are more: --limit N")
    assert lines(2, 3)[2:4] == ["    0", "    1"]
    assert len(lines(2_000, 2_000)) == 2_003


def test_a_limit_holds_in_every_form(connection: duckdb.DuckDBPyConnection) -> None:
    for form, expected in (
        ("csv", "range\n0\n1\n"),
        ("json", '[\n{"range": 0},\n{"range": 1}\n]\n'),
    ):
        found = "".join(run_query(connection, "FROM range(9)", form, limit=2))  # type: ignore[arg-type]
        assert found == expected


def test_the_help_names_the_number_of_rows() -> None:
    (option,) = [one for one in query.params if one.name == "limit"]
    assert isinstance(option, click.Option)
    assert f"{MOST_ROWS:,} of a table" in str(option.help)


def test_no_cell_of_csv_is_a_formula(connection: duckdb.DuckDBPyConnection) -> None:
    sql = """SELECT '=cmd|x' AS a, '  @x' AS b, -1 AS c, -0.5 AS d, '-1' AS "+e", 'x=1' AS f"""
    text = "".join(run_query(connection, sql, "csv"))
    assert list(csv.reader(io.StringIO(text))) == [
        ["a", "b", "c", "d", "'+e", "f"],
        ["'=cmd|x", "'  @x", "-1", "-0.5", "'-1", "x=1"],
    ]


@pytest.mark.slow
def test_a_long_cell_is_cut_before_it_is_looked_at(connection: duckdb.DuckDBPyConnection) -> None:
    begun = time.process_time()
    text = "".join(run_query(connection, "SELECT repeat('x', 50000000) AS x", "table"))
    assert time.process_time() - begun < 5
    assert text.splitlines()[2] == "x" * 59 + "…"


# Queries in other spellings gave rows of all runs, and a query could write into an export.
#
# Names were found behind FROM and JOIN alone, in lower case: `FROM METRIC`, a comma, a comment or a
# PIVOT read the tables of all runs, and sums were of the wrong rows. Several statements ran, and
# only the last one's rows were shown. JSON lost columns of one name, and held NaN.


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
def of_stores(stores: Path) -> Iterator[duckdb.DuckDBPyConnection]:
    with open_store(stores / "store.duckdb") as made:
        yield made


@pytest.fixture(scope="module")
def exported(stores: Path) -> Iterator[duckdb.DuckDBPyConnection]:
    with open_store(stores / "runs") as made:
        yield made


def answer(of_stores: duckdb.DuckDBPyConnection, sql: str, run: str | None = "one") -> object:
    return json.loads("".join(run_query(of_stores, sql, "json", run=run)))


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
    of_stores: duckdb.DuckDBPyConnection, sql: str
) -> None:
    assert answer(of_stores, sql) == [{"n": 2}]


def test_models_are_known_behind_a_comma_too(of_stores: duckdb.DuckDBPyConnection) -> None:
    assert answer(of_stores, "SELECT count(*) AS n FROM run, total", None) != [{"n": 0}]


@pytest.mark.parametrize(
    "sql", ["SELECT 1; SELECT 2", "BEGIN; SELECT 1", "SELECT 1 AS a; DROP VIEW temp.profile"]
)
def test_one_statement_at_a_time(of_stores: duckdb.DuckDBPyConnection, sql: str) -> None:
    with pytest.raises(QueryError, match="more than one statement"):
        answer(of_stores, sql)


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


def test_json_keeps_all_columns_and_is_json(of_stores: duckdb.DuckDBPyConnection) -> None:
    sql = (
        "SELECT 1 AS a, 2 AS a, 'nan'::DOUBLE AS b, [1.0, 'inf'::DOUBLE] AS c,"
        " {'d': 'nan'::DOUBLE} AS e"
    )
    assert answer(of_stores, sql) == [
        {"a": 1, "a_2": 2, "b": None, "c": [1.0, None], "e": {"d": None}}
    ]
