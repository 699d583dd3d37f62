"""Rows of intervals to tiles: the run in ever shorter parts, until each part is exact.

In:  a `RunTimeline`. Out: tiles by their paths, each with its columns; `r` is the whole run, and
     the eight parts of a tile that is not exact are called as it is, and a digit from 0.

A tile has every interval that begins in its part, and of each row the one that began before and
reaches into it. One of more than `MOST_EXACT`, or that would be a large file, merges: intervals
shorter than a bin that begin in one bin are one, as long as the bin, with their number, busy time,
and the name that has most of it. Longer ones stay as they are.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, replace
from itertools import pairwise

import numpy as np
import numpy.typing as npt

from perfolio.charts.tiles.run_intervals import Integers, RunTimeline

Flags = npt.NDArray[np.bool_]
Ranges = tuple[Integers, Integers]
"""Of each row its first interval, and the first one that is not of it any more."""
Place = tuple[str, int, int]
"""Path, begin and end of a tile."""
AT_ONCE = 250_000
"""Intervals that are merged at once, of whole rows."""
MOST_EXACT = 24_000
FAN = 8
BINS, LEAST_BINS, ROOM = 2_048, 256, 60_000
"""Bins of a tile that merges; fewer where rows are many: so many of all rows together."""
FEWEST_BINS = 16
"""Bins that a tile has at least, however large a file it is."""
SHORTEST = 64
"""A part as short is exact, however many intervals begin in it [ns]."""
ROOT = "r"
NONE: Integers = np.zeros(0, dtype=np.int64)


@dataclass(frozen=True)
class MergedBins:
    """Bins of a tile in which short intervals begin, of all rows one after the other."""

    total: int
    """Bins of the tile, also those that have nothing."""
    filled: Integers
    """Of each row how many have something."""
    place: Integers
    """Which these are; -1 for what began before the part."""
    code: Integers
    """The name that has most time in each."""
    number: Integers
    """How many intervals begin in each."""
    busy: Integers
    """Their time together, in 255ths of a bin."""


@dataclass(frozen=True)
class TimelineTile:
    """A part of the run, with columns of all rows one after the other."""

    path: str
    begin: int
    end: int
    counts: Integers
    """Intervals of each row that are as in the store; of memory that merges, moments."""
    start: Integers
    duration: Integers
    code: Integers
    partner: Integers
    """Of an exact tile: as in `RunTimeline`."""
    merged: MergedBins | None = None
    """All other intervals; None where it is exact."""

    @property
    def exact(self) -> bool:
        """Whether it has all intervals of its part as the store has them."""
        return self.merged is None


def find_width(begin: int, end: int, bins: int) -> int:
    """How long each of the bins of a part is [ns]."""
    return max(1, (end - begin) // bins)


def choose_bins(rows: int) -> int:
    """Bins of a tile that merges, of a run with so many rows."""
    return max(LEAST_BINS, min(BINS, ROOM // max(rows, 1)))


def build_tiles(
    timeline: RunTimeline, is_small: Callable[[TimelineTile], bool] = lambda _: True
) -> Iterator[TimelineTile]:
    """All tiles, each before its parts; `is_small` tells which may be as they are."""
    memory = np.array([kind == "memory" for kind in timeline.kinds], dtype=bool)
    waiting = [(ROOT, 0, timeline.stop + 1)]
    while waiting:
        place = path, begin, end = waiting.pop()
        ranges = _find_ranges(timeline, memory, begin, end)
        if _is_few(ranges, place) and (
            is_small(part := _cut_part(timeline, ranges, place)) or end - begin <= SHORTEST
        ):
            yield part
            continue
        bins = choose_bins(len(memory))
        while True:
            merged = _merge_range(timeline, memory, ranges, place, bins)
            if is_small(merged) or bins <= FEWEST_BINS:
                break
            bins //= 2
        yield merged
        parts = [split_part(begin, end, each) for each in range(FAN)]
        waiting += [(f"{path}{n}", *parts[n]) for n in reversed(range(FAN))]


def _is_few(ranges: Ranges, place: Place) -> bool:
    first, last = ranges
    _, begin, end = place
    return int((last - first).sum()) <= MOST_EXACT or end - begin <= SHORTEST


def split_part(begin: int, end: int, part: int) -> tuple[int, int]:
    """Begin and end of one of the eight parts of a part."""
    width = end - begin
    return begin + width * part // FAN, begin + width * (part + 1) // FAN


def _cut_part(timeline: RunTimeline, ranges: Ranges, place: Place) -> TimelineTile:
    """All intervals of a part, of rows with these ranges."""
    path, begin, end = place
    first, last = ranges
    counts = last - first
    items = np.arange(counts.sum()) + np.repeat(first - np.cumsum(counts) + counts, counts)
    return TimelineTile(
        path=path,
        begin=begin,
        end=end,
        counts=counts,
        start=timeline.start[items],
        duration=timeline.duration[items],
        code=timeline.code[items],
        partner=timeline.partner[items],
    )


def _merge_range(
    timeline: RunTimeline, memory: Flags, ranges: Ranges, place: Place, bins: int
) -> TimelineTile:
    """All intervals of a part with short ones merged, some rows at once: copies take memory."""
    first, last = ranges
    batch = np.cumsum(last - first) // AT_ONCE
    edges = [0, *(np.flatnonzero(np.diff(batch)) + 1).tolist(), len(first)]
    parts = [
        _merge_part(
            _cut_part(timeline, (first[one:other], last[one:other]), place), memory[one:other], bins
        )
        for one, other in pairwise(edges)
    ]
    merged = [part.merged for part in parts if part.merged]

    def join(name: str, pieces: Sequence[TimelineTile | MergedBins]) -> Integers:
        columns: list[Integers] = [getattr(piece, name) for piece in pieces]
        return np.concatenate(columns)

    return replace(
        parts[0],
        counts=join("counts", parts),
        start=join("start", parts),
        duration=join("duration", parts),
        code=join("code", parts),
        merged=MergedBins(
            total=bins,
            filled=join("filled", merged),
            place=join("place", merged),
            code=join("code", merged),
            number=join("number", merged),
            busy=join("busy", merged),
        ),
    )


def _find_ranges(timeline: RunTimeline, memory: Flags, begin: int, end: int) -> Ranges:
    """Of each row the first interval of a part, and the first one after it."""
    first, last = [], []
    for row, (low, high) in enumerate(pairwise(timeline.bounds.tolist())):
        starts = timeline.start[low:high]
        one, other = (int(low + np.searchsorted(starts, edge)) for edge in (begin, end))
        reaches = one > low and (
            memory[row] or timeline.start[one - 1] + timeline.duration[one - 1] > begin
        )
        first.append(one - int(reaches))
        last.append(other)
    return np.array(first, dtype=np.int64), np.array(last, dtype=np.int64)


def _merge_part(part: TimelineTile, memory: Flags, bins: int) -> TimelineTile:
    """The same with its short intervals merged; of memory some moments are left."""
    rows = len(part.counts)
    row = np.repeat(np.arange(rows), part.counts)
    width = find_width(part.begin, part.end, bins)
    place = np.maximum((part.start - part.begin) // width, -1)
    of_memory = memory[row]
    short = (part.duration < width) & ~of_memory
    kept = ~(short | of_memory) | _choose_moments(row, place, part.duration, of_memory)
    filled, place, named, number, busy = _merge_short(
        row[short], place[short], part.duration[short], part.code[short]
    )
    return replace(
        part,
        counts=np.bincount(row[kept], minlength=rows),
        start=part.start[kept],
        duration=part.duration[kept],
        code=part.code[kept],
        partner=NONE,
        merged=MergedBins(
            total=bins,
            filled=np.bincount(filled, minlength=rows),
            place=place,
            code=named,
            number=number,
            busy=(busy * 255 + width // 2) // width,
        ),
    )


def _find_groups(row: Integers, place: Integers) -> Integers:
    """Where a group of items begins that are of one row and bin."""
    if not len(row):
        return NONE
    changed = (np.diff(row) != 0) | (np.diff(place) != 0)
    return np.flatnonzero(np.append(True, changed))


def _choose_moments(row: Integers, place: Integers, amount: Integers, of_memory: Flags) -> Flags:
    """Of memory in a bin the first moment at which there is most, and the last one."""
    chosen = np.zeros(len(row), dtype=bool)
    items = np.flatnonzero(of_memory)
    first = _find_groups(row[items], place[items])
    if len(first):
        ends = np.append(first[1:], len(items))
        chosen[items[ends - 1]] = True
        group = np.repeat(np.arange(len(first)), ends - first)
        order = np.lexsort((items, -amount[items], group))
        chosen[items[order[first]]] = True
    return chosen


def _merge_short(
    row: Integers, place: Integers, duration: Integers, code: Integers
) -> tuple[Integers, ...]:
    """Row, bin, name, number and time of what is merged."""
    first = _find_groups(row, place)
    if not len(first):
        return (NONE,) * 5
    counts = np.diff(np.append(first, len(row)))
    group = np.repeat(np.arange(len(first)), counts)
    named = _choose_names(group, code, duration)
    return row[first], place[first], named, counts, np.add.reduceat(duration, first)


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
