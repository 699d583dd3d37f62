"""Bounds hold for any measurement: between nothing and everything, never above Amdahl."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from generator.findings import bounds
from generator.findings.estimate import ESTIMATORS
from tests.findings.support import results

SHARES = st.floats(0.0, 1.0)
SECONDS = st.floats(0.0, 1e6)
ANY = st.floats(allow_nan=False, allow_infinity=False)
GMEM = "stall.gmem_of_stalls"
ON_KERNELS = ("all_stalls", "latency_hiding", "occupancy", "stall_elimination")
COPIES = {
    "gpu.copy_time": 0.5,
    "transfer.bytes_h2d": 3e9,
    "transfer.bytes_d2h": 1e6,
    "transfer.bandwidth": 6e9,
}
ON_COPIES = ("all_copies", "link_rate")


@given(ANY, ANY)
def test_amdahl_saves_no_more_than_the_affected_share(affected: float, local: float) -> None:
    saved = bounds.amdahl(affected, local)
    assert 0.0 <= saved <= min(max(affected, 0.0), 1.0)


@given(SHARES, SHARES, SHARES)
def test_amdahl_grows_with_both_shares(affected: float, small: float, large: float) -> None:
    low, high = sorted((small, large))
    assert bounds.amdahl(affected, low) <= bounds.amdahl(affected, high)
    assert bounds.amdahl(low, affected) <= bounds.amdahl(high, affected)


@given(ANY, ANY, ANY)
def test_the_links_rate_saves_a_share_of_the_copies(
    seconds: float, moved: float, rate: float
) -> None:
    assert 0.0 <= bounds.at_full_rate(seconds, moved, rate) <= 1.0


@given(st.floats(1e-6, 1e3), st.floats(0.0, 1e12), st.floats(0.0, 1e12))
def test_more_bytes_in_the_same_time_leave_less_to_gain(seconds: float, a: float, b: float) -> None:
    low, high = sorted((a, b))
    assert bounds.at_full_rate(seconds, high, 63e9) <= bounds.at_full_rate(seconds, low, 63e9)


def test_copies_at_the_links_rate_have_nothing_to_gain() -> None:
    assert bounds.at_full_rate(2.0, 126e9, 63e9) == 0.0
    assert bounds.at_full_rate(2.0, 63e9, 63e9) == pytest.approx(0.5)


@given(st.floats(allow_nan=False))
def test_balance_saves_less_than_everything(imbalance: float) -> None:
    assert 0.0 <= bounds.balanced(imbalance) <= 1.0


@given(st.floats(1.0, 1e6), st.floats(1.0, 1e6))
def test_balance_grows_with_imbalance(a: float, b: float) -> None:
    low, high = sorted((a, b))
    assert bounds.balanced(low) <= bounds.balanced(high)


@given(ANY, ANY)
def test_time_saved_is_a_share_of_the_whole(saved: float, whole: float) -> None:
    assert 0.0 <= bounds.of_time(saved, whole) <= 1.0


@given(ANY, ANY)
def test_what_hides_is_no_longer_than_itself_nor_than_its_cover(
    exposed: float, cover: float
) -> None:
    found = bounds.hidden(exposed, cover)
    assert found >= 0.0
    assert found <= max(exposed, 0.0)
    assert found <= max(cover, 0.0)


def test_a_fifth_less_is_a_factor_of_five_quarters() -> None:
    assert bounds.factor(0.2) == pytest.approx(1.25)


@pytest.mark.parametrize("name", ON_KERNELS + ON_COPIES)
@given(value=SHARES, part=SHARES, stalled=SHARES, busy=st.none() | SHARES)
def test_no_estimate_exceeds_its_part(
    name: str, value: float, part: float, stalled: float, busy: float | None
) -> None:
    share = "gpu.kernel_share" if name in ON_KERNELS else "gpu.copy_share"
    measured = {share: part, **COPIES}
    if busy is not None:
        measured["gpu.busy_at_most"] = busy
    rows = [{"short": "k", "share": 0.7, "stalled": stalled, "occupancy": value}]
    reasons = [{"kernel": "k", "gmem": value}]
    given_results = results(measured, {"gpu.kernels": rows, "stall.kernels": reasons})
    found = ESTIMATORS[name](GMEM, value, given_results)
    if found is None:
        return
    ceiling = part if busy is None else part * busy
    assert 0.0 < found.reduction <= ceiling * (1 + 1e-12)
    assert found.factor <= 1.0 / (1.0 - ceiling) * (1 + 1e-9) if ceiling < 1.0 else True
    assert found.of.startswith("GPU-operation time" if busy is None else "run time")
    assert found.assumptions


@pytest.mark.parametrize("name", ON_KERNELS + ON_COPIES)
def test_there_is_no_estimate_without_the_share_that_it_is_a_part_of(name: str) -> None:
    kernels = {"gpu.kernels": [{"short": "k", "share": 1.0, "stalled": 0.5}]}
    assert ESTIMATORS[name](GMEM, 0.5, results(COPIES, kernels)) is None


@pytest.mark.parametrize("name", ON_KERNELS)
def test_there_is_no_estimate_without_the_times_of_kernels(name: str) -> None:
    assert ESTIMATORS[name](GMEM, 0.5, results({"gpu.kernel_share": 1.0})) is None


def test_everything_gone_is_no_estimate() -> None:
    assert (
        ESTIMATORS["all_copies"]("gpu.copy_to_kernel", 9.0, results({"gpu.copy_share": 1.0}))
        is None
    )


def test_cpu_cost_of_ranks_is_not_called_run_time() -> None:
    found = ESTIMATORS["balance"]("balance.ranks", 1.5, results())
    assert found is not None
    assert found.reduction == pytest.approx(1 / 3)
    assert found.of.startswith("the busiest rank's CPU cost")


@pytest.mark.parametrize("name", ON_KERNELS + ON_COPIES)
@given(
    value=SHARES, part=SHARES, exposed=SECONDS, length=st.floats(1e-6, 1e6), traced=st.booleans()
)
def test_with_a_trace_no_estimate_exceeds_the_part_of_the_clock(
    name: str, value: float, part: float, exposed: float, length: float, traced: bool
) -> None:
    """Amdahl on wall time, or on the GPU span, which is less than the run."""
    whole = "time.wall" if traced else "time.gpu_span"
    clock = {whole: length, "time.kernel_busy": exposed, "time.exposed_copy": exposed}
    sums = {"gpu.kernel_time": 0.5, "gpu.kernel_share": part, "gpu.copy_share": part}
    rows = [{"short": "k", "share": 1.0, "stalled": value, "occupancy": value}]
    given_results = results(
        {**COPIES, **sums, **clock},
        {"gpu.kernels": rows, "stall.kernels": [{"kernel": "k", "gmem": value}]},
    )
    found = ESTIMATORS[name](GMEM, value, given_results)
    if found is None:
        return
    assert 0.0 < found.reduction <= min(exposed / length, 0.5 / length) * (1 + 1e-12)
    assert found.of.startswith("wall time" if traced else "the time from the first to the last")


@given(SHARES)
def test_an_idle_gpu_bounds_the_run_at_wall_over_busy(idle: float) -> None:
    found = ESTIMATORS["gpu_idle"]("time.gpu_idle_share", idle, results())
    if found is None:
        assert idle in (0.0, 1.0)
        return
    assert found.factor == pytest.approx(1.0 / (1.0 - idle))
    assert found.of == "wall time"


@given(SHARES, SECONDS, SECONDS)
def test_blame_saves_no_more_than_the_gaps(share: float, gaps: float, rest: float) -> None:
    wall = gaps + rest
    measured = {"time.wall": wall, "time.gap_time": gaps}
    found = ESTIMATORS["blame"]("time.top_blame", share, results(measured))
    if found is None:
        return
    assert 0.0 < found.reduction <= gaps / wall * (1 + 1e-12)
    assert found.reduction == pytest.approx(share * gaps / wall)


def test_blame_says_what_the_gap_means_for_one_iteration() -> None:
    measured = {"time.wall": 129.662, "time.gap_time": 81.782,
                "time.iteration_median": 0.734, "time.iteration_longest_gap": 0.6195}  # fmt: skip
    found = ESTIMATORS["blame"]("time.top_blame", 0.7217, results(measured))
    assert found is not None
    assert found.of == "wall time"
    assert found.factor == pytest.approx(1.836, rel=1e-3)
    assert "without that gap 114.5 ms remain, a factor of at most 6.41×." in found.assumptions[-1]


def test_the_longest_gap_bounds_an_iteration_and_not_the_run() -> None:
    measured = {"time.iteration_median": 0.734, "time.iteration_longest_gap": 0.6195}
    found = ESTIMATORS["iteration_gap"]("time.iteration_gap_share", 0.844, results(measured))
    assert found is not None
    assert found.factor == pytest.approx(0.734 / 0.1145)
    assert found.of.startswith("a typical iteration; of wall time only as far as")


@given(SECONDS, SECONDS, SECONDS)
def test_overlap_saves_no_more_than_copies_nor_than_kernels(
    alone: float, both: float, kernels: float
) -> None:
    wall = alone + both + kernels
    measured = {"time.wall": wall, "time.exposed_copy": alone, "time.overlap": both,
                "time.kernel_busy": both + kernels}  # fmt: skip
    found = ESTIMATORS["overlap"]("time.overlap_share", 0.0, results(measured))
    if found is not None:
        assert found.reduction * wall <= min(alone, both + kernels) * (1 + 1e-9)
        assert found.factor <= 2.0 + 1e-9


@pytest.mark.parametrize("name", ["exposed_copies", "start_up"])
@given(share=SHARES)
def test_a_part_of_the_wall_time_bounds_what_it_is_worth(name: str, share: float) -> None:
    found = ESTIMATORS[name]("any", share, results())
    assert (found is None) == (share in (0.0, 1.0))
    assert found is None or (found.reduction, found.of) == (share, "wall time")


@pytest.mark.parametrize("name", ["blame", "iteration_gap", "overlap"])
def test_without_a_trace_there_is_no_bound_on_wall_time(name: str) -> None:
    assert ESTIMATORS[name]("any", 0.5, results()) is None


def test_all_copies_of_the_dlrm_run_are_worth_a_two_thousandth() -> None:
    found = ESTIMATORS["exposed_copies"]("time.exposed_copy_share", 0.07486 / 129.662, results())
    assert found is not None
    assert found.reduction < 0.001
    assert found.factor < 1.001


def test_each_estimator_is_tested_here() -> None:
    on_the_clock = {"blame", "exposed_copies", "gpu_idle", "iteration_gap", "overlap", "start_up"}
    assert set(ESTIMATORS) == {*ON_KERNELS, *ON_COPIES, *on_the_clock, "balance"}
