"""Jobs whose operations and slow-downs were published, as work of ranks and a replay of it.

In:  `trace-NAME.parquet` of the traces that go with J. Lin and others, Understanding Stragglers in
     Large Model Training Using What-if Analysis, OSDI 2025. Out: `RankWork`, and times of steps.

Each row is an operation of a rank: a data-parallel group has stages, each stage forward and
backward computing by micro-batch. All steps and groups depend alike, so that a moment is an array
over steps and groups. What an operation waits for beside what precedes it on its stream:

- computing for what it receives, a send for its computing, a receive for the computing before;
- the first forward of a stage for its parameters; the first transfers of the backward pass for the
  computing before the last forward that precedes it;
- gradients of layer norms, embeddings and all parameters, clipping and the optimizer for each other
  in this order, after the last computing;
- what ranks do together, for the last one that begins.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from itertools import pairwise
from pathlib import Path
from typing import Any

import duckdb
import numpy as np

from perfolio.prediction.replay.launch_graph import (
    LAUNCH,
    NO_STREAM,
    HostCalls,
    LaunchGraph,
    QueuedOperations,
    RankGraph,
)
from perfolio.prediction.straggler_blame import Floats, Integers, RankWork

Operation = tuple[str, int, int]
"""Its type, its number among those of its type, and its stage."""
FORWARD, BACKWARD = "forward-compute", "backward-compute"
GATHER, SCATTER = "params-all-gather", "grads-reduce-scatter"
EMBEDDING, CLIP = "embedding-grads-all-reduce", "optimizer-clip-main-grad"
NORMS, OPTIMIZER, COLLECT = "layernorm-grads-all-reduce", "optimizer", "gc"
PAIRS = {
    "forward-send": ("forward-recv", 1, FORWARD),
    "forward-recv": ("forward-send", -1, FORWARD),
    "backward-send": ("backward-recv", -1, BACKWARD),
    "backward-recv": ("backward-send", 1, BACKWARD),
}
"""What meets it, on the stage so far away, and the computing that it serves."""
TRANSFERS = (*PAIRS, GATHER, SCATTER, EMBEDDING, CLIP, NORMS)
_TOGETHER = {kind: f"{kind.split('-', maxsplit=1)[0]}-pp-comm" for kind in PAIRS}
"""By what name the published results have a type."""
_STREAMS = {
    kind: number
    for number, kind in enumerate((*PAIRS, GATHER, EMBEDDING, CLIP, NORMS, OPTIMIZER, COLLECT), 1)
}
_STREAMS[SCATTER] = _STREAMS[GATHER]
_ORIGIN = 1_000_000_000
_SLACK = 5e-5
_LATE = -1e-2
"""What ended by more before the last begin has no transfer [s]."""
_ROWS = """
SELECT optype, seq_id, stage, step, dp_rank, start_ts, duration FROM read_parquet($path)
ORDER BY step, dp_rank, stage, start_ts, seq_id, optype
"""


@dataclass
class PublishedJob:
    """A job: its operations, each with its rows by step and group."""

    rows: dict[str, Any]
    places: dict[Operation, Integers] = field(default_factory=dict)
    after: dict[Operation, list[Operation]] = field(default_factory=dict)
    meets: dict[Operation, tuple[Operation, ...]] = field(default_factory=dict)
    """Who has to begin, of the same group."""
    ended: list[Operation] = field(default_factory=list)
    """In the order of the last replay."""

    def __post_init__(self) -> None:
        steps, groups = len(np.unique(self.rows["step"])), int(self.rows["dp_rank"].max()) + 1
        self.stages = int(self.rows["stage"].max()) + 1
        found: dict[Operation, list[int]] = {}
        for number, one in enumerate(self._list_operations()):
            found.setdefault(one, []).append(number)
        self.places = {one: np.array(each).reshape(steps, groups) for one, each in found.items()}
        self.numbers = {one: number for number, one in enumerate(self.places)}
        self.first = {one: each[0, 0] for one, each in self.places.items()}
        self.after = {one: [] for one in self.places}
        for stage in range(self.stages):
            self._add_stage(stage)
        self._add_meetings()
        self.times = self._take_transfers()

    def _list_operations(self) -> list[Operation]:
        own = self.rows
        return list(
            zip(map(str, own["optype"]), own["seq_id"].tolist(), own["stage"].tolist(), strict=True)
        )

    def _list(self, stage: int, *kinds: str) -> list[Operation]:
        """Operations of a stage in the order of the first step."""
        own = [one for one in self.places if one[2] == stage and one[0] in kinds]
        return sorted(own, key=lambda one: self.first[one])

    def _begin(self, one: Operation) -> float:
        return float(self.rows["start_ts"][self.first[one]])

    def _end(self, one: Operation) -> float:
        return self._begin(one) + float(self.rows["duration"][self.first[one]])

    def _chain(self, chain: Sequence[Operation]) -> None:
        for before, one in pairwise(chain):
            self.after[one].append(before)

    def _add_stage(self, stage: int) -> None:
        computing = self._list(stage, FORWARD, BACKWARD)
        self._chain(computing)
        self._chain(self._list(stage, GATHER, SCATTER))
        for kind in PAIRS:
            own = self._list(stage, kind)
            self._chain(own)
            for transfer, served in zip(
                [one for one in own if self._is_used(one)],
                self._list(stage, PAIRS[kind][2]),
                strict=False,
            ):
                self._serve(transfer, served)
        turn = next(n for n, one in enumerate(computing) if one[0] == BACKWARD)
        for kind in ("backward-send", "backward-recv"):
            if turn >= 2 and (kind, 0, stage) in self.after:
                self.after[kind, 0, stage].append(computing[turn - 2])
        for gather in self._list(stage, GATHER):
            self.after[computing[0]].append(gather)
        ends = (
            *((EMBEDDING,) if stage in (0, self.stages - 1) else ()),
            *(SCATTER, CLIP, OPTIMIZER),
        )
        last = max(computing, key=self._end)
        self._chain([last, *((kind, 0, stage) for kind in (COLLECT, NORMS, *ends))])

    def _is_used(self, one: Operation) -> bool:
        """Whether it is within the pass that it serves: others were recorded, and do nothing."""
        served = self._list(one[2], PAIRS[one[0]][2])
        if one[0].endswith("recv"):
            return self._begin(one) <= max(map(self._begin, served)) + _SLACK
        return self._end(one) >= min(map(self._end, served)) - _SLACK

    def _serve(self, transfer: Operation, served: Operation) -> None:
        if transfer[0].endswith("send"):
            self.after[transfer].append(served)
            return
        self.after[served].append(transfer)
        if served[1]:
            self.after[transfer].append((served[0], served[1] - 1, served[2]))

    def _add_meetings(self) -> None:
        for kind, (peer, away, _) in PAIRS.items():
            for stage in range(self.stages):
                other = stage + away
                own = [one for one in self._list(stage, kind) if self._is_used(one)]
                if 0 <= other < self.stages:
                    theirs = [one for one in self._list(other, peer) if self._is_used(one)]
                    self.meets |= dict(zip(own, zip(own, theirs, strict=True), strict=True))
        for one in self.places:
            if one[0] in (CLIP, EMBEDDING):
                self.meets[one] = tuple(each for each in self.places if each[0] == one[0])
            elif one[0] in (*PAIRS, GATHER, SCATTER):
                self.meets.setdefault(one, (one,))

    def _find_last(self, one: Operation, begins: dict[Operation, Floats]) -> Floats:
        """When the last of those that meet begins, by step and group."""
        last = np.max([begins[each] for each in self.meets[one]], axis=0)
        if one[0] in (GATHER, SCATTER, CLIP):
            last = np.broadcast_to(last.max(axis=1, keepdims=True), last.shape)
        return np.asarray(last, np.float64)

    def _take_transfers(self) -> Floats:
        """Times, of transfers from the last begin on."""
        start, times = self.rows["start_ts"], self.rows["duration"].copy()
        begins = {one: start[place] for one, place in self.places.items()}
        for one in self.meets:
            place = self.places[one]
            own = start[place] + self.rows["duration"][place] - self._find_last(one, begins)
            times[place] = np.where(own <= _LATE, 0.0, own)
        return np.asarray(times, np.float64)

    def replay(self, times: Floats) -> list[float]:
        """Times of steps, each from zero to the end of its last optimizer [s]."""
        begins: dict[Operation, Floats] = {}
        ends: dict[Operation, Floats] = {}
        left = list(self.places)
        while left:
            waiting = []
            for one in left:
                if one not in begins and all(each in ends for each in self.after[one]):
                    zero = np.zeros(self.places[one].shape)
                    begins[one] = np.max([zero, *(ends[each] for each in self.after[one])], axis=0)
                peers = self.meets.get(one, (one,))
                if all(each in begins for each in peers):
                    last = self._find_last(one, begins) if one in self.meets else begins[one]
                    ends[one] = last + times[self.places[one]]
                else:
                    waiting.append(one)
            assert len(waiting) < len(left), "operations wait for each other"
            left = waiting
        self.ended = list(ends)
        done = [ends[OPTIMIZER, 0, stage] for stage in range(self.stages)]
        return [float(each) for each in np.max(done, axis=(0, 2))]

    def make_graphs(self, times: Floats) -> Iterator[LaunchGraph]:
        """The same as launch graphs, a step each: what the product replays.

        Each meeting is a group of its own, and all ranks have theirs in one order.
        """
        turns = self._list_turns(times)
        order = sorted(
            self.places, key=lambda one: min(turns[each] for each in self.meets.get(one, (one,)))
        )
        steps, groups = self.places[order[0]].shape
        for step in range(steps):
            ranks = [
                self._make_rank([one for one in order if one[2] == stage], (step, group), times)
                for group in range(groups)
                for stage in range(self.stages)
            ]
            yield LaunchGraph(ranks, {}, frozenset(), {}, steps=1)

    def _list_turns(self, times: Floats) -> dict[Operation, int]:
        """In which order operations end, when each is replayed as soon as it can be."""
        self.replay(times)
        return {one: turn for turn, one in enumerate(self.ended)}

    def _make_rank(
        self, own: Sequence[Operation], place: tuple[int, int], times: Floats
    ) -> RankGraph:
        """A rank whose host launches everything at once."""
        numbers = {one: number for number, one in enumerate(own)}
        each = len(own)
        none = [0] * each
        calls = HostCalls(
            start=[_ORIGIN] * each, stop=[_ORIGIN] * each, gap=none, own=none, after=none,
            kind=[LAUNCH] * each, target=[NO_STREAM] * each, step=none, first=list(range(each)),
            count=[1] * each, name=[""] * each, thread=none, loading=none,
            updates=[False] * each,
        )  # fmt: skip
        operations = QueuedOperations(
            start=none, duration=[round(1e9 * times[self.places[one][place]]) for one in own],
            stream=[_STREAMS.get(one[0], 0) for one in own], engine=[-1] * each,
            kind=["kernel"] * each, work=none, size=none, step=none, call=list(range(each)),
            delay=none, gap=none, collective=[self._name_meeting(one, place[1]) for one in own],
            waits_for={
                numbers[one]: tuple(numbers[before] for before in self.after[one])
                for one in own
                if self.after[one]
            },
        )  # fmt: skip
        return RankGraph(calls, operations, streams=len(_STREAMS) + 1)

    def _name_meeting(self, one: Operation, group: int) -> int:
        """A number that is alike for all that meet; -1 of what meets nobody."""
        peers = self.meets.get(one, ())
        first = min((self.numbers[each] for each in peers), default=-1)
        if one[0] in (GATHER, SCATTER, CLIP):
            return first
        return first + len(self.places) * (1 + group) if len(peers) > 1 else -1

    def make_work(self) -> tuple[RankWork, list[str]]:
        """The work of ranks, and names of categories, as the published results have them."""
        own = self.rows
        kinds = np.unique(own["optype"])
        names = sorted({_TOGETHER.get(str(kind), str(kind)) for kind in kinds})
        number = {kind: names.index(_TOGETHER.get(str(kind), str(kind))) for kind in kinds}
        work = RankWork(
            time=self.times,
            kind=np.searchsorted(kinds, own["optype"]),
            worker=np.asarray(own["dp_rank"] * self.stages + own["stage"], np.int64),
            stage=np.asarray(own["stage"], np.int64),
            category=np.array([number[kind] for kind in own["optype"]]),
            is_transfer=np.isin(own["optype"], TRANSFERS),
            is_host=np.zeros(len(self.times), np.bool_),
        )
        return work, names


def read_job(path: Path) -> PublishedJob:
    """A published job."""
    with duckdb.connect() as connection:
        found = connection.execute(_ROWS, {"path": str(path)}).fetchnumpy()
    rows = {name: np.ma.getdata(values) for name, values in found.items()}
    for name in ("start_ts", "duration"):
        rows[name] = rows[name].astype(np.float64)
    for name in ("dp_rank", "stage", "seq_id"):
        rows[name] = rows[name].astype(np.int64)
    rows["optype"] = rows["optype"].astype(str)
    return PublishedJob(rows)
