"""Traces of PyTorch's profiler: what is stored equals what another program counts in them."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator
from decimal import Decimal
from typing import Any

import duckdb
import pytest

from perfolio.store.database import open_store
from tests.kit.queries import rows_of
from tests.kit.samples import store_at
from tests.kit.shared import golden_inputs, recorded

pytestmark = pytest.mark.real
GOLDEN: dict[str, dict[str, Any]] = golden_inputs().get("pytorch", {})
NAMES = sorted(GOLDEN) or ["pytorch/v100_5steps.json.gz"]


Trace = tuple[str, duckdb.DuckDBPyConnection]


@pytest.fixture(scope="module", params=NAMES)
def trace(request: pytest.FixtureRequest) -> Iterator[Trace]:
    """The name of a trace, and a store with it as run 1."""
    with open_store(store_at(recorded(f"inputs/{request.param}"), "")) as connection:
        yield request.param, connection


def ns(microseconds: float) -> int:
    """A golden value, which is a decimal number of microseconds, in nanoseconds."""
    return round(Decimal(str(microseconds)) * 1000)


def union(spans: list[tuple[int, int]]) -> int:
    """Length of all times that any span covers."""
    covered, reached = 0, -(1 << 62)
    for start, stop in sorted(spans):
        covered += max(stop - max(start, reached), 0)
        reached = max(reached, stop)
    return covered


def operations(connection: duckdb.DuckDBPyConnection) -> dict[str, list[tuple[Any, ...]]]:
    """Per device of the trace: kind, name, begin and end of each operation."""
    found: dict[str, list[tuple[Any, ...]]] = defaultdict(list)
    for device, kind, name, start, duration in rows_of(
        connection,
        """
        SELECT profile.gpu_context, ran.operation, "function".name, ran.start, ran.duration
        FROM gpu_operation AS ran
        JOIN profile ON profile."index" = ran.profile
        JOIN context ON context.id = ran.context
        JOIN "function" ON "function".id = context."function"
        """,
    ):
        found[str(device)].append((kind, name, start, start + duration))
    return found


def is_collective(name: str) -> bool:
    return "nccl" in name.lower() or "rccl" in name.lower()


def test_operations_are_those_of_the_file_to_the_nanosecond(trace: Trace) -> None:
    name, connection = trace
    found = operations(connection)
    expected = GOLDEN[name]["gpu"]
    assert set(found) == set(expected)
    for device, rows in found.items():
        every = [(start, stop) for _, _, start, stop in rows]
        kernels = [(name, start, stop) for kind, name, start, stop in rows if kind == "kernel"]
        copies = [(s, e) for kind, _, s, e in rows if kind.startswith("copy")]
        compute = [(s, e) for name, s, e in kernels if not is_collective(name)]
        waits = [(s, e) for name, s, e in kernels if is_collective(name)]
        ran = [(s, e) for _, s, e in kernels]
        span = max(stop for _, stop in every) - min(start for start, _ in every)
        assert {
            "kernels": len(kernels),
            "copies": len(copies),
            "memsets": sum(kind == "memset" for kind, *_ in rows),
            "kernel_time_sum_us": sum(e - s for s, e in ran),
            "copy_time_sum_us": sum(e - s for s, e in copies),
            "gpu_span_us": span,
            "busy_union_us": union(every),
            "idle_us": span - union(every),
            "kernel_union_us": union(ran),
            "compute_union_us": union(compute),
            "copy_union_us": union(copies),
            "exposed_copy_us": union([*copies, *ran]) - union(ran),
            "nccl_kernels": len(waits),
            "nccl_union_us": union(waits),
            "nccl_exposed_us": union([*waits, *compute]) - union(compute),
        } == {
            key: ns(value) if key.endswith("_us") else value
            for key, value in expected[device].items()
            if key not in {"memset_time_sum_us", "nccl_time_sum_us"}
            and key != "nccl_exposed_vs_compute_and_copy_us"
        }


def test_what_runs_at_once_adds_up_to_the_same(trace: Trace) -> None:
    name, connection = trace
    levels = dict(
        rows_of(
            connection,
            """
            SELECT coalesce(profile.gpu_context, 0), sum(level.stop - level.start)
                FILTER (WHERE level.kernels + level.copies + level.others > 0)
            FROM gpu_level AS level
            JOIN (SELECT device, min(profile) AS profile FROM gpu_stream GROUP BY ALL) AS stream
                ON stream.device = level.device
            JOIN profile ON profile."index" = stream.profile
            GROUP BY ALL
            """,
        )
    )
    expected = {
        int(device): ns(gpu["busy_union_us"]) for device, gpu in GOLDEN[name]["gpu"].items()
    }
    assert {device: int(busy) for device, busy in levels.items()} == expected


def test_the_host_did_what_the_file_says(trace: Trace) -> None:
    name, connection = trace
    calls = rows_of(connection, "SELECT name, duration FROM host_call")
    ranges = rows_of(connection, "SELECT kind, name, duration FROM host_range ORDER BY start, id")
    memory = rows_of(connection, "SELECT count(*) FROM memory_event")
    ranks = rows_of(connection, "SELECT DISTINCT rank FROM profile")
    span = rows_of(connection, "SELECT min(start), max(stop) FROM trace_line")
    expected = GOLDEN[name]
    by_category = {key.lower(): n for key, n in expected["complete_events_by_cat"].items()}
    launches: dict[str, int] = defaultdict(int)
    for call, _ in calls:
        if "launch" in call.lower() and "Graph" not in call and "HostFunc" not in call:
            launches[call] += 1
    waits = [(call, duration) for call, duration in calls if "Synchronize" in call]
    # Steps of a server have the names that its engine gives them.
    steps = [(name, ns) for kind, name, ns in ranges if kind == "step" and "ProfilerStep" in name]
    assert len(calls) == expected["runtime_calls"]
    assert launches == expected["launch_calls"]
    assert sum(duration for _, duration in waits) == ns(expected["sync_time_sum_us"])
    assert steps == [(step["name"], ns(step["dur_us"])) for step in expected["steps"]]
    marked = {"cpu_op", "operator", "user_annotation"}
    assert len(ranges) == sum(n for key, n in by_category.items() if key in marked)
    assert memory == [(expected["memory_events"],)]
    assert {rank for (rank,) in ranks} == {expected["rank"]}
    assert span[0][1] - span[0][0] == ns(expected["trace_span_us"])
