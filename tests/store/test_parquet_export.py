"""Exported runs: the same metrics as on the store, and nothing but what was exported."""

from __future__ import annotations

import os
import shutil
from pathlib import Path

import duckdb
import pyarrow as pa
import pyarrow.parquet as pq
import pytest

from perfolio.common.errors import OutputError, StoreError
from perfolio.metrics.catalog import load_catalog
from perfolio.metrics.model import Results
from perfolio.metrics.run_measurement import evaluate
from perfolio.pipeline.run_documents import export_ingested, ingest_paths
from perfolio.readers import registry
from perfolio.store.database import open_store
from tests.kit.databases import OPERATIONS, Shape, write_database
from tests.kit.kept import digest_of, kept
from tests.kit.queries import alike
from tests.kit.samples import results_at
from tests.kit.shared import ROOT


@pytest.fixture(scope="module")
def databases() -> list[Path]:
    made = Shape(profiles=4, streams=2, points=400, names=OPERATIONS, seed=3)
    digest = digest_of(repr(made), ROOT / "tests" / "kit" / "databases.py", by=())

    def make(folder: Path) -> None:
        write_database(folder / "made.d", made)

    return [kept("made", digest, make) / "made.d", *registry.find(ROOT / "profiles" / "dlrm-cpu")]


@pytest.fixture(scope="module")
def store(databases: list[Path], tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("exported")
    runs = ingest_paths(databases, folder / "store.duckdb")
    export_ingested(folder / "store.duckdb", runs, folder / "runs")
    return folder / "store.duckdb"


def values(results: Results) -> dict[str, object]:
    return {name: (one.status, one.value, one.low, one.rows) for name, one in results.items()}


@pytest.mark.slow
def test_metrics_of_exported_runs_are_those_of_a_store(databases: list[Path], store: Path) -> None:
    exported = store.parent / "runs"
    assert [place.name for place in sorted(exported.iterdir())] == ["run=dlrm-cpu", "run=made"]
    with open_store(exported, reproducible=True) as connection:
        results = [evaluate(connection, run, load_catalog()) for run in (1, 2)]
    for result, database in zip(results, reversed(databases), strict=True):  # by name
        found, expected = values(result), values(results_at(database))
        assert found.keys() == expected.keys()
        assert [name for name in found if not alike(found[name], expected[name])] == []


@pytest.mark.slow
def test_an_export_reaches_no_other_file(store: Path, tmp_path: Path) -> None:
    (tmp_path / "secret.csv").write_text("a\n1\n")
    with open_store(store.parent / "runs") as connection:
        for sql in (
            f"FROM read_csv('{tmp_path / 'secret.csv'}')",
            f"COPY (SELECT 1) TO '{tmp_path / 'x.csv'}'",
            "SET enable_external_access = true",
            "SET allowed_directories = ['/']",
        ):
            with pytest.raises(duckdb.Error):
                connection.execute(sql)


def _copied(store: Path, folder: Path) -> Path:
    for path in (store.parent / "runs" / "run=made").iterdir():
        (folder / "run=made").mkdir(exist_ok=True)
        (folder / "run=made" / path.name).write_bytes(path.read_bytes())
    return folder


@pytest.mark.parametrize(
    ("table", "says"),
    [
        ("run", "another version"),
        ("trace", "trace.parquet: time, context"),
        ("metric", "metric.parquet: name"),
    ],
)
def test_a_table_that_is_not_ours_is_refused(
    store: Path, tmp_path: Path, table: str, says: str
) -> None:
    folder = _copied(store, tmp_path)
    path = folder / "run=made" / f"{table}.parquet"
    rows = pq.read_table(path)
    pq.write_table(rows.select(rows.column_names[:1]).replace_schema_metadata({}), path)
    with pytest.raises(StoreError, match=says) as caught:
        open_store(folder)
    assert "--export" in caught.value.hint


@pytest.mark.parametrize(
    ("column", "value", "says"),
    [
        ("slug", "other", "is not of the one run that its folder is named by"),
        ("slug", None, "is not of the one run"),
        ("files", None, r"run\.parquet: has no files"),
        ("warnings", None, r"run\.parquet: has no warnings"),
    ],
)
def test_a_run_that_is_not_whole_is_refused(
    store: Path, tmp_path: Path, column: str, value: object, says: str
) -> None:
    path = _copied(store, tmp_path) / "run=made" / "run.parquet"
    rows = pq.read_table(path)
    changed = pa.array([value], rows.schema.field(column).type)
    place = rows.schema.get_field_index(column)
    pq.write_table(rows.set_column(place, rows.schema.field(column), changed), path)
    with pytest.raises(StoreError, match=says):
        open_store(tmp_path)


def test_a_column_of_another_type_is_refused(store: Path, tmp_path: Path) -> None:
    path = _copied(store, tmp_path) / "run=made" / "metric.parquet"
    rows = pq.read_table(path)
    as_text = rows["id"].cast(pa.string())
    changed = rows.set_column(rows.schema.get_field_index("id"), "id", as_text)
    pq.write_table(changed, path)
    with pytest.raises(
        StoreError, match=r"metric\.parquet: id: no such column, or of another type"
    ):
        open_store(tmp_path)


def test_what_is_no_file_is_refused(store: Path, tmp_path: Path) -> None:
    path = _copied(store, tmp_path) / "run=made" / "metric.parquet"
    path.unlink()
    os.mkfifo(path)
    with pytest.raises(StoreError, match="is no file"):
        open_store(tmp_path)


def test_two_folders_of_one_run_are_refused(store: Path, tmp_path: Path) -> None:
    folder = _copied(store, tmp_path)
    shutil.copytree(folder / "run=made", folder / "run=made-2")
    with pytest.raises(StoreError, match="run=made-2"):
        open_store(folder)


def test_a_damaged_file_is_refused(store: Path, tmp_path: Path) -> None:
    folder = _copied(store, tmp_path)
    (folder / "run=made" / "run.parquet").write_bytes(b"PAR1 and no more")
    with pytest.raises(StoreError, match=r"run\.parquet: cannot be read"):
        open_store(folder)


def test_a_folder_that_is_no_export_is_left_alone(
    databases: list[Path], store: Path, tmp_path: Path
) -> None:
    (tmp_path / "run=made").mkdir()
    (tmp_path / "run=made" / "mine.txt").write_text("mine")
    runs = ingest_paths(databases[:1], store)
    with pytest.raises(OutputError, match="no export"):
        export_ingested(store, runs, tmp_path)
    assert [path.name for path in (tmp_path / "run=made").iterdir()] == ["mine.txt"]


@pytest.mark.slow
def test_a_run_is_exported_again_in_place(
    databases: list[Path], store: Path, tmp_path: Path
) -> None:
    runs = ingest_paths(databases[:1], store)
    for _ in range(2):
        assert export_ingested(store, runs, tmp_path) == [tmp_path / "run=made"]
    assert [path.name for path in tmp_path.iterdir() if not path.name.startswith(".")] == [
        "run=made"
    ]
