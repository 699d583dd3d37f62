"""CPU programs whose truth is known, each with what a report of it must say.

What is right was written before any report was seen: by what an expert says who knows the program
and the machine. One thing was put right after that: of uneven ranks either of two findings may come
first (`UNEVEN`). Threads are sampled each 2 ms of elapsed time unless a scenario says so.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from itertools import chain

from perfolio.simulation.calling_paths import Path, PathFrame
from perfolio.simulation.cores.cpu_program import (
    ComputeStep,
    CoreMachine,
    CpuProgram,
    ElapsedTimer,
    MeetingStep,
    ProgramProcess,
    ProgramThread,
    SleepStep,
    Step,
)
from perfolio.simulation.quantity_parser import Duration

APP, LIBC = "/home/user/app/solver", "/usr/lib/x86_64-linux-gnu/libc.so.6"
GOMP, MPI = "/usr/lib/x86_64-linux-gnu/libgomp.so.1.0.0", "/usr/lib/x86_64-linux-gnu/libmpi.so.40"
MAIN = (PathFrame("main", APP, "/home/user/app/main.c", 30),)
POOL = (
    PathFrame("gomp_thread_start", GOMP),
    PathFrame("main._omp_fn.0", APP, "/home/user/app/main.c", 41),
)
REDUCE = (*MAIN, PathFrame("MPI_Allreduce", MPI))
POLLED = (*REDUCE, PathFrame("opal_progress", "/usr/lib/x86_64-linux-gnu/libopen-pal.so.40"))
BARRIER = PathFrame("gomp_team_barrier_wait_end", GOMP)
CLOCK = (*MAIN, PathFrame("clock_gettime", LIBC))
POLL = (PathFrame("watch", APP, "/home/user/app/watch.c", 9), PathFrame("poll", LIBC))
DOT = (
    *MAIN,
    PathFrame("solve", APP, "/home/user/app/solve.c", 70),
    PathFrame("dot", APP, "/home/user/app/vector.h", 12, inlined=True),
)
TIMER = ElapsedTimer()
FLAT = 8
"""Functions that a flat profile has."""


def ms(mean: float, spread: float = 0.05) -> Duration:
    """A time in milliseconds."""
    return Duration(mean * 1e6, spread)


def function(number: int, outer: Path = MAIN) -> Path:
    """One of the program's functions."""
    return (*outer, PathFrame(f"kernel_{number}", APP, f"/home/user/app/kernel_{number}.c", 5))


def flat(time: float, outer: Path = MAIN) -> tuple[Step, ...]:
    """Work of `time` ms in equal parts of several functions."""
    return tuple(ComputeStep(function(number, outer), ms(time / FLAT)) for number in range(FLAT))


def held(time: float, path: Path = CLOCK) -> tuple[Step, ...]:
    """The kernel does something for `time` ms, and delivers no sample meanwhile."""
    return (ComputeStep(path, ms(time), held=True),)


def reduce(transfer: float = 0.02, *, spins: bool = True) -> tuple[Step, ...]:
    """All ranks meet; the data takes `transfer` ms."""
    return (MeetingStep(POLLED, "all ranks", spins, ms(transfer)),)


def barrier(rank: int, outer: Path = MAIN) -> tuple[Step, ...]:
    """The threads of a rank meet, and spin until all are there."""
    return (MeetingStep((*outer, BARRIER), f"team {rank}"),)


def ranks(bodies: Iterable[Sequence[Step]], times: int) -> tuple[ProgramProcess, ...]:
    """A rank with one thread of each body, which is repeated."""
    return tuple(
        ProgramProcess((ProgramThread((*body,) * times, 1_300_000 * rank),), rank)
        for rank, body in enumerate(bodies)
    )


def team(time: float, threads: int, times: int, rank: int = 0) -> tuple[ProgramThread, ...]:
    """Threads that work for `time` ms each and meet in a barrier; the main one in MPI as well."""
    main = (*flat(time), *barrier(rank), *reduce()) * times
    pool = (*flat(time, POOL), *barrier(rank, POOL)) * times
    return (
        ProgramThread(main),
        *(ProgramThread(pool, 700_000 * number) for number in range(1, threads)),
    )


def teams(count: int, threads: int, time: float, times: int) -> tuple[ProgramProcess, ...]:
    """Ranks that all have the same work, in several threads each."""
    return tuple(ProgramProcess(team(time, threads, times, rank), rank) for rank in range(count))


def alone(*bodies: Sequence[Step]) -> tuple[ProgramProcess, ...]:
    """One process with a thread of each body."""
    return (
        ProgramProcess(
            tuple(ProgramThread((*body,), 500_000 * i) for i, body in enumerate(bodies))
        ),
    )


def sequence(times: Iterable[float], threads: Sequence[int]) -> tuple[ProgramProcess, ...]:
    """Processes that work for `times` ms on 1 or 2 threads, in turn."""
    return tuple(
        ProgramProcess(
            tuple(
                ProgramThread(
                    tuple(chain.from_iterable([flat(16.0, (MAIN, POOL)[i])] * round(time / 16)))
                )
                for i in range(threads[number % len(threads)])
            )
        )
        for number, time in enumerate(times)
    )


@dataclass(frozen=True)
class Truth:
    """A program, and what is right to say of it."""

    cores: int
    processes: tuple[ProgramProcess, ...]
    verdict: str
    first: tuple[str, ...]
    """Codes of which one is the first finding; empty: nothing is to be found."""
    because: str
    in_sequence: bool = False
    timer: ElapsedTimer = TIMER
    turn: Duration = CoreMachine(1).turn

    @property
    def program(self) -> CpuProgram:
        """What is simulated."""
        machine = CoreMachine(self.cores, self.turn)
        return CpuProgram("solver", machine, self.processes, self.timer, self.in_sequence)


UNEVEN = ("D3", "D5")
"""Unequal work, and waiting for the slowest rank: the same time by its cause and its cost."""
EQUAL = (*flat(20), *reduce())
TRUTHS: Mapping[str, Truth] = {
    "cores for all": Truth(
        4,
        ranks([EQUAL] * 4, 100),
        "cpu-balanced-ranks",
        (),
        "four ranks with equal work have a core each, and no function stands out",
    ),
    "twice as many threads": Truth(
        4,
        teams(4, 2, 16, 60),
        "cpu-off-core",
        ("C5",),
        "eight busy threads share four cores: each lacks one for up to half of the time",
    ),
    "four times as many threads": Truth(
        4,
        teams(4, 4, 12, 40),
        "cpu-held-up",
        ("C5",),
        "a thread has a core for a quarter of the time; the work itself is even",
    ),
    "16 times as many threads": Truth(
        2,
        teams(16, 2, 12, 15),
        "cpu-held-up",
        ("C5",),
        "a thread has a core for a sixteenth of the time; the work itself is even",
    ),
    "one sample a second late": Truth(
        4,
        alone(
            [*flat(16) * 60, *held(1000, DOT), *flat(16) * 40],
            *[flat(16, POOL) * 100] * 7,
        ),
        "cpu-off-core",
        ("C5",),
        "eight busy threads share four cores: a sample of a second more is no work",
    ),
    "uneven ranks": Truth(
        4,
        ranks([[*flat(time), *reduce()] for time in (30, 16.7, 16.7, 16.7)], 70),
        "cpu-imbalanced",
        UNEVEN,
        "rank 0 has 1.5 times the mean work, and the others wait for it",
    ),
    "very uneven ranks": Truth(
        4,
        ranks([[*flat(time), *reduce()] for time in (45, 5, 5, 5)], 50),
        "cpu-imbalanced",
        UNEVEN,
        "rank 0 has three times the mean work, and the others wait for it",
    ),
    "uneven ranks, mildly late": Truth(
        4,
        ranks([[*flat(t * 0.75), *held(t * 0.25), *reduce()] for t in (40, 22, 22, 22)], 50),
        "cpu-imbalanced",
        UNEVEN,
        "rank 0 has 1.5 times the mean work; the kernel holds all up for a quarter of theirs",
    ),
    "40 in sequence": Truth(
        2,
        sequence([96] * 40, (1, 2)),
        "cpu-only",
        (),
        "small equal processes, a core for each thread, a flat profile: nothing to find",
        in_sequence=True,
    ),
    "40 in sequence, late": Truth(
        1,
        sequence([64] * 40, (2, 2)),
        "cpu-off-core",
        ("C5",),
        "two busy threads at a time share one core: each lacks it for up to half of the time",
        in_sequence=True,
    ),
    "uneven in sequence": Truth(
        2,
        sequence([16, 800, 32, 64, 400, 48, 1600, 32], (1,)),
        "cpu-only",
        (),
        "jobs of different lengths, one after another: nobody waits for the longest one",
        in_sequence=True,
    ),
    "hot function": Truth(
        4,
        alone(*[[ComputeStep(function(0), ms(14)), *flat(6)] * 100] * 2),
        "cpu-hot-spot",
        ("C2",),
        "one function has 74 % of the work of both threads",
    ),
    "flat profile": Truth(
        4, alone(*[flat(20) * 100] * 4), "cpu-only", (), "eight functions with an eighth each"
    ),
    "barriers": Truth(
        4,
        alone(
            *[
                [*flat(time, outer), *barrier(0, outer)] * 60
                for time, outer in ((8, MAIN), (8, POOL), (8, POOL), (32, POOL))
            ]
        ),
        "cpu-waiting",
        ("C1",),
        "the main thread spins in a barrier for three quarters of the time, for one other",
    ),
    "serial main thread": Truth(
        4,
        alone(
            [*flat(24), *barrier(0), *flat(8), *barrier(0)] * 60,
            *[[*barrier(0, POOL), *flat(8, POOL), *barrier(0, POOL)] * 60] * 3,
        ),
        "cpu-helpers-wait",
        ("D3t",),
        "the pool spins while the main thread works alone: it has twice the mean work",
    ),
    "one late rank": Truth(
        8,
        ranks([[*flat(24.4 if rank == 5 else 20), *reduce()] for rank in range(8)], 80),
        "cpu-balanced-ranks",
        ("D5",),
        "1.2 times the mean work is little, but seven ranks wait a sixth of the time for rank 5",
    ),
    "late rank, others sleep": Truth(
        8,
        ranks(
            [[*flat(40 if rank == 5 else 20), *reduce(spins=False)] for rank in range(8)],
            50,
        ),
        "cpu-imbalanced",
        UNEVEN,
        "rank 5 has twice the others' work, 1.8 times the mean: the cause of all waiting",
    ),
    "communication": Truth(
        4,
        ranks([[*flat(10), *reduce(25)]] * 4, 60),
        "cpu-waiting",
        ("D4",),
        "even ranks that compute for two sevenths of the time: the rest is data on the way",
    ),
    "helpers that sleep": Truth(
        4,
        alone(flat(20) * 100, *[[SleepStep(POLL)]] * 6),
        "cpu-helpers-wait",
        (),
        "helpers that sleep cost nothing, and the main thread always works",
    ),
    "short run": Truth(
        4,
        ranks([[*flat(time), *reduce()] for time in (30, 10, 10, 10)], 8),
        "cpu-short",
        (),
        "a quarter of a second: nothing follows from it",
    ),
    "slow clock": Truth(
        4,
        ranks([[*flat(14), *held(10), *reduce()]] * 4, 80),
        "cpu-off-core",
        ("C5",),
        "each has its core, but the kernel holds its calls of the clock for 42 % of the time",
    ),
    "late for 46 %": Truth(
        4,
        ranks([[*flat(54), *held(46), *reduce()]] * 4, 25),
        "cpu-off-core",
        ("C5",),
        "less than half of the time of work is late",
    ),
    "late for 57 %": Truth(
        4,
        ranks([[*flat(43), *held(57), *reduce()]] * 4, 25),
        "cpu-held-up",
        ("C5",),
        "more than half of the time of work is late",
    ),
    "inlined hot function": Truth(
        4,
        alone(*[[ComputeStep(DOT, ms(14)), *flat(6)] * 100] * 2),
        "cpu-hot-spot",
        ("C2",),
        "a function that is inlined has 70 % of the work of both threads",
    ),
    "rare samples": Truth(
        4,
        teams(4, 4, 12, 40),
        "cpu-held-up",
        ("C5",),
        "a core for a quarter of the time, in turns shorter than the 5 ms between samples",
        timer=ElapsedTimer(5_000_000),
        turn=Duration(3e6, 0.3),
    ),
}
