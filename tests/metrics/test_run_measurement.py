"""How results come about, whatever the metric."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import duckdb
import pytest

from perfolio.common.errors import ContentError
from perfolio.metrics.catalog import load_catalog
from perfolio.metrics.model import Metric, MetricColumn, Result
from perfolio.metrics.run_measurement import evaluate
from perfolio.store import connections, database
from perfolio.store.database import create_store, open_beside, open_store
from perfolio.store.run_tables import RunTables, hold_run_tables, measure_models
from tests.kit.samples import sample_database, store_at
from tests.metrics.support import RUN, store_of

SCALAR = Metric(
    name="test.scalar",
    title="Test",
    unit="count",
    shape="scalar",
    better="neither",
    definition="A test.",
    population="none",
    needs=(),
    source="made for a test",
    sql="SELECT 1 AS value",
)
TABLE = replace(
    SCALAR,
    name="test.table",
    shape="table",
    columns=(MetricColumn("name", "Name", "text"), MetricColumn("cost", "Cost", "s")),
)


def _evaluated(metric: Metric, sql: str) -> Result:
    with store_of({"base": "cpu", "totals": {"CPUTIME (sec)": 1}}, [sql]) as connection:
        return evaluate(connection, RUN, {metric.name: replace(metric, sql=sql)})[metric.name]


def test_a_scalar_carries_its_interval() -> None:
    sql = "SELECT 0.5 AS value, 0.4 AS low, 0.6 AS high, 10 AS n"
    result = _evaluated(SCALAR, sql)
    assert (result.value, result.low, result.high, result.n) == (0.5, 0.4, 0.6, 10)


@pytest.mark.parametrize(
    "sql",
    [
        "SELECT NULL::DOUBLE AS value",
        "SELECT 1 AS value WHERE false",
        "SELECT 'nan'::DOUBLE AS value",
        "SELECT 'inf'::DOUBLE AS value",
    ],
)
def test_no_number_is_not_measured_and_says_why(sql: str) -> None:
    result = _evaluated(SCALAR, sql)
    assert (result.status, result.value) == ("not_measured", None)
    assert result.reason


def test_a_table_keeps_order_and_drops_what_is_not_finite() -> None:
    sql = """
    SELECT * FROM (VALUES ('b', 1.5::DOUBLE), ('a', 'nan'::DOUBLE), (NULL, 2)) AS t(name, cost)
   """
    assert _evaluated(TABLE, sql).rows == (("b", 1.5), ("a", None), (None, 2))


def test_a_table_without_rows_is_not_measured() -> None:
    result = _evaluated(replace(TABLE, empty="there are none"),
                        "SELECT 'a' AS name, 1 AS cost WHERE false")  # fmt: skip
    assert (result.status, result.reason) == ("not_measured", "there are none")


@pytest.mark.parametrize(
    ("metric", "sql", "problem"),
    [
        (SCALAR, "SELECT 1 AS values", "a scalar returns value"),
        (SCALAR, "SELECT 1 AS value, 1 AS mean", "a scalar returns value"),
        (SCALAR, "SELECT 'many' AS value", "has unit count and type VARCHAR"),
        (SCALAR, "SELECT unnest([1, 2]) AS value", "returned 2 rows"),
        (SCALAR, "SELECT nothing AS value", "the query fails"),
        (TABLE, "SELECT 'a' AS name", "the front matter says name, cost"),
        (TABLE, "SELECT 1 AS cost, 'a' AS name", "the front matter says name, cost"),
        (TABLE, "SELECT 'a' AS name, 'b' AS cost", "type VARCHAR"),
        (TABLE, "SELECT 1 AS name, 2 AS cost", "type INTEGER"),
        (TABLE, "SELECT 'a' AS name, DATE '2026-01-01' AS cost", "type DATE"),
        (TABLE, "SELECT 1 AS cost WHERE false", "the front matter says"),
    ],
)
def test_a_faulty_query_is_refused_naming_the_metric(
    metric: Metric, sql: str, problem: str
) -> None:
    with pytest.raises(ContentError) as refusal:
        _evaluated(metric, sql)
    assert metric.name in str(refusal.value)
    assert problem in str(refusal.value)


@pytest.mark.parametrize(
    ("sql", "reason"),
    [
        ("SELECT error('x') AS value", "the query failed: InvalidInput"),
        ("SELECT CAST('secret' AS INTEGER) AS value", "the query failed: Conversion"),
        (
            "SELECT len(list(range || repeat('x', 99))) AS value FROM range(1000000)",
            "the query ran out of memory",
        ),
    ],
)
def test_a_query_that_cannot_end_has_failed_and_others_are_measured(
    sql: str, reason: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """What the error says more may be private; a limit of memory ends it as no space does."""
    catalog = {
        name: replace(SCALAR, name=name, sql=query)
        for name, query in (("test.faulty", sql), ("test.sound", "SELECT 7 AS value"))
    }
    create_store(tmp_path / "store.duckdb").close()
    monkeypatch.setitem(connections._CONFIG, "memory_limit", "60MB")
    with open_store(tmp_path / "store.duckdb") as connection:
        results = evaluate(connection, RUN, catalog)
    assert (results["test.faulty"].status, results["test.faulty"].reason) == ("failed", reason)
    assert results["test.sound"].value == 7


def test_a_model_that_fails_fails_for_each_that_reads_it(monkeypatch: pytest.MonkeyPatch) -> None:
    def refuse(self: RunTables, name: str) -> None:
        raise duckdb.OutOfMemoryException(f"{self.run}: {name}")

    catalog = {
        name: replace(SCALAR, name=name, sql="SELECT count(*) AS value FROM profile")
        for name in ("test.first", "test.second")
    }
    with store_of({"base": "cpu", "totals": {"CPUTIME (sec)": 1}}, []) as connection:
        monkeypatch.setattr(RunTables, "_provide", refuse)
        results = evaluate(connection, RUN, catalog)
    assert [result.status for result in results.values()] == ["failed", "failed"]


def test_an_unknown_need_is_refused() -> None:
    with pytest.raises(ContentError, match="GKRE"):
        _evaluated(replace(SCALAR, needs=("GKRE:COUNT",)), "SELECT 1 AS value")


def test_results_come_in_the_catalogs_order() -> None:
    catalog = load_catalog()
    with store_of({"base": "cpu", "totals": {"CPUTIME (sec)": 1}}) as connection:
        assert list(evaluate(connection, RUN, catalog)) == list(catalog)


def test_no_metric_changes_the_store() -> None:
    """Queries run on read-only stores, and plain reading is all that they do."""
    forbidden = ("INSERT", "UPDATE", "DELETE", "CREATE", "ATTACH", "COPY", "PRAGMA", "SET ")
    for metric in load_catalog().values():
        assert metric.sql.lstrip().startswith(("SELECT", "WITH")), metric.name
        assert not any(f"\n{word}" in f"\n{metric.sql}" for word in forbidden), metric.name


@pytest.mark.slow
def test_hostile_names_are_cells_and_nothing_else() -> None:
    name = "<script>alert(1)</script>{{ x }}'; DROP TABLE run; --\n" + "a" * 100_000
    case = {
        "base": "nvidia-pc",
        "collected": ["CPUTIME (sec)"],
        "contexts": [
            [1, 0, "entry", "main thread"],
            [2, 1, "function", f"{name}@{name}.so", {"CPUTIME (sec)": 2}],
            [3, 2, "function", "<gpu kernel>"],
            [4, 3, "function", name, {"GPUOP (sec)": 1, "GKER (sec)": 1, "GSAMP:PER (cyc)": 8}],
            [5, 4, "unlisted", "", {"GINS": 8, "GINS:STL_ANY": 8, "GINS:STL_GMEM": 8}],
        ],
    }
    with store_of(case) as connection:
        results = evaluate(connection, RUN, load_catalog())
        runs = connection.execute("SELECT count(*) FROM run").fetchall()
    assert runs == [(2,)]
    assert results["cpu.time"].value == 2
    (function,) = results["cpu.top_functions"].records()
    assert str(function["function"]).startswith("<script>")
    texts = [cell for result in results.values() for row in result.rows for cell in row]
    assert max(len(cell) for cell in texts if isinstance(cell, str)) < 110_000


@pytest.mark.slow
def test_recursion_deeper_than_any_stack() -> None:
    depth = 700
    contexts = [[1, 0, "entry", "main thread"]] + [
        [i, i - 1, "function", f"f{i % 3}@app", {"CPUTIME (sec)": 1}] for i in range(2, depth)
    ]
    with store_of({"base": "cpu", "contexts": contexts}) as connection:
        results = evaluate(connection, RUN, load_catalog())
    functions = {row["function"]: row for row in results["cpu.top_functions"].records()}
    assert {name: row["inclusive"] for name, row in functions.items()} == {
        "f2": depth - 2, "f0": depth - 3, "f1": depth - 4,
    }  # fmt: skip
    assert max(int(row["depth"] or 0) for row in results["tree.cpu"].records()) == 40


def test_a_locked_read_only_store_is_enough(tmp_path: Path) -> None:
    path = tmp_path / "store.duckdb"
    create_store(path).close()
    with open_store(path) as connection:
        results = evaluate(connection, RUN, load_catalog())
    assert results["cpu.time"].status == "not_measured"


@pytest.mark.slow
@pytest.mark.parametrize("sample", ["dlrm-cpu", "eight-ranks", "transformer"])
def test_two_threads_measure_what_one_measures(sample: str) -> None:
    store = store_at(sample_database(sample))
    with open_store(store, reproducible=True) as connection, connection.cursor() as beside:
        together = evaluate(connection, 1, load_catalog(), beside)
        alone = evaluate(connection, 1, load_catalog())
        with hold_run_tables(connection, 1):
            sharing = evaluate(connection, 1, load_catalog(), beside)
            again = evaluate(connection, 1, load_catalog())  # of what is held
    assert {name: one.value for name, one in together.items()} == {
        name: one.value for name, one in alone.items()
    }
    assert together == alone == sharing == again
    assert list(together) == list(alone)


@pytest.mark.parametrize("faulty", ["test.a", "test.z"])
def test_a_faulty_query_is_refused_whichever_thread_meets_it(faulty: str, tmp_path: Path) -> None:
    create_store(tmp_path / "store.duckdb").close()
    catalog = {name: replace(SCALAR, name=name) for name in ("test.a", "test.m", "test.z")}
    catalog[faulty] = replace(catalog[faulty], sql="SELECT none AS value")
    with (
        open_store(tmp_path / "store.duckdb") as connection,
        connection.cursor() as beside,
        pytest.raises(ContentError, match=faulty),
    ):
        evaluate(connection, RUN, catalog, beside)


def test_times_of_models_hold_those_of_both_threads(tmp_path: Path) -> None:
    create_store(tmp_path / "store.duckdb").close()
    seconds: dict[str, float] = {}
    alone: dict[str, float] = {}
    with open_store(tmp_path / "store.duckdb") as connection, connection.cursor() as beside:
        with measure_models(seconds):
            evaluate(connection, RUN, load_catalog(), beside)
        with measure_models(alone):
            evaluate(connection, RUN, load_catalog())
    assert len(seconds) > 1
    assert seconds.keys() == alone.keys()


def test_a_large_store_is_read_by_one_thread(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    store = tmp_path / "store.duckdb"
    create_store(store).close()
    monkeypatch.setattr(database, "count_workers", lambda pieces: pieces)
    with open_store(store) as connection:
        with open_beside(connection, store) as beside:
            assert beside is not None
        with store.open("ab") as file:
            file.truncate(database._SMALL + 1)
        with open_beside(connection, store) as beside:
            assert beside is None
        monkeypatch.setattr(database, "count_workers", lambda _: 1)
        with open_beside(connection, tmp_path) as beside:
            assert beside is None
