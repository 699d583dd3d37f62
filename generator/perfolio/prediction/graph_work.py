"""The work of a launch graph, in columns, and its replay with other times.

In:  a graph whose ranks meet. Out: `GraphWork`, or one line why ranks cannot be held against each
     other.

Pieces are alike where they are the same operation, by name, and the same one of these in their
iteration; of the host, the work before the call that submits it, and in that call. So micro-batches
of an iteration are not told apart. What only some ranks run is alike to nothing there, and stays:
the slowdown is a least one.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass, replace
from functools import cached_property
from typing import NamedTuple

import numpy as np

from perfolio.findings.model.step_replay import StepReplay, StraggledRun
from perfolio.prediction.replay.graph_replay import list_step_times, replay_graph
from perfolio.prediction.replay.launch_graph import LaunchGraph, RankGraph, RankGroup
from perfolio.prediction.replay.rank_meetings import list_members
from perfolio.prediction.replay.savings import ReplayedRun
from perfolio.prediction.straggler_blame import (
    Floats,
    Integers,
    RankWork,
    find_stragglers,
)

HOST, LOADING, TRANSFER = "Host's work", "Loading of input", "Transfers of collectives"
LEAST_SHARED = 0.9
"""What of the GPU's computing all ranks have to run, to be held against each other [ratio]."""
LEAST_STEPS = 4
_LEAST_MENDED, _MOST_REPLAYED = 2, 1_000_000
"""Ranks, and kinds of work, that are mended one by one at least; operations replayed at most."""
_DURATION, _GAP, _OWN, _LOADING = range(4)
_OF_HOST = (_GAP, _OWN, _LOADING)


class _Piece(NamedTuple):
    """A time of a column of a rank."""

    column: int
    place: int
    time: int
    does: tuple[int | str, ...]
    """What it does; of several alike in an iteration, which one is counted."""
    category: str


@dataclass(frozen=True)
class GraphWork:
    """A graph, and the pieces of its ranks, rank by rank."""

    graph: LaunchGraph
    pieces: list[list[_Piece]]

    @property
    def numbers(self) -> list[int]:
        """Ranks, as they were recorded."""
        return [rank.number for rank in self.graph.ranks]

    @cached_property
    def titles(self) -> list[str]:
        """Categories of pieces."""
        return sorted({piece.category for each in self.pieces for piece in each})

    @cached_property
    def work(self) -> RankWork:
        """The pieces in columns."""
        every = [piece for each in self.pieces for piece in each]
        kinds = {does: number for number, does in enumerate({piece.does: 0 for piece in every})}
        titles = {title: number for number, title in enumerate(self.titles)}
        workers = [worker for worker, each in enumerate(self.pieces) for _ in each]
        return RankWork(
            time=np.array([piece.time for piece in every], np.float64),
            kind=np.array([kinds[piece.does] for piece in every], np.int64),
            worker=np.array(workers, np.int64),
            stage=np.array(find_stages(self.graph), np.int64)[workers],
            category=np.array([titles[piece.category] for piece in every], np.int64),
            is_transfer=np.array([piece.category == TRANSFER for piece in every], np.bool_),
            is_host=np.array([piece.column in _OF_HOST for piece in every], np.bool_),
        )

    @cached_property
    def places(self) -> list[dict[int, tuple[Integers, Integers]]]:
        """By rank and column: where in the column, and which pieces."""
        columns = np.array([piece.column for each in self.pieces for piece in each], np.int64)
        within = np.array([piece.place for each in self.pieces for piece in each], np.int64)
        chosen = [
            {
                column: np.flatnonzero((self.work.worker == worker) & (columns == column))
                for column in (_DURATION, *_OF_HOST)
            }
            for worker in range(len(self.pieces))
        ]
        return [{column: (within[own], own) for column, own in each.items()} for each in chosen]

    def replay(self, times: Floats) -> list[float]:
        """Times of iterations, if pieces take other times [ns]."""
        ranks = [
            self._change_rank(rank, worker, times) for worker, rank in enumerate(self.graph.ranks)
        ]
        first = replay_graph(replace(self.graph, ranks=ranks))[0]
        return [float(time) for time in list_step_times(ranks[0], first.start, first.stop)]

    def _change_rank(self, rank: RankGraph, worker: int, times: Floats) -> RankGraph:
        """A rank with other times; all other columns are the same lists."""
        calls, found = rank.calls, self.places[worker]
        gap = np.array(calls.gap, np.float64) - np.array(calls.loading, np.float64)
        loading = _set_times(calls.loading, *found[_LOADING], times)
        gap[found[_GAP][0]] = times[found[_GAP][1]]
        return replace(
            rank,
            calls=replace(
                calls,
                gap=_round(gap + loading),
                own=_round(_set_times(calls.own, *found[_OWN], times)),
            ),
            operations=replace(
                rank.operations,
                duration=_round(_set_times(rank.operations.duration, *found[_DURATION], times)),
            ),
        )


def find_run_stragglers(known: StepReplay, replayed: ReplayedRun | None) -> StraggledRun:
    """Who holds up a run that is replayed; of one that is not, why."""
    found = known.reason if replayed is None else read_graph_work(replayed.graph)
    if isinstance(found, str):
        return StraggledRun(reason=found)
    operations = sum(len(rank.operations.start) for rank in found.graph.ranks)
    most = max(_LEAST_MENDED, _MOST_REPLAYED // (2 * max(1, operations)))
    return find_stragglers(found.work, found.replay, found.numbers, found.titles, most)


def read_graph_work(graph: LaunchGraph) -> GraphWork | str:
    """The work of ranks, or one line why they cannot be held against each other."""
    if len(graph.ranks) < 2:
        return "one rank was recorded: there is none to hold it against"
    if not any(one >= 0 for rank in graph.ranks for one in rank.operations.collective):
        return "its ranks meet in no collective operation, so that none waits for another"
    if count_apart(graph) > 1:
        return "not all of its ranks meet, so that some do not wait for the others"
    if graph.steps < LEAST_STEPS:
        return f"it has fewer than {LEAST_STEPS} iterations, of which the first one leads in"
    found = GraphWork(graph, [list(_list_pieces(graph, rank)) for rank in graph.ranks])
    shared = measure_shared(found.work)
    if shared < LEAST_SHARED:
        return (
            f"only {shared:.0%} of the GPUs' computing is in operations that all ranks run, so "
            "that most have nothing to be held against"
        )
    return found


def count_apart(graph: LaunchGraph) -> int:
    """How many parts the ranks fall into, of which none waits for another one."""
    parts = list(range(len(graph.ranks)))
    for ranks in list_members(graph).values():
        joined = {parts[rank] for rank in ranks}
        parts = [min(joined) if part in joined else part for part in parts]
    return len(set(parts))


def find_stages(graph: LaunchGraph) -> list[int]:
    """Of each rank the stage of a pipeline that it holds; all the same where nobody sends.

    Ranks that meet in a collective hold one stage, but for what all ranks meet in.
    """
    stages = list(range(len(graph.ranks)))
    members = list_members(graph)
    if not any(group in members and told.sends for group, told in graph.groups.items()):
        return [0] * len(stages)
    for group, ranks in members.items():
        told = graph.groups.get(group, RankGroup())
        if not told.sends and len(ranks) < len(stages):
            joined = {stages[rank] for rank in ranks}
            stages = [min(joined) if stage in joined else stage for stage in stages]
    order = {stage: place for place, stage in enumerate(dict.fromkeys(stages))}
    return [order[stage] for stage in stages]


def measure_shared(work: RankWork) -> float:
    """How much of the GPUs' computing is in kinds that all ranks have [ratio]."""
    own = ~work.is_transfer & ~work.is_host
    if not own.any():
        return 0.0
    pairs = np.unique(np.stack([work.kind[own], work.worker[own]]), axis=1)
    ranks = np.bincount(pairs[0], minlength=int(work.kind.max()) + 1)
    everywhere = ranks[work.kind[own]] == len(np.unique(work.worker))
    return float(work.time[own][everywhere].sum() / max(1.0, work.time[own].sum()))


def _list_pieces(graph: LaunchGraph, rank: RankGraph) -> Iterator[_Piece]:
    """Pieces of the iterations whose time counts.

    The first iteration leads in, and often takes longer; of the last one only its begin counts.
    """
    calls, own = rank.calls, rank.operations
    seen: Counter[tuple[int | str, ...]] = Counter()
    last = max(own.step, default=0)
    until = next((n for n, step in enumerate(own.step) if step == last), -1)
    for number, step in enumerate(own.step[:until]):
        if step < 1:
            continue
        category = _name_category(graph, rank, number)
        key: tuple[int | str, ...] = (
            category == TRANSFER,
            own.kind[number],
            graph.names.get(own.work[number], ""),
        )
        seen[step, *key] += 1
        does = (_DURATION, *key, seen[step, *key])
        yield _Piece(_DURATION, number, own.duration[number], does, category)
    for place, step in enumerate(calls.step[: own.call[until] + 1]):
        if step < 1:
            continue
        submits = own.work[calls.first[place]] if calls.count[place] else -1
        key = (calls.name[place], graph.names.get(submits, ""))
        seen[step, *key] += 1
        loading = calls.loading[place]
        for column, time in (
            (_GAP, calls.gap[place] - loading),
            (_OWN, calls.own[place]),
            (_LOADING, loading),
        ):
            does = (column, *key, seen[step, *key])
            yield _Piece(column, place, time, does, LOADING if column == _LOADING else HOST)


def _name_category(graph: LaunchGraph, rank: RankGraph, number: int) -> str:
    own = rank.operations
    if own.collective[number] >= 0:
        return TRANSFER
    name = graph.classes.get(own.work[number], own.kind[number])
    return f"Kernels: {name}" if own.kind[number] == "kernel" else name[:1].upper() + name[1:]


def _set_times(column: list[int], places: Integers, pieces: Integers, times: Floats) -> Floats:
    changed = np.array(column, np.float64)
    changed[places] = times[pieces]
    return changed


def _round(values: Floats) -> list[int]:
    rounded: list[int] = np.rint(values).astype(np.int64).tolist()
    return rounded
