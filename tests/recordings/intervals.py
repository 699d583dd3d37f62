"""Times as sorted lists of intervals that do not touch; nothing here is fast."""

from __future__ import annotations

import itertools
from collections.abc import Iterable, Iterator

Interval = tuple[int, int]
Intervals = list[Interval]


def union(given: Iterable[Interval]) -> Intervals:
    """All moments in any of these intervals."""
    found: Intervals = []
    for start, stop in sorted(given):
        if found and start <= found[-1][1]:
            found[-1] = (found[-1][0], max(stop, found[-1][1]))
        elif stop > start:
            found.append((start, stop))
    return found


def both(one: Intervals, other: Intervals) -> Intervals:
    """Moments in both."""
    return union((max(a, c), min(b, d)) for a, b in one for c, d in other if min(b, d) > max(a, c))


def without(one: Intervals, other: Intervals) -> Intervals:
    """Moments in the first that are not in the second."""
    left = list(one)
    for start, stop in other:
        parts = [((a, min(b, start)), (max(a, stop), b)) for a, b in left]
        left = [part for pair in parts for part in pair if part[1] > part[0]]
    return left


def length(given: Iterable[Interval]) -> int:
    """Time in intervals that do not overlap."""
    return sum(stop - start for start, stop in given)


def pieces(given: Iterable[Interval]) -> Iterator[Interval]:
    """The times between any two begins or ends that follow each other."""
    moments = sorted({moment for interval in given for moment in interval})
    yield from itertools.pairwise(moments)
