"""Metrics on real databases: what is known to be true of them, and what must hold for any."""

from __future__ import annotations

import pytest

from perfolio.metrics.model import Result, Results
from tests.kit.samples import results_at, some_results_at
from tests.kit.shared import database, golden

pytestmark = pytest.mark.real

GPU = "dlrm-h100-gpu.d"
CPU_DATABASES = (
    "cpi-v4.d",
    "dlrm-cpu-python.d",
    "dlrm-cpu.d",
    "dlrm-h100-cpu.d",
    "loops-cputime-t.d",
    "loops-perf.d",
    "mpi4.d",
    "small.d",
    "tinyllama-cpu-python.d",
)
GPU_DATABASES = (GPU, "loops-cuda-nvidiapc-t.d", "loops-hip-amd-t.d")


def results(name: str, hardware: str = "") -> Results:
    """All metrics of a real database."""
    return results_at(database(name), hardware)


def _sum(result: Result, column: str) -> float:
    return sum(float(row[column] or 0) for row in result.records())


@pytest.mark.parametrize(
    ("name", "value"),
    [
        ("gpu.launches", 7400),
        ("gpu.kernel_time", 0.06589604499999999),
        ("gpu.copy_time", 0.07391277600000003),
        ("gpu.operation_time", 0.13980882100000003),
        ("gpu.copy_share", 0.5286703333),
        ("gpu.mean_kernel_time", 8.904870946e-6),
        ("transfer.bytes_h2d", 441_944_740),
        ("transfer.bytes_d2h", 819_600),
        ("transfer.bytes_d2d", 13_107_200),
        ("transfer.copies", 1315),
        ("transfer.bandwidth_h2d", 441_944_740 / 0.073218154),
        ("transfer.link_efficiency", (441_944_740 + 819_600) / (0.073218154 + 0.000372861) / 63e9),
        ("stall.gmem_of_stalls", 1651113984 / 3770793984),
        ("stall.gmem_of_samples", 1651113984 / 10078973952),
        ("stall.stalled_share", 3770793984 / 10078973952),
        ("sampling.period", 4096),
        ("sampling.samples", 2_460_687),
        ("launch.registers", 335600 / 7400),
        ("launch.occupancy_reported", 240400 / 473600),
        ("run.functions", 404),
        ("run.contexts", 1639),
        ("quality.gpu_parts_difference", 0),
        ("seed.depth_weighted_sum", 502_600),
    ],
)
def test_the_truth_behind_the_h100_run(name: str, value: float) -> None:
    assert results(GPU, "h100-sxm5")[name].value == pytest.approx(value, rel=1e-9, abs=1e-12)


def test_shares_as_published() -> None:
    found = results(GPU)
    printed = {
        name: f"{100 * (found[f'stall.{name}'].value or 0):.1f}"
        for name in ("gmem_of_stalls", "cmem_of_stalls", "ifet_of_stalls", "idep_of_stalls",
                     "sync_of_stalls", "gmem_of_samples")
    }  # fmt: skip
    assert list(printed.values()) == ["43.8", "16.3", "15.5", "14.7", "4.7", "16.4"]


def test_samples_are_not_samples_times_the_period() -> None:
    found = results(GPU)
    by_kernel = sum(float(row["samples"] or 0) for row in found["stall.kernels"].records())
    assert found["sampling.samples"].value == 2_460_687
    assert by_kernel == pytest.approx(2_460_687, rel=1e-4), "of the 30 kernels with most"
    assert found["stall.stalled_share"].n == pytest.approx(by_kernel / 103.7, rel=1e-3), (
        "samples of one moment count as one"
    )


def test_copies_by_direction() -> None:
    rows = {row["direction"]: row for row in results(GPU)["transfer.directions"].records()}
    assert {name: row["copies"] for name, row in rows.items()} == {
        "H2D": 1015, "D2H": 200, "D2D": 100,
    }  # fmt: skip
    assert rows["H2D"]["bytes"] == 441_944_740


def test_occupancy_is_recomputed_where_the_tool_is_wrong() -> None:
    path = database("loops-cuda-nvidiapc-t.d")
    names = ("launch.occupancy_reported", "launch.occupancy")
    found = some_results_at(path, *names, hardware="h100-sxm5")
    assert found["launch.occupancy_reported"].value == pytest.approx(0.125)
    assert found["launch.occupancy"].value == pytest.approx(0.5)


def test_stalls_are_told_by_line_of_inlined_code_and_launches_by_the_line_that_launches() -> None:
    found = results("loops-cuda-nvidiapc-t.d")
    row = found["stall.lines"].records()[0]
    files = [str(row[key]).rpartition("/")[2] for key in ("file", "kernel_line", "loop")]
    assert (row["code"], row["line"], *files) == (
        "func2(double volatile*)", 16, "loops.cu", "loops.cu:31", "loops.cu:21",
    )  # fmt: skip
    assert row["samples"] == 539_974
    assert row["of_samples"] == pytest.approx(539_974 / 657_096)
    assert row["idep"] == pytest.approx(408_672 / 458_942)
    assert _sum(found["stall.lines"], "of_stalls") == pytest.approx(1, abs=2e-3)
    for table in ("gpu.kernels", "stall.kernels", "gpu.contexts"):
        assert found[table].records()[0]["line"] == 50, table
    assert [row["function"] for row in found["gpu.functions"].records()] == ["main"]


def test_main_thread_and_backward_both_count() -> None:
    rows = {row["entry_point"]: row for row in results(GPU)["run.entry_points"].records()}
    assert set(rows) == {"main thread", "application thread"}
    assert _sum(results(GPU)["run.entry_points"], "gpu") == pytest.approx(0.139808821, rel=1e-9)


@pytest.mark.parametrize("name", GPU_DATABASES)
def test_gpu_tables_add_up_to_their_totals(name: str) -> None:
    found = results(name)
    kernels, operations = found["gpu.kernel_time"].value, found["gpu.operation_time"].value
    assert _sum(found["gpu.kernels"], "time") == pytest.approx(kernels, rel=1e-12)
    assert _sum(found["gpu.kernels"], "share") == pytest.approx(1)
    assert _sum(found["gpu.composition"], "time") == pytest.approx(operations, rel=1e-12)
    assert _sum(found["run.entry_points"], "gpu") == pytest.approx(operations, rel=1e-12)
    assert max(float(row["time"] or 0) for row in found["gpu.functions"].records()) <= (
        operations or 0
    ) * (1 + 1e-12)
    shorts = [row["short"] for row in found["gpu.kernels"].records()]
    assert len(set(shorts)) == len(shorts)


def test_launches_and_samples_of_kernels_add_up() -> None:
    found = results(GPU)
    assert _sum(found["gpu.kernels"], "launches") == 7400
    assert _sum(found["stall.reasons"], "of_stalls") == pytest.approx(1)
    assert _sum(found["stall.reasons"], "of_samples") == pytest.approx(3770793984 / 10078973952)
    for row in found["stall.kernels"].records():
        codes = {key for key in row if len(key) in {3, 4}} - {"file", "line"}
        if row["stalled"]:
            assert sum(float(row[code] or 0) for code in codes) == pytest.approx(1)


def test_amd_counts_launches_in_its_trace_alone() -> None:
    found = results("loops-hip-amd-t.d")
    assert found["gpu.launches"].value == 100
    assert found["gpu.mean_kernel_time"].value == pytest.approx(0.01527231979)
    for name in ("transfer.bytes", "stall.reasons"):
        assert found[name].status == "not_measured"
        assert "AMD" in found[name].reason
    assert found["gpu.kernel_time"].value == pytest.approx(1.527231979)


def test_a_database_of_traces_only_measures_no_cost_by_context() -> None:
    found = results("dlrm-h100-traces.d")
    measured = {name for name, result in found.items() if result.status == "measured"}
    assert "run.trace_points" in measured
    beyond = {name for name in measured if name.partition(".")[0] not in {"run", "time"}}
    assert beyond == {
        "gpu.copy_share", "gpu.copy_time", "gpu.fusable_gaps",
        "gpu.fusable_share", "gpu.fusable_time", "gpu.kernel_share",
        "gpu.kernel_time", "gpu.launches", "gpu.moving_share", "gpu.moving_time",
        "gpu.operation_time",
        "gpu.sync_share", "sampling.metrics_listed", "transfer.copies",
    }  # fmt: skip
    assert found["run.unseen_products"].value == 4.0
    assert found["run.missing_kernels"].value == 1.0
    whole = results(GPU)
    assert found["gpu.launches"].value == whole["gpu.launches"].value
    for name in ("gpu.kernel_time", "gpu.copy_time"):
        assert found[name].value == pytest.approx(whole[name].value, rel=0.02)


@pytest.mark.parametrize("name", CPU_DATABASES)
def test_cpu_tables_add_up_to_their_totals(name: str) -> None:
    found = results(name)
    total = found["cpu.event_total"].value
    for metric, column in (("cpu.modules", "time"), ("cpu.overview", "time"),
                           ("cpu.threads", "time")):  # fmt: skip
        assert _sum(found[metric], column) == pytest.approx(total, rel=1e-9), metric
    for row in found["cpu.top_functions"].records():
        assert 0 < float(row["exclusive"] or 0) <= float(row["inclusive"] or 0) * (1 + 1e-9)
        assert float(row["inclusive_share"] or 0) <= 1 + 1e-9


@pytest.mark.parametrize("name", [*CPU_DATABASES, *GPU_DATABASES])
def test_call_trees_nest(name: str) -> None:
    found = results(name)
    for metric in ("tree.cpu", "tree.gpu"):
        rows = {row["context"]: row for row in found[metric].records()}
        edges: dict[object, float] = {}
        for row in sorted(rows.values(), key=lambda row: (row["depth"], row["left"])):
            left, share = float(row["left"] or 0), float(row["share"] or 0)
            around = rows.get(row["parent"], {"left": 0.0, "share": 1.0})
            start = float(around["left"] or 0)
            assert left >= edges.get(row["parent"], start) - 1e-9
            assert left + share <= start + float(around["share"] or 0) + 1e-9
            edges[row["parent"]] = left + share


@pytest.mark.parametrize("name", sorted(golden()) or ["golden.json"])
def test_totals_equal_the_reference(name: str) -> None:
    found = results(name)
    rows = {row["name"]: row for row in found["quality.totals"].records()}
    expected = golden()[name]
    assert {key: row["execution"] for key, row in rows.items()} == pytest.approx(
        expected["total"], rel=1e-12
    )
    assert {key: row["point_sum"] for key, row in rows.items()} == pytest.approx(
        expected["point_total"], rel=1e-12
    )
    assert (found["quality.invariant"].value or 0) < 1e-12
    for key in ("contexts", "functions", "modules", "profiles"):
        assert found[f"run.{key}"].value == expected[key]
    # the tool's table of files lists modules without sources too, in brackets
    sources = {"loops-hip-amd-t.d": 0, "loops-cuda-nvidiapc-t.d": 3}
    assert found["run.files"].value == sources.get(name, found["run.files"].value)
    assert (found["run.files"].value or 0) <= expected["files"]
