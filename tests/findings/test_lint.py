"""The lint of denominators: it finds each mistake, and none in what is shipped."""

from __future__ import annotations

import csv
from dataclasses import replace
from importlib import resources
from typing import Any

import pytest

from perfolio.common.units import quantity
from perfolio.findings.report.scorecard import LEVELS, load_scorecard, make_scorecard
from perfolio.findings.report.share_lint import CHECKS, DIVISIONS, find_share_faults
from perfolio.findings.rules.catalog import load_rules
from perfolio.metrics.model import Metric
from tests.findings.definitions import lint_definitions, lint_hardware
from tests.findings.support import metrics, results


def made(sql: str, **changes: Any) -> Metric:
    return replace(metrics()["time.gpu_utilisation"], name="a.made", sql=sql, **changes)


def hardware() -> list[dict[str, object]]:
    text = resources.files("perfolio.store").joinpath("hardware.csv").read_text("utf-8")
    return [
        {key: _number(cell) for key, cell in row.items()}
        for row in csv.DictReader(text.splitlines())
    ]


def _number(cell: str) -> object:
    try:
        return float(cell)
    except ValueError:
        return cell or None


def test_no_metric_divides_different_kinds_of_seconds() -> None:
    assert lint_definitions(metrics().values()) == ()


@pytest.mark.parametrize(
    "sql",
    [
        "SELECT total_of(cpu_event_of()) / (stop - start) AS value FROM cpu_trace_span",
        "SELECT total_of('gpu_operation_time') / total_of('cpu_time') AS value",
        "SELECT total_of('gpu_operation_time') / (stop - start) AS value FROM traced_span",
    ],
)
def test_a_share_of_other_seconds_is_found(sql: str) -> None:
    (fault,) = lint_definitions([made(sql)])
    assert fault.where == "a.made"
    assert lint_definitions([made(sql, title="GPU busy, at most")]) == (), "a bound may"
    assert lint_definitions([made(sql, unit="threads")]) == (), "threads at once are no share"


def test_what_bytes_from_caches_would_take_is_no_share() -> None:
    """An operator may be faster than all its bytes could cross memory: a factor, beyond 1."""
    units = {each.name: each.unit for each in metrics()["roofline.operators"].columns}
    assert units["roof_most"] == "x"
    assert units["share"] == "ratio"


def test_the_named_wrong_formulas_would_be_found() -> None:
    """The lint spares `seed.` by name alone: the formula itself is a fault."""
    wrong = metrics()["seed.gpu_cpu_ratio"]
    assert lint_definitions([wrong]) == ()
    assert len(lint_definitions([replace(wrong, name="gpu.ratio")])) == 1


def test_the_hardware_table_is_dense_and_one_way() -> None:
    assert len(hardware()) > 10
    assert lint_hardware(hardware()) == ()


def test_both_directions_and_sparse_peaks_are_found() -> None:
    both = {"name": "x", "pcie_generation": 4, "link_bandwidth": 64e9}
    sparse = {"name": "y", "tf32_flops": 494.7e12, "fp16_flops": 1978.9e12}
    faults = lint_hardware([both, sparse, {"name": "z"}])
    assert [(fault.where, fault.says.partition(" is ")[0]) for fault in faults] == [
        ("x", "6.4e+10 B/s"),
        ("y", "fp16_flops"),
    ]


def test_parts_beyond_their_whole_are_found() -> None:
    rows = [{"operation": "copies", "share": 0.6}, {"operation": "kernels", "share": 0.6}]
    faults = find_share_faults(results({"gpu.copy_share": 1.4}, {"gpu.composition": rows}))
    assert {fault.where for fault in faults} == {"gpu.copy_share", "gpu.composition"}


def test_parts_that_sum_are_fine() -> None:
    rows = [{"operation": "copies", "share": 0.5}, {"operation": "kernels", "share": 0.5}]
    assert find_share_faults(results({"gpu.copy_share": 0.5}, {"gpu.composition": rows})) == ()


def test_the_divisions_are_tables_with_shares() -> None:
    for name in DIVISIONS:
        assert "share" in {column.name for column in metrics()[name].columns}


def test_the_scorecard_shows_what_the_lint_finds() -> None:
    given = results({"time.wall": 100.0})
    (good,) = [s for s in make_scorecard(given, {}, ()) if s.key == "denominators"]
    assert good.level == "good"
    assert all(words in good.says for words in CHECKS)
    faults = lint_hardware([{"name": "x", "pcie_generation": 4, "link_bandwidth": 64e9}])
    first = make_scorecard(given, {}, faults)[0]
    assert (first.key, first.level) == ("denominators", "serious")
    assert "x: 6.4e+10 B/s" in first.says


@pytest.mark.parametrize(
    ("measured", "key", "level"),
    [
        ({"time.wall": 129.0}, "duration", "good"),
        ({"time.wall": 3.0}, "duration", "limited"),
        ({"gpu.operation_time": 1.0}, "duration", "serious"),
        ({"sampling.metrics_listed": 24.0}, "serialised", "limited"),
        ({"time.repaired": 7.0, "time.gpu_operations": 9.0}, "repaired", "good"),
        (
            {
                "time.iteration_variation": 1.5,
                "time.iterations": 9.0,
                "time.steady_iterations": 8.0,
            },
            "variation",
            "serious",
        ),
        ({"gpu.operation_time": 1.0}, "unseen", "unknown"),
        ({"gpu.operation_time": 1.0, "run.unseen_products": 4.0}, "unseen", "serious"),
        ({"gpu.operation_time": 1.0, "compute.missing_products": 118e-6}, "unseen", "serious"),
        ({"gpu.operation_time": 1.0, "compute.missing_products": 0.0}, "unseen", "unknown"),
        ({"run.trace_points": 9.0}, "no_values", "limited"),
        ({"cpu.late_waits": 0.37, "time.sample_distance": 5e-3}, "late_waits", "limited"),
        ({"cpu.late_waits": 0.1, "time.sample_distance": 5e-3}, "late_waits", "limited"),
        ({"cpu.late_waits": 0.0, "time.sample_distance": 5e-3}, "late_waits", "good"),
        ({"cpu.python_waits": 10.2}, "python_waits", "limited"),
    ],
)
def test_scores(measured: dict[str, float], key: str, level: str) -> None:
    found = {score.key: score for score in make_scorecard(results(measured), {}, ())}
    assert found[key].level == level
    assert found[key].effect


@pytest.mark.parametrize("share", [0.01, 0.09])
@pytest.mark.parametrize(
    "more", [{}, {"time.profiler_idle": 11.95}, {"time.data_dropped_share": 0.812}]
)
def test_the_profilers_calls_are_by_samples_and_no_bound(
    share: float, more: dict[str, float]
) -> None:
    """9.0 % by samples, where the interval of the main thread's part begins at 8.5 %."""
    found = make_scorecard(results({"time.profiler_share": share, **more}), {}, ())
    (overhead,) = [score for score in found if score.key == "overhead"]
    assert "By samples, threads that launch GPU operations were in" in overhead.says
    assert f"{quantity(share, 'ratio')} of the wall time" in overhead.says
    assert "at least" not in overhead.says


def test_most_of_the_work_came_late_is_serious() -> None:
    given = results({"cpu.late_share": 0.523, "time.sample_distance": 5.3e-3})
    (late,) = [score for score in make_scorecard(given, {}, ()) if score.key == "late"]
    assert (late.level, "5.30 ms apart" in late.says) == ("serious", True)


@pytest.mark.parametrize(("distance", "suspected"), [(0.26e-3, True), (5.3e-3, False)])
def test_the_profiler_is_suspected_where_it_samples_often(distance: float, suspected: bool) -> None:
    given = results({"cpu.late_share": 0.423, "time.sample_distance": distance})
    (late,) = [score for score in make_scorecard(given, {}, ()) if score.key == "late"]
    assert late.level == "limited"
    assert ("260.0 µs apart" in late.says, "10 ms apart" in late.effect) == (suspected, suspected)
    given = results({"cpu.late_waits": 0.41, "time.sample_distance": distance})
    (waits,) = [score for score in make_scorecard(given, {}, ()) if score.key == "late_waits"]
    assert waits.level == "limited"
    assert ("260.0 µs apart" in waits.says, "profiler" in waits.effect) == (suspected, suspected)


def test_hopper_makes_lower_bounds_of_kernels() -> None:
    run = {"hardware": {"compute_capability": 9.0}, "settings": {"simulated": "true"}}
    found = {s.key: s for s in make_scorecard(results({"gpu.operation_time": 1.0}), run, ())}
    assert (found["unseen"].level, found["origin"].level) == ("limited", "serious")
    assert "lower bounds" in found["unseen"].effect


def test_scores_are_ordered_and_every_metric_of_the_file_exists() -> None:
    levels = [score.level for score in make_scorecard(results({"time.wall": 1.0}), {}, ())]
    assert levels == sorted(levels, key=LEVELS.index)
    assert {entry.metric for entry in load_scorecard()} - {""} <= set(metrics())
    assert load_rules()


@pytest.mark.parametrize(("nvidia", "how"), [(0.0, "rocprofv3"), (1.0, "hpcstruct")])
def test_the_scorecard_says_how_kernels_get_their_names(nvidia: float, how: str) -> None:
    given = results({"gpu.unnamed_share": 0.5, "run.nvidia_gpu": nvidia})
    (unnamed,) = [score for score in make_scorecard(given, {}, ()) if score.key == "unnamed"]
    assert unnamed.says.startswith("50.0 % of kernel time")
    assert how in unnamed.effect
    named = make_scorecard(results({"gpu.unnamed_share": 0.0, "run.nvidia_gpu": nvidia}), {}, ())
    assert "unnamed" not in {score.key for score in named}
