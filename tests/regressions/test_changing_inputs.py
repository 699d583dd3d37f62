"""Files that change, or turn out to be damaged, after they were opened.

Also: A store from elsewhere read files of the user: its `store_info` was a view with `read_text`.
"""

from __future__ import annotations

import hashlib
import shutil
import time
from collections.abc import Callable, Iterator
from pathlib import Path

import duckdb
import pytest

from perfolio.common.errors import InputError, StoreError
from perfolio.pipeline.run_documents import export_ingested, ingest_paths, make_documents
from perfolio.readers import registry
from perfolio.readers.run_description import RunDescription
from perfolio.site.local_server import SiteServer
from perfolio.store.database import open_store
from perfolio.store.ingest import ingest
from tests.kit.databases import Shape, write_database
from tests.regressions.support import SHAPE, apart, made, stored
from tests.site.served import SECRET, asked, serving, write_site

# A file that became shorter while it was mapped ended the process with SIGBUS.

_CODE = """
import os, sys
from pathlib import Path
from perfolio.common.errors import InputError
from perfolio.readers import registry
from perfolio.readers.run_description import RunDescription
from perfolio.store.ingest import ingest
folder, name, store = Path(sys.argv[1]), sys.argv[2], Path(sys.argv[3])
source = registry.read(folder)
os.truncate(folder / name, 4096)
try:
    ingest([(source, RunDescription())], store)
except InputError as problem:
    print(problem)
"""


@pytest.mark.slow
@pytest.mark.parametrize("name", ["profile.db", "trace.db"])
def test_a_mapped_file_that_shrinks_ends_in_one_line(name: str, tmp_path: Path) -> None:
    database = made(tmp_path, Shape(depth=4, fan_out=8, profiles=2, points=10_000))
    done = apart(_CODE, database, name, tmp_path / "s.duckdb")
    assert (done.returncode, done.stderr) == (0, "")
    assert f"{database / name}: the file became shorter while it was read" in done.stdout
    assert [path.name for path in tmp_path.iterdir()] == ["x.d"]


# A file replaced between reading and hashing left old costs under the new file's hash.


def test_a_file_that_is_replaced_is_noticed(tmp_path: Path) -> None:
    database, store = made(tmp_path), tmp_path / "s.duckdb"
    source = registry.read(database)
    other = write_database(tmp_path / "y.d", Shape(depth=2, fan_out=3, points=12, seed=9))
    (other / "profile.db").replace(database / "profile.db")
    with pytest.raises(InputError, match=r"profile\.db: the file changed or was replaced"):
        ingest([(source, RunDescription())], store)
    assert not store.exists()


def test_a_file_that_is_written_again_is_noticed(tmp_path: Path) -> None:
    database, store = made(tmp_path), tmp_path / "s.duckdb"
    source = registry.read(database)
    time.sleep(0.02)  # file systems tell times apart by some milliseconds
    write_database(database, SHAPE)
    with pytest.raises(InputError, match="changed or was replaced"):
        ingest([(source, RunDescription())], store)
    assert not store.exists()


@pytest.mark.slow
def test_the_hash_is_that_of_what_was_read(tmp_path: Path) -> None:
    database, store = made(tmp_path), tmp_path / "s.duckdb"
    stored(database, store)
    with open_store(store) as connection:
        rows = connection.execute("SELECT unnest(files, recursive := true) FROM run").fetchall()
    assert {row[0]: row[2] for row in rows} == {
        name: hashlib.sha256((database / name).read_bytes()).hexdigest()
        for name in ("meta.db", "profile.db", "trace.db")
    }


# Exported runs with a damaged page ended in a traceback where their metrics were measured.
#
# A folder is opened by the last bytes of its files; pages are read later, by whatever asks first.

SMALL = 2_000
"""Bytes of a file that has no page to speak of."""


@pytest.fixture(scope="module")
def exported(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("damaged")
    store = folder / "s.duckdb"
    runs = ingest_paths([write_database(folder / "x.d", Shape(depth=4, fan_out=6))], store)
    export_ingested(store, runs, folder / "runs")
    return folder / "runs"


@pytest.mark.parametrize("file", ["value", "context", "function"])
def test_a_damaged_page_is_one_line(exported: Path, file: str, tmp_path: Path) -> None:
    folder = shutil.copytree(exported, tmp_path / "runs")
    (place,) = folder.glob(f"run=*/{file}.parquet")
    data = bytearray(place.read_bytes())
    assert len(data) > SMALL
    data[40:200] = bytes(160)  # in the first column, behind the head of its page
    place.write_bytes(data)

    with pytest.raises(StoreError, match=r"runs: .*(cannot be read|damaged)") as told:
        make_documents(folder)
    assert "\n" not in str(told.value)


@pytest.fixture(scope="module")
def store(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("stores")
    source = registry.read(write_database(folder / "x.d"))
    ingest([(source, RunDescription())], folder / "s.duckdb")
    return folder / "s.duckdb"


@pytest.fixture
def evil(store: Path, tmp_path: Path) -> Callable[..., Path]:
    """A copy of the store, changed by statements."""

    def changed(*statements: str) -> Path:
        path = tmp_path / "evil.duckdb"
        shutil.copy(store, path)
        with duckdb.connect(str(path)) as connection:
            for statement in statements:
                connection.execute(statement)
        return path

    return changed


@pytest.mark.parametrize("read_only", [True, False])
def test_a_store_info_that_is_a_view_is_not_asked(
    evil: Callable[..., Path], tmp_path: Path, read_only: bool
) -> None:
    (tmp_path / "secret").write_text("the secret")
    path = evil(
        "ALTER TABLE store_info RENAME TO kept",
        "CREATE VIEW store_info AS SELECT key, value FROM kept WHERE key <> 'perfolio_version' "
        f"UNION ALL SELECT 'perfolio_version', content FROM read_text('{tmp_path}/secret')",
    )
    with pytest.raises(StoreError, match="no store of Perfolio") as caught:
        open_store(path, read_only=read_only)
    assert "the secret" not in str(caught.value)


ENDLESS = "WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n) SELECT sum(i) FROM n"


@pytest.mark.parametrize(
    "statements",
    [
        ("CREATE OR REPLACE VIEW total AS FROM run",),
        ("CREATE OR REPLACE MACRO at_once(a, b, c) AS 1",),
        ("CREATE MACRO sum(x) AS 42",),
        ('CREATE MACRO "<>"(a, b) AS false',),
        ('CREATE MACRO "<>"(a, b) AS false', 'CREATE MACRO "and"(a, b) AS false'),
        ("CREATE MACRO duckdb_tables() AS TABLE SELECT 1",),
        ("CREATE TABLE more (i INTEGER)",),
        ("CREATE SCHEMA system", f"CREATE VIEW evil.system.total AS {ENDLESS}"),
        ("ALTER TABLE setting RENAME TO kept", "CREATE VIEW setting AS FROM kept"),
        ("ALTER TABLE run ALTER COLUMN title SET DEFAULT 'x'",),
        ("DROP TABLE setting",),
        ("CREATE TYPE kind AS ENUM ('a')",),
        ("CREATE SEQUENCE numbers",),
        ("CREATE INDEX found ON setting (key)",),
    ],
)
def test_what_is_not_ours_is_refused(evil: Callable[..., Path], statements: tuple[str]) -> None:
    path = evil(*statements)
    for read_only in (True, False):
        with pytest.raises(StoreError, match="are not those of Perfolio") as caught:
            open_store(path, read_only=read_only)
        assert "\n" not in str(caught.value)


@pytest.mark.slow
def test_rows_may_be_added_and_runs_may_come(evil: Callable[..., Path], tmp_path: Path) -> None:
    """DuckDB prints some definitions otherwise once it has written them again."""
    path = evil(
        "INSERT INTO hardware BY NAME SELECT 'mine' AS name, * EXCLUDE (name) FROM hardware LIMIT 1"
    )
    for seed in (2, 3):
        source = registry.read(write_database(tmp_path / "y.d", Shape(seed=seed)))
        ingest([(source, RunDescription())], path)
        with open_store(path) as connection:
            assert connection.execute("SELECT count(*) FROM run").fetchall() == [(2,)]


def test_a_schema_version_of_any_text_is_refused(evil: Callable[..., Path]) -> None:
    for version in ("1" * 5_000, "²", "-1", ""):
        path = evil(f"UPDATE store_info SET value = '{version}' WHERE key = 'schema_version'")
        with pytest.raises(StoreError, match="does not say its schema version"):
            open_store(path)


def test_a_writer_reaches_no_other_file(store: Path, tmp_path: Path) -> None:
    shutil.copy(store, tmp_path / "s.duckdb")
    with open_store(tmp_path / "s.duckdb", read_only=False) as connection:
        for sql in (
            "FROM read_text('/etc/hostname')",
            f"ATTACH '{tmp_path}/other.duckdb'",
            f"COPY run TO '{tmp_path}/out.csv'",
            "SET enable_external_access = true",
        ):
            with pytest.raises(duckdb.Error):
                connection.execute(sql)


@pytest.fixture(scope="module")
def server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[SiteServer]:
    with serving(write_site(tmp_path_factory.mktemp("hosts"))) as server:
        yield server


@pytest.mark.parametrize(
    "host", ["localhost", "localhost:1", "LOCALHOST:80", "127.0.0.1:8000", "[::1]", "[::1]:8000"]
)
def test_the_browser_of_this_machine_is_answered(server: SiteServer, host: str) -> None:
    assert asked(server, "/index.html", hosts=(host,)).status == 200


@pytest.mark.parametrize(
    "hosts",
    [
        (),
        ("",),
        ("evil.example",),
        ("evil.example:8000",),
        ("127.0.0.1.evil.example",),
        ("localhost.evil.example",),
        ("127.0.0.1@evil.example",),
        ("evil.example#localhost",),
        ("localhost, evil.example",),
        ("localhost", "evil.example"),
        ("evil.example", "localhost"),
        ("192.0.2.1",),
        ("2130706433",),
        ("\x00",),
    ],
)
def test_a_name_that_leads_here_is_not(server: SiteServer, hosts: tuple[str, ...]) -> None:
    assert asked(server, "/index.html", hosts=hosts).status == 403


def test_the_address_that_was_asked_for_is_answered(server: SiteServer) -> None:
    hosts = {"localhost", "127.0.0.1", "::1"}
    assert server.hosts == hosts
    made = SiteServer(lambda: None, ("Report.example", 0), server.root)
    made.server_close()
    assert made.hosts == {*hosts, "report.example"}


@pytest.mark.parametrize("path", ["/../secret.txt", "/out.txt", "/outer/secret.txt", "/dir/"])
def test_nothing_around_the_site_is_served(server: SiteServer, path: str) -> None:
    answer = asked(server, path)
    assert answer.status in {400, 404}
    assert SECRET not in answer.body.decode()
