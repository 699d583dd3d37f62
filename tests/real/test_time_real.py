"""Time metrics on real databases: what is known of them, and what must hold for any trace."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import duckdb
import numpy as np
import numpy.typing as npt
import pytest

from perfolio.metrics.model import Result, Results
from perfolio.readers import registry
from perfolio.readers.run_description import read_description
from perfolio.store.database import open_store
from perfolio.store.ingest import ingest
from tests.kit.queries import rows_of
from tests.kit.samples import results_at, store_at
from tests.kit.shared import database

pytestmark = pytest.mark.real
Array = npt.NDArray[Any]

BOTH = "dlrm-h100-traces.d"
GPU_ONLY = "dlrm-h100-gpu.d"
GPU_TRACES = (BOTH, GPU_ONLY, "loops-cuda-nvidiapc-t.d", "loops-hip-amd-t.d")
CPU_TRACES = (BOTH, "dlrm-h100-cpu.d", "dlrm-cpu-python.d", "mpi4.d", "small.d")


def stored(name: str) -> duckdb.DuckDBPyConnection:
    """A store with one real database as run 1."""
    return open_store(store_at(database(name), ""))


def results(name: str) -> Results:
    """All metrics of a real database."""
    return results_at(database(name), "")


def value(name: str, metric: str) -> float:
    found = results(name)[f"time.{metric}"]
    assert found.value is not None, f"{metric}: {found.reason}"
    return found.value


def numbers(result: Result, column: str) -> list[float]:
    return [float(row[column] or 0) for row in result.records()]


def total(result: Result, column: str) -> float:
    return sum(numbers(result, column))


def integral(result: Result, column: str) -> float:
    """Sum over bins of a column times the bin's length."""
    edges = zip(numbers(result, "start"), numbers(result, "stop"), strict=True)
    lengths = [stop - start for start, stop in edges]
    return sum(a * b for a, b in zip(lengths, numbers(result, column), strict=True))


@pytest.mark.parametrize(
    ("metric", "expected"),
    [
        ("wall", 129.661971), ("gpu_span", 81.922816), ("gpu_operations", 8715),
        ("gpu_raw", 0.172301813), ("gpu_repaired_total", 0.1407), ("repaired", 7),
        ("gpu_utilisation", 0.001085), ("iterations", 100), ("iteration_median", 0.734),
        ("iteration_longest_gap", 0.619), ("iteration_gpu_busy", 0.0014), ("start_up", 54.716),
        ("overlap", 0), ("max_concurrency", 1), ("idle_chunks", 30),
    ],
)  # fmt: skip
def test_a_training_run_with_both_traces(metric: str, expected: float) -> None:
    assert value(BOTH, metric) == pytest.approx(expected, rel=0.003)


def test_a_function_named_by_profile_toml_marks_iterations(tmp_path: Path) -> None:
    link = tmp_path / "run.d"
    link.symlink_to(database(BOTH))
    (tmp_path / "profile.toml").write_text('[workload]\niteration_marker = "dlrm_wrap"\n')
    store = tmp_path / "store.duckdb"
    ingest([(registry.read(link), read_description(link))], store)
    with open_store(store) as connection:
        iterations, median, starts = connection.execute(
            "SELECT count(*), median(stop - start) / 1e9, min(start) FROM iteration"
        ).fetchall()[0]
        found = connection.execute("SELECT min(start) FROM gpu_operation").fetchall()[0][0]
    assert (iterations, median) == (100, pytest.approx(0.734, rel=0.003))
    assert starts > found


def test_operations_by_kind() -> None:
    counts = {row["operation"]: row["count"] for row in results(BOTH)["time.operations"].records()}
    assert counts == {"kernel": 7400, "copy H2D": 1015, "copy D2H": 200, "copy D2D": 100}


def test_the_data_loader_is_blamed_for_idle_time() -> None:
    blame = {row["function"]: row for row in results(BOTH)["time.blame"].records()}
    for function, share in (("__getitem__", 0.83), ("generate_uniform_input_batch", 0.50)):
        assert str(blame[function]["file"]).endswith("dlrm_data_pytorch.py")
        assert float(blame[function]["share"] or 0) == pytest.approx(share, abs=0.01)


def test_without_a_cpu_trace_nothing_is_blamed() -> None:
    found = results(GPU_ONLY)
    assert value(GPU_ONLY, "gpu_span") == pytest.approx(80.286, abs=0.001)
    for metric in ("wall", "gpu_utilisation", "blame", "blamed_share"):
        result = found[f"time.{metric}"]
        assert (result.status, result.collect) == (
            "not_measured",
            "hpcrun -a python -e CPUTIME -e gpu=nvidia -t PROGRAM",
        )


def test_repaired_kernels_take_as_long_as_the_profile_says() -> None:
    kernels = {r["operation"]: r["time"] for r in results(GPU_ONLY)["time.operations"].records()}
    assert kernels["kernel"] == pytest.approx(results(GPU_ONLY)["gpu.kernel_time"].value, rel=0.01)


@pytest.mark.parametrize("name", GPU_TRACES)
def test_parts_of_gpu_time_sum_to_the_whole(name: str) -> None:
    found = results(name)
    busy, span = value(name, "gpu_busy"), value(name, "gpu_span")
    assert busy + value(name, "gap_time") == pytest.approx(span, rel=1e-9)
    union = value(name, "kernel_busy") + value(name, "copy_busy") - value(name, "overlap")
    assert union <= busy * (1 + 1e-9)
    assert total(found["time.concurrency"], "time") == pytest.approx(span, rel=1e-9)
    assert total(found["time.gap_distribution"], "count") == value(name, "gaps")
    operations = found["time.operations"]
    assert total(operations, "time") == pytest.approx(value(name, "gpu_repaired_total"), rel=1e-9)
    assert integral(found["time.busy_bins"], "busy") == pytest.approx(busy, rel=1e-6)
    assert integral(found["time.chunks"], "busy") <= busy * (1 + 1e-6)


@pytest.mark.parametrize("name", sorted({*GPU_TRACES}))
def test_phases_sum_to_the_run(name: str) -> None:
    phases = results(name)["time.phases"]
    whole = value(name, "wall") if name == BOTH else value(name, "gpu_span")
    assert total(phases, "duration") == pytest.approx(whole, rel=1e-9)
    assert total(phases, "gpu_busy") == pytest.approx(value(name, "gpu_busy"), rel=1e-9)


@pytest.mark.parametrize("name", CPU_TRACES)
def test_running_threads_sum_to_the_same_however_counted(name: str) -> None:
    found = results(name)
    running = value(name, "cpu_running") * value(name, "wall")
    binned = integral(found["time.cpu_running_bins"], "running")
    assert binned == pytest.approx(running, rel=1e-6)
    assert total(found["time.entry_points"], "time") == pytest.approx(running, rel=1e-9)


@pytest.mark.parametrize("name", CPU_TRACES)
def test_no_thread_runs_longer_than_its_cpu_time(name: str) -> None:
    with stored(name) as connection:
        threads = rows_of(
            connection,
            "SELECT ran.spent / 1e9, cpu.value FROM profile_total AS cpu JOIN"
            " (SELECT profile, sum(duration) AS spent FROM cpu_time GROUP BY profile) AS ran"
            " ON ran.profile = cpu.profile WHERE cpu.name = 'cpu_time'",
        )
    assert threads or name not in ("dlrm-cpu-python.d", "dlrm-h100-cpu.d")
    assert all(ran <= spent * (1 + 1e-9) for ran, spent in threads)


def test_the_profilers_own_calls_are_as_long_on_the_main_thread_as_in_gaps_of_the_gpu() -> None:
    """Gaps end when operations begin, stretches of the main thread where samples happen to be."""
    rows = results(BOTH)["time.main_thread"].records()
    spent = {str(row["part"]): float(row["time"] or 0.0) for row in rows}
    own = spent["the profiler's own calls"]
    assert own == pytest.approx(value(BOTH, "profiler_idle"), rel=0.05)
    assert spent["preparing input data"] == pytest.approx(60.0, rel=0.05)
    assert spent["waiting for the backward pass"] < 0.1 * own


def test_what_is_said_of_the_profiler_holds_of_the_run_without_it() -> None:
    """`dlrm-cpu.d` is the run of `dlrm-cpu-python.d` without the hook in Python."""
    hooked, plain = "dlrm-cpu-python.d", "dlrm-cpu.d"
    left = (1.0 - value(hooked, "nothing_runs_python")) * value(hooked, "wall")
    assert left <= value(plain, "wall") < min(1.15 * left, 0.6 * value(hooked, "wall"))
    gone, rest = (
        value(name, "nothing_runs_share") * value(name, "wall") for name in (hooked, plain)
    )
    profiled = value(hooked, "nothing_runs_profiler") * value(hooked, "wall")
    assert gone - rest == pytest.approx(profiled, rel=0.02), "23.0 and 23.1 s"
    assert rest <= value(hooked, "nothing_runs_waits") == pytest.approx(8.53, abs=0.01)
    # Half of what waits end on whole periods by chance.
    assert value(hooked, "nothing_runs_clocked") == pytest.approx(0.844, abs=0.01)
    assert value(plain, "nothing_runs_clocked") == pytest.approx(0.564, abs=0.01)
    assert results(plain)["time.nothing_runs_python"].status == "not_measured"

    def backward(name: str, metric: str, column: str) -> float:
        rows = results(name)[f"time.{metric}"].records()
        found = [row[column] for row in rows if row["part"] == "the backward pass"]
        return float(found[0] or 0.0)

    seconds = backward(hooked, "main_thread", "time")
    assert seconds == pytest.approx(backward(plain, "main_thread", "time"), rel=0.1)
    running = backward(hooked, "main_running", "time")
    assert running == pytest.approx(backward(plain, "main_running", "time"), rel=0.1)
    share = backward(plain, "main_thread", "share")
    assert 2.0 * backward(hooked, "main_thread", "share") < share < seconds / left
    assert backward(hooked, "main_running", "share") == pytest.approx(
        backward(plain, "main_running", "share"), rel=0.1
    )


@pytest.mark.parametrize(("name", "share"), [("dlrm-cpu-python.d", 0.995), ("small.d", 0.9)])
def test_running_threads_have_their_cpu_time(name: str, share: float) -> None:
    with stored(name) as connection:
        (spent,) = rows_of(
            connection,
            "SELECT (SELECT sum(duration) FROM cpu_time) / 1e9,"
            " (SELECT value FROM total WHERE name = 'cpu_time')",
        )
    assert share * spent[1] <= spent[0] <= spent[1]


def test_blame_of_long_gaps_agrees_with_a_reference_in_numpy() -> None:
    """Gaps of ten periods or more: samples taken in each of them, and the gaps with any."""
    with stored(BOTH) as connection:
        taken = np.array(
            rows_of(connection, "SELECT taken, context FROM launching_interval ORDER BY taken")
        )
        gaps = np.array(
            rows_of(
                connection,
                "SELECT start, stop FROM gpu_gap WHERE duration >= 10 * launch_period() ORDER BY 1",
            )
        )
        launching = connection.execute("SELECT count(*) FROM trace_line WHERE launching").fetchone()
        blame = connection.execute(
            "SELECT sum(samples), sum(duration) FROM blame"
            " WHERE period <> 'before' AND octave IS NULL"
        ).fetchone()
    assert launching is not None
    gap_of = np.searchsorted(gaps[:, 0], taken[:, 0], side="right") - 1
    inside = (gap_of >= 0) & (taken[:, 0] < gaps[gap_of, 1])
    told = np.unique(gap_of[inside])
    whole = (gaps[told, 1] - gaps[told, 0]).sum()
    assert blame is not None
    assert blame[1] == pytest.approx(whole, rel=1e-9)
    assert inside.sum() / launching[0] <= blame[0] <= inside.sum()
