"""JSON of a course's scripts: what their figures are of, and what is wrong with them."""
# ruff: noqa: E501 - lines of other tools' files are long

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from perfolio.common.errors import InputError
from tests.readers.witnesses.samples import doubts, figures, witness

FLOP = 2e9


def flops_profile(steps: int, *, adds_up: bool = True, peak: float = 67e12) -> dict[str, Any]:
    """As the script writes it: the counter is read after each step and never reset."""
    told = [FLOP * (n if adds_up else 1) for n in range(1, steps + 1)]
    mean = sum(told) / steps
    return {
        "model_info": {"total_params": 1000, "config": {"hidden_dim": 256}},
        "profiling_config": {"batch_size": 8, "sequence_length": 128, "num_steps": steps},
        "flops_analysis": {"total_flops": told[-1], "avg_flops_per_step": mean},
        "performance_metrics": {"avg_time_per_step": 0.5, "throughput_samples_per_sec": 16.0},
        "efficiency_metrics": {"device_peak_flops": peak, "mfu_percent": mean / 0.5 / peak * 100},
        "step_by_step_results": [
            {"step": n, "flops": value, "time": 0.5} for n, value in enumerate(told)
        ],
    }


def intensity(
    value: float, said: str, *, peak: float = 67e12, bandwidth: float = 3.35e12
) -> dict[str, Any]:
    return {
        "arithmetic_intensity_flops_per_byte": value,
        "memory_bound_vs_compute_bound": said,
        "roofline_metrics": {"peak_flops": peak, "peak_memory_bandwidth": bandwidth},
    }


@pytest.mark.parametrize(("steps", "times"), [(2, "1.5"), (20, "10.5"), (15, "8")])
def test_a_counter_that_adds_up_is_undone(tmp_path: Path, steps: int, times: str) -> None:
    found = witness(tmp_path, json.dumps(flops_profile(steps)), "flops_profile.json")
    assert figures(found) == pytest.approx(
        {
            "parameters": 1000, "rank_batch": 8, "sequence_length": 128, "forward_flop": FLOP,
            "forward_time": 0.5, "forward_rate": FLOP / 0.5, "forward_samples_rate": 16,
            "peak": 67e12,
        }
    )  # fmt: skip
    said, held, why = doubts(found)["forward_flop"]
    assert (said, held) == (f"{FLOP * float(times) / 1e9:.2f} GFLOP", "2.00 GFLOP")
    assert f"adds up over {steps} steps, so its mean is {times} times too high" in why


@pytest.mark.parametrize(("steps", "adds_up"), [(1, True), (20, False)])
def test_a_counter_of_one_step_or_one_that_is_reset_is_right(
    tmp_path: Path,
    steps: int,
    adds_up: bool,
) -> None:
    found = witness(tmp_path, json.dumps(flops_profile(steps, adds_up=adds_up)), "f.json")
    assert figures(found)["forward_flop"] == FLOP
    assert "forward_flop" not in doubts(found)


def test_time_of_the_forward_pass_is_named_so(tmp_path: Path) -> None:
    found = witness(tmp_path, json.dumps(flops_profile(1)), "f.json")
    assert "samples_rate" not in figures(found)
    assert doubts(found)["samples_rate"][:2] == ("16 samples/s", "a rate of the forward pass")


@pytest.mark.parametrize(
    ("peak", "said"),
    [(61.3e12, "MI300A's FP64 vector rate"), (20e12, "script's default"), (67e12, None)],
)
def test_wrong_peaks_are_known(tmp_path: Path, peak: float, said: str | None) -> None:
    told = doubts(witness(tmp_path, json.dumps(flops_profile(1, peak=peak)), "f.json"))
    assert ("peak" in told) == (said is not None)
    assert said is None or said in told["peak"][2]


@pytest.mark.parametrize(
    ("value", "said", "held"),
    [(15.0, "compute_bound", "bound by memory"), (5.0, "memory_bound", None),
     (25.0, "compute_bound", None)],
)  # fmt: skip
def test_the_ridge_point_decides_what_bounds(
    tmp_path: Path, value: float, said: str, held: str | None
) -> None:
    found = witness(tmp_path, json.dumps(intensity(value, said)), "computational_intensity.json")
    assert figures(found)["intensity"] == value
    told = doubts(found)
    assert (told["bound"][1] if "bound" in told else None) == held
    assert held is None or "ridge point of its own peaks is 20 FLOP/B" in told["bound"][2]


def test_bandwidth_of_another_device_is_known(tmp_path: Path) -> None:
    told = doubts(
        witness(tmp_path, json.dumps(intensity(1, "memory_bound", bandwidth=1555e9)), "i.json")
    )
    assert "A100's with 40 GB" in told["peak_bandwidth"][2]


@pytest.mark.parametrize("inside", [True, False])
def test_the_programs_own_summary(tmp_path: Path, inside: bool) -> None:
    summary = {"avg_training_speed": 372.9, "avg_batch_time": 0.02, "avg_forward_time": 0.006,
               "avg_backward_time": 0.01, "avg_optimizer_time": 0.004, "peak_memory_mb": 522.0,
               "final_loss": 7.0}  # fmt: skip
    text = json.dumps({"version": "v1", "performance_summary": summary} if inside else summary)
    found = witness(tmp_path, text, "performance_summary.json")
    assert figures(found) == pytest.approx(
        {
            "samples_rate": 372.9, "iteration_time": 0.02, "forward_time": 0.006,
            "backward_time": 0.01, "update_time": 0.004, "peak_memory": 522 * 2**20,
        }
    )  # fmt: skip


@pytest.mark.parametrize(
    "changed",
    [{"step_by_step_results": None}, {"step_by_step_results": [1, None]}, {"model_info": []},
     {"performance_metrics": {"avg_time_per_step": "x"}}, {"efficiency_metrics": {"device_peak_flops": -1}},
     {"flops_analysis": {"avg_flops_per_step": True}}, {"profiling_config": {"batch_size": 10**400}}],
)  # fmt: skip
def test_odd_values_are_no_figures(tmp_path: Path, changed: dict[str, Any]) -> None:
    found = witness(tmp_path, json.dumps(flops_profile(3) | changed), "f.json")
    assert all(isinstance(value, float) and value >= 0 for value in figures(found).values())


@pytest.mark.parametrize(
    ("text", "said"),
    [(json.dumps(flops_profile(3))[:-40], "f.json: is no JSON"),
     ('{"flops_analysis": ' + "[" * 100_000, "f.json: is no JSON")],
)  # fmt: skip
def test_damage_ends_in_a_line(tmp_path: Path, text: str, said: str) -> None:
    with pytest.raises(InputError, match=said):
        witness(tmp_path, text, "f.json")


def test_bytes_that_are_no_text_are_refused(tmp_path: Path) -> None:
    damaged = b'{"m\xff":1,"step_by_step_results":[]}'
    with pytest.raises(InputError, match="is no JSON"):
        witness(tmp_path, damaged, "flops.json")
