"""A CPU program to a database with its ground truth, as HPCToolkit records it with REALTIME and -t.

The profile charges a sample to the function that it hit, also where that is inlined; the trace
has the point in the function that the code is compiled into. Where a sample comes more than five
periods after the one before, the trace is idle from one period after that one on.

The timer expires one period after the sample before. A thread that runs is interrupted at once, and
one that sleeps is woken; one that is due without a core, or within the kernel, gets its sample when
it runs on, in the code that it was in. The sample stands for all the time since the one before.
What is true of a thread follows from what it did, not from its samples.
"""

from __future__ import annotations

import json
from collections.abc import Iterator
from dataclasses import asdict, dataclass
from pathlib import Path as Folder

import numpy as np

from perfolio.readers.own_files import TRUTH
from perfolio.readers.run_description import NAME as DESCRIPTION
from perfolio.simulation.calling_paths import Path
from perfolio.simulation.context_tree import ContextTreeBuilder
from perfolio.simulation.cores.cpu_program import CpuProgram, ElapsedTimer
from perfolio.simulation.cores.scheduler import DUE, HELD, ThreadLife, ThreadSpan, schedule
from perfolio.simulation.hpctoolkit_export import HOST_ID
from perfolio.simulation.profiler_sampling import MEASURING
from perfolio.simulation.simulate import UNDESCRIBED
from perfolio.writers.hpctoolkit import (
    Database,
    Identifier,
    Metric,
    Profile,
    TracePoints,
    Values,
    write,
)
from perfolio.writers.hpctoolkit.model import APPLICATION_THREAD, MAIN_THREAD

EVENT = "REALTIME (sec)"
MARKED = 5
"""Periods after which the trace marks that a sample is late."""
WORKS, WAITS, LATE = "works", "waits", "late"


@dataclass(frozen=True)
class ThreadTimes:
    """Times of a thread's life [ns]; their sum is its life from when it first has a core."""

    works: int
    waits: int
    late: int
    changes: int
    """How often it changed between the three."""
    times_late: int
    """How often it was late without a break."""


@dataclass(frozen=True)
class ThreadSample:
    """A sample, and the time since the one before or the thread's begin [ns]."""

    time: int
    path: Path
    since: int


@dataclass(frozen=True)
class SampledThread:
    """A thread, and the samples of it."""

    life: ThreadLife
    samples: list[ThreadSample]

    @property
    def entry(self) -> int:
        """The entry point that it is below."""
        return APPLICATION_THREAD if self.life.number else MAIN_THREAD


def write_program(program: CpuProgram, folder: Folder) -> None:
    """Simulate a program into `folder`, with truth.json. Raises ValueError if it never ends."""
    lives = schedule(program)
    threads = [
        SampledThread(life, take_samples(life, program.timer, np.random.default_rng(seed)))
        for life in lives
        for seed in [(program.seed, MEASURING, life.process, life.number)]
    ]
    contexts = ContextTreeBuilder()
    values = [_sum_samples(number, one, contexts) for number, one in enumerate(threads, 1)]
    traces = [
        _make_trace_points(number, one, contexts, program.timer.period)
        for number, one in enumerate(threads, 1)
    ]
    database = Database(
        title=program.executable,
        metrics=(Metric(EVENT),),
        entry_points=contexts.entry_points(),
        tree=contexts.tree(),
        profiles=tuple(_make_profile(program, life) for life in lives),
        functions=contexts.functions(),
        modules=contexts.modules(),
        files=contexts.files(),
        beside={TRUTH: _format_truth(lives), DESCRIPTION: UNDESCRIBED},
    )
    write(database, folder, values, traces, replace=True)


def _format_truth(lives: list[ThreadLife]) -> bytes:
    """Where the time of each thread went, in the order of profiles [ns]."""
    found = [{"begin": one.begin, "end": one.end, **asdict(sum_thread_times(one))} for one in lives]
    return (json.dumps({"threads": found}, indent=2) + "\n").encode("utf-8")


def _make_profile(program: CpuProgram, life: ThreadLife) -> Profile:
    rank = program.processes[life.process].rank
    ranks = () if rank is None else (Identifier("RANK", rank),)
    return Profile((Identifier("NODE", 0, HOST_ID), *ranks, Identifier("THREAD", life.number)))


def _sum_samples(number: int, thread: SampledThread, contexts: ContextTreeBuilder) -> Values:
    costs: dict[Path, int] = {}
    for one in thread.samples:
        costs[one.path] = costs.get(one.path, 0) + one.since
    return Values(
        profile=number,
        context=np.array([contexts.of(thread.entry, path) for path in costs], np.uint32),
        metric=np.zeros(len(costs), np.uint16),
        value=np.array(list(costs.values()), np.float64) / 1e9,
    )


def _make_trace_points(
    number: int, thread: SampledThread, contexts: ContextTreeBuilder, period: int
) -> TracePoints:
    columns = np.array(list(_list_line_points(thread, contexts, period)), np.uint64).reshape(-1, 2)
    return TracePoints(number, columns[:, 0], columns[:, 1].astype(np.uint32))


def _list_line_points(
    thread: SampledThread, contexts: ContextTreeBuilder, period: int
) -> Iterator[tuple[int, int]]:
    """Begin, samples, and where the trace is idle."""
    yield thread.life.begin, 0
    last = 0
    for one in thread.samples:
        if last and one.time - last > MARKED * period:
            yield last + period, 0
        yield one.time, contexts.of(thread.entry, cut_inlined_frames(one.path))
        last = one.time


def cut_inlined_frames(path: Path) -> Path:
    """A path up to the function that its code is compiled into."""
    last = max(place for place, frame in enumerate(path) if not frame.inlined)
    return path[: last + 1]


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


def sum_thread_times(life: ThreadLife) -> ThreadTimes:
    """Where the time of a thread went."""
    times = {WORKS: 0, WAITS: 0, LATE: 0}
    begun: list[str] = []
    for span in life.spans:
        state = _decide_state(span)
        times[state] += span.stop - span.start
        if begun[-1:] != [state]:
            begun.append(state)
    return ThreadTimes(**times, changes=len(begun), times_late=begun.count(LATE))


def _decide_state(span: ThreadSpan) -> str:
    if span.waits:
        return WAITS
    return LATE if span.state in (DUE, HELD) else WORKS
