"""Times of operations that cannot be: of those that were not recorded, and of those that overlap.

Profilers write 0 in place of a time that they have not, or something absurd. And a stream runs one
operation after the other, so that none lasts into the next one. Two of these are no contradiction:
operations of one launch of a graph, whose branches run side by side, and a kernel that was launched
to begin while the one before it ends (programmatic dependent launch).

In:  a recording, and the call that launched each operation.
Out: which operations have a time; the recording, in which each ends where the next of its stream
     begins, with how many did not.
"""

from __future__ import annotations

import re

import numpy as np
import numpy.typing as npt

from perfolio.readers.events.doubts import Doubt
from perfolio.readers.events.plausibility.launch_matching import GRAPH, match_range_names
from perfolio.readers.events.recording import NONE, Ints, Recording

_DAY = 86_400_000_000_000
"""Nothing that is this far from most of a recording is part of it, unless that is as long."""
_EARLY = re.compile(r"^cu(da)?LaunchKernelEx")
"""Calls by which a kernel may be told to begin before the one before it has ended."""


def find_timed_operations(recording: Recording, call: Ints) -> npt.NDArray[np.bool_]:
    """Whether each operation has a time that can be true."""
    start = recording.operations["start"]
    return ~(_is_zero(recording, call) | _is_far(recording, start))


def _is_zero(recording: Recording, call: Ints) -> npt.NDArray[np.bool_]:
    """Begins at 0 of its file's clock: before its own call, or with no length."""
    start, duration = recording.operations["start"], recording.operations["duration"]
    zero = np.isin(start, sorted(recording.zeros))
    if not zero.any():
        return zero
    called = np.full(len(start), NONE, np.int64)
    called[call != NONE] = recording.ranges["start"][call[call != NONE]]
    found: npt.NDArray[np.bool_] = zero & ((called > start) | (duration == 0))
    return found


def _is_far(recording: Recording, start: Ints) -> npt.NDArray[np.bool_]:
    """Begins days before or after most of what was recorded."""
    known = recording.ranges["start"] if len(recording.ranges) else start
    low, middle, high = np.quantile(known, [0.1, 0.5, 0.9], method="nearest")
    found: npt.NDArray[np.bool_] = np.abs(start - middle) > max(_DAY, 10 * int(high - low))
    return found


def cut_overlaps(recording: Recording, call: Ints) -> Doubt | None:
    """End each operation where the next one of its stream begins, at the latest."""
    operations = recording.operations
    if len(operations) < 2:
        return None
    line, start = operations["line"], operations["start"]
    stop = start + operations["duration"]
    order = np.lexsort((stop, start, line))
    # One of no length says nothing of how long the others last.
    order = order[operations["duration"][order] > 0]
    first, second = order[:-1], order[1:]
    over = (line[first] == line[second]) & (start[second] < stop[first])
    first, second = first[over], second[over]
    impossible = _is_one_stream(recording, line[first]) & ~_find_allowed_overlaps(
        recording, call, first, second
    )
    first, second = first[impossible], second[impossible]
    if not len(first):
        return None
    lost = int((stop[first] - start[second]).sum())
    places = zip(line[first].tolist(), start[first].tolist(), strict=True)
    recorded = operations["duration"][first].tolist()
    recording.recorded |= dict(zip(places, recorded, strict=True))
    operations["duration"][first] = start[second] - start[first]
    return Doubt("overlaps", len(first), len(operations), lost)


def _is_one_stream(recording: Recording, line: Ints) -> npt.NDArray[np.bool_]:
    """Whether lines are known to be one stream: those of files without streams are not."""
    known = np.array(
        [isinstance(each.key, int) and each.key >= 0 for each in recording.lines.all()], np.bool_
    )
    return known[line]


def _find_allowed_overlaps(
    recording: Recording, call: Ints, first: Ints, second: Ints
) -> npt.NDArray[np.bool_]:
    """Whether operations may run while the next one of their stream does."""
    # Behind the last range stands an unknown call, NONE, which is none of these.
    of_graph = np.append(match_range_names(recording, GRAPH), False)
    early = np.append(match_range_names(recording, _EARLY), False)
    unknown = call[second] == NONE
    branches = (call[first] == call[second]) & (of_graph[call[second]] | unknown & of_graph.any())
    stop = recording.operations["start"] + recording.operations["duration"]
    found: npt.NDArray[np.bool_] = early[call[second]] & (stop[second] >= stop[first])
    found |= branches
    return found
