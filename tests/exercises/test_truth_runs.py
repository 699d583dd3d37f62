"""Keys of the exercises about time against the truth, on every sample run that they are made of."""

from __future__ import annotations

import copy
from collections.abc import Iterator, Mapping
from statistics import median
from typing import Any

import pytest

from perfolio.exercises.answer_sheet import is_offered
from perfolio.exercises.catalog import load_exercises
from perfolio.exercises.model import Sheet
from perfolio.exercises.run_view import Run
from perfolio.simulation.scenario_parser import load
from tests.exercises.answering import chosen, codes, given, values
from tests.exercises.support import sample_run, sample_sheet, sheet_of, truth
from tests.exercises.true_answers import class_of, larger
from tests.kit.samples import PROFILES, SCENARIOS

TIMED = {
    "amd-mi300x", "dlrm-h100", "dlrm-h100-gpu-data", "dlrm-h100-pinned", "dlrm-h100-timed",
    "dlrm-h100-workers", "eight-ranks", "low-occupancy", "transformer", "transformer-fused",
}  # fmt: skip
"""The sample runs with traces of the CPU and of the GPU."""


def sheets(slug: str) -> Iterator[tuple[str, Sheet, Mapping[str, Any]]]:
    exercise = load_exercises()[slug]
    for name in SCENARIOS:
        run = sample_run(name)
        if is_offered(exercise, run, {}):
            yield name, sheet_of(exercise, run), truth(name)


def test_why_idle_begins_with_the_largest_cause() -> None:
    """It is another one on other runs, and copies on none."""
    found = {}
    for name, sheet, true in sheets("why-idle"):
        ranks = len(true["ranks"])
        amounts = {
            "The GPU computes": true["kernel_busy"],
            "Start-up": true["idle_before"],
            "The host makes or loads input data": true["idle_by_phase"]["data"] / ranks,
            "The GPU copies data": true["copy_exposed"],
        }
        largest = max(amounts, key=amounts.__getitem__)
        (verdict,) = chosen(sheet, "s3-verdict")
        assert verdict.partition(", mostly in")[0] == largest, name
        assert chosen(sheet, "s3-suspicion") == ["No, another part of the run is longer"], name
        found[name] = largest
    assert found.keys() == TIMED - {"low-occupancy"}
    assert len(set(found.values())) == 3


def test_a_promise_saves_no_more_than_what_it_is_about() -> None:
    found = set()
    for name, sheet, true in sheets("promise"):
        idle = true["idle_before"] + true["idle_between"] + true["idle_after"]
        after = idle + true["gpu_busy"] / 10.0
        keys = values(sheet)
        assert keys["s1-bound"] == pytest.approx(1.0 - after / true["wall"], rel=2e-3), name
        assert keys["s1-saved"] == pytest.approx(true["wall"] - after, rel=2e-3), name
        assert keys["s2-both"] == pytest.approx(true["copy_exposed"], rel=2e-3), name
        assert chosen(sheet, "s1-factor") == [class_of(true["wall"] / after)], name
        right = {"s1-bound": 100.0 * (1.0 - after / true["wall"]),
                 "s2-both": 1e3 * true["copy_exposed"]}  # fmt: skip
        assert codes(sheet, right) == dict.fromkeys(right, "right"), name
        nothing = given(sheet, {"s1-bound": "0", "s2-both": "0"})
        assert {points for _, points in nothing.values()} == {0.0}, name
        found.add(name)
    assert found == TIMED


def test_copies_of_several_gpus_save_their_time_once() -> None:
    """Eight GPUs copy at once: the sum of their copies is no time that the run can save."""
    sheet = next(sheet for name, sheet, _ in sheets("promise") if name == "eight-ranks")
    summed = sum(one["time"] for name, one in truth("eight-ranks")["operations"].items()
                 if name.startswith("copy"))  # fmt: skip
    assert given(sheet, {"s2-both": 1e3 * summed})["s2-both"][1] == 0.0
    assert given(sheet, {"s2-both": "108"})["s2-both"][1] == 1.0


def test_which_second_is_larger_only_where_samples_tell() -> None:
    found = {}
    for name, sheet, true in sheets("which-second"):
        lost = load(PROFILES / name / "scenario.toml").measurement.lost_samples
        counted = sum(true["cpu_time"].values()) * (1.0 - lost)
        assert chosen(sheet, "s2-larger") == [larger(true["wall"], counted)], name
        found[name] = larger(true["wall"], counted)
    assert found.keys() == TIMED
    assert found["low-occupancy"].startswith("Neither")
    assert found["eight-ranks"] == "CPU time of all threads"


def test_the_wait_for_a_straggler_is_a_share_of_the_steady_state() -> None:
    sheet, true = sample_sheet("straggler"), truth("eight-ranks")
    own = [true["streams"][f"rank {rank} main"] for rank in range(8)]
    late = (max(own) - median(own)) / true["iterations"]["count"]
    share = late / true["iterations"]["median"]
    assert values(sheet)["s1-wait"] == pytest.approx(share, rel=0.03)
    spread = share * true["iterations"]["count"] * true["iterations"]["median"] / true["wall"]
    assert codes(sheet, {"s1-wait": 100.0 * spread}) == {"s1-wait": "of-the-run"}


@pytest.mark.parametrize("balance", [1.0, 1.18, 1.3])
def test_what_follows_of_the_balance_depends_on_no_balance(balance: float) -> None:
    run = sample_run("eight-ranks")
    metrics = copy.deepcopy(dict(run.metrics))
    (found,) = [each for each in metrics["metrics"] if each["name"] == "balance.ranks"]
    found["value"] = balance
    sheet = sheet_of(load_exercises()["straggler"], Run(metrics, run.findings))
    right = "Nothing, as threads that wait may also take CPU time"
    assert chosen(sheet, "s2-balance") == [right]
