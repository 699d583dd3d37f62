"""A workload that is recorded, and its report. Needs PyTorch."""

from __future__ import annotations

import json
import tomllib
from pathlib import Path
from statistics import median
from typing import Any

import pytest

from tests.functional.conftest import called

pytestmark = pytest.mark.torch


@pytest.fixture(scope="module")
def recording(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("workload")
    done = called(
        "workload", "run", "dlrm-small", "--steps", 4, "--warm-up", 1, "--device", "cpu",
        "-o", "run", cwd=folder,
    )  # fmt: skip
    assert done.returncode == 0, done.stderr
    assert done.stdout.startswith("run: 4 steps of ")
    return folder / "run"


@pytest.fixture(scope="module")
def results(recording: Path) -> dict[str, Any]:
    done = called("ingest", recording, "--store", "run.duckdb", cwd=recording.parent)
    assert done.returncode == 0, done.stderr
    done = called("metrics", "run.duckdb", "--json", cwd=recording.parent)
    assert done.returncode == 0, done.stderr
    return {each["name"]: each for each in json.loads(done.stdout)["metrics"]}


def test_the_files_agree(recording: Path) -> None:
    told = tomllib.loads((recording / "profile.toml").read_text("utf-8"))
    summary = json.loads((recording / "performance_summary.json").read_text("utf-8"))
    assert {path.name for path in recording.iterdir()} == {
        "trace.json.gz", "profile.toml", "performance_summary.json",
    }  # fmt: skip
    assert told["workload"]["variant"] == summary["workload"] == "dlrm-small"
    assert told["workload"]["parameters"] == summary["parameters"] == 2_468_993
    assert told["model_flops_per_iteration"] == summary["model_flops_per_step"]
    assert told["workload"]["step_time"] == median(summary["batch_times_s"])
    assert len(summary["batch_times_s"]) == 4


def test_the_report_knows_steps_and_how_near_they_come_to_the_rate(
    recording: Path, results: dict[str, Any]
) -> None:
    told = tomllib.loads((recording / "profile.toml").read_text("utf-8"))
    settings = told["workload"]
    expected = told["model_flops_per_iteration"] / settings["step_time"] / settings["matrix_rate"]
    assert results["steps.mfu"]["value"] == pytest.approx(expected, rel=1e-6)
    assert results["steps.unprofiled"]["value"] == pytest.approx(settings["step_time"])
    table = results["steps.parts"]
    name, share = (
        [each["name"] for each in table["columns"]].index(column) for column in ("part", "share")
    )
    shares = {row[name]: row[share] for row in table["rows"]}
    assert sum(shares.values()) == pytest.approx(1.0)
    assert shares["products and convolutions"] > 0.1


def test_operators_and_memory_are_measured(results: dict[str, Any]) -> None:
    measured = {name for name, each in results.items() if each["status"] == "measured"}
    assert {"operators.functions", "steps.parts", "steps.optimizer_share"} <= measured
    assert any(name.startswith("memory.") for name in measured)


def test_a_folder_that_holds_files_is_left_alone(recording: Path) -> None:
    done = called("workload", "run", "dlrm-small", "-o", recording, cwd=recording.parent)
    assert done.returncode == 9
    assert "holds files already" in done.stderr


def test_a_gpu_that_is_not_there_leaves_nothing(tmp_path: Path) -> None:
    import torch

    if torch.cuda.is_available():
        pytest.skip("a GPU is there")
    done = called("workload", "run", "dlrm", "--device", "cuda", "-o", "run", cwd=tmp_path)
    assert done.returncode == 2
    assert done.stderr == "perfolio: PyTorch sees no GPU here; --device cpu\n"
    assert not list(tmp_path.iterdir())
