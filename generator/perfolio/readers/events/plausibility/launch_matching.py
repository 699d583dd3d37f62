"""Calls that launch kernels or graphs, and whether the recording holds what they launched.

In:  a recording, and the call that launched each operation.
Out: `RecordedLaunches`, and a doubt where first launches of kernels, which load their code, take
     most of the time of all launches.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from functools import cached_property

import numpy as np
import numpy.typing as npt

from perfolio.readers.events.doubts import Doubt
from perfolio.readers.events.recording import NONE, Ints, OperationKind, RangeKind, Recording

Mask = npt.NDArray[np.bool_]
GRAPH = re.compile(r"^(cuda|cu|hip)GraphLaunch")
_KERNEL = re.compile(
    r"^(cuda|cu|hip)(Ext|Module|ExtModule)?Launch(?!HostFunc|Attr|Id)|^cudaLaunch$"
)
_BEGIN = re.compile(r"^(cuda|cu|hip)StreamBeginCapture")
_END = re.compile(r"^(cuda|cu|hip)StreamEndCapture")
_LONG_LAUNCH = 1_000_000
"""A launch of a kernel that is loaded takes some microseconds [ns]."""
_TIMES_USUAL = 20
"""How many times as long as a usual launch one is that does something else."""
_PART_OF_LAUNCHES = 0.5
"""Of the time of all launches."""


def match_range_names(recording: Recording, pattern: re.Pattern[str]) -> Mask:
    """Whether each range has a name that begins so, of calls of a runtime."""
    names = [bool(pattern.match(code.name)) for code in recording.codes.all()]
    ranges = recording.ranges
    if not any(names):
        return np.zeros(len(ranges), np.bool_)
    code = ranges["code"]
    found = np.array(names, np.bool_)[code]
    found &= (code != NONE) & (ranges["kind"] == RangeKind.CALL)
    return found


@dataclass(frozen=True)
class RecordedLaunches:
    """Launches in order of time, none of which holds another one."""

    recording: Recording
    rows: Ints
    """Rows of ranges."""
    of_graph: Mask
    recorded: Mask
    """Whether what each launched was recorded."""
    captured: Mask
    """Whether it was captured into a graph, and so launched nothing."""
    unlinked: int
    """Operations of which no call is known."""

    @cached_property
    def missing(self) -> Mask:
        """Those of which it is known that what they launched is not in the recording.

        Of a recording with as many operations of an unknown call, it is not known.
        """
        found = ~self.recorded & ~self.captured
        return found if int(found.sum()) > self.unlinked else np.zeros_like(found)

    @property
    def start(self) -> Ints:
        """When each begins."""
        return self.recording.ranges["start"][self.rows]

    @property
    def stop(self) -> Ints:
        """When each ends."""
        return self.start + self.recording.ranges["duration"][self.rows]


def find_launches(recording: Recording, call: Ints, every: Ints) -> RecordedLaunches:
    """All launches of a recording; `every` has the calls of operations without a time, too."""
    ranges = recording.ranges
    of_graph = match_range_names(recording, GRAPH)
    rows = np.flatnonzero(of_graph | match_range_names(recording, _KERNEL))
    rows = rows[~_has_inner_launch(recording, rows)]
    rows = rows[np.argsort(ranges["start"][rows], kind="stable")]
    recorded = np.zeros(len(ranges), np.bool_)
    recorded[every[every != NONE]] = True
    kernels = recording.operations["kind"] == OperationKind.KERNEL
    return RecordedLaunches(
        recording,
        rows,
        of_graph[rows],
        recorded[rows],
        _find_captured(recording, rows) & ~recorded[rows],
        int((kernels & (call == NONE)).sum()),
    )


def _has_inner_launch(recording: Recording, rows: Ints) -> Mask:
    """Whether a launch calls another one, as that of a runtime calls that of the driver."""
    line, start = recording.ranges["line"][rows], recording.ranges["start"][rows]
    stop = start + recording.ranges["duration"][rows]
    order = np.lexsort((-stop, start, line))
    holds = np.zeros(len(rows), np.bool_)
    first, second = order[:-1], order[1:]
    holds[first] = (line[first] == line[second]) & (start[second] < stop[first])
    return holds


def _find_captured(recording: Recording, rows: Ints) -> Mask:
    """Whether each begins while its process captures a graph."""
    ranges = recording.ranges
    begins = np.flatnonzero(match_range_names(recording, _BEGIN))
    ends = np.flatnonzero(match_range_names(recording, _END))
    found = np.zeros(len(rows), np.bool_)
    if not len(begins) + len(ends):
        return found
    processes = np.array([line.process for line in recording.lines.all()], np.int64)
    owner, start = processes[ranges["line"]], ranges["start"]
    for process in np.unique(owner[np.concatenate((begins, ends))]).tolist():
        opened = np.sort(start[begins[owner[begins] == process]])
        closed = np.sort(start[ends[owner[ends] == process]])
        mine = owner[rows] == process
        before = np.searchsorted(opened, start[rows]) - np.searchsorted(closed, start[rows])
        # What ends without a begin was begun before the recording.
        early = max(0, -_compute_lowest_open(opened, closed))
        found |= mine & (before + early > 0)
    return found


def _compute_lowest_open(opened: Ints, closed: Ints) -> int:
    """The least number of open captures, if none was open at first."""
    moments = np.concatenate((opened, closed))
    steps = np.concatenate((np.ones(len(opened), np.int64), np.full(len(closed), -1, np.int64)))
    return int(np.cumsum(steps[np.argsort(moments, kind="stable")]).min(initial=0))


def find_slow_first_launches(launches: RecordedLaunches, call: Ints) -> Doubt | None:
    """Those that take most of the time of launches, if there are any."""
    recording = launches.recording
    chosen = launches.rows[launches.recorded & ~launches.of_graph]
    if not len(chosen):
        return None
    duration = recording.ranges["duration"]
    spent, usual = int(duration[chosen].sum()), float(np.median(duration[chosen]))
    slow = chosen[duration[chosen] > max(_LONG_LAUNCH, _TIMES_USUAL * usual)]
    if not len(slow):
        return None
    first = slow[np.isin(slow, _find_first_launches(launches, call))]
    loading = int(duration[first].sum())
    if loading <= _PART_OF_LAUNCHES * spent:
        return None
    return Doubt("first_launches", len(first), len(chosen), loading, spent)


def _find_first_launches(launches: RecordedLaunches, call: Ints) -> Ints:
    """The first recorded launch of each kernel in each process."""
    operations = launches.recording.operations
    rows = np.flatnonzero(call != NONE)
    processes = np.array([line.process for line in launches.recording.lines.all()], np.int64)
    begin = launches.recording.ranges["start"][call[rows]]
    rows = rows[np.argsort(begin, kind="stable")]
    kernel = np.stack((processes[operations["line"][rows]], operations["code"][rows]))
    _, first = np.unique(kernel, axis=1, return_index=True)
    return call[rows[first]]
