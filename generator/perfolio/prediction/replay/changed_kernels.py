"""Changes to kernels: other times, and several in one.

In:  a graph that may be changed, and a `Change`. Out: how many kernels it touched.
"""

from __future__ import annotations

from collections.abc import Collection, Iterator, Sequence

from perfolio.prediction.replay.change_file import Change
from perfolio.prediction.replay.launch_graph import LAUNCH, LaunchGraph, RankGraph

KERNEL = "kernel"


def scale_kernels(graph: LaunchGraph, change: Change) -> int:
    """Kernels of some classes, or all but collectives, take a factor of their time."""
    factor, touched = _get_factor(change), 0
    for rank in graph.ranks:
        own = rank.operations
        for number, kind in enumerate(own.kind):
            group = graph.classes.get(own.work[number], "")
            wanted = group in change.classes if change.classes else group != "collective"
            if kind == KERNEL and wanted and own.step[number] >= 0:
                own.duration[number] = round(own.duration[number] * factor)
                touched += 1
    return touched


def fuse_chains(graph: LaunchGraph, change: Change) -> int:
    """Kernels that move data and follow each other become one.

    At worst a chain of k kernels of a time T in all takes T (k + 1) / 2k: a value that is written
    and read again is saved at each of its joins. At best only the longest one is left. The factor
    goes from one (1) to the other (0).
    """
    share, touched = _get_factor(change), 0
    for rank in graph.ranks:
        for chain in _find_chains(graph, rank, change.classes):
            times = [rank.operations.duration[rank.calls.first[place]] for place in chain]
            number, whole = len(times), sum(times)
            worst = whole * (number + 1) / (2 * number)
            best = max(times)
            _keep_first(rank, chain, round(best + share * max(0.0, worst - best)))
            touched += number
    return touched


def fuse_updates(graph: LaunchGraph, change: Change) -> int:
    """Kernels of each step of the optimizer become one that takes a factor of their time."""
    factor, touched = _get_factor(change), 0
    for rank in graph.ranks:
        own, calls = rank.operations, rank.calls
        for chain in _find_updates(rank):
            whole = sum(own.duration[calls.first[place]] for place in chain)
            _keep_first(rank, chain, round(whole * factor))
            touched += len(chain)
    return touched


def drop_call(rank: RankGraph, place: int) -> None:
    """Let a call with its operations take no time; the host's work before it goes, too."""
    calls, own = rank.calls, rank.operations
    calls.gap[place] = calls.own[place] = calls.after[place] = calls.loading[place] = 0
    first = calls.first[place]
    for number in range(first, first + calls.count[place]):
        own.duration[number] = own.gap[number] = own.delay[number] = 0


def is_dropped(rank: RankGraph, place: int) -> bool:
    """Whether a call and its operations take no time: see `drop_call`."""
    calls, own = rank.calls, rank.operations
    first = calls.first[place]
    return not (
        calls.gap[place]
        or calls.own[place]
        or calls.after[place]
        or any(own.duration[first : first + calls.count[place]])
    )


def _keep_first(rank: RankGraph, chain: Sequence[int], length: int) -> None:
    rank.operations.duration[rank.calls.first[chain[0]]] = length
    for place in chain[1:]:
        drop_call(rank, place)


def _get_factor(change: Change) -> float:
    return 1.0 if change.factor is None else change.factor


def _find_chains(
    graph: LaunchGraph, rank: RankGraph, classes: Collection[str]
) -> Iterator[list[int]]:
    """Launches of kernels of some classes, two or more in a row of one stream and iteration."""
    own, calls = rank.operations, rank.calls
    chain: list[int] = []
    for place, count in enumerate(calls.count):
        number = calls.first[place]
        fits = (
            count == 1
            and own.kind[number] == KERNEL
            and graph.classes.get(own.work[number]) in classes
            and calls.kind[place] == LAUNCH
            and calls.step[place] >= 0
            and not calls.updates[place]
        )
        joins = (
            fits
            and chain
            and (
                calls.step[chain[-1]] == calls.step[place]
                and own.stream[calls.first[chain[-1]]] == own.stream[number]
                and not calls.loading[place]
            )
        )
        if not joins:
            if len(chain) > 1:
                yield chain
            chain = []
        if fits:
            chain.append(place)
    if len(chain) > 1:
        yield chain


def _find_updates(rank: RankGraph) -> Iterator[list[int]]:
    """Launches of single kernels within steps of the optimizer, by iteration."""
    own, calls = rank.operations, rank.calls
    found: dict[int, list[int]] = {}
    for place, updates in enumerate(calls.updates):
        alone = updates and calls.count[place] == 1 and calls.kind[place] == LAUNCH
        if alone and own.kind[calls.first[place]] == KERNEL and calls.step[place] >= 0:
            found.setdefault(calls.step[place], []).append(place)
    yield from (chain for chain in found.values() if len(chain) > 1)
