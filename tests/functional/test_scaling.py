"""`perfolio scaling` on simulated runs whose truth is a run with an instant network."""

from __future__ import annotations

import json
import re
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from perfolio.comparison.run_record import write_record
from tests.comparison.support import make_record, make_row
from tests.comparison.test_scaling import run as scaled_run
from tests.functional.conftest import Run
from tests.kit.shared import ROOT

pytestmark = [pytest.mark.slow, pytest.mark.usefixtures("measured")]
SLOWER = {0: 0.98, 1: 1.06, 2: 1.01, 3: 1.03}
"""Planted imbalance: kernels of a rank take so many times as long."""


def write_scenario(folder: Path, name: str, ranks: int, *, instant: bool = False) -> Path:
    """The sample of eight ranks, smaller, and where asked with a network that takes no time."""
    text = (ROOT / "profiles" / "eight-ranks" / "scenario.toml").read_text("utf-8")
    slower = "\n".join(f"{rank} = {SLOWER[rank]}" for rank in range(ranks))
    text = re.sub(r"\[ranks\.kernels\].*?\[host\]", f"[ranks.kernels]\n{slower}\n\n[host]", text,
                  flags=re.DOTALL)  # fmt: skip
    changes = {"count = 8": f"count = {ranks}", "iterations = 120": "iterations = 8"}
    if instant:
        changes |= {'"24 us"': '"0 s"', '"78 GB/s"': '"1000000 TB/s"'}
    for before, after in changes.items():
        assert before in text
        text = text.replace(before, after)
    place = folder / name / "scenario.toml"
    place.parent.mkdir()
    place.write_text(text, "utf-8")
    return place


def study(run: Run, *runs: Path) -> dict[str, Any]:
    done = run("scaling", *runs, "--work", "weak", "--format", "json")
    assert done.returncode == 0, done.stderr
    told: dict[str, Any] = json.loads(done.stdout)
    return told


def test_factors_of_simulated_runs_are_the_planted_ones(run: Run, tmp_path: Path) -> None:
    one = write_scenario(tmp_path, "one", 1)
    told = study(run, one, write_scenario(tmp_path, "four", 4))["sizes"]
    true = study(run, one, write_scenario(tmp_path, "true", 4, instant=True))["sizes"]
    factors, levels, ideal = told[1]["factors"], told[1]["levels_ns"], true[1]["levels_ns"]
    assert factors["transfer"] == pytest.approx(ideal["whole"] / levels["whole"], rel=0.01)
    assert factors["serialisation"] == pytest.approx(ideal["most"] / ideal["whole"], rel=0.01)
    planted = sum(SLOWER.values()) / 4 / max(SLOWER.values())
    assert factors["gpu_load_balance"] == pytest.approx(planted, rel=0.01)
    assert factors["kernels"] == pytest.approx(SLOWER[0] * 4 / sum(SLOWER.values()), rel=0.01)
    product = factors["load_balance"] * factors["serialisation"] * factors["transfer"]
    product *= factors["computation"] / told[0]["factors"]["global"]
    measured = told[0]["levels_ns"]["whole"] / levels["whole"]
    assert product == pytest.approx(measured, abs=1e-9)


def write_runs(folder: Path) -> list[str]:
    names = []
    for size in (1, 2, 4):
        ranks = [
            {"kernel": 8_000_000 - 10_000 * rank, "collective": 100_000 * size,
             "collective wait": 10_000 * rank + 1}
            for rank in range(size)
        ]  # fmt: skip
        made = scaled_run(ranks, f"{size}")
        row = replace(made.rows[0], path=("<img src=x onerror=alert(1)>",))
        names.append(f"run-{size}.json")
        (folder / names[-1]).write_text(write_record(replace(made, rows=(row, *made.rows[1:]))))
    return names


def test_a_site_and_files_for_other_tools(run: Run, tmp_path: Path) -> None:
    runs = write_runs(tmp_path)
    done = run("scaling", *runs, "-o", "site")
    assert (done.returncode, done.stdout) == (0, "Wrote site/index.html\n"), done.stderr
    page = (tmp_path / "site" / "index.html").read_text("utf-8")
    assert re.search(r"From 1 GPU to 4, weak scaling: 96\.4\s% of the ideal speed-up is left", page)
    assert "<img src=x" not in page
    told = json.loads((tmp_path / "site" / "scaling.json").read_text("utf-8"))
    assert [one["size"] for one in told["sizes"]] == [1, 2, 4]
    done = run("scaling", *runs, "-o", "times.jsonl")
    assert done.stdout == "Wrote times.jsonl\n"
    written = (tmp_path / "times.jsonl").read_text("utf-8")
    assert written == (tmp_path / "site" / "times.jsonl").read_text("utf-8")
    done = run("scaling", *runs, "--format", "talp")
    assert done.stdout == (tmp_path / "site" / "talp.json").read_text("utf-8")
    assert run("scaling", *runs).stdout.startswith("From 1 GPU to 4, weak scaling: 96.4 %")


@pytest.mark.parametrize(
    ("arguments", "code", "said"),
    [
        (["nothing.json"], 3, "there is no such file or folder"),
        (["r.json", "r.json"], 2, "one run, given 2 times, shows no scaling"),
        (["r.json", "--work", "both"], 2, "'both' is not one of 'strong', 'weak'"),
    ],
)
def test_what_cannot_be_done_is_said_in_one_line(
    arguments: list[str], code: int, said: str, run: Run, tmp_path: Path
) -> None:
    record = make_record([make_row("gemm", 10_000_000)])
    (tmp_path / "r.json").write_text(write_record(record), "utf-8")
    done = run("scaling", *arguments)
    assert (done.returncode, said in done.stderr) == (code, True), done.stderr
