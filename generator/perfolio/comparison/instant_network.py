"""How long a window would be with a network that takes no time: its collectives, replayed.

In:  what each processor does in a window, and in which collectives they all meet.
Out: the length of the window [ns].

A processor does the same work between collectives, in the same order. In one it stays until the
last processor has come, and no longer. It stands still where a collective ends while nothing else
runs there: such a time is waiting for others and transfer; one that ends because other work begins
is the processor's own, as a network without delay would not have made that begin earlier.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

Integers = npt.NDArray[np.int64]
_COMES, _ENDS = 0, 1


@dataclass(frozen=True)
class ProcessorMeetings:
    """One processor: when it comes to each collective in which all meet, and when that ends."""

    start: Integers
    stop: Integers
    work: tuple[Integers, Integers]
    """Begins and ends of other work, in its order, joined where it overlaps."""


def measure_instant_time(processors: Sequence[ProcessorMeetings], window: tuple[int, int]) -> int:
    """The length of the window, were each collective to end when the last processor comes [ns]."""
    listed = [_list_events(one, number, window) for number, one in enumerate(processors)]
    rows = np.concatenate([events for events, _ in listed], axis=1)
    order = np.lexsort((rows[1], rows[0]))
    most = max((len(one.start) for one in processors), default=0)
    return _replay(rows[1:, order].T.tolist(), [left for _, left in listed], most)


def _list_events(
    one: ProcessorMeetings, number: int, window: tuple[int, int]
) -> tuple[Integers, int]:
    """What happens on a processor, and all of its own time.

    Rows are times, what happens then, its number, that of the collective, its own time until then.
    """
    low, high = window
    held_from, is_held = _find_held(one)
    held = join_spans(np.clip(held_from[is_held], low, high), np.clip(one.stop[is_held], low, high))
    comes = np.flatnonzero(one.start < high)
    ends = np.flatnonzero(is_held & (one.stop > low) & (one.stop <= high))
    times = np.concatenate([np.clip(one.start[comes], low, high), one.stop[ends]])
    kinds = np.repeat([_COMES, _ENDS], [len(comes), len(ends)])
    places = np.concatenate([comes, ends])
    own = times - low - _measure_before(held, times)
    left = high - low - int((held[1] - held[0]).sum())
    return np.stack([times, kinds, np.full(len(times), number), places, own]), left


def _find_held(one: ProcessorMeetings) -> tuple[Integers, npt.NDArray[np.bool_]]:
    """From when on a collective holds a processor until it ends, and whether it does."""
    begin, end = one.work
    if not len(begin):
        return one.start, np.ones(len(one.start), bool)
    last = np.searchsorted(begin, one.stop) - 1
    until = np.where(last >= 0, end[np.maximum(last, 0)], np.iinfo(np.int64).min)
    return np.maximum(one.start, until), until < one.stop


def join_spans(start: Integers, stop: Integers) -> tuple[Integers, Integers]:
    """Spans in the order of their begins, joined where they touch or overlap."""
    start, stop = start[stop > start], stop[stop > start]
    order = np.argsort(start, kind="stable")
    start, stop = start[order], np.maximum.accumulate(stop[order])
    first = np.concatenate(([True], start[1:] > stop[:-1]))[: len(start)]
    last = np.concatenate((first[1:], [True]))[: len(start)]
    return start[first], stop[last]


def _measure_before(spans: tuple[Integers, Integers], times: Integers) -> Integers:
    """How much of such spans, which do not overlap, is before each of these times."""
    start, stop = spans
    if not len(start):
        return np.zeros_like(times)
    whole = np.concatenate(([0], (stop - start).cumsum()))
    place = np.searchsorted(start, times, side="right") - 1
    inside = np.clip(times, start[place], stop[place]) - start[place]
    return np.where(place >= 0, whole[np.maximum(place, 0)] + inside, 0)


def _replay(events: Iterable[Sequence[int]], left: Sequence[int], meetings: int) -> int:
    """When the last processor has done all its own work. Events are in the order of time."""
    now, done, met = [0] * len(left), [0] * len(left), [0] * meetings
    for kind, number, place, own in events:
        now[number] += own - done[number]
        done[number] = own
        if kind == _COMES:
            met[place] = max(met[place], now[number])
        else:
            now[number] = max(now[number], met[place])
    ends = (now + all_own - own for now, all_own, own in zip(now, left, done, strict=True))
    return max(ends, default=0)
