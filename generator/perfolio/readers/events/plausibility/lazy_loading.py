"""First launches of kernels that load their code, and so take most of the time of all launches.

In:  launches, and the call that launched each operation. Out: a `Doubt`, or None.
"""

from __future__ import annotations

import numpy as np

from perfolio.readers.events.doubts import Doubt
from perfolio.readers.events.plausibility.launch_matching import RecordedLaunches
from perfolio.readers.events.recording import NONE, Ints

_LONG = 1_000_000
"""A launch of a kernel that is loaded takes some microseconds [ns]."""
_TIMES = 20
"""How many times as long as a usual launch one is that does something else."""
_PART = 0.5
"""Of the time of all launches."""


def find_slow_first_launches(launches: RecordedLaunches, call: Ints) -> Doubt | None:
    """Those that take most of the time of launches, if there are any."""
    recording = launches.recording
    chosen = launches.rows[launches.recorded & ~launches.of_graph]
    if not len(chosen):
        return None
    duration = recording.ranges["duration"]
    spent, usual = int(duration[chosen].sum()), float(np.median(duration[chosen]))
    slow = chosen[duration[chosen] > max(_LONG, _TIMES * usual)]
    if not len(slow):
        return None
    first = slow[np.isin(slow, _find_first_launches(launches, call))]
    loading = int(duration[first].sum())
    if loading <= _PART * spent:
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
