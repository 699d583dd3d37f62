"""Ingest: whole or not at all, once, and never wrong."""

from __future__ import annotations

import os
import struct
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

import duckdb
import pyarrow as pa
import pytest

from perfolio.common.errors import (
    FormatError,
    InvariantError,
    OutputError,
    PerfolioError,
    StoreError,
    UsageError,
)
from perfolio.readers import registry
from perfolio.readers.model import Source, Stream
from perfolio.readers.run_description import RunDescription, read_description
from perfolio.store import run_identity
from perfolio.store.database import create_store, open_store
from perfolio.store.idle_blame import KIND_NAMES, SAMPLE, format_events_query
from perfolio.store.ingest import IngestedRun, ingest
from perfolio.store.run_lookup import HOSTS, read_hosts
from perfolio.store.user_models import make_query_models
from tests.kit.databases import Shape, write_database
from tests.kit.queries import rows_of
from tests.kit.samples import store_at
from tests.kit.shared import database


def store_of(folder: Path, *databases: Path) -> tuple[Path, list[IngestedRun]]:
    store = folder / "store.duckdb"
    return store, ingest(
        [(registry.read(path), read_description(path)) for path in databases], store
    )


def answer(store: Path, sql: str) -> list[tuple[object, ...]]:
    with open_store(store) as connection, make_query_models(connection, sql, None):
        return connection.execute(sql).fetchall()


@pytest.fixture
def underived(monkeypatch: pytest.MonkeyPatch) -> None:
    """Runs are stored without what follows from them, which takes most of the time."""
    monkeypatch.setattr("perfolio.store.ingest.derive", lambda _connection, _run: None)


@pytest.mark.slow
def test_tables_hold_the_database(tmp_path: Path) -> None:
    database = write_database(tmp_path / "x.d", Shape(depth=2, fan_out=3, profiles=2, points=4))
    store, result = store_of(tmp_path, database)
    assert [(r.run, r.slug, r.changed) for r in result] == [(1, "x", True)]
    counts = {
        table: answer(store, f"SELECT count(*) FROM {table}")[0][0]
        for table in ("profile", "context", "metric", "trace", "run")
    }
    assert counts == {"profile": 2, "context": 13, "metric": 8, "trace": 8, "run": 1}
    assert answer(store, "SELECT max(difference) FROM invariant") == [(0.0,)]
    total = answer(store, "SELECT value FROM total")
    assert total == answer(store, "SELECT sum(value) FROM cost WHERE scope = 'point'")


@pytest.mark.usefixtures("underived")
@pytest.mark.parametrize(
    ("program", "title"),
    [("app", "app"), ("python3.11", "x"), ("Rscript", "x"), ("pythonic", "pythonic")],
)
def test_an_interpreter_is_no_title(program: str, title: str, tmp_path: Path) -> None:
    source = replace(registry.read(write_database(tmp_path / "x.d")), title=program)
    ingest([(source, RunDescription())], tmp_path / "s.duckdb")
    assert answer(tmp_path / "s.duckdb", "SELECT title FROM run") == [(title,)]


def test_every_table_and_column_has_a_comment(tmp_path: Path) -> None:
    create_store(tmp_path / "s.duckdb").close()
    silent = answer(
        tmp_path / "s.duckdb",
        "SELECT table_name FROM duckdb_tables() WHERE comment IS NULL "
        "UNION ALL SELECT table_name || '.' || column_name FROM duckdb_columns() "
        "WHERE comment IS NULL AND NOT internal AND table_name IN "
        "(SELECT table_name FROM duckdb_tables()) "
        "UNION ALL SELECT view_name FROM duckdb_views() WHERE comment IS NULL AND NOT internal",
    )
    assert silent == []


@pytest.mark.slow
def test_the_same_input_again_changes_nothing(tmp_path: Path) -> None:
    database = write_database(tmp_path / "x.d")
    store, _ = store_of(tmp_path, database)
    before = store.read_bytes()
    _, again = store_of(tmp_path, database)
    assert again == [IngestedRun(1, "x", 0, changed=False)]
    assert answer(store, "SELECT count(*) FROM run") == [(1,)]
    assert len(store.read_bytes()) == len(before)


@pytest.mark.slow
def test_a_changed_input_replaces_its_run_only(tmp_path: Path) -> None:
    first, other = write_database(tmp_path / "x.d"), write_database(tmp_path / "y.d", Shape(seed=5))
    store, _ = store_of(tmp_path, first, other)
    kept = answer(store, "SELECT * FROM value WHERE run = 2 ORDER BY ALL")
    write_database(first, Shape(depth=1, seed=9))
    _, again = store_of(tmp_path, first, other)
    assert [(r.run, r.changed) for r in again] == [(1, True), (2, False)]
    assert answer(store, "SELECT count(*) FROM context WHERE run = 1") == [(4,)]
    assert answer(store, "SELECT * FROM value WHERE run = 2 ORDER BY ALL") == kept


@pytest.mark.usefixtures("underived")
@pytest.mark.slow
def test_other_words_on_a_run_leave_what_was_measured(tmp_path: Path) -> None:
    database = write_database(tmp_path / "x.d")
    about = database / "profile.toml"
    about.write_text('title = "One"\n[workload]\nbatch_size = 2\n')
    (database / "claims.toml").write_text("# none")
    store, _ = store_of(tmp_path, database)
    with open_store(store, read_only=False) as connection:
        connection.execute("UPDATE value SET value = 7")

    about.write_text('title = "Two"\nnotes = "New"\n[workload]\nbatch_size = 2\n')
    (database / "claims.toml").unlink()
    _, again = store_of(tmp_path, database)
    assert again == [IngestedRun(1, "x", 0, changed=True)]
    assert answer(store, "SELECT title, notes FROM run") == [("Two", "New")]
    assert answer(store, "SELECT key, value FROM setting") == [("workload.batch_size", "2")]
    assert answer(store, "SELECT count(*) FROM attachment") == [(0,)]
    assert answer(store, "SELECT DISTINCT value FROM value") == [(7.0,)]

    about.write_text("[workload]\nbatch_size = 4\n")
    store_of(tmp_path, database)
    assert answer(store, "SELECT key, value FROM setting") == [("workload.batch_size", "4")]
    assert answer(store, "SELECT count(*) FROM value WHERE value = 7") == [(0,)]


@pytest.mark.usefixtures("underived")
def test_machines_are_named_or_else_identified(tmp_path: Path) -> None:
    database = write_database(tmp_path / "x.d", Shape(profiles=3))
    store, _ = store_of(tmp_path, database)
    with open_store(store, read_only=False) as connection:
        connection.execute('UPDATE profile SET rank = "index" // 3, node = 171 - "index"')
        assert read_hosts(connection, 1) == {0: "a9", 1: "a8"}, "of several the first"
        connection.execute("UPDATE run SET tool = 'another tool'")
        assert read_hosts(connection, 1) == {}, "its nodes are numbers in the run alone"
        for content in ("[]", '{"a": "b"}', "{"):
            connection.execute("DELETE FROM attachment")
            connection.execute(f"INSERT INTO attachment VALUES (1, '{HOSTS}', '{content}')")
            with pytest.raises(StoreError, match=r"run 1: its attachment hosts\.json is damaged"):
                read_hosts(connection, 1)


@pytest.mark.usefixtures("underived")
def test_machines_stay_where_other_words_are_said_of_a_run(tmp_path: Path) -> None:
    source = replace(registry.read(write_database(tmp_path / "x.d")), hosts={0: "node17"})
    again = replace(registry.read(tmp_path / "x.d"), hosts={0: "node17"})
    store = tmp_path / "store.duckdb"
    ingest([(source, RunDescription())], store)
    (stored,) = ingest([(again, RunDescription(title="Another"))], store)
    assert stored.changed
    with open_store(store) as connection:
        assert read_hosts(connection, 1) == {0: "node17"}


@pytest.mark.usefixtures("underived")
@pytest.mark.slow
def test_another_database_at_a_place_replaces_the_one_that_moved(tmp_path: Path) -> None:
    first, moved = write_database(tmp_path / "x.d"), tmp_path / "old.d"
    store, _ = store_of(tmp_path, first)
    first.rename(moved)
    write_database(first, Shape(depth=1, seed=9))
    _, again = store_of(tmp_path, moved, first)
    assert [(r.run, r.changed) for r in again] == [(2, True), (1, True)]
    counts = answer(store, "SELECT run, count(*) FROM context GROUP BY run ORDER BY run")
    assert counts[0] == (1, 4)
    assert int(str(counts[1][1])) > 4


@pytest.mark.usefixtures("underived")
def test_copies_are_runs_of_their_own(tmp_path: Path) -> None:
    copies = [write_database(tmp_path / name) for name in ("a.d", "b.d")]
    assert [run.slug for run in store_of(tmp_path, *copies)[1]] == ["a", "b"]
    write_database(copies[0], Shape(depth=1, seed=9))
    assert [run.slug for run in store_of(tmp_path, *copies)[1]] == ["a", "b"]


@pytest.mark.slow
@pytest.mark.usefixtures("underived")
def test_a_place_is_known_by_its_whole_path(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    store = tmp_path / "s.duckdb"
    for number, name in enumerate(("a", "b", "a")):
        write_database(tmp_path / name / "x.d", Shape(seed=number % 2))
        monkeypatch.chdir(tmp_path / name)
        ingest([(registry.read(Path("x.d")), RunDescription())], store)
    assert answer(store, "SELECT run, slug, path FROM run ORDER BY run") == [
        (1, "x", "x.d"),
        (2, "x-2", "x.d"),
    ]


@pytest.mark.slow
@pytest.mark.usefixtures("underived")
def test_what_other_code_stored_is_stored_again(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    database = write_database(tmp_path / "x.d")
    store, _ = store_of(tmp_path, database)
    monkeypatch.setattr(run_identity, "_compute_code_digest", lambda: "other code")
    with open_store(store, read_only=False) as connection:
        connection.execute("UPDATE value SET value = 7")
    assert store_of(tmp_path, database)[1][0].changed
    assert answer(store, "SELECT count(*) FROM value WHERE value = 7") == [(0,)]


@pytest.mark.usefixtures("underived")
def test_runs_have_names_of_their_own(tmp_path: Path) -> None:
    made = [write_database(tmp_path / d / "My Run.d", Shape(seed=i)) for i, d in enumerate("ab")]
    _, result = store_of(tmp_path, *made)
    assert [r.slug for r in result] == ["my-run", "my-run-2"]


@pytest.mark.usefixtures("underived")
@pytest.mark.parametrize(
    ("folder", "slug", "title"),
    [
        ("Llama 70B, batch 8.d", "llama-70b-batch-8", "Llama 70B, batch 8"),
        ("Größe.d", "gr-e", "Größe"),
        ("実行.d", "run", "実行"),
        ("a\x1b[2J\nb.d", "a-2j-b", "a [2J b"),
        ("w" * 240 + ".d", "w" * 60, "w" * 199 + "…"),
    ],
)
def test_a_title_keeps_the_words_of_a_folder_and_an_address_has_none(
    folder: str, slug: str, title: str, tmp_path: Path
) -> None:
    shape = Shape(title="python3")
    made = [write_database(tmp_path / where / folder, shape) for where in "ab"]
    store, _ = store_of(tmp_path, *made)
    if len(title) < 200:
        second = (f"{slug}-2", f"{title} 2")
        assert answer(store, "SELECT slug, title FROM run ORDER BY run") == [(slug, title), second]
    else:
        assert answer(store, "SELECT slug, title FROM run ORDER BY run")[0] == (slug, title)


def with_total(database: Path, value: float) -> Path:
    """The database with another total in its summary."""
    data = bytearray((database / "profile.db").read_bytes())
    values = int.from_bytes(data[0x40 + 8 : 0x40 + 16], "little")
    data[values + 2 : values + 10] = struct.pack("<d", value)
    (database / "profile.db").write_bytes(data)
    return database


@pytest.mark.parametrize(
    ("value", "error", "says"),
    [
        (1.0, InvariantError, r"costs of 'CPUTIME \(sec\)' disagree in the summary"),
        (float("nan"), FormatError, "a cost is negative, or no number"),
        (float("inf"), FormatError, "a cost is negative, or no number"),
        (-1.0, FormatError, "a cost is negative, or no number"),
    ],
)
def test_totals_that_disagree_are_refused(
    tmp_path: Path, value: float, error: type[PerfolioError], says: str
) -> None:
    database = with_total(write_database(tmp_path / "x.d"), value)
    with pytest.raises(error, match=says):
        store_of(tmp_path, database)
    assert [p.name for p in tmp_path.iterdir()] == ["x.d"]


@pytest.mark.usefixtures("underived")
def test_a_refused_change_leaves_the_former_run(tmp_path: Path) -> None:
    database = write_database(tmp_path / "x.d")
    store, _ = store_of(tmp_path, database)
    before = answer(store, "SELECT * FROM value ORDER BY ALL")
    with_total(database, 1.0)
    with pytest.raises(InvariantError):
        store_of(tmp_path, database)
    assert answer(store, "SELECT * FROM value ORDER BY ALL") == before


def interrupted(source: Source) -> Source:
    def batches() -> Iterator[pa.RecordBatch]:
        yield from source.streams["value"].batches()
        raise KeyboardInterrupt

    value = source.streams["value"]
    streams = {**source.streams, "value": Stream(value.rows, value.schema, batches)}
    return replace(source, streams=streams)


def test_an_interrupt_leaves_nothing(tmp_path: Path) -> None:
    source = registry.read(write_database(tmp_path / "x.d"))
    with pytest.raises(KeyboardInterrupt):
        ingest([(interrupted(source), RunDescription())], tmp_path / "s.duckdb")
    assert [p.name for p in tmp_path.iterdir()] == ["x.d"]


def test_foreign_newer_and_missing_stores(tmp_path: Path) -> None:
    foreign, newer = tmp_path / "foreign.duckdb", tmp_path / "newer.duckdb"
    foreign.write_text("not a database")
    with pytest.raises(StoreError, match="is no store of Perfolio"):
        open_store(foreign)
    with duckdb.connect(str(tmp_path / "other.duckdb")) as connection:
        connection.execute("CREATE TABLE t (i INTEGER)")
    with pytest.raises(StoreError, match="no store of Perfolio"):
        open_store(tmp_path / "other.duckdb")
    with create_store(newer) as connection:
        connection.execute("UPDATE store_info SET value = '99' WHERE key = 'schema_version'")
    with pytest.raises(StoreError, match="schema 99 is newer"):
        open_store(newer)
    with pytest.raises(StoreError, match="no such store"):
        open_store(tmp_path / "nothing.duckdb")
    assert foreign.read_text() == "not a database"


@pytest.mark.usefixtures("underived")
def test_a_store_in_use_says_so(tmp_path: Path) -> None:
    store, _ = store_of(tmp_path, write_database(tmp_path / "x.d"))
    pid = os.fork()
    if pid == 0:  # another process holds the store open for writing
        try:
            connection = duckdb.connect(str(store))
            (tmp_path / "ready").touch()
            while not (tmp_path / "done").exists():
                pass
            connection.close()
        finally:
            os._exit(0)
    try:
        while not (tmp_path / "ready").exists():
            pass
        with pytest.raises(StoreError, match="cannot be opened"):
            open_store(store)
    finally:
        (tmp_path / "done").touch()
        os.waitpid(pid, 0)


@pytest.mark.usefixtures("underived")
def test_readers_reach_no_other_file(tmp_path: Path) -> None:
    store, _ = store_of(tmp_path, write_database(tmp_path / "x.d"))
    secret = tmp_path / "secret.csv"
    secret.write_text("a\n1\n")
    with open_store(store) as connection:
        for sql in (
            f"FROM '{secret}'",
            f"COPY run TO '{tmp_path}/out.csv'",
            "INSTALL httpfs",
            "SET enable_external_access = true",
            "DELETE FROM run",
        ):
            with pytest.raises(duckdb.Error):
                connection.execute(sql)


def test_a_folder_that_cannot_be_written(tmp_path: Path) -> None:
    database = write_database(tmp_path / "x.d")
    (tmp_path / "file").touch()
    with pytest.raises(OutputError, match="cannot be written"):
        ingest([(registry.read(database), RunDescription())], tmp_path / "file" / "s.duckdb")


def test_hardware_must_be_known(tmp_path: Path) -> None:
    database = write_database(tmp_path / "x.d")
    (database / "profile.toml").write_text('hardware = "abacus"\n')
    with pytest.raises(UsageError, match="unknown hardware 'abacus'"):
        store_of(tmp_path, database)


@pytest.mark.parametrize(
    ("profile", "name"),
    [
        ("before/trace.json.gz", "before"),
        ("after/Trace.pt.trace.json", "after"),
        ("llama/report.sqlite", "llama"),
        ("llama/step7.json", "step7"),
        ("runs/trace.json", "trace"),
        ("head/1/trace.json", "head"),
        ("runs/1/trace.json", "trace"),
        ("a/b/output/2/trace.json", "trace"),
        ("traces/output.json", "output"),
        ("home/alice/trace.json", "trace"),
        ("llama/results/data.db", "llama"),
    ],
)
def test_a_file_whose_name_many_have_is_named_by_its_folder(
    profile: str, name: str, tmp_path: Path
) -> None:
    path = tmp_path / profile
    assert run_identity.find_free_slug(path, None, set()) == name
    assert run_identity.find_free_slug(path, None, {name}) == f"{name}-2"
    assert run_identity.find_free_slug(path, None, set(), "Our *run*") == "our-run"


# What is derived from a trace is the same each time, to the last bit.


@pytest.mark.real
@pytest.mark.parametrize("drops", [True, False])
def test_blame_adds_up_in_one_order(drops: bool) -> None:
    store = store_at(database("dlrm-h100-traces.d"), "")
    with open_store(store) as connection:
        sql = format_events_query(drops=drops)
        events = rows_of(connection, sql, period=10**7, sample=SAMPLE, kinds=KIND_NAMES)
    order = [(moment, kind, context) for moment, context, kind, _ in events]
    assert len({moment for moment, *_ in order}) < len(order), "nothing happens at once here"
    assert order == sorted(order)
