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
    updates: bool
    """Whether it is within a step of the optimizer."""


class LaunchedOperation(NamedTuple):
    """An operation of a stream."""

    call: int
    """Its call; -1 where that is not recorded."""
    start: int
    duration: int
    stream: int
    kind: str
    work: int
    size: int
    group: int = 0
    """Of a collective, the group of ranks that take part."""


@dataclass
class RecordedRank:
    """Calls and operations of a rank, each by begin, and when its iterations begin."""

    begins: list[int]
    calls: list[RecordedCall] = field(default_factory=list)
    operations: list[LaunchedOperation] = field(default_factory=list)
    loading: list[tuple[int, int]] = field(default_factory=list)
    """Begin and end of times in which the program loads input."""
    streams: int = 0
    number: int = 0
    """Of the rank in its run."""
    amid: int = 0
    """Operations without a call after the first one with a call."""
