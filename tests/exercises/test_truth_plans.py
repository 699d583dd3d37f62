"""Keys of exercises about time, plans and audits against what the simulator knows."""

from __future__ import annotations

from typing import Any

import pytest

from tests.exercises.answering import cells, chosen, codes, given, values
from tests.exercises.support import sample_sheet, truth


def test_why_idle() -> None:
    sheet, true = sample_sheet("why-idle"), truth("dlrm-h100-timed")
    found, wall = values(sheet), true["wall"]
    assert found["s1-idle"] == pytest.approx(1.0 - true["gpu_busy"] / wall)
    assert found["s3-copies"] == pytest.approx(true["copy_exposed"] / wall, rel=1e-3)
    time, share = cells(sheet, "s1-parts")[:2]
    assert share == pytest.approx(time / wall)
    steady = true["idle_by_phase"]["data"] * 98.0 / 100.0
    assert time == pytest.approx(steady, rel=0.05)
    (verdict,) = chosen(sheet, "s3-verdict")
    assert verdict.startswith("The host makes or loads input data")
    copies = sum(true["operations"][f"copy {way}"]["time"] for way in ("h2d", "d2h", "d2d"))
    mistaken = {
        "s3-copies": 100.0 * copies / true["gpu_busy"],
        "s3-suspicion": "Yes, no part of the run is longer", "s3-verdict": "The GPU copies data",
    }  # fmt: skip
    assert codes(sheet, mistaken) == {
        "s3-copies": "of-gpu-time", "s3-suspicion": "slow-copies", "s3-verdict": "wrong",
    }  # fmt: skip


def test_promise() -> None:
    sheet, true = sample_sheet("promise"), truth("dlrm-h100")
    found, share = values(sheet), true["gpu_busy"] / true["wall"]
    assert found["s1-share"] == pytest.approx(share, rel=1e-3)
    assert found["s1-bound"] == pytest.approx(0.9 * share, rel=1e-3)
    assert found["s1-saved"] == pytest.approx(0.9 * true["gpu_busy"], rel=1e-3)
    assert found["s2-copies"] == pytest.approx(true["copy_busy"] / true["gpu_busy"], rel=1e-3)
    right = {"s1-bound": "0.10", "s1-saved": 900.0 * true["gpu_busy"]}
    assert codes(sheet, right) == dict.fromkeys(right, "right")
    mistaken = {"s1-bound": 90, "s1-saved": 900.0 * true["wall"]}
    assert codes(sheet, mistaken) == {"s1-bound": "part-for-run", "s1-saved": "nine-tenths-of-run"}
    assert codes(sheet, {"s1-bound": 10.0 * share}) == {"s1-bound": "left-for-saved"}


def test_predict_compare() -> None:
    sheet = sample_sheet("predict-compare")
    before, after = truth("transformer"), truth("transformer-fused")
    run = before["wall"] / after["wall"]
    one = before["iterations"]["median"] / after["iterations"]["median"]
    found = values(sheet)
    assert found["s2-run"] == pytest.approx(run, rel=1e-4)
    assert found["s2-gain"] == pytest.approx(one, rel=0.01)
    launches = [t["operations"]["kernel"]["count"] / t["iterations"]["count"]
                for t in (before, after)]  # fmt: skip
    assert found["s2-launches"] == launches[0] - launches[1] == 144
    assert found["s1-bound"] >= run
    assert chosen(sheet, "s3-which") == ["The gain of the run is smaller"]
    assert chosen(sheet, "s3-kept") == ["Yes, the run gained no more than the bound"]
    mistaken = codes(sheet, {"s2-run": one, "s2-gain": run})
    assert mistaken == {"s2-run": "iteration-for-run", "s2-gain": "run-for-iteration"}


def test_launches() -> None:
    sheet, true = sample_sheet("launches"), truth("dlrm-h100-workers")
    found, kernels = values(sheet), true["operations"]["kernel"]
    each = kernels["count"] / true["iterations"]["count"]
    assert found["s1-launches"] == each
    assert found["s1-mean"] == pytest.approx(kernels["time"] / kernels["count"], rel=1e-3)
    idle = true["iterations"]["median"] - true["iteration_busy_median"]
    assert found["s2-saves"] == pytest.approx(idle, rel=0.02)
    assert codes(sheet, {"s2-saves": 5.0 * each}) == {"s2-saves": "five-us-each"}
    assert chosen(sheet, "s3-sampled") == ["It was recorded with a trace, and without PC sampling"]


def test_profiler_cost() -> None:
    sheet = sample_sheet("profiler-cost")
    sampled, timed = truth("dlrm-h100"), truth("dlrm-h100-timed")
    added = sampled["iterations"]["median"] / timed["iterations"]["median"] - 1.0
    found = values(sheet)
    assert found["s1-added"] == pytest.approx(added, rel=0.01)
    assert found["s1-run"] == pytest.approx(sampled["wall"] / timed["wall"] - 1.0, rel=1e-4)
    assert set(chosen(sheet, "s2-quote")) == {
        "The reasons for which warps stall", "The number of launches",
    }  # fmt: skip
    assert codes(sheet, {"s1-run": 100.0 * added}) == {"s1-run": "iteration-for-run"}


def test_how_sure() -> None:
    """Chance moves the samples: the order that they do not decide is asked as such."""
    sheet, true = sample_sheet("how-sure"), truth("transformer")
    found = values(sheet)
    assert found["s1-count"] == 0.005
    assert found["s1-samples"] == pytest.approx(sum(true["cpu_time"].values()) / 0.005, rel=0.2)
    assert chosen(sheet, "s2-half") == ["No, the interval has a half in it"]
    assert chosen(sheet, "s2-third") == ["Yes"]


def test_not_measured() -> None:
    """Graphs hide what they launch: of the GPU's time only the length of the run is known."""
    sheet = sample_sheet("not-measured")
    found = values(sheet)
    assert found["s1-measured"] + found["s1-missing"] > 300
    assert found["s1-missing"] > found["s1-measured"]
    assert chosen(sheet, "s1-which") == ["How long the run took"]


def test_audit_report() -> None:
    sheet, true = sample_sheet("audit-report"), truth("dlrm-h100")
    found, launches = values(sheet), true["operations"]["kernel"]["count"]
    share = true["gpu_busy"] / true["wall"]
    assert found["s2-utilisation"] == pytest.approx(share, rel=1e-3)
    assert found["s2-launched"] == launches
    assert found["s3-bound"] == pytest.approx(true["wall"] - _nothing_runs(true), rel=1e-3)
    assert chosen(sheet, "s2-hold") == ["Bandwidth of copies"]
    assert codes(sheet, {"s2-launched": "112,000", "s3-bound": 900.0 * true["wall"]}) == {
        "s2-launched": "summed-over-callers", "s3-bound": "part-for-run",
    }  # fmt: skip
    assert codes(sheet, {"s3-bound": 1e3 * true["gpu_span"]}) == {"s3-bound": "span-as-busy"}
    assert given(sheet, {"s3-bound": "1"})["s3-bound"][1] == 0.0
    assert set(chosen(sheet, "s3-phases")) == {
        "The report names no share of the time for any of them",
        "A factor needs the share of the run that it is about",
    }


def _nothing_runs(true: dict[str, Any]) -> float:
    return float(true["idle_before"] + true["idle_between"] + true["idle_after"])


def test_impossible_lines() -> None:
    """Its figures are given: checked against arithmetic done here."""
    sheet = sample_sheet("impossible-lines")
    answers = {"s1-share": "0.0792", "s1-factor": "1000", "s2-ratio": "85.5"}
    assert codes(sheet, answers) == dict.fromkeys(answers, "right")
    assert given(sheet, {"s1-share": "79.2"})["s1-share"] == ("prefix-lost", 0.0)


def test_bottleneck_identification() -> None:
    sheet, true = sample_sheet("bottleneck-identification"), truth("transformer")
    found, kernels = values(sheet), true["operations"]["kernel"]
    products = [one for name, one in true["kernels"].items() if name.startswith("gemm")]
    assert found["s1-wall"] == pytest.approx(true["wall"], rel=1e-3)
    assert found["s1-iteration"] == pytest.approx(true["iterations"]["median"], rel=0.01)
    assert found["s2-products"] == pytest.approx(sum(p["time"] for p in products) / kernels["time"])
    assert found["s2-linear"] == sum(p["count"] for p in products)
    assert found["s7-launches"] == kernels["count"] / true["iterations"]["count"]
    assert found["s4-copies"] == pytest.approx(true["copy_exposed"] / true["wall"], rel=1e-3)
    assert found["s3-throughput"] == pytest.approx(4.0 / true["iterations"]["median"], rel=0.01)
    (targets,) = (each.keyed for each in sheet.answerable if each.item.id == "s2-targets")
    assert targets
    assert [each["says"] for each in targets.shown["options"]] == [
        "Replace chains of kernels with fused calls", "No finding names it",
    ]  # fmt: skip
    assert [place[0] for place in targets.key["places"]] == ["B", "B", "A", "B", "A"]
    after = truth("transformer-fused")
    assert found["s6-factor"] >= true["wall"] / after["wall"]
    assert codes(sheet, {"s6-factor": 1.27}) == {"s6-factor": "multiplied"}


def test_baseline_and_memory() -> None:
    true = truth("transformer")
    found = values(sample_sheet("baseline")) | values(sample_sheet("memory-and-size"))
    assert found["s3-launches"] == 520
    assert found["s1-volume"] == true["operations"]["copy h2d"]["bytes"]
    assert found["s2-token-time"] == pytest.approx(true["iterations"]["median"] / 4096, rel=0.01)
    assert found["s3-ridge"] == pytest.approx(312e12 / 2.039e12)
