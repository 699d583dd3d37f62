"""Changes to copies between host and device.

In:  a graph that may be changed, and a `Change`. Out: how many copies it touched.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator
from statistics import median

from perfolio.prediction.replay.change_file import Change
from perfolio.prediction.replay.changed_kernels import drop_call, is_dropped
from perfolio.prediction.replay.launch_graph import BLOCKING, LAUNCH, LaunchGraph, RankGraph

_TO_DEVICE, _TO_HOST = 0, 1
_SECOND = 1e9
_LATENCY = 1_000
"""Of a copy where sizes tell none [ns]."""


def make_asynchronous(graph: LaunchGraph, change: Change) -> int:
    """Copies to the device come from page-locked memory, and the host does not wait for them.

    Each takes its latency and its bytes at the link's rate, where that is known, if that is less.
    """
    touched = 0
    for rank in graph.ranks:
        calls, own = rank.calls, rank.operations
        latency, usual = _measure_latency(rank), _find_usual_call(rank)
        delay = _find_usual_delay(rank)
        for place, number in _list_copies(rank, _TO_DEVICE):
            if is_dropped(rank, place):
                continue
            rate = change.rate * graph.link_rate / _SECOND
            if rate and own.size[number]:
                pinned = latency + round(own.size[number] / rate)
                own.duration[number] = min(own.duration[number], pinned)
            if calls.kind[place] in (BLOCKING, LAUNCH):
                calls.kind[place], calls.after[place] = LAUNCH, 0
                calls.own[place] = min(calls.own[place] or usual, usual)
                own.delay[number] = delay
                touched += 1
    return touched


def merge_copies(graph: LaunchGraph, change: Change) -> int:
    """Copies to the device that follow each other become one: latencies and calls go."""
    del change
    touched = 0
    for rank in graph.ranks:
        own, latency = rank.operations, _measure_latency(rank)
        for row in _find_copy_rows(rank):
            head = rank.calls.first[row[0]]
            for place in row[1:]:
                number = rank.calls.first[place]
                own.duration[head] += max(0, own.duration[number] - latency)
                own.size[head] += own.size[number]
                drop_call(rank, place)
            touched += len(row)
    return touched


def scale_copies(graph: LaunchGraph, change: Change) -> int:
    """A faster link: what a copy takes beyond its latency is multiplied by a factor."""
    factor, touched = 1.0 if change.factor is None else change.factor, 0
    for rank in graph.ranks:
        own, latency = rank.operations, _measure_latency(rank)
        for number, engine in enumerate(own.engine):
            if engine in (_TO_DEVICE, _TO_HOST) and own.step[number] >= 0:
                beyond = max(0, own.duration[number] - latency)
                own.duration[number] += round(beyond * factor) - beyond
                touched += 1
    return touched


def _list_copies(rank: RankGraph, engine: int) -> Iterator[tuple[int, int]]:
    """Calls of a single copy of this direction, each with its operation."""
    calls, own = rank.calls, rank.operations
    for place, count in enumerate(calls.count):
        number = calls.first[place]
        if count == 1 and own.engine[number] == engine and calls.step[place] >= 0:
            yield place, number


def _find_copy_rows(rank: RankGraph) -> Iterator[list[int]]:
    calls = rank.calls
    chosen = {place for place, _ in _list_copies(rank, _TO_DEVICE)}
    row: list[int] = []
    for place, count in enumerate(calls.count):
        if not count and place not in chosen:
            continue
        joins = row and place in chosen and calls.step[row[-1]] == calls.step[place]
        joins = joins and not calls.loading[place]
        if not joins:
            if len(row) > 1:
                yield row
            row = []
        if place in chosen:
            row.append(place)
    if len(row) > 1:
        yield row


def _measure_latency(rank: RankGraph) -> int:
    """What a copy to the device takes without its bytes, by the smallest and the largest [ns]."""
    own = rank.operations
    by_size: dict[int, list[int]] = defaultdict(list)
    for number, engine in enumerate(own.engine):
        if engine == _TO_DEVICE and own.size[number]:
            by_size[own.size[number]].append(own.duration[number])
    if not by_size:
        return _LATENCY
    low, high = min(by_size), max(by_size)
    least, most = median(by_size[low]), median(by_size[high])
    if high <= 2 * low or most <= least:
        return min(_LATENCY, round(least))
    return max(0, round(least - low * (most - least) / (high - low)))


def _find_usual_call(rank: RankGraph) -> int:
    """How long a launch of a kernel typically takes the host [ns]."""
    calls, own = rank.calls, rank.operations
    times = [
        calls.own[place]
        for place, count in enumerate(calls.count)
        if count and calls.kind[place] == LAUNCH and own.kind[calls.first[place]] == "kernel"
    ]
    return round(median(times)) if times else _LATENCY


def _find_usual_delay(rank: RankGraph) -> int:
    """How long a kernel typically takes to begin after its launch, if no graph holds it [ns]."""
    calls, own = rank.calls, rank.operations
    times = [
        own.delay[number]
        for number, place in enumerate(own.call)
        if own.kind[number] == "kernel" and calls.kind[place] == LAUNCH
    ]
    return max(0, round(median(times))) if times else _LATENCY
