"""The ledger: each moment of a GPU's time, and of a CPU run's, is in one cell."""

from __future__ import annotations

import pytest

from perfolio.store.database import open_store
from tests.kit.queries import rows_of
from tests.kit.samples import simulated_sample, store_at
from tests.kit.shared import database

SAMPLES = ("dlrm-h100-timed", "eight-ranks", "low-occupancy", "transformer")
REAL = ("dlrm-h100-traces.d", "dlrm-h100-gpu.d", "loops-hip-amd-t.d", "loops-cuda-nvidiapc-t.d")
SAMPLED = ("mpi4.d", "multi-proc40.d", "tinyllama-cpu-python.d")

WHOLE = (
    "SELECT cell.device,"
    " sum(cell.ns) = any_value(coalesce(cpu.stop - cpu.start, gpu.stop - gpu.start))"
    " FROM gpu_cell AS cell JOIN gpu_device AS gpu ON gpu.device = cell.device"
    " LEFT JOIN cpu_trace_span AS cpu ON true GROUP BY cell.device"
)


@pytest.mark.parametrize("name", SAMPLES)
def test_cells_of_a_gpu_are_all_of_its_time(name: str) -> None:
    with open_store(store_at(simulated_sample(name).folder)) as connection:
        found = rows_of(connection, WHOLE)
    assert found
    assert all(equal for _, equal in found), "to the nanosecond"


@pytest.mark.real
@pytest.mark.parametrize("name", REAL)
def test_cells_of_a_recorded_gpu_are_all_of_its_time(name: str) -> None:
    with open_store(store_at(database(name), "")) as connection:
        found = rows_of(connection, WHOLE)
    assert found
    assert all(equal for _, equal in found), "to the nanosecond"


@pytest.mark.real
@pytest.mark.parametrize("name", SAMPLED)
def test_time_of_threads_is_in_one_stretch(name: str) -> None:
    with open_store(store_at(database(name), "")) as connection:
        ((wall, alive),) = rows_of(connection, "SELECT sum(ns), sum(ns * alive) FROM cpu_wall")
        ((span, lives),) = rows_of(
            connection,
            "SELECT max(stop) - min(start), sum(stop - start)"
            " FROM trace_line WHERE kind = 'CPU thread'",
        )
        ((told,),) = rows_of(connection, "SELECT sum(stop - start) FROM cpu_stretch")
        overlaps = rows_of(
            connection,
            "SELECT 1 FROM (SELECT start < lag(stop) OVER line AS again FROM cpu_stretch"
            " WINDOW line AS (PARTITION BY profile ORDER BY start, stop)) WHERE again",
        )
    assert (wall, alive) == (span, lives), "to the nanosecond"
    assert told <= lives
    assert told > 0.99 * lives, "what passes before a thread's first sample is little"
    assert overlaps == []
