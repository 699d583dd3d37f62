"""Simulated pairs of runs with one planted change each, and the cause that must be named first.

In:  a sample's scenario and a change of its entries. Out: run records of both sides.

Each run has effects of its own, as runs have: the clock of its GPUs differs by half a per cent, the
speed of its host by one. A cause is right where its kind, name and effect begin as `cause` says.
"""

from __future__ import annotations

import copy
import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import Any

import numpy as np

from perfolio.common.progress import QuietProgress
from perfolio.comparison import frame_paths
from perfolio.comparison.record_extraction import _QUERIES, extract_record
from perfolio.comparison.run_record import RunRecord
from perfolio.readers import registry
from perfolio.readers.run_files import read_run
from perfolio.simulation.engine import simulate
from perfolio.simulation.event_export import make_events
from perfolio.simulation.scenario_parser import merge_entries, parse_scenario, read_entries
from perfolio.simulation.simulate import write_simulated
from perfolio.store.database import open_store
from perfolio.store.ingest import ingest
from perfolio.writers.events import kineto_json
from tests.kit.measurements import derived_for
from tests.kit.samples import PROFILES

Steps = list[dict[str, Any]]
ITERATIONS = 24
SAMPLED = {"dlrm-h100-pinned": 600, "transformer": 80}
"""Iterations of a sample where samples of the host must tell what it does: one in 5 ms."""
READ = (*_QUERIES, frame_paths._PATH, frame_paths._ENCLOSING, frame_paths._LINES)
"""All that is asked of a store for a record."""
REPORT: Mapping[str, Any] = {
    "key_figures": [],
    "causes": {"whole": "", "amount": 0.0, "steady": None},
    "worth": {"most": None},
    "roadmap": {"phases": []},
    "findings": [],
    "metrics": {
        "metrics": [],
        "run": {
            "slug": "planted",
            "digest": "",
            "tool": "simulation",
            "settings": {},
            "hardware": None,
            "format_version": "",
        },
    },
}
"""Documents of a run of which only the times are asked."""


@dataclass(frozen=True)
class PlantedChange:
    """A change of a sample, and the cause of the difference that it makes."""

    sample: str
    what: str
    entries: Mapping[str, Any]
    cause: tuple[str, ...]
    """Kind, name and effect, as far as they are told: a name is a part of the cause's."""


@cache
def _entries(sample: str) -> dict[str, Any]:
    return read_entries(PROFILES / sample / "scenario.toml")


def _steps(sample: str, phase: str, change: Callable[[Steps], Steps]) -> dict[str, Any]:
    held = copy.deepcopy(_entries(sample)["phases"][phase]["steps"])
    return {"phases": {phase: {"steps": change(held)}}}


def _repeat(kernel: str, more: int) -> Callable[[Steps], Steps]:
    def change(steps: Steps) -> Steps:
        hit = next(step for step in steps if step.get("kernel") == kernel)
        hit["repeat"] = hit.get("repeat", 1) + more
        return steps

    return change


def _scale(key: str, factor: float) -> Callable[[Steps], Steps]:
    def change(steps: Steps) -> Steps:
        for step in steps:
            if key in step:
                step[key] = _times(step[key], factor)
        return steps

    return change


def _times(amount: str, factor: float) -> str:
    return re.sub(r"^[\d.]+", lambda found: f"{float(found[0]) * factor:.6g}", amount)


def _drop(kernel: str) -> Callable[[Steps], Steps]:
    return lambda steps: [step for step in steps if step.get("kernel") != kernel]


def _find_phase(sample: str, kernel: str) -> str:
    entries = _entries(sample)
    found = (
        phase
        for phase in entries["iteration"]
        if any(step.get("kernel") == kernel for step in entries["phases"][phase]["steps"])
    )
    return str(next(found))


def list_changes() -> Iterator[PlantedChange]:
    """All planted changes."""

    def kernel(sample: str, name: str, factor: float, what: str) -> PlantedChange:
        entries = {"kernels": {name: {"factor": factor}}}
        return PlantedChange(sample, what, entries, ("kernel", "", "duration"))

    tiny, workers, pinned = "transformer", "dlrm-h100-workers", "dlrm-h100-pinned"
    ranks, fused = "eight-ranks", "transformer-fused"
    yield kernel(fused, "gemm_mlp", 1.3, "kernel slower")
    yield kernel(fused, "adam", 1.6, "optimizer slower")
    yield PlantedChange(
        tiny,
        "more launches",
        _steps(tiny, (phase := _find_phase(tiny, "softmax")), _repeat("softmax", 8)),
        ("kernel", "", "calls"),
    )
    yield PlantedChange(
        tiny, "fusion", _steps(tiny, phase, _drop("softmax")), ("kernel", "", "calls")
    )
    yield PlantedChange(
        tiny, "loader", _steps(tiny, "data", _scale("cpu", 3)), ("idle", "loads input")
    )
    yield PlantedChange(tiny, "launch", {"host": {"launch": "40 us"}}, ("idle", "launches", "time"))
    yield PlantedChange(
        pinned, "loader, copies pinned", _steps(pinned, "data", _scale("cpu", 3)), ("idle", "loads")
    )
    yield PlantedChange(
        workers, "link", {"link": {"h2d": {"pageable": "3 GB/s"}}}, ("copy", "copy H2D", "duration")
    )
    yield PlantedChange(
        workers,
        "larger batch",
        _steps(workers, "to_device", _scale("size", 2)),
        ("copy", "copy H2D", "duration"),
    )
    yield PlantedChange(
        workers,
        "one more copy",
        _steps(
            workers,
            "to_device",
            lambda steps: [*steps, *(one for one in steps if one.get("size") == "4 MiB")],
        ),
        ("copy", "copy H2D", "calls"),
    )
    yield PlantedChange(
        ranks, "collectives", {"ranks": {"rate": "39 GB/s"}}, ("collective", "nccl", "duration")
    )
    yield PlantedChange(
        ranks, "straggler", {"ranks": {"kernels": {"2": 1.35}}}, ("collective wait", "rank 2")
    )
    yield PlantedChange(
        ranks, "straggler mended", {"ranks": {"kernels": {"5": 1.0}}}, ("collective wait", "rank 5")
    )
    yield PlantedChange(
        ranks,
        "larger message",
        _steps(ranks, "reduce_3", _scale("size", 2)),
        ("collective", "nccl"),
    )
    yield PlantedChange(
        fused,
        "clock",
        {"kernels": {name: {"factor": 1.12} for name in _entries(fused)["kernels"]}},
        ("clock", "all kernels"),
    )
    yield PlantedChange(
        fused,
        "precision",
        {
            "kernels": {
                name: {"factor": 0.6, "name": entry["name"].replace("bf16", "fp8")}
                for name, entry in _entries(fused)["kernels"].items()
                if "gemm" in name
            }
        },
        ("kernel", "", "duration"),
    )
    yield from _list_host_changes(fused, workers, pinned)


def _list_host_changes(fused: str, workers: str, pinned: str) -> Iterator[PlantedChange]:
    """Changes of how the host hands work to the GPU."""
    yield PlantedChange(
        workers,
        "pinning",
        _steps(workers, "to_device", lambda steps: [{**one, "memory": "pinned"} for one in steps]),
        ("copy", "copy H2D", "duration"),
    )
    phase = _find_phase(fused, "flash")
    yield PlantedChange(
        fused,
        "synchronisations",
        _steps(fused, phase, lambda steps: [*steps, {"wait": "main"}]),
        ("idle",),
    )
    yield PlantedChange(
        fused,
        "allocator",
        _steps(fused, phase, lambda steps: [{"cpu": "300 us", "path": "allocate"}, *steps])
        | {"paths": {"allocate": ["@ train.py:1", "cudaMalloc [libcudart.so.12]"]}},
        ("idle", "allocates"),
    )
    phases = ("forward", "loss", "seed", "backward", "optimizer")
    yield PlantedChange(
        pinned, "graph", {"phases": {name: {"graph": True} for name in phases}}, ("idle",)
    )
    ranks = "eight-ranks"
    yield PlantedChange(
        ranks,
        "fewer kernels",
        _steps(ranks, _find_phase(ranks, "batch_norm"), _drop("batch_norm")),
        ("kernel", "", "calls"),
    )


def vary_run(
    sample: str, change: Mapping[str, Any], seed: int, iterations: int = ITERATIONS
) -> dict[str, Any]:
    """The entries of one run of a sample with a change, and effects of its own."""
    entries = merge_entries(_entries(sample), {"iterations": iterations})
    return add_effects(merge_entries(entries, change), seed)


def add_effects(entries: Mapping[str, Any], seed: int) -> dict[str, Any]:
    """The entries of one run of a scenario, with effects of its own."""
    random = np.random.default_rng(seed)
    gpu, host = float(np.exp(random.normal(0, 0.005))), float(np.exp(random.normal(0, 0.01)))
    ranks = entries.get("ranks", {})
    effects = {
        key: {
            str(rank): effect * float(ranks.get(key, {}).get(str(rank), 1))
            for rank in range(ranks.get("count", 1))
        }
        for key, effect in (("kernels", gpu), ("host", host))
    }
    return merge_entries(entries, {"seed": seed, "ranks": effects})


def record_run(entries: Mapping[str, Any], folder: Path, form: str) -> RunRecord:
    """Simulate, write in a form (HPCToolkit or Kineto), store and extract.

    Of what a store derives it has what records read.
    """
    scenario = parse_scenario(entries)
    place = folder / "run"
    if form == "HPCToolkit":
        write_simulated(scenario, place)
    else:
        place = kineto_json.write(make_events(scenario, simulate(scenario)), place)
    store = folder / "store.duckdb"
    with derived_for(READ):
        ingest([read_run(one) for one in registry.find(place)], store, QuietProgress())
    with open_store(store, reproducible=True) as connection:
        return extract_record(connection, 1, REPORT)


def names_cause(found: Sequence[str], wanted: Sequence[str]) -> bool:
    """Whether kind, name and effect of a cause are the wanted ones, as far as those are told."""
    return all(part in told for told, part in zip(found, wanted, strict=False))
