"""A file replaced between reading and hashing left old costs under the new file's hash."""

from __future__ import annotations

import hashlib
import time
from pathlib import Path

import pytest

from perfolio.common.errors import InputError
from perfolio.readers import registry
from perfolio.readers.run_description import RunDescription
from perfolio.store.database import open_store
from perfolio.store.ingest import ingest
from tests.kit.databases import Shape, write_database
from tests.regressions.support import SHAPE, made, stored


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
