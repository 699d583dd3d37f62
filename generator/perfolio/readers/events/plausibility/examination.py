"""All that is examined of a recording, in its order."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace

import numpy as np

from perfolio.readers.events.clocks.alignment import align_clocks
from perfolio.readers.events.doubts import Doubt
from perfolio.readers.events.gpu_operations import find_launching_calls
from perfolio.readers.events.plausibility.complete_part import find_complete_part, keep_part
from perfolio.readers.events.plausibility.launch_matching import (
    RecordedLaunches,
    find_launches,
    find_slow_first_launches,
)
from perfolio.readers.events.plausibility.operation_times import cut_overlaps, find_timed_operations
from perfolio.readers.events.recording import NONE, Ints, OperationKind, Recording

MOST_MISSING = 0.05
"""Of launches, or of graph launches: with more, what is there does not stand for the whole."""
MOST_AT_THE_END = 4
"""Launches that may be missing since the recording ended before their kernels did."""
MOST_UNTIMED = 0.5
"""Of operations: with more, what is left is no lower bound of any use."""


def mend_recording(recording: Recording) -> Ints:
    """Mend a recording and its clocks, note its doubts; the call that launched each operation."""
    _forget_sizes_of_nothing(recording)
    every = find_launching_calls(recording)
    untimed, call = _drop_untimed(recording, every)
    align_clocks(recording, call)
    overlaps = cut_overlaps(recording, call)
    launches = find_launches(recording, call, every)
    found = (untimed, overlaps, *_find_captured(launches), find_slow_first_launches(launches, call))
    lost = [*_find_missing(launches)]
    recording.doubts += [doubt for doubt in (*found, *lost) if doubt is not None]
    if part := find_complete_part(launches) if _is_large_loss(lost) else None:
        recording.doubts.append(_leave_out_rest(launches, *part))
        call = find_launching_calls(recording)
    elif _is_large_loss(lost):
        recording.doubts = [_mark_void(doubt) for doubt in recording.doubts]
    return call


def _forget_sizes_of_nothing(recording: Recording) -> None:
    """No launch is of no blocks or threads: some tools write 0 for what they do not know."""
    if len(recording.operations):
        for name in ("blocks", "threads"):
            sizes = recording.operations[name]
            sizes[sizes == 0] = NONE


def _drop_untimed(recording: Recording, call: Ints) -> tuple[Doubt | None, Ints]:
    operations = recording.operations
    if not len(operations):
        return None, call
    timed = find_timed_operations(recording, call)
    if timed.all():
        return None, call
    number, whole = int((~timed).sum()), len(operations)
    operations.keep(timed)
    return Doubt("untimed", number, whole, voids=number > MOST_UNTIMED * whole), call[timed]


def _find_captured(launches: RecordedLaunches) -> Iterator[Doubt]:
    """Launches into a graph; void where they are more than what ran."""
    number = int(launches.captured.sum())
    if number:
        operations = launches.recording.operations
        ran = int((operations["kind"] == OperationKind.KERNEL).sum())
        yield Doubt("capture", number, len(launches.rows), voids=number > ran)


def _find_missing(launches: RecordedLaunches) -> Iterator[Doubt]:
    """Launches without what they launched, and the time of what was recorded for sure."""
    missing, recording = launches.missing, launches.recording
    parts = {"launches": ~launches.of_graph & ~launches.captured, "graphs": launches.of_graph}
    operations = recording.operations
    for name, own in parts.items():
        if number := int((missing & own).sum()):
            places = zip(operations["line"].tolist(), operations["start"].tolist(), strict=True)
            sure = np.array([place not in recording.recorded for place in places], np.bool_)
            time = int(operations["duration"][sure].sum()) if len(sure) else 0
            yield Doubt(name, number, int(own.sum()), time)


def _is_large_loss(lost: Sequence[Doubt]) -> bool:
    """Whether what is missing may be a large part of the GPU's work."""
    return any(
        doubt.number > MOST_MISSING * doubt.whole
        and (doubt.what == "graphs" or doubt.number > MOST_AT_THE_END)
        for doubt in lost
    )


def _mark_void(doubt: Doubt) -> Doubt:
    return replace(doubt, voids=doubt.voids or doubt.what in ("launches", "graphs"))


def _leave_out_rest(launches: RecordedLaunches, begin: int, end: int) -> Doubt:
    recording = launches.recording
    start = np.concatenate((recording.ranges["start"], recording.operations["start"]))
    length = np.concatenate((recording.ranges["duration"], recording.operations["duration"]))
    first, last = int(start.min()), int((start + length).max())
    number, whole = int(launches.missing.sum()), len(launches.rows)
    lost = max(begin - first, 0) + max(last - end, 0)
    keep_part(recording, begin, end)
    return Doubt("left_out", number, whole, lost, last - first)
