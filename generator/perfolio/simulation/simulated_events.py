"""What happened in a simulated run: events, and nothing of how they were measured.

Times are whole nanoseconds since the epoch. `EventRecorder` collects, `SimulatedRecording` holds
columns.
"""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass
from functools import cache

import numpy as np
import numpy.typing as npt

from perfolio.simulation.calling_paths import Path, PathFrame

Whole = npt.NDArray[np.int64]
KINDS = ("kernel", "copy h2d", "copy d2h", "copy d2d")
HOST, DISPATCH, LAUNCH, COPY, SERIALISED, WAIT_GPU, WAIT_LOADER = range(7)
ACTIVITIES = (
    "host work",
    "preparing a launch or copy",
    "launching",
    "in a copy",
    "serialised by PC sampling",
    "waiting for the GPU",
    "waiting for the loader",
)
BEGIN = 1_790_000_000_000_000_000
"""When simulated runs begin: some day in September 2026 [ns]."""


@dataclass(frozen=True)
class HostThread:
    """A host thread of a rank, and its life."""

    rank: int
    number: int
    name: str
    begin: int
    end: int


@dataclass(frozen=True)
class ThreadSegments:
    """What host threads did, in order of time per thread; columns of equal length."""

    thread: Whole
    start: Whole
    stop: Whole
    path: Whole
    activity: Whole
    runs: npt.NDArray[np.bool_]
    """Whether the thread uses its core."""
    control: npt.NDArray[np.bool_]
    """Whether it is the thread that takes the steps; these follow each other without a gap."""
    phase: Whole
    """Position in `Recording.phases`."""
    iteration: Whole
    """From 0; -1 before and after the iterations."""


@dataclass(frozen=True)
class GpuOperations:
    """What GPUs did, in the order of their submission; columns of equal length."""

    rank: Whole
    stream: Whole
    kind: Whole
    start: Whole
    stop: Whole
    path: Whole
    kernel: Whole
    """Position in `Recording.kernels`, -1 for copies."""
    size: Whole
    """Bytes of a copy or collective."""
    pinned: npt.NDArray[np.bool_]
    thread: Whole
    iteration: Whole
    graph: npt.NDArray[np.bool_]
    """Whether a graph launched it."""
    call: Whole
    """Position of the segment in which its call begins; -1 where that took no time."""


@dataclass(frozen=True)
class SimulatedRecording:
    """A run."""

    paths: tuple[Path, ...]
    kernels: tuple[str, ...]
    phases: tuple[str, ...]
    streams: tuple[str, ...]
    threads: tuple[HostThread, ...]
    segments: ThreadSegments
    operations: GpuOperations
    iterations: Whole
    """When each iteration began on each rank: a row per rank, and a column more than there
    are iterations, for the end of the last one [ns]."""


class EventRecorder:
    """Collects events of all ranks."""

    def __init__(self, kernels: tuple[str, ...]) -> None:
        self._kernels = {name: index for index, name in enumerate(kernels)}
        self._paths: dict[Path, int] = {}
        self._known: dict[tuple[int, Path], tuple[Path, int]] = {}
        self._phases: dict[str, int] = {}
        self._streams: dict[str, int] = {}
        self._threads: list[HostThread] = []
        self._threads_of: Counter[int] = Counter()
        self._segments: list[tuple[int | bool, ...]] = []
        self._operations: list[tuple[int | bool, ...]] = []

    def path(self, path: Path, inner: Path = ()) -> int:
        """Number of the path that `inner` goes on from `path`."""
        found = self._known.get((id(path), inner))
        if found is None:
            number = self._paths.setdefault((*path, *inner), len(self._paths))
            found = self._known[(id(path), inner)] = (path, number)  # keeps its id in use
        return found[1]

    def kernel(self, name: str) -> int:
        """Number of a kernel."""
        return self._kernels[name]

    def phase(self, name: str) -> int:
        """Number of a phase."""
        return self._phases.setdefault(name, len(self._phases))

    def stream(self, name: str) -> int:
        """Number of a stream, the same on each rank."""
        return self._streams.setdefault(name, len(self._streams))

    def thread(self, rank: int, name: str, begin: int) -> int:
        """A new thread; numbers count from 0 on each rank."""
        number = self._threads_of[rank]
        self._threads_of[rank] += 1
        self._threads.append(HostThread(rank, number, name, begin, begin))
        return len(self._threads) - 1

    def segment(self, *values: int | bool) -> None:
        """A segment, in the order of the columns of `ThreadSegments`."""
        self._segments.append(values)

    @property
    def segments(self) -> int:
        """How many segments there are so far."""
        return len(self._segments)

    def operation(self, *values: int | bool) -> None:
        """An operation, in the order of the columns of `GpuOperations`."""
        self._operations.append(values)

    def done(self, iterations: list[list[int]], ends: list[int]) -> SimulatedRecording:
        """All events; `ends` says when each rank ended."""
        threads = tuple(
            HostThread(one.rank, one.number, one.name, one.begin, ends[one.rank])
            for one in self._threads
        )
        return SimulatedRecording(
            paths=tuple(self._paths),
            kernels=tuple(self._kernels),
            phases=tuple(self._phases),
            streams=tuple(self._streams),
            threads=threads,
            segments=_make_segments(self._segments),
            operations=_make_operations(self._operations),
            iterations=np.array(iterations, np.int64),
        )


def _make_segments(rows: list[tuple[int | bool, ...]]) -> ThreadSegments:
    columns = np.array(rows, np.int64).reshape(-1, 9).T
    thread, start, stop, path, activity, runs, control, phase, iteration = columns
    return ThreadSegments(
        thread, start, stop, path, activity, runs != 0, control != 0, phase, iteration
    )


def _make_operations(rows: list[tuple[int | bool, ...]]) -> GpuOperations:
    columns = np.array(rows, np.int64).reshape(-1, 13).T
    rank, stream, kind, start, stop, path, kernel, size = columns[:8]
    pinned, thread, iteration, graph, call = columns[8:]
    return GpuOperations(
        rank,
        stream,
        kind,
        start,
        stop,
        path,
        kernel,
        size,
        pinned != 0,
        thread,
        iteration,
        graph != 0,
        call,
    )


@cache
def make_native_frame(name: str, module: str = "") -> PathFrame:
    """A native function, named as HPCToolkit names it."""
    return PathFrame(f"{name} [{module}]" if module else name, module)
