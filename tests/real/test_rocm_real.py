"""Recordings of ROCm's profilers: what is stored equals what another program counts in them."""

from __future__ import annotations

from typing import Any

import duckdb
import pytest

from perfolio.common.errors import InputError
from perfolio.readers import registry
from perfolio.store.database import open_store
from tests.kit.queries import rows_of
from tests.kit.samples import store_at
from tests.kit.shared import golden_inputs, recorded

pytestmark = pytest.mark.real
GOLDEN: dict[str, dict[str, Any]] = golden_inputs().get("other", {})
KERNELS = ("rocprof/v3_doc_kernel_trace.csv",)
CALLS = ("rocprof/v3_doc_hip_runtime_trace.csv", "rocprof/v3_doc_hsa_api_trace.csv")
MARKERS = ("rocprof/v3_doc_marker_api_trace.csv",)
CHROME = "rocprof/v1_results.json"
WITHOUT_TIMES = (
    "rocprof/v1_results.stats.csv",
    "rocprof/v1_results.hip_stats.csv",
    "rocprof/v1_results.copy_stats.csv",
    "rocprof/v3_doc_hip_api_stats.csv",
    "rocprof/v3_doc_counter_collection.csv",
    "rocprof/compute_vcopy_MI200_timestamps.csv",
)
RAN = """
    SELECT "function".name, ran.start, ran.duration
    FROM gpu_operation AS ran
    JOIN context ON context.id = ran.context
    JOIN "function" ON "function".id = context."function"
"""


def expected(name: str) -> dict[str, Any]:
    """Golden values of a file; skips the test where there are none."""
    if name not in GOLDEN:
        pytest.skip("needs golden values beside the recorded inputs (set PERFOLIO_SHARED)")
    return GOLDEN[name]


def stored(name: str) -> duckdb.DuckDBPyConnection:
    """A store with one recording as run 1."""
    return open_store(store_at(recorded(f"inputs/{name}"), ""))


def counted(rows: list[tuple[Any, ...]]) -> dict[str, Any]:
    """What the golden values hold of rows of name, begin and duration."""
    spans = sorted((start, start + duration) for _, start, duration in rows)
    covered, reached = 0, 0
    for start, stop in spans:
        covered += max(stop - max(start, reached), 0)
        reached = max(reached, stop)
    by_name: dict[str, list[int]] = {}
    for name, _, duration in rows:
        by_name.setdefault(name, []).append(duration)
    return {
        "rows": len(rows),
        "time_sum_ns": sum(duration for _, _, duration in rows),
        "union_ns": covered,
        "span_ns": reached - spans[0][0],
        "top5": sorted((sum(own), len(own), name) for name, own in by_name.items())[-5:],
    }


def golden(name: str) -> dict[str, Any]:
    """The same of the golden values."""
    told = expected(name)
    top = [
        (each["time_ns"], each["count"], each["name"].removesuffix(" [clone .kd]"))
        for each in told["top5"]
    ]
    keys = ("rows", "time_sum_ns", "union_ns", "span_ns")
    return {**{key: told[key] for key in keys}, "top5": sorted(top)}


@pytest.mark.parametrize("name", KERNELS)
def test_kernels_are_those_of_the_file_to_the_nanosecond(name: str) -> None:
    with stored(name) as connection:
        assert counted(rows_of(connection, RAN)) == golden(name)


@pytest.mark.parametrize("name", CALLS)
def test_calls_are_those_of_the_file_to_the_nanosecond(name: str) -> None:
    with stored(name) as connection:
        found = counted(rows_of(connection, "SELECT name, start, duration FROM host_call"))
    assert found == golden(name)


@pytest.mark.parametrize("name", MARKERS)
def test_markers_are_those_of_the_file_to_the_nanosecond(name: str) -> None:
    with stored(name) as connection:
        found = counted(rows_of(connection, "SELECT name, start, duration FROM host_range"))
    assert found == golden(name)


def test_a_trace_of_rocprof_has_the_nanoseconds_of_its_arguments() -> None:
    told = expected(CHROME)["by_process"]
    with stored(CHROME) as connection:
        sums = dict(
            rows_of(
                connection,
                "SELECT operation = 'kernel', sum(duration) FROM gpu_operation GROUP BY ALL",
            )
        )
        ((calls, time),) = rows_of(connection, "SELECT count(*), sum(duration) FROM host_call")
        devices = rows_of(
            connection, "SELECT DISTINCT gpu_context FROM profile WHERE kind = 'GPU stream'"
        )
        callers = rows_of(
            connection,
            "SELECT call.name, ran.blocks FROM gpu_operation AS ran JOIN host_call AS call "
            "ON call.id = ran.call WHERE ran.operation = 'kernel'",
        )
        copies = rows_of(
            connection,
            "SELECT call.name FROM gpu_operation AS ran JOIN host_call AS call "
            "ON call.id = ran.call WHERE ran.operation <> 'kernel'",
        )
    assert sums == {True: told["GPU4"]["DurationNs"], False: told["COPY"]["DurationNs"]}
    assert (calls, time) == (told["CPU HIP API"]["count"], told["CPU HIP API"]["DurationNs"])
    assert devices == [(4,)]
    assert callers == [("hipLaunchKernel", 3_906_250)]
    assert copies == [("hipMemcpy",)] * 3


@pytest.mark.parametrize("name", WITHOUT_TIMES)
def test_files_without_a_time_line_say_what_records_one(name: str) -> None:
    with pytest.raises(InputError, match="rocprofv3 --kernel-trace"):
        registry.read(recorded(f"inputs/{name}"))


def test_recordings_of_different_forms_are_no_run() -> None:
    with pytest.raises(InputError, match="several forms"):
        registry.read(recorded("inputs/rocprof"))
