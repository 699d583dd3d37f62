"""Changes to what several ranks do together: collectives, and how much each rank has to do.

In:  a graph that may be changed, and a `Change`. Out: how many operations it touched.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from statistics import median

import numpy as np

from perfolio.prediction.replay.change_file import Change
from perfolio.prediction.replay.launch_graph import LaunchGraph, RankGraph

_LATENCY = 24_000
"""What a collective takes of few bytes, at most [ns]."""


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
