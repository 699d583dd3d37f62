"""A large database with random contents, made by the writer: for measuring memory and speed.

    python -m tests.bench.make FOLDER [--profiles 160] [--contexts 200_000] [--points 20_000_000]
    python -m tests.bench.make FOLDER --ranks 64 [--contexts 500_000] [--points 5_000_000]

The first is of GPU streams, the second of MPI ranks by elapsed time (`ranks`).

The tree alternates between functions, lines and loops and is about 20 deep. Each thread
has random costs of two metrics in three of four leaves; eight GPU streams have traces
alone, of kernels and copies between idle times. The same arguments give the same bytes.
Prints sizes, seconds and the largest resident memory of the process.
"""

from __future__ import annotations

import argparse
import resource
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import numpy as np

from perfolio.common import progress
from perfolio.writers.hpctoolkit import (
    Database,
    EntryPoint,
    File,
    Function,
    Identifier,
    Metric,
    Profile,
    TracePoints,
    Tree,
    Values,
    write,
)
from perfolio.writers.hpctoolkit.model import CALL, FUNCTION, LEXICAL, LINE, LOOP
from tests.bench import ranks

STREAMS = 8
FUNCTIONS = ("main", "<gpu kernel>", "<gpu copyin>", *(f"work_{i}" for i in range(500)))
START = 1_700_000_000_000_000_000
PIECE = 1 << 20
"""Trace points that are made at a time."""
STREAM_STEP_NS = 10_000
"""Mean time between the points of a GPU stream."""
THREAD_STEP_NS = 5_000_000
"""Mean time between the samples of a thread."""
FILL = 0.75
"""Share of the leaves in which a thread has costs."""


def tree(contexts: int, rng: np.random.Generator) -> Tree:
    """A random tree below entry point 1: each context hangs below one shortly before it."""
    ids = np.arange(2, contexts + 2, dtype=np.uint32)
    back = rng.geometric(1 / (contexts / 12), contexts)
    parent = np.maximum(ids.astype(np.int64) - back, 1).astype(np.uint32)
    kind = rng.choice(np.array([FUNCTION, LOOP, LINE], np.uint8), contexts, p=[0.4, 0.1, 0.5])
    called = kind == FUNCTION
    return Tree(
        ids,
        parent,
        np.where(called, CALL, LEXICAL).astype(np.uint8),
        kind,
        np.where(called, rng.integers(0, len(FUNCTIONS), contexts), -1).astype(np.int32),
        np.where(called, -1, 0).astype(np.int32),
        rng.integers(1, 5000, contexts).astype(np.uint32),
        np.full(contexts, -1, np.int32),
        np.zeros(contexts, np.uint64),
    )


def database(profiles: int, contexts: int, rng: np.random.Generator) -> Database:
    """Threads of ranks of four, then the GPU streams of the first rank."""
    threads = [("RANK", i // 4, "THREAD", i % 4) for i in range(profiles - STREAMS)]
    streams = [("GPUCONTEXT", 0, "GPUSTREAM", i) for i in range(STREAMS)]
    return Database(
        title="generated",
        metrics=(Metric("CPUTIME (sec)"), Metric("perf::cycles")),
        entry_points=(EntryPoint(1),),
        tree=tree(contexts, rng),
        profiles=tuple(
            Profile((Identifier("NODE", 0, 0xBADC0DE), Identifier(a, m), Identifier(b, n)))
            for a, m, b, n in threads + streams
        ),
        modules=("/opt/generated",),
        files=(File("src/generated.c"),),
        functions=tuple(Function(name, 0, 64 * i, 0, i) for i, name in enumerate(FUNCTIONS)),
    )


def costs(made: Database, rng: np.random.Generator) -> Iterator[Values]:
    """Values of the threads, in pieces of one metric."""
    leaves = np.setdiff1d(made.tree.context, made.tree.parent).astype(np.uint32)
    for profile in range(1, len(made.profiles) - STREAMS + 1):
        for metric, scale in enumerate((0.005, 1e7)):
            chosen = leaves[rng.random(len(leaves)) < FILL]
            value = rng.exponential(scale, len(chosen))
            yield Values(profile, chosen, np.full(len(chosen), metric, np.uint16), value)


def traces(made: Database, points: int, rng: np.random.Generator) -> Iterator[TracePoints]:
    """Streams have most of the points: operations and idle times in turn.

    Threads are sampled every 5 ms or so for as long as the streams run.
    """
    of_stream = points // STREAMS
    of_thread = of_stream * STREAM_STEP_NS // THREAD_STEP_NS
    named = made.tree.context[made.tree.function >= 0]
    operations = made.tree.context[np.isin(made.tree.function, [1, 2])]
    for profile in range(1, len(made.profiles) + 1):
        stream = profile > len(made.profiles) - STREAMS
        start, count = START, of_stream if stream else of_thread
        step = STREAM_STEP_NS if stream else THREAD_STEP_NS
        for first in range(0, count, PIECE):
            size = min(PIECE, count - first)
            steps = rng.integers(step // 10, 2 * step - step // 10, size)
            when = start + np.cumsum(steps)
            start = int(when[-1])
            where = rng.choice(operations if stream else named, size)
            if stream:
                where[1 - first % 2 :: 2] = 0
            yield TracePoints(profile, when.astype(np.uint64), where)


def write_streams(
    folder: Path, profiles: int, contexts: int, points: int, seed: int, report: progress.Progress
) -> None:
    """A database of GPU streams."""
    rng = np.random.default_rng(seed)
    made = database(profiles, contexts, rng)
    write(made, folder, costs(made, rng), traces(made, points, rng), report)


def write_ranks(
    folder: Path, number: int, contexts: int, points: int, seed: int, report: progress.Progress
) -> None:
    """A database of MPI ranks."""
    made = ranks.database(number, contexts, np.random.default_rng(seed))
    values, trace = ranks.costs(made, points, seed), ranks.traces(made, points, seed)
    write(made, folder, values, trace, report)


def main() -> None:
    """Parse arguments, write, and print what it took."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    parser.add_argument("folder", type=Path)
    parser.add_argument("--profiles", type=int, default=160)
    parser.add_argument("--ranks", type=int, default=0)
    parser.add_argument("--contexts", type=int, default=200_000)
    parser.add_argument("--points", type=int, default=20_000_000)
    parser.add_argument("--seed", type=int, default=1)
    given: Any = parser.parse_args()
    make, number = (write_ranks, given.ranks) if given.ranks else (write_streams, given.profiles)
    begin = time.perf_counter()
    with progress.show_progress() as report:
        make(given.folder, number, given.contexts, given.points, given.seed, report)
    seconds = time.perf_counter() - begin
    sizes = {path.name: path.stat().st_size for path in sorted(given.folder.iterdir())}
    for name, size in sizes.items():
        print(f"{name:12} {size:>16,} B")
    peak = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss * 1024
    total = sum(sizes.values())
    print(
        f"{'total':12} {total:>16,} B in {seconds:,.1f} s, "
        f"{total / seconds / 1e6:,.0f} MB/s, peak {peak / 1e6:,.0f} MB"
    )


if __name__ == "__main__":
    main()
