"""Where a replay would say nothing true: one line why.

In:  a graph with what was recorded of its ranks. Out: the reason, or nothing.

That the unchanged run replays to the recorded time proves nothing where delays are taken as they
were recorded. What counts is how much of the time is not explained by streams, calls and edges.
"""

from __future__ import annotations

from dataclasses import dataclass

from perfolio.prediction.replay.call_columns import MOST_BLOCKED, RecordedRank, measure_overlap
from perfolio.prediction.replay.launch_graph import BLOCKING, LaunchGraph, RankGraph
from perfolio.prediction.replay.stream_edges import compute_lateness

MOST_UNEXPLAINED = 0.05
"""Up to this share of the time, unchanged replays of real runs were within 0.5 % [ratio]."""
_MOST_LOST = 0.05
"""Operations without a call, as a share of all [ratio]."""
_MOST_OVERLAP = 0.01
"""Calls of two threads at once, as a share of the time [ratio]."""
_MOST_EARLY = 0.01
"""Operations that begin before their call, as a share of all [ratio]."""
_EARLY = 20_000
"""By so much clocks differ [ns]."""
_MOST_COLLECTIVE = 0.01
_PAIR = 2


@dataclass(frozen=True)
class Replayability:
    """How well a run is explained, and why it is not replayed, if so."""

    unexplained: float
    """Share of the time of the worst rank that nothing explains [ratio]."""
    reason: str


def measure_unexplained(graph: LaunchGraph) -> float:
    """The share of the time of the worst rank that nothing explains, before ranks meet [ratio]."""
    return max(
        (sum(map(abs, compute_lateness(rank))) / max(1, rank.span()) for rank in graph.ranks),
        default=1.0,
    )


def judge_graph(
    graph: LaunchGraph, recorded: list[RecordedRank], ranks: int, unexplained: float
) -> Replayability:
    """Whether a run can be replayed; `ranks` are those of the whole run."""
    reason = _find_fault(graph, recorded, ranks)
    if not reason and unexplained > MOST_UNEXPLAINED:
        reason = (
            f"{unexplained:.1%} of the time is explained neither by streams nor by calls; "
            f"up to {MOST_UNEXPLAINED:.0%} can be replayed"
        )
    return Replayability(unexplained, reason)


def _find_fault(graph: LaunchGraph, recorded: list[RecordedRank], ranks: int) -> str:
    every = [one for rank in recorded for one in rank.operations]
    lost = sum(rank.amid for rank in recorded) / max(1, len(every))
    if lost > _MOST_LOST:
        return f"{lost:.0%} of GPU operations have no recorded call"
    span = max((rank.span() for rank in graph.ranks), default=0)
    if sum(measure_overlap(rank.calls) for rank in recorded) > _MOST_OVERLAP * span * len(recorded):
        return "threads call the GPU's runtime at once, so that there is no one line of control"
    return _find_clock_fault(graph) or _find_rank_fault(graph, ranks)


def _find_clock_fault(graph: LaunchGraph) -> str:
    kernels = blocked = early = 0
    for rank in graph.ranks:
        calls, own = rank.calls, rank.operations
        for number, place in enumerate(own.call):
            kernels += own.kind[number] == "kernel"
            blocked += own.kind[number] == "kernel" and calls.kind[place] == BLOCKING
            early += own.start[number] < calls.start[place] - _EARLY
    if blocked > MOST_BLOCKED * max(1, kernels):
        return "launches of kernels block, as when a profiler serialises them"
    if early > _MOST_EARLY * max(1, sum(len(rank.operations.start) for rank in graph.ranks)):
        return "operations begin before their calls: the clocks of host and GPU differ"
    return ""


def _find_rank_fault(graph: LaunchGraph, ranks: int) -> str:
    """Collectives in which ranks are not known to meet, where they take time.

    Of numbered ones those of the last iteration do not count: ranks saw more or less of them.
    """
    spent = sum(_sum_unmet(graph, rank) for rank in graph.ranks)
    if spent <= _MOST_COLLECTIVE * sum(rank.span() for rank in graph.ranks):
        return ""
    if len(graph.ranks) < max(ranks, 2):
        if len(graph.ranks) > 1:
            held = f"{len(graph.ranks)} of {ranks} ranks"
            return f"it holds GPU work of {held}, and waits for others look like transfer"
        return (
            "it holds one of several ranks, and waits for the others cannot be told from transfer"
        )
    if any(group.sends and group.size > _PAIR for group in graph.groups.values()):
        return "more than two ranks send to each other, and which two do is not recorded"
    return "collectives of the ranks do not pair: their numbers or orders differ"


def _sum_unmet(graph: LaunchGraph, rank: RankGraph) -> int:
    own = rank.operations
    last = max(own.step, default=0)
    return sum(
        own.duration[number]
        for number, group in enumerate(own.collective)
        if group < 0
        and graph.classes.get(own.work[number]) == "collective"
        and (own.step[number] < last or number not in rank.sequence or not last)
    )
