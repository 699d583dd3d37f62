"""Where ranks meet: collectives, the n-th of a group of each rank with that of the others.

In:  a graph with a rank or more. Out: its collectives last as long as the transfer takes.

A rank that waits in a collective for others is not at work: what it does itself is from the begin
of the last rank to the end. Where collectives have numbers in their group, those of one number
meet. Else, where counts differ, or a rank of the group was not recorded, none is known to meet, as
all may wait for that one; nor where more than two ranks send and receive, as a trace does not say
which two.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator

from perfolio.prediction.replay.launch_graph import (
    NO_COLLECTIVE,
    LaunchGraph,
    QueuedOperations,
    RankGraph,
    RankGroup,
)

_PAIR = 2
Meeting = list[tuple[QueuedOperations, int]]
"""Of each rank that takes part, its columns and the place of its operation."""


def find_meetings(graph: LaunchGraph, ranks: int = 0) -> None:
    """Let collectives of several ranks last from the last begin on; forget all others.

    `ranks` are those of the whole run, as far as it says how many.
    """
    for group, places in list_members(graph).items():
        if len(places) > 1 and not graph.groups.get(group, RankGroup()).sends:
            _keep_shared(graph, group, places)
    members = list_members(graph)
    met = {
        group
        for group, places in members.items()
        if _is_whole(graph, group, len(places), ranks) and _do_meet(graph, group, places)
    }
    if not _is_ordered(graph, met, members):
        met = set()
    for rank in graph.ranks:
        own = rank.operations
        own.collective = [one if one in met else NO_COLLECTIVE for one in own.collective]
    for meeting in list(_list_meetings(graph)):
        last = max(own.start[number] for own, number in meeting)
        for own, number in meeting:
            own.duration[number] = max(0, own.start[number] + own.duration[number] - last)


def list_ends(graph: LaunchGraph) -> list[list[int]]:
    """When operations ended as recorded, by rank, once meetings are found [ns]."""
    ends = {
        id(rank.operations): [
            start + length
            for start, length in zip(rank.operations.start, rank.operations.duration, strict=True)
        ]
        for rank in graph.ranks
    }
    for meeting in _list_meetings(graph):
        last = max(own.start[number] for own, number in meeting)
        for own, number in meeting:
            ends[id(own)][number] = last + own.duration[number]
    return [ends[id(rank.operations)] for rank in graph.ranks]


def list_members(graph: LaunchGraph) -> dict[int, list[int]]:
    """Places of the ranks that have a collective of a group, by group."""
    members: dict[int, list[int]] = {}
    for place, rank in enumerate(graph.ranks):
        for group in sorted(set(rank.operations.collective) - {NO_COLLECTIVE}):
            members.setdefault(group, []).append(place)
    return members


def _do_meet(graph: LaunchGraph, group: int, ranks: list[int]) -> bool:
    """Whether several ranks have equally many, and it is known who sends to whom."""
    told = graph.groups.get(group, RankGroup())
    numbers = {graph.ranks[place].operations.collective.count(group) for place in ranks}
    several = len(ranks) > 1 or told.size == 1
    return several and len(numbers) == 1 and (not told.sends or told.size == _PAIR)


def _keep_shared(graph: LaunchGraph, group: int, places: list[int]) -> None:
    """Forget collectives whose number not all ranks of a group saw, where all have numbers."""
    ranks = [graph.ranks[place] for place in places]
    found = [_number_again(rank, group) for rank in ranks]
    if any(not keys for keys in found):
        return
    shared = set.intersection(*map(set, found))
    orders = {tuple(key for key in keys if key in shared) for keys in found}
    for rank, keys in zip(ranks, found, strict=True) if len(orders) == 1 else ():
        for key in keys.keys() - shared:
            rank.operations.collective[keys[key]] = NO_COLLECTIVE


def _number_again(rank: RankGraph, group: int) -> dict[tuple[int, int], int]:
    """Operations of a group by number, in their order; none where one has none.

    A collective may be several kernels, one after the other.
    """
    own = [n for n, one in enumerate(rank.operations.collective) if one == group]
    seen = Counter[int]()
    keys: dict[tuple[int, int], int] = {}
    for number in own if all(each in rank.sequence for each in own) else ():
        sequence = rank.sequence[number]
        keys[sequence, seen[sequence]] = number
        seen[sequence] += 1
    return keys


def _is_whole(graph: LaunchGraph, group: int, number: int, ranks: int) -> bool:
    """Whether all ranks of a group were recorded; of one without a size, all ranks of the run."""
    size = graph.groups.get(group, RankGroup()).size
    return number == size if size else len(graph.ranks) >= ranks


def _is_ordered(graph: LaunchGraph, met: set[int], members: dict[int, list[int]]) -> bool:
    """Whether ranks can meet in the order of their calls: else each would wait for another."""
    left = [[one for one in rank.operations.collective[::-1] if one in met] for rank in graph.ranks]
    while any(left):
        ready = next(
            (
                group
                for group in {each[-1] for each in left if each}
                if all(left[place] and left[place][-1] == group for place in members[group])
            ),
            None,
        )
        if ready is None:
            return False
        for place in members[ready]:
            left[place].pop()
    return True


def _list_meetings(graph: LaunchGraph) -> Iterator[Meeting]:
    for group, places in list_members(graph).items():
        columns = [graph.ranks[place].operations for place in places]
        numbers = [
            [number for number, one in enumerate(own.collective) if one == group] for own in columns
        ]
        for meeting in zip(*numbers, strict=True):
            yield list(zip(columns, meeting, strict=True))
