"""Outputs that appear whole or not at all, whatever ends a run, and one process at a time.

In:  the place of an output. Out: a place beside it to write to, which is moved there at the end.

A run that was killed cleans up nothing: the next one to the same place does. It knows what is
left over by locks, which the system releases when a process ends, however it ends.
"""

from __future__ import annotations

import fcntl
import os
import shutil
import sys
import tempfile
from collections.abc import Callable, Iterator
from contextlib import ExitStack, contextmanager, suppress
from functools import wraps
from glob import escape
from pathlib import Path
from typing import Concatenate, ParamSpec, TypeVar

from generator.errors import OutputError, one_line
from generator.exchange import exchanged
from generator.partials import remove_ended
from generator.streams import is_stream, write_into

P = ParamSpec("P")
T = TypeVar("T")
_HELD: set[Path] = set()
"""Places at which this process is alone."""
_SCRATCH = ".perfolio-", ".scratch"
"""How names of temporary folders begin and end: like no name that a person gives."""


@contextmanager
def alone_at(place: Path) -> Iterator[bool]:
    """Keep other processes from writing to `place` meanwhile; where one does, say so and wait.

    Yields False where the file system knows no locks: then others may be at work. Blocks for the
    same place may lie in each other. Raises OSError where nothing can be written beside `place`.
    """
    at = _named(place)
    if at in _HELD:
        yield True
        return
    at.parent.mkdir(parents=True, exist_ok=True)
    path = _lock_of(at)
    with _locked(lambda: path, os.O_RDWR | os.O_CREAT) as (_, locked):
        _HELD.add(at)
        try:
            yield locked
        finally:
            _HELD.remove(at)
            with suppress(FileNotFoundError, PermissionError):  # another user's, in a shared folder
                path.unlink()  # while it is held: who waits for it sees that it is gone


def is_written(place: Path) -> bool:
    """Whether another process is alone at `place` now; False where the file system knows no locks.

    Nothing is written, so that who may only read can ask.
    """
    at = _named(place)
    if at in _HELD:
        return False
    try:
        lock = os.open(_lock_of(at), os.O_RDONLY)
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


def one_at_a_time(
    place: Path,
) -> Callable[[Callable[Concatenate[Path, P], T]], Callable[Concatenate[Path, P], T]]:
    """Let a function, whose first argument is a folder, run in one process at a time for each.

    `place` stands in that folder for all that the function writes.
    """

    def waiting(function: Callable[Concatenate[Path, P], T]) -> Callable[Concatenate[Path, P], T]:
        @wraps(function)
        def alone(root: Path, /, *args: P.args, **kwargs: P.kwargs) -> T:
            with ExitStack() as held:
                try:
                    held.enter_context(alone_at(root / place))
                except OSError as problem:
                    why = problem.strerror or problem
                    raise OutputError(f"{root}: cannot be written: {why}") from problem
                return function(root, *args, **kwargs)

        return alone

    return waiting


@contextmanager
def temporary_folder() -> Iterator[Path]:
    """An empty folder for the time of the block. Those of runs that were killed are removed."""
    with ExitStack() as held:
        try:
            _remove_left()
            folder, _ = held.enter_context(_locked(_new_folder, os.O_RDONLY | os.O_DIRECTORY))
        except OSError as problem:
            raise OutputError(
                f"no temporary folder can be made: {problem.strerror or problem}",
                hint="set TMPDIR to a folder with free space",
            ) from problem
        try:
            yield folder
        finally:
            shutil.rmtree(folder, ignore_errors=True)


def _new_folder() -> Path:
    prefix, suffix = _SCRATCH
    return Path(tempfile.mkdtemp(prefix=prefix, suffix=suffix))


def _remove_left() -> None:
    """Remove temporary folders whose process has ended; not those of other users."""
    prefix, suffix = _SCRATCH
    for folder in Path(tempfile.gettempdir()).glob(f"{prefix}*{suffix}"):
        with suppress(OSError):  # somebody else's, or gone meanwhile
            held = os.open(folder, os.O_RDONLY | os.O_DIRECTORY | os.O_NOFOLLOW)
            try:
                fcntl.flock(held, fcntl.LOCK_EX | fcntl.LOCK_NB)
                if os.fstat(held).st_uid == os.geteuid():
                    shutil.rmtree(folder, ignore_errors=True)
            finally:
                os.close(held)


@contextmanager
def whole_folder(target: Path) -> Iterator[Path]:
    """An empty folder that takes the place of `target` if the block succeeds, and else is gone.

    Raises OSError, after which `target` is what it was, and OutputError where it must stay.
    """
    at = _named(target)
    refuse_fixed(target)
    with alone_at(at) as alone:
        if alone:
            _clean_up(at)
        made = tempfile.mkdtemp(prefix=f".{at.name}-", suffix=".partial", dir=at.parent)
        partial = Path(made)
        try:
            yield partial
            _put_in_place(partial, at)
        finally:
            shutil.rmtree(partial, ignore_errors=True)


@contextmanager
def whole_file(target: Path) -> Iterator[Path]:
    """An empty file that takes the place of `target` if the block succeeds, and else is gone.

    A link stays, and what it leads to is replaced. What is no regular file, as a pipe or a device,
    stays what it is and is written into, and so is what a process has open (/dev/stdout). Raises
    OutputError where that cannot be.
    """
    try:
        if is_stream(target):
            with temporary_folder() as folder:
                made = folder / "made"
                made.touch()
                yield made
                write_into(target, made)
            return
        with _file_beside(_named(target)) as partial:
            yield partial
    except BrokenPipeError:  # its reader has seen enough
        raise
    except OSError as problem:
        why = problem.strerror or problem
        raise OutputError(f"{target}: cannot be written: {why}") from problem


def write_file(target: Path, data: bytes) -> None:
    """Write a file as `whole_file` does."""
    with whole_file(target) as partial:
        partial.write_bytes(data)


@contextmanager
def _file_beside(at: Path) -> Iterator[Path]:
    with alone_at(at) as alone:
        if alone:
            _clean_up(at)
        handle, name = tempfile.mkstemp(prefix=f".{at.name}-", suffix=".partial", dir=at.parent)
        os.close(handle)
        partial = Path(name)
        try:
            yield partial
            partial.chmod(at.stat().st_mode & 0o7777 if at.exists() else 0o666 & ~_umask())
            partial.replace(at)
        finally:
            partial.unlink(missing_ok=True)


def _lock_of(at: Path) -> Path:
    return at.parent / f".{at.name}.lock"


def _named(place: Path) -> Path:
    """`place` by its real path, whose last part is its name."""
    return Path(os.path.realpath(place))


def refuse_fixed(folder: Path) -> None:
    """Raise OutputError for a folder that cannot be replaced as a whole, or that a shell is in."""
    at = _named(folder)
    if at.is_mount():
        what = "is where a file system is mounted"
    elif _named(Path()).is_relative_to(at):
        what = "holds the current folder"
    else:
        return
    raise OutputError(
        f"{folder}: {what}, and cannot be replaced as a whole",
        hint=f"name a folder in it: {folder / 'out'}",
    )


def _clean_up(target: Path) -> None:
    """Remove what killed runs left beside `target`; one may have ended between two renames."""
    for earlier in _beside(target, "earlier"):
        if target.exists():
            shutil.rmtree(earlier, ignore_errors=True)
        else:
            earlier.rename(target)
    remove_ended(target.parent, target.name)
    for partial in _beside(target, "partial"):
        if partial.is_dir():
            shutil.rmtree(partial, ignore_errors=True)
            continue
        with suppress(OSError):  # another user's, in a shared folder
            partial.unlink()


def _beside(target: Path, kind: str) -> list[Path]:
    return sorted(target.parent.glob(f".{escape(target.name)}-????????.{kind}"))


def _put_in_place(partial: Path, target: Path) -> None:
    """Rename the finished folder to its name; an earlier one goes after that."""
    partial.chmod(target.stat().st_mode & 0o7777 if target.exists() else 0o777 & ~_umask())
    if exchanged(partial, target):
        return  # what is half-written now is the earlier one
    earlier = partial.with_suffix(".earlier")
    try:
        if target.exists():
            target.rename(earlier)
        partial.rename(target)
    finally:  # also after Ctrl-C
        if earlier.exists() and not target.exists():
            earlier.rename(target)
    shutil.rmtree(earlier, ignore_errors=True)


def _umask() -> int:
    umask = os.umask(0)
    os.umask(umask)
    return umask


@contextmanager
def _locked(place: Callable[[], Path], flags: int) -> Iterator[tuple[Path, bool]]:
    """The file or folder at `place()`, locked, and whether the file system knows locks.

    While we waited for the lock, its owner may have removed the file: then once more.
    """
    while True:
        path = place()
        try:
            held = _opened(path, flags)
        except FileNotFoundError:
            if flags & os.O_DIRECTORY:  # taken for one that was left over
                continue
            raise
        try:
            locked = _lock(held, path)
            if not locked or _is_at(held, path):
                yield path, locked
                return
        finally:
            os.close(held)


def _opened(path: Path, flags: int) -> int:
    """A file to lock; one that another user's killed process left may be read, not written."""
    try:
        return os.open(path, flags, 0o666)
    except PermissionError:
        if not flags & os.O_CREAT or not path.exists():
            raise
        return os.open(path, os.O_RDONLY)


def _lock(held: int, path: Path) -> bool:
    try:
        fcntl.flock(held, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except BlockingIOError:
        say_waiting(path.name.removeprefix(".").removesuffix(".lock"))
        fcntl.flock(held, fcntl.LOCK_EX)
    except OSError:
        return False
    return True


def _is_at(held: int, path: Path) -> bool:
    with suppress(FileNotFoundError):
        return os.path.samestat(os.fstat(held), path.stat())
    return False
