"""What somebody answers who knows the truth of a simulated run, and nothing of its report.

In:  the truth of each run of an exercise, and what was simulated. Out: answers by item: numbers in
     base units, words of options. Items are missing where truth.json has no such fact.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from statistics import median
from typing import Any

from perfolio.simulation.scenario import Scenario

Truths = Mapping[str, Mapping[str, Any]]
Scenarios = Mapping[str, Scenario]
Answers = dict[str, Any]
_H100 = {"registers": 65536, "shared": 228, "warps": 64, "link": 63e9}


def straggler(truths: Truths, scenarios: Scenarios) -> Answers:
    del scenarios
    (true,) = truths.values()
    copies = sum(one["time"] for one in _copies(true).values()) / 8
    own = [true["streams"][f"rank {rank} main"] - copies for rank in range(8)]
    late = f"Rank {own.index(max(own))}"
    return {
        "s1-most": late, "s2-rank": late, "s2-factor": max(own) / median(own),
        "s2-balance": "Nothing, as threads that wait may also take CPU time",
    }  # fmt: skip


def which_second(truths: Truths, scenarios: Scenarios) -> Answers:
    (true,), (scenario,) = truths.values(), scenarios.values()
    counted = sum(true["cpu_time"].values()) * (1.0 - scenario.measurement.lost_samples)
    return {
        "s1-wall": true["wall"], "s1-span": true["gpu_span"], "s1-busy": true["gpu_busy"],
        "s2-share": true["gpu_busy"] / true["wall"],
        "s2-larger": larger(true["wall"], counted),
    }  # fmt: skip


def larger(wall: float, counted: float) -> str:
    """What is larger by what is counted; no sample run is near the limit of 2 %."""
    if max(wall, counted) < 1.02 * min(wall, counted):
        return "Neither: they are less than 2 % or two samples apart"
    return "Wall time" if wall > counted else "CPU time of all threads"


def start_up_or_steady(truths: Truths, scenarios: Scenarios) -> Answers:
    del scenarios
    (true,) = truths.values()
    one = true["iterations"]
    longer = true["wall"] + 9 * one["count"] * one["median"]
    return {"s1-iteration": one["median"], "s2-longer": longer}


def promise(truths: Truths, scenarios: Scenarios) -> Answers:
    del scenarios
    (true,) = truths.values()
    left = true["idle_before"] + true["idle_between"] + true["idle_after"]
    after = left + true["gpu_busy"] / 10.0
    return {
        "s1-share": true["gpu_busy"] / true["wall"],
        "s1-bound": (true["wall"] - after) / true["wall"],
        "s1-factor": class_of(true["wall"] / after),
        "s1-saved": true["wall"] - after,
        "s2-copies": true["copy_busy"] / true["gpu_busy"],
        "s2-both": true["copy_exposed"],
    }


def class_of(factor: float) -> str:
    """The class of a factor, in the words of the sheet."""
    words = ("below 1.1×", "at least 1.1×, below 2×", "at least 2×, below 5×", "at least 5×")
    return words[sum(edge <= factor for edge in (1.1, 2.0, 5.0))]


def pinned_pageable(truths: Truths, scenarios: Scenarios) -> Answers:
    del scenarios
    rates = [_rate(true) for true in truths.values()]
    before, after = rates
    return {
        "s1-rate": [before, after, after / before],
        "s1-time": sum(one["time"] for one in _copies(truths["dlrm-h100-pinned"]).values()),
        "s2-before": before / _H100["link"],
        "s2-after": after / _H100["link"],
    }


def launches(truths: Truths, scenarios: Scenarios) -> Answers:
    del scenarios
    (true,) = truths.values()
    kernels, one = true["operations"]["kernel"], true["iterations"]
    idle = one["median"] - true["iteration_busy_median"]
    return {
        "s1-launches": kernels["count"] / one["count"],
        "s1-mean": kernels["time"] / kernels["count"],
        "s2-saves": idle, "s2-share": idle / one["median"],
        "s3-sampled": "It was recorded with a trace, and without PC sampling",
    }  # fmt: skip


def of_stalls_or_samples(truths: Truths, scenarios: Scenarios) -> Answers:
    del scenarios
    (true,) = truths.values()
    stalled, memory = sum(true["stalls"].values()), true["stalls"]["gmem"]
    return {"s1-stalled": stalled, "s1-stalls": memory / stalled, "s1-samples": memory}


def occupancy(truths: Truths, scenarios: Scenarios) -> Answers:
    del truths
    (scenario,) = scenarios.values()
    kernel = scenario.kernels["spmv"]
    by_registers = _H100["registers"] // (kernel.registers * kernel.threads)
    by_shared = _H100["shared"] // (kernel.static_shared / 1024 + 1)
    blocks = min(by_registers, by_shared)
    warps = blocks * kernel.threads / 32
    limits = {"The registers": by_registers, "The shared memory": by_shared}
    return {
        "s1-registers": by_registers, "s1-shared": by_shared, "s2-blocks": blocks,
        "s1-limit": {name for name, each in limits.items() if each == blocks},
        "s2-warps": warps, "s2-occupancy": warps / _H100["warps"],
    }  # fmt: skip


TRUE: Mapping[str, Callable[[Truths, Scenarios], Answers]] = {
    "straggler": straggler,
    "which-second": which_second,
    "start-up-or-steady": start_up_or_steady,
    "promise": promise,
    "pinned-pageable": pinned_pageable,
    "launches": launches,
    "of-stalls-or-samples": of_stalls_or_samples,
    "occupancy": occupancy,
}


def _copies(true: Mapping[str, Any]) -> dict[str, Any]:
    return {name: one for name, one in true["operations"].items() if name.startswith("copy")}


def _rate(true: Mapping[str, Any]) -> float:
    host = [one for name, one in _copies(true).items() if name != "copy d2d"]
    moved: float = sum(one["bytes"] for one in host) / sum(one["time"] for one in host)
    return moved
