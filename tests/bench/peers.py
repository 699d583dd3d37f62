"""Other readers of HPCToolkit databases on the same files, beside `perfolio ingest`.

    python -m tests.bench.peers DATABASE ... --python PYTHON [--python PYTHON]

Each PYTHON is an interpreter in whose environment Hatchet is installed (`hatchet`, or
`llnl-hatchet`). Prints processor seconds and the largest memory of the process that reads, and
how many values it has in the end. Reading is the whole of it for Hatchet; for Perfolio it is
reading, checking, storing and deriving.
"""

from __future__ import annotations

import argparse
import subprocess
import sys
from pathlib import Path

_HATCHET = """
import resource, sys, time
import hatchet
frames = hatchet.GraphFrame
read = getattr(frames, "from_hpctoolkit_latest", None) or frames.from_hpctoolkit
start = time.process_time()
frame = read(sys.argv[1])
spent = time.process_time() - start
numbers = frame.dataframe.select_dtypes("number")
memory = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1e3
print(f"{spent:.2f} {memory:.0f} {int((numbers != 0).to_numpy().sum())}")
"""
_PERFOLIO = """
import resource, sys, tempfile, time
from pathlib import Path
from perfolio.pipeline.run_documents import ingest_paths
start = time.process_time()
with tempfile.TemporaryDirectory() as folder:
    rows = ingest_paths([Path(sys.argv[1])], Path(folder) / "store.duckdb")[0].rows
spent = time.process_time() - start
memory = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1e3
print(f"{spent:.2f} {memory:.0f} {rows}")
"""


def measured(python: str, code: str, database: Path) -> str:
    """CPU-seconds, MB and values, or the last line of what went wrong."""
    done = subprocess.run(
        [python, "-W", "ignore", "-c", code, str(database)],
        check=False,
        capture_output=True,
        text=True,
    )
    lines = (done.stdout if done.returncode == 0 else done.stderr).strip().splitlines()
    return lines[-1] if lines else f"ended with {done.returncode}"


def main() -> None:
    """Print a row for each database and reader."""
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("databases", nargs="+", type=Path)
    parser.add_argument("--python", action="append", default=[])
    given = parser.parse_args()
    print("database, reader: CPU-s, MB, values")
    for database in given.databases:
        print(f"{database.name}, Perfolio: {measured(sys.executable, _PERFOLIO, database)}")
        for python in given.python:
            print(f"{database.name}, {python}: {measured(python, _HATCHET, database)}")


if __name__ == "__main__":
    main()
