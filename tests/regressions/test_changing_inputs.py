"""Files that change, or turn out to be damaged, after they were opened."""

from __future__ import annotations

import hashlib
import shutil
import time
from pathlib import Path

import pytest

from perfolio.common.errors import InputError, StoreError
from perfolio.pipeline.run_documents import export_ingested, ingest_paths, make_documents
from perfolio.readers import registry
from perfolio.readers.run_description import RunDescription
from perfolio.store.database import open_store
from perfolio.store.ingest import ingest
from tests.kit.databases import Shape, write_database
from tests.regressions.support import SHAPE, apart, made, stored

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
