"""Steps: what a phase consists of. Times in nanoseconds, sizes in bytes."""

from __future__ import annotations

from dataclasses import dataclass

from perfolio.simulation.calling_paths import Path
from perfolio.simulation.quantity_parser import Duration

H2D, D2H, D2D = "h2d", "d2h", "d2d"
DIRECTIONS = (H2D, D2H, D2D)


@dataclass(frozen=True)
class HostStep:
    """Work of the host thread."""

    path: Path
    time: Duration
    repeat: int = 1


@dataclass(frozen=True)
class LaunchStep:
    """Launches of a kernel; the host thread first prepares each for `host`."""

    path: Path
    kernel: str
    time: Duration
    host: Duration
    stream: str
    repeat: int = 1


@dataclass(frozen=True)
class CopyStep:
    """Copies of `size` bytes; a blocking one holds the host thread until it is done."""

    path: Path
    direction: str
    size: int
    pinned: bool
    blocking: bool
    host: Duration
    stream: str
    repeat: int = 1


@dataclass(frozen=True)
class WaitStep:
    """The host thread waits until all work of a stream is done."""

    path: Path
    stream: str
    repeat: int = 1


@dataclass(frozen=True)
class EventStep:
    """A stream goes on only when all that another one holds now is done; the host does not wait."""

    path: Path
    stream: str
    after: str
    repeat: int = 1


@dataclass(frozen=True)
class LoadStep:
    """The host thread takes a batch from the loader, and waits for it if it is not ready."""

    path: Path
    repeat: int = 1


@dataclass(frozen=True)
class CollectiveStep:
    """A kernel on every rank that ends when the last rank has come and `size` bytes went round."""

    path: Path
    kernel: str
    size: int
    host: Duration
    stream: str
    repeat: int = 1


Step = HostStep | LaunchStep | CopyStep | WaitStep | EventStep | LoadStep | CollectiveStep
