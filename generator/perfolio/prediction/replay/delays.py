"""How long an operation takes to begin after its call, and how full the queue of launches was.

In:  a rank's graph. Out: its columns `delay` and `gap`, and its `queue`.

A delay is the median where the whole device was idle when the call was made, for each kind of
operation and call, and size of a copy. Where that was never so, it is the least that was seen, at
most 5 µs. A gap is the median between two such operations where the stream was never without work.
"""

from __future__ import annotations

from bisect import bisect_right
from collections import defaultdict
from collections.abc import Iterator, Mapping, Sequence
from statistics import median

from perfolio.prediction.replay.launch_graph import BLOCKING, GRAPH, LAUNCH, RankGraph

_UNSEEN = 5_000
"""The longest delay of a kind that no idle device shows [ns]."""
_BACK_TO_BACK = 20_000
"""A stream that was busy so long after a call begins its operation as soon as it can [ns]."""
_PAUSE = 50_000
"""What lasts longer between two operations is no gap of the device [ns]."""
_SEEN = 3
_DEEP, _NEAR, _SLOW, _FULL = 1_000, 30, 10, 10
"""A queue that is full holds at least 1,000 launches; calls within 30 of it that last 10 times the
median wait for it, and 10 of them show that it is full."""


def set_delays(rank: RankGraph) -> None:
    """Fill `delay` and `gap`."""
    calls, own = rank.calls, rank.operations
    idle: dict[DelayKey, list[int]] = defaultdict(list)
    seen: dict[DelayKey, list[int]] = defaultdict(list)
    gaps: dict[tuple[int, int], list[int]] = defaultdict(list)
    works: dict[int, int] = {}
    pairs = []
    for number, place, before, most in walk_operations(rank):
        reference, key = find_reference(rank, place), _make_key(rank, number)
        is_first = number == calls.first[place]
        if is_first:
            seen[key].append(own.start[number] - reference)
            if most <= calls.start[place]:
                idle[key].append(own.start[number] - reference)
        stream, work = own.stream[number], own.work[number]
        pairs.append((works.get(stream, -1), work))
        gap = own.start[number] - before
        if before and gap < _PAUSE and (before > reference + _BACK_TO_BACK or not is_first):
            gaps[pairs[-1]].append(gap)
        works[stream] = work
    usual = round(median([each for found in idle.values() for each in found] or [0]))
    delays = {
        key: round(median(idle[key])) if len(idle[key]) >= _SEEN else min(*each, _UNSEEN)
        for key, each in seen.items()
    }
    own.delay = [delays.get(_make_key(rank, number), usual) for number in range(len(own.start))]
    own.gap = _choose_gaps(pairs, gaps)


DelayKey = tuple[str, int, int]
"""Kind of an operation and of its call, and the bytes of a copy."""


def _make_key(rank: RankGraph, number: int) -> DelayKey:
    """What is alike: a copy from pageable memory begins while its call lasts, by its size."""
    own = rank.operations
    return own.kind[number], rank.calls.kind[own.call[number]], own.size[number]


def _choose_gaps(
    pairs: Sequence[tuple[int, int]], gaps: Mapping[tuple[int, int], list[int]]
) -> list[int]:
    """The least time after the operation before, by what both are, else the median of all."""
    usual = max(0, round(median([each for found in gaps.values() for each in found] or [0])))
    known = {
        pair: max(0, round(median(found))) for pair, found in gaps.items() if len(found) >= _SEEN
    }
    return [known.get(pair, usual) for pair in pairs]


def walk_operations(rank: RankGraph) -> Iterator[tuple[int, int, int, int]]:
    """Operations with their calls, when their stream was free before, and when all were [ns]."""
    calls, own = rank.calls, rank.operations
    free, most = dict(rank.backlog), max(rank.backlog.values(), default=0)
    for number, place in enumerate(own.call):
        if number == calls.first[place]:
            known = most
        stream, stop = own.stream[number], own.start[number] + own.duration[number]
        yield number, place, free.get(stream, 0), known
        free[stream] = stop
        most = max(most, stop)


def find_reference(rank: RankGraph, place: int) -> int:
    """From when on the operations of a call can begin: its begin, or its end [ns]."""
    calls = rank.calls
    return calls.start[place] if calls.kind[place] in (BLOCKING, GRAPH) else calls.stop[place]


def set_queue(rank: RankGraph) -> None:
    """Find launches that wait as the queue is full, and let them wait for what has to begin."""
    calls, own = rank.calls, rank.operations
    launches = [n for n, kind in enumerate(calls.kind) if kind == LAUNCH and calls.count[n]]
    if len(launches) < _DEEP:
        return
    begins = sorted(own.start)
    usual = round(median(calls.own[place] for place in launches))
    depth = [n - bisect_right(begins, calls.start[place]) for n, place in enumerate(launches)]
    deepest = max(depth)
    slow = [
        place
        for held, place in zip(depth, launches, strict=True)
        if held >= deepest - _NEAR and calls.own[place] > _SLOW * usual
    ]
    if deepest < _DEEP or len(slow) < _FULL:
        return
    rank.queue = deepest
    for place in slow:
        calls.own[place] = usual
