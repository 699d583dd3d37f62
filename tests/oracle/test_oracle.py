"""The reader and the second decoder agree on databases, real and made ones."""

from __future__ import annotations

from pathlib import Path

import pyarrow as pa
import pytest

from perfolio.readers import registry
from tests.kit.databases import Shape, write_database
from tests.kit.shared import database
from tests.oracle.compare import difference
from tests.oracle.decoder import Decoder

NAMES = ("meta.db", "profile.db", "trace.db", "cct.db")


def load(folder: Path) -> dict[str, bytes]:
    return {name: (folder / name).read_bytes() for name in NAMES if (folder / name).is_file()}


def compared(folder: Path, files: dict[str, bytes]) -> str | None:
    source = registry.read(folder)
    tables = {k: pa.Table.from_batches(s.batches(), s.schema) for k, s in source.streams.items()}
    return difference(source, tables, files)


@pytest.mark.parametrize("shape", [Shape(), Shape(depth=3, profiles=4, streams=2, padding=8)])
def test_made_databases_are_read_alike(tmp_path: Path, shape: Shape) -> None:
    folder = write_database(tmp_path / "x", shape)
    assert compared(folder, load(folder)) is None


@pytest.mark.real
@pytest.mark.parametrize(
    "name",
    ["small.d", "loops-hip-amd-t.d", "loops-cuda-nvidiapc-t.d", "loops-cputime-t.d", "cpi-v4.d"],
)
def test_real_databases_are_read_alike(name: str) -> None:
    folder = database(name)
    files = load(folder)
    assert "cct.db" in files
    assert compared(folder, files) is None


@pytest.mark.parametrize(
    ("name", "width", "what"),
    [("meta.db", 4, "contexts"), ("profile.db", 8, "costs"), ("trace.db", 8, "points")],
)
def test_a_difference_is_found(tmp_path: Path, name: str, width: int, what: str) -> None:
    folder = write_database(tmp_path / "x")
    files, touched = load(folder), list[tuple[str, int, int]]()
    decoder = Decoder(files, lambda *place: touched.append(place))
    for rows in (decoder.contexts(), list(decoder.costs()), list(decoder.points())):
        assert rows
    last = [offset for file, offset, used in touched if (file, used) == (name, width)][-1]
    data = bytearray(files[name])
    data[last] ^= 1
    assert compared(folder, {**files, name: bytes(data)}) == what
