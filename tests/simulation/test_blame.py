"""Idle time of simulated runs by what the host did, against their truth.

Gaps for input data last from a tenth of the samples' period to a hundred of them. The truth counts
the idle time in phase data of all iterations, the report that of the steady ones.
"""

from __future__ import annotations

import pytest

from tests.kit.samples import results_at, simulated_sample

_TIMES = ("iterations", "idle", "sampling_gaps", "profiler", "host")


@pytest.mark.slow
@pytest.mark.parametrize(
    ("name", "ranks", "share", "function"),
    [
        ("eight-ranks", 8, 0.0395, "__next__"),
        ("transformer", 1, 0.0577, "get_batch"),
        ("amd-mi300x", 1, 0.0716, "__next__"),
        ("dlrm-h100-timed", 1, 0.9965, "generate_uniform_input_batch"),
    ],
)
def test_idle_time_for_input_data_is_true(
    name: str, ranks: int, share: float, function: str
) -> None:
    made = simulated_sample(name)
    found = results_at(made.folder)
    iterations = made.truth["iterations"]
    idle = made.truth["idle_by_phase"]["data"] / ranks / iterations["count"]
    true = idle / iterations["gpu_median"]
    assert true == pytest.approx(share, abs=5e-5)
    result = found["time.data_share"]
    if result.low is None or result.high is None:
        # A gap has in it the launch that ends it, and the first iteration is left out.
        assert result.value == pytest.approx(true, rel=0.01)
    else:
        assert 0.99 * result.low <= true <= 1.01 * result.high
        assert result.high - result.low < max(0.6 * true, 0.005)
    rows = found["time.typical_iteration"].records()
    assert [row["name"] for row in rows if row["line"] == "CPU"] == [function]
    if true > 0.05:
        workers = found["target.workers"].records()[0]
        assert float(workers["prepare"] or 0) == pytest.approx(idle, rel=0.2)


@pytest.mark.slow
@pytest.mark.parametrize("name", ["dlrm-h100-gpu-data", "dlrm-h100-pinned", "transformer"])
def test_idle_time_of_phases_is_true_where_samples_are_few(name: str) -> None:
    """A gap ends with an operation whose path tells the phase: within 15 % or 30 us."""
    made = simulated_sample(name)
    rows = results_at(made.folder)["time.iteration_phases"].records()
    idle = {row["phase"]: float(row["gpu_idle"] or 0.0) for row in rows}
    truth, count = made.truth["idle_by_phase"], made.truth["iterations"]["count"]
    for phase in ("backward", "optimizer"):
        assert idle[phase] == pytest.approx(truth[phase] / count, rel=0.15, abs=30e-6)


@pytest.mark.slow
@pytest.mark.parametrize("name", ["eight-ranks", "dlrm-h100"])
def test_each_moment_without_an_operation_is_in_one_period(name: str) -> None:
    """All idle time is there once, on every page, and a typical iteration has what it truly has."""
    made = simulated_sample(name)
    found = results_at(made.folder)
    truth, rows = made.truth, found["time.idle_parts"].records()
    idle = sum(truth[part] for part in ("idle_before", "idle_between", "idle_after"))
    periods = {row["period"]: {key: float(row[key] or 0) for key in _TIMES} for row in rows}
    assert sum(row["idle"] for row in periods.values()) == pytest.approx(idle, rel=1e-6)
    for row in periods.values():
        parts = row["sampling_gaps"] + row["profiler"] + row["host"]
        assert parts == pytest.approx(row["idle"], abs=1e-9)
    phases = {row["phase"]: row for row in found["time.phases"].records()}
    for phase, period in (("start-up", "start-up"), ("warm-up", "warm-up"), ("tail", "end")):
        length, busy = (float(phases[phase][key] or 0) for key in ("duration", "gpu_busy"))
        assert periods[period]["idle"] == pytest.approx(length - busy, abs=1e-6)
    typical = periods["typical iterations"]
    each = typical["idle"] / typical["iterations"]
    true = truth["iterations"]["gpu_median"] - truth["iteration_busy_median"]
    assert each == pytest.approx(true, rel=0.05)
    shown = {row["part"]: float(row["time"] or 0) for row in found["time.wall_parts"].records()}
    assert sum(shown.values()) == pytest.approx(truth["wall"], rel=1e-6)
    for part, period in (
        ("start-up", "start-up"),
        ("warm-up", "warm-up"),
        ("end of the run", "end"),
    ):
        assert shown[f"GPU idle: {part}"] == pytest.approx(periods[period]["host"], rel=1e-9)
    own, listed = found["time.profiler_idle"].value, found["sampling.metrics_listed"].value
    assert (own is None) == bool(listed), "no library of the profiler was sampled beside PC samples"
    assert shown.get("GPU idle: the profiler", 0.0) == pytest.approx(own or 0.0, abs=1e-9)
