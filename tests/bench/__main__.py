"""The stages of a report (see `stages`), then speed and memory of reading a database into a store.

    python -m tests.bench [DATABASE ...] [--values 50_000_000] [--points 20_000_000]
    python -m tests.bench oracle [--recordings 3000] [--seed 1]
    python -m tests.bench peers [PATH ...] [--only build,hta] [--write]
    python -m tests.bench compare [--seed 1] [--pairs 200] [--only NUMBER] [--cost TRACE]
    python -m tests.bench fleet [RUNS ...] [--seed 1]
    python -m tests.bench fleet-ingest [--runs 300] [--kills 20] [--seed 1]
    python -m tests.bench timeline [TRACE] [--events 1_000_000]
    python -m tests.bench whatif

With `oracle`, random recordings are compared with a second implementation: see `tests.recordings`.
With `peers`, Perfolio is measured beside other tools on the same files: see `peers`.
With `compare`, comparisons of runs are tried on changes that are known: see `compare`.
With `fleet`, questions over many runs are tried on causes that are known: see `fleet`.
With `fleet-ingest`, real runs are read into a lake, and workers killed: see `fleet_ingest`.
With `whatif`, replays of runs are tried on changes that are simulated: see `whatif`.
With `timeline`, the page of a run of a million events is opened and moved in: see `timeline`.
Else, for the second, each database is measured in processes of its own, a given number of times:

- decode   batches made from the files, and thrown away
- insert   the same batches, made before, inserted into a DuckDB file with its checkpoint:
           the reference, with the same tables, rows and settings
- ingest   batches made from the files while they are inserted, with the checkpoint

for the values and the trace alone, each into a store that has the run's other tables already,
and for everything ("all"). There, ingest is what `perfolio ingest` does from opening the files
to closing a new store: it reads the tree, hashes the files, checks the totals and derives
operations, blame and iterations from the trace, none of which the reference does. What is
derived is measured apart, too. Peak memory is the largest resident set of the measuring
process, the interpreter and its libraries included. Seconds are those of the processor, of all
threads: other work on the machine changes them little.
"""

from __future__ import annotations

import argparse
import json
import os
import statistics
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import replace
from pathlib import Path

import duckdb
import pyarrow as pa

from perfolio.common.progress import QuietProgress
from perfolio.readers import registry
from perfolio.readers.model import Source, Stream
from perfolio.readers.run_description import RunDescription
from perfolio.store.database import create_store
from perfolio.store.derived_tables import derive
from perfolio.store.ingest import ingest
from perfolio.store.row_insertion import insert_stream, insert_table
from tests.bench import stages
from tests.bench.stages import peak_memory
from tests.kit.databases import OPERATIONS, Shape, write_database
from tests.recordings import __main__ as recordings

STREAMS = ("value", "trace")
APART = ("peers", "compare", "fleet", "fleet-ingest", "timeline", "whatif")
"""What is a module of its own."""
ALL = "all"


@contextmanager
def new_store(source: Source | None = None) -> Iterator[duckdb.DuckDBPyConnection]:
    """A store in a folder of its own, with the tables of a source but not its streams."""
    with tempfile.TemporaryDirectory() as folder:
        connection = create_store(Path(folder) / "store.duckdb")
        if source is not None:
            insert_tables(connection, source)
            connection.execute("CHECKPOINT")
        yield connection
        connection.close()


def insert_tables(connection: duckdb.DuckDBPyConnection, source: Source) -> None:
    """The small tables of a source."""
    for name, table in source.tables.items():
        insert_table(connection, 1, name, table)


def decoded(stream: Stream) -> Stream:
    """The same stream with all its batches in memory."""
    ready = list(stream.batches())
    return replace(stream, batches=lambda: iter(ready))


def decode(database: Path, stream: str) -> float:
    """Seconds to decode a stream, or to open the files and decode all streams."""
    if stream == ALL:
        start = time.process_time()
        source = registry.read(database)
        streams = list(source.streams.values())
    else:
        streams = [registry.read(database).streams[stream]]
        start = time.process_time()
    for one in streams:
        for _ in one.batches():
            pass
    return time.process_time() - start


def insert(database: Path, stream: str) -> float:
    """Seconds to store batches that are ready: the reference."""
    source = registry.read(database)
    if stream == ALL:
        return insert_all(source)
    return store_stream(source, stream, decoded(source.streams[stream]))


def insert_all(source: Source) -> float:
    """Seconds to store everything that a source holds in a new store, from ready batches."""
    streams = {name: decoded(stream) for name, stream in source.streams.items()}
    start = time.process_time()
    with new_store() as connection:
        connection.execute("BEGIN TRANSACTION")
        insert_tables(connection, source)
        for name, one in streams.items():
            insert_stream(connection, 1, name, one, QuietProgress())
        connection.execute("COMMIT")
        connection.execute("CHECKPOINT")
    return time.process_time() - start


def decode_and_insert(database: Path, stream: str) -> float:
    """Seconds to store a stream, or everything, as it is decoded."""
    if stream != ALL:
        source = registry.read(database)
        return store_stream(source, stream, source.streams[stream])
    with tempfile.TemporaryDirectory() as folder:
        start = time.process_time()
        ingest([(registry.read(database), RunDescription())], Path(folder) / "store.duckdb")
        return time.process_time() - start


def store_stream(source: Source, name: str, stream: Stream) -> float:
    """Seconds to insert one stream with checkpoint."""
    with new_store(source) as connection:
        start = time.process_time()
        insert_stream(connection, 1, name, stream, QuietProgress())
        connection.execute("CHECKPOINT")
        return time.process_time() - start


def derive_from_trace(database: Path, stream: str) -> float:
    """Seconds to derive from a stored trace what metrics of time need."""
    source = registry.read(database)
    with new_store(source) as connection:
        insert_stream(connection, 1, stream, source.streams[stream], QuietProgress())
        connection.execute("CHECKPOINT")
        start = time.process_time()
        connection.execute("BEGIN TRANSACTION")
        derive(connection, 1)
        connection.execute("COMMIT")
        connection.execute("CHECKPOINT")
        return time.process_time() - start


KINDS: dict[str, Callable[[Path, str], float]] = {
    "decode": decode,
    "insert": insert,
    "ingest": decode_and_insert,
}
ALONE = KINDS | {"derive": derive_from_trace}
"""All that one process of its own can measure."""


def apart(kind: str, database: Path, stream: str) -> tuple[float, float]:
    """Seconds of one measurement in a process of its own, and that process's peak in bytes."""
    command = [sys.executable, "-m", "tests.bench", "--one", kind, stream, str(database.resolve())]
    root = Path(__file__).parents[2]
    done = subprocess.run(command, check=True, capture_output=True, text=True, cwd=root)
    seconds, peak = json.loads(done.stdout)
    return seconds, peak


def report(database: Path, repeats: int) -> None:
    """Measure what a database has, and print a row for each."""
    rows = {name: stream.rows for name, stream in registry.read(database).streams.items()}
    for stream in (name for name in STREAMS if name in rows):
        report_stream(database, stream, rows[stream], repeats)
    if "trace" in rows:
        runs = [apart("derive", database, "trace") for _ in range(repeats)]
        seconds = statistics.median(seconds for seconds, _ in runs)
        peak = max(peak for _, peak in runs)
        print(
            f"{database.name:24} derive {rows['trace']:>12,} {'':10} {'':10} {seconds:8.3f} s "
            f"{'':6} {rows['trace'] / seconds / 1e6:8.1f} M/s {peak / 1e6:7.0f} MB"
        )
    report_stream(database, ALL, sum(rows.values()), repeats)


def report_stream(database: Path, stream: str, rows: int, repeats: int) -> None:
    """Measure in turn, so that a slow phase of the machine meets all kinds, and print."""
    runs: dict[str, list[tuple[float, float]]] = {kind: [] for kind in KINDS}
    for _ in range(repeats):
        for kind in KINDS:
            runs[kind].append(apart(kind, database, stream))
    seconds = {kind: statistics.median(s for s, _ in found) for kind, found in runs.items()}
    pairs = zip(runs["ingest"], runs["insert"], strict=True)
    ratio = statistics.median(ours / reference for (ours, _), (reference, _) in pairs)
    peak = max(peak for _, peak in runs["ingest"])
    print(
        f"{database.name:24} {stream:6} {rows:>12,} {seconds['decode']:8.3f} s "
        f"{seconds['insert']:8.3f} s {seconds['ingest']:8.3f} s {ratio:6.2f} "
        f"{rows / seconds['ingest'] / 1e6:8.1f} M/s {peak / 1e6:7.0f} MB"
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
        print(json.dumps([ALONE[kind](given.databases[0], stream), peak_memory()]))
        return
    stages.report_all(given.databases, given.repeats)
    print(
        f"\nDuckDB {duckdb.__version__}, Arrow {pa.__version__}; "
        f"medians of {given.repeats} runs, each in its own process\n"
        f"{'database':24} {'stream':6} {'rows':>12} {'decode':>10} {'insert':>10} {'ingest':>10} "
        f"{'ratio':>6} {'rate':>12} {'peak':>10}"
    )
    for database in given.databases:
        report(database, given.repeats)
    if given.values:
        with tempfile.TemporaryDirectory() as folder:
            database = generated(Path(folder), given.values, given.points)
            report(database, given.repeats)


if __name__ == "__main__":
    if sys.argv[1:2] == ["oracle"]:
        sys.exit(recordings.main(sys.argv[2:]))
    if sys.argv[1:2] and sys.argv[1] in APART:  # of its own: the memory of this one would count
        module = f"tests.bench.{sys.argv[1].replace('-', '_')}"
        os.execv(sys.executable, [sys.executable, "-m", module, *sys.argv[2:]])
    main()
