"""Changes to transfers: copies between host and device, and what several ranks do together.

In:  a graph that may be changed, and a `Change`. Out: how many operations it touched.
"""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Iterator, Sequence
from statistics import median

import numpy as np

from perfolio.prediction.replay.change_file import Change
from perfolio.prediction.replay.changed_kernels import drop_call, is_dropped
from perfolio.prediction.replay.launch_graph import BLOCKING, LAUNCH, LaunchGraph, RankGraph

_LATENCY = 24_000
"""What a collective takes of few bytes, at most [ns]."""
_TO_DEVICE, _TO_HOST = 0, 1
_SECOND = 1e9
_COPY_LATENCY = 1_000
"""Of a copy where sizes tell none [ns]."""


def scale_collectives(graph: LaunchGraph, change: Change) -> int:
    """A faster network: what collectives take beyond their latency is multiplied by a factor."""
    factor, touched = 1.0 if change.factor is None else change.factor, 0
    for rank in graph.ranks:
        own = rank.operations
        for number, one in enumerate(own.collective):
            if one >= 0 and own.step[number] >= 0:
                beyond = max(0, own.duration[number] - _LATENCY)
                own.duration[number] += round(beyond * factor) - beyond
                touched += 1
    return touched


def overlap_collectives(graph: LaunchGraph, change: Change) -> int:
    """Collectives of the main stream get one of their own; the next update waits for them."""
    del change
    return sum(_overlap_rank(rank) for rank in graph.ranks)


def _overlap_rank(rank: RankGraph) -> int:
    own, calls = rank.operations, rank.calls
    main = Counter(own.stream).most_common(1)[0][0]
    last, pending, touched = -1, -1, 0
    for number, stream in enumerate(own.stream):
        if stream != main:
            continue
        if own.collective[number] >= 0 and own.step[number] >= 0:
            own.stream[number] = rank.streams
            if last >= 0:
                _add_wait(rank, number, last)
            pending = number
            touched += 1
            continue
        joins = calls.updates[own.call[number]] or own.step[number] != own.step[pending]
        if pending >= 0 and joins:
            _add_wait(rank, number, pending)
            pending = -1
        last = number
    rank.streams += bool(touched)
    return touched


def _add_wait(rank: RankGraph, number: int, cause: int) -> None:
    edges = rank.operations.waits_for
    edges[number] = (*edges.get(number, ()), cause)


def equalise_ranks(graph: LaunchGraph, change: Change) -> int:
    """Each operation takes the median of all ranks, and each host as long as the others."""
    del change
    if len(graph.ranks) < 2:
        return 0
    touched = 0
    every = [_group_by_step(rank) for rank in graph.ranks]
    for step in sorted(set.intersection(*(set(each) for each in every))):
        rows = [each[step] for each in every]
        if len({len(row) for row in rows}) == 1:
            touched += _equalise_step(graph, rows)
    if touched:
        _equalise_hosts(graph.ranks)
    return touched


def _group_by_step(rank: RankGraph) -> dict[int, list[int]]:
    """Operations of each iteration, in order of their calls."""
    found: dict[int, list[int]] = {}
    for number, step in enumerate(rank.operations.step):
        if step >= 0:
            found.setdefault(step, []).append(number)
    return found


def _equalise_step(graph: LaunchGraph, rows: Sequence[Sequence[int]]) -> int:
    """Give the same operation of all ranks their median; how many were changed."""
    columns = [rank.operations for rank in graph.ranks]
    every = [
        [own.duration[number] for number in row] for own, row in zip(columns, rows, strict=True)
    ]
    usual = np.rint(np.median(np.array(every, np.float64), axis=0)).astype(np.int64).tolist()
    alone = [place for place, number in enumerate(rows[0]) if columns[0].collective[number] < 0]
    for own, row in zip(columns, rows, strict=True):
        for place in alone:
            own.duration[row[place]] = usual[place]
    return len(alone) * len(rows)


def _equalise_hosts(ranks: list[RankGraph]) -> None:
    works = [sum(rank.calls.gap) + sum(rank.calls.own) for rank in ranks]
    usual = median(works)
    for rank, work in zip(ranks, works, strict=True):
        if work:
            share = usual / work
            calls = rank.calls
            for name in ("gap", "own", "loading"):
                setattr(calls, name, _multiply(getattr(calls, name), share))


def _multiply(times: list[int], factor: float) -> list[int]:
    found: list[int] = np.rint(np.array(times, np.float64) * factor).astype(np.int64).tolist()
    return found


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
        return _COPY_LATENCY
    low, high = min(by_size), max(by_size)
    least, most = median(by_size[low]), median(by_size[high])
    if high <= 2 * low or most <= least:
        return min(_COPY_LATENCY, round(least))
    return max(0, round(least - low * (most - least) / (high - low)))


def _find_usual_call(rank: RankGraph) -> int:
    """How long a launch of a kernel typically takes the host [ns]."""
    calls, own = rank.calls, rank.operations
    times = [
        calls.own[place]
        for place, count in enumerate(calls.count)
        if count and calls.kind[place] == LAUNCH and own.kind[calls.first[place]] == "kernel"
    ]
    return round(median(times)) if times else _COPY_LATENCY


def _find_usual_delay(rank: RankGraph) -> int:
    """How long a kernel typically takes to begin after its launch, if no graph holds it [ns]."""
    calls, own = rank.calls, rank.operations
    times = [
        own.delay[number]
        for number, place in enumerate(own.call)
        if own.kind[number] == "kernel" and calls.kind[place] == LAUNCH
    ]
    return max(0, round(median(times))) if times else _COPY_LATENCY
