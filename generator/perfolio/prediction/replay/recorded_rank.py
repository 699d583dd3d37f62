"""What was recorded of a rank: calls and operations, as rows.

In:  nothing. Out: the types. Times are integers [ns].
"""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import NamedTuple


class RecordedCall(NamedTuple):
    """A call that submits work, or waits."""

    id: int
    thread: int
    name: str
    start: int
    stop: int
    waits: str
    """synchronises, copies, starts a copy, frees, or empty: see the store's macro gpu_wait."""


class RecordedOperation(NamedTuple):
    """An operation of a stream."""

    call: int
    """Its call; -1 where that is not recorded."""
    start: int
    duration: int
    stream: int
    kind: str
    work: int
    size: int


@dataclass
class RecordedRank:
    """Calls and operations of a rank, each by begin, and when its iterations begin."""

    begins: list[int]
    calls: list[RecordedCall] = field(default_factory=list)
    operations: list[RecordedOperation] = field(default_factory=list)
    phases: list[tuple[int, int, str]] = field(default_factory=list)
    """Begin, end and phase of ranges that load input (data) or update parameters (optimizer)."""
    streams: int = 0
    amid: int = 0
    """Operations without a call after the first one with a call."""
