"""The command in a folder of its own, and the store of the sample."""

from __future__ import annotations

import os
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

import pytest

from tests.shared import ROOT

SAMPLE = ROOT / "profiles" / "dlrm-cpu"
Run = Callable[..., subprocess.CompletedProcess[str]]


@pytest.fixture
def run(tmp_path: Path) -> Run:
    def call(*args: object, cwd: Path = tmp_path) -> subprocess.CompletedProcess[str]:
        command = [sys.executable, "-m", "generator", *map(str, args)]
        environment = {**os.environ, "PYTHONPATH": str(ROOT), "XDG_CACHE_HOME": str(tmp_path / "c")}
        return subprocess.run(
            command, cwd=cwd, env=environment, capture_output=True, text=True, check=False
        )

    return call


@pytest.fixture
def store(run: Run, tmp_path: Path) -> Path:
    path = tmp_path / "store.duckdb"
    assert run("ingest", SAMPLE, "--store", path).returncode == 0
    return path
