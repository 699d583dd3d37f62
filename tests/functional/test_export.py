"""Runs for other programs, and call trees of other tools, as a user asks for them."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from tests.functional.conftest import Run
from tests.kit.shared import recorded
from tests.readers.hatchet.files import write_caliper, write_database

INPUTS = (
    "hpctoolkit-cpi-database", "caliper_lulesh.json", "caliper_cpi.json", "caliper_lulesh.cali",
    "caliper_sw4_cuda_activity.cali", "timemory_wall.tree.json", "cprofile_cycle.pstats",
    "pyinstrument.json", "gprof2dot_cpi.callgrind.dot", "tau-cpi-mpi",
)  # fmt: skip


@pytest.mark.parametrize("form", ["hatchet", "speedscope", "perfetto"])
def test_a_file_is_written_whole(run: Run, store: Path, tmp_path: Path, form: str) -> None:
    place = tmp_path / "out.json"
    done = run("export", store, place, "--to", form)
    assert done.stdout == f"Wrote {place}\n"
    assert json.loads(place.read_text("utf-8"))
    assert not list(tmp_path.glob(".out*"))


@pytest.mark.parametrize("form", ["parquet", "csv"])
def test_a_folder_has_metrics_and_findings(
    run: Run, store: Path, tmp_path: Path, form: str
) -> None:
    run("export", store, tmp_path / "out", "--to", form)
    names = {path.name for path in (tmp_path / "out").iterdir()}
    assert {f"metrics.{form}", f"findings.{form}", f"cpu.top_functions.{form}"} <= names


def test_an_unknown_run_is_one_line(run: Run, store: Path, tmp_path: Path) -> None:
    done = run("export", store, tmp_path / "x", "--run", "no", "--to", "csv")
    assert done.returncode == 2
    assert done.stderr.count("\n") == 1
    assert "has no run 'no'" in done.stderr
    assert not (tmp_path / "x").exists()


@pytest.mark.slow
@pytest.mark.usefixtures("imageless")
def test_a_call_tree_becomes_a_report(run: Run, tmp_path: Path) -> None:
    path = write_caliper(tmp_path / "regions.json")
    done = run("build", path, "-o", tmp_path / "site")
    assert "Wrote" in done.stdout
    found = json.loads((tmp_path / "site" / "regions" / "findings.json").read_text("utf-8"))
    metrics = {each["name"]: each for each in found["metrics"]["metrics"]}
    assert metrics["cpu.event_total"]["value"] == pytest.approx(81e-6)
    assert metrics["balance.ranks"]["value"] == pytest.approx(46 / 40.5)
    assert metrics["time.wall"]["status"] == "not_measured"
    assert metrics["run.time_at_least"]["status"] == "not_measured"


@pytest.mark.slow
def test_info_says_what_a_call_tree_cannot_tell(run: Run, tmp_path: Path) -> None:
    text = run("info", write_database(tmp_path / "db"), "--all").stdout
    assert "solver: HPCToolkit 3, format 3" in text
    assert "no order of time" in text
    assert "hpcrun -e CPUTIME -t PROGRAM" in text


@pytest.mark.real
@pytest.mark.slow
@pytest.mark.usefixtures("imageless")
def test_every_recorded_call_tree_becomes_a_report(run: Run, tmp_path: Path) -> None:
    paths = [recorded(f"inputs/hatchet/{name}") for name in INPUTS]
    done = run("build", *paths, "-o", tmp_path / "site")
    assert "Wrote" in done.stdout
    reports = sorted(path.parent.name for path in (tmp_path / "site").glob("*/findings.json"))
    assert len(reports) == len(INPUTS)
