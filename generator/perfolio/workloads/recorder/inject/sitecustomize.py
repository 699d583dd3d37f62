"""Counts the optimizer's steps of the program that is recorded, and starts profilers around some.

Python imports this module when it starts, before the program, as its folder is on PYTHONPATH. It
imports nothing but the standard library until the program imports PyTorch, and runs with whatever
Python the program has: so it stands alone, and the environment says what it does:

    PERFOLIO_STEPS    first:last, the steps to record, from the end of one to the end of the other
    PERFOLIO_PROFILE  torch: PyTorch's profiler; cuda: the profiler outside, by CUDA's calls; else
                      nothing but the clock
    PERFOLIO_OUT      folder of what is written
    PERFOLIO_END      1: the program ends once its steps are recorded
"""

from __future__ import annotations

import atexit
import importlib.machinery
import importlib.util
import json
import os
import sys
import time
from collections.abc import Callable, Sequence
from pathlib import Path
from types import ModuleType
from typing import Any


class StepRecorder:
    """What was seen of the steps of the program's first optimizer."""

    def __init__(self) -> None:
        self.first, self.last = map(int, os.environ["PERFOLIO_STEPS"].split(":"))
        self.out = Path(os.environ["PERFOLIO_OUT"])
        self.rank = os.environ.get("RANK") or os.environ.get("SLURM_PROCID") or "0"
        self.ends = os.environ.get("PERFOLIO_END") == "1"
        kinds = {"torch": TorchProfiler, "cuda": CudaProfiler}
        kind = kinds.get(os.environ.get("PERFOLIO_PROFILE", ""), StepProfiler)
        self.profiler = kind(self.first, self.last, self.out / f"trace-rank{self.rank}.json.gz")
        self.optimizer, self.clock = 0, list[float]()
        self.about: dict[str, Any] = {}

    def stepped(self, optimizer: Any, *_: Any) -> None:
        """After each step of any optimizer; those of the first one count."""
        import torch

        if not self.optimizer:
            self.optimizer, self.about = id(optimizer), describe_program(torch, optimizer)
        if id(optimizer) != self.optimizer or len(self.clock) >= self.last:
            return
        if len(self.clock) + 1 in (self.first, self.last) and torch.cuda.is_available():
            torch.cuda.synchronize()
        self.clock.append(time.perf_counter())
        self.profiler.after(torch, len(self.clock))
        if len(self.clock) == self.last:
            self.write()
            if self.ends:
                raise SystemExit(0)

    def finish(self) -> None:
        """When the program ends: one with too few steps is recorded as far as it goes."""
        if self.optimizer and len(self.clock) < self.last:
            self.profiler.stop()
            self.write()

    def write(self) -> None:
        """What the clock showed after each step."""
        found = {**self.about, "rank": self.rank, "first": self.first, "clock": self.clock}
        aside = self.out / f"steps-rank{self.rank}.json.part"
        aside.write_text(json.dumps(found), "utf-8")
        aside.replace(aside.with_suffix(""))


class StepProfiler:
    """No profiler: the clock alone."""

    def __init__(self, first: int, last: int, place: Path) -> None:
        self.first, self.last, self.place = first, last, place

    def after(self, torch: Any, step: int) -> None:
        """Start, go on or stop, after so many steps."""

    def stop(self) -> None:
        """End what is open."""


class TorchProfiler(StepProfiler):
    """PyTorch's profiler, which warms up for the step before the first one."""

    profile: Any = None

    def after(self, torch: Any, step: int) -> None:
        """Start, go on or stop, after so many steps."""
        if step == self.first - 1:
            self.start(torch.profiler)
        elif self.profile is not None:
            self.profile.step()
            if step == self.last:
                self.stop()

    def start(self, profiler: Any) -> None:
        """Begin, with a trace at the end."""
        shapes = os.environ.get("PERFOLIO_SHAPES") == "1"
        self.profile = profiler.profile(
            activities=profiler.supported_activities(),
            schedule=profiler.schedule(wait=0, warmup=1, active=self.last - self.first, repeat=1),
            on_trace_ready=lambda done: done.export_chrome_trace(str(self.place)),
            record_shapes=shapes,
            with_flops=shapes,
        )
        self.profile.start()

    def stop(self) -> None:
        """End it, where it is open."""
        if self.profile is not None:
            profile, self.profile = self.profile, None
            profile.stop()


class CudaProfiler(StepProfiler):
    """A profiler outside, which CUDA's calls start and stop; each step is a range."""

    cuda: Any = None

    def after(self, torch: Any, step: int) -> None:
        """Start, go on or stop, after so many steps."""
        if step == self.first and torch.cuda.is_available():
            self.cuda = torch.cuda
            self.cuda.profiler.start()
        elif self.cuda is not None:
            self.cuda.nvtx.range_pop()
        if self.cuda is not None and step < self.last:
            self.cuda.nvtx.range_push(f"ProfilerStep#{step}")
        elif step == self.last:
            self.stop()

    def stop(self) -> None:
        """End it, where it is open."""
        if self.cuda is not None:
            self.cuda.profiler.stop()
            self.cuda = None


def describe_program(torch: Any, optimizer: Any) -> dict[str, Any]:
    """What tells a program from another one."""
    parameters = [each for group in optimizer.param_groups for each in group["params"]]
    devices = sorted({each.device.type for each in parameters})
    return {
        "framework": f"PyTorch {torch.__version__}",
        "python": sys.version.split()[0],
        "cuda": torch.version.cuda or "" if "cuda" in devices else "",
        "device": torch.cuda.get_device_name() if "cuda" in devices else "",
        "devices": devices,
        "threads": torch.get_num_threads(),
        "optimizer": type(optimizer).__name__,
        "parameters": sum(each.numel() for each in parameters),
        "precision": sorted({str(each.dtype) for each in parameters}),
    }


class ImportWatch:
    """Tells when the program has imported PyTorch, which is found as ever."""

    def __init__(self, then: Callable[[], None]) -> None:
        self.then = then

    def find_spec(
        self, name: str, _path: Sequence[str] | None = None, _target: ModuleType | None = None
    ) -> importlib.machinery.ModuleSpec | None:
        """Let the others find it, and note when it is there."""
        if name != "torch":
            return None
        sys.meta_path.remove(self)
        spec = importlib.util.find_spec(name)
        if spec is None or spec.loader is None:
            return spec
        execute, then = spec.loader.exec_module, self.then

        def executed(module: ModuleType) -> None:
            execute(module)
            then()

        spec.loader.exec_module = executed  # type: ignore[method-assign]
        return spec


def _start_recorder() -> None:
    recorder = StepRecorder()

    def listen() -> None:
        from torch.optim.optimizer import register_optimizer_step_post_hook

        register_optimizer_step_post_hook(recorder.stepped)
        atexit.register(recorder.finish)

    sys.meta_path.insert(0, ImportWatch(listen))


def _run_other_module() -> None:
    """The module of this name that the machine has, if any: this one stands before it."""
    here = Path(__file__).resolve().parent
    others = [place for place in sys.path if Path(place).resolve() != here]
    spec = importlib.machinery.PathFinder.find_spec("sitecustomize", others)
    if spec is not None and spec.loader is not None:
        spec.loader.exec_module(importlib.util.module_from_spec(spec))


if "PERFOLIO_STEPS" in os.environ:
    _start_recorder()
_run_other_module()
