"""Many cases, in processes that may die, each within limits of CPU time and memory."""

from __future__ import annotations

import multiprocessing
import os
import resource
import signal
import tempfile
import time
from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass, field
from multiprocessing.connection import Connection, wait
from pathlib import Path
from random import Random
from types import FrameType

from tests.fuzz.cases import CRASH, DIFFERENT, READ, REFUSED, Outcome, Place, run_case
from tests.fuzz.mutate import mutated
from tests.fuzz.seeds import Corpus, Files, Seed, all_seeds, seed_of

CPU_LIMIT = 10.0
"""Seconds of CPU time that a case may take."""
READER_MEMORY = 100_000_000
STORE_MEMORY = 700_000_000
"""Bytes that a case may take beyond what the process has: read alone, and stored."""
ADDRESS_SPACE = 8 << 30
STEP = 50
"""Cases after which a process tells what it found."""
HANG, MEMORY, SIGNAL = "hang", "memory", "signal"
DEFECTS = (CRASH, HANG, MEMORY, SIGNAL, DIFFERENT)
Found = tuple[int, Outcome]
"""A case's number and outcome."""


class TooLongError(BaseException):
    """A case took more than CPU_LIMIT; no handler of errors may catch it."""


@dataclass
class Tally:
    """What all cases came to."""

    reader: Counter[str] = field(default_factory=Counter)
    store: Counter[str] = field(default_factory=Counter)
    defects: list[str] = field(default_factory=list)

    @property
    def cases(self) -> int:
        """Cases that were read, or tried to."""
        return self.reader.total()

    def rows(self) -> list[str]:
        """A table of the counts."""
        kinds = ("stored", REFUSED, READ, CRASH, HANG, MEMORY, SIGNAL, DIFFERENT)
        lines = [f"{'':10} {'cases':>10} " + " ".join(f"{kind:>9}" for kind in kinds)]
        for name, counts in (("reader", self.reader), ("ingest", self.store)):
            row = " ".join(f"{counts[kind]:>9,}" for kind in kinds)
            lines.append(f"{name:10} {counts.total():>10,} {row}")
        return lines


@dataclass(frozen=True)
class Plan:
    """What to run."""

    seed: int
    jobs: int
    seconds: float
    cases: int
    ingest_every: int
    """Of the cases, one in so many is stored too, if it can be read."""
    corpus: Path
    first: int = 0


def seeds_of(corpus: Corpus) -> tuple[Seed, ...]:
    """Databases to change, those kept from earlier runs included where they can be walked."""
    seeds = list(all_seeds())
    for name, files in corpus.all().items():
        if name.startswith(READ):
            seeds.append(seed_of(name, files))
    return tuple(seeds)


def files_of(seeds: tuple[Seed, ...], seed: int, number: int) -> tuple[Seed, Files]:
    """The database of a case, and what it was made from."""
    rng = Random(f"{seed}:{number}")
    (chosen,) = rng.choices(seeds, [one.weight for one in seeds])
    return chosen, mutated(chosen, rng)


def run(plan: Plan) -> Iterator[Tally]:
    """Run cases until time or number is used up; gives the tally again and again."""
    corpus = Corpus(plan.corpus)
    return _Run(plan, corpus, seeds_of(corpus)).tallies()


class _Run:
    """All processes of a run, and what they have found so far."""

    def __init__(self, plan: Plan, corpus: Corpus, seeds: tuple[Seed, ...]) -> None:
        self.plan, self.corpus, self.seeds = plan, corpus, seeds
        self.tally, self.next_case = Tally(), plan.first
        self.end = time.monotonic() + plan.seconds
        self.alive: dict[Connection, _Worker] = {}

    def tallies(self) -> Iterator[Tally]:
        for _ in range(self.plan.jobs):
            self._start()
        while self.alive:
            for ready in wait(list(self.alive), timeout=1):
                assert isinstance(ready, Connection)
                self._listen(self.alive[ready])
            for worker in self.alive.values():
                worker.end_if_stuck()
            yield self.tally

    def _start(self) -> None:
        if (first := self._more()) is not None:
            worker = _Worker(self.seeds, self.plan)
            worker.go(first)
            self.alive[worker.results] = worker

    def _more(self) -> int | None:
        """The first of the next cases; None where there are to be no more."""
        first = self.next_case
        if time.monotonic() > self.end or first >= self.plan.first + self.plan.cases:
            return None
        self.next_case += STEP
        return first

    def _listen(self, worker: _Worker) -> None:
        """Take in one message of a process, or its end."""
        try:
            number, outcome = worker.results.recv()
        except EOFError:
            del self.alive[worker.results]
            if (code := worker.ended()) != 0:
                kind = HANG if worker.stuck else SIGNAL
                self._count(worker.current, Outcome(kind, str(code)))
                self._start()
            return
        worker.heard(number)
        if outcome is not None:
            self._count(number, outcome)
            worker.done += 1
            if worker.done == STEP:
                worker.go(self._more())

    def _count(self, number: int, outcome: Outcome) -> None:
        self.tally.reader[outcome.kind] += 1
        kind, says = outcome.kind, outcome.says
        if outcome.stored:
            stored = outcome.stored.split(":")[0]
            self.tally.store[stored] += 1
            if stored in DEFECTS:
                kind, says = stored, outcome.stored
        if kind not in DEFECTS and not self.corpus.wants(kind, says):
            return
        _, files = files_of(self.seeds, self.plan.seed, number)
        name = f"{self.plan.seed}-{number}"
        if kind in DEFECTS:
            self.tally.defects.append(f"case {number}: {kind}: {says}")
            self.corpus.report(name, kind, says, files)
        else:
            self.corpus.keep(name, kind, says, files)


class _Worker:
    """A process that runs STEP cases at a time, and tells each before and after."""

    def __init__(self, seeds: tuple[Seed, ...], plan: Plan) -> None:
        context = multiprocessing.get_context("fork")
        self.results, results = context.Pipe(duplex=False)
        orders, self.orders = context.Pipe(duplex=False)
        pipes = orders, results, self.orders
        self.process = context.Process(target=_work, args=(seeds, plan, *pipes))
        self.process.start()
        results.close()
        self.current, self.done, self.stuck = -1, 0, False
        self.spent = 0.0

    def go(self, first: int | None) -> None:
        """Have it run the next cases, or end."""
        self.done = 0
        self.orders.send(first)

    def heard(self, number: int) -> None:
        """It has told of this case."""
        self.current, self.spent = number, self._cpu_time()

    def ended(self) -> int:
        """The exit code of the process, which is not there any more."""
        self.process.join()
        return self.process.exitcode or 0

    def end_if_stuck(self) -> None:
        """Kill it where a case takes far too long, and its own alarm cannot end it."""
        if self._cpu_time() - self.spent > 3 * CPU_LIMIT:
            self.stuck = True
            self.process.kill()

    def _cpu_time(self) -> float:
        """Seconds of CPU time so far: the clock says nothing on a busy machine."""
        stat = Path(f"/proc/{self.process.pid}/stat")
        fields = stat.read_text().rpartition(")")[2].split() if stat.exists() else []
        return sum(map(int, fields[11:13])) / os.sysconf("SC_CLK_TCK")


def _work(
    seeds: tuple[Seed, ...],
    plan: Plan,
    orders: Connection,
    results: Connection,
    inherited: Connection,
) -> None:
    """What a process does: steps of cases, until it is told to end."""
    inherited.close()  # or it would wait for ever after the end of who gives orders
    signal.signal(signal.SIGPROF, _too_long)
    resource.setrlimit(resource.RLIMIT_AS, (ADDRESS_SPACE, ADDRESS_SPACE))
    with tempfile.TemporaryDirectory(dir=_fast_folder(), prefix="perfolio-fuzz-") as folder:
        place = Place(Path(folder))
        while (first := _order(orders)) is not None:
            for number in range(first, first + STEP):
                results.send((number, None))
                _, files = files_of(seeds, plan.seed, number)
                stored = bool(plan.ingest_every) and number % plan.ingest_every == 0
                results.send((number, limited(files, place, stored=stored)))


def _order(orders: Connection) -> int | None:
    try:
        first: int | None = orders.recv()
    except EOFError:
        return None
    return first


def limited(files: Files, place: Place, *, stored: bool) -> Outcome:
    """The outcome of a case within its limits."""
    before, begin = _peak(reset=True), time.process_time()
    signal.setitimer(signal.ITIMER_PROF, CPU_LIMIT)
    try:
        outcome = run_case(files, place, stored=stored)
    except TooLongError:
        return Outcome(HANG, f"more than {CPU_LIMIT:g} s of CPU time")
    except MemoryError:
        return Outcome(MEMORY, "no memory was left")
    finally:
        signal.setitimer(signal.ITIMER_PROF, 0)
    spent = time.process_time() - begin
    if spent > CPU_LIMIT:
        return Outcome(HANG, f"{spent:.1f} s of CPU time")
    taken = _peak() - before
    if taken > (STORE_MEMORY if outcome.stored else READER_MEMORY):
        return Outcome(MEMORY, f"{taken / 1e6:.0f} MB")
    return outcome


def _too_long(_signal: int, _frame: FrameType | None) -> None:
    raise TooLongError


def _peak(*, reset: bool = False) -> int:
    """The largest resident set since the last reset, in bytes."""
    if reset:
        Path("/proc/self/clear_refs").write_text("5")
    for line in Path("/proc/self/status").read_text().splitlines():
        if line.startswith("VmHWM:"):
            return int(line.split()[1]) * 1024
    return 0


def _fast_folder() -> str | None:
    return "/dev/shm" if Path("/dev/shm").is_dir() else None
