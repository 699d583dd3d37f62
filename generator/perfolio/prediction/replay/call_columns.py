"""Calls and operations as they were recorded, in the columns of a graph.

In:  a `RecordedRank`. Out: a `RankGraph`: of each call its kind, the host's work before it, and its
     operations. Delays and edges are not known yet.

A call within another one of its thread is part of that one. An operation whose call is not recorded
belongs to the call of the one before it on its stream; before the first call it is backlog.
"""

from __future__ import annotations

from bisect import bisect_left, bisect_right
from collections import defaultdict
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import NamedTuple

from perfolio.prediction.replay.launch_graph import (
    ALL_STREAMS,
    BLOCKING,
    GRAPH,
    LAUNCH,
    NO_COLLECTIVE,
    NO_STREAM,
    WAIT,
    HostCalls,
    QueuedOperations,
    RankGraph,
    RecordedWait,
)
from perfolio.prediction.replay.stream_edges import set_recorded_targets

COLLECTIVE = "collective"
_GRAPH_LAUNCH, _LAUNCH = "GraphLaunch", "Launch"
MOST_BLOCKED = 0.05
"""Launches that return only when their kernels have ended, as a share of all: more are serialised,
as by a profiler [ratio]."""
_OF_ALL = ("Device", "Ctx", "Thread", "clFinish")
"""What is in the names of calls that wait for all streams."""
_SLACK = 1_000
"""A wait may be over so long before the end of what it waits for, by clocks that differ [ns]."""
_ENGINES = {"copy H2D": 0, "copy D2H": 1, "copy D2D": 2}
_STRETCH, _DECIDES, _LONG = 8, 0.02, 0.25
"""Workers decide if of all 8 batches in a row waiting is 2 % of the time, at least; waits of a
quarter of the longest one are long."""


class RecordedCall(NamedTuple):
    """A call that submits work, or waits."""

    id: int
    thread: int
    name: str
    start: int
    stop: int
    waits: str
    """synchronises, copies, starts a copy, frees, or empty: see the store's macro gpu_wait."""
    updates: bool
    """Whether it is within a step of the optimizer."""


class LaunchedOperation(NamedTuple):
    """An operation of a stream."""

    call: int
    """Its call; -1 where that is not recorded."""
    start: int
    duration: int
    stream: int
    kind: str
    work: int
    size: int
    group: int = 0
    """Of a collective, the group of ranks that take part."""
    sequence: int = -1
    """Its number in the group; -1 where that is not recorded."""


@dataclass
class RecordedRank:
    """Calls and operations of a rank, each by begin, and when its iterations begin."""

    begins: list[int]
    calls: list[RecordedCall] = field(default_factory=list)
    operations: list[LaunchedOperation] = field(default_factory=list)
    loading: list[tuple[int, int]] = field(default_factory=list)
    """Begin and end of times in which the program loads input."""
    taking: list[tuple[int, int]] = field(default_factory=list)
    """Begin and end of times in which it takes a batch from worker processes, one after the other,
    from the begin of the run on."""
    waits: list[RecordedWait] = field(default_factory=list)
    """In the order of their calls; none where the tool records no more than calls."""
    streams: int = 0
    number: int = 0
    """Of the rank in its run."""
    amid: int = 0
    """Operations without a call after the first one with a call."""


Held = dict[int, list[LaunchedOperation]]
"""Operations by the place of their call."""


def fill_columns(recorded: RecordedRank, classes: Mapping[int, str]) -> RankGraph:
    """The graph of a rank, without delays and edges."""
    kept, owner = _join_nested(recorded.calls)
    held, backlog = _assign_operations(recorded, owner, len(kept))
    serialised = _count_serialised(kept, held) > MOST_BLOCKED * len(held)
    rank = RankGraph(HostCalls(), QueuedOperations(), backlog, streams=recorded.streams)
    rank.number = recorded.number
    ends = dict(backlog)
    now = kept[0].start if kept else 0
    for place, call in enumerate(kept):
        own = held.get(place, [])
        if not own and call.waits not in ("synchronises", "copies"):
            continue
        for one in own:
            ends[one.stream] = max(ends.get(one.stream, 0), one.start + one.duration)
        blocks = bool(own) and _is_blocking(call, own, classes, serialised=serialised)
        _add_call(rank.calls, call, own, ends, blocks=blocks)
        rank.calls.gap.append(max(0, call.start - now))
        rank.calls.first.append(len(rank.operations.start))
        rank.calls.count.append(len(own))
        now = max(now, call.stop)
        _add_operations(rank, own, classes)
    _set_steps(rank, recorded.begins)
    _set_loading(rank, recorded)
    set_recorded_targets(rank, recorded.waits)
    return rank


def measure_overlap(calls: Sequence[RecordedCall]) -> int:
    """Time in which calls of two threads run at once [ns]."""
    overlap, now = 0, 0
    for call in calls:
        overlap += max(0, min(now, call.stop) - call.start)
        now = max(now, call.stop)
    return overlap


def _join_nested(calls: Sequence[RecordedCall]) -> tuple[list[RecordedCall], dict[int, int]]:
    """Calls that are in no other one of their thread, and by call the place of that."""
    kept: list[RecordedCall] = []
    owner: dict[int, int] = {}
    last: dict[int, int] = {}
    for call in calls:
        around = last.get(call.thread)
        if around is not None and call.start < kept[around].stop:
            owner[call.id] = around
            continue
        last[call.thread] = owner[call.id] = len(kept)
        kept.append(call)
    return kept, owner


def _assign_operations(
    recorded: RecordedRank, owner: Mapping[int, int], number: int
) -> tuple[Held, dict[int, int]]:
    """Operations by call, and when what no call of these submitted ends, by stream."""
    held: Held = defaultdict(list)
    backlog: dict[int, int] = {}
    before: dict[int, int] = {}
    for one in recorded.operations:
        place = owner.get(one.call, before.get(one.stream))
        recorded.amid += one.call not in owner and bool(before)
        if place is None or place >= number:
            backlog[one.stream] = max(backlog.get(one.stream, 0), one.start + one.duration)
            continue
        before[one.stream] = place
        held[place].append(one)
    return held, backlog


def _add_call(
    calls: HostCalls,
    call: RecordedCall,
    own: Sequence[LaunchedOperation],
    ends: Mapping[int, int],
    *,
    blocks: bool,
) -> None:
    kind, target, left, after = LAUNCH, NO_STREAM, call.stop - call.start, 0
    if not own:
        kind = WAIT
        target, end = _find_target(call, ends)
        left = call.stop - max(call.start, min(end, call.stop))
    elif blocks:
        kind, left = BLOCKING, 0
        after = call.stop - (own[-1].start + own[-1].duration)
    elif _GRAPH_LAUNCH in call.name:
        kind = GRAPH
    calls.start.append(call.start)
    calls.stop.append(call.stop)
    calls.own.append(left)
    calls.after.append(after)
    calls.kind.append(kind)
    calls.target.append(target)
    calls.name.append(call.name)
    calls.thread.append(call.thread)
    calls.updates.append(call.updates)


def _find_target(call: RecordedCall, ends: Mapping[int, int]) -> tuple[int, int]:
    """What a call waits for, and when that ends: all, or the stream that ended last before it."""
    if any(word in call.name for word in _OF_ALL):
        return ALL_STREAMS, max(ends.values(), default=0)
    over = {stream: end for stream, end in ends.items() if end <= call.stop + _SLACK}
    if not over:
        return NO_STREAM, 0
    target = max(over, key=lambda stream: (over[stream], -stream))
    return target, over[target]


def _is_blocking(
    call: RecordedCall,
    own: Sequence[LaunchedOperation],
    classes: Mapping[int, str],
    *,
    serialised: bool,
) -> bool:
    """Whether a call ends after its last operation: a copy that waits, or a serialised launch."""
    last = own[-1]
    may = last.kind.startswith("copy") or (serialised and _LAUNCH in call.name)
    return may and _is_over(call, own) and classes.get(last.work) != COLLECTIVE


def _count_serialised(calls: Sequence[RecordedCall], held: Held) -> int:
    """Launches that end after their operations: a few do as the kernel was short."""
    return sum(
        _LAUNCH in calls[place].name and _is_over(calls[place], own) for place, own in held.items()
    )


def _is_over(call: RecordedCall, own: Sequence[LaunchedOperation]) -> bool:
    return call.stop >= own[-1].start + own[-1].duration


def _add_operations(
    rank: RankGraph, own: Sequence[LaunchedOperation], classes: Mapping[int, str]
) -> None:
    columns, place = rank.operations, len(rank.calls.start) - 1
    for one in own:
        is_collective = classes.get(one.work) == COLLECTIVE
        if is_collective and one.sequence >= 0:
            rank.sequence[len(columns.start)] = one.sequence
        columns.start.append(one.start)
        columns.duration.append(one.duration)
        columns.stream.append(one.stream)
        columns.kind.append(one.kind)
        columns.engine.append(_ENGINES.get(one.kind, -1))
        columns.work.append(one.work)
        columns.size.append(one.size)
        columns.call.append(place)
        columns.collective.append(one.group if is_collective else NO_COLLECTIVE)


def _set_steps(rank: RankGraph, begins: Sequence[int]) -> None:
    calls = rank.calls
    calls.step = [bisect_right(begins, start) - 1 for start in calls.start]
    rank.operations.step = [calls.step[place] for place in rank.operations.call]


def _set_loading(rank: RankGraph, recorded: RecordedRank) -> None:
    """What of gaps is loading, and what of that is waiting for worker processes.

    To take a batch that is there takes as long as the shortest time in which one is taken.
    """
    calls, loading, taking = rank.calls, recorded.loading, recorded.taking
    calls.loading = [
        min(gap, _measure_common(loading, start - gap, start)) if gap and loading else 0
        for gap, start in zip(calls.gap, calls.start, strict=True)
    ]
    batches = find_batches(taking)
    for begun, _ in taking:
        place = bisect_left(calls.start, begun)
        if place < len(calls.start) and calls.step[place] >= 0 and begun >= calls.start[0]:
            start, gap = calls.start[place], calls.gap[place]
            common = min(_measure_common(taking, start - gap, start), calls.loading[place])
            calls.takes[place] = max(0, common - batches.least)
    rank.batch = batches.apart if batches.since <= calls.start[min(calls.takes, default=0)] else 0
    for place, wait in calls.takes.items() if rank.batch else ():
        calls.gap[place] -= wait
        calls.loading[place] -= wait


class LoaderBatches(NamedTuple):
    """What is seen of batches that worker processes make."""

    least: int
    """How long it takes to take one that is there [ns]."""
    apart: int = 0
    """Time between two of them, where workers decide; 0 where not [ns]."""
    since: int = 0
    """From when on they decide [ns]."""


def find_batches(taking: Sequence[tuple[int, int]]) -> LoaderBatches:
    """Batches of workers, by the times in which a program takes them.

    Workers decide if the program waits for them throughout, from a long wait on, when all that they
    had made ahead was taken. Between two long waits as many batches were made as were taken: what a
    worker needs for one is seen in nothing else.
    """
    least = min((stop - start for start, stop in taking), default=0)
    waits = [stop - start - least for start, stop in taking]
    long = [number for number, wait in enumerate(waits) if wait >= _LONG * max(waits)]
    # A first wait is for workers that start.
    long = [number for number in long if number]
    if not long or long[-1] - long[0] < 2 * _STRETCH:
        return LoaderBatches(least)
    for begin in range(long[0], len(taking) - _STRETCH):
        passed = taking[begin + _STRETCH][1] - taking[begin][1]
        if sum(waits[begin + 1 : begin + 1 + _STRETCH]) < _DECIDES * passed:
            return LoaderBatches(least)
    first, last = taking[long[0]][1], taking[long[-1]][1]
    return LoaderBatches(least, round((last - first) / (long[-1] - long[0])), first)


def _measure_common(ranges: Sequence[tuple[int, int]], start: int, stop: int) -> int:
    """How much of a time some ranges, sorted by begin and not nested, cover [ns]."""
    place = max(0, bisect_right(ranges, (start, start)) - 1)
    covered = 0
    while place < len(ranges) and ranges[place][0] < stop:
        covered += max(0, min(stop, ranges[place][1]) - max(start, ranges[place][0]))
        place += 1
    return covered
