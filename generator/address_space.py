"""Whether a command has the address space that its libraries take (`ulimit -v`).

With less they end the process with a signal, or in the middle of their work, and say nothing that
helps. They reserve most of it and never use it: the memory that a command fills is much less.
"""

from __future__ import annotations

import resource

from generator.errors import UsageError
from generator.parallel import processors

MB = 1_000_000
LEAST, LEAST_OF_A_PROCESSOR = 2_350 * MB, 80 * MB
"""Measured: `perfolio info` of a small trace; what each thread of DuckDB reserves."""


def check_address_space() -> None:
    """Raise UsageError where this process may map less than commands need."""
    needed = LEAST + LEAST_OF_A_PROCESSOR * processors()
    for kind, option in ((resource.RLIMIT_AS, "-v"), (resource.RLIMIT_DATA, "-d")):
        allowed, _ = resource.getrlimit(kind)
        if allowed != resource.RLIM_INFINITY and allowed < needed:
            raise UsageError(
                f"ulimit {option} allows {allowed // MB:,} MB of address space, and a command "
                f"needs {needed // MB:,} MB of it, though it fills far less memory",
                hint=f"run `ulimit {option} unlimited` before it, or ask for a larger limit",
            )
