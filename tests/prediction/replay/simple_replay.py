"""Replay by equations: a second implementation, for comparison alone.

In:  a `LaunchGraph`. Out: begins of operations by rank.

Every moment is the largest of what it waits for. All are computed again from the definitions, from
zero on, until none changes: no order of calls is used, and nothing of the product's code.
"""

from __future__ import annotations

from dataclasses import dataclass, field

from perfolio.prediction.replay.launch_graph import (
    ALL_STREAMS,
    BLOCKING,
    INSIDE,
    LAUNCH,
    NO_STREAM,
    WAIT,
    LaunchGraph,
    RankGraph,
)


@dataclass
class Moments:
    """Of a rank: when the host reaches and leaves each call, and operations begin and end."""

    rank: RankGraph
    reached: list[int] = field(init=False)
    taken: list[int] = field(init=False)
    left: list[int] = field(init=False)
    begin: list[int] = field(init=False)
    end: list[int] = field(init=False)

    def __post_init__(self) -> None:
        calls, operations = len(self.rank.calls.kind), len(self.rank.operations.start)
        self.reached, self.taken, self.left = [0] * calls, [0] * calls, [0] * calls
        self.begin, self.end = [0] * operations, [0] * operations


def replay_by_equations(graph: LaunchGraph) -> list[list[int]]:
    """Begins of operations by rank [ns]."""
    return [one.begin for one in solve_equations(graph)]


def solve_equations(graph: LaunchGraph) -> list[Moments]:
    """All moments by rank."""
    every = [Moments(rank) for rank in graph.ranks]
    for _ in range(10_000):
        before = repr([(one.reached, one.left, one.begin, one.end) for one in every])
        for one in every:
            _set_hosts(one)
            _set_begins(one)
        _set_ends(every)
        if before == repr([(one.reached, one.left, one.begin, one.end) for one in every]):
            return every
    raise AssertionError("the equations have no solution")


def _set_hosts(one: Moments) -> None:
    calls = one.rank.calls
    for place, kind in enumerate(calls.kind):
        origin = calls.start[0] - calls.gap[0]
        free = one.left[place - 1] if place else origin
        one.reached[place] = free + calls.gap[place]
        if one.rank.batch and place in calls.takes:
            one.reached[place] = max(one.reached[place], _find_delivery(one, place))
        one.taken[place] = one.reached[place]
        submitted = calls.first[place]
        queue = one.rank.queue
        if kind == LAUNCH and queue and submitted >= queue:
            one.reached[place] = max(one.reached[place], one.begin[submitted - queue])
        leaves = one.reached[place] + calls.own[place]
        if kind == WAIT:
            awaited = _list_awaited(one, calls.target[place], submitted)
            if place in calls.awaited:
                awaited = [one.end[calls.awaited[place]]] * 2
            leaves = max(one.reached[place], *awaited) + calls.own[place]
        if kind == BLOCKING:
            last = calls.first[place] + calls.count[place] - 1
            leaves = max(leaves, one.end[last]) + calls.after[place]
        one.left[place] = leaves


def _find_delivery(one: Moments, place: int) -> int:
    """When the batch that is taken before a call is there: one after the other, two ahead."""
    taken = [each for each in sorted(one.rank.calls.takes) if each < place]
    there = one.taken[taken[0]] if taken else 0
    for each in taken:
        there = max(there, one.taken[each] - 2 * one.rank.batch) + one.rank.batch
    return there


def _list_awaited(one: Moments, target: int, submitted: int) -> list[int]:
    """Ends of what was submitted before, of one stream or all; never later than needed."""
    if target == NO_STREAM:
        return [0, 0]
    streams = range(one.rank.streams) if target == ALL_STREAMS else [target]
    found = [0, 0]
    for stream in streams:
        own = [n for n in range(submitted) if one.rank.operations.stream[n] == stream]
        found.append(one.end[own[-1]] if own else one.rank.backlog.get(stream, 0))
    return found


def _set_begins(one: Moments) -> None:
    calls, own = one.rank.calls, one.rank.operations
    for number, place in enumerate(own.call):
        launch = max(n for n in range(place + 1) if calls.kind[n] not in (INSIDE, WAIT))
        ready = one.reached[launch]
        if calls.kind[launch] == LAUNCH:
            ready += calls.own[launch]
        inside = calls.kind[place] == INSIDE
        reasons = [ready if inside else ready + own.delay[number]]
        node_gap = one.rank.node_gap if own.duration[number] else 0
        gap = node_gap if inside else own.gap[number]
        earlier = [n for n in range(number) if own.stream[n] == own.stream[number]]
        if earlier:
            reasons.append(one.end[earlier[-1]] + gap)
        elif own.stream[number] in one.rank.backlog:
            reasons.append(one.rank.backlog[own.stream[number]] + gap)
        same = [n for n in range(number) if own.engine[n] == own.engine[number] >= 0]
        reasons += [one.end[same[-1]]] if same else []
        reasons += [one.end[cause] for cause in own.waits_for.get(number, ())]
        one.begin[number] = max(reasons)


def _set_ends(every: list[Moments]) -> None:
    for one in every:
        for number, length in enumerate(one.rank.operations.duration):
            group = one.rank.operations.collective[number]
            place = _list_met(one, group).index(number) if group >= 0 else 0
            begins = [
                other.begin[_list_met(other, group)[place]]
                for other in every
                if group >= 0 and _list_met(other, group)
            ]
            one.end[number] = max([one.begin[number], *begins]) + length


def _list_met(one: Moments, group: int) -> list[int]:
    """Operations of a rank in which a group meets."""
    return [n for n, met in enumerate(one.rank.operations.collective) if met == group]
