"""Operations that last into the next one of their stream, which runs one after the other.

In:  a recording, and the call that launched each operation.
Out: the recording, in which each such operation ends where the next begins; how many, how much.

Two are no contradiction: operations of one launch of a graph, whose branches run side by side, and
a kernel that was launched to begin while the one before it ends (programmatic dependent launch).
"""

from __future__ import annotations

import re

import numpy as np
import numpy.typing as npt

from perfolio.readers.events.doubts import Doubt
from perfolio.readers.events.plausibility.launch_matching import GRAPH, match_range_names
from perfolio.readers.events.recording import NONE, Ints, Recording

_EARLY = re.compile(r"^cu(da)?LaunchKernelEx")
"""Calls by which a kernel may be told to begin before the one before it has ended."""


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
