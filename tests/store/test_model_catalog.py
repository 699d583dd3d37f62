"""The tables of one run: its rows alone, what queries share made once, and all gone afterwards."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import suppress
from threading import Event, Thread

import duckdb
import pytest

from perfolio.common.errors import QueryError, UsageError
from perfolio.store import run_tables as module
from perfolio.store.database import create_schema
from perfolio.store.derived_tables import derive
from perfolio.store.model_catalog import find_source_tables, list_kept_models, load_models
from perfolio.store.run_tables import (
    HeldTables,
    RunTables,
    hold_run_tables,
    make_run_tables,
    measure_models,
)
from perfolio.store.user_models import make_query_models
from tests.kit.queries import rows_of

NAMES = "SELECT context FROM context_name"


@pytest.fixture(scope="module")
def store() -> duckdb.DuckDBPyConnection:
    connection = duckdb.connect()
    create_schema(connection)
    for run in (1, 2):
        connection.execute(
            "INSERT INTO run VALUES"
            f" ({run}, 'run-{run}', 'p', 'q', 'd', 'c', [], 't', '4', 't', '', NULL, NULL, [])"
        )
        connection.execute(
            "INSERT INTO context SELECT $run, i, i - 1, i, 'e', 'call', 'entry', NULL, NULL, NULL,"
            " NULL, NULL FROM range(1, 10 * $run) AS t(i)",
            {"run": run},
        )
    return connection


@pytest.fixture
def held(store: duckdb.DuckDBPyConnection) -> Iterator[duckdb.DuckDBPyConnection]:
    """The store, which is left as it was."""
    yield store
    assert _temporary(store) == [], "left behind"


def _temporary(store: duckdb.DuckDBPyConnection) -> list[str]:
    found = store.execute(
        "SELECT table_name FROM duckdb_tables() WHERE temporary"
        " UNION ALL SELECT view_name FROM duckdb_views() WHERE temporary AND NOT internal"
        " UNION ALL SELECT function_name FROM duckdb_functions() WHERE database_name = 'temp'"
    ).fetchall()
    return sorted(name for (name,) in found)


def _tables(store: duckdb.DuckDBPyConnection) -> set[str]:
    found = store.execute("SELECT table_name FROM duckdb_tables() WHERE temporary").fetchall()
    return {name for (name,) in found}


@pytest.mark.parametrize("run", [1, 2])
def test_names_stand_for_the_rows_of_one_run(held: duckdb.DuckDBPyConnection, run: int) -> None:
    with make_run_tables(held, run) as tables:
        assert len(tables.rows("FROM context")) == 10 * run - 1
        assert len(tables.rows(NAMES)) == 10 * run - 1
        described = held.execute("DESCRIBE context").fetchall()
        assert "run" not in {row[0] for row in described}
    assert held.execute("SELECT count(*) FROM context").fetchone() == (28,)


def test_what_two_queries_share_is_made_once(held: duckdb.DuckDBPyConnection) -> None:
    with make_run_tables(held, 2, [NAMES, NAMES]) as tables:
        for _ in range(2):
            tables.provide(NAMES)
        assert "context_name" in _tables(held)
        assert tables.made.count('DROP TABLE temp."context_name"') == 1


def test_what_only_one_query_reads_is_a_view(held: duckdb.DuckDBPyConnection) -> None:
    with make_run_tables(held, 1, [NAMES]) as tables:
        assert len(tables.rows(NAMES)) == 9
        assert _tables(held) == set()


def test_a_large_model_is_computed_where_it_is_used(
    held: duckdb.DuckDBPyConnection, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(module, "MOST_ROWS", 9)
    for run, kept in ((1, True), (2, False)):
        with make_run_tables(held, run, [NAMES, NAMES]) as tables:
            assert len(tables.rows(NAMES)) == 10 * run - 1
            assert ("context_name" in _tables(held)) == kept


def test_all_goes_when_a_query_fails(held: duckdb.DuckDBPyConnection) -> None:
    with (
        pytest.raises(duckdb.Error, match="it fails"),
        make_run_tables(held, 1, [NAMES] * 2) as tables,
    ):
        _fail(tables)


def _fail(tables: RunTables) -> None:
    tables.provide(NAMES)
    tables.rows("SELECT error('it fails')")


def test_a_query_that_fails_within_a_transaction_ends_it(held: duckdb.DuckDBPyConnection) -> None:
    held.begin()
    with pytest.raises(duckdb.Error, match="it fails"), make_run_tables(held, 1) as tables:
        _fail(tables)
    held.rollback()


@pytest.mark.slow
@pytest.mark.parametrize("kind", ["table", "value"])
def test_every_model_gives_the_same_whether_it_is_shared(
    held: duckdb.DuckDBPyConnection, kind: str
) -> None:
    names = [name for name, model in load_models().items() if model.kind == kind]
    asked_of = {"table": "FROM {}", "value": "SELECT {}()"}[kind]
    queries = [asked_of.format(name) for name in names]
    results = []
    for shared in ([], queries * 2):
        with make_run_tables(held, 1, shared) as tables:
            results.append([sorted(map(repr, tables.rows(sql))) for sql in queries])
            made = {name.removeprefix("value of ") for name in _tables(held)}
            kept = {name for name in names if load_models()[name].held is not False}
            assert made & set(names) == (kept if shared else set())
    assert results[0] == results[1]
    assert len(names) > 10


def test_a_kept_model_follows_what_it_reads() -> None:
    order = [model.name for model in list_kept_models()]
    assert order.index("enclosing_frame") < order.index("frame") < order.index("blame")
    assert not set(order) & find_source_tables().keys()


def test_a_query_on_all_runs_has_models_with_a_column_run(held: duckdb.DuckDBPyConnection) -> None:
    sql = "SELECT run, count(*), max(short_name('f()')) FROM context_name GROUP BY 1 ORDER BY 1"
    with make_query_models(held, sql, None):
        assert held.execute(sql).fetchall() == [(1, 9, "f"), (2, 19, "f")]


def test_a_query_on_a_run_that_is_named_has_its_rows_alone(
    held: duckdb.DuckDBPyConnection,
) -> None:
    sql = "SELECT count(*), gpus() FROM context"
    with make_query_models(held, sql, "run-2"):
        assert held.execute(sql).fetchall() == [(19, 0)]
    with pytest.raises(UsageError, match="no run 'x'"), make_query_models(held, sql, "x"):
        pass


@pytest.mark.parametrize("sql", ["SELECT gpus()", "FROM path_frames([1])", "SELECT total_of('a')"])
def test_what_is_of_one_run_asks_for_its_name(held: duckdb.DuckDBPyConnection, sql: str) -> None:
    with pytest.raises(QueryError, match="is about one run"), make_query_models(held, sql, None):
        pass


def test_a_store_without_runs_has_no_models() -> None:
    with duckdb.connect() as connection:
        create_schema(connection)
        with make_query_models(connection, NAMES, None), pytest.raises(duckdb.CatalogException):
            connection.execute(NAMES)


def test_time_is_told_by_model(held: duckdb.DuckDBPyConnection) -> None:
    with make_run_tables(held, 1, [NAMES, NAMES]) as tables:
        tables.provide(NAMES)
    assert tables.seconds["context_name"] > 0
    assert isinstance(tables, RunTables)


@pytest.mark.slow
def test_what_a_source_gives_is_not_derived(held: duckdb.DuckDBPyConnection) -> None:
    """A tool that records operations as they are has no trace to derive them from."""
    held.begin()
    held.execute("INSERT INTO profile VALUES (2, 1, 'p', 'GPU stream', 0, 0, NULL, 0, 7, NULL)")
    held.execute(
        "INSERT INTO gpu_operation VALUES"
        " (2, 1, 100, 30, 30, false, 'kernel', 1, NULL, NULL, NULL, NULL),"
        " (2, 1, 150, 20, 20, false, 'copy H2D', 1, NULL, 64, NULL, true)"
    )
    derive(held, 2)
    assert rows_of(held, "SELECT start, duration FROM gpu_operation ORDER BY 1", 2) == [
        (100, 30),
        (150, 20),
    ]
    assert rows_of(held, "SELECT start, stop FROM gpu_gap", 2) == [(130, 150)]
    held.rollback()


def test_what_is_held_is_made_once_for_all_blocks_and_connections(
    held: duckdb.DuckDBPyConnection,
) -> None:
    seconds: dict[str, float] = {}
    with hold_run_tables(held, 1), held.cursor() as other, measure_models(seconds):
        with make_run_tables(held, 1, [NAMES, NAMES]) as tables:
            first = tables.rows(NAMES)
        taken = dict(seconds)
        for connection in (other, held):
            with make_run_tables(connection, 1, [NAMES, NAMES]) as tables:
                assert tables.rows(NAMES) == first
        assert seconds == taken, "nothing was made again"
        with make_run_tables(held, 2, [NAMES]) as tables:
            assert tables.rows(NAMES) != first, "another run has tables of its own"
    with make_run_tables(held, 1, [NAMES]) as tables:
        assert tables.rows(NAMES) == first
    opened = "SELECT count(*) FROM duckdb_databases() WHERE NOT internal"
    assert held.execute(opened).fetchone() == (1,)


def test_names_stand_for_the_store_again_also_within_another_block(
    held: duckdb.DuckDBPyConnection,
) -> None:
    asked = "SELECT count(*) FROM context"
    whole = held.execute(asked).fetchall()
    with hold_run_tables(held, 1):
        with make_run_tables(held, 1) as tables:
            alone = tables.rows(asked)
            with make_run_tables(held, 1) as inner:
                assert inner.rows(asked) == alone
            assert tables.rows(asked) == alone
            assert held.execute(asked).fetchall() == alone
        assert held.execute(asked).fetchall() == whole
    assert alone != whole


def test_who_waits_for_what_another_could_not_make_tries_it_again() -> None:
    tables, begun, failed = HeldTables(1, '"a"', '"b"'), Event(), Event()
    made: list[str] = []

    def fail(_: str) -> None:
        begun.set()
        failed.wait(10)
        raise duckdb.Error("no")

    def run_first() -> None:
        with suppress(duckdb.Error):
            tables.provide_one("one", fail)

    first = Thread(target=run_first)
    first.start()
    begun.wait(10)
    second = Thread(target=tables.provide_one, args=("one", made.append))
    second.start()
    failed.set()
    first.join(10)
    second.join(10)
    tables.provide_one("one", made.append)
    assert made == ["one"]
