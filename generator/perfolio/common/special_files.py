"""Places that are written into, and not replaced: pipes, devices, what a process has open.

In:  the place of an output, such as /dev/stdout or `>(jq .)` of a shell. Out: the bytes in it.
"""

from __future__ import annotations

import os
import shutil
import stat
import sys
from pathlib import Path


def is_stream(place: Path) -> bool:
    """Whether a place is written into, and not replaced: no regular file, or open in a process."""
    try:
        mode = place.stat().st_mode
    except FileNotFoundError:
        return False
    return not stat.S_ISREG(mode) or _find_open_file(place) is not None


def write_into(target: Path, made: Path) -> None:
    """Write what is in a file into such a place. Raises OSError."""
    sys.stdout.flush()
    with made.open("rb") as source, os.fdopen(_open_stream(target), "wb") as sink:
        shutil.copyfileobj(source, sink)


def _find_open_file(place: Path) -> Path | None:
    """What `place` leads to below /proc, if it does: the name of a file that a process has open."""
    while True:
        place = Path(os.path.realpath(place.parent), place.name)
        if place.is_relative_to("/proc"):
            return place
        if not place.is_symlink():
            return None
        place = place.parent / place.readlink()


def _open_stream(target: Path) -> int:
    """What is open in this process goes on from where it is; it may be a file that has more."""
    path = _find_open_file(target)
    if path and path.parent == Path(f"/proc/{os.getpid()}/fd") and path.name.isdecimal():
        return os.dup(int(path.name))
    return os.open(target, os.O_WRONLY | os.O_APPEND)
