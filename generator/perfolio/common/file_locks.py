"""One process at a time at a place, by locks that the system releases however a process ends.

In:  the place of an output. Out: a time in which no other process of ours writes there.
"""

from __future__ import annotations

import fcntl
import os
import sys
from collections.abc import Callable, Iterator
from contextlib import ExitStack, contextmanager, suppress
from functools import wraps
from pathlib import Path
from typing import Concatenate, ParamSpec, TypeVar

from perfolio.common.errors import OutputError, one_line

P = ParamSpec("P")
T = TypeVar("T")
_HELD: set[Path] = set()
"""Places at which this process is alone."""


def resolve_real_path(place: Path) -> Path:
    """`place` by its real path, whose last part is its name."""
    return Path(os.path.realpath(place))


@contextmanager
def reserve_place(place: Path) -> Iterator[bool]:
    """Keep other processes from writing to `place` meanwhile; where one does, say so and wait.

    Yields False where the file system knows no locks: then others may be at work. Blocks for the
    same place may lie in each other. Raises OSError where nothing can be written beside `place`.
    """
    at = resolve_real_path(place)
    if at in _HELD:
        yield True
        return
    at.parent.mkdir(parents=True, exist_ok=True)
    path = _make_lock_path(at)
    with open_locked(lambda: path, os.O_RDWR | os.O_CREAT) as (_, locked):
        _HELD.add(at)
        try:
            yield locked
        finally:
            _HELD.remove(at)
            with suppress(OSError):  # one that stays does no harm: whoever comes next locks it
                path.unlink()  # while it is held: who waits for it sees that it is gone


def is_written(place: Path) -> bool:
    """Whether another process is alone at `place` now; False where the file system knows no locks.

    Nothing is written, so that who may only read can ask.
    """
    at = resolve_real_path(place)
    if at in _HELD:
        return False
    try:
        lock = os.open(_make_lock_path(at), os.O_RDONLY)
    except OSError:
        return False
    try:
        fcntl.flock(lock, fcntl.LOCK_SH | fcntl.LOCK_NB)
    except BlockingIOError:
        return True
    except OSError:
        return False
    finally:
        os.close(lock)
    return False


def say_waiting(name: str) -> None:
    """Tell why nothing happens for a while."""
    shown = one_line(name)
    sys.stderr.write(f"perfolio: another process writes {shown}: waiting until it has ended\n")


def run_one_at_a_time(
    place: Path,
) -> Callable[[Callable[Concatenate[Path, P], T]], Callable[Concatenate[Path, P], T]]:
    """Let a function, whose first argument is a folder, run in one process at a time for each.

    `place` stands in that folder for all that the function writes.
    """

    def waiting(function: Callable[Concatenate[Path, P], T]) -> Callable[Concatenate[Path, P], T]:
        @wraps(function)
        def alone(root: Path, /, *args: P.args, **kwargs: P.kwargs) -> T:
            with ExitStack() as stack:
                try:
                    stack.enter_context(reserve_place(root / place))
                except OSError as problem:
                    why = problem.strerror or problem
                    raise OutputError(f"{root}: cannot be written: {why}") from problem
                return function(root, *args, **kwargs)

        return alone

    return waiting


def _make_lock_path(at: Path) -> Path:
    return at.parent / f".{at.name}.lock"


@contextmanager
def open_locked(
    place: Callable[[], Path], flags: int, *, waits: bool = True
) -> Iterator[tuple[Path, bool]]:
    """The file or folder at `place()`, locked, and whether the file system knows locks.

    While we waited for the lock, its owner may have removed the file: then once more. Raises
    BlockingIOError where another process has the lock, unless one `waits`.
    """
    while True:
        path = place()
        try:
            descriptor = _open_lock(path, flags)
        except FileNotFoundError:
            if flags & os.O_DIRECTORY:  # taken for one that was left over
                continue
            raise
        try:
            locked = _take_lock(descriptor, path, waits=waits)
            if not locked or _is_same_file(descriptor, path):
                yield path, locked
                return
        finally:
            os.close(descriptor)


def _open_lock(path: Path, flags: int) -> int:
    """A file to lock; one that another user's killed process left may be read, not written."""
    try:
        return os.open(path, flags, 0o666)
    except PermissionError:
        if not flags & os.O_CREAT or not path.exists():
            raise
        return os.open(path, os.O_RDONLY)


def _take_lock(descriptor: int, path: Path, *, waits: bool) -> bool:
    try:
        fcntl.flock(descriptor, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except BlockingIOError:
        if not waits:
            raise
        say_waiting(path.name.removeprefix(".").removesuffix(".lock"))
        fcntl.flock(descriptor, fcntl.LOCK_EX)
    except OSError:
        return False
    return True


def _is_same_file(descriptor: int, path: Path) -> bool:
    with suppress(FileNotFoundError):
        return os.path.samestat(os.fstat(descriptor), path.stat())
    return False
