"""What a tool costs, in words, and what of its files other tools' profiles name."""

from __future__ import annotations

import tomllib
from dataclasses import replace
from pathlib import Path

import msgspec
import pytest

from perfolio.workloads.recorder.pass_plan import StepRange
from perfolio.workloads.recorder.passes import (
    PassResult,
    ProcessSteps,
    describe_cost,
    write_descriptions,
)

SEEN = ProcessSteps(
    "PyTorch", "3.12", "", "", ["cpu"], 1, "SGD", 10, ["float32"], "", 1, [0.0, 1.0, 2.0]
)


def told(name: str, out: Path, step: float = 1.0) -> PassResult:
    seen = msgspec.structs.replace(SEEN, clock=[0.0, step, 2.0 * step])
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
