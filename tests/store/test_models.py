"""What queries share is computed once, gives what it gave, and is gone afterwards."""

from __future__ import annotations

from collections.abc import Iterator

import duckdb
import pytest

from generator.store import models
from generator.store.connect import create_schema
from generator.store.models import definitions, models_of


@pytest.fixture(scope="module")
def store() -> duckdb.DuckDBPyConnection:
    connection = duckdb.connect()
    create_schema(connection)
    for run in (1, 2):
        connection.execute(
            "INSERT INTO context SELECT $run, i, i - 1, i, 'e', 'call', 'entry', NULL, NULL, NULL,"
            " NULL, NULL FROM range(1, 10 * $run) AS t(i)",
            {"run": run},
        )
    return connection


@pytest.fixture
def executed(
    store: duckdb.DuckDBPyConnection, monkeypatch: pytest.MonkeyPatch
) -> Iterator[list[str]]:
    """Statements that made temporary tables."""
    seen: list[str] = []

    def make(self: models.Models, model: models.Model) -> None:
        seen.append(model.name)
        made(self, model)

    made = models.Models._make
    monkeypatch.setattr(models.Models, "_make", make)
    yield seen
    assert _temporary(store) == [], "left behind"


def _temporary(store: duckdb.DuckDBPyConnection) -> list[tuple[str]]:
    return store.execute(
        "SELECT table_name FROM duckdb_tables() WHERE temporary UNION ALL"
        " SELECT function_name FROM duckdb_functions() WHERE database_name = 'temp'"
    ).fetchall()


def _rows(store: duckdb.DuckDBPyConnection, sql: str, run: int) -> int:
    return len(store.execute(sql, {"run": run}).fetchall())


def test_what_two_queries_share_is_made_once_for_its_run(
    store: duckdb.DuckDBPyConnection, executed: list[str]
) -> None:
    sql = "FROM frames($run)"
    with models_of(store, 2, [sql, sql]) as found:
        for _ in range(2):
            found.provide(sql)
        assert executed.count("frames") == 1
        kept = {name for (name,) in _temporary(store)}
        assert {"frames", "model_frames"} <= kept


@pytest.mark.parametrize("run", [1, 2])
def test_a_model_has_the_rows_of_its_run_alone(
    store: duckdb.DuckDBPyConnection, executed: list[str], run: int
) -> None:
    sql = "SELECT context FROM context_name WHERE run = $run"
    with models_of(store, run, [sql, sql]) as found:
        found.provide(sql)
        assert executed == ["context_name"]
        assert store.execute("SELECT count(*) FROM context_name").fetchone() == (10 * run - 1,)
    assert store.execute("SELECT count(*) FROM context_name").fetchone() == (28,)


def test_what_only_one_query_reads_is_not_kept(
    store: duckdb.DuckDBPyConnection, executed: list[str]
) -> None:
    sql = "SELECT * FROM context_name WHERE run = $run"
    with models_of(store, 1, [sql]) as found:
        found.provide(sql)
    assert executed == []


def test_a_large_model_is_computed_where_it_is_used(
    store: duckdb.DuckDBPyConnection, executed: list[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(models, "MOST_ROWS", 9)
    sql = "SELECT context FROM context_name WHERE run = $run"
    for run, kept in ((1, True), (2, False)):
        with models_of(store, run, [sql, sql]) as found:
            found.provide(sql)
            assert (("context_name",) in _temporary(store)) == kept
            assert _rows(store, sql, run) == 10 * run - 1
    assert executed == ["context_name", "context_name"]


def test_all_goes_when_a_query_fails(store: duckdb.DuckDBPyConnection, executed: list[str]) -> None:
    sql = "SELECT context FROM context_name WHERE run = $run"
    found = models_of(store, 1, [sql, sql])
    found.__enter__().provide(sql)
    problem = duckdb.Error("a query fails")
    assert not found.__exit__(type(problem), problem, None)
    assert executed == ["context_name"]


def test_every_view_and_macro_is_known_with_what_it_reads(
    store: duckdb.DuckDBPyConnection,
) -> None:
    there = store.execute(
        "SELECT view_name FROM duckdb_views() WHERE NOT internal UNION"
        " SELECT function_name FROM duckdb_functions() WHERE function_type LIKE '%macro'"
        " AND NOT internal"
    ).fetchall()
    assert {name for (name,) in there} == set(definitions())
    assert "computes_product" in definitions()["unseen_product"].reads
    kinds = {name: definitions()[name].kind for name in ("gpus", "frames", "held", "shorten")}
    assert kinds == {"gpus": "value", "frames": "table", "held": "view", "shorten": "other"}


@pytest.mark.parametrize("kind", ["view", "table", "value"])
def test_every_model_gives_the_same_when_it_is_kept(
    store: duckdb.DuckDBPyConnection, executed: list[str], kind: str
) -> None:
    asked = {
        "view": "SELECT * FROM {} WHERE run = $run",
        "table": "FROM {}($run)",
        "value": "SELECT {}($run)",
    }[kind]
    names = [name for name, model in definitions().items() if model.kind == kind]
    queries = [asked.format(name) for name in names]
    before = [store.execute(sql, {"run": 1}).fetchall() for sql in queries]
    with models_of(store, 1, queries * 2) as found:
        for sql in queries:
            found.provide(sql)
        after = [store.execute(sql, {"run": 1}).fetchall() for sql in queries]
    assert set(names) <= set(executed)
    assert [sorted(map(repr, rows)) for rows in after] == [
        sorted(map(repr, rows)) for rows in before
    ]
