"""A database of MPI ranks with threads, sampled by elapsed time, with random contents.

Ranks run Python that calls libraries, MPI among them. A thread has samples in some of the places
of a tree that all share; most come in time, some late, and very late ones follow a point without
a context, as hpcrun marks them. Values are what the samples stand for, but that some waits right
below Python are charged to their caller, as profiles do. The same arguments give the same bytes.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

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
)
from perfolio.writers.hpctoolkit.model import CALL, FUNCTION, INLINED_CALL, LEXICAL, LINE, LOOP

Times = npt.NDArray[np.int64]
Ids = npt.NDArray[np.uint32]

START = 1_700_000_000_000_000_000
PERIOD_NS = 5_000_000
THREADS = 6
"""Of each rank."""
PLACES = 1_600
"""In which a thread has samples."""
MODULES = ("/home/someone/solver/bin/solve", "<logical python>", "/usr/lib/libmpi.so.40",
           "/usr/lib/libgomp.so.1", "/usr/lib/libc.so.6", "/opt/conda/lib/libmkl_core.so.2",
           "/home/someone/solver/lib/libmesh.so")  # fmt: skip
FILES = ("/home/someone/solver/src/solve.cpp", "/home/someone/solver/run.py",
         "/opt/conda/lib/python3.11/site-packages/numpy/core/numeric.py",
         "/home/someone/solver/src/mesh.cpp", "/usr/include/c++/12/bits/stl_algo.h")  # fmt: skip
LINES = 400
"""In which a file has code."""
SHARED = (
    ("MPI_Waitall", 2, -1), ("PMPI_Allreduce", 2, -1), ("ucp_worker_progress", 2, -1),
    ("gomp_barrier_wait", 3, -1), ("pthread_cond_wait@@GLIBC_2.3.2", 4, -1), ("memcpy", 4, -1),
    ("mkl_blas_dgemm", 5, -1), ("poll", 4, -1),
)  # fmt: skip


@dataclass(frozen=True)
class Samples:
    """The samples of a thread: a point each, and one that marks what came very late."""

    time: Times
    context: Ids
    distance: Times


def functions(number: int) -> tuple[Function, ...]:
    """Those of the system and its libraries, then many of the program."""
    shared = [Function(name, module, 64 * i, file) for i, (name, module, file) in enumerate(SHARED)]
    own = []
    for i in range(number):
        module, file = ((0, 0), (1, 1 if i % 7 else 2), (6, 3))[i % 3]
        name = f"step_{i}" if module == 1 else f"solver::step_{i}(solver::State<double> const&)"
        own.append(Function(name, module, 64 * i, file, 1 + i % LINES))
    return (*shared, *own)


def tree(contexts: int, known: int, rng: np.random.Generator) -> Tree:
    """A random tree below entry point 1, about 20 deep at any size."""
    ids = np.arange(2, contexts + 2, dtype=np.uint32)
    back = rng.geometric(1 / (contexts / 12), contexts)
    parent = np.maximum(ids.astype(np.int64) - back, 1).astype(np.uint32)
    kind = rng.choice(np.array([FUNCTION, LOOP, LINE], np.uint8), contexts, p=[0.4, 0.1, 0.5])
    called = kind == FUNCTION
    by_call = rng.choice(np.array([CALL, INLINED_CALL], np.uint8), contexts, p=[0.9, 0.1])
    shared = rng.random(contexts) < 0.25
    function = np.where(
        shared, rng.integers(0, len(SHARED), contexts), rng.integers(len(SHARED), known, contexts)
    )
    return Tree(
        ids,
        parent,
        np.where(called, by_call, LEXICAL).astype(np.uint8),
        kind,
        np.where(called, function, -1).astype(np.int32),
        np.where(called, -1, rng.integers(0, len(FILES), contexts)).astype(np.int32),
        rng.integers(1, LINES, contexts).astype(np.uint32),
        np.full(contexts, -1, np.int32),
        np.zeros(contexts, np.uint64),
    )


def database(ranks: int, contexts: int, rng: np.random.Generator) -> Database:
    """Ranks of six threads each, on nodes of sixteen."""
    known = functions(600)
    return Database(
        title="ranks",
        metrics=(Metric("REALTIME (sec)"),),
        entry_points=(EntryPoint(1),),
        tree=tree(contexts, len(known), rng),
        profiles=tuple(
            Profile((
                Identifier("NODE", rank // 16, 0xBADC0DE + rank // 16),
                Identifier("RANK", rank),
                Identifier("THREAD", thread),
            ))
            for rank in range(ranks)
            for thread in range(THREADS)
        ),
        modules=MODULES,
        files=tuple(File(path) for path in FILES),
        functions=known,
    )  # fmt: skip


def samples(made: Database, points: int, seed: int) -> Iterator[tuple[int, Samples]]:
    """Of each thread, in order; the same ones each time."""
    leaves = np.setdiff1d(made.tree.context, made.tree.parent).astype(np.uint32)
    of_thread = points // len(made.profiles)
    for profile in range(1, len(made.profiles) + 1):
        rng = np.random.default_rng((seed, profile))
        places = rng.choice(leaves, PLACES)
        chosen = np.minimum(rng.exponential(PLACES / 4, of_thread), PLACES - 1).astype(np.int64)
        distance = rng.normal(PERIOD_NS, PERIOD_NS / 100, of_thread)
        late = rng.random(of_thread)
        distance += (late < 0.1) * rng.exponential(2 * PERIOD_NS, of_thread)
        distance += (late < 0.004) * rng.exponential(100 * PERIOD_NS, of_thread)
        spent = np.maximum(distance, PERIOD_NS // 10).astype(np.int64)
        yield profile, Samples(START + profile + np.cumsum(spent), places[chosen], spent)


def costs(made: Database, points: int, seed: int) -> Iterator[Values]:
    """What the samples stand for, by place; a tenth of the places charge their caller."""
    parent = np.zeros(int(made.tree.context.max()) + 1, np.uint32)
    parent[made.tree.context] = made.tree.parent
    for profile, taken in samples(made, points, seed):
        context, place = np.unique(taken.context, return_inverse=True)
        value = np.bincount(place, taken.distance) / 1e9
        charged = np.where(context % 10 == 0, parent[context], context)
        yield Values(profile, charged, np.zeros(len(context), np.uint16), value)


def traces(made: Database, points: int, seed: int) -> Iterator[TracePoints]:
    """Points of all threads: one per sample, and one before each that came very late."""
    for profile, taken in samples(made, points, seed):
        late = np.flatnonzero(taken.distance[1:] > 5 * PERIOD_NS) + 1
        when = np.insert(taken.time, late, taken.time[late - 1] + PERIOD_NS)
        where = np.insert(taken.context, late, 0)
        yield TracePoints(profile, when.astype(np.uint64), where)
