"""Where ranks meet: collectives, the n-th of each rank with that of the others.

In:  a graph with a rank or more. Out: its collectives last as long as the transfer takes.

A rank that waits in a collective for others is not at work: what it does itself is from the begin
of the last rank to the end. Where numbers differ, or only one rank was recorded, none is known to
meet.
"""

from __future__ import annotations

from perfolio.prediction.replay.launch_graph import NO_COLLECTIVE, LaunchGraph


def find_meetings(graph: LaunchGraph) -> None:
    """Let collectives of several ranks last from the last begin on; forget those of one rank."""
    every = _list_collectives(graph)
    if len(every) < 2 or len({len(each) for each in every}) > 1:
        for rank in graph.ranks:
            rank.operations.collective = [NO_COLLECTIVE] * len(rank.operations.start)
        return
    for meeting in zip(*every, strict=True):
        columns = [rank.operations for rank in graph.ranks]
        last = max(own.start[number] for own, number in zip(columns, meeting, strict=True))
        for own, number in zip(columns, meeting, strict=True):
            stop = own.start[number] + own.duration[number]
            own.duration[number] = max(0, stop - last)


def list_ends(graph: LaunchGraph) -> list[list[int]]:
    """When operations ended as recorded, by rank, once meetings are found [ns]."""
    columns = [rank.operations for rank in graph.ranks]
    ends = [
        [start + length for start, length in zip(own.start, own.duration, strict=True)]
        for own in columns
    ]
    for meeting in zip(*_list_collectives(graph), strict=True):
        last = max(own.start[number] for own, number in zip(columns, meeting, strict=True))
        for own, found, number in zip(columns, ends, meeting, strict=True):
            found[number] = last + own.duration[number]
    return ends


def _list_collectives(graph: LaunchGraph) -> list[list[int]]:
    return [
        [number for number, one in enumerate(rank.operations.collective) if one >= 0]
        for rank in graph.ranks
    ]
