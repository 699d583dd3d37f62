"""Changes to the host: its work, its launches, its waits and its input.

In:  a graph that may be changed, and a `Change`. Out: how many calls it touched.
"""

from __future__ import annotations

from collections.abc import Iterator

from perfolio.prediction.replay.change_file import Change
from perfolio.prediction.replay.changed_kernels import is_dropped
from perfolio.prediction.replay.launch_graph import (
    BLOCKING,
    GRAPH,
    INSIDE,
    LAUNCH,
    NO_STREAM,
    WAIT,
    LaunchGraph,
    RankGraph,
)

_NANOSECOND = 1e-9
_LEAST = 5
"""Launches from which on a graph is worth capturing."""


def scale_host(graph: LaunchGraph, change: Change) -> int:
    """The host's work between calls takes a factor of its time; loading of input stays."""
    factor, touched = 1.0 if change.factor is None else change.factor, 0
    for rank in graph.ranks:
        calls = rank.calls
        for place, gap in enumerate(calls.gap):
            if calls.step[place] >= 0 and gap:
                loading = calls.loading[place]
                calls.gap[place] = loading + round((gap - loading) * factor)
                touched += 1
    return touched


def scale_launches(graph: LaunchGraph, change: Change) -> int:
    """Calls that launch take a factor of their time."""
    factor, touched = 1.0 if change.factor is None else change.factor, 0
    for rank in graph.ranks:
        calls = rank.calls
        for place, kind in enumerate(calls.kind):
            if kind == LAUNCH and calls.step[place] >= 0:
                calls.own[place] = round(calls.own[place] * factor)
                touched += 1
    return touched


def capture_graphs(graph: LaunchGraph, change: Change) -> int:
    """Launches in a row, up to a wait or a copy of the host's, become one launch of a graph.

    Input that is loaded between two of them parts them. The launch costs the host something for
    each operation that is left; operations follow each other. Steps of the optimizer stay apart.
    """
    touched = 0
    for rank in graph.ranks:
        rank.node_gap = round(change.gap / _NANOSECOND)
        for row in _find_rows(rank):
            _capture_row(rank, row, change.cost)
            touched += len(row)
    return touched


def remove_waits(graph: LaunchGraph, change: Change) -> int:
    """The host waits for nothing: neither for streams nor for results that it reads."""
    del change
    touched = 0
    for rank in graph.ranks:
        calls, own = rank.calls, rank.operations
        for place, kind in enumerate(calls.kind):
            if calls.step[place] < 0:
                continue
            if kind == WAIT:
                calls.own[place], calls.target[place] = 0, NO_STREAM
                calls.awaited.pop(place, None)
                touched += 1
            elif kind == BLOCKING and own.kind[calls.first[place]] == "copy D2H":
                calls.kind[place], calls.after[place] = LAUNCH, 0
                touched += 1
    return touched


def add_workers(graph: LaunchGraph, change: Change) -> int:
    """More workers of the loader: batches come after a factor of the time, where workers decide."""
    factor, touched = 1.0 if change.factor is None else change.factor, 0
    for rank in graph.ranks:
        if rank.batch:
            rank.batch = round(rank.batch * factor)
            touched += len(rank.calls.takes)
    return touched


def explain_workers(graph: LaunchGraph, change: Change) -> str:
    """Why more workers tell nothing; empty where they do."""
    del change
    if not any(rank.calls.takes for rank in graph.ranks):
        return "no waits for worker processes of a data loader are recorded"
    if not any(rank.batch for rank in graph.ranks):
        return "workers of the data loader do not decide: what a batch takes them shows nowhere"
    return ""


def remove_loading(graph: LaunchGraph, change: Change) -> int:
    """Input is ready when the program asks for it: a factor of its loading is left."""
    factor, touched = 0.0 if change.factor is None else change.factor, 0
    for rank in graph.ranks:
        calls = rank.calls
        touched += len(calls.takes) if rank.batch else 0
        rank.batch = round(rank.batch * factor)
        for place, loading in enumerate(calls.loading):
            if loading and calls.step[place] >= 0:
                saved = round(loading * (1.0 - factor))
                calls.gap[place] -= saved
                calls.loading[place] -= saved
                touched += 1
    return touched


def _find_rows(rank: RankGraph) -> Iterator[list[int]]:
    """Places of launches that a graph could hold, one after the other in an iteration."""
    own, calls = rank.operations, rank.calls
    row: list[int] = []
    for place, kind in enumerate(calls.kind):
        first = calls.first[place]
        host_copy = calls.count[place] and own.engine[first] in (0, 1)
        fits = kind == LAUNCH and not host_copy and calls.step[place] >= 0
        fits = fits and not calls.updates[place] and calls.count[place] > 0
        apart = row and (calls.step[row[-1]] != calls.step[place] or calls.loading[place] > 0)
        ends = row and (not fits or apart)
        if ends:
            if len(row) >= _LEAST:
                yield row
            row = []
        if fits:
            row.append(place)
    if len(row) >= _LEAST:
        yield row


def _capture_row(rank: RankGraph, row: list[int], cost: float) -> None:
    calls = rank.calls
    operations = sum(calls.count[place] for place in row if not is_dropped(rank, place))
    for place in row[1:]:
        calls.kind[place] = INSIDE
        calls.gap[place] = calls.own[place] = 0
    calls.kind[row[0]] = GRAPH
    calls.own[row[0]] = round(operations * cost / _NANOSECOND)
