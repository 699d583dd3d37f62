"""Exported runs with a damaged page ended in a traceback where their metrics were measured.

A folder is opened by the last bytes of its files; pages are read later, by whatever asks first.
"""

from __future__ import annotations

import shutil
from pathlib import Path

import pytest

from perfolio.common.errors import StoreError
from perfolio.pipeline.run_documents import export_ingested, ingest_paths, make_documents
from tests.kit.databases import Shape, write_database

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
