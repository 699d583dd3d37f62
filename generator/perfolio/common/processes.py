"""Independent pieces of work on several processors.

In:  a function of a module, and arguments that can be pickled. Out: its results, in their order.

Two ways: as many new processes as there are processors, which begin in a second; and one beside
this process (`begin_side_process`), which a command begins before it imports anything. That one has
no threads, so that it can be copied for pieces of its work (`map_in_copies`).
"""

from __future__ import annotations

import atexit
import ctypes
import gc
import multiprocessing
import os
import signal
import sys
from collections import deque
from collections.abc import Callable, Generator, Iterable, Iterator, Sequence
from concurrent.futures import Future, ProcessPoolExecutor
from concurrent.futures.process import BrokenProcessPool
from contextlib import ExitStack, contextmanager, suppress
from dataclasses import dataclass
from functools import partial
from multiprocessing.connection import Connection
from multiprocessing.process import BaseProcess
from pathlib import Path
from threading import Thread
from typing import Any, Generic, ParamSpec, TypeVar

from perfolio.common.errors import PerfolioError, WorkerError

A = TypeVar("A")
P = ParamSpec("P")
R = TypeVar("R")
MOST = 8
"""Processes at most: each may take the memory that a store may take."""
_MEMORY, _BLOCKS = "GLIBC_TUNABLES", "glibc.malloc.tcache_count=1000"
"""DuckDB plans with millions of small blocks: glibc keeps a thousand of each size, not seven."""
_THREADS = Path("/proc/self/task")
_REFUSED = (NotImplementedError, OSError, RuntimeError)
"""What is raised where a system gives no further process, thread or semaphore."""
_LAST_WRITE = 5.0
"""Seconds that a process may take to end once it is killed, as while it writes."""
_SHARE_BYTES = 2
_MOST_SHARES = 2_048
"""Shares of work that are handed out: their numbers take a page, the least that a pipe holds."""
_ENDS_WITH_PARENT = 1
"""PR_SET_PDEATHSIG of Linux."""
_is_side: list[bool] = []
"""Holds something in the process beside another one."""
_shares: list[bool] = []
"""Holds something while this process has copies, and works like them."""


@dataclass(frozen=True)
class SideProcess:
    """A process beside this one, and what hands it work."""

    pool: ProcessPoolExecutor
    processes: Sequence[BaseProcess]


_side: list[SideProcess] = []
"""The process beside this one, where there is one."""


def map_in_processes(
    function: Callable[[A], R], arguments: Sequence[A]
) -> Generator[R, None, None]:
    """`function` of each argument: in this process where there is one, else in several.

    What the function raises is raised here, and ends the other processes. Raises WorkerError where
    one is ended from outside, as by a system that has no memory left.
    """
    count = count_workers(len(arguments))
    if count < 2:
        yield from map(function, arguments)
        return
    with _set_environment():
        spawn = multiprocessing.get_context("spawn")  # a fork would copy threads of libraries
        with ProcessPoolExecutor(count, mp_context=spawn, initializer=_start_worker) as pool:
            done = False
            try:
                waiting = deque(pool.submit(function, each) for each in arguments)
                while waiting:
                    yield waiting.popleft().result()
                done = True
            except BrokenProcessPool as problem:
                raise _make_worker_error() from problem
            finally:
                if not done:
                    _stop_workers()


def count_workers(pieces: int) -> int:
    """The processes that so many pieces of work would be done in.

    One of several that work at the same time does its pieces by itself: the others have the rest of
    the processors.
    """
    if multiprocessing.parent_process() is not None and (_shares or not _is_side):
        return min(pieces, 1)
    return min(pieces, count_processors(), MOST)


def count_processors() -> int:
    """The processors that this process may use."""
    if hasattr(os, "sched_getaffinity"):
        return len(os.sched_getaffinity(0))
    return os.cpu_count() or 1


def search_garbage_rarely() -> None:
    """Let Python look for cycles after 400,000 new objects, not after 700.

    What a command makes is modules, content and documents, which stay, and rows without cycles.
    The search took 10 % of the processor time of a small report, and 4 % after 100,000.
    """
    gc.set_threshold(400_000, 50, 50)


def provide_home() -> None:
    """Bear a user without a home (`docker -u`): packages ask for it when they are imported."""
    try:
        Path.home()
    except RuntimeError:
        os.environ["HOME"] = "/nonexistent"


def begin_side_process(prepare: Callable[[], None]) -> None:
    """Begin a process beside this one, which calls `prepare` and then waits for work.

    It only saves time. There is none where this process has threads already, whose locks a copy
    could not open, where there is one processor, on a system other than Linux, or where the
    system refuses one.
    """
    if _side or not _can_copy() or count_processors() < 2:
        return
    done = False
    try:
        fork = multiprocessing.get_context("fork")
        pool = ProcessPoolExecutor(1, mp_context=fork, initializer=_start_side_process)
        pool.submit(prepare)
        done = True
    except _REFUSED:
        return
    finally:
        begun = multiprocessing.active_children()
        if not done:
            _kill(begun)
    _side.append(SideProcess(pool, begun))
    atexit.register(end_side_process)


def end_side_process() -> None:
    """End the process beside this one, whatever it does: it writes nothing afterwards."""
    while _side:
        side = _side.pop()
        _kill(side.processes)
        side.pool.shutdown(wait=False)


def _kill(processes: Sequence[BaseProcess]) -> None:
    for process in processes:
        process.kill()
        process.join(_LAST_WRITE)


@dataclass(frozen=True)
class SideTask(Generic[R]):
    """A piece of work that is done in the process beside this one, or was done in this one."""

    _future: Future[R]

    def get_result(self) -> R:
        """What it gives, once it is done. What it raises is raised here.

        Raises WorkerError where the process was ended from outside.
        """
        try:
            return self._future.result()
        except BrokenProcessPool as problem:
            raise _make_worker_error() from problem
        finally:
            if not self._future.done():  # it is interrupted, and what it works in about to go
                end_side_process()


def start_beside(function: Callable[P, R], *given: P.args, **named: P.kwargs) -> SideTask[R]:
    """Let the process beside this one call a function; do so here where there is none."""
    if _side:
        try:
            return SideTask(_side[0].pool.submit(function, *given, **named))
        except BrokenProcessPool:  # it was ended from outside, and had nothing to do
            end_side_process()
    here: Future[R] = Future()
    here.set_result(function(*given, **named))
    return SideTask(here)


def count_copies(pieces: int) -> int:
    """The processes that so many pieces of work would be done in: this one and copies of it."""
    may = _is_side and not _shares and _can_copy()
    return min(pieces, count_processors(), MOST) if may else 1


def map_in_copies(function: Callable[[A], R], arguments: Sequence[A]) -> list[R]:
    """`function` of each argument: where this process stands beside another, in copies of it too.

    The function may read all that there is, as the copies have it; its results alone are pickled.
    What else it changes may be lost. What a copy does not do, for whatever reason, is done here; of
    several errors of ours the one of the first argument is raised.
    """
    count, found = count_copies(len(arguments)), dict[int, R]()
    if count > 1:
        with _hand_out(len(arguments)) as places, ExitStack() as copies:
            work = partial(_do_pieces, function, arguments, places)
            begun = [copies.enter_context(_begin_copy(work)) for _ in range(1, count)]
            with _share():
                found = work()
            for answer in begun:
                found |= _receive(answer)
        if left := [place for place in range(len(arguments)) if place not in found]:
            with _begin_copy(partial(_do_pieces, function, arguments, left)) as answer:
                found |= _receive(answer)
    return [found[n] if n in found else function(each) for n, each in enumerate(arguments)]


def leave_to_copy() -> None:
    """Leave the piece of work at hand to a copy, where this process is the one that is copied.

    For work that begins threads, which stay: beside them no process can be copied.
    """
    if _shares:
        raise WorkerError("this piece is left to a copy of the process", hint="")


@contextmanager
def _hand_out(count: int) -> Iterator[Iterator[int]]:
    """The numbers below `count`, each for one of the processes that take them, in their order."""
    shares = min(count, _MOST_SHARES)
    try:
        reading, writing = os.pipe()
    except OSError:
        yield iter(())
        return
    try:
        os.write(writing, b"".join(share.to_bytes(_SHARE_BYTES) for share in range(shares)))
        os.close(writing)  # so that who asks for more is told that there is none
        taken = iter(partial(os.read, reading, _SHARE_BYTES), b"")
        yield (n for share in taken for n in range(int.from_bytes(share), count, shares))
    finally:
        os.close(reading)


def _do_pieces(
    function: Callable[[A], R], arguments: Sequence[A], places: Iterable[int]
) -> dict[int, R]:
    """The pieces that this process takes, without those that fail: these are done again."""
    found: dict[int, R] = {}
    for place in places:
        with suppress(PerfolioError):
            found[place] = function(arguments[place])
    return found


@contextmanager
def _share() -> Iterator[None]:
    """Let this process, which has copies, begin no further ones."""
    _shares.append(True)
    try:
        yield
    finally:
        _shares.pop()


@contextmanager
def _begin_copy(work: Callable[[], dict[int, Any]]) -> Iterator[Connection | None]:
    """A copy of this process that works until the block ends; None where the system gives none."""
    fork = multiprocessing.get_context("fork")
    try:
        answer, sending = fork.Pipe(duplex=False)
    except OSError:
        yield None
        return
    copy = fork.Process(target=_run_copy, args=(work, sending))
    with answer:
        try:
            with sending:  # else nobody would hear that the copy has ended
                copy.start()
        except OSError:
            yield None
            return
        try:
            yield answer
        finally:
            _kill([copy])


def _run_copy(work: Callable[[], dict[int, Any]], sending: Connection) -> None:
    try:
        _end_with_parent()
        _is_side.clear()
        sending.send(work())
    finally:
        os._exit(0)  # what was raised is raised again where the rest is done


def _receive(answer: Connection | None) -> dict[int, Any]:
    """What a copy did; nothing where it failed or was ended."""
    try:
        return answer.recv() if answer is not None else {}
    except (EOFError, OSError):
        return {}


def _start_side_process() -> None:
    _end_with_parent()
    _is_side.append(True)
    provide_home()
    for each in (signal.SIGINT, signal.SIGHUP):
        signal.signal(each, signal.SIG_IGN)


def _end_with_parent() -> None:
    """Let the kernel end this process with the one that began it: a thread could not be copied."""
    ctypes.CDLL(None).prctl(_ENDS_WITH_PARENT, signal.SIGKILL)
    parent = multiprocessing.parent_process()
    if parent is not None and os.getppid() != parent.pid:  # it has ended meanwhile
        os._exit(1)


def _can_copy() -> bool:
    """Whether a copy of this process could open every lock: whether no other thread holds any."""
    try:
        return sys.platform == "linux" and len([*_THREADS.iterdir()]) == 1
    except OSError:
        return False


def _make_worker_error() -> WorkerError:
    return WorkerError(
        "one of several processes was ended from outside",
        hint="free memory, or let it use one processor: taskset -c 0 perfolio ...",
    )


def _start_worker() -> None:
    """Ctrl-C, or its end, reaches every process of a terminal: the parent alone ends the work."""
    search_garbage_rarely()
    for each in (signal.SIGINT, signal.SIGHUP):
        signal.signal(each, signal.SIG_IGN)
    Thread(target=_stop_with_parent, daemon=True).start()


def _stop_with_parent() -> None:
    """A parent that is killed ends nobody: its processes would wait for work for ever."""
    parent = multiprocessing.parent_process()
    if parent is not None:
        parent.join()
        os._exit(1)


def _stop_workers() -> None:
    """End the processes, whose pool then waits for them.

    What they have not begun is not cancelled: Python 3.11 writes a traceback of it.
    """
    others = [process for side in _side for process in side.processes]
    for child in multiprocessing.active_children():
        if child not in others:
            child.terminate()


@contextmanager
def _set_environment() -> Iterator[None]:
    """Let new interpreters import nothing from the current folder, and allocate as `_BLOCKS` says.

    What the user says of memory stays.
    """
    given = {"PYTHONSAFEPATH": "1", _MEMORY: os.environ.get(_MEMORY, _BLOCKS)}
    before = {name: os.environ.get(name) for name in given}
    os.environ.update(given)
    try:
        yield
    finally:
        for name, value in before.items():
            if value is None:
                del os.environ[name]
            else:
                os.environ[name] = value
