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
class ComputeStep:
    """Work that needs a core for `time`.

    `held`: the kernel does it, and delivers no signal before it is done (a page fault, a slow
    call of the clock): samples come late.
    """

    path: Path
    time: Duration
    held: bool = False


@dataclass(frozen=True)
class SleepStep:
    """A call that blocks for `time` and needs no core meanwhile; None: until the process ends."""

    path: Path
    time: Duration | None = None


@dataclass(frozen=True)
class MeetingStep:
    """Wait until all threads that meet in `group` have come, and `transfer` longer.

    `spins`: the thread wants a core while it waits, as OpenMP's barriers and MPI's polling do.
    """

    path: Path
    group: str
    spins: bool = True
    transfer: Duration = AT_ONCE


Step = ComputeStep | SleepStep | MeetingStep


@dataclass(frozen=True)
class ProgramThread:
    """A thread: it begins `delay` after its process, and ends with its steps."""

    steps: tuple[Step, ...]
    delay: int = 0


@dataclass(frozen=True)
class ProgramProcess:
    """Its threads are numbered from 0, the main one; it ends when they have taken all steps."""

    threads: tuple[ProgramThread, ...]
    rank: int | None = None


@dataclass(frozen=True)
class CoreMachine:
    """Cores that all threads share in turns."""

    cores: int
    turn: Duration = TURN
    """How long a thread keeps its core where others are due."""


@dataclass(frozen=True)
class ElapsedTimer:
    """A timer of elapsed time, set again after each sample."""

    period: int = 2_000_000
    lag: float = 0.01
    """Mean time that the delivery of a sample takes, in periods."""


@dataclass(frozen=True)
class CpuProgram:
    """All of it. `in_sequence`: each process begins `gap` after the former one has ended."""

    executable: str
    machine: CoreMachine
    processes: tuple[ProgramProcess, ...]
    timer: ElapsedTimer = field(default_factory=ElapsedTimer)
    in_sequence: bool = False
    gap: int = 20_000_000
    seed: int = 1


def count_parties(program: CpuProgram) -> Counter[str]:
    """How many threads meet in each group."""
    return Counter(
        group
        for process in program.processes
        for thread in process.threads
        for group in {step.group for step in thread.steps if isinstance(step, MeetingStep)}
    )
