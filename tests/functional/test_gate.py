"""`perfolio baseline` and `perfolio check --against`, as people and workflows run them."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path
from typing import Any
from xml.etree import ElementTree as ET

import jsonschema
import pytest
import yaml

from perfolio.comparison.run_record import CountedFigure, write_record
from tests.comparison.support import make_record
from tests.exporters.ci_checks.sarif import SCHEMA
from tests.functional.conftest import Done, Run
from tests.kit.shared import ROOT
from tests.readers.test_kineto import EVENTS, Json, document, event, written

PAGE = ROOT / "docs" / "how-to" / "gate.md"
MORE = event(
    "kernel", "void scale<float>(float*)", 131, 5, device=0, stream=7, correlation=10,
    grid=[4, 2, 1], block=[64, 2, 1],
)  # fmt: skip


def trace(folder: Path, name: str, *more: Json, **beside: object) -> Path:
    """A run with one kernel and one copy, and with more events."""
    return written(folder, document([*EVENTS, *more], **beside), f"{name}.json")


def record(folder: Path, name: str, kernels: int = 1, **more: Any) -> Path:
    """A run record with as many kernels in an iteration, as a file."""
    counted = {
        "launches": CountedFigure("iteration", kernels),
        "kernels": CountedFigure("iteration", kernels),
        "bytes_h2d": CountedFigure("iteration", 64, unit="B"),
    }
    given = {"slug": name, "digest": name, "counted": counted, "length": 100, **more}
    path = folder / f"{name}.json"
    path.write_text(write_record(make_record(**given)), encoding="utf-8")
    return path


@pytest.fixture
def kept(run: Run, tmp_path: Path) -> Path:
    """A folder with a baseline."""
    done = run("baseline", "add", "main", record(tmp_path, "before"))
    assert (done.returncode, done.stdout) == (0, "Wrote baselines/main.json\n"), done.stderr
    return tmp_path


@pytest.mark.slow
@pytest.mark.usefixtures("derived")
def test_a_trace_with_one_more_kernel_fails(run: Run, tmp_path: Path) -> None:
    before, worse = trace(tmp_path, "before"), trace(tmp_path, "worse", MORE)
    assert run("baseline", "add", "main", before).returncode == 0
    assert run("check", before, "--against", "main").returncode == 0
    done = run("check", worse, "--against", "before.json")
    assert done.returncode == 11
    assert "Worse than before.json: launches in an iteration, kernels in an iteration." in (
        done.stdout
    )


def test_one_more_kernel_fails_and_the_same_run_does_not(run: Run, kept: Path) -> None:
    same = run("check", record(kept, "same"), "--against", "main")
    assert same.returncode == 0, same.stderr
    assert same.stdout.startswith("same: passed; none of 14 figures are worse\n")
    worse = run("check", record(kept, "worse", 2), "--against", "main")
    assert worse.returncode == 11
    assert "! high     Kernels in an iteration\n           2, before 1: 1 more (+100.0 %).\n" in (
        worse.stdout
    )
    assert worse.stderr == (
        "perfolio: worse: 2 of 14 figures are worse; replace the baseline if this is wanted\n"
    )


def test_every_format_says_the_same(run: Run, kept: Path) -> None:
    worse = record(kept, "worse", 2)
    said: dict[str, Done] = {
        form: run("check", worse, "--against", "main", "--format", form)
        for form in ("badge", "github", "json", "junit", "markdown", "sarif")
    }
    assert 'aria-label="performance: failed"' in said["badge"].stdout
    assert {done.returncode for done in said.values()} == {11}
    (told,) = json.loads(said["json"].stdout)["runs"]
    assert (told["state"], told["provenance"]["baseline"]) == ("failed", "main")
    suite = ET.fromstring(said["junit"].stdout)
    assert (suite.get("tests"), suite.get("failures")) == ("14", "2")
    log = json.loads(said["sarif"].stdout)
    jsonschema.validate(log, SCHEMA)
    fired = {one["ruleId"] for one in log["runs"][0]["results"] if one["level"] == "error"}
    assert fired == {"launches", "kernels"}
    assert "::error title=worse%3A Kernels in an iteration (high)::2, before 1" in (
        said["github"].stdout
    )
    assert said["markdown"].stdout.startswith("## Performance check: failed\n")
    assert "| **high** | **Kernels in an iteration**: 2, before 1: 1 more" in (
        said["markdown"].stdout
    )
    assert said["markdown"].stdout.endswith("\n<!-- perfolio check main -->\n")


def test_what_cannot_be_told_has_a_code_of_its_own(run: Run, kept: Path) -> None:
    other = record(kept, "other", conditions={"gpu": "<b>MI300X</b>"})
    for form, says in (
        ("text", "other: cannot tell; no figure is compared\n"),
        ("markdown", "## Performance check: cannot tell\n"),
        ("github", "::warning title=other::Cannot be told against main: not comparable, GPU"),
        ("junit", 'errors="1"'),
        ("sarif", '"results": []'),
        ("json", '"state": "cannot tell"'),
    ):
        done = run("check", other, "--against", "main", "--format", form)
        assert done.returncode == 15, done.stderr
        assert says in done.stdout
        assert "<b>" not in done.stdout or form not in ("junit", "markdown")
        assert done.stderr.startswith("perfolio: other: cannot tell: not comparable, GPU: H100 ")
        assert done.stderr.count("\n") == 1


def test_runs_that_took_turns_are_judged_by_their_times(run: Run, tmp_path: Path) -> None:
    for side, slowdown in (("base", 1.0), ("head", 1.1)):
        (tmp_path / side).mkdir()
        for turn, factor in enumerate((1.0, 1.01, 0.99)):
            length = round(1e9 * factor * slowdown)
            record(tmp_path / side, f"{side}{turn}", length=length)
    heads, bases = (sorted((tmp_path / side).iterdir()) for side in ("head", "base"))
    options = [word for base in bases for word in ("--base", base)]
    done = run("check", *heads, *options)
    assert done.returncode == 11
    assert "1.10 s, before 1.00 s: 100.00 ms more (+10.0 %). So many repeats show " in done.stdout
    assert run("check", *heads, *options, "--slower-by", 20).returncode == 0
    few = run("check", heads[0], heads[0], *options)
    assert few.returncode == 15
    assert "times need 3 runs on each side, and there are 3 of the base and 1" in few.stderr


def test_what_is_no_baseline_is_neither_replaced_nor_removed(run: Run, kept: Path) -> None:
    (kept / "baselines").mkdir(exist_ok=True)
    precious = kept / "baselines" / "trace.json"
    precious.write_text("{}")
    added = run("baseline", "add", "trace", "before.json", "--replace")
    assert added.returncode == 9
    assert "trace.json: is no baseline, and is not replaced" in added.stderr
    assert run("baseline", "remove", "trace").returncode == 3
    assert "trace" not in run("baseline", "list").stdout
    assert precious.read_text() == "{}"


def test_baselines_are_listed_shown_replaced_and_removed(run: Run, kept: Path) -> None:
    assert run("baseline", "list").stdout == "main  1 run  before\n"
    shown = run("baseline", "show", "main").stdout
    assert "  Kernels                        1 in an iteration\n" in shown
    assert "  Bytes copied from host to GPU  64 B in an iteration\n" in shown
    again = run("baseline", "add", "main", kept / "before.json")
    assert again.returncode == 9
    assert "there is such a baseline already; add --replace" in again.stderr
    text = (kept / "baselines" / "main.json").read_bytes()
    assert run("baseline", "add", "main", "before.json", "--replace").returncode == 0
    assert (kept / "baselines" / "main.json").read_bytes() == text
    assert run("baseline", "remove", "main").stdout == "Removed baselines/main.json\n"
    assert run("baseline", "list").stdout == ""
    assert run("baseline", "list", "--folder", "nowhere").returncode == 0


def test_a_baseline_of_a_baseline_is_the_same(run: Run, kept: Path) -> None:
    assert run("baseline", "add", "other", "baselines/main.json").returncode == 0
    one, other = (json.loads((kept / f"baselines/{name}.json").read_text("utf-8"))
                  for name in ("main", "other"))  # fmt: skip
    assert one["records"] == other["records"]


@pytest.mark.parametrize(
    ("args", "code", "says"),
    [
        (["check", "before.json", "--against", "nightly"], 3, "no such baseline; there are main"),
        (["check", "before.json", "--against", "../main"], 2, "'../main' cannot name a baseline"),
        (["check", "before.json", "--against", "main", "--fail-on", "high"], 2, "--fail-on is"),
        (["check", "before.json", "--against", "torn"], 3, "torn.json: is no JSON"),
        (["check", "before.json", "--against", "empty.json"], 3, "empty.json: the file is empty"),
        (["check", "nowhere.json", "--against", "main"], 3, "there is no such file or folder"),
        (["check", "before.json", "--base", "nowhere"], 3, "there is no such file or folder"),
        (["baseline", "add", "x", "text"], 3, "no profile found there"),
        (["baseline", "add", "x", "baselines/folder"], 3, "no profile found there"),
        (["baseline", "add", "x", "empty.json"], 3, "the file is empty"),
        (["baseline", "add", "x", "before.json", "--run", "y"], 2, "--run names a run of a store"),
        (["baseline", "show", "nightly"], 3, "no such baseline; there are main"),
        (["baseline", "remove", "nightly"], 3, "no such baseline; there are main"),
        (["baseline", "add", "<b>", "before.json"], 2, "'<b>' cannot name a baseline"),
        (
            ["baseline", "add", "x", "before.json", "other.json"],
            2,
            "no repeats of one: they differ",
        ),
        (["baseline", "add", "x", "before.json", "--folder", "file/x"], 9, "cannot be made"),
    ],
)
def test_bad_input_ends_in_one_line(
    run: Run, kept: Path, args: list[str], code: int, says: str
) -> None:
    record(kept, "other", conditions={"gpu": "MI300X"})
    (kept / "baselines" / "torn.json").write_text('{"schema":"perfolio-baseline/1"')
    (kept / "empty.json").touch()
    (kept / "file").touch()
    (kept / "text").write_text("words", encoding="utf-8")
    (kept / "baselines" / "folder").mkdir()
    done = run(*args)
    assert done.returncode == code, done.stderr
    assert says in done.stderr
    assert done.stderr.count("\n") == 1


@pytest.mark.slow
@pytest.mark.usefixtures("measured")
def test_names_are_no_markup_and_shared_ones_tell_nothing(run: Run, tmp_path: Path) -> None:
    hostile = [*EVENTS, event("cpu_op", "/home/zqalice/x.py(3): <img src=x> ::error::", 106, 3)]
    path = written(tmp_path, document(hostile), "<b>.json")
    assert run("baseline", "add", "main", path, "--share").returncode == 0
    text = (tmp_path / "baselines" / "main.json").read_text("utf-8")
    assert "zqalice" not in text
    shown = run("check", path, "--against", "main", "--format", "markdown", "--share")
    assert shown.returncode == 0, shown.stderr
    assert "<b>" not in shown.stdout
    assert "<img" not in shown.stdout


def _read_steps() -> list[str]:
    """What the shell runs of the workflow of the page."""
    text = PAGE.read_text("utf-8").partition("```yaml\n")[2].partition("```")[0]
    workflow = yaml.safe_load(text)
    assert all("@" in step["uses"] for step in workflow["jobs"]["gate"]["steps"] if "uses" in step)
    return [step["run"] for step in workflow["jobs"]["gate"]["steps"] if "run" in step]


def _make_program(folder: Path, name: str, body: str) -> None:
    path = folder / name
    path.write_text(f"#!/bin/bash\nset -e\n{body}\n", encoding="utf-8")
    path.chmod(0o755)


@pytest.mark.slow
def test_the_workflow_of_the_page_runs(tmp_path: Path) -> None:
    programs, work = tmp_path / "bin", tmp_path / "work"
    programs.mkdir()
    work.mkdir()
    (work / "posted").touch()
    same, worse = (trace(tmp_path, name, *more) for name, more in (("one", ()), ("two", (MORE,))))
    _make_program(programs, "perfolio", f'exec {sys.executable} -m perfolio "$@"')
    _make_program(programs, "git", "mkdir base; cp base-record base/record")
    _make_program(
        programs, "gh",
        'echo "$@" >> "$LOG"; case "$*" in *--jq*) cat posted;; *) echo 7 > posted;; esac',
    )  # fmt: skip
    for name, source in (("base-record", same), ("record", worse)):
        turned = 'sed "s|\\"schemaVersion\\"|\\"turn\\": \\"$1\\", &|"'
        _make_program(work, name, f'mkdir -p "$1"; {turned} {source} > "$1/trace.json"')
    environment = {
        **os.environ, "PATH": f"{programs}:{os.environ['PATH']}", "LOG": str(tmp_path / "log"),
        "GITHUB_BASE_REF": "main", "GITHUB_REPOSITORY": "a/b", "PULL": "5",
        "XDG_CACHE_HOME": str(tmp_path / "cache"),
        "PYTHONPATH": f"{ROOT / 'generator'}:{ROOT}",
    }  # fmt: skip

    def call(script: str) -> Done:
        return subprocess.run(
            ["bash", "-e", "-c", script], cwd=work, env=environment, capture_output=True, text=True,
            check=False,
        )  # fmt: skip

    recording, check, comment = _read_steps()
    assert call(recording.replace("1 2 3 4 5", "1 2 3")).returncode == 0
    checked = call(check)
    assert checked.returncode == 11, checked.stderr
    assert "::error title=head%3A Kernels in an iteration (high)::2, before 1" in checked.stdout
    text = (work / "comment.md").read_text("utf-8")
    assert text.startswith("## Performance check: failed\n")
    assert "<!-- perfolio check the base -->" in text
    for _ in range(2):
        done = call(comment)
        assert done.returncode == 0, done.stderr
    posted = [line for line in (tmp_path / "log").read_text().splitlines() if "-F body" in line]
    assert posted == [
        "api repos/a/b/issues/5/comments -F body=@comment.md",
        "api -X PATCH repos/a/b/issues/comments/7 -F body=@comment.md",
    ]
