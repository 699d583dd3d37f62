"""Passes of a recording, as commands: without any of the tools; what a tool costs."""

from __future__ import annotations

import json
import shlex
import subprocess
import sys
import tomllib
from dataclasses import replace
from pathlib import Path

import msgspec
import pytest

from perfolio.common.errors import ContentError, ProgramError, UsageError
from perfolio.common.progress import LineProgress
from perfolio.workloads.recorder.pass_plan import (
    TOOLS,
    RecordingPass,
    StepRange,
    choose_tools,
    format_shell,
    load_tools,
    parse_steps,
    plan_passes,
)
from perfolio.workloads.recorder.passes import (
    PassResult,
    ProcessSteps,
    describe_cost,
    run_passes,
    write_descriptions,
)
from tests.functional.conftest import Run

SEEN = {
    "framework": "PyTorch 2", "python": "3", "cuda": "", "device": "", "devices": ["cpu"],
    "threads": 1, "optimizer": "SGD", "parameters": 9, "precision": ["float"], "rank": "0",
    "first": 2, "clock": [0.0, 1.0, 2.0, 3.0],
}  # fmt: skip


@pytest.fixture
def tools(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> Path:
    """A machine that has every tool, as far as names on PATH tell."""
    folder = tmp_path / "bin"
    folder.mkdir()
    for name in ("nvidia-smi", *filter(None, (tool.program for tool in load_tools().values()))):
        (folder / name).write_text("#!/bin/sh\n")
        (folder / name).chmod(0o755)
    monkeypatch.setenv("PATH", f"{folder}:/usr/bin:/bin")
    return folder


@pytest.mark.parametrize(
    "text", ["5", "a:b", "1:4", "5:5", "9:2", "5:6:7", "-1:4", "5" * 30 + ":9"]
)
def test_other_steps_are_refused(text: str) -> None:
    with pytest.raises(UsageError, match="--steps"):
        parse_steps(text)


def test_steps_are_from_the_end_of_one_to_the_end_of_another() -> None:
    assert parse_steps("5:15") == StepRange(5, 15)


def test_what_is_not_there_is_left_out_or_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("PATH", "/nonexistent")
    assert list(choose_tools(None, has_gpu=False)) == ["torch"]
    with pytest.raises(UsageError, match="nsys is not on PATH"):
        choose_tools(["nsys"], has_gpu=True)
    with pytest.raises(UsageError, match="no tool is called 'nsis'; did you mean nsys"):
        choose_tools(["nsis"], has_gpu=True)


def test_gpu_tools_need_a_gpu(tools: Path) -> None:
    assert tools.is_dir()
    assert list(choose_tools(None, has_gpu=False)) == ["torch", "hpcrun"]
    assert list(choose_tools(None, has_gpu=True)) == [
        "torch",
        "hpcrun",
        "nsys",
        "ncu",
        "dcgm",
        "smi",
    ]
    with pytest.raises(UsageError, match="no GPU"):
        choose_tools(["ncu"], has_gpu=False)


def test_every_line_of_a_dry_run_parses(run: Run, tools: Path, tmp_path: Path) -> None:
    assert tools.is_dir()
    done = run("record", "--dry-run", "-o", "my run", "--", "python", "it's.py", "--name", "a b")
    assert done.returncode == 0, done.stderr
    assert not (tmp_path / "my run").exists()
    subprocess.run(["/bin/bash", "-n"], input=done.stdout, text=True, check=True)
    lines = [shlex.split(line, comments=True) for line in done.stdout.splitlines()]
    programs = [line for line in lines if "it's.py" in line]
    assert len(programs) == 1 + len(load_tools())
    assert all(line[-4:] == ["python", "it's.py", "--name", "a b"] for line in programs)
    assert [line[1] for line in done.stdout.splitlines() if line[0] == "#"] == [" "] * 7


def test_counters_are_of_one_step_and_come_late(tools: Path, tmp_path: Path) -> None:
    assert tools.is_dir()
    passes = list(
        plan_passes(["python", "x.py"], StepRange(5, 15), load_tools(), tmp_path, has_gpu=True)
    )
    assert [each.name for each in passes] == [
        "time",
        "torch",
        "hpcrun",
        "nsys",
        "ncu",
        "dcgm",
        "smi",
    ]
    steps = {each.name: each.environment["PERFOLIO_STEPS"] for each in passes}
    assert steps["ncu"] == "5:6"
    assert {steps[name] for name in steps if name != "ncu"} == {"5:15"}
    (line,) = [line for line in format_shell(passes[-2]) if line.startswith("dcgmi")]
    assert line.endswith("dcgmi.txt &")


def test_every_tool_is_said_to_be_one_in_the_help(run: Run) -> None:
    text = " ".join(run("record", "--help").stdout.split())
    assert ", ".join(load_tools()) in text


def test_a_faulty_tool_is_named(tmp_path: Path) -> None:
    (tmp_path / "bad.toml").write_text((TOOLS / "torch.toml").read_text() + "\nsudo = true\n")
    with pytest.raises(ContentError, match=r"bad\.toml: Object contains unknown field `sudo`"):
        load_tools(tmp_path)


def writes(folder: Path, name: str, **changed: object) -> RecordingPass:
    """A pass whose program only tells what a program would."""
    told = json.dumps({**SEEN, **changed})
    code = "import pathlib, sys; pathlib.Path(sys.argv[1]).write_text(sys.argv[2])"
    place = str(folder / name / "steps-rank0.json")
    return RecordingPass(
        name, name, folder / name, {}, ((sys.executable, "-c", code, place, told),)
    )


def test_a_pass_of_another_program_is_refused(tmp_path: Path) -> None:
    passes = [writes(tmp_path, "time"), writes(tmp_path, "torch", parameters=10)]
    with pytest.raises(ProgramError, match="another program than in pass time: parameters 10"):
        run_passes(passes, StepRange(2, 4), LineProgress(tell=False))


def test_too_few_steps_are_told(tmp_path: Path) -> None:
    with pytest.raises(ProgramError, match=r"took 3 steps, none after step 5; --steps 2:3"):
        run_passes(
            [writes(tmp_path, "time", clock=[0.0, 1.0, 2.0])],
            StepRange(5, 9),
            LineProgress(tell=False),
        )


def test_what_the_program_told_is_checked(tmp_path: Path) -> None:
    with pytest.raises(ProgramError, match="is damaged"):
        run_passes([writes(tmp_path, "time", clock="x")], StepRange(2, 4), LineProgress(tell=False))


def test_steps_are_differences_of_the_clock(tmp_path: Path) -> None:
    (told,) = run_passes([writes(tmp_path, "time")], StepRange(2, 4), LineProgress(tell=False))
    assert told.ranks[0].times == [1.0, 1.0]
    assert told.step == 1.0


ONE_PROCESS = ProcessSteps(
    "PyTorch", "3.12", "", "", ["cpu"], 1, "SGD", 10, ["float32"], "", 1, [0.0, 1.0, 2.0]
)


def told(name: str, out: Path, step: float = 1.0) -> PassResult:
    seen = msgspec.structs.replace(ONE_PROCESS, clock=[0.0, step, 2.0 * step])
    return PassResult(name, out, [seen])


@pytest.mark.parametrize(
    ("step", "words"),
    [
        (0.9, "with x it took no longer than steps differ"),
        (1.5, "with x it took 50.0% longer"),
        (16684.0, "with x it took 16,684 times as long"),
    ],
)
def test_words(tmp_path: Path, step: float, words: str) -> None:
    assert describe_cost(told("time", tmp_path), told("x", tmp_path, step)) == words


def test_a_profile_names_what_other_passes_tell_and_they_name_nothing(tmp_path: Path) -> None:
    passes = [told(name, tmp_path / name) for name in ("time", "torch", "ncu", "smi")]
    for each in passes:
        each.out.mkdir()
    (tmp_path / "ncu" / "counters.csv").touch()
    (tmp_path / "smi" / "nvidia-smi.txt").touch()
    write_descriptions([replace(each) for each in passes], ["python", "train.py"], StepRange(2, 4))

    def named(name: str) -> object:
        return tomllib.loads((tmp_path / name / "profile.toml").read_text()).get("witnesses")

    assert named("torch") == ["../ncu/counters.csv", "../smi/nvidia-smi.txt"]
    assert named("ncu") is None
    assert named("smi") is None
