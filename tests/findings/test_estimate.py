"""Bounds hold for any measurement: between nothing and everything, never above Amdahl."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from generator.findings import estimate
from generator.findings.estimate import ESTIMATORS
from tests.findings.support import results

SHARES = st.floats(0.0, 1.0)
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
    saved = estimate.amdahl(affected, local)
    assert 0.0 <= saved <= min(max(affected, 0.0), 1.0)


@given(SHARES, SHARES, SHARES)
def test_amdahl_grows_with_both_shares(affected: float, small: float, large: float) -> None:
    low, high = sorted((small, large))
    assert estimate.amdahl(affected, low) <= estimate.amdahl(affected, high)
    assert estimate.amdahl(low, affected) <= estimate.amdahl(high, affected)


@given(ANY, ANY, ANY)
def test_the_links_rate_saves_a_share_of_the_copies(
    seconds: float, moved: float, rate: float
) -> None:
    assert 0.0 <= estimate.at_full_rate(seconds, moved, rate) <= 1.0


@given(st.floats(1e-6, 1e3), st.floats(0.0, 1e12), st.floats(0.0, 1e12))
def test_more_bytes_in_the_same_time_leave_less_to_gain(seconds: float, a: float, b: float) -> None:
    low, high = sorted((a, b))
    assert estimate.at_full_rate(seconds, high, 63e9) <= estimate.at_full_rate(seconds, low, 63e9)


def test_copies_at_the_links_rate_have_nothing_to_gain() -> None:
    assert estimate.at_full_rate(2.0, 126e9, 63e9) == 0.0
    assert estimate.at_full_rate(2.0, 63e9, 63e9) == pytest.approx(0.5)


@given(st.floats(allow_nan=False))
def test_balance_saves_less_than_everything(imbalance: float) -> None:
    assert 0.0 <= estimate.balanced(imbalance) <= 1.0


@given(st.floats(1.0, 1e6), st.floats(1.0, 1e6))
def test_balance_grows_with_imbalance(a: float, b: float) -> None:
    low, high = sorted((a, b))
    assert estimate.balanced(low) <= estimate.balanced(high)


def test_a_fifth_less_is_a_factor_of_five_quarters() -> None:
    assert estimate.factor(0.2) == pytest.approx(1.25)


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


def test_each_estimator_is_tested_here() -> None:
    assert set(ESTIMATORS) == {*ON_KERNELS, *ON_COPIES, "balance"}
