"""Pairs of runs on this machine: recordings of the run before, and how long steps of both take.

python -m tests.workloads.turns cuda FOLDER    records pairs on a GPU, all or by number

Needs PyTorch and msgspec alone, so that it runs on a machine without the rest. The runs of a pair
take turns: whatever else the machine does hits both. `tests.workloads.measured` reads the folder.
"""

from __future__ import annotations

import gc
import json
import platform
import sys
import time
import tomllib
from collections.abc import Mapping
from pathlib import Path
from statistics import median
from typing import Any

import msgspec

from perfolio.workloads.catalog import load_workloads
from perfolio.workloads.profile_notes import describe_processor
from perfolio.workloads.torch_check import ensure_torch
from perfolio.workloads.variant_options import Workload

PAIRS = Path(__file__).with_name("pairs.toml")
MACHINE, TIMES = "machine.json", "times.json"
REPETITIONS = {"cpu": 5, "cuda": 15}
RECORDINGS = {"cpu": 5, "cuda": 3}
SECONDS = {"cpu": 2.0, "cuda": 0.5}
"""About how long each repetition of a run lasts [s]."""


def pairs() -> list[dict[str, Any]]:
    """The entries of pairs.toml."""
    found: list[dict[str, Any]] = tomllib.loads(PAIRS.read_text("utf-8"))["pair"]
    return found


def device_of(pair: Mapping[str, Any]) -> str:
    """Where both runs of a pair train: `cpu` or `cuda`."""
    return str(pair.get("device", "cpu"))


def variant(pair: Mapping[str, Any], side: str) -> Workload:
    """The workload of one side of a pair, with what it changes."""
    one = load_workloads()[pair[side]]
    return msgspec.structs.replace(
        one,
        model=msgspec.structs.replace(one.model, **pair.get("model", {})),
        options=msgspec.structs.replace(one.options, **pair.get("options", {})),
    )


def recordings(pair: Mapping[str, Any], folder: Path) -> None:
    """Recordings of the run before, each in a folder of its own."""
    from perfolio.workloads.workload_run import RecordingRequest, record_workload

    device = device_of(pair)
    for number in range(RECORDINGS[device]):
        place = folder / f"{number}"
        place.mkdir(parents=True)
        record_workload(
            pair["before"],
            variant(pair, "before"),
            RecordingRequest(10, 3, device, memory=False),
            place,
        )
        release(device)


def times(pair: Mapping[str, Any]) -> dict[str, list[float]]:
    """How long a step of each run takes, by turns, a number for each repetition [s]."""
    from perfolio.workloads.workload_run import keep_freed_memory, start_workload

    keep_freed_memory()
    device = device_of(pair)
    sides = {side: start_workload(variant(pair, side), device) for side in ("before", "after")}
    for one in sides.values():
        lasting(one, 4)
    steps = {side: max(5, int(SECONDS[device] / lasting(one, 3))) for side, one in sides.items()}
    taken: dict[str, list[float]] = {side: [] for side in sides}
    for _ in range(REPETITIONS[device]):
        for side, one in sides.items():
            taken[side].append(lasting(one, steps[side]))
    return taken


def lasting(trainer: Any, steps: int) -> float:
    """A typical step [s]: on a processor the median, on a GPU the mean, as steps overlap there."""
    import torch

    from perfolio.workloads.workload_run import measure_steps

    tf32 = trainer.options.precision == "tf32"
    torch.set_float32_matmul_precision("high" if tf32 else "highest")  # of the whole process
    if trainer.device == "cpu":
        return median(measure_steps(trainer, steps))
    trainer.finish()
    begin = time.perf_counter()
    for _ in range(steps):
        trainer.step()
    trainer.finish()
    return (time.perf_counter() - begin) / steps


def release(device: str) -> None:
    """Give back what a run took of the device, and forget what was compiled."""
    import torch

    gc.collect()
    torch._dynamo.reset()
    if device == "cuda":
        torch.cuda.empty_cache()


def described(device: str) -> dict[str, str]:
    """The machine, in words, and what ran on it."""
    import torch

    from perfolio.workloads.workload_figures import name_device

    return {
        "machine": name_device(device) or describe_processor(),
        "python": platform.python_version(),
        "pytorch": torch.__version__,
    }


def main() -> None:
    """Record the pairs of a device, or those whose number is named, into a folder."""
    ensure_torch()
    device, folder, chosen = sys.argv[1], Path(sys.argv[2]), set(map(int, sys.argv[3:]))
    for number, pair in enumerate(pairs()):
        if device_of(pair) != device or (chosen and number not in chosen):
            continue
        place = folder / f"{number}"
        begin = time.perf_counter()
        recordings(pair, place)
        release(device)
        taken = times(pair)
        release(device)
        (place / TIMES).write_text(json.dumps(taken), "utf-8")
        (folder / MACHINE).write_text(json.dumps(described(device)), "utf-8")
        saved = 1.0 - median(taken["after"]) / median(taken["before"])
        spent = time.perf_counter() - begin
        print(f"{number} {pair['change']}: saved {saved:.3f} ({spent:.0f} s)", flush=True)  # noqa: T201


if __name__ == "__main__":
    main()
