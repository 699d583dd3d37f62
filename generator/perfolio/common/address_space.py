"""The address space of this process: whether it suffices for a command, and limits for a while.

With less than libraries take (`ulimit -v`) they end the process with a signal, or in the middle of
their work, and say nothing that helps. They reserve most of it and never use it: the memory that a
command fills is much less.
"""

from __future__ import annotations

import resource
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from perfolio.common.errors import UsageError

MB = 1_000_000
LEAST = 2_250 * MB
"""Measured: `perfolio info` and `perfolio build` of a small trace, beside the threads of DuckDB."""
OF_A_THREAD, OF_ANOTHER, MOST_LARGE = 72 * MB, 8 * MB, 8
"""Measured: what each of the first eight threads of DuckDB reserves, and each further one."""


def check_address_space() -> None:
    """Raise UsageError where this process may map less than commands need."""
    for kind, option in ((resource.RLIMIT_AS, "-v"), (resource.RLIMIT_DATA, "-d")):
        allowed, _ = resource.getrlimit(kind)
        if allowed != resource.RLIM_INFINITY and allowed < (needed := compute_needed()):
            raise UsageError(
                f"ulimit {option} allows {allowed // MB:,} MB of address space, and a command "
                f"needs {needed // MB:,} MB of it, though it fills far less memory",
                hint=f"run `ulimit {option} unlimited` before it, or ask for a larger limit",
            )


@contextmanager
def limit_growth(room: int) -> Iterator[None]:
    """Let this process map at most `room` more bytes in the block: what takes more is refused.

    Not where no system tells how much it has now.
    """
    try:
        pages = int(Path("/proc/self/statm").read_text("ascii").split()[0])
    except OSError:
        yield
        return
    soft, hard = resource.getrlimit(resource.RLIMIT_AS)
    most = pages * resource.getpagesize() + room
    limits = [most, *(each for each in (soft, hard) if each != resource.RLIM_INFINITY)]
    resource.setrlimit(resource.RLIMIT_AS, (min(limits), hard))
    try:
        yield
    finally:
        resource.setrlimit(resource.RLIMIT_AS, (soft, hard))


def compute_needed() -> int:
    """Bytes of address space that a command needs, beside which DuckDB has its threads."""
    from perfolio.common.processes import count_processors

    threads = count_processors()
    further = max(threads - MOST_LARGE, 0)
    return LEAST + OF_A_THREAD * (threads - further) + OF_ANOTHER * further
