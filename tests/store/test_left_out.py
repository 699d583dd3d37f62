"""Kept models that a run does not need are left out: they would add nothing.

Also: Which files came with packages, by their paths alone.
"""

from __future__ import annotations

import subprocess
import sys
from dataclasses import replace
from functools import cache
from pathlib import Path
from typing import Any
from unittest.mock import patch

import duckdb
import pyarrow as pa
import pyarrow.compute as pc
import pytest

from perfolio.store.database import create_store, open_store
from perfolio.store.model_catalog import list_kept_models, list_tables_of_runs, load_models
from perfolio.store.run_tables import RunTables
from tests.bench.__main__ import apart
from tests.kit.databases import OPERATIONS, Shape, write_database
from tests.metrics.support import Case, Tables, Wanted, made, run_at

GPU = {"GPUOP (sec)": 2, "GKER (sec)": 1, "GKER:COUNT": 3}
CPU_LINE = {1: [1000, [0, 400, 2], [400, 600, 2]]}
CASES: list[Case] = [
    {"base": "cpu"},
    {"base": "cpu", "totals": {"CPUTIME (sec)": 5}},
    {"base": "cpu", "lines": CPU_LINE},
    {"base": "realtime", "totals": {"REALTIME (sec)": 1e-6}, "lines": CPU_LINE},
    {"base": "nvidia", "totals": GPU},
    {"base": "amd", "totals": {"GPUOP (sec)": 2, "GKER (sec)": 1}},
    {"base": "traced"},
    {"base": "traced", "lines": {3: [800, [200, 100, 6]]}},
    {"base": "iterating", "totals": GPU},
    {"base": "two_beginnings"},
]


Rows = dict[str, list[dict[str, Any]]]


@pytest.fixture(scope="module")
def fewer() -> Tables:
    """The store of all cases."""
    return made([Wanted(case) for case in CASES])


@pytest.fixture(scope="module")
def whole() -> Tables:
    """The same, with all kept models of each."""
    with patch.object(RunTables, "applies", lambda *_: True):
        return made([Wanted(case) for case in CASES])


def rows_of(tables: Tables, position: int) -> Rows:
    """Those of the case at a position, of its run and of the one that is copied from it."""
    runs = pa.array([run_at(position), run_at(position) + 1])
    found = {
        table: rows.filter(pc.is_in(rows["run"], runs)) if "run" in rows.schema.names else rows
        for table, rows in tables.items()
    }
    return {table: rows.to_pylist() for table, rows in found.items() if rows.num_rows}


@pytest.mark.slow
@pytest.mark.parametrize("case", CASES, ids=str)
def test_what_is_left_out_adds_nothing(case: Case, fewer: Tables, whole: Tables) -> None:
    found, expected = (rows_of(tables, CASES.index(case)) for tables in (fewer, whole))
    assert len(found) >= 10
    assert found.keys() == expected.keys()
    for table, rows in expected.items():
        assert found[table] == rows, table


def test_conditions_name_tables_and_models() -> None:
    conditions = [model for model in list_kept_models() if model.when]
    assert len(conditions) > 2
    assert all(model.needs for model in conditions)
    named = {model.when for model in conditions if model.when.isidentifier()}
    assert named <= {*list_tables_of_runs(), *load_models()}


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
connections._TO_WRITE["memory_limit"] = sys.argv[1]
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


def test_what_stores_a_run_leaves_memory_to_what_reads_it(tmp_path: Path) -> None:
    """Held tables of a run of 64 ranks would take all that DuckDB may have."""
    path, asked = tmp_path / "store.duckdb", "SELECT current_setting('memory_limit')"
    with create_store(path) as connection:
        storing = connection.execute(asked).fetchall()
    with open_store(path) as connection:
        assert connection.execute(asked).fetchall() == [("476.8 MiB",)]
    assert storing == [("333.7 MiB",)]
