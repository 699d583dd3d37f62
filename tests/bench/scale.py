"""How the time of storing a run grows with its size, by model, and whether it stays within limits.

    python -m tests.bench.scale [--kind ranks] [--largest 1.0] [--repeats 3]

Makes databases (`make`) of a kind at three sizes, each four times the last, and measures each in
processes of its own, in seconds of the processor, the least of a few runs:

- calibration  DuckDB's insert of the run's rows, ready in Arrow, into the same tables
- ingest       from the files to a closed store; of it derive, and each model that is made then
- metrics      all of the catalog

An exponent is ln(ratio of seconds) / ln(4), of the two larger sizes: 1 is linear, and sorting a
little more. The exit status is 1 where one is too far above the calibration's, which has no work
but memory, or where derive takes too many times as long as that.
"""

from __future__ import annotations

import argparse
import json
import math
import subprocess
import sys
import tempfile
import time
from collections.abc import Mapping
from pathlib import Path
from typing import Any
from unittest.mock import patch

from perfolio.common.progress import QuietProgress
from perfolio.metrics.catalog import load_catalog
from perfolio.metrics.run_measurement import evaluate
from perfolio.readers import registry
from perfolio.readers.run_description import RunDescription
from perfolio.store.database import open_store
from perfolio.store.derived_tables import derive
from perfolio.store.ingest import ingest
from tests.bench import make
from tests.bench.__main__ import insert_all
from tests.bench.stages import peak_memory

FACTOR = 4
LIMITS = {"ranks": 4.0, "streams": 6.0}
"""Of derive over the calibration, by kind."""
STEEPER = 0.2
"""How much an exponent may be above the calibration's, or above 1 where that is less.

n log n is 0.06 above, from five million to twenty."""
LEAST = 0.1
"""Seconds below which an exponent is noise, of either size."""

Measured = dict[str, float]


def made(kind: str, scale: float, folder: Path) -> Path:
    """A database of a kind: at scale 1, 5 million trace points of ranks or 20 of GPU streams."""
    if kind == "ranks":
        ranks, contexts, points = (round(scale * size) for size in (64, 5e5, 5e6))
        make.write_ranks(folder, ranks, contexts, points, 1, QuietProgress())
    else:
        make.write_streams(folder, 16, 20_000, round(2e7 * scale), 1, QuietProgress())
    return folder


def measured(database: Path) -> Measured:
    """Seconds by what takes them, in this process."""
    found: Measured = {"calibration": insert_all(registry.read(database))}
    derived: Measured = {}

    def timed(*given: Any) -> Mapping[str, float]:
        start = time.process_time()
        derived.update(derive(*given))
        found["derive"] = time.process_time() - start
        return derived

    with (
        tempfile.TemporaryDirectory() as folder,
        patch("perfolio.store.ingest.derive", timed),
    ):
        store = Path(folder) / "store.duckdb"
        start = time.process_time()
        ingest([(registry.read(database), RunDescription())], store)
        found["ingest"] = time.process_time() - start
        with open_store(store, reproducible=True) as connection:
            start = time.process_time()
            evaluate(connection, 1, load_catalog())
            found["metrics"] = time.process_time() - start
    return found | derived | {"peak MB": peak_memory() / 1e6}


def apart(database: Path, repeats: int) -> Measured:
    """The least of the same in processes of their own."""
    command = [sys.executable, "-m", "tests.bench.scale", "--one", str(database.resolve())]
    root = Path(__file__).parents[2]
    runs: list[Measured] = [
        json.loads(
            subprocess.run(command, check=True, capture_output=True, text=True, cwd=root).stdout
        )
        for _ in range(repeats)
    ]
    return {name: min(run.get(name, math.inf) for run in runs) for name in runs[0]}


def exponent(small: float, large: float) -> float | None:
    """How seconds grow with the size; None where they are too few to tell."""
    if min(small, large) < LEAST:
        return None
    return math.log(large / small) / math.log(FACTOR)


def judged(kind: str, sizes: list[Measured]) -> list[str]:
    """Print all that was measured; what is above its limit, in words."""
    faults: list[str] = []
    expected = exponent(sizes[-2]["calibration"], sizes[-1]["calibration"]) or 1.0
    steepest = max(expected, 1.0) + STEEPER
    for name, largest in sorted(sizes[-1].items(), key=lambda each: -each[1]):
        steep = exponent(sizes[-2].get(name, 0.0), largest)
        cells = "".join(f"{size.get(name, 0.0):10.3f}" for size in sizes)
        if largest >= LEAST:
            print(f"{name:24}{cells}" + (f"{steep:9.2f}" if steep is not None else ""))
        if steep is not None and steep > steepest:
            faults.append(f"{name}: exponent {steep:.2f} is above {steepest:.2f}")
    ratio = sizes[-1]["derive"] / sizes[-1]["calibration"]
    print(f"derive over calibration {ratio:.2f}")
    if ratio > LIMITS[kind]:
        faults.append(f"derive over calibration {ratio:.2f} is above {LIMITS[kind]}")
    return faults


def main() -> int:
    """Parse arguments, make, measure and judge."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    parser.add_argument("--kind", choices=sorted(LIMITS), default="ranks")
    parser.add_argument("--largest", type=float, default=1.0)
    parser.add_argument("--repeats", type=int, default=3)
    parser.add_argument("--one", type=Path, help=argparse.SUPPRESS)
    given: Any = parser.parse_args()
    if given.one:
        print(json.dumps(measured(given.one)))
        return 0
    sizes: list[Measured] = []
    with tempfile.TemporaryDirectory() as folder:
        for power in (2, 1, 0):
            scale = given.largest / FACTOR**power
            sizes.append(apart(made(given.kind, scale, Path(folder) / f"{power}.d"), given.repeats))
    faults = judged(given.kind, sizes)
    for fault in faults:
        print(fault, file=sys.stderr)
    return 1 if faults else 0


if __name__ == "__main__":
    sys.exit(main())
