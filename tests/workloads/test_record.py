"""Programs of others, and workloads, as they are recorded. Needs PyTorch."""

from __future__ import annotations

import json
import sys
import tomllib
from pathlib import Path
from statistics import median
from typing import Any

import pytest

from perfolio.readers import registry
from tests.functional.conftest import called
from tests.kit.kept import RECORDED, digest_of, kept
from tests.kit.samples import some_results_at

# Programs of others, recorded unchanged. Needs PyTorch.

pytestmark = pytest.mark.torch
PROGRAMS = Path(__file__).with_name("programs")
PARAMETERS = {
    "images.py": 8 * 9 + 8 + 16 * 8 * 9 + 16 + 400 * 10 + 10,
    "names.py": 27 * 48 + 4 * 48 * (48 + 48 + 2) + 48 * 27 + 27,
    "pairs_of_nets.py": 2 * 64 + 64 + 64 + 1,
}


def recorded(name: str) -> Path:
    """A program's recording, and what the command said: made once, as two passes take long.

    The program is as it was before.
    """
    command = ("record", "--with", "torch", "-o", "out", "--", sys.executable, PROGRAMS / name)

    def make(folder: Path) -> None:
        before = (PROGRAMS / name).read_bytes()
        done = called(*command, cwd=folder)
        assert done.returncode == 0, done.stderr
        assert (PROGRAMS / name).read_bytes() == before
        (folder / "said.txt").write_text(done.stdout, "utf-8")

    return kept("recorded", digest_of(*map(str, command), PROGRAMS / name, by=RECORDED), make)


@pytest.mark.parametrize("name", PARAMETERS)
def test_a_program_is_recorded_unchanged(name: str) -> None:
    folder = recorded(name)
    assert "Next: perfolio build out -o site" in (folder / "said.txt").read_text("utf-8")
    out = folder / "out" / "torch"
    told = tomllib.loads((out / "profile.toml").read_text("utf-8"))
    assert told["title"] == f"{name}, torch"
    assert told["workload"]["parameters"] == PARAMETERS[name]
    (trace,) = registry.find(out)
    found = some_results_at(trace, "steps.unprofiled", "operators.steps")
    assert found["steps.unprofiled"].value == pytest.approx(told["workload"]["step_time"])
    assert found["operators.steps"].records()[0]["steps"] == 10


def test_a_program_may_run_to_its_end_in_a_folder_of_its_own(tmp_path: Path) -> None:
    (tmp_path / "program.py").write_text(
        "import os, pathlib, runpy\n"
        "os.chdir('/')\n"
        f"runpy.run_path({str(PROGRAMS / 'names.py')!r}, run_name='__main__')\n"
        f"pathlib.Path({str(tmp_path / 'ended')!r}).touch()\n"
    )
    command = ("record", "--to-the-end", "--no-shapes", "-o", "out", "--", sys.executable)
    done = called(*command, "program.py", cwd=tmp_path)
    assert done.returncode == 0, done.stderr
    assert (tmp_path / "ended").exists()
    assert (tmp_path / "out" / "torch" / "trace-rank0.json.gz").is_file()


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("print('nothing')", "took no step with an optimizer of PyTorch"),
        ("raise SystemExit(3)", "ended with code 3"),
    ],
)
def test_what_does_not_train_leaves_nothing(tmp_path: Path, text: str, said: str) -> None:
    (tmp_path / "program.py").write_text(text)
    done = called("record", "-o", "out", "--", sys.executable, "program.py", cwd=tmp_path)
    assert done.returncode == 14
    assert said in done.stderr
    assert not (tmp_path / "out").exists()


def test_a_machine_s_own_module_runs_as_well(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    own = tmp_path / "own"
    own.mkdir()
    (own / "sitecustomize.py").write_text(f"open({str(tmp_path / 'seen')!r}, 'w').close()\n")
    monkeypatch.setenv("PYTHONPATH", str(own))
    called("record", "-o", "out", "--", sys.executable, "-c", "pass", cwd=tmp_path)
    assert (tmp_path / "seen").exists()


# A workload that is recorded, and its report. Needs PyTorch.


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
