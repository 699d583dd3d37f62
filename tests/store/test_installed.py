"""Which files came with packages, by their paths alone."""

from __future__ import annotations

from functools import cache

import duckdb
import pytest

from perfolio.store.model_catalog import load_models


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
