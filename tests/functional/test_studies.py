"""Studies as people and workflows run them: `perfolio history`, and `perfolio scaling`.

The truth of simulated runs of several sizes is a run with an instant network.
"""

from __future__ import annotations

import json
import re
import subprocess
from dataclasses import replace
from datetime import datetime
from pathlib import Path
from typing import Any

import pytest

from perfolio.comparison.history.series_folder import read_series
from perfolio.comparison.run_record import CountedFigure, write_record
from perfolio.fleet.lake import create_lake
from tests.comparison.support import make_record, make_row
from tests.comparison.test_scaling import run as scaled_run
from tests.fleet.support import add_input, make_rows
from tests.functional.conftest import Run
from tests.kit.shared import ROOT

pytestmark = [pytest.mark.slow, pytest.mark.usefixtures("measured")]
DAY = "2026-03-{:02d}"
SLOWER = {0: 0.98, 1: 1.06, 2: 1.01, 3: 1.03}
"""Planted imbalance: kernels of a rank take so many times as long."""


def write_scenario(folder: Path, name: str, ranks: int, *, instant: bool = False) -> Path:
    """The sample of eight ranks, smaller, and where asked with a network that takes no time."""
    text = (ROOT / "profiles" / "eight-ranks" / "scenario.toml").read_text("utf-8")
    slower = "\n".join(f"{rank} = {SLOWER[rank]}" for rank in range(ranks))
    text = re.sub(r"\[ranks\.kernels\].*?\[host\]", f"[ranks.kernels]\n{slower}\n\n[host]", text,
                  flags=re.DOTALL)  # fmt: skip
    changes = {"count = 8": f"count = {ranks}", "iterations = 120": "iterations = 12"}
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
    assert "defect" not in done.stderr, "parts of iterations sum to them"
    told: dict[str, Any] = json.loads(done.stdout)
    return told


def test_factors_of_simulated_runs_are_the_planted_ones(run: Run, tmp_path: Path) -> None:
    one = write_scenario(tmp_path, "one", 1)
    told_all = study(run, one, write_scenario(tmp_path, "four", 4))
    told = told_all["sizes"]
    true = study(run, one, write_scenario(tmp_path, "true", 4, instant=True))["sizes"]
    factors, levels, ideal = told[1]["factors"], told[1]["levels_ns"], true[1]["levels_ns"]
    assert factors["transfer"] == pytest.approx(ideal["whole"] / levels["whole"], rel=0.01)
    assert factors["serialisation"] == pytest.approx(ideal["most"] / ideal["whole"], rel=0.01)
    planted = sum(SLOWER.values()) / 4 / max(SLOWER.values())
    assert factors["gpu_load_balance"] == pytest.approx(planted, rel=0.01)
    told_by_operator = {
        (one["kind"], one["path"][-1]): one["load_balance"][1]
        for one in told_all["contexts"]
        if one["part"] == "kernel"
    }
    assert len(told_by_operator) == 4
    for balance in told_by_operator.values():
        assert balance == pytest.approx(planted, rel=0.02), "a kernel's own time scatters"
    assert factors["kernels"] == pytest.approx(SLOWER[0] * 4 / sum(SLOWER.values()), rel=0.01)
    product = factors["load_balance"] * factors["serialisation"] * factors["transfer"]
    product *= factors["computation"] / told[0]["factors"]["global"]
    measured = told[0]["levels_ns"]["whole"] / levels["whole"]
    assert product == pytest.approx(measured, abs=1e-9)


def write_traces(folder: Path, computes: list[int], names: list[str], thread: int = 2) -> Path:
    """A recording of PyTorch on the CPU: a step of each rank computes, is in a collective on
    this thread until all have come and 100 us more, and computes 100 us again [us]."""
    folder.mkdir()
    many = len(computes) > 1
    meets = max(computes) + 100 * many
    for rank, compute in enumerate(computes):
        events = []
        for step in range(6):
            begin = 1_000_000 + step * (meets + 100)
            spans = [
                ("user_annotation", f"ProfilerStep#{step}", 1, 0, meets + 100),
                ("cpu_op", "aten::mm", 1, 0, compute),
                ("cpu_op", "aten::add", 1, meets, 100),
                *(
                    ("cpu_op", name, thread, compute, meets - compute)
                    for name in names[rank : rank + 1]
                ),
            ]
            events += [
                {"ph": "X", "cat": cat, "name": named, "pid": 10 + rank, "tid": 10 * rank + track,
                 "ts": begin + start, "dur": length}
                for cat, named, track, start, length in spans
            ]  # fmt: skip
        known = {"backend": "gloo", "rank": rank, "world_size": len(computes)}
        trace = {"schemaVersion": 1, "distributedInfo": known, "traceEvents": events}
        (folder / f"rank{rank}.json").write_text(json.dumps(trace))
    return folder


@pytest.mark.parametrize(("name", "thread"), [("gloo:all_reduce", 2), ("MPI_Allreduce", 1)])
def test_ranks_on_processors_wait_in_collectives_of_the_host(
    name: str, thread: int, run: Run, tmp_path: Path
) -> None:
    one = write_traces(tmp_path / "one", [600], [])
    told = study(run, one, write_traces(tmp_path / "two", [600, 800], [name] * 2, thread))
    assert (told["unit"], told["basis"], told["notes"]) == ("rank", "iteration", [])
    factors = told["sizes"][1]["factors"]
    assert factors["load_balance"] == pytest.approx(800 / 900, rel=1e-6)
    assert factors["serialisation"] == pytest.approx(1.0)
    assert factors["transfer"] == pytest.approx(900 / 1000)
    assert factors["computation"] == pytest.approx(700 / 800)
    assert factors["efficiency"] == pytest.approx(0.7, abs=1e-9)
    lost = {row["part"]: row["lost_ns"] for row in told["losses"][0]["rows"] if row["lost_ns"]}
    assert lost == {"imbalance": 100_000, "main thread": 100_000, "transfer": 100_000}


def test_collectives_that_do_not_match_are_not_told_apart(run: Run, tmp_path: Path) -> None:
    one = write_traces(tmp_path / "one", [600], [])
    two = write_traces(tmp_path / "two", [600, 800], ["MPI_Send", "MPI_Recv"], 1)
    told = study(run, one, two)
    factors = told["sizes"][1]["factors"]
    assert (factors["serialisation"], factors["transfer"]) == (None, None)
    assert factors["communication"] == pytest.approx(0.9)
    assert told["notes"][0].startswith("Sizes without matched collectives")


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
    done = run("scaling", *runs, "--format", "talp", "-o", "efficiencies")
    assert done.stdout == "Wrote efficiencies\n"
    files = [path.name for path in sorted((tmp_path / "efficiencies" / "runs").iterdir())]
    assert files == ["1-1.json", "2-1.json", "4-1.json"]
    for place in (tmp_path / "efficiencies" / "runs").iterdir():
        on_site = tmp_path / "site" / "talp" / "runs" / place.name
        assert on_site.read_text("utf-8") == place.read_text("utf-8")
    assert run("scaling", *runs).stdout.startswith("From 1 GPU to 4, weak scaling: 96.4 %")
    sheet = tmp_path / "site" / "exercises" / "scaling-factors.html"
    assert "What would it take at 4 GPUs if nothing were lost?" in sheet.read_text("utf-8")
    assert "scaling-factors.key.js" in sheet.read_text("utf-8")
    done = run("worksheet", "build", "site/scaling.json", "-o", "handouts", "--format", "html")
    assert (done.returncode, done.stdout) == (0, "handouts: 1 sheet\n"), done.stderr
    assert (tmp_path / "handouts" / "instructor" / "scaling-factors-key.html").is_file()
    assert "Right:" not in (tmp_path / "handouts/public/scaling-factors.html").read_text("utf-8")


@pytest.mark.parametrize(
    ("arguments", "code", "said"),
    [
        (["nothing.json"], 3, "there is no such file or folder"),
        (["r.json", "r.json"], 2, "one run, given 2 times, shows no scaling"),
        (["r.json", "--work", "both"], 2, "'both' is not one of 'strong', 'weak'"),
    ],
)
def test_what_no_sizes_can_do_is_said_in_one_line(
    arguments: list[str], code: int, said: str, run: Run, tmp_path: Path
) -> None:
    record = make_record([make_row("gemm", 10_000_000)])
    (tmp_path / "r.json").write_text(write_record(record), "utf-8")
    done = run("scaling", *arguments)
    assert (done.returncode, said in done.stderr) == (code, True), done.stderr


def record(folder: Path, number: int, slower: int = 0) -> Path:
    """A run record, as a file."""
    ns = 10_000_000 + 40_000 * (number % 5) + slower
    counted = {"launches": CountedFigure("iteration", 5)}
    more: dict[str, Any] = {"slug": f"run-{number}", "digest": f"d{number}", "counted": counted}
    made = make_record([make_row("<img src=x onerror=alert(1)>", ns)], **more)
    path = folder / f"run-{number}.json"
    path.write_text(write_record(made), encoding="utf-8")
    return path


@pytest.fixture(scope="module")
def kept(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder of records: from commit 12 on they are slower."""
    folder = tmp_path_factory.mktemp("records")
    for number in range(20):
        record(folder, number, 1_500_000 * (number >= 12))
    return folder


def add(run: Run, kept: Path, numbers: range) -> None:
    for number in numbers:
        done = run(
            "history", "add", kept / f"run-{number}.json", "--series", "main",
            "--at", f"c{number}", "--time", DAY.format(1 + number),
        )  # fmt: skip
        assert done.returncode == 0, done.stderr
        assert done.stdout.startswith("Wrote history/main/202603")


def test_a_series_is_added_shown_gated_and_made_a_site(
    run: Run, kept: Path, tmp_path: Path
) -> None:
    add(run, kept, range(12))
    assert run("history", "check", "--series", "main").returncode == 0
    add(run, kept, range(12, 20))
    again = run("history", "add", kept / "run-3.json", "--series", "main", "--at", "c3",
                "--time", DAY.format(4))  # fmt: skip
    assert again.stdout == "history/main: has these runs already\n"
    shown = run("history", "show", "--series", "main").stdout
    assert shown.startswith("main: 20 runs of 20 commits\nc12, 2026-03-13\n")
    failed = run("history", "check", "--series", "main")
    assert failed.returncode == 11
    assert "Time of an iteration: 1.16 ms" in failed.stdout
    assert "main: worse since c12; perfolio history site shows why" in failed.stderr
    assert run("history", "check", "--series", "main", "--last", "3").returncode == 0
    listed = run("history", "list").stdout
    assert listed == "main: 20 runs of 20 commits, the last c19 of 2026-03-20; worse since c12\n"
    done = run("history", "site", "--series", "main", "-o", "site")
    assert (done.returncode, done.stdout) == (0, "Wrote site/index.html\n"), done.stderr
    page = (tmp_path / "site" / "index.html").read_text("utf-8")
    assert re.search(r"Slower by 15\.1\s% since c12\.", page)
    (compared,) = (tmp_path / "site" / "comparisons").glob("*/index.html")
    assert f"comparisons/{compared.parent.name}/" in page
    assert "<img src=x" not in page + compared.read_text("utf-8")
    told = json.loads((tmp_path / "site" / "history.json").read_text("utf-8"))
    assert [event["commit"] for event in told["events"]] == ["c12"]


def test_the_commit_is_that_of_git_where_none_is_given(
    run: Run, kept: Path, tmp_path: Path
) -> None:
    command = ("git", "-c", "user.name=x", "-c", "user.email=x@example.org")
    subprocess.run([*command, "init", "-q"], cwd=tmp_path, check=True)
    subprocess.run([*command, "commit", "-q", "--allow-empty", "-m", "x"], cwd=tmp_path, check=True)
    head = subprocess.run(
        ["git", "rev-parse", "HEAD"], cwd=tmp_path, check=True, capture_output=True, text=True
    ).stdout.strip()
    assert run("history", "add", kept / "run-1.json", "--series", "main").returncode == 0
    ((one, _, _),) = [path.name.rsplit("-", 2) for path in (tmp_path / "history/main").iterdir()]
    assert one
    assert head[:12] in next((tmp_path / "history/main").iterdir()).name


@pytest.mark.parametrize(
    ("arguments", "code", "said"),
    [
        (["add", "run-1.json", "--series", "main"], 2, "add --at COMMIT --time TIME"),
        (["add", "run-1.json", "--series", "../x", "--at", "a", "--time", "2026-01-01"], 2,
         "cannot name a series"),
        (["add", "run-1.json", "--series", "main", "--at", "--upload-pack=x", "--time",
          "2026-01-01"], 2, "names no commit"),
        (["add", "run-1.json", "--series", "main", "--at", "a", "--time", "soon"], 2, "is no date"),
        (["show", "--series", "main"], 3, "begin one: perfolio history add RUN --series NAME"),
        (["check", "--series", "main"], 3, "holds no run of a series"),
        (["import", "--series", "main"], 2, "name files, or --lake with --workload"),
        (["import", "run-1.json", "--series", "main"], 3, "benchmark tool that is known"),
    ],
)  # fmt: skip
def test_what_no_series_can_do_is_said_in_one_line(
    arguments: list[str], code: int, said: str, run: Run, kept: Path, tmp_path: Path
) -> None:
    (tmp_path / "run-1.json").write_bytes((kept / "run-1.json").read_bytes())
    done = run("history", *arguments)
    assert (done.returncode, said in done.stderr) == (code, True), done.stderr
    assert not (tmp_path / "history").exists()


def test_one_run_cannot_be_told(run: Run, kept: Path) -> None:
    add(run, kept, range(1))
    done = run("history", "check", "--series", "main")
    assert done.returncode == 15
    assert "of one machine it has 1 of 8 commits" in done.stderr
    assert "; cannot be told: of one machine it has 1 of 8" in run("history", "list").stdout
    assert run("history", "list", "--folder", "else").stdout == "else: holds no series\n"


def test_runs_of_a_lake_stand_under_the_day_of_their_recording(run: Run, tmp_path: Path) -> None:
    lake = create_lake(tmp_path / "lake")
    for number in range(4):
        made = make_record([make_row("gemm", 10_000_000)], slug=f"r{number}", digest=f"d{number}")
        moment = datetime.fromisoformat(f"2026-03-0{9 - number}T22:05")
        named: dict[str, Any] = {"workload": "dlrm", "recorded": moment if number else None}
        rows = make_rows(f"r{number}", **named)
        rows["document"] = [
            {"run": f"r{number}", "name": "record", "content": write_record(made)},
            {"run": f"r{number}", "name": "findings", "content": "{}"},
        ]
        lake.add_runs(f"i{number}", f"i{number}.json", "2026-03", {f"r{number}": rows})
    add_input(lake, "other", workload="else", recorded=datetime.fromisoformat("2026-03-01"))
    imported = ("history", "import", "--lake", "lake", "--series", "main", "--workload")
    done = run(*imported, "dlrm")
    assert done.returncode == 0, done.stderr
    shown = run("history", "show", "--series", "main").stdout
    assert shown.startswith("main: 3 runs of 3 commits\n"), "one has no date"
    names = sorted(path.name[:27] for path in (tmp_path / "history" / "main").iterdir())
    assert names == [f"2026030{day}T220500Z-2026-03-0{day}" for day in (6, 7, 8)]
    entries = read_series(tmp_path / "history" / "main")
    records = [entry.read_record() for entry in entries]
    assert [one.slug for one in records if one] == ["r3", "r2", "r1"]
    assert run(*imported, "dlrm").stdout == "history/main: has these runs already\n"
    done = run(*imported, "dlmr")
    assert done.returncode == 3
    assert "has no run of 'dlmr' with a date; there are dlrm, else" in done.stderr
