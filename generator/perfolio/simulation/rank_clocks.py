"""One rank's clocks: its host threads, GPU streams, copy engines and loader.

The steps of a rank follow one line of control, which passes from thread to thread (as
PyTorch's backward pass runs on a thread of its own while the main thread waits).
"""

from __future__ import annotations

import math
from dataclasses import dataclass, field

import numpy as np

from perfolio.simulation.calling_paths import Path
from perfolio.simulation.quantity_parser import Duration
from perfolio.simulation.scenario import AMD, Scenario
from perfolio.simulation.simulated_events import (
    BEGIN,
    HOST,
    WAIT_GPU,
    WAIT_LOADER,
    EventRecorder,
    make_native_frame,
)

APIS = {
    "launch": ("cudaLaunchKernel", "hipLaunchKernel"),
    "graph": ("cudaGraphLaunch", "hipGraphLaunch"),
    "copy": ("cudaMemcpyAsync", "hipMemcpyAsync"),
    "wait": ("cudaStreamSynchronize", "hipStreamSynchronize"),
}
RUNTIMES = ("libcudart.so.12", "libamdhip64.so.6")
WORKER = "worker"


def draw_time(random: np.random.Generator, time: Duration, factor: float = 1.0) -> int:
    """A time of this mean and spread [ns], 0 or more."""
    mean = time.mean * factor
    if time.spread <= 0.0 or mean <= 0.0:
        return round(mean)
    variance = math.log1p(time.spread**2)
    normal = float(random.standard_normal())
    return round(mean * math.exp(math.sqrt(variance) * normal - variance / 2.0))


@dataclass
class RankClocks:
    """State of a rank; times in nanoseconds since the epoch."""

    scenario: Scenario
    rank: int
    recorder: EventRecorder
    random: np.random.Generator
    now: int = BEGIN
    thread: int = -1
    phase: int = -1
    iteration: int = -1
    warmed: int = -1
    """The last iteration that took longer once for its warm-up."""
    graph: bool = False
    """Whether a graph launches what is submitted."""
    called: int = -1
    """The segment in which the last submitting call begins; -1 where that took no time."""
    slow: float = 1.0
    """Factor of host times: that of the rank times that of the warm-up."""
    streams: dict[str, int] = field(default_factory=dict)
    """When all that was submitted to each stream is done."""
    engines: dict[str, int] = field(default_factory=dict)
    """When the copy engine of each direction is free."""
    threads: dict[str, int] = field(default_factory=dict)
    free: list[int] = field(default_factory=list)
    """When each worker of the loader is free."""
    taken: list[int] = field(default_factory=list)
    """When each batch was taken from the loader."""

    def draw(self, time: Duration, factor: float = 1.0) -> int:
        """A time of this mean and spread [ns], 0 or more."""
        return draw_time(self.random, time, factor)

    def api(self, call: str) -> Path:
        """The frame of a call of the GPU's interface."""
        amd = self.scenario.device.vendor == AMD
        return (make_native_frame(APIS[call][amd], RUNTIMES[amd]),)

    def enter(self, thread: str, phase: str) -> None:
        """Control passes to a thread, for a phase."""
        if thread not in self.threads:
            self.threads[thread] = self.recorder.thread(self.rank, thread, self.now)
        self.thread, self.phase = self.threads[thread], self.recorder.phase(phase)

    def spend(self, until: int, path: int, activity: int, *, runs: bool = True) -> None:
        """Control stays in a path until a moment; nothing where that has passed."""
        if until <= self.now:
            return
        values = (self.now, until, path, activity, runs, True, self.phase, self.iteration)
        self.recorder.segment(self.thread, *values)
        self.now = until

    def call(self, time: Duration, path: int, activity: int) -> None:
        """A call that submits something: operations name the segment that it begins in."""
        before = self.recorder.segments
        self.work(time, path, activity)
        self.called = before if self.recorder.segments > before else -1

    def work(self, time: Duration, path: int, activity: int = HOST) -> None:
        """Host work."""
        self.spend(self.now + self.draw(time, self.slow), path, activity)

    def wait(self, until: int, path: int) -> None:
        """Wait for the GPU."""
        self.spend(until, path, WAIT_GPU, runs=self.scenario.host.spins)

    def start_loader(self) -> None:
        """The workers of the loader begin."""
        workers = self.scenario.loader.workers
        self.free = [self.now] * workers
        for worker in range(workers):
            name = f"{WORKER} {worker}"
            self.threads[name] = self.recorder.thread(self.rank, name, self.now)

    def load(self, path: int) -> None:
        """Take the next batch, made by the workers in turn; none is too far ahead."""
        loader, batch = self.scenario.loader, len(self.taken)
        worker, ahead = batch % loader.workers, loader.workers * loader.prefetch
        start = max(self.free[worker], self.taken[batch - ahead] if batch >= ahead else 0)
        stop = start + self.draw(loader.time, self.slow)
        made = self.recorder.path(loader.path)
        thread = self.threads[f"{WORKER} {worker}"]
        if stop > start:
            values = (start, stop, made, HOST, True, False, self.phase, self.iteration)
            self.recorder.segment(thread, *values)
        self.free[worker] = stop
        self.spend(stop, path, WAIT_LOADER, runs=False)
        self.taken.append(self.now)
