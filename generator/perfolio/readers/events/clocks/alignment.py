"""Times of a recording on one clock."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from perfolio.readers.events.clock_report import ClockOffset
from perfolio.readers.events.clocks.gpu_offsets import find_gpu_clocks
from perfolio.readers.events.clocks.host_offsets import find_host_clocks
from perfolio.readers.events.recording import Ints, Recording


def align_clocks(recording: Recording, call: Ints) -> None:
    """Take off constant offsets of clocks, and note what was found.

    `call`: the range that launched each operation, by position.
    """
    of_gpus = list(find_gpu_clocks(recording, call))
    _take_off(recording, of_gpus)
    of_hosts = list(find_host_clocks(recording))
    _take_off(recording, of_hosts)
    recording.clocks += [*of_gpus, *of_hosts]


def _take_off(recording: Recording, clocks: Sequence[ClockOffset]) -> None:
    """Move times to the clock of the host, or of the first rank; none becomes negative."""
    off = {(clock.process, clock.gpu): clock.offset for clock in clocks if clock.offset}
    if not off:
        return
    lines = recording.lines.all()
    of_line = np.array(
        [
            off.get((line.process, None), 0)
            + (off.get((line.process, line.device), 0) if line.is_gpu else 0)
            for line in lines
        ],
        np.int64,
    )
    tables = (
        (recording.ranges["line"], recording.ranges["start"]),
        (recording.operations["line"], recording.operations["start"]),
        (recording.memory["line"], recording.memory["time"]),
    )
    for line, time in tables:
        if len(time):
            np.subtract(time, of_line[line], out=time)
    lowest = min(int(time.min()) for _, time in tables if len(time))
    if lowest < 0:
        for _, time in tables:
            np.subtract(time, lowest, out=time)
