"""Moments of a process, and what happens at them."""

from __future__ import annotations

import errno
import os
import resource
import signal
import sys
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Literal

Kind = Literal["full disk", "Ctrl-C", "kill"]
KINDS: tuple[Kind, ...] = ("full disk", "Ctrl-C", "kill")
WRITING = {"os.rename", "os.mkdir", "os.rmdir", "os.remove", "os.chmod", "os.link", "os.fsync"}


@dataclass(frozen=True)
class Fault:
    """A fault at the n-th moment (from 0), or at the first write beyond a size."""

    kind: Kind
    moment: int | None = None
    size: int | None = None

    def __str__(self) -> str:
        where = f"moment {self.moment}" if self.size is None else f"beyond {self.size:,} bytes"
        return f"{self.kind} at {where}"


def install(fault: Fault, folder: Path) -> None:
    """Let the fault happen in this process, which ends soon: it cannot be undone."""
    if fault.size is not None:
        kill = fault.kind == "kill"
        signal.signal(signal.SIGXFSZ, signal.SIG_DFL if kill else signal.SIG_IGN)
        resource.setrlimit(resource.RLIMIT_CORE, (0, 0))
        resource.setrlimit(resource.RLIMIT_FSIZE, (fault.size, resource.RLIM_INFINITY))
        return
    seen = [0]

    def happen(_: str) -> None:
        if seen[0] == fault.moment:
            seen[0] += 1
            _happen(fault.kind)
        seen[0] += 1

    watch(folder, happen)


def watch(folder: Path, happen: Callable[[str], None]) -> None:
    """Call `happen` at each moment when something below `folder` is about to be written."""
    below = os.fspath(folder)

    def hook(event: str, arguments: tuple[Any, ...]) -> None:
        opened = event == "open" and _writes(arguments)
        if (opened or event in WRITING) and str(arguments[0]).startswith(below):
            happen(f"{event} {arguments[0]}")

    sys.addaudithook(hook)
    flush = os.fsync

    def fsync(file: int) -> None:
        happen(f"fsync {file}")
        flush(file)

    os.fsync = fsync  # type: ignore[assignment]


def _writes(arguments: tuple[Any, ...]) -> bool:
    _, mode, flags = arguments
    if isinstance(mode, str):
        return any(letter in mode for letter in "wxa+")
    return bool(flags & (os.O_WRONLY | os.O_RDWR))


def _happen(kind: Kind) -> None:
    if kind == "full disk":
        raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC))
    if kind == "Ctrl-C":
        raise KeyboardInterrupt
    os.kill(os.getpid(), signal.SIGKILL)
