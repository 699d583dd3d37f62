"""Collectives as what they are: waiting until the last rank comes, then transfer.

In:  operations of all GPUs. Out: pieces of them, of which those of collectives that all ranks were
     recorded in are cut where the last rank comes.

The collectives of all GPUs are matched by their order, from the last one of the run on. From the
recording of one rank alone waiting cannot be told from transfer: nothing is cut there, and no rank
is named. So it is where ranks have collectives of other names, or ones that do not meet.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from perfolio.comparison.instant_network import (
    ProcessorMeetings,
    join_spans,
    measure_instant_time,
)
from perfolio.comparison.recorded_operations import GpuOperations
from perfolio.store.run_tables import RunTables

Integers = npt.NDArray[np.int64]
_COLLECTIVES = """
SELECT stream.device, CAST(coalesce(profile.rank, 0) AS BIGINT) AS rank,
    ran.start, ran.start + ran.duration AS stop,
    coalesce(named.function_name, named.name) AS name
FROM gpu_operation AS ran
JOIN gpu_stream AS stream ON stream.profile = ran.profile
JOIN profile ON profile."index" = ran.profile
JOIN kernel_class AS kind ON kind.context = ran.context AND kind.class = 'collective'
LEFT JOIN context_name AS named ON named.context = ran.context
WHERE ran.operation = 'kernel' AND gpus() > 1
ORDER BY stream.device, ran.start, ran.profile
"""
QUERIES = (_COLLECTIVES,)
_MOST_APART = 0.02
"""Share of matched collectives that may not meet: a clock that is off by little."""


@dataclass(frozen=True)
class Meetings:
    """When the last rank comes to each collective."""

    device: Integers
    start: Integers
    """Of the GPU's operation."""
    arrival: Integers
    """When the last rank begins its own [ns]."""
    rank: Integers
    """Which rank that is."""
    stop: Integers
    """Of the GPU's operation."""


def find_meetings(tables: RunTables) -> Meetings:
    """Collectives in which all GPUs of the run meet; none where that cannot be told."""
    lanes: dict[int, list[tuple[int, int, int, str]]] = {}
    for device, *rest in tables.rows(_COLLECTIVES):
        lanes.setdefault(device, []).append((rest[0], rest[1], rest[2], rest[3]))
    each = min((len(lane) for lane in lanes.values()), default=0)
    nothing = np.zeros(0, np.int64)
    none = Meetings(nothing, nothing, nothing, nothing, nothing)
    if len(lanes) < 2 or not each:
        return none
    last = {device: lane[-each:] for device, lane in lanes.items()}
    if len({tuple(one[3] for one in lane) for lane in last.values()}) != 1:
        return none
    start = np.array([[one[1] for one in lane] for lane in last.values()], np.int64)
    stop = np.array([[one[2] for one in lane] for lane in last.values()], np.int64)
    arrival = start.max(0)
    if (stop.min(0) < arrival).mean() > _MOST_APART:
        return none
    ranks = np.array([lane[0][0] for lane in last.values()], np.int64)[start.argmax(0)]
    count = len(last)
    return Meetings(
        np.repeat(np.array(list(last), np.int64), each),
        start.ravel(),
        np.tile(arrival, count),
        np.tile(ranks, count),
        stop.ravel(),
    )


def measure_instant_window(
    found: GpuOperations, meetings: Meetings, window: tuple[int, int]
) -> int | None:
    """The window with a network that takes no time [ns]; None where no collectives are matched."""
    processors = []
    for device in np.unique(meetings.device).tolist():
        own = meetings.device == device
        working = found.flag(lambda work: work.part == 0) & (found.device == device)
        work = join_spans(found.start[working], found.stop[working])
        processors.append(ProcessorMeetings(meetings.start[own], meetings.stop[own], work))
    return measure_instant_time(processors, window) if processors else None


@dataclass(frozen=True)
class OperationPieces:
    """Operations, some of them in two pieces."""

    device: Integers
    start: Integers
    stop: Integers
    context: Integers
    shapes: Integers
    waits_for: Integers
    """Rank that a piece waits for; -1 of all that does not wait."""
    is_call: npt.NDArray[np.bool_]
    """Whether it is the one piece of an operation by which that is counted."""
    begin: Integers
    """Of the operation [ns]."""


def split_collectives(found: GpuOperations, meetings: Meetings) -> OperationPieces:
    """All operations, collectives cut where all ranks meet in them: waits follow at the end."""
    index, arrival, rank = _match_meetings(found, meetings)
    cut = np.clip(arrival, found.start[index], found.stop[index])
    waited = cut > found.start[index]
    index, cut, rank = index[waited], cut[waited], rank[waited]
    start = found.start.copy()
    start[index] = cut  # what is left is transfer, and is the call
    count, more = len(found.start), len(index)
    return OperationPieces(
        np.concatenate([found.device, found.device[index]]),
        np.concatenate([start, found.start[index]]),
        np.concatenate([found.stop, cut]),
        np.concatenate([found.context, found.context[index]]),
        np.concatenate([found.shapes, found.shapes[index]]),
        np.concatenate([np.full(count, -1, np.int64), rank]),
        np.concatenate([np.ones(count, bool), np.zeros(more, bool)]),
        np.concatenate([found.start, found.start[index]]),
    )


def _match_meetings(
    found: GpuOperations, meetings: Meetings
) -> tuple[Integers, Integers, Integers]:
    """Places of operations that are such collectives, when the last rank comes, and which."""
    told = {
        (device, start): place
        for place, (device, start) in enumerate(
            zip(meetings.device.tolist(), meetings.start.tolist(), strict=True)
        )
    }
    meets = np.flatnonzero(found.flag(lambda work: work.part == 1)).tolist() if told else []
    pairs = [
        (place, told[key])
        for place in meets
        if (key := (int(found.device[place]), int(found.start[place]))) in told
    ]
    index = np.array([place for place, _ in pairs], np.int64)
    which = np.array([meeting for _, meeting in pairs], np.int64)
    return index, meetings.arrival[which], meetings.rank[which]
