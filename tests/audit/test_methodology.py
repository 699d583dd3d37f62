"""The audited methodology: its arithmetic is what predict gives, and each error is explained."""

from __future__ import annotations

from dataclasses import replace

import pytest

from perfolio.audit.claim_verdicts import is_equal
from perfolio.prediction.collective_time import CollectiveRequest, estimate_ring
from perfolio.prediction.device_peaks import find_device, read_stored_rows
from perfolio.prediction.token_decoding import DecodeRequest
from perfolio.prediction.training_memory import MemoryRequest, compute_states
from perfolio.prediction.training_time import (
    TrainingRequest,
    compare_published_runs,
    find_published_range,
)
from reference.methodology import WHY, computed, load, methodology_page

CLAIMS = {claim.key: claim for claim in load().claims}
H100 = find_device("h100-sxm5")
TRAINING = TrainingRequest(70e9, 2e12, 2048, H100, 0.5)
STEP = TrainingRequest(70e9, 4 * 4096, 1, H100, 0.4)
LINKS = CollectiveRequest("all_reduce", 140e9, 64, 50e9, latency=0.0)
WRONG = {"realistic_step", "excellent", "good_h100", "flops_profiler", "attention_intensity",
         "checkpoint", "nvlink"}  # fmt: skip


def _h100() -> float:
    return max(
        float(row["mfu"]) for row in read_stored_rows("published.csv") if row["device"] == "H100"
    )


def _llama() -> float:
    return next(each.implied for each in compare_published_runs() if each.model == "Llama 2 70B")


PREDICTED = {
    "ridge": H100.peak("bf16") / H100.bandwidth,
    "step_flop": STEP.flop,
    "above_peak": STEP.seconds(1.0) / 2.5,
    "realistic_step": STEP.seconds(0.4),
    "excellent": find_published_range()[1],
    "good_h100": _h100(),
    "flops_profiler": 783e9 / H100.peak("bf16"),
    "token_16": DecodeRequest(70e9, H100).step(1),
    "token_4": DecodeRequest(70e9, H100, bits=4).step(1),
    "training_time": TRAINING.seconds(0.5),
    "ring_50": estimate_ring(LINKS, 64, 50e9, 140e9),
    "ring_200": estimate_ring(replace(LINKS, bandwidth=200e9), 64, 200e9, 140e9),
    "checkpoint": sum(compute_states(MemoryRequest(70e9)).values()) - 140e9,
}


@pytest.mark.parametrize("key", PREDICTED)
def test_a_claims_arithmetic_is_what_predict_gives(key: str) -> None:
    assert computed(CLAIMS[key]) == pytest.approx(PREDICTED[key], rel=1e-9)


def test_the_published_training_of_llama_is_near_what_its_hours_imply() -> None:
    assert computed(CLAIMS["llama_a100"]) == pytest.approx(_llama(), rel=0.02)


def test_known_errors_are_found_and_nothing_else() -> None:
    tolerance = load().tolerance
    found = {key for key, one in CLAIMS.items() if not is_equal(one, computed(one), tolerance)}
    assert found == WRONG
    assert found <= set(WHY) <= set(CLAIMS)


def test_the_page_says_what_wrong_figures_should_be() -> None:
    page = methodology_page()
    wrong, _, right = page.partition("## Right")
    for value in ("17.39 s", "56.3 %", "0.08 %", "980.0 GB", "2,048 FLOP/B", "900.0 GB/s"):
        assert value in wrong
    for value in ("419,430 tokens/s", "295 FLOP/B", "41.79 ms", "10.45 ms", "5.51 s", "1.38 s",
                  "90.0 %", "75.0 %", "62.5 %"):  # fmt: skip
        assert value in right
