"""A workload to a folder: warm-up, steps that are timed, steps that are recorded.

In:  a variant, how many steps, the device, what to record. Out: a folder with a trace,
     profile.toml and performance_summary.json, which `perfolio build` takes.

Steps are timed without the profiler first, so that what it costs is known and stands in the files.
Memory that was freed is kept: else getting it again would be most of what a recording shows.
"""

from __future__ import annotations

import ctypes
import json
import platform
import time
import warnings
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from statistics import mean, median
from typing import Any

import torch
from torch.profiler import ProfilerActivity, profile, schedule

from perfolio.common.errors import UsageError
from perfolio.workloads.profile_notes import Setting, describe_processor, format_profile_toml
from perfolio.workloads.serving_step import Server
from perfolio.workloads.training_step import Trainer, choose_device
from perfolio.workloads.variant_options import ServingOptions, Workload
from perfolio.workloads.workload_figures import (
    count_model_flops,
    count_parameters,
    measure_matrix_rate,
    measure_most_memory,
    name_device,
)

TRACE = "trace.json.gz"
PROFILE = "profile.toml"
SUMMARY = "performance_summary.json"
SNAPSHOT = "memory_snapshot.pickle"
RECORDED = 8
"""Steps that are recorded, at most: with shapes, the memory of all of them is held."""
SERVED = 48
"""The same of serving, whose steps are short and differ: some read a prompt."""
_TRIM_THRESHOLD, _MMAP_THRESHOLD = -1, -3
"""Parameters of glibc's mallopt."""
_MEGABYTE = 1e6


@dataclass(frozen=True)
class RecordingRequest:
    """What a recording is to hold."""

    steps: int = 20
    warm_up: int = 3
    device: str = "auto"
    stacks: bool = False
    memory: bool = True


@dataclass(frozen=True)
class MeasuredRun:
    """What was measured of a run."""

    device: str
    flops: int
    """Of the model's products in a step; 0 where they are not counted."""
    parameters: int
    rate: float
    """Of a large matrix product [FLOP/s]."""
    timed: tuple[float, ...]
    """Steps without the profiler [s]."""
    profiled: tuple[float, ...]
    """Steps with it [s]."""
    memory: int
    """At most [B]."""

    @property
    def step(self) -> float:
        """A typical step without the profiler [s]."""
        return median(self.timed)

    @property
    def cost(self) -> float:
        """By how much the profiler makes a typical step longer [ratio]."""
        return median(self.profiled) / self.step - 1.0

    @property
    def cost_words(self) -> str:
        """What the profiler cost, where that shows."""
        if self.cost <= 0.0:
            return "what the profiler costs is less than steps differ"
        return f"the profiler makes it {self.cost:.1%} longer"


def record_workload(
    name: str, workload: Workload, asked: RecordingRequest, folder: Path
) -> MeasuredRun:
    """Train the variant of this name, and write its files into an empty folder."""
    device = choose_device(asked.device)
    if device == "cuda" and asked.memory:
        torch.cuda.memory._record_memory_history()  # noqa: SLF001 - as PyTorch's manual has it
    keep_freed_memory()
    trainer = start_workload(workload, device)
    rate = measure_matrix_rate(device, workload.options.precision)
    measure_steps(trainer, asked.warm_up)
    plain = measure_steps(trainer, asked.steps)
    profiled = _record_steps(trainer, asked, folder)
    done = MeasuredRun(
        device, 0 if workload.serving else count_model_flops(workload),
        count_parameters(trainer.network), rate, plain,
        profiled, measure_most_memory(device),
    )  # fmt: skip
    if device == "cuda" and asked.memory:
        torch.cuda.memory._dump_snapshot(str(folder / SNAPSHOT))  # noqa: SLF001
    (folder / PROFILE).write_text(_format_profile(name, workload, asked, done), "utf-8")
    (folder / SUMMARY).write_text(_format_summary(name, workload, done), "utf-8")
    return done


def start_workload(workload: Workload, device: str) -> Trainer | Server:
    """What takes the steps of a workload on a device. Raises UsageError where it cannot."""
    return Server(workload, device) if workload.serving else Trainer(workload, device)


def measure_steps(trainer: Trainer | Server, steps: int) -> tuple[float, ...]:
    """How long each of some steps takes, the device's work included [s]."""
    taken = []
    for _ in range(steps):
        trainer.finish()
        begin = time.perf_counter()
        trainer.step()
        trainer.finish()
        taken.append(time.perf_counter() - begin)
    return tuple(taken)


def _record_steps(
    trainer: Trainer | Server, asked: RecordingRequest, folder: Path
) -> tuple[float, ...]:
    """Record some steps, the second time: the first time memory was taken that they need.

    With shapes PyTorch holds on to tensors until a recording ends, so that steps find no memory
    that was freed before; getting new one would take as long again as the step.
    """
    activities = [ProfilerActivity.CPU]
    if trainer.device == "cuda":
        activities.append(ProfilerActivity.CUDA)
    steps = min(asked.steps, SERVED if isinstance(trainer, Server) else RECORDED)
    recordings: list[Path | None] = [None, folder / TRACE]

    def keep(done: Any) -> None:
        place = recordings.pop(0)
        if place is not None:
            done.export_chrome_trace(str(place))

    with (
        _hide_warnings(),
        profile(
            activities=activities,
            schedule=schedule(wait=0, warmup=1, active=steps, repeat=2),
            on_trace_ready=keep,
            record_shapes=True,
            with_flops=True,
            profile_memory=asked.memory,
            with_stack=asked.stacks,
        ) as profiler,
    ):
        taken = [_measure_step(trainer, profiler) for _ in range(2 * (steps + 1))]
    if not (folder / TRACE).is_file():
        raise UsageError("PyTorch's profiler wrote no trace", hint="record more steps: --steps")
    return tuple(taken[-steps:])


@contextmanager
def _hide_warnings() -> Iterator[None]:
    """Without the warning that of two recordings the second one counts."""
    with warnings.catch_warnings():
        warnings.filterwarnings("ignore", message=".*Profiler clears events")
        yield


def _measure_step(trainer: Trainer | Server, profiler: Any) -> float:
    """How long a step takes while it is recorded [s]."""
    begin = time.perf_counter()
    trainer.step()
    if trainer.device == "cuda" and trainer.options.loss == "synchronised":
        trainer.finish()
    taken = time.perf_counter() - begin
    profiler.step()
    return taken


def keep_freed_memory() -> None:
    """Let the C library keep what is freed for what is asked for next, where it is glibc."""
    mallopt = getattr(ctypes.CDLL(None), "mallopt", None)
    if mallopt is not None:
        mallopt(_MMAP_THRESHOLD, 1 << 30)
        mallopt(_TRIM_THRESHOLD, (1 << 31) - 1)


def _format_profile(
    name: str, workload: Workload, asked: RecordingRequest, done: MeasuredRun
) -> str:
    options = workload.options
    where = name_device(done.device) or describe_processor()
    settings: dict[str, Setting] = {
        "model": str(workload.model.__struct_config__.tag),
        "variant": name,
        "framework": f"PyTorch {torch.__version__}",
        "python": platform.python_version(),
        "device": where,
        "driver": f"CUDA {torch.version.cuda}" if done.device == "cuda" else "",
        "threads": torch.get_num_threads(),
        "parameters": done.parameters,
        "steps": asked.steps,
        **{
            field: getattr(options, field)
            for field in options.__struct_fields__
            if field != "threads"
        },
        **_describe_requests(workload.serving),
        "step_time": done.step,
        "matrix_rate": done.rate,
    }
    notes = (
        f"Warm-up: {asked.warm_up} steps. Without the profiler a step took "
        f"{done.step * 1e3:.4g} ms, median of {asked.steps}; {done.cost_words}. "
        "The input is random."
    )
    texts = {"title": workload.title, "description": workload.about, "notes": notes}
    return format_profile_toml(texts, done.flops, settings)


def _describe_requests(serving: ServingOptions | None) -> dict[str, Setting]:
    if serving is None:
        return {}
    return {"prompt": serving.prompt, "answer": serving.answer, "load": serving.load}


def _format_summary(name: str, workload: Workload, done: MeasuredRun) -> str:
    """Under the names that courses' own scripts use, with units in them."""
    trained = {
        "avg_training_speed_samples_per_s": workload.options.batch_size / mean(done.timed),
        "model_flops_per_step": done.flops,
        "model_flops_per_s": done.flops / done.step,
    }
    summary = {
        "workload": name,
        "device": name_device(done.device) or describe_processor(),
        "avg_batch_time_s": mean(done.timed),
        "median_batch_time_s": done.step,
        "peak_memory_mb": done.memory / _MEGABYTE,
        "peak_memory_of": "GPU's allocator" if done.device == "cuda" else "process",
        "parameters": done.parameters,
        **({} if workload.serving else trained),
        "matrix_product_flops_per_s": done.rate,
        "profiler_cost_ratio": done.cost,
        "batch_times_s": done.timed,
    }
    return json.dumps(summary, indent=1) + "\n"
