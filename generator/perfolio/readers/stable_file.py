"""An input file that is noticed when it changes while it is read.

In:  a path. Out: bytes, always of the same file in the same state, or an InputError.

Files are read, not mapped: a mapped file that shrinks ends the process with a signal.
"""

from __future__ import annotations

import hashlib
import os
import stat
import weakref
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path

from perfolio.common.errors import InputError

HASHED_AT_ONCE = 1 << 20
"""Bytes that are hashed in one step."""
AGAIN = "wait until whatever writes it has ended, and run again"

State = tuple[int, int, int, int, int]
"""Device, inode, size and times of the last change: what tells one state of a file from another."""


@dataclass(frozen=True)
class OpenedFile:
    """A regular file, opened for reading until nobody refers to it."""

    path: Path
    size: int
    descriptor: int
    state: State

    def read(self, offset: int, length: int) -> bytes:
        """`length` bytes at `offset`. Raises InputError where the file no longer has them."""
        try:  # without a context manager, which takes as long as a short read
            data = os.pread(self.descriptor, length, offset)
            while len(data) < length:
                more = os.pread(self.descriptor, length - len(data), offset + len(data))
                if not more:
                    raise self.describe_change("became shorter")
                data += more
        except (OSError, ValueError) as problem:
            raise _make_read_error(self.path, problem) from problem
        return data

    def sha256(self) -> str:
        """SHA-256 of the bytes of this file, wherever its path leads by now; read once."""
        return self._sha256

    @cached_property
    def _sha256(self) -> str:
        whole = hashlib.sha256()
        for offset in range(0, self.size, HASHED_AT_ONCE):
            whole.update(self.read(offset, min(HASHED_AT_ONCE, self.size - offset)))
        return whole.hexdigest()

    def check_unchanged(self) -> None:
        """Raise InputError if the file was changed or replaced since it was opened."""
        with _report_unreadable(self.path):
            found = os.fstat(self.descriptor), self.path.stat()
        if any(_make_state(one) != self.state for one in found):
            raise self.describe_change("changed or was replaced")

    def describe_change(self, what: str) -> InputError:
        """The error that says so."""
        return InputError(f"{self.path}: the file {what} while it was read", hint=AGAIN)


def open_input(path: Path) -> OpenedFile:
    """Open `path` for reading. Raises InputError unless it is a regular file with content."""
    with _report_unreadable(path):
        # A FIFO would make open() wait for a writer.
        descriptor = os.open(path, os.O_RDONLY | os.O_CLOEXEC | os.O_NONBLOCK)
        found = os.fstat(descriptor)
    opened = OpenedFile(path, found.st_size, descriptor, _make_state(found))
    weakref.finalize(opened, os.close, descriptor)
    if not stat.S_ISREG(found.st_mode):
        raise InputError(f"{path}: is not a regular file", hint="copy the whole folder again")
    if not found.st_size:
        raise InputError(
            f"{path}: the file is empty", hint="record it again, or copy the whole file again"
        )
    return opened


def reopen_input(path: Path, state: State) -> OpenedFile:
    """Open a file again that was read in this state, here or by another process.

    Raises InputError where it is in another state by now. Its device may have another number: each
    machine numbers those that it mounts by itself.
    """
    opened = open_input(path)
    if opened.state[1:] != state[1:]:
        raise opened.describe_change("changed or was replaced")
    return opened


def _make_state(found: os.stat_result) -> State:
    return (found.st_dev, found.st_ino, found.st_size, found.st_mtime_ns, found.st_ctime_ns)


@contextmanager
def _report_unreadable(path: Path) -> Iterator[None]:
    try:
        yield
    except (OSError, ValueError) as problem:
        raise _make_read_error(path, problem) from problem


def _make_read_error(path: Path, problem: Exception) -> InputError:
    return InputError(f"{path}: cannot be read: {problem}")
