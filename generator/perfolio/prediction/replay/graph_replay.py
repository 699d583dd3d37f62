"""Replay: when each operation begins, if calls and operations last as the graph says.

In:  a `LaunchGraph`. Out: begins and ends of operations by rank [ns].

An operation begins when the one before it on its stream has ended, its call has reached it, copies
of its direction before it are done, and what it waits for on other streams has ended. Ranks meet in
collectives: none is over before the last rank has begun it.
"""

from __future__ import annotations

from collections.abc import Generator, Mapping, Sequence
from dataclasses import dataclass, field
from itertools import pairwise

from perfolio.prediction.replay.launch_graph import (
    ALL_STREAMS,
    BLOCKING,
    GRAPH,
    INSIDE,
    LAUNCH,
    NO_STREAM,
    WAIT,
    LaunchGraph,
    RankGraph,
)
from perfolio.prediction.replay.rank_meetings import list_members

_ENGINES = 4
_PLAIN = (LAUNCH, INSIDE)
_AHEAD = 2
"""Batches by which workers are at least ahead, by PyTorch's default."""
Meeting = Generator[tuple[int, int], int, None]
"""Gives the group of a collective and its begin on its rank, and takes that of the last rank."""


@dataclass
class RankReplay:
    """A rank while it is replayed."""

    graph: RankGraph
    start: list[int] = field(init=False)
    stop: list[int] = field(init=False)
    free: list[int] = field(init=False)
    """When each stream has nothing left to do."""
    engines: list[int] = field(init=False)
    submitted: int = 0
    """From when on what was submitted last can begin, without its delay."""
    taken: dict[int, int] = field(default_factory=dict)
    """When batches of the loader's workers are taken, by the call after that."""
    delivered: int = 0
    """When the next batch of the loader's workers is there."""
    begun: list[int] = field(default_factory=list)
    """Begins of operations, in order of their calls, where the queue of launches has a limit."""

    def __post_init__(self) -> None:
        number = len(self.graph.operations.start)
        self.start, self.stop = [0] * number, [0] * number
        self.free = [0] * self.graph.streams
        self.engines = [0] * _ENGINES
        for stream, end in self.graph.backlog.items():
            self.free[stream] = end

    def run(self) -> Meeting:
        """Replay all calls in order."""
        calls, plain = self.graph.calls, self._find_plain()
        is_held = bool(self.graph.queue or (self.graph.batch and calls.takes))
        now = calls.start[0] - calls.gap[0] if calls.start else 0
        for place, kind in enumerate(calls.kind):
            now += calls.gap[place]
            if is_held:
                now = self._hold_call(place, now)
            if kind == WAIT:
                now = max(now, self._find_awaited(place)) + calls.own[place]
                continue
            ready = now if kind in (BLOCKING, GRAPH) else now + calls.own[place]
            now += calls.own[place]
            if kind != INSIDE:
                self.submitted = ready
            if plain[place]:
                self._begin_plain(calls.first[place], is_inside=kind == INSIDE)
            elif calls.count[place]:
                yield from self._begin_operations(place, is_inside=kind == INSIDE)
                if kind == BLOCKING:
                    last = calls.first[place] + calls.count[place] - 1
                    now = max(now, self.stop[last]) + calls.after[place]

    def _find_plain(self) -> list[bool]:
        """Calls of one operation that waits for its stream alone: most are, and quickly done."""
        own, calls = self.graph.operations, self.graph.calls
        return [
            count == 1
            and kind in _PLAIN
            and own.collective[first] < 0
            and own.engine[first] < 0
            and first not in own.waits_for
            and not self.graph.queue
            for count, kind, first in zip(calls.count, calls.kind, calls.first, strict=True)
        ]

    def _begin_plain(self, number: int, *, is_inside: bool) -> None:
        own = self.graph.operations
        stream = own.stream[number]
        if is_inside:
            begin, gap = self.submitted, self.graph.node_gap if own.duration[number] else 0
        else:
            begin, gap = self.submitted + own.delay[number], own.gap[number]
        free = self.free[stream]
        if free and free + gap > begin:
            begin = free + gap
        self.start[number] = begin
        self.stop[number] = self.free[stream] = begin + own.duration[number]

    def _hold_call(self, place: int, now: int) -> int:
        """When the host can make a call: it has its batch, and the queue of launches has room."""
        calls, queue = self.graph.calls, self.graph.queue
        if self.graph.batch and place in calls.takes:
            now = self.taken[place] = self._take_batch(now)
        if queue and calls.kind[place] == LAUNCH and len(self.begun) >= queue:
            now = max(now, self.begun[-queue])
        return now

    def _take_batch(self, now: int) -> int:
        """When the host has a batch: first none is there, later no more than two are."""
        batch = self.graph.batch
        taken = max(now, self.delivered)
        made = self.delivered or taken
        self.delivered = max(made, taken - _AHEAD * batch) + batch
        return taken

    def _find_awaited(self, place: int) -> int:
        """When what a call waits for has ended: an operation, a stream, or all of them."""
        calls = self.graph.calls
        if place in calls.awaited:
            return self.stop[calls.awaited[place]]
        return self.find_end(calls.target[place], self.free)

    @staticmethod
    def find_end(target: int, free: Sequence[int]) -> int:
        """When a stream, or all of them, have nothing left to do of what was submitted."""
        if target == ALL_STREAMS:
            return max(free, default=0)
        return 0 if target == NO_STREAM else free[target]

    def _begin_operations(self, place: int, *, is_inside: bool) -> Meeting:
        own, free, engines = self.graph.operations, self.free, self.engines
        first, ready = self.graph.calls.first[place], self.submitted
        for number in range(first, first + self.graph.calls.count[place]):
            stream, engine = own.stream[number], own.engine[number]
            begin = ready if is_inside else ready + own.delay[number]
            after = free[stream] + self._find_gap(number, is_inside=is_inside)
            if after > begin and free[stream]:
                begin = after
            if number in own.waits_for:
                begin = max(begin, *(self.stop[each] for each in own.waits_for[number]))
            if engine >= 0:
                begin = max(begin, engines[engine])
            if own.collective[number] >= 0:
                met = yield own.collective[number], begin
                stop = max(begin, met) + own.duration[number]
            else:
                stop = begin + own.duration[number]
            self.start[number], self.stop[number], free[stream] = begin, stop, stop
            if engine >= 0:
                engines[engine] = stop
            if self.graph.queue:
                self.begun.append(begin)

    def _find_gap(self, number: int, *, is_inside: bool) -> int:
        """Least time after the operation before; none before a node that is gone."""
        own = self.graph.operations
        if is_inside:
            return self.graph.node_gap if own.duration[number] else 0
        return own.gap[number]


def replay_graph(graph: LaunchGraph) -> list[RankReplay]:
    """Replay all ranks, which meet in collectives of their groups."""
    ranks = [RankReplay(each) for each in graph.ranks]
    running = [each.run() for each in ranks]
    members = list_members(graph)
    waiting = [next(one, None) for one in running]
    while any(one is not None for one in waiting):
        group = _find_ready(waiting, members)
        begins = {n: one[1] for n, one in enumerate(waiting) if one and one[0] == group}
        last = max(begins.values())
        for place in begins:
            waiting[place] = _continue_rank(running[place], last)
    return ranks


def _find_ready(
    waiting: Sequence[tuple[int, int] | None], members: Mapping[int, Sequence[int]]
) -> int:
    """A group that all its ranks wait for; `find_meetings` has made sure that there is one."""
    asked = {one[0] for one in waiting if one is not None}
    for group in sorted(asked):
        found = [waiting[place] for place in members[group]]
        if all(one is not None and one[0] == group for one in found):
            return group
    return min(asked)


def _continue_rank(one: Meeting, last: int) -> tuple[int, int] | None:
    try:
        return one.send(last)
    except StopIteration:
        return None


def list_step_times(graph: RankGraph, start: list[int], stop: list[int]) -> list[int]:
    """Time from the first operation of each iteration to that of the next one [ns].

    The first iteration leads in, and is left out where two others remain. A run of one iteration
    has the time from its first operation to the end of its last one.
    """
    first: dict[int, int] = {}
    for step, begin in zip(graph.operations.step, start, strict=True):
        if step >= 0 and step not in first:
            first[step] = begin
    begins = [first[step] for step in sorted(first)]
    if len(begins) == 1:
        return [max(stop) - min(start)]
    times = [after - before for before, after in pairwise(begins)]
    return times[1:] if len(times) > 2 else times
