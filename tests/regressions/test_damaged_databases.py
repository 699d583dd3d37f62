"""Databases that were damaged or forged, and stored without a word."""

from __future__ import annotations

import struct
from pathlib import Path

import numpy as np
import pytest

from perfolio.common.errors import PerfolioError
from perfolio.readers import registry
from perfolio.writers.hpctoolkit import (
    Database,
    EntryPoint,
    Function,
    Identifier,
    Metric,
    Profile,
    TracePoints,
    Tree,
    Values,
    write,
)
from perfolio.writers.hpctoolkit.model import APPLICATION_THREAD, CALL, FUNCTION
from tests.bench.make import costs, database
from tests.kit.databases import Shape, write_database
from tests.regressions.support import Bytes, Damage, damaged, get, infos, made, put, stored

# One flipped bit of profile.db took away all costs, and the ingest said OK.


def no_summary(files: Bytes) -> None:
    files["profile.db"][infos(files["profile.db"])[0] + 40] ^= 1


def two_summaries(files: Bytes) -> None:
    files["profile.db"][infos(files["profile.db"])[2] + 40] ^= 1


def other_formula(files: Bytes) -> None:
    files["meta.db"][files["meta.db"].index(b"\0$$\0") + 2] ^= 1


def other_scope(files: Bytes) -> None:
    files["meta.db"][files["meta.db"].index(b"point\0") + 4] ^= 1


def one_formula(files: Bytes) -> None:
    """The sum at scope point alone has another formula."""
    meta = files["meta.db"]
    metrics = get(meta, 0x10 + 2 * 16 + 8)
    summaries = get(meta, get(meta, metrics) + 16)
    put(meta, summaries + 8, meta.index(b"point\0"))


@pytest.mark.parametrize(
    ("damage", "says"),
    [
        (no_summary, "the first profile, and no other, must be the summary"),
        (two_summaries, "the first profile, and no other, must be the summary"),
        (other_formula, "profiles have costs of .* and meta.db lists no sum of them"),
        (other_scope, "a propagation scope of type 1 is named"),
        (one_formula, "at scope point, and meta.db lists no sum of them"),
    ],
)
def test_a_summary_that_is_not_one_is_refused(damage: object, says: str, tmp_path: Path) -> None:
    assert callable(damage)
    database = damaged(tmp_path, damage)
    with pytest.raises(PerfolioError, match=says):
        stored(database, tmp_path / "s.duckdb")


# Costs moved or negated, foreign files, impossible times and ids were stored without a word.

LEAVES = (5, 13)
"""Two leaves of the tree that hang below different contexts."""


def _index(data: bytearray, info: int) -> dict[int, int]:
    """Where each context of a profile's index lies."""
    count, at = get(data, info + 16, 4), get(data, info + 24)
    return {get(data, at + 12 * i, 4): at + 12 * i for i in range(count)}


def _values(data: bytearray) -> list[int]:
    """Where the structures {Val} of all profiles lie."""
    return [get(data, info + 8) + 10 * i for info in infos(data) for i in range(get(data, info))]


def moved_costs(files: Bytes) -> None:
    """Two leaves exchange their costs, in all profiles and in the summary."""
    data = files["profile.db"]
    for info in infos(data):
        values, index = get(data, info + 8), _index(data, info)
        one, other = (values + 10 * get(data, index[leaf] + 4) for leaf in LEAVES)
        data[one : one + 40], data[other : other + 40] = (
            data[other : other + 40],
            data[one : one + 40],
        )


def moved_own_costs(files: Bytes) -> None:
    """Two leaves exchange their own costs, and keep those with all below them."""
    data = files["profile.db"]
    for info in infos(data):
        values, index = get(data, info + 8), _index(data, info)
        one, other = (values + 10 * get(data, index[leaf] + 4) for leaf in LEAVES)
        data[one : one + 10], data[other : other + 10] = (
            data[other : other + 10],
            data[one : one + 10],
        )


def negated(files: Bytes) -> None:
    for at in _values(files["profile.db"]):
        files["profile.db"][at + 9] ^= 0x80


def no_numbers(files: Bytes) -> None:
    for at in _values(files["profile.db"]):
        files["profile.db"][at + 2 : at + 10] = struct.pack("<d", float("nan"))


def another_summary(files: Bytes) -> None:
    """All values of the summary are twice as large."""
    data = files["profile.db"]
    first = infos(data)[0]
    for i in range(get(data, first)):
        at = get(data, first + 8) + 10 * i + 2
        data[at : at + 8] = struct.pack("<d", 2 * struct.unpack_from("<d", data, at)[0])


def twice(files: Bytes) -> None:
    """The last context of each index is the one before it."""
    data = files["profile.db"]
    for info in infos(data):
        at = max(_index(data, info).values())
        put(data, at, get(data, at - 12, 4), 4)


def metric_twice(files: Bytes) -> None:
    """A leaf has a cost at scope point twice, and none at function."""
    data = files["profile.db"]
    for info in infos(data):
        last = get(data, info + 8) + 10 * (get(data, info) - 4)
        put(data, last + 10, 0, 2)


def unknown_metric(files: Bytes) -> None:
    put(files["profile.db"], _values(files["profile.db"])[-1], 7, 2)


def _point(data: bytearray, line: int, number: int) -> int:
    start, end = get(data, infos(data)[line] + 8), get(data, infos(data)[line] + 16)
    return (start if number >= 0 else end) + 12 * number


def first_time(files: Bytes) -> None:
    put(files["trace.db"], _point(files["trace.db"], 0, 0), 0)


def last_time(files: Bytes) -> None:
    at = _point(files["trace.db"], 0, -1)
    put(files["trace.db"], at, get(files["trace.db"], at) + 3600 * 10**9)


def same_profile(files: Bytes) -> None:
    first, second = infos(files["trace.db"])
    put(files["trace.db"], second, get(files["trace.db"], first, 4), 4)


def unknown_profile(files: Bytes) -> None:
    put(files["trace.db"], infos(files["trace.db"])[0], 77_777, 4)


def summary_profile(files: Bytes) -> None:
    put(files["trace.db"], infos(files["trace.db"])[0], 0, 4)


@pytest.mark.parametrize(
    ("damage", "says"),
    [
        (moved_costs, "costs of .* disagree in profile 1"),
        (moved_own_costs, r"context \d+ and those below it cost more than it does"),
        (negated, "a cost is negative"),
        (no_numbers, "a cost is negative, or no number"),
        (another_summary, "the summary of .* is not the sum of the profiles"),
        (twice, "contexts are listed twice or not in order"),
        (metric_twice, "a context's metrics are listed twice or not in order"),
        (unknown_metric, "a cost is of a metric that meta.db does not list"),
        (first_time, "outside the times that the file names"),
        (last_time, "outside the times that the file names"),
        (same_profile, "two trace lines name the same profile"),
        (unknown_profile, "names profile 77777, which profile.db does not have"),
        (summary_profile, "names profile 0, which profile.db does not have"),
    ],
)
def test_what_was_changed_is_refused(damage: Damage, says: str, tmp_path: Path) -> None:
    database = damaged(tmp_path, damage)
    with pytest.raises(PerfolioError, match=says):
        stored(database, tmp_path / "s.duckdb")
    assert [path.name for path in tmp_path.iterdir()] == ["x.d"]


def test_the_undamaged_database_is_stored(tmp_path: Path) -> None:
    database = made(tmp_path)
    assert registry.read(database).warnings == ()
    assert stored(database, tmp_path / "s.duckdb").changed


def test_a_profile_of_another_database_is_refused(tmp_path: Path) -> None:
    """Its tree has other contexts, so that its costs do not add up on this one."""
    other = write_database(tmp_path / "y.d", Shape(depth=3, fan_out=2, points=12))
    database = made(tmp_path)
    (other / "profile.db").replace(database / "profile.db")
    with pytest.raises(PerfolioError, match="disagree"):
        stored(database, tmp_path / "s.duckdb")


def test_points_in_unknown_contexts_are_told(tmp_path: Path) -> None:
    def unknown(files: Bytes) -> None:
        for number in range(12):
            put(files["trace.db"], _point(files["trace.db"], 0, number) + 8, 888_888, 4)

    (warning, *_) = registry.read(damaged(tmp_path, unknown)).warnings
    assert "12 of 24 trace points are in contexts that meta.db does not list" in warning


def _written(folder: Path) -> Path:
    """A database with cct.db."""
    rng = np.random.default_rng(1)
    content = database(10, 25, rng)
    write(content, folder, costs(content, rng), ())
    return folder


@pytest.mark.slow
def test_costs_scaled_everywhere_are_told_by_cct_db(tmp_path: Path) -> None:
    """Nothing in profile.db contradicts them."""
    folder = _written(tmp_path / "w.d")
    assert stored(folder, tmp_path / "before.duckdb").changed
    data = bytearray((folder / "profile.db").read_bytes())
    for at in _values(data):
        data[at + 2 : at + 10] = struct.pack("<d", 2 * struct.unpack_from("<d", data, at + 2)[0])
    (folder / "profile.db").write_bytes(data)
    with pytest.raises(PerfolioError, match=r"cct\.db: holds other values than profile\.db"):
        stored(folder, tmp_path / "s.duckdb")
    (folder / "cct.db").unlink()
    assert stored(folder, tmp_path / "s.duckdb").changed


@pytest.mark.parametrize(("points", "told"), [(9, False), (10, True), (12, True)])
def test_lines_of_threads_that_are_exchanged_are_told(
    points: int, told: bool, tmp_path: Path
) -> None:
    """Each line's samples lie where the other thread has its costs. Nine points say too little."""
    folder = _written_apart(tmp_path / "w.d", points)
    assert registry.read(folder).warnings == ()
    data = bytearray((folder / "trace.db").read_bytes())
    first, second = infos(data)
    one, other = get(data, first, 4), get(data, second, 4)
    put(data, first, other, 4)
    put(data, second, one, 4)
    (folder / "trace.db").write_bytes(data)
    words = "2 of 2 trace lines were recorded mostly where their profile has no costs"
    assert [words in warning for warning in registry.read(folder).warnings] == [True] * told


def _written_apart(folder: Path, count: int) -> Path:
    """Two threads, each with costs and samples below an entry point of its own."""
    ids = np.arange(3, 7, dtype=np.uint32)
    zeros = np.zeros(4, np.int32)
    tree = Tree(
        context=ids,
        parent=np.array([1, 3, 2, 5], np.uint32),
        relation=np.full(4, CALL, np.uint8),
        lexical_type=np.full(4, FUNCTION, np.uint8),
        function=zeros,
        file=zeros - 1,
        line=zeros.astype(np.uint32),
        module=zeros - 1,
        offset=zeros.astype(np.uint64),
    )
    content = Database(
        "apart",
        (Metric("CPUTIME (sec)"),),
        (EntryPoint(1), EntryPoint(2, APPLICATION_THREAD)),
        tree,
        tuple(Profile((Identifier("THREAD", i),)) for i in range(2)),
        functions=(Function("work"),),
    )
    where = {1: 4, 2: 6}
    values = [
        Values(p, np.array([c], np.uint32), np.zeros(1, np.uint16), np.ones(1))
        for p, c in where.items()
    ]
    times = np.arange(1, count + 1, dtype=np.uint64)
    points = [TracePoints(p, times, np.full(count, c, np.uint32)) for p, c in where.items()]
    return write(content, folder, values, points)
