"""What a timer of elapsed time sees of a thread.

It expires one period after the sample before. A thread that runs is interrupted at once, and one
that sleeps is woken; one that is due without a core, or within the kernel, gets its sample when it
runs on, in the code that it was in. The sample stands for all the time since the one before.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from perfolio.simulation.calling_paths import Path
from perfolio.simulation.cores.cpu_program import ElapsedTimer
from perfolio.simulation.cores.scheduler import DUE, HELD, ThreadLife


@dataclass(frozen=True)
class ThreadSample:
    """A sample, and the time since the one before or the thread's begin [ns]."""

    time: int
    path: Path
    since: int


def take_samples(
    life: ThreadLife, timer: ElapsedTimer, random: np.random.Generator
) -> list[ThreadSample]:
    """The samples of a thread in order of time."""
    found: list[ThreadSample] = []
    last, place, spans = life.begin, 0, life.spans
    while True:
        due = last + timer.period
        while place < len(spans) and spans[place].stop <= due:
            place += 1
        if place == len(spans):
            return found
        path, moment = spans[place].path, max(due, spans[place].start)
        while place < len(spans) and spans[place].state in (DUE, HELD):
            path, moment = spans[place].path, spans[place].stop
            place += 1
        time = moment + round(random.exponential(timer.lag * timer.period))
        if time > life.end:
            return found
        found.append(ThreadSample(time, path, time - last))
        last = time
