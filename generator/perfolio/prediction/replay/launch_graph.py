"""A recorded run as calls of the host and operations of streams, in columns.

In:  nothing. Out: the types. Times are integers [ns] by the clock of the run.

A rank has one line of control: calls that submit work or wait, of all its threads, in the order of
their begins. What lies between two of them is the host's own work and belongs to the later one.
Columns are lists of Python: a replay reads single values, in order, which lists do fastest.
"""

from __future__ import annotations

from copy import copy
from dataclasses import dataclass, field, replace
from typing import NamedTuple, TypeVar

LAUNCH, BLOCKING, WAIT, GRAPH, INSIDE = range(5)
"""Kinds of calls: the host goes on at once; it goes on when the call's own operations have ended;
it waits for a stream or for all; it launches a graph of operations; or the call is gone, and a
graph that was launched before holds its operations."""
ALL_STREAMS, NO_STREAM = -1, -2
"""Instead of a stream, what a wait is for."""
NO_COLLECTIVE = -1


class RecordedWait(NamedTuple):
    """What the tool tells that a call waits for, or lets a stream wait for."""

    by_stream: bool
    """Whether a stream waits, and not the call."""
    start: int
    """When its call begins."""
    thread: int
    stream: int
    """The stream that waits; of a call's own wait, the one that it is for."""
    recorded: int
    """When the call began that recorded the event; -1 where it is for no event, -2 where that is
    not recorded."""
    source: int
    """The stream in which it did; see `stream`."""


ALL, NOTHING, UNKNOWN = -1, -2, -3
"""Instead of a stream: all of them; one that did nothing; not recorded."""
NO_EVENT, NO_RECORD = -1, -2
"""Instead of when an event was recorded."""


@dataclass
class HostCalls:
    """Calls of a rank, in the order of their begins."""

    start: list[int] = field(default_factory=list)
    """As recorded."""
    stop: list[int] = field(default_factory=list)
    gap: list[int] = field(default_factory=list)
    """Work of the host before the call."""
    own: list[int] = field(default_factory=list)
    """What the call itself takes; of a wait, what is left when the waiting is over."""
    after: list[int] = field(default_factory=list)
    """What a blocking call takes after the end of its operations."""
    kind: list[int] = field(default_factory=list)
    target: list[int] = field(default_factory=list)
    """The stream that a wait is for."""
    step: list[int] = field(default_factory=list)
    """Iteration, from 0; -1 before the first one."""
    first: list[int] = field(default_factory=list)
    """Place of its first operation."""
    count: list[int] = field(default_factory=list)
    """Number of its operations."""
    name: list[str] = field(default_factory=list)
    thread: list[int] = field(default_factory=list)
    loading: list[int] = field(default_factory=list)
    """What of the gap is in the program's loading of input."""
    updates: list[bool] = field(default_factory=list)
    """Whether it is within a step of the optimizer."""
    awaited: dict[int, int] = field(default_factory=dict)
    """The operation that a wait is for, where that is recorded: instead of its stream's last."""
    takes: dict[int, int] = field(default_factory=dict)
    """Calls before which a batch is taken from worker processes, and what of that was waiting.
    Where workers decide (`RankGraph.batch`), that is no part of the gap."""


@dataclass
class QueuedOperations:
    """Operations of a rank, by the order of their calls."""

    start: list[int] = field(default_factory=list)
    """As recorded."""
    duration: list[int] = field(default_factory=list)
    """Of a collective that all ranks have, from the last begin: its transfer."""
    stream: list[int] = field(default_factory=list)
    engine: list[int] = field(default_factory=list)
    """Direction of a copy, from 0; -1 of all else."""
    kind: list[str] = field(default_factory=list)
    """kernel, copy H2D, memset, ..."""
    work: list[int] = field(default_factory=list)
    """Calling context: what it is, also in another iteration."""
    size: list[int] = field(default_factory=list)
    """Bytes of a copy; 0 where they are not recorded [B]."""
    step: list[int] = field(default_factory=list)
    call: list[int] = field(default_factory=list)
    """Place of its call."""
    delay: list[int] = field(default_factory=list)
    """From its call until it can begin."""
    gap: list[int] = field(default_factory=list)
    """Least time after the operation before it on its stream."""
    collective: list[int] = field(default_factory=list)
    """Group of ranks that meet in it; -1 of all else, and where ranks do not meet."""
    waits_for: dict[int, tuple[int, ...]] = field(default_factory=dict)
    """Operations of other streams that have to end before."""


@dataclass
class RankGraph:
    """One rank: its calls, its operations, and what was under way before the first call."""

    calls: HostCalls
    operations: QueuedOperations
    backlog: dict[int, int] = field(default_factory=dict)
    """When what was submitted before ends, by stream."""
    node_gap: int = 0
    """Least time between two operations of a stream within a graph that a change makes;
    none before one that is gone."""
    queue: int = 0
    """Launches that can wait at once; 0 where no limit shows."""
    streams: int = 0
    """Number of streams."""
    batch: int = 0
    """Time between two batches of the loader's workers, where these decide; 0 where not [ns]."""
    sequence: dict[int, int] = field(default_factory=dict)
    """Numbers of collectives in their groups, as far as they are recorded."""
    number: int = 0
    """Of the rank, as it was recorded."""

    def copy(self) -> RankGraph:
        """A graph whose columns may be changed: each is another list."""
        return replace(
            self, calls=_copy_columns(self.calls), operations=_copy_columns(self.operations)
        )

    def span(self) -> int:
        """From the begin of the first operation to the end of the last one, as recorded [ns]."""
        own = self.operations
        ends = [start + length for start, length in zip(own.start, own.duration, strict=True)]
        return max(ends, default=0) - min(own.start, default=0)


_Columns = TypeVar("_Columns", HostCalls, QueuedOperations)


def _copy_columns(columns: _Columns) -> _Columns:
    """The same values in lists that may be changed."""
    return replace(columns, **{key: copy(value) for key, value in vars(columns).items()})


@dataclass(frozen=True)
class RankGroup:
    """Ranks that communicate with each other, as a trace says it."""

    size: int = 0
    """Number of its ranks, recorded or not; 0 where it is not known."""
    sends: bool = False
    """Whether one of its ranks sends to another one, as stages of a pipeline do."""


@dataclass
class LaunchGraph:
    """A run that can be replayed: its ranks, and what is known of kinds of work."""

    ranks: list[RankGraph]
    classes: dict[int, str]
    """Class of kernels by calling context, as the store has it; of all else the kind."""
    moves: frozenset[int]
    """Contexts of kernels whose time memory's rate decides."""
    names: dict[int, str]
    steps: int = 0
    """Iterations that are replayed, the first of which leads in."""
    is_recording: bool = False
    """Whether nothing marks iterations, so that all that was recorded is one."""
    link_rate: float = 0.0
    """Nominal bytes a second between host and device; 0 where the hardware is not known [B/s]."""
    device: str = ""
    """Name of the GPU in the table of devices; empty where it is not known."""
    groups: dict[int, RankGroup] = field(default_factory=dict)
    """What is known of groups of ranks, by number."""

    def copy(self) -> LaunchGraph:
        """The same, to be changed."""
        return replace(self, ranks=[rank.copy() for rank in self.ranks])
