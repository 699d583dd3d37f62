"""The command in a folder of its own, and the store of the sample."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
from collections.abc import Callable, Iterator
from contextlib import chdir
from pathlib import Path
from unittest.mock import patch

import pytest
from click.testing import CliRunner

from perfolio.cli.main import main
from tests.kit.measurements import (
    measured_anew,
    measured_once,
    measured_once_from_all,
    without_images,
)
from tests.kit.shared import ROOT

SAMPLE = ROOT / "profiles" / "dlrm-cpu"
Done = subprocess.CompletedProcess[str]
Run = Callable[..., Done]


def called(*args: object, cwd: Path) -> Done:
    """The command, called in this process: what it prints, and the code that it ends with."""
    command = [*map(str, args)]
    with chdir(cwd), patch("perfolio.common.processes.count_processors", lambda: 1):
        done = CliRunner(catch_exceptions=False).invoke(main, command, prog_name="perfolio")
    return subprocess.CompletedProcess(command, done.exit_code, done.stdout, done.stderr)


@pytest.fixture
def run(tmp_path: Path) -> Run:
    def call(*args: object, cwd: Path = tmp_path) -> Done:
        return called(*args, cwd=cwd)

    return call


@pytest.fixture
def start(tmp_path: Path) -> Run:
    """The command as a process of its own, with nothing in the cache."""

    def call(*args: object, cwd: Path = tmp_path, **more: str) -> Done:
        command = [sys.executable, "-m", "perfolio", *map(str, args)]
        environment = {
            **os.environ,
            "PYTHONPATH": str(ROOT),
            "XDG_CACHE_HOME": str(tmp_path / "c"),
            **more,
        }
        return subprocess.run(
            command, cwd=cwd, env=environment, capture_output=True, text=True, check=False
        )

    return call


@pytest.fixture(autouse=True)
def _measured_once() -> Iterator[None]:
    """Most of these tests look at what becomes of metrics."""
    with measured_once():
        yield


@pytest.fixture
def measured(_measured_once: None) -> Iterator[None]:
    """For a test of measuring itself."""
    with measured_anew():
        yield


@pytest.fixture
def derived(_measured_once: None) -> Iterator[None]:
    """For a test of what is made of more than metrics, as run records are."""
    with measured_once_from_all():
        yield


@pytest.fixture
def imageless() -> Iterator[None]:
    """For a test of reports that looks at none of their images."""
    with without_images():
        yield


@pytest.fixture(scope="session")
def ingested(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("ingested")
    assert called("ingest", SAMPLE, "--store", "store.duckdb", cwd=folder).returncode == 0
    return folder / "store.duckdb"


@pytest.fixture
def store(ingested: Path, tmp_path: Path) -> Path:
    return Path(shutil.copy(ingested, tmp_path))


@pytest.fixture(scope="session")
def reported(ingested: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The pages of the sample's report."""
    folder = tmp_path_factory.mktemp("reported")
    with measured_once():
        assert called("report", ingested, "--docs", "docs", cwd=folder).returncode == 0
    return folder / "docs"


def own_exercise(folder: Path, run: str) -> None:
    """An exercise on a run, and a course of it, in `folder`."""
    files = {
        "mine/exercise.md": f"""---
title: Mine
run: {run}
needs: [cpu.time]
objectives: {{cpu: Find the CPU time}}
steps: [{{id: s1, title: First, minutes: 3}}]
---

```item
{{id: cpu, type: number, step: s1, tests: [cpu], ask: How much?, answer: {{metric: cpu.time}},
 explain: So much.}}
```
""",
        "day/course.toml": """title = "Day"
audience = "All"
about = "One exercise."
[[part]]
title = "P"
level = "beginner"
exercises = ["mine"]
""",
    }
    for name, text in files.items():
        path = folder / "exercises" / name
        path.parent.mkdir(parents=True)
        path.write_text(text, encoding="utf-8")
