"""`perfolio history`, as people and workflows run it."""

from __future__ import annotations

import json
import re
import subprocess
from pathlib import Path
from typing import Any

import pytest

from perfolio.comparison.run_record import CountedFigure, write_record
from tests.comparison.support import make_record, make_row
from tests.functional.conftest import Run

pytestmark = [pytest.mark.slow, pytest.mark.usefixtures("measured")]
DAY = "2026-03-{:02d}"


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
def test_what_cannot_be_done_is_said_in_one_line(
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
