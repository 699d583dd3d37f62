"""The time of a run's GPUs in a window, divided among kinds of work.

In:  operations of a window. Out: rows that sum, with idle times, to the window of all GPUs.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from perfolio.comparison.collective_waits import Meetings, OperationPieces, split_collectives
from perfolio.comparison.division import DividedLane, LaneOperations, divide_lane
from perfolio.comparison.recorded_operations import GpuOperations, WorkContext
from perfolio.comparison.run_record import Part, TimeRow
from perfolio.comparison.steady_window import SteadyWindow

Integers = npt.NDArray[np.int64]
_PARTS: tuple[Part, ...] = ("kernel", "collective", "copy")


@dataclass(frozen=True)
class DividedGpus:
    """The time of all GPUs in a window."""

    rows: tuple[TimeRow, ...]
    """Without idle time, and with those of no time that were called."""
    lanes: Mapping[int, DividedLane]
    """By GPU: its rows are those of `keys`."""
    parts: Mapping[int, Mapping[str, int]]
    """By GPU and part [ns]."""


def divide_gpus(found: GpuOperations, meetings: Meetings, window: SteadyWindow) -> DividedGpus:
    """The rows of a window, and its idle times by GPU."""
    pieces = split_collectives(found, meetings)
    keys, row = _number_rows(found, pieces)
    part = np.array([key.part for key in keys], np.int64)[row] if keys else row
    calls = np.bincount(
        row[pieces.is_call & (pieces.begin >= window.start) & (pieces.begin < window.stop)],
        minlength=len(keys),
    )
    spent, lanes, parts = np.zeros(len(keys), np.int64), {}, {}
    most = np.zeros(len(keys), np.int64)
    for device in found.ranks:
        own = pieces.device == device
        operations = LaneOperations(pieces.start[own], pieces.stop[own], part[own], row[own])
        lane = divide_lane(operations, len(keys), (window.start, window.stop))
        lanes[device], spent, most = lane, spent + lane.spent, np.maximum(most, lane.spent)
        parts[device] = _sum_parts(keys, lane)
    several = len(lanes) > 1
    rows = tuple(
        key.make_row(int(spent[place]), int(calls[place]), int(most[place]) if several else None)
        for place, key in enumerate(keys)
        if spent[place] or calls[place]
    )
    return DividedGpus(rows, lanes, parts)


@dataclass(frozen=True)
class _RowKey:
    """What a row is of."""

    part: int
    name_of_part: Part
    kind: str
    work: WorkContext
    shapes: str

    def make_row(self, ns: int, calls: int, most: int | None) -> TimeRow:
        work = self.work
        return TimeRow(
            self.name_of_part, self.kind, ns, calls, work.path.names, work.path.place,
            self.shapes, work.name, work.short, most,
        )  # fmt: skip


def _number_rows(found: GpuOperations, pieces: OperationPieces) -> tuple[list[_RowKey], Integers]:
    """Kinds of work, and that of each piece: equal ones of different contexts are one."""
    contexts, place = np.unique(pieces.context, return_inverse=True)
    ranks, shapes = int(pieces.waits_for.max(initial=-1)) + 2, len(found.texts)
    code = (place * shapes + pieces.shapes) * ranks + pieces.waits_for + 1
    kinds, inverse = np.unique(code, return_inverse=True)
    numbers: dict[_RowKey, int] = {}
    codes = []
    for one in kinds.tolist():
        rest, waits_for = divmod(one, ranks)
        context, shape = divmod(rest, shapes)
        work = found.contexts[int(contexts[context])]
        waits = waits_for > 0
        key = _RowKey(
            work.part,
            "collective wait" if waits else _PARTS[work.part],
            f"rank {waits_for - 1}" if waits else work.kind,
            work,
            found.texts[shape],
        )
        codes.append(numbers.setdefault(key, len(numbers)))
    return list(numbers), np.array(codes, np.int64)[inverse]


def _sum_parts(keys: Sequence[_RowKey], lane: DividedLane) -> dict[str, int]:
    summed: defaultdict[str, int] = defaultdict(int)
    for key, spent in zip(keys, lane.spent.tolist(), strict=True):
        summed[key.name_of_part] += spent
    summed["idle"] = int((lane.idle_stop - lane.idle_start).sum())
    return dict(summed)
