"""How much CPU time and memory a database may take to be read, and what it takes.

The published promise of `docs/robustness.md`: `SECONDS` and `MEMORY`, each with what a
file takes whatever its size.
"""

from __future__ import annotations

import json
import sys
import time
from contextlib import suppress
from pathlib import Path

import pyarrow as pa

from perfolio.common.errors import PerfolioError
from perfolio.readers import registry
from tests.bench.stages import peak_memory
from tests.kit.forked import forked

SECONDS, SECONDS_PER_MB = 1.0, 2.0
"""CPU time for reading a database to the end."""
MEMORY, MEMORY_PER_MB = 60e6, 30e6
"""Bytes of memory for it, beyond those of the process before."""


def measured(database: Path) -> tuple[float, float]:
    """Seconds of CPU time and bytes of memory for reading a database, or refusing it."""
    done = forked(_measure, database.resolve())
    assert done.returncode == 0, done.stderr.decode()
    seconds, memory = json.loads(done.stdout)
    return seconds, memory


def _measure(database: Path) -> None:
    pa.array([1])  # loads pandas where it is installed
    before, begin = peak_memory(), time.process_time()
    with suppress(PerfolioError):
        source = registry.read(database)
        for stream in source.streams.values():
            for _ in stream.batches():
                pass
    sys.stdout.write(json.dumps([time.process_time() - begin, peak_memory() - before]))


def allowed(database: Path) -> tuple[float, float]:
    """Seconds of CPU time and bytes of memory that reading it may take."""
    size = sum(path.stat().st_size for path in database.iterdir()) / 1e6
    return SECONDS + SECONDS_PER_MB * size, MEMORY + MEMORY_PER_MB * size
