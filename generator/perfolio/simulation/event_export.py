"""What happened in a run as events with begin and end, which other formats than HPCToolkit's hold.

In:  a scenario and the recording of its run. Out: `perfolio.writers.events.model.RecordedEvents`.

A thread stays in the frames that two of its segments share: where one follows the other at once,
they are one range. A call of the GPU's interface is a range of its own.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field
from itertools import pairwise

import numpy as np

from perfolio.readers.code_names import PYTHON_MODULE
from perfolio.simulation.calling_paths import PathFrame
from perfolio.simulation.scenario import Scenario
from perfolio.simulation.simulated_events import COPY, LAUNCH, SimulatedRecording
from perfolio.writers.events import model

FIRST_STREAM = 7
_KINDS: tuple[model.OperationKind, ...] = ("kernel", "copy h2d", "copy d2h", "copy d2d")
_RUNTIMES = ("libcudart", "libamdhip64", "libcuda.")


def make_events(scenario: Scenario, recording: SimulatedRecording) -> model.RecordedEvents:
    """All that a tool without samples can see of a run."""
    threads = tuple(
        model.RecordedThread(one.rank, one.number, one.name) for one in recording.threads
    )
    operations = recording.operations
    submitted = np.unique(operations.call[operations.call >= 0]).tolist()
    correlations = {segment: number for number, segment in enumerate(submitted, 1)}
    ranges = sorted(
        (
            one
            for number in range(len(threads))
            for one in _list_ranges(recording, number, threads, correlations)
        ),
        key=lambda one: (one.start, -one.stop),
    )
    return model.RecordedEvents(
        title=scenario.executable,
        vendor=scenario.device.vendor,
        ranks=scenario.ranks.count,
        multiprocessors=scenario.device.multiprocessors,
        threads=threads,
        ranges=tuple(ranges),
        operations=tuple(_list_operations(scenario, recording, threads, correlations)),
        steps=tuple(_list_steps(recording)),
    )


@dataclass
class _OpenRanges:
    """The ranges that a thread is in, the outermost first."""

    thread: model.RecordedThread
    frames: list[PathFrame] = field(default_factory=list)
    starts: list[int] = field(default_factory=list)
    correlations: list[int] = field(default_factory=list)

    def shared(self, path: tuple[PathFrame, ...]) -> int:
        """How many of the open frames a path begins with."""
        pairs = zip(self.frames, path, strict=False)
        same = [one.name == other.name and one.module == other.module for one, other in pairs]
        return same.index(False) if False in same else len(same)

    def close(self, depth: int, moment: int) -> Iterator[model.RecordedRange]:
        """End what lies deeper than `depth`."""
        while len(self.frames) > depth:
            frame, start = self.frames.pop(), self.starts.pop()
            if named := _make_range(self.thread, frame, start, moment, self.correlations.pop()):
                yield named

    def open(self, path: tuple[PathFrame, ...], moment: int, correlation: int) -> None:
        """Begin what the path has beyond what is open."""
        for frame in path[len(self.frames) :]:
            self.frames.append(frame)
            self.starts.append(moment)
            self.correlations.append(0)
        if correlation and self.correlations:
            self.correlations[-1] = correlation


def _list_ranges(
    recording: SimulatedRecording,
    number: int,
    threads: tuple[model.RecordedThread, ...],
    correlations: dict[int, int],
) -> Iterator[model.RecordedRange]:
    segments, now = recording.segments, _OpenRanges(threads[number])
    last = 0
    own = np.flatnonzero(segments.thread == number)
    for row in own[np.argsort(segments.start[own], kind="stable")].tolist():
        start, stop = int(segments.start[row]), int(segments.stop[row])
        path = recording.paths[int(segments.path[row])]
        depth = now.shared(path) if start == last else 0
        if row in correlations or (
            _is_call(segments.activity[row]) and not _is_continued(now, path)
        ):
            depth = min(depth, len(path) - 1)
        yield from now.close(depth, last)
        now.open(path, start, correlations.get(row, 0))
        last = stop
    yield from now.close(0, last)


def _is_call(activity: np.int64) -> bool:
    return int(activity) in (LAUNCH, COPY)


def _is_continued(now: _OpenRanges, path: tuple[PathFrame, ...]) -> bool:
    """Whether a call that waits is still the one that was begun."""
    return len(now.frames) == len(path) and now.shared(path) == len(path)


def _make_range(
    thread: model.RecordedThread, frame: PathFrame, start: int, stop: int, correlation: int
) -> model.RecordedRange | None:
    """A frame as a range; top-level code has no name, and is none."""
    if not frame.name or stop <= start:
        return None
    if frame.module == PYTHON_MODULE:
        kind: model.RangeKind = "python"
    else:
        module = frame.module.rpartition("/")[2]
        kind = "call" if module.startswith(_RUNTIMES) else "function"
    name = frame.name.partition(" [")[0] if kind != "python" else frame.name
    return model.RecordedRange(
        thread, kind, name, frame.module, frame.file, frame.line, start, stop, correlation
    )


def _list_operations(
    scenario: Scenario,
    recording: SimulatedRecording,
    threads: tuple[model.RecordedThread, ...],
    correlations: dict[int, int],
) -> Iterator[model.RecordedOperation]:
    done = recording.operations
    kernels = list(scenario.kernels.values())
    numbers = {name: place for place, name in enumerate(scenario.kernels)}
    order = np.argsort(done.start, kind="stable")
    for row in order.tolist():
        kernel = None
        if done.kernel[row] >= 0:
            kernel = kernels[numbers[recording.kernels[int(done.kernel[row])]]]
        yield model.RecordedOperation(
            rank=int(done.rank[row]),
            stream=FIRST_STREAM + int(done.stream[row]),
            kind=_KINDS[int(done.kind[row])],
            name=kernel.name if kernel else "",
            start=int(done.start[row]),
            stop=int(done.stop[row]),
            correlation=correlations.get(int(done.call[row]), 0),
            thread=threads[int(done.thread[row])],
            size=0 if kernel else int(done.size[row]),
            pinned=bool(done.pinned[row]),
            graph=bool(done.graph[row]),
            launch=model.LaunchSizes(
                kernel.blocks,
                kernel.threads,
                kernel.registers,
                kernel.static_shared,
                kernel.dynamic_shared,
            )
            if kernel
            else None,
        )


def _list_steps(recording: SimulatedRecording) -> Iterator[model.RecordedStep]:
    for rank, begins in enumerate(recording.iterations.tolist()):
        for number, (start, stop) in enumerate(pairwise(begins)):
            yield model.RecordedStep(rank, number, start, stop)
