"""What threads and GPUs did, as it was: no clock is off. Times are whole nanoseconds."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Literal, TypeVar

CallKind = Literal["launch", "graph", "copy", "async copy", "set", "wait", "allocate", "free"]
OperationKind = Literal["kernel", "copy", "memset"]
Direction = Literal["", "H2D", "D2H", "D2D", "P2P"]


@dataclass(frozen=True)
class Call:
    """A call of the GPU's runtime."""

    process: int
    thread: int
    kind: CallKind
    name: str
    """As CUDA calls it."""
    start: int
    stop: int
    number: int
    """By which operations name it."""


@dataclass(frozen=True)
class Range:
    """A function of Python or an operator that a thread was in; those of a thread nest."""

    process: int
    thread: int
    kind: Literal["python", "operator"]
    name: str
    start: int
    stop: int


@dataclass(frozen=True)
class Operation:
    """What a GPU did."""

    process: int
    device: int
    """Of its process, from 0."""
    stream: int
    kind: OperationKind
    name: str
    start: int
    stop: int
    call: int = 0
    """The number of the call that launched it; 0 where that was not recorded."""
    direction: Direction = ""
    size: int = 0
    """Bytes of a copy or memset."""
    graph: bool = False


@dataclass(frozen=True)
class Step:
    """An iteration, as the main thread of a process marks it."""

    process: int
    number: int
    start: int
    stop: int


Event = Call | Range | Operation | Step
_Timed = TypeVar("_Timed", Call, Range, Operation, Step)


@dataclass(frozen=True)
class Recording:
    """All that was recorded of a run."""

    processes: int
    ranked: bool
    """Whether what is written tells the rank of each process."""
    devices: int
    """GPUs of each process."""
    events: tuple[Event, ...]
    host_offsets: tuple[int, ...] = ()
    """How much later the clock of each process's host is; none: all are right."""
    gpu_offset: int = 0
    """How much later the clock of GPUs is than that of hosts."""
    anonymous: bool = False
    """Whether no name of a thread tells the rank of its process."""

    @property
    def calls(self) -> list[Call]:
        """Calls in order of their begin."""
        return _sorted([one for one in self.events if isinstance(one, Call)])

    @property
    def ranges(self) -> list[Range]:
        """Ranges, outer ones before those within them."""
        return _sorted([one for one in self.events if isinstance(one, Range)])

    @property
    def operations(self) -> list[Operation]:
        """Operations in order of their begin."""
        return _sorted([one for one in self.events if isinstance(one, Operation)])

    @property
    def steps(self) -> list[Step]:
        """Steps in order of their begin."""
        return _sorted([one for one in self.events if isinstance(one, Step)])

    def of(self, events: tuple[Event, ...]) -> Recording:
        """The same with these events alone."""
        return replace(self, events=events)


def _sorted(events: list[_Timed]) -> list[_Timed]:
    return sorted(events, key=lambda one: (one.process, one.start, -one.stop))
