"""The folder of a lake: what counts, what does not, and what stays equal when files are merged."""

from __future__ import annotations

import errno
import json
from collections.abc import Iterable
from pathlib import Path
from typing import Any

import duckdb
import pyarrow.parquet as pq
import pytest

from perfolio.common.errors import BusyError, InputError, OutputError, QueryError, StoreError
from perfolio.common.progress import QuietProgress
from perfolio.fleet import lake as lake_module
from perfolio.fleet import lake_compaction
from perfolio.fleet.lake import JOURNAL, CompactionJournal, Lake, RefusedInput, create_lake
from perfolio.fleet.lake_compaction import compact_lake, finish_compaction
from perfolio.fleet.lake_connection import ask_lake, open_lake
from perfolio.fleet.lake_tables import load_table_schemas, make_table
from perfolio.store.user_query import run_table_query
from tests.fleet.support import add_input, make_lake


def read(lake: Lake, table: str = "run") -> list[tuple[Any, ...]]:
    with open_lake(lake) as connection:
        return connection.execute(f"SELECT * FROM {table} ORDER BY ALL").fetchall()


@pytest.fixture
def lake(tmp_path: Path) -> Lake:
    return make_lake(tmp_path / "lake")


def test_runs_of_inputs_are_rows_with_their_month(lake: Lake) -> None:
    with open_lake(lake) as connection:
        found = connection.execute("SELECT run, month, len(hosts) FROM run ORDER BY run").fetchall()
        ((spent,),) = connection.execute("SELECT sum(ns) FROM part").fetchall()
    assert found == [("a", "2026-11", 3), ("b", "2026-11", 1), ("c", "2026-10", 2),
                     ("d", "2026-10", 0)]  # fmt: skip
    assert spent == 40
    assert [one.input for one in lake.list_manifests()] == ["a", "b", "c", "d"]
    assert read(lake, "kernel") == []


def test_rows_without_a_manifest_do_not_count(lake: Lake) -> None:
    (lake.root / "inputs" / "b.json").unlink()
    assert [row[0] for row in read(lake)] == ["a", "c", "d"]
    add_input(lake, "b", month="2026-11", hosts=["x"])
    assert [row[0] for row in read(lake)] == ["a", "b", "c", "d"]


def test_the_same_input_again_is_the_same_file(lake: Lake) -> None:
    path = lake.locate_file("run", "2026-11", "a")
    first = path.read_bytes()
    add_input(lake, "a", month="2026-11", hosts=["x"] * 3)
    assert path.read_bytes() == first
    assert len(read(lake)) == 4


def test_compaction_changes_files_and_no_row(lake: Lake) -> None:
    before = {table: read(lake, table) for table in load_table_schemas()}
    assert compact_lake(lake, QuietProgress()) == 4
    assert {table: read(lake, table) for table in load_table_schemas()} == before
    assert [one.input for one in lake.list_manifests()] == ["a", "b", "c", "d"]
    assert len(list(lake.root.glob("inputs/*"))) == 1
    files = sorted(path.name for path in lake.root.glob("table=*/*/*"))
    assert compact_lake(lake, QuietProgress()) == 4
    assert sorted(path.name for path in lake.root.glob("table=*/*/*")) == files
    add_input(lake, "e", month="2026-10")
    assert compact_lake(lake, QuietProgress()) == 4
    assert [row[0] for row in read(lake)] == ["a", "b", "c", "d", "e"]


def test_a_compaction_that_has_begun_counts_as_done(
    lake: Lake, monkeypatch: pytest.MonkeyPatch
) -> None:
    before = {table: read(lake, table) for table in load_table_schemas()}
    with monkeypatch.context() as patched:
        patched.setattr(lake_compaction, "_finish", lambda _: None)
        compact_lake(lake, QuietProgress())
    assert (lake.root / JOURNAL).is_file()
    assert {table: read(lake, table) for table in load_table_schemas()} == before
    assert len(lake.list_files("run")) == 2
    add_input(lake, "e", month="2026-10")
    finish_compaction(lake)
    assert not (lake.root / JOURNAL).exists()
    assert [row[0] for row in read(lake)] == ["a", "b", "c", "d", "e"]


def test_two_compactions_do_not_meet(lake: Lake) -> None:
    with lake_compaction._lock_lake(lake), pytest.raises(BusyError, match="another process"):
        compact_lake(lake, QuietProgress())


@pytest.mark.parametrize("before", ["_merge_files", "_merge_manifests"])
def test_an_input_that_comes_in_while_files_are_merged_stays(
    lake: Lake, monkeypatch: pytest.MonkeyPatch, before: str
) -> None:
    step = getattr(lake_compaction, before)

    def add_first(*given: Any) -> None:
        add_input(lake, "e", month="2026-10")
        step(*given)

    with monkeypatch.context() as patched:
        patched.setattr(lake_compaction, before, add_first)
        compact_lake(lake, QuietProgress())
    assert [one.input for one in lake.list_manifests()] == ["a", "b", "c", "d", "e"]
    add_input(lake, "e", month="2026-10")  # by another process that read it meanwhile
    assert [row[0] for row in read(lake)] == ["a", "b", "c", "d", "e"]


def test_an_input_that_comes_in_again_after_it_was_merged_counts_once(lake: Lake) -> None:
    add_input(lake, "f", month="2026-12")
    before = {table: read(lake, table) for table in load_table_schemas()}
    compact_lake(lake, QuietProgress())
    assert lake.has_input("a")
    for name, month in (("a", "2026-11"), ("f", "2026-12")):
        add_input(lake, name, month=month, hosts=["x"] * 3)
    assert {table: read(lake, table) for table in load_table_schemas()} == before
    compact_lake(lake, QuietProgress())
    assert {table: read(lake, table) for table in load_table_schemas()} == before
    assert not [*lake.root.glob("table=*/*/[!a]*"), *lake.root.glob("table=*/*/a.parquet")]


def test_a_reader_beside_a_compaction_sees_each_row_once(
    lake: Lake, monkeypatch: pytest.MonkeyPatch
) -> None:
    read_journal, begun = Lake.read_journal, iter([True])

    def add_merged_files(lake: Lake) -> None:
        for name in read_journal(lake).add:
            lake.locate_staged(name).replace(lake.root / name)

    def compact_after(self: Lake) -> Any:
        journal = read_journal(self)
        if next(begun, False):
            compact_lake(lake, QuietProgress())
        return journal

    monkeypatch.setattr(lake_compaction, "_finish", add_merged_files)
    monkeypatch.setattr(Lake, "read_journal", compact_after)
    assert [row[0] for row in read(lake)] == ["a", "b", "c", "d"]


def test_files_that_a_compaction_removes_before_they_are_opened_are_listed_again(
    lake: Lake, monkeypatch: pytest.MonkeyPatch
) -> None:
    before = read(lake)
    list_table_files, begun = Lake.list_table_files, iter([True])

    def compact_after(self: Lake, tables: Iterable[str]) -> dict[str, list[Path]]:
        found = list_table_files(self, tables)
        if next(begun, False):
            compact_lake(lake, QuietProgress())
            assert not any(path.exists() for path in found["run"])
        return found

    monkeypatch.setattr(Lake, "list_table_files", compact_after)
    assert read(lake) == before
    assert next(begun, None) is None


def test_files_that_are_gone_each_time_are_no_damage(
    lake: Lake, monkeypatch: pytest.MonkeyPatch
) -> None:
    gone = lake.locate_file("run", "2026-11", "gone")
    monkeypatch.setattr(Lake, "list_table_files", lambda _, tables: {one: [gone] for one in tables})
    with pytest.raises(BusyError, match="was compacted while it was read; ask again"):
        read(lake)


def test_a_compaction_while_a_question_is_asked_is_named_and_asked_after(lake: Lake) -> None:
    before, begun = read(lake), iter([True])

    def ask(connection: duckdb.DuckDBPyConnection) -> list[tuple[Any, ...]]:
        if next(begun, False):
            compact_lake(lake, QuietProgress())
        return connection.execute("FROM run ORDER BY ALL").fetchall()

    def compact_and_query(sql: str) -> None:
        with open_lake(lake) as connection:
            compact_lake(lake, QuietProgress())
            list(run_table_query(connection, sql, "csv"))

    assert ask_lake(lake, ask) == before
    add_input(lake, "e", month="2026-10")
    with pytest.raises(BusyError, match="was compacted while it was read; ask again"):
        compact_and_query("FROM run")
    add_input(lake, "f", month="2026-10")
    with pytest.raises(QueryError, match="nowhere"):
        compact_and_query("FROM nowhere")


def test_a_merged_file_that_is_put_in_its_place_while_files_are_listed_counts(
    lake: Lake, monkeypatch: pytest.MonkeyPatch
) -> None:
    before, is_file = read(lake), Path.is_file

    def move_first(path: Path) -> bool:
        if ".staging" in path.parts and is_file(path):
            path.replace(lake.root / path.relative_to(lake.locate_staged("")))
        return is_file(path)

    with monkeypatch.context() as patched:
        patched.setattr(lake_compaction, "_finish", lambda _: None)
        compact_lake(lake, QuietProgress())
    monkeypatch.setattr(Path, "is_file", move_first)
    assert read(lake) == before


def test_a_journal_that_goes_while_it_is_read_is_none(
    lake: Lake, monkeypatch: pytest.MonkeyPatch
) -> None:
    (lake.root / JOURNAL).write_text("{}")
    load = lake_module._load

    def end_first(path: Path) -> dict[str, Any]:
        path.unlink()
        return load(path)

    monkeypatch.setattr(lake_module, "_load", end_first)
    assert lake.read_journal() == CompactionJournal()


def test_without_locks_nothing_is_compacted(lake: Lake, monkeypatch: pytest.MonkeyPatch) -> None:
    def refuse(*_: object) -> None:
        raise OSError(errno.ENOLCK, "No locks available")

    monkeypatch.setattr("fcntl.flock", refuse)
    with pytest.raises(OutputError, match="its file system has no locks; compact a copy"):
        compact_lake(lake, QuietProgress())
    assert len(read(lake)) == 4


def test_a_journal_is_left_to_the_process_that_compacts(
    lake: Lake, monkeypatch: pytest.MonkeyPatch
) -> None:
    with monkeypatch.context() as patched:
        patched.setattr(lake_compaction, "_finish", lambda _: None)
        compact_lake(lake, QuietProgress())
    with lake_compaction._lock_lake(lake):
        finish_compaction(lake)
    assert (lake.root / JOURNAL).is_file()


def test_a_refused_input_is_listed_until_it_comes_in(lake: Lake) -> None:
    lake.refuse_input(RefusedInput("z", "z.json", "is no JSON"))
    assert lake.list_refused() == [RefusedInput("z", "z.json", "is no JSON")]
    add_input(lake, "z")
    assert lake.list_refused() == []


def test_files_that_lack_a_column_have_null_there(lake: Lake) -> None:
    path = lake.locate_file("run", "2026-11", "a")
    pq.write_table(pq.read_table(path, partitioning=None).drop_columns(["gpu_hours"]), path)
    with open_lake(lake) as connection:
        hours = connection.execute("SELECT gpu_hours FROM run WHERE run = 'a'").fetchall()
    assert hours == [(None,)]
    compact_lake(lake, QuietProgress())
    assert len(read(lake)) == 4


def test_other_tools_read_it(lake: Lake) -> None:
    files = str(lake.root / "table=run" / "*" / "*.parquet")
    with duckdb.connect() as connection:
        asked = f"SELECT count(*), max(month) FROM read_parquet('{files}')"
        found = connection.execute(asked).fetchall()
    assert found == [(4, "2026-11")]
    pandas = pytest.importorskip("pandas")
    frame = pandas.read_parquet(lake.root / "table=run")
    assert sorted(frame["run"]) == ["a", "b", "c", "d"]


@pytest.mark.parametrize(
    ("name", "content", "kind", "says"),
    [
        ("lake.json", '{"schema": "perfolio-lake/99"}', StoreError, "newer Perfolio"),
        ("lake.json", '{"schema": "other"}', StoreError, "no mark of a lake"),
        ("lake.json", "[" * 100_000, StoreError, "cannot be read"),
        ("inputs/a.json", '{"input": 3}', StoreError, "is damaged"),
        ("inputs/a.json", "", StoreError, "cannot be read"),
        ("compaction.json", '{"add": 3}', StoreError, "is damaged"),
        ("table=run/month=2026-11/a.parquet", "PAR1", StoreError, "a file is damaged"),
    ],
)
def test_damage_is_one_line(
    lake: Lake, name: str, content: str, kind: type[Exception], says: str
) -> None:
    (lake.root / name).write_text(content)
    with pytest.raises(kind, match=says) as problem:
        read(Lake(lake.root))
    assert str(problem.value).isprintable()


def test_no_lake_is_named_and_a_folder_of_somebody_is_left(tmp_path: Path) -> None:
    with pytest.raises(InputError, match="is no lake"):
        Lake(tmp_path / "nowhere")
    (tmp_path / "thesis.tex").write_text("precious")
    with pytest.raises(OutputError, match="is not empty and is no lake"):
        create_lake(tmp_path)
    assert [path.name for path in tmp_path.iterdir()] == ["thesis.tex"]


def test_a_lake_that_another_process_makes_is_made(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def stop(*_: object) -> None:
        raise OSError("ended")

    with monkeypatch.context() as patched:
        patched.setattr(Path, "replace", stop)
        with pytest.raises(OutputError, match="cannot be made"):
            create_lake(tmp_path)
    assert list(tmp_path.iterdir())
    assert create_lake(tmp_path).list_manifests() == []


@pytest.mark.parametrize("where", ["../", "table=run/../../", "{root}/", "inputs/../../"])
def test_a_journal_reaches_nothing_outside(lake: Lake, where: str) -> None:
    secret = lake.root.parent / "secret.parquet"
    secret.write_text("precious")
    place = f"{where.format(root=lake.root.parent)}secret.parquet"
    (lake.root / JOURNAL).write_text(json.dumps({"add": [place], "remove": [place]}))
    with pytest.raises(StoreError, match="outside of the lake"):
        finish_compaction(lake)
    assert secret.read_text() == "precious"


def test_a_query_reaches_no_other_file(lake: Lake, tmp_path: Path) -> None:
    (tmp_path / "secret.csv").write_text("x\n1\n")
    with open_lake(lake) as connection:
        assert (
            "".join(run_table_query(connection, "SELECT count(*) AS n FROM run", "csv")) == "n\n4\n"
        )
        with pytest.raises(QueryError):
            list(run_table_query(connection, f"FROM '{tmp_path / 'secret.csv'}'", "csv"))


def test_rows_have_the_columns_of_the_schema() -> None:
    for name, schema in load_table_schemas().items():
        assert make_table(name, []).schema == schema
        assert schema.names[0] == "run"
