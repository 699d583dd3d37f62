"""How much CPU time and memory a database may take to be read, and what it takes.

The published promise of `docs/robustness.md`: `SECONDS` and `MEMORY`, each with what a
file takes whatever its size.
"""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path

SECONDS, SECONDS_PER_MB = 1.0, 2.0
"""CPU time for reading a database to the end."""
MEMORY, MEMORY_PER_MB = 60e6, 30e6
"""Bytes of memory for it, beyond those of the process before."""

_CODE = """
import json, sys, time
from pathlib import Path
from generator.errors import PerfolioError
from generator.sources import registry
from tests.bench.__main__ import peak_memory
import pyarrow
pyarrow.array([1])  # loads pandas where it is installed
before, begin = peak_memory(), time.process_time()
try:
    source = registry.read(Path(sys.argv[1]))
    for stream in source.streams.values():
        for batch in stream.batches():
            pass
except PerfolioError:
    pass
print(json.dumps([time.process_time() - begin, peak_memory() - before]))
"""


def measured(database: Path) -> tuple[float, float]:
    """Seconds of CPU time and bytes of memory for reading a database, or refusing it."""
    command = [sys.executable, "-c", _CODE, str(database.resolve())]
    root = Path(__file__).parents[1]
    done = subprocess.run(
        command, check=True, capture_output=True, text=True, cwd=root, timeout=300
    )
    seconds, memory = json.loads(done.stdout)
    return seconds, memory


def allowed(database: Path) -> tuple[float, float]:
    """Seconds of CPU time and bytes of memory that reading it may take."""
    size = sum(path.stat().st_size for path in database.iterdir()) / 1e6
    return SECONDS + SECONDS_PER_MB * size, MEMORY + MEMORY_PER_MB * size
