"""The part of a recording that is whole, where launches of another part have no kernels.

In:  launches. Out: when it begins and ends; the recording without the rest.
"""

from __future__ import annotations

import numpy as np

from perfolio.readers.events.plausibility.launch_matching import RecordedLaunches
from perfolio.readers.events.recording import NONE, RangeKind, Recording

_PART = 0.5
"""Of all launches that a part must have more than to stand for the recording."""


def find_complete_part(launches: RecordedLaunches) -> tuple[int, int] | None:
    """Begin and end of the longest part without a missing launch; None where that is short.

    Clocks of several processes may differ: then none stands for the others.
    """
    counted = np.flatnonzero(~launches.captured)
    missing = np.flatnonzero(launches.missing[counted])
    edges = np.concatenate(([-1], missing, [len(counted)]))
    longest = int(np.argmax(np.diff(edges)))
    before, after = int(edges[longest]), int(edges[longest + 1])
    if after - before - 1 <= _PART * len(counted) or _count_processes(launches) > 1:
        return None
    first, last = _find_ends(launches.recording)
    begin = first
    if before >= 0:
        begin = _find_outermost_begin(
            launches, int(counted[before + 1]), int(launches.stop[counted[before]])
        )
    end = int(launches.start[counted[after]]) if after < len(counted) else last
    return begin, end


def keep_part(recording: Recording, begin: int, end: int) -> None:
    """Leave out what is not in this part; ranges that reach beyond it end there.

    Operations that were launched in it run to their own end, however late.
    """
    operations, ranges, memory = recording.operations, recording.ranges, recording.memory
    operations.keep(
        (operations["start"] >= begin) & (operations["start"] < _find_last_begin(recording, end))
    )
    start, duration = ranges["start"], ranges["duration"]
    cut = (start < begin) | (start + duration > end)
    # A step of which a part is left out has no length that says anything.
    kept = (start < end) & (start + duration > begin) & ~(cut & (ranges["kind"] == RangeKind.STEP))
    stop = np.minimum(start + duration, end)
    start[:] = np.maximum(start, begin)
    duration[:] = np.maximum(stop - start, 0)
    ranges.keep(kept)
    memory.keep((memory["time"] >= begin) & (memory["time"] <= end))


def _find_last_begin(recording: Recording, end: int) -> int:
    """Until when operations that were launched before `end` may begin."""
    ranges, operations = recording.ranges, recording.operations
    calls = {
        number
        for number, begin in zip(
            ranges["correlation"].tolist(), ranges["start"].tolist(), strict=True
        )
        if number != NONE and begin < end
    }
    launched = np.isin(operations["correlation"], np.array(sorted(calls), np.int64))
    return max(end, int(operations["start"][launched].max(initial=end - 1)) + 1)


def _count_processes(launches: RecordedLaunches) -> int:
    lines = launches.recording.lines.all()
    used = np.unique(launches.recording.ranges["line"][launches.rows]).tolist()
    return len({lines[line].process for line in used})


def _find_outermost_begin(launches: RecordedLaunches, launch: int, after: int) -> int:
    """When the outermost range around a launch begins that begins after a moment."""
    ranges, row = launches.recording.ranges, int(launches.rows[launch])
    start, stop = ranges["start"], ranges["start"] + ranges["duration"]
    around = (ranges["line"] == ranges["line"][row]) & (start >= after)
    around &= (start <= start[row]) & (stop >= stop[row])
    return int(start[around].min(initial=int(start[row])))


def _find_ends(recording: Recording) -> tuple[int, int]:
    tables = [table for table in (recording.ranges, recording.operations) if len(table)]
    return (
        min(int(table["start"].min()) for table in tables),
        max(int((table["start"] + table["duration"]).max()) for table in tables) + 1,
    )
