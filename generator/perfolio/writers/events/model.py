"""What threads and GPUs did, in whole nanoseconds since the epoch."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

RangeKind = Literal["python", "function", "call"]
OperationKind = Literal["kernel", "copy h2d", "copy d2h", "copy d2d"]


@dataclass(frozen=True)
class RecordedThread:
    """A host thread; number 0 is the main thread of its rank."""

    rank: int
    number: int
    name: str


@dataclass(frozen=True)
class RecordedRange:
    """What a thread was in; ranges of a thread nest."""

    thread: RecordedThread
    kind: RangeKind
    name: str
    module: str
    file: str
    line: int
    start: int
    stop: int
    correlation: int = 0
    """Of a call that launched operations: their number; else 0."""


@dataclass(frozen=True)
class LaunchSizes:
    """Sizes of a kernel's launch."""

    blocks: int
    threads: int
    registers: int
    static_shared: int
    dynamic_shared: int


@dataclass(frozen=True)
class RecordedOperation:
    """What a GPU did."""

    rank: int
    stream: int
    kind: OperationKind
    name: str
    start: int
    stop: int
    correlation: int
    thread: RecordedThread
    """The one that launched it."""
    size: int = 0
    """Bytes of a copy."""
    pinned: bool = False
    graph: bool = False
    """Whether a graph launched it, with others."""
    launch: LaunchSizes | None = None


@dataclass(frozen=True)
class RecordedStep:
    """An iteration of the program, as a rank's main thread marks it."""

    rank: int
    number: int
    start: int
    stop: int


@dataclass(frozen=True)
class RecordedEvents:
    """A run, its ranges and operations in order of their begin."""

    title: str
    vendor: str
    """nvidia or amd."""
    ranks: int
    multiprocessors: int
    threads: tuple[RecordedThread, ...]
    ranges: tuple[RecordedRange, ...]
    operations: tuple[RecordedOperation, ...]
    steps: tuple[RecordedStep, ...]
