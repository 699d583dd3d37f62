"""What a report says of a simulated run against the run's truth.

What is recorded exactly must be exact; what is sampled must lie within its confidence interval.
"""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from perfolio.simulation.simulate import SimulatedRun
from tests.simulation.scenes import SCENES, measured, scene

EXACT = {
    "time.wall": "wall",
    "time.gpu_busy": "gpu_busy",
    "time.kernel_busy": "kernel_busy",
    "time.copy_busy": "copy_busy",
    "time.exposed_copy": "copy_exposed",
    "time.gpu_span": "gpu_span",
    "time.gap_time": "idle_between",
}
READ = (
    *EXACT, "cpu.time", "gpu.copy_time", "gpu.kernel_time", "gpu.kernels", "gpu.launches",
    "run.gpu_streams", "time.gpu_utilisation", "time.iteration_median", "time.iterations",
    "time.stream_balance", "transfer.bytes_d2d", "transfer.bytes_d2h", "transfer.bytes_h2d",
    "transfer.copies",
)  # fmt: skip
"""What tests of all scenes read."""
RELATIVE = 1e-9


@pytest.fixture(scope="module", params=SCENES)
def run(request: pytest.FixtureRequest) -> tuple[SimulatedRun, dict[str, Any]]:
    return measured(scene(request.param), *READ)


def value(results: dict[str, Any], name: str) -> float:
    assert results[name]["status"] == "measured", results[name]
    return float(results[name]["value"])


def test_exact_times_are_exact(run: tuple[SimulatedRun, dict[str, Any]]) -> None:
    made, results = run
    for name, key in EXACT.items():
        assert value(results, name) == pytest.approx(made.truth[key], rel=RELATIVE), name


def test_counts_times_and_bytes_of_operations_are_exact(
    run: tuple[SimulatedRun, dict[str, Any]],
) -> None:
    made, results = run
    kinds = made.truth["operations"]
    kernels = kinds["kernel"]
    copies = [one for name, one in kinds.items() if name != "kernel"]
    assert value(results, "gpu.launches") == kernels["count"]
    assert value(results, "gpu.kernel_time") == pytest.approx(kernels["time"], rel=RELATIVE)
    assert value(results, "transfer.copies") == sum(one["count"] for one in copies)
    assert value(results, "gpu.copy_time") == pytest.approx(
        sum(one["time"] for one in copies), rel=RELATIVE
    )
    for way in ("h2d", "d2h", "d2d"):
        assert value(results, f"transfer.bytes_{way}") == kinds[f"copy {way}"]["bytes"]


def test_each_kernel_is_exact(run: tuple[SimulatedRun, dict[str, Any]]) -> None:
    made, results = run
    table = results["gpu.kernels"]
    names = [column["name"] for column in table["columns"]]
    rows = [dict(zip(names, row, strict=True)) for row in table["rows"]]
    found = {row["kernel"]: (row["launches"], row["time"]) for row in rows}
    for kernel in made.truth["kernels"].values():
        launches, time = found[kernel["name"]]
        assert (launches, time) == (kernel["count"], pytest.approx(kernel["time"], rel=RELATIVE))


def test_idle_time_of_the_run_and_busy_time_of_streams(
    run: tuple[SimulatedRun, dict[str, Any]],
) -> None:
    made, results = run
    truth = made.truth
    busy = value(results, "time.gpu_utilisation") * value(results, "time.wall")
    assert busy == pytest.approx(truth["gpu_busy"], rel=RELATIVE)
    assert value(results, "run.gpu_streams") == len(truth["streams"])
    largest, whole = max(truth["streams"].values()), sum(truth["streams"].values())
    if len(truth["streams"]) == 1:
        assert results["time.stream_balance"]["status"] == "not_measured"
        return
    expected = whole / len(truth["streams"]) / largest
    assert value(results, "time.stream_balance") == pytest.approx(expected, rel=RELATIVE)


def test_the_median_iteration(run: tuple[SimulatedRun, dict[str, Any]]) -> None:
    """The report counts from begin to begin of an operation, the truth from end to end."""
    made, results = run
    if results["time.iterations"]["status"] != "measured":
        lengths = made.truth["iterations"]
        assert lengths["mean"] > 2 * lengths["median"], "only bursts may go unrecognised"
        return
    assert value(results, "time.iterations") == made.truth["iterations"]["count"]
    assert value(results, "time.iteration_median") == pytest.approx(
        made.truth["iterations"]["gpu_median"], rel=0.03
    )


def test_sampled_cpu_time_lies_within_a_period_per_thread(
    run: tuple[SimulatedRun, dict[str, Any]],
) -> None:
    made, results = run
    period, threads = 1e-3, made.truth["cpu_time"]
    assert abs(value(results, "cpu.time") - sum(threads.values())) <= period * len(threads)


def test_stall_shares_lie_within_their_interval() -> None:
    changes = {"iterations": 40, "artefacts": {"serialisation": "100 us"}}
    reasons = ("gmem", "idep")
    made, results = measured(
        scene("loop", changes), *(f"stall.{reason}_of_samples" for reason in reasons)
    )
    for reason, share in made.truth["stalls"].items():
        found = results[f"stall.{reason}_of_samples"]
        assert found["low"] <= share <= found["high"], reason


def test_lost_samples_lower_cpu_time_by_their_share() -> None:
    made, results = measured(scene("loop", {"measurement": {"lost_samples": 0.4}}), "cpu.time")
    whole = sum(made.truth["cpu_time"].values())
    assert value(results, "cpu.time") / whole == pytest.approx(0.6, abs=0.05)


def test_wrong_records_of_the_tool_are_repaired() -> None:
    made, results = measured(
        scene("loop", {"artefacts": {"one_ns_idle": 3}}),
        "time.repaired", "time.gpu_raw", "time.gpu_busy",
    )  # fmt: skip
    assert value(results, "time.repaired") == 3
    assert value(results, "time.gpu_raw") > made.truth["gpu_busy"] * 1.02
    assert value(results, "time.gpu_busy") == pytest.approx(made.truth["gpu_busy"], rel=0.02)


def test_no_figure_of_the_gpu_is_given_where_graphs_are_not_recorded() -> None:
    lacking = ("time.gpu_busy", "gpu.kernel_time", "gpu.launches", "time.iterations")
    chosen = scene("pinned", {"artefacts": {"unseen_graphs": True}})
    made, results = measured(chosen, *lacking, "time.wall", "run.entry_points")
    assert made.truth["gpu_busy"] > 0.0
    for name in lacking:
        assert results[name]["status"] == "not_measured"
        assert "graphs" in results[name]["reason"]
    assert results["time.wall"]["status"] == "measured"
    assert {row[3] for row in results["run.entry_points"]["rows"]} == {None}


def test_an_amd_run_has_no_bytes_and_its_counts_from_the_trace() -> None:
    changes = {"device": {"vendor": "amd"}, "measurement": {"pc_samples": False}}
    names = ("gpu.launches", "gpu.kernel_time", "transfer.bytes_h2d")
    made, results = measured(scene("loop", changes), *names)
    assert value(results, "gpu.launches") == made.truth["operations"]["kernel"]["count"]
    assert results["transfer.bytes_h2d"]["status"] != "measured"
    assert value(results, "gpu.kernel_time") == pytest.approx(
        made.truth["operations"]["kernel"]["time"], rel=RELATIVE
    )


def test_bytes_of_a_database_depend_on_scenario_and_seed_alone(tmp_path: Path) -> None:
    from perfolio.simulation.simulate import write_simulated

    folders = [
        write_simulated(scene("ranks", {"seed": seed}), tmp_path / f"{number}.d").folder
        for number, seed in enumerate((3, 3, 4))
    ]
    held = [
        {path.name: path.read_bytes() for path in sorted(folder.iterdir())} for folder in folders
    ]
    assert held[0] == held[1]
    assert held[0]["trace.db"] != held[2]["trace.db"]
    assert json.loads(held[0]["truth.json"])["seed"] == 3


def test_copies_of_the_start_are_no_iterations() -> None:
    """Six copies of a model before twelve iterations: every count is a multiple of six."""
    changes = {
        "start": ["imports", "model"],
        "phases": {
            "model": {"path": "top", "steps": [{"copy": "h2d", "size": "64 MiB", "repeat": 6}]},
        },
    }
    made, results = measured(scene("loop", changes), "time.iterations")
    assert value(results, "time.iterations") == made.truth["iterations"]["count"] == 12
