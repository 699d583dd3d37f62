"""Each nanosecond of a GPU in one row: whole, in integers, and each once.

In:  operations of one GPU with begin, end, part and row, and a window.
Out: nanoseconds of each row, and the times in which nothing runs.

Of parts that run at the same moment, the first one has it: a computing kernel, else a collective,
else a copy. Operations of that part share the moment alike; what does not divide goes to the first
ones, in the order in which they are given.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

Integers = npt.NDArray[np.int64]
PARTS = 3
"""Places of parts: 0 kernels, 1 collectives, 2 copies."""


@dataclass(frozen=True)
class DividedLane:
    """What a window of one GPU goes to."""

    spent: Integers
    """By row [ns]."""
    idle_start: Integers
    """Begins of times without any operation, in their order [ns]."""
    idle_stop: Integers


@dataclass(frozen=True)
class LaneOperations:
    """Operations of one GPU, one place of the arrays for each."""

    start: Integers
    stop: Integers
    part: Integers
    """0 to 2: the lower one has a moment."""
    row: Integers
    """What its time is counted for, from 0."""


def divide_lane(operations: LaneOperations, rows: int, window: tuple[int, int]) -> DividedLane:
    """Divide a window among `rows` rows; they and the idle times sum to its length."""
    low, high = window
    start, stop = np.maximum(operations.start, low), np.minimum(operations.stop, high)
    held = stop > start
    start, stop = start[held], stop[held]
    part, row = operations.part[held], operations.row[held]
    bounds = np.unique(np.concatenate([start, stop, np.array([low, high], np.int64)]))
    lengths = np.diff(bounds)
    first, last = np.searchsorted(bounds, start), np.searchsorted(bounds, stop)
    winner = _find_winners(first, last, part, len(lengths))
    spent = np.zeros(rows, np.int64)
    for place in range(PARTS):
        own = part == place
        won = np.flatnonzero(winner == place)
        if len(won):
            owner, share = _share_segments(first[own], last[own], won, lengths)
            np.add.at(spent, row[own][owner], share)
    idle_start, idle_stop = _join_segments(np.flatnonzero(winner == PARTS), bounds)
    return DividedLane(spent, idle_start, idle_stop)


def _find_winners(first: Integers, last: Integers, part: Integers, segments: int) -> Integers:
    """The part that has each segment between two bounds; PARTS where nothing runs."""
    winner = np.full(segments, PARTS, np.int64)
    for place in reversed(range(PARTS)):
        own = part == place
        change = np.bincount(first[own], minlength=segments + 1) - np.bincount(
            last[own], minlength=segments + 1
        )
        winner[np.cumsum(change)[:segments] > 0] = place
    return winner


def _share_segments(
    first: Integers, last: Integers, won: Integers, lengths: Integers
) -> tuple[Integers, Integers]:
    """Which operation has how much of the segments that its part has won [ns].

    An operation may appear several times.
    """
    begin, end = np.searchsorted(won, first), np.searchsorted(won, last)
    count = end - begin
    owner = np.repeat(np.arange(len(first)), count)
    place = np.arange(len(owner)) + np.repeat(begin - (np.cumsum(count) - count), count)
    length = lengths[won[place]]
    if len(owner) == len(won):  # one operation in each
        return owner, length
    order = np.argsort(place, kind="stable")
    sorted_place = place[order]
    sharing = np.bincount(place, minlength=len(won))[sorted_place]
    rank = np.arange(len(order)) - np.searchsorted(sorted_place, sorted_place)
    length = length[order]
    return owner[order], length * (rank + 1) // sharing - length * rank // sharing


def _join_segments(idle: Integers, bounds: Integers) -> tuple[Integers, Integers]:
    """Neighbouring segments as one."""
    if not len(idle):
        return np.zeros(0, np.int64), np.zeros(0, np.int64)
    breaks = np.flatnonzero(np.diff(idle) > 1)
    begins = np.concatenate([[0], breaks + 1])
    ends = np.concatenate([breaks, [len(idle) - 1]])
    return bounds[idle[begins]], bounds[idle[ends] + 1]


def apportion(total: int, weights: npt.NDArray[np.float64]) -> Integers:
    """`total` in whole parts in proportion to weights, by the largest remainders; sums to it.

    Of equal remainders the first one counts. Without any weight all goes to the last part.
    """
    whole = np.zeros(len(weights), np.int64)
    summed = float(weights.sum())
    if not summed > 0.0:
        whole[-1] = total
        return whole
    exact = weights / summed * total
    whole = np.floor(exact).astype(np.int64)
    missing = total - int(whole.sum())
    if missing < 0:  # rounding of a sum beyond 2**53
        whole[int(np.argmax(whole))] += missing
        return whole
    order = np.argsort(-(exact - whole), kind="stable")
    each, rest = divmod(missing, len(weights))
    whole += each
    whole[order[:rest]] += 1
    return whole
