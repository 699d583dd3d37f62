"""Independent pieces of work on several processors.

In:  a function of a module, and arguments that can be pickled. Out: its results, in their order.
"""

from __future__ import annotations

import gc
import multiprocessing
import os
import signal
from collections import deque
from collections.abc import Callable, Generator, Iterator, Sequence
from concurrent.futures import ProcessPoolExecutor
from concurrent.futures.process import BrokenProcessPool
from contextlib import contextmanager, suppress
from importlib import import_module
from threading import Thread
from typing import TypeVar

from perfolio.common.errors import WorkerError

A = TypeVar("A")
R = TypeVar("R")
MOST = 8
"""Processes at most: each may take the memory that a store may take."""
_MEMORY, _BLOCKS = "GLIBC_TUNABLES", "glibc.malloc.tcache_count=1000"
"""DuckDB plans with millions of small blocks: glibc keeps a thousand of each size, not seven."""


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
                raise WorkerError(
                    "one of several processes was ended from outside",
                    hint="free memory, or let it use one processor: taskset -c 0 perfolio ...",
                ) from problem
            finally:
                if not done:
                    _stop_workers()


def count_workers(pieces: int) -> int:
    """The processes that so many pieces of work would be done in.

    One of several that work at the same time does its pieces by itself: the others have the rest of
    the processors.
    """
    if multiprocessing.parent_process() is not None:
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


def import_ahead(names: Sequence[str]) -> Thread:
    """Import modules in a thread, while this one waits for what needs no lock of Python.

    One that cannot be imported raises its error where it is needed.
    """

    def import_each() -> None:
        with suppress(ImportError):
            for name in names:
                import_module(name)

    thread = Thread(target=import_each, name="imports")
    thread.start()
    return thread


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
    for child in multiprocessing.active_children():
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
