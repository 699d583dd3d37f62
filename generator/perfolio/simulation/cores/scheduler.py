"""The model: when each thread has a core.

Threads that are due stand in one line, and the first takes the core that becomes free. It keeps
it until its step needs none, or its turn is over and others are due; then it goes to the end
of the line, as one does that wakes.
"""

from __future__ import annotations

import heapq
from collections import deque
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from functools import partial
from itertools import count

import numpy as np

from perfolio.simulation.calling_paths import Path
from perfolio.simulation.cores.cpu_program import (
    ComputeStep,
    CpuProgram,
    MeetingStep,
    SleepStep,
    Step,
    count_parties,
)
from perfolio.simulation.rank_clocks import draw_time
from perfolio.simulation.simulated_events import BEGIN

RUNS, HELD, DUE, SLEEPS = range(4)
"""On a core a thread runs, or the kernel works for it; without one it is due, or sleeps."""
ENDLESS = 1 << 62
LONGEST = 600_000_000_000
"""No program lasts longer [ns]."""


@dataclass(frozen=True)
class ThreadSpan:
    """What a thread does from `start` to `stop` [ns since the epoch]."""

    start: int
    stop: int
    state: int
    path: Path
    waits: bool
    """Whether that is no work, but a wait for time or for others."""


@dataclass(eq=False)
class ThreadLife:
    """A thread: what it did, and does since `since`. Times in ns since the epoch."""

    process: int
    number: int
    steps: Iterator[Step]
    begin: int = 0
    end: int = 0
    spans: list[ThreadSpan] = field(default_factory=list)
    state: int = DUE
    since: int = 0
    step: Step | None = None
    left: int = 0
    """For how long its step still needs a core [ns]."""
    turn_ends: int = 0
    token: int = 0
    """What was to happen to it under a former token happens no more."""

    def becomes(self, state: int, now: int) -> None:
        """Its state from now on."""
        if self.step is not None and now > self.since:
            what = (self.state, self.step.path, not isinstance(self.step, ComputeStep))
            start, last = self.since, self.spans[-1] if self.spans else None
            if last and (last.stop, last.state, last.path, last.waits) == (start, *what):
                start = self.spans.pop().start
            self.spans.append(ThreadSpan(start, now, *what))
        self.state, self.since = state, now

    @property
    def endless(self) -> bool:
        """Whether it sleeps until its process ends."""
        return isinstance(self.step, SleepStep) and self.step.time is None


def schedule(program: CpuProgram) -> list[ThreadLife]:
    """All threads, with what each did. Raises ValueError if some wait for ever, or for too long."""
    return Scheduler(program).run()


class Scheduler:
    """The state of the machine."""

    def __init__(self, program: CpuProgram) -> None:
        self._program = program
        self._random = np.random.default_rng(program.seed)
        self._parties = count_parties(program)
        self._here: dict[str, list[ThreadLife]] = {group: [] for group in self._parties}
        self._events: list[tuple[int, int, Callable[[int], None]]] = []
        self._order = count()
        self._line: deque[ThreadLife] = deque()
        self._free = program.machine.cores
        self._lives = [
            [
                ThreadLife(place, number, iter(one.steps))
                for number, one in enumerate(process.threads)
            ]
            for place, process in enumerate(program.processes)
        ]

    def run(self) -> list[ThreadLife]:
        """Everything, from the first process on."""
        for place in range(1 if self._program.in_sequence else len(self._lives)):
            self._at(BEGIN, partial(self._start, place))
        while self._events:
            now, _, happens = heapq.heappop(self._events)
            if now > BEGIN + LONGEST:
                break
            happens(now)
            while self._free and self._line:
                self._dispatch(self._line.popleft(), now)
        lives = [life for process in self._lives for life in process]
        if not all(life.end for life in lives):
            raise ValueError(f"does not end within {LONGEST / 1e9:.0f} s: do threads wait in vain?")
        return lives

    def _at(self, moment: int, happens: Callable[[int], None]) -> None:
        heapq.heappush(self._events, (moment, next(self._order), happens))

    def _later(
        self, life: ThreadLife, moment: int, happens: Callable[[ThreadLife, int], None]
    ) -> None:
        """Unless something else happens to the thread before."""
        life.token += 1
        token = life.token

        def then(now: int) -> None:
            if life.token == token:
                happens(life, now)

        self._at(moment, then)

    def _start(self, place: int, now: int) -> None:
        """A process begins."""
        threads = self._program.processes[place].threads
        for life, thread in zip(self._lives[place], threads, strict=True):
            life.begin = now + thread.delay
            self._later(life, life.begin, self._wake)

    def _wake(self, life: ThreadLife, now: int) -> None:
        """It is due, and done with what it did."""
        life.left = 0
        life.becomes(DUE, now)
        self._line.append(life)

    def _dispatch(self, life: ThreadLife, now: int) -> None:
        """It takes a core."""
        self._free -= 1
        life.turn_ends = now + max(draw_time(self._random, self._program.machine.turn), 1)
        if life.left > 0:
            self._go_on(life, now)
        else:
            self._advance(life, now)

    def _go_on(self, life: ThreadLife, now: int) -> None:
        """It runs until its step or its turn is over."""
        held = isinstance(life.step, ComputeStep) and life.step.held
        life.becomes(HELD if held else RUNS, now)
        self._later(life, min(now + life.left, max(life.turn_ends, now + 1)), self._stop)

    def _stop(self, life: ThreadLife, now: int) -> None:
        """Its step or its turn is over."""
        life.left -= now - life.since
        if life.left <= 0:
            self._advance(life, now)
        elif self._line:
            self._free += 1
            life.becomes(DUE, now)
            self._line.append(life)
        else:
            life.turn_ends = now + max(draw_time(self._random, self._program.machine.turn), 1)
            self._go_on(life, now)

    def _advance(self, life: ThreadLife, now: int) -> None:
        """On its core, it takes its next step."""
        life.becomes(RUNS, now)
        life.step = next(life.steps, None)
        if isinstance(life.step, ComputeStep):
            life.left = draw_time(self._random, life.step.time)
            self._go_on(life, now)
        elif isinstance(life.step, MeetingStep):
            self._meet(life, life.step, now)
        else:
            self._free += 1
            self._sleep(life, now)

    def _meet(self, life: ThreadLife, step: MeetingStep, now: int) -> None:
        here = self._here[step.group]
        here.append(life)
        if step.spins:
            life.left = ENDLESS
            self._go_on(life, now)
        else:
            self._free += 1
            life.becomes(SLEEPS, now)
        if len(here) == self._parties[step.group]:
            self._here[step.group] = []
            self._at(now + draw_time(self._random, step.transfer), partial(self._open, here))

    def _open(self, here: list[ThreadLife], now: int) -> None:
        """All have come: those that run go on at once, those that are due when they run."""
        for life in here:
            life.left = 0
            if life.state == RUNS:
                self._later(life, now, self._advance)
            elif life.state == SLEEPS:
                self._wake(life, now)

    def _sleep(self, life: ThreadLife, now: int) -> None:
        """It sleeps, or has ended; the last one of a process ends it."""
        if isinstance(life.step, SleepStep):
            life.becomes(SLEEPS, now)
            if life.step.time is not None:
                self._later(life, now + draw_time(self._random, life.step.time), self._wake)
        else:
            life.end = now
        process = self._lives[life.process]
        if all(one.end or one.endless for one in process):
            for one in process:
                one.becomes(SLEEPS, now)
                one.end = one.end or now
            if self._program.in_sequence and life.process + 1 < len(self._lives):
                self._at(now + self._program.gap, partial(self._start, life.process + 1))
