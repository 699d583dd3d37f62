"""Speed and memory of reading a database into a store.

    python -m tests.bench [DATABASE ...] [--values 50_000_000] [--points 20_000_000]

Each database is measured in processes of its own, a given number of times:

- ingest   decode from the files, insert into a DuckDB file, checkpoint
- insert   the same batches, decoded before, inserted and checkpointed: the reference

and what is derived from the trace (operations, blame, iterations) apart from that. One row per
stream is printed with medians. Peak memory is the largest resident set of the measuring
process, the interpreter and its libraries included.
"""

from __future__ import annotations

import argparse
import json
import resource
import statistics
import subprocess
import sys
import tempfile
import time
from pathlib import Path

import pyarrow as pa

from generator.progress import Quiet
from generator.sources import registry
from generator.sources.model import Stream
from generator.store.connect import create_store
from generator.store.derive import derive
from generator.store.rows import insert_stream, insert_table
from tests.databases import OPERATIONS, Shape, write_database

STREAMS = ("value", "trace")


def measure(database: Path, stream_name: str, *, decoded: bool) -> dict[str, float]:
    """Seconds to insert one stream with checkpoint, its rows, and peak memory in bytes."""
    stream = registry.read(database).streams[stream_name]
    if decoded:
        ready = list(stream.batches())
        stream = Stream(stream.rows, stream.schema, lambda: iter(ready))
    with tempfile.TemporaryDirectory() as folder:
        connection = create_store(Path(folder) / "store.duckdb")
        start = time.perf_counter()
        insert_stream(connection, 1, stream_name, stream, Quiet())
        connection.execute("CHECKPOINT")
        seconds = time.perf_counter() - start
        connection.close()
    peak = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss * 1024
    return {"seconds": seconds, "rows": stream.rows, "peak": peak}


def decode(database: Path, stream_name: str) -> dict[str, float]:
    """Seconds to decode one stream without storing it."""
    stream = registry.read(database).streams[stream_name]
    start = time.perf_counter()
    rows = sum(batch.num_rows for batch in stream.batches())
    return {"seconds": time.perf_counter() - start, "rows": rows, "peak": 0.0}


def measure_derive(database: Path, _: str) -> dict[str, float]:
    """Seconds to derive from a stored trace what metrics of time need, and peak memory."""
    source = registry.read(database)
    with tempfile.TemporaryDirectory() as folder:
        connection = create_store(Path(folder) / "store.duckdb")
        for name, table in source.tables.items():
            insert_table(connection, 1, name, table)
        insert_stream(connection, 1, "trace", source.streams["trace"], Quiet())
        start = time.perf_counter()
        derive(connection, 1)
        connection.execute("CHECKPOINT")
        seconds = time.perf_counter() - start
        connection.close()
    peak = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss * 1024
    return {"seconds": seconds, "rows": source.streams["trace"].rows, "peak": peak}


KINDS = {
    "ingest": lambda path, stream: measure(path, stream, decoded=False),
    "insert": lambda path, stream: measure(path, stream, decoded=True),
    "decode": decode,
}
ALONE = KINDS | {"derive": measure_derive}
"""All that one process of its own can measure."""


def apart(kind: str, database: Path, stream: str) -> dict[str, float]:
    """One measurement in a process of its own."""
    command = [sys.executable, "-m", "tests.bench", "--one", kind, stream, str(database)]
    done = subprocess.run(command, check=True, capture_output=True, text=True)
    result: dict[str, float] = json.loads(done.stdout)
    return result


def report(database: Path, repeats: int) -> None:
    """Measure in turn, so that a slow phase of the machine meets all kinds, and print."""
    streams = registry.read(database).streams
    for stream in (name for name in STREAMS if name in streams):
        runs: dict[str, list[dict[str, float]]] = {kind: [] for kind in KINDS}
        for _ in range(repeats):
            for kind in KINDS:
                runs[kind].append(apart(kind, database, stream))
        seconds = {k: statistics.median(r["seconds"] for r in v) for k, v in runs.items()}
        ratio = statistics.median(
            a["seconds"] / b["seconds"] for a, b in zip(runs["ingest"], runs["insert"], strict=True)
        )
        rows = runs["ingest"][0]["rows"]
        peak = max(r["peak"] for r in runs["ingest"])
        print(
            f"{database.name:24} {stream:6} {rows:>12,.0f} {seconds['decode']:8.3f} s "
            f"{seconds['insert']:8.3f} s {seconds['ingest']:8.3f} s {ratio:6.2f} "
            f"{rows / seconds['ingest'] / 1e6:8.1f} M/s {peak / 1e6:7.0f} MB"
        )


def report_derive(database: Path, repeats: int) -> None:
    """Measure what is derived from a trace, and print its row."""
    if "trace" not in registry.read(database).streams:
        return
    runs = [apart("derive", database, "trace") for _ in range(repeats)]
    seconds, rows = statistics.median(r["seconds"] for r in runs), runs[0]["rows"]
    print(
        f"{database.name:24} derive {rows:>12,.0f} {'':10} {'':10} {seconds:8.3f} s {'':6} "
        f"{rows / seconds / 1e6:8.1f} M/s {max(r['peak'] for r in runs) / 1e6:7.0f} MB"
    )


def generated(folder: Path, values: int, points: int) -> Path:
    """A database with about so many values and trace points, half of these of GPU streams."""
    depth, fan_out = 5, 10
    per_profile = 4 * fan_out**depth + sum(fan_out**d for d in range(depth)) + 1
    count = max(1, round(values / per_profile))
    shape = Shape(
        depth=depth,
        fan_out=fan_out,
        profiles=count,
        points=points // count,
        streams=count // 2,
        names=OPERATIONS,
    )
    print(f"generating {count} profiles of {per_profile:,} values each", file=sys.stderr)
    return write_database(folder / "generated.d", shape)


def main() -> None:
    """Parse arguments and measure."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("databases", nargs="*", type=Path)
    parser.add_argument("--values", type=int, default=50_000_000)
    parser.add_argument("--points", type=int, default=20_000_000)
    parser.add_argument("--repeats", type=int, default=3)
    parser.add_argument("--one", nargs=2, metavar=("KIND", "STREAM"), help=argparse.SUPPRESS)
    given = parser.parse_args()
    if given.one:
        kind, stream = given.one
        print(json.dumps(ALONE[kind](given.databases[0], stream)))
        return
    print(
        f"Arrow {pa.__version__}; medians of {given.repeats} runs, each in its own process\n"
        f"{'database':24} {'stream':6} {'rows':>12} {'decode':>10} {'insert':>10} {'ingest':>10} "
        f"{'ratio':>6} {'rate':>12} {'peak':>10}"
    )
    for database in given.databases:
        report(database, given.repeats)
        report_derive(database, given.repeats)
    if given.values:
        with tempfile.TemporaryDirectory() as folder:
            database = generated(Path(folder), given.values, given.points)
            report(database, given.repeats)
            report_derive(database, given.repeats)


if __name__ == "__main__":
    main()
