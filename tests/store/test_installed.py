"""Which files came with packages, by their paths alone.

Also: What reading a database takes of memory does not depend on its size.
"""

from __future__ import annotations

import subprocess
import sys
from dataclasses import replace
from functools import cache
from pathlib import Path

import duckdb
import pytest

from perfolio.store.model_catalog import load_models
from tests.bench.__main__ import apart
from tests.kit.databases import OPERATIONS, Shape, write_database


@cache
def _store() -> duckdb.DuckDBPyConnection:
    connection = duckdb.connect()
    connection.execute(
        f"CREATE MACRO installed_file(file) AS {load_models()['installed_file'].sql}"
    )
    return connection


@pytest.mark.parametrize(
    ("path", "installed"),
    [
        ("torch/nn/functional.py", True),
        ("accelerate/hooks.py", True),
        ("zmq/sugar/context.py", True),
        ("abc.py", True),
        ("zipfile.py", True),
        ("/usr/include/stdio.h", True),
        ("/venv/lib/python3.12/site-packages/mine/a.py", True),
        ("torch", False),
        ("torch.py", False),
        ("mytorch/nn.py", False),
        ("torch2/nn.py", False),
        ("models/torch/nn.py", False),
        ("/torch/nn.py", False),
        (":torch/nn.py", False),
        ("torch/:abc.py", True),
        ("abc.py:ast.py", False),
        ("zmq/:abc.py", True),
        ("abc.py/train.py", False),
        ("models/abc.py", False),
        ("abc", False),
        (":", False),
        ("", False),
        (None, False),
    ],
)
def test_a_file_is_of_a_package_by_its_path(path: str | None, *, installed: bool) -> None:
    assert _store().execute("SELECT installed_file($path)", {"path": path}).fetchall() == [
        (installed,)
    ]


MB = 1_000_000
WITHIN = """
import sys
from pathlib import Path
from perfolio.store import connections
connections._CONFIG["memory_limit"] = sys.argv[1]
from tests.bench.__main__ import derive_from_trace, peak_memory
derive_from_trace(Path(sys.argv[2]), "trace")
print(peak_memory())
"""


@pytest.mark.slow
@pytest.mark.parametrize(
    ("stream", "small", "large"),
    [
        ("value", Shape(depth=4, fan_out=10, points=0, profiles=4), 96),
        ("trace", Shape(profiles=4, points=100_000), 48),
    ],
)
def test_streams_are_stored_as_they_are_read(
    stream: str, small: Shape, large: int, tmp_path: Path
) -> None:
    """4 million rows more, of 20 bytes at least: none are kept, nor pages of the file."""
    shapes = (small, replace(small, profiles=large))
    few, many = (
        apart("ingest", write_database(tmp_path / f"{shape.profiles}.d", shape), stream)[1]
        for shape in shapes
    )
    assert many < few + 40 * MB


@pytest.mark.slow
def test_deriving_keeps_within_the_limit_of_memory(tmp_path: Path) -> None:
    """1.6 million points take 590 MB where they may, and 350 MB where they may not."""
    shape = Shape(depth=1, profiles=16, streams=8, points=100_000, names=OPERATIONS)
    database = write_database(tmp_path / "x.d", shape)
    command = [sys.executable, "-c", WITHIN, "150MB", str(database)]
    done = subprocess.run(command, check=True, capture_output=True, text=True)
    assert float(done.stdout.split()[-1]) < 450 * MB
