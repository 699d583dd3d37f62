"""Outputs that appear whole or not at all, whatever ends a run.

In:  the place of an output. Out: a place beside it to write to, which is moved there at the end.

A run that was killed cleans up nothing: the next one to the same place does. It knows what is
left over by locks (file_locks.py).
"""

from __future__ import annotations

import ctypes
import fcntl
import os
import shutil
import tempfile
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager, suppress
from glob import escape
from pathlib import Path

from perfolio.common.errors import OutputError
from perfolio.common.file_locks import open_locked, reserve_place, resolve_real_path
from perfolio.common.partial_files import remove_ended
from perfolio.common.special_files import is_stream, write_into

_SCRATCH = ".perfolio-", ".scratch"
"""How names of temporary folders begin and end: like no name that a person gives."""
_HERE = -100
"""AT_FDCWD of Linux."""
_EXCHANGE = 2
"""RENAME_EXCHANGE of Linux."""


@contextmanager
def make_temporary_folder() -> Iterator[Path]:
    """An empty folder for the time of the block. Those of runs that were killed are removed."""
    with ExitStack() as stack:
        try:
            _remove_left()
            folder, _ = stack.enter_context(
                open_locked(_make_scratch_folder, os.O_RDONLY | os.O_DIRECTORY)
            )
        except OSError as problem:
            raise OutputError(
                f"no temporary folder can be made: {problem.strerror or problem}",
                hint="set TMPDIR to a folder with free space",
            ) from problem
        try:
            yield folder
        finally:
            shutil.rmtree(folder, ignore_errors=True)


def _make_scratch_folder() -> Path:
    prefix, suffix = _SCRATCH
    return Path(tempfile.mkdtemp(prefix=prefix, suffix=suffix))


def _remove_left() -> None:
    """Remove temporary folders whose process has ended; not those of other users."""
    prefix, suffix = _SCRATCH
    for folder in Path(tempfile.gettempdir()).glob(f"{prefix}*{suffix}"):
        with suppress(OSError):  # somebody else's, or gone meanwhile
            descriptor = os.open(folder, os.O_RDONLY | os.O_DIRECTORY | os.O_NOFOLLOW)
            try:
                fcntl.flock(descriptor, fcntl.LOCK_EX | fcntl.LOCK_NB)
                if os.fstat(descriptor).st_uid == os.geteuid():
                    shutil.rmtree(folder, ignore_errors=True)
            finally:
                os.close(descriptor)


@contextmanager
def replace_folder(target: Path) -> Iterator[Path]:
    """An empty folder that takes the place of `target` if the block succeeds, and else is gone.

    Raises OSError, after which `target` is what it was, and OutputError where it must stay.
    """
    at = resolve_real_path(target)
    refuse_fixed(target)
    with reserve_place(at) as alone:
        if alone:
            _remove_leftovers(at)
        made = tempfile.mkdtemp(prefix=f".{at.name}-", suffix=".partial", dir=at.parent)
        partial = Path(made)
        try:
            yield partial
            _put_in_place(partial, at)
        finally:
            shutil.rmtree(partial, ignore_errors=True)


@contextmanager
def replace_file(target: Path) -> Iterator[Path]:
    """An empty file that takes the place of `target` if the block succeeds, and else is gone.

    A link stays, and what it leads to is replaced. What is no regular file, as a pipe or a device,
    stays what it is and is written into, and so is what a process has open (/dev/stdout). Raises
    OutputError where that cannot be.
    """
    try:
        if is_stream(target):
            with make_temporary_folder() as folder:
                made = folder / "made"
                made.touch()
                yield made
                write_into(target, made)
            return
        with _make_partial_file(resolve_real_path(target)) as partial:
            yield partial
    except BrokenPipeError:  # its reader has seen enough
        raise
    except OSError as problem:
        why = problem.strerror or problem
        raise OutputError(f"{target}: cannot be written: {why}") from problem


def write_file(target: Path, data: bytes) -> None:
    """Write a file as `replace_file` does."""
    with replace_file(target) as partial:
        partial.write_bytes(data)


@contextmanager
def _make_partial_file(at: Path) -> Iterator[Path]:
    with reserve_place(at) as alone:
        if alone:
            _remove_leftovers(at)
        handle, name = tempfile.mkstemp(prefix=f".{at.name}-", suffix=".partial", dir=at.parent)
        os.close(handle)
        partial = Path(name)
        try:
            yield partial
            partial.chmod(at.stat().st_mode & 0o7777 if at.exists() else 0o666 & ~_read_umask())
            partial.replace(at)
        finally:
            partial.unlink(missing_ok=True)


def refuse_fixed(folder: Path) -> None:
    """Raise OutputError for a folder that cannot be replaced as a whole, or that a shell is in."""
    at = resolve_real_path(folder)
    if at.is_mount():
        what = "is where a file system is mounted"
    elif resolve_real_path(Path()).is_relative_to(at):
        what = "holds the current folder"
    else:
        return
    raise OutputError(
        f"{folder}: {what}, and cannot be replaced as a whole",
        hint=f"name a folder in it: {folder / 'out'}",
    )


def _remove_leftovers(target: Path) -> None:
    """Remove what killed runs left beside `target`; one may have ended between two renames."""
    for earlier in _list_leftovers(target, "earlier"):
        if target.exists():
            shutil.rmtree(earlier, ignore_errors=True)
        else:
            earlier.rename(target)
    remove_ended(target.parent, target.name)
    for partial in _list_leftovers(target, "partial"):
        if partial.is_dir():
            shutil.rmtree(partial, ignore_errors=True)
            continue
        with suppress(OSError):  # another user's, in a shared folder
            partial.unlink()


def _list_leftovers(target: Path, kind: str) -> list[Path]:
    return sorted(target.parent.glob(f".{escape(target.name)}-????????.{kind}"))


def _put_in_place(partial: Path, target: Path) -> None:
    """Rename the finished folder to its name; an earlier one goes after that."""
    partial.chmod(target.stat().st_mode & 0o7777 if target.exists() else 0o777 & ~_read_umask())
    if swap_folders(partial, target):
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


def _read_umask() -> int:
    umask = os.umask(0)
    os.umask(umask)
    return umask


def swap_folders(one: Path, other: Path) -> bool:
    """Exchange two names at once. False where nothing was done: another system, or file system.

    With two renames there would be a moment at which nothing has one of the names.
    """
    try:
        renameat2 = ctypes.CDLL(None).renameat2
    except (AttributeError, OSError, TypeError):
        return False
    first, second = os.fsencode(one), os.fsencode(other)
    return bool(renameat2(_HERE, first, _HERE, second, ctypes.c_uint(_EXCHANGE)) == 0)
