"""Reports of Nsight Systems: what is stored equals what plain SQL counts in them."""

from __future__ import annotations

import sqlite3
from collections import defaultdict
from contextlib import closing
from typing import Any

import duckdb
import pytest

from perfolio.store.database import open_store
from tests.kit.queries import rows_of
from tests.kit.samples import documents_at, store_at
from tests.kit.shared import SHARED, golden_inputs, recorded

pytestmark = pytest.mark.real
_OTHER: dict[str, dict[str, Any]] = golden_inputs().get("other", {})
GOLDEN = {name: told for name, told in _OTHER.items() if name.startswith("nsys/")}
NAMES = sorted(GOLDEN) or ["nsys/t4_schema3.4_overlap.sqlite"]
FILES = [
    *(f"inputs/{name}" for name in NAMES),
    *sorted(f"traces/{path.name}" for path in SHARED.glob("traces/*.sqlite")),
]
OPERATIONS = """
    SELECT profile.gpu_context, ran.operation, "function".name, ran.start, ran.start + ran.duration
    FROM gpu_operation AS ran
    JOIN profile ON profile."index" = ran.profile
    JOIN context ON context.id = ran.context
    JOIN "function" ON "function".id = context."function"
"""
KINDS = {"1": "copy H2D", "2": "copy D2H", "8": "copy D2D"}


def stored(name: str) -> duckdb.DuckDBPyConnection:
    """A store with one report as run 1."""
    return open_store(store_at(recorded(name), ""))


def union(spans: list[tuple[int, int]]) -> int:
    """Length of all times that any span covers."""
    covered, reached = 0, -(1 << 62)
    for start, stop in sorted(spans):
        covered += max(stop - max(start, reached), 0)
        reached = max(reached, stop)
    return covered


@pytest.mark.parametrize("name", NAMES)
def test_operations_are_those_of_the_file_to_the_nanosecond(name: str) -> None:
    found: dict[str, list[tuple[Any, ...]]] = defaultdict(list)
    with stored(f"inputs/{name}") as connection:
        for device, *row in rows_of(connection, OPERATIONS):
            found[str(device)].append(tuple(row))
        streams = rows_of(connection, "SELECT count(*) FROM profile WHERE kind = 'GPU stream'")
    expected = GOLDEN[name]["gpu"]
    assert set(found) == set(expected)
    for device, rows in found.items():
        every = [(start, stop) for _, _, start, stop in rows]
        ran = [(start, stop) for kind, _, start, stop in rows if kind == "kernel"]
        copies = [(start, stop) for kind, _, start, stop in rows if kind.startswith("copy")]
        span = max(stop for _, stop in every) - min(start for start, _ in every)
        assert {
            "kernels": len(ran),
            "kernel_time_sum_ns": sum(stop - start for start, stop in ran),
            "copies": len(copies),
            "copy_time_sum_ns": sum(stop - start for start, stop in copies),
            "memsets": sum(kind == "memset" for kind, *_ in rows),
            "gpu_span_ns": span,
            "busy_union_ns": union(every),
            "idle_ns": span - union(every),
            "kernel_union_ns": union(ran),
            "copy_union_ns": union(copies),
            "exposed_copy_ns": union([*copies, *ran]) - union(ran),
            "nccl_kernels": sum("nccl" in name.lower() for _, name, *_ in rows),
        } == {key: value for key, value in expected[device].items() if key != "streams"}
    assert streams == [(sum(device["streams"] for device in expected.values()),)]


@pytest.mark.parametrize("name", NAMES)
def test_kernels_have_their_names_and_copies_their_bytes(name: str) -> None:
    with stored(f"inputs/{name}") as connection:
        kernels = rows_of(
            connection,
            f"SELECT name, count(*), sum(stop - start) FROM ({OPERATIONS}) AS ran"
            "(device, operation, name, start, stop) WHERE operation = 'kernel' GROUP BY name",
        )
        copies = rows_of(
            connection,
            "SELECT operation, pinned, count(*), sum(bytes), sum(duration) FROM gpu_operation "
            "WHERE operation LIKE 'copy%' GROUP BY ALL",
        )
    golden = GOLDEN[name]
    for top in golden["top5_kernels"]:
        assert (top["count"], top["time_ns"]) in {
            (count, time) for kernel, count, time in kernels if kernel.startswith(top["name"][:600])
        }
    expected = set()
    for words, told in golden["copies_by_kind"].items():
        kind, source, target = (word.split("=")[1].split()[0] for word in _parts(words))
        host = source if kind == "1" else target
        pinned = {"0": False, "1": True}.get(host)
        expected.add((KINDS[kind], pinned, told["count"], told["bytes"], told["time_ns"]))
    assert set(copies) == expected


def _parts(words: str) -> list[str]:
    """`copyKind=1 (Host-to-Device) srcKind=0 dstKind=2`, by entry."""
    return [word for word in words.split() if "=" in word]


@pytest.mark.parametrize("name", NAMES)
def test_the_host_did_what_the_file_says(name: str) -> None:
    with stored(f"inputs/{name}") as connection:
        calls = rows_of(connection, "SELECT name, duration FROM host_call")
    golden = GOLDEN[name]
    launches: dict[str, int] = defaultdict(int)
    for call, _ in calls:
        if "LaunchKernel" in call:
            launches[call] += 1
    assert len(calls) == golden.get("runtime_calls", 0)
    expected = {key.split("_v")[0]: n for key, n in golden.get("launch_names", {}).items()}
    assert launches == expected
    waits = sum(duration for call, duration in calls if "Synchronize" in call)
    assert waits == golden.get("sync_time_sum_ns", 0)


@pytest.mark.parametrize("name", FILES)
def test_sums_are_those_of_plain_sql(name: str) -> None:
    """Of each file that is there, with golden values or without."""
    path = recorded(name)
    with closing(sqlite3.connect(f"{path.as_uri()}?mode=ro&immutable=1", uri=True)) as report:
        tables = {row[0] for row in report.execute("SELECT name FROM sqlite_master")}

        def asked(table: str, what: str) -> tuple[Any, ...]:
            if table not in tables:
                return (0, 0)
            found: tuple[Any, ...] = report.execute(f"SELECT {what} FROM {table}").fetchone()
            return found

        times = "count(*), coalesce(sum(end - start), 0)"
        kernels = asked("CUPTI_ACTIVITY_KIND_KERNEL", times)
        copies = asked("CUPTI_ACTIVITY_KIND_MEMCPY", times)
        moved = asked("CUPTI_ACTIVITY_KIND_MEMCPY", "coalesce(sum(bytes), 0)")
        calls = asked("CUPTI_ACTIVITY_KIND_RUNTIME", "count(DISTINCT correlationId)")
    with stored(name) as connection:
        found = {
            kind: (count, time, moved)
            for kind, count, time, moved in rows_of(
                connection,
                "SELECT left(operation, 4), count(*), sum(duration), sum(bytes) "
                "FROM gpu_operation GROUP BY ALL",
            )
        }
        seen = rows_of(connection, "SELECT count(*) FROM host_call")
    assert found.get("kern", (0, 0))[:2] == kernels
    assert found.get("copy", (0, 0))[:2] == copies
    assert found.get("copy", (0, 0, 0))[2] == moved[0]
    assert seen == [(calls[0],)]


@pytest.mark.parametrize("name", FILES)
def test_no_metric_fails(name: str) -> None:
    made = documents_at(recorded(name), "")
    failed = [one for one in made.metrics["metrics"] if one["status"] == "error"]
    assert failed == []


def test_ranks_and_calls_of_mpi_are_found_in_ranges() -> None:
    """Versions up to 2022 wrote calls of MPI as ranges of NVTX, and ranks as names of threads."""
    with stored("traces/saxpy-mpi-a100.nsys.sqlite") as connection:
        ranks = rows_of(connection, "SELECT DISTINCT rank FROM profile")
        calls = rows_of(
            connection,
            'SELECT name, module.path FROM "function" JOIN module ON module.id = module '
            "WHERE name LIKE 'MPI_%' ORDER BY name",
        )
        ranges = rows_of(connection, "SELECT name, count(*) FROM host_range GROUP BY name")
    assert ranks == [(0,)]
    names = ("MPI_Finalize", "MPI_Init", "MPI_Recv", "MPI_Send")
    assert calls == [(name, "libmpi.so") for name in names]
    assert ranges == [("saxpy", 5)]
