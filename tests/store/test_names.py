"""A store whose name means something to DuckDB is that store, or is refused; never another file."""

from __future__ import annotations

import os
from pathlib import Path

import pytest

from perfolio.common.errors import StoreError
from perfolio.readers.own_files import EXPORTED
from perfolio.store.database import create_store, open_store
from perfolio.store.ingest import ingest

OPENED = [
    "a#b.duckdb", "a%20b.duckdb", "a b.duckdb", "a'b.duckdb", 'a"b.duckdb', "a\nb.duckdb",
    "a;b.duckdb", "a*b.duckdb", "a[b].duckdb", "a{b}", "ü.duckdb", "-x", ":memory:", "~x", "$HOME",
    "md:x", "s3:", "duckdb:x", "sqlite:x", "http:", "x.json", "x.csv.gz", "x.sqlite", "temp.duckdb",
    "system.duckdb",
]  # fmt: skip
REFUSED = ["a?b.duckdb", "a?access_mode=read_only.duckdb", "a\\b.duckdb"]


@pytest.fixture(autouse=True)
def _here(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)


@pytest.mark.parametrize("name", OPENED)
def test_a_store_has_the_name_that_it_was_given(name: str) -> None:
    create_store(Path(name)).close()
    assert [path.name for path in Path().iterdir()] == [name]
    for read_only in (False, True):
        with open_store(Path(name), read_only=read_only) as connection:
            assert connection.execute("FROM run").fetchall() == []
    assert [path.name for path in Path().iterdir()] == [name]


@pytest.mark.parametrize("name", REFUSED)
def test_a_name_that_duckdb_would_not_open_is_refused(name: str) -> None:
    Path("a").mkdir()
    for path in (Path(name), Path(name) / "store.duckdb"):
        path.parent.mkdir(exist_ok=True)
        path.write_bytes(b"")
        with pytest.raises(StoreError, match=r"DuckDB opens no path with a .* in it; rename it"):
            open_store(path)
        path.unlink()
    with pytest.raises(StoreError, match=r"^a.*: DuckDB opens no path"):
        ingest([], Path(name))
    assert not list(Path("a").iterdir())


@pytest.mark.parametrize("name", ["a*b", os.fsdecode(b"a\xffb")])
def test_so_is_such_a_folder_of_exported_runs(name: str) -> None:
    place = Path(name) / f"{EXPORTED}x"
    place.mkdir(parents=True)
    (place / "run.parquet").touch()
    with pytest.raises(StoreError, match="rename it"):
        open_store(Path(name))
