"""Rows of intervals to tiles: the run in ever shorter parts, until each part is exact.

In:  a `RunTimeline`. Out: tiles by their paths, each with its columns; `r` is the whole run, and
     the eight parts of a tile that is not exact are called as it is, and a digit from 0.

A tile has every interval that begins in its part, and of each row the one that began before and
reaches into it. One of more than `MOST_EXACT`, or that would be a large file, merges: intervals
shorter than a bin that begin in one bin are one, with their number, busy time, and the name that
has most of it.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass, replace

import numpy as np
import numpy.typing as npt

from perfolio.charts.tiles.run_intervals import Integers, RunTimeline

Flags = npt.NDArray[np.bool_]
MOST_EXACT = 24_000
FAN = 8
BINS, LEAST_BINS, ROOM = 2_048, 256, 40_000
"""Bins of a tile that merges; fewer where rows are many: so many of all rows together."""
SHORTEST = 64
"""A part as short is exact, however many intervals begin in it [ns]."""
ROOT = "r"


@dataclass(frozen=True)
class TimelineTile:
    """A part of the run, with columns of all rows one after the other."""

    path: str
    begin: int
    end: int
    exact: bool
    counts: Integers
    """Intervals of each row."""
    start: Integers
    duration: Integers
    code: Integers
    partner: Integers
    """Of an exact tile: as in `RunTimeline`."""
    merged: Integers
    """Of another one: how many each is."""
    busy: Integers
    """Of another one: their time together, in 255ths of the duration."""


def choose_bins(rows: int) -> int:
    """Bins of each tile that merges, of a run with so many rows."""
    return max(LEAST_BINS, min(BINS, ROOM // max(rows, 1)))


def build_tiles(
    timeline: RunTimeline, is_small: Callable[[TimelineTile], bool] = lambda _: True
) -> Iterator[TimelineTile]:
    """All tiles, each before its parts; `is_small` tells which exact ones may stay exact."""
    memory = np.array([kind == "memory" for kind in timeline.kinds], dtype=bool)
    waiting = [(ROOT, 0, timeline.stop + 1)]
    while waiting:
        path, begin, end = waiting.pop()
        part = _cut_part(timeline, memory, (path, begin, end))
        shortest = end - begin <= SHORTEST
        if shortest or (len(part.start) <= MOST_EXACT and is_small(part)):
            yield part
            continue
        yield _merge_part(part, memory)
        parts = [split_part(begin, end, each) for each in range(FAN)]
        waiting += [(f"{path}{n}", *parts[n]) for n in reversed(range(FAN))]


def split_part(begin: int, end: int, part: int) -> tuple[int, int]:
    """Begin and end of one of the eight parts of a part."""
    width = end - begin
    return begin + width * part // FAN, begin + width * (part + 1) // FAN


def _cut_part(timeline: RunTimeline, memory: Flags, place: tuple[str, int, int]) -> TimelineTile:
    """All intervals of a part."""
    path, begin, end = place
    first, last = _find_ranges(timeline, memory, begin, end)
    counts = last - first
    items = np.arange(counts.sum()) + np.repeat(first - np.cumsum(counts) + counts, counts)
    none = np.zeros(0, dtype=np.int64)
    return TimelineTile(
        path=path,
        begin=begin,
        end=end,
        exact=True,
        counts=counts,
        start=timeline.start[items],
        duration=timeline.duration[items],
        code=timeline.code[items],
        partner=timeline.partner[items],
        merged=none,
        busy=none,
    )


def _find_ranges(
    timeline: RunTimeline, memory: Flags, begin: int, end: int
) -> tuple[Integers, Integers]:
    """Of each row the first interval of a part, and the first one after it."""
    first, last = [], []
    for row, (low, high) in enumerate(zip(timeline.bounds, timeline.bounds[1:], strict=False)):
        starts = timeline.start[low:high]
        one, other = (int(low + np.searchsorted(starts, edge)) for edge in (begin, end))
        reaches = one > low and (
            memory[row] or timeline.start[one - 1] + timeline.duration[one - 1] > begin
        )
        first.append(one - int(reaches))
        last.append(other)
    return np.array(first, dtype=np.int64), np.array(last, dtype=np.int64)


def _merge_part(part: TimelineTile, memory: Flags) -> TimelineTile:
    """The same with its short intervals merged."""
    row = np.repeat(np.arange(len(part.counts)), part.counts)
    width = max(1, (part.end - part.begin) // choose_bins(len(part.counts)))
    columns = np.stack((part.start, part.duration, part.code))
    bins = (part.start - part.begin) // width
    row, start, duration, code, merged, busy = _merge_items(row, columns, bins, width, memory[row])
    return replace(
        part,
        exact=False,
        counts=np.bincount(row, minlength=len(part.counts)),
        start=start,
        duration=duration,
        code=code,
        partner=part.partner[:0],
        merged=merged,
        busy=busy,
    )


def _merge_items(
    row: Integers,
    columns: Integers,
    bins: Integers,
    width: int,
    memory: Flags,
) -> tuple[Integers, ...]:
    """Row, start, duration, name, number and busy share of what is left, sorted."""
    start, duration, code = columns
    short = (duration < width) & ~memory
    long = ~short & ~memory
    one = np.ones(int(long.sum()), dtype=np.int64)
    parts = [
        (row[long], start[long], duration[long], code[long], one, 255 * one),
        _merge_short(row[short], bins[short], start[short], duration[short], code[short]),
        _merge_amounts(row[memory], bins[memory], start[memory], duration[memory]),
    ]
    joined = tuple(np.concatenate(each) for each in zip(*parts, strict=True))
    order = np.lexsort((joined[1], joined[0]))
    return tuple(each[order] for each in joined)


def _find_groups(row: Integers, bins: Integers) -> Integers:
    """Where a group of items begins that are of one row and bin."""
    changed = (np.diff(row) != 0) | (np.diff(bins) != 0)
    return np.flatnonzero(np.append(True, changed)) if len(row) else np.zeros(0, dtype=np.int64)


def _merge_short(
    row: Integers, bins: Integers, start: Integers, duration: Integers, code: Integers
) -> tuple[Integers, ...]:
    first = _find_groups(row, bins)
    if not len(first):
        return (row, start, duration, code, row, row)
    counts = np.diff(np.append(first, len(row)))
    busy = np.add.reduceat(duration, first)
    span = np.maximum.reduceat(start + duration, first) - start[first]
    share = np.minimum(255, (busy * 255 + span // 2) // np.maximum(span, 1))
    group = np.repeat(np.arange(len(first)), counts)
    name = _choose_names(group, code, duration)
    return row[first], start[first], span, name, counts, share


def _choose_names(group: Integers, code: Integers, duration: Integers) -> Integers:
    """Of each group the name that has most time, the first one of several."""
    width = int(code.max()) + 1
    keys, place = np.unique(group * width + code, return_inverse=True)
    spent = np.zeros(len(keys), dtype=np.int64)
    np.add.at(spent, place, duration)
    order = np.lexsort((keys, -spent, keys // width))
    _, top = np.unique(keys[order] // width, return_index=True)
    names: Integers = (keys[order] % width)[top]
    return names


def _merge_amounts(
    row: Integers, bins: Integers, start: Integers, amount: Integers
) -> tuple[Integers, ...]:
    """Of memory in a bin: the most, from its first event on, and what is left after its last."""
    first = _find_groups(row, bins)
    if not len(first):
        return (row, start, amount, row, row, row)
    counts = np.diff(np.append(first, len(row)))
    last = first + counts - 1
    several = counts > 1
    most = np.maximum.reduceat(amount, first)
    rows, code = np.concatenate((row[first], row[last[several]])), 0
    starts = np.concatenate((start[first], start[last[several]]))
    amounts = np.concatenate((most, amount[last[several]]))
    numbers = np.concatenate((counts, np.ones(int(several.sum()), dtype=np.int64)))
    order = np.lexsort((starts, rows))
    zero = np.full(len(rows), code, dtype=np.int64)
    return tuple(each[order] for each in (rows, starts, amounts, zero, numbers, zero + 255))
