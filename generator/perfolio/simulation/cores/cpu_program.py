"""A CPU program: processes with threads that take steps, on a machine with so many cores.

All times in nanoseconds.
"""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass, field

from perfolio.simulation.calling_paths import Path
from perfolio.simulation.quantity_parser import Duration

AT_ONCE = Duration()
TURN = Duration(4e6, 0.3)
"""What Linux gives a thread on a machine of some cores, about."""


@dataclass(frozen=True)
class Compute:
    """Work that needs a core for `time`.

    `held`: the kernel does it, and delivers no signal before it is done (a page fault, a slow
    call of the clock): samples come late.
    """

    path: Path
    time: Duration
    held: bool = False


@dataclass(frozen=True)
class Sleep:
    """A call that blocks for `time` and needs no core meanwhile; None: until the process ends."""

    path: Path
    time: Duration | None = None


@dataclass(frozen=True)
class Meet:
    """Wait until all threads that meet in `group` have come, and `transfer` longer.

    `spins`: the thread wants a core while it waits, as OpenMP's barriers and MPI's polling do.
    """

    path: Path
    group: str
    spins: bool = True
    transfer: Duration = AT_ONCE


Step = Compute | Sleep | Meet


@dataclass(frozen=True)
class Thread:
    """A thread: it begins `delay` after its process, and ends with its steps."""

    steps: tuple[Step, ...]
    delay: int = 0


@dataclass(frozen=True)
class Process:
    """Its threads are numbered from 0, the main one; it ends when they have taken all steps."""

    threads: tuple[Thread, ...]
    rank: int | None = None


@dataclass(frozen=True)
class Machine:
    """Cores that all threads share in turns."""

    cores: int
    turn: Duration = TURN
    """How long a thread keeps its core where others are due."""


@dataclass(frozen=True)
class Timer:
    """A timer of elapsed time, set again after each sample."""

    period: int = 2_000_000
    lag: float = 0.01
    """Mean time that the delivery of a sample takes, in periods."""


@dataclass(frozen=True)
class Program:
    """All of it. `in_sequence`: each process begins `gap` after the former one has ended."""

    executable: str
    machine: Machine
    processes: tuple[Process, ...]
    timer: Timer = field(default_factory=Timer)
    in_sequence: bool = False
    gap: int = 20_000_000
    seed: int = 1


def parties(program: Program) -> Counter[str]:
    """How many threads meet in each group."""
    return Counter(
        group
        for process in program.processes
        for thread in process.threads
        for group in {step.group for step in thread.steps if isinstance(step, Meet)}
    )
