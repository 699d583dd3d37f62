"""Damaged databases end in an error that names the file, never in anything else."""

from __future__ import annotations

import contextlib
import functools
import tempfile
from pathlib import Path

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from perfolio.common.errors import InputError, InvariantError, PerfolioError
from perfolio.readers import registry
from perfolio.readers.run_description import RunDescription
from perfolio.store.database import open_store
from perfolio.store.ingest import ingest
from tests.kit.databases import Shape, write_database
from tests.kit.shared import ROOT, SHARED

pytestmark = pytest.mark.fuzz
NAMES = ("meta.db", "profile.db", "trace.db")
INTERESTING = (0, 1, 7, 8, 255, 65535, 2**31 - 1, 2**32 - 1, 2**63 - 1, 2**63, 2**64 - 1)
Files = dict[str, bytes]


def load(folder: Path) -> Files:
    return {name: (folder / name).read_bytes() for name in NAMES if (folder / name).is_file()}


@functools.cache
def originals() -> tuple[Files, ...]:
    """Small databases: made ones, the sample, and real ones where they are present."""
    with tempfile.TemporaryDirectory() as folder:
        made = [
            load(write_database(Path(folder) / "a", Shape(depth=3, fan_out=3, profiles=3))),
            load(write_database(Path(folder) / "b", Shape(depth=1, padding=8, minor=2))),
        ]
    real = [
        SHARED / "databases" / "public" / name
        for name in ("small.d", "loops-hip-amd-t.d", "loops-cuda-nvidiapc-t.d", "loops-cputime-t.d")
    ]
    sample = sorted((ROOT / "profiles").glob("*/*.d"))[:1]
    return (*made, *(load(path) for path in [*real, *sample] if path.is_dir()))


def overwrite(data: bytes, offset: int, new: bytes) -> bytes:
    return (data[:offset] + new + data[offset + len(new) :])[: len(data)]


@st.composite
def damaged(draw: st.DrawFn) -> Files:
    """A database with one to four places changed, cut or moved."""
    files = dict(draw(st.sampled_from(originals())))
    for _ in range(draw(st.integers(1, 4))):
        name = draw(st.sampled_from(sorted(files)))
        data = files[name]
        if not data:
            continue
        # Headers and section heads decide over everything else: half of the damage goes there.
        near = draw(st.booleans())
        offset = draw(st.integers(0, min(len(data), 0x200) - 1 if near else len(data) - 1))
        kind = draw(st.sampled_from(["word", "word", "bytes", "cut", "copy"]))
        if kind == "word":
            word = draw(st.sampled_from([*INTERESTING, len(data), offset, offset + 8]))
            width = draw(st.sampled_from([1, 2, 4, 8]))
            aligned = offset // width * width
            value = (word & (1 << 8 * width) - 1).to_bytes(width, "little")
            files[name] = overwrite(data, aligned, value)
        elif kind == "bytes":
            files[name] = overwrite(data, offset, draw(st.binary(min_size=1, max_size=16)))
        elif kind == "cut":
            files[name] = data[:offset]
        else:
            source = draw(st.integers(0, len(data) - 1))
            files[name] = overwrite(data, offset, data[source : source + 64])
    return files


def write(files: Files, folder: Path) -> Path:
    for name, data in files.items():
        (folder / name).write_bytes(data)
    return folder


def drain(folder: Path) -> None:
    source = registry.read(folder)
    for stream in source.streams.values():
        assert sum(batch.num_rows for batch in stream.batches()) == stream.rows


def refusal(folder: Path) -> str | None:
    """The one line with which the reader refuses a database, or None."""
    try:
        drain(folder)
    except (InputError, InvariantError) as problem:
        return str(problem)
    return None


@settings(max_examples=2000, deadline=None, suppress_health_check=list(HealthCheck))
@given(files=damaged())
def test_the_reader_survives_any_damage(files: Files) -> None:
    with tempfile.TemporaryDirectory() as name:
        folder = write(files, Path(name))
        said = refusal(folder)
        assert said is None or (name in said and "\n" not in said)


@settings(max_examples=60, deadline=None, suppress_health_check=list(HealthCheck))
@given(files=damaged())
def test_ingest_stores_all_or_nothing(files: Files) -> None:
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name) / "db"
        folder.mkdir()
        write(files, folder)
        store = Path(name) / "s.duckdb"
        with contextlib.suppress(PerfolioError):
            ingest([(registry.read(folder), RunDescription())], store)
        # A store is there whole or not at all, and nothing else ever is.
        assert {p.name for p in Path(name).iterdir()} - {store.name} == {"db"}
        if store.is_file():
            with open_store(store) as connection:
                assert connection.execute("SELECT count(*) FROM run").fetchone() == (1,)
        assert load(folder) == files
