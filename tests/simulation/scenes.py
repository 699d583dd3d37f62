"""Small scenarios of tests: entries as TOML has them, which a test lays changes over."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from perfolio.metrics.document import make_records
from perfolio.simulation.scenario import Scenario
from perfolio.simulation.scenario_parser import merge_entries, parse_scenario
from perfolio.simulation.simulate import SimulatedRun
from tests.kit.samples import simulated, some_results_at

LOOP: dict[str, Any] = {
    "executable": "train",
    "seed": 5,
    "iterations": 12,
    "start": ["imports"],
    "iteration": ["data", "forward", "backward"],
    "finish": ["exit"],
    "measurement": {"cpu_period": "1 ms", "pc_samples": True},
    "paths": {
        "top": ["main @ train.py:10"],
        "data": ["=top", "batch @ data.py:5"],
        "fw": ["=top", "forward @ model.py:20", "at::mm [libtorch.so]"],
        "bw": ["Engine::thread_main [libtorch.so]", "at::mm [libtorch.so]"],
    },
    "kernels": {
        "gemm": {
            "name": "sgemm",
            "time": "90 us ± 5 %",
            "threads": 256,
            "registers": 200,
            "active": 0.9,
            "stalls": {"gmem": 0.3, "idep": 0.2},
        },
        "relu": {"name": "relu", "time": "6 us ± 10 %", "stalls": {"gmem": 0.7}},
        "loss": {"name": "loss", "time": "4 us ± 10 %", "stalls": {"idep": 0.4}},
    },
    "phases": {
        "imports": {"path": "top", "steps": [{"cpu": "1.5 s"}]},
        "data": {
            "path": "data",
            "steps": [{"cpu": "30 ms ± 5 %"}, {"copy": "h2d", "size": "4 MiB"}],
        },
        "forward": {
            "path": "fw",
            "steps": [
                {"kernel": "gemm", "repeat": 5},
                {"kernel": "relu", "repeat": 5},
                {"kernel": "loss"},
            ],
        },
        "backward": {
            "path": "bw",
            "thread": "autograd",
            "steps": [
                {"kernel": "gemm", "repeat": 10},
                {"copy": "d2d", "size": "1 MiB"},
                {"copy": "d2h", "size": "8 KiB"},
            ],
        },
        "exit": {"path": "top", "steps": [{"cpu": "25 ms"}]},
    },
}
"""A training loop on one GPU: generated data, pageable copies, a backward thread."""

PINNED = {
    "measurement": {"pc_samples": False},
    "start": ["imports", "first"],
    "phases": {
        "first": {"path": "data", "steps": [{"copy": "h2d", "size": "4 MiB"}]},
        "data": {
            "steps": [
                {"cpu": "1 ms ± 5 %"},
                {"event": "copy"},
                {
                    "copy": "h2d",
                    "size": "4 MiB",
                    "memory": "pinned",
                    "blocking": False,
                    "stream": "copy",
                },
            ]
        },
        "backward": {"graph": True, "steps": [{"kernel": "gemm", "repeat": 10}]},
        "exit": {"steps": [{"wait": "main"}, {"wait": "copy"}, {"cpu": "25 ms"}]},
    },
}
"""The same with copies beside kernels, and the backward pass as a graph."""

LOADED = {
    "measurement": {"pc_samples": False},
    "loader": {"workers": 3, "prefetch": 2, "time": "30 ms ± 20 %", "path": "data"},
    "phases": {"data": {"steps": [{"load": True}, {"copy": "h2d", "size": "4 MiB"}]}},
}
"""The same with workers that make the data."""

RANKS = {
    "ranks": {"count": 3, "host": {"2": 1.4}, "kernels": {"1": 1.2}, "rate": "50 GB/s"},
    "kernels": {"nccl": {"name": "ncclDevKernel_AllReduce_Sum_f32_RING_LL", "time": "1 us"}},
    "phases": {
        "backward": {
            "steps": [{"kernel": "gemm", "repeat": 10}, {"collective": "nccl", "size": "40 MB"}]
        }
    },
}
"""The same on three ranks that wait for each other."""

SCENES: Mapping[str, Mapping[str, Any]] = {
    "loop": {},
    "pinned": PINNED,
    "loaded": LOADED,
    "ranks": RANKS,
}


def scene(name: str = "loop", changes: Mapping[str, Any] | None = None) -> Scenario:
    """One of the scenarios, with changes laid over it."""
    return parse_scenario(merge_entries(merge_entries(LOOP, SCENES[name]), changes or {}))


def measured(chosen: Scenario, *names: str) -> tuple[SimulatedRun, dict[str, Any]]:
    """What was simulated, and these metrics of its report by name."""
    made = simulated(chosen)
    found = make_records(some_results_at(made.folder, *names))
    return made, {one["name"]: one for one in found}
