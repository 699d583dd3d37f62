"""Keys of exercises about kernels and copies against what the simulator knows."""

from __future__ import annotations

import pytest

from perfolio.simulation.scenario_parser import load
from tests.exercises.answering import cells, chosen, codes, values
from tests.exercises.support import sample_sheet, truth
from tests.kit.samples import PROFILES


def test_pinned_pageable() -> None:
    sheet = sample_sheet("pinned-pageable")
    rates = []
    for slug in ("dlrm-h100-workers", "dlrm-h100-pinned"):
        copies = [one for name, one in truth(slug)["operations"].items() if name[:4] == "copy"]
        host = [one for one in copies if one is not truth(slug)["operations"]["copy d2d"]]
        rates.append(sum(c["bytes"] for c in host) / sum(c["time"] for c in host))
    before, after, ratio = cells(sheet, "s1-rate")
    assert [before, after] == pytest.approx(rates, rel=0.02)
    assert ratio == pytest.approx(after / before)
    found = values(sheet)
    assert found["s2-before"] == pytest.approx(rates[0] / 63e9, rel=0.02)
    assert found["s2-after"] == pytest.approx(rates[1] / 63e9, rel=0.02)
    both = {"s2-after": 100.0 * rates[1] / 126e9, "s2-before": 100.0 * rates[0] / 126e9}
    assert codes(sheet, both) == dict.fromkeys(both, "both-directions")


def test_occupancy() -> None:
    """By hand: 65,536 registers, 168 a thread, 64 threads; 228 KiB, 36 KiB and 1 KiB a block."""
    sheet = sample_sheet("occupancy")
    kernel = load(PROFILES / "low-occupancy" / "scenario.toml").kernels["spmv"]
    assert (kernel.registers, kernel.threads, kernel.static_shared) == (168, 64, 36864)
    found = values(sheet)
    assert found["s1-registers"] == 65536 // (168 * 64)
    assert found["s1-shared"] == 228 // (36 + 1)
    assert found["s2-warps"] == 6 * 64 / 32
    assert found["s2-occupancy"] == 12 / 64
    assert set(chosen(sheet, "s1-limit")) == {"The registers", "The shared memory"}
    true = truth("low-occupancy")
    assert sum(true["stalls"].values()) > 0.5
    assert len(chosen(sheet, "s3-matters")) == 2
    assert codes(sheet, {"s2-warps": 6 * 64}) == {"s2-warps": "threads-as-warps"}


def test_roofline() -> None:
    sheet, true = sample_sheet("roofline"), truth("transformer")
    kernel = true["kernels"]["gemm_mlp"]
    time, operations = kernel["time"] / kernel["count"], 2 * 4096 * 3072 * 768
    moved = 2 * (4096 * 768 + 768 * 3072 + 4096 * 3072)
    found = values(sheet)
    assert found["s1-time"] == pytest.approx(time)
    assert found["s1-rate"] == pytest.approx(operations / time)
    assert found["s1-share"] == pytest.approx(operations / time / 312e12)
    assert found["s2-intensity"] == pytest.approx(operations / moved)
    assert found["s3-ridge"] == pytest.approx(312e12 / 2.039e12)
    assert chosen(sheet, "s3-side") == ["On the right: its roof is the arithmetic"]
    wrong = codes(sheet, {"s1-share": 50.0 * operations / time / 312e12})
    assert wrong == {"s1-share": "sparse-peak"}
    over = codes(sheet, {"s1-share": 100.0 * operations / time / 19.5e12})
    assert over == {"s1-share": "other-precision"}
