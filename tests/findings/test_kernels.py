"""Sums over kernels are bounds: whatever is unknown counts as saved."""

from __future__ import annotations

from dataclasses import replace

import pytest
from hypothesis import given
from hypothesis import strategies as st

from perfolio.findings.estimates import kernel_shares
from perfolio.findings.estimates.kernel_shares import KernelShares, read_kernels, weigh_kernels
from tests.findings.support import results

SHARES = st.floats(0.0, 1.0)
UNKNOWN = st.none() | SHARES
KERNELS = st.builds(
    KernelShares,
    share=st.floats(0.0, 0.1),
    stalled=UNKNOWN,
    samples=st.none() | st.floats(1.0, 1e6),
    occupancy=UNKNOWN,
    reasons=st.dictionaries(st.sampled_from(["gmem", "idep"]), SHARES),
)


@given(KERNELS)
def test_no_reason_saves_more_than_all_stalls(kernel: KernelShares) -> None:
    hidden = kernel_shares.hide_latency(kernel, "gmem")
    gone = kernel_shares.remove_stalls(kernel, "gmem")
    everything, filled = kernel_shares.remove_all_stalls(kernel), kernel_shares.fill_warps(kernel)
    for end in ("low", "value", "high"):
        h, g, e, f = (getattr(each, end) for each in (hidden, gone, everything, filled))
        assert 0.0 <= h <= g <= e + 1e-12 <= 1.0 + 1e-12
        assert 0.0 <= f <= 1.0
        if kernel.occupancy is not None and kernel.occupancy >= 0.125:
            assert f <= e + 1e-12, "each scheduler has a warp: what saves is less stalling"


@given(KERNELS)
def test_ends_lie_around_the_value(kernel: KernelShares) -> None:
    for found in (
        kernel_shares.remove_all_stalls(kernel),
        kernel_shares.remove_stalls(kernel, "gmem"),
        kernel_shares.hide_latency(kernel, "gmem"),
        kernel_shares.fill_warps(kernel),
        kernel_shares.measure_waits(kernel, "gmem"),
        weigh_kernels([kernel], kernel_shares.remove_all_stalls),
    ):
        assert 0.0 <= found.low <= found.value <= found.high <= 1.0


def test_one_kernel_has_the_interval_of_its_own_samples() -> None:
    """20 of 100: 13.3 % to 28.9 %, and a kernel of half the time has half of that."""
    kernel = KernelShares(1.0, 0.4, 100.0, None, {"gmem": 0.5})
    alone = kernel_shares.remove_stalls(kernel, "gmem")
    assert (alone.low, alone.value, alone.high) == pytest.approx((0.1334, 0.2, 0.2888), abs=1e-4)
    summed = weigh_kernels(
        [replace(kernel, share=0.5), KernelShares(0.5, 0.0, 1e9)], kernel_shares.remove_all_stalls
    )
    own = kernel_shares.remove_all_stalls(kernel)
    assert summed.value == pytest.approx(0.5 * own.value)
    assert summed.high == pytest.approx(0.5 * own.high, abs=1e-6)


def test_errors_of_several_kernels_add_up_in_squares() -> None:
    """Four like kernels of a quarter each: half the error of one with as many samples."""
    one = weigh_kernels([KernelShares(1.0, 0.5, 400.0)], kernel_shares.remove_all_stalls)
    four = weigh_kernels([KernelShares(0.25, 0.5, 400.0)] * 4, kernel_shares.remove_all_stalls)
    assert four.high - 0.5 == pytest.approx(0.5 * (one.high - 0.5))
    assert 0.5 - four.low == pytest.approx(0.5 * (0.5 - one.low))


@given(SHARES, SHARES, SHARES)
def test_elimination_grows_with_the_share_of_the_reason(stalled: float, a: float, b: float) -> None:
    low, high = (KernelShares(1.0, stalled, reasons={"gmem": share}) for share in sorted((a, b)))
    for saved in (kernel_shares.remove_stalls, kernel_shares.hide_latency):
        assert saved(low, "gmem").value <= saved(high, "gmem").value


@given(SHARES, SHARES)
def test_hiding_saves_no_more_than_eliminating(stalled: float, share: float) -> None:
    kernel = KernelShares(1.0, stalled, reasons={"gmem": share})
    hidden = kernel_shares.hide_latency(kernel, "gmem").value
    assert hidden <= kernel_shares.remove_stalls(kernel, "gmem").value
    assert hidden <= 0.5


@given(SHARES, UNKNOWN, SHARES, SHARES)
def test_more_occupancy_leaves_less_to_gain(
    share: float, stalled: float, a: float, b: float
) -> None:
    low, high = (KernelShares(share, stalled, occupancy=occupancy) for occupancy in sorted((a, b)))
    assert kernel_shares.fill_warps(high).value <= kernel_shares.fill_warps(low).value


def test_fewer_warps_than_schedulers_leave_some_that_give_no_sample() -> None:
    """One warp of 64 on four schedulers, half of its samples stalled: up to 63/64 can be saved."""
    saved = kernel_shares.fill_warps(KernelShares(1.0, 0.5, occupancy=1 / 64))
    assert saved.value == pytest.approx(1 - 0.5 * 8 / 64)


@given(KERNELS)
def test_waits_are_known_stalls(kernel: KernelShares) -> None:
    assert kernel_shares.measure_waits(kernel).value == pytest.approx(kernel.stalled or 0.0)
    if "gmem" not in kernel.reasons:
        assert kernel_shares.measure_waits(kernel, "gmem").high == 0.0


@given(st.lists(KERNELS, max_size=10))
def test_a_sum_is_a_share_and_no_smaller_than_any_of_its_parts(listed: list[KernelShares]) -> None:
    saved = weigh_kernels(listed, kernel_shares.remove_all_stalls)
    for kernel in listed:
        own = kernel_shares.remove_all_stalls(kernel)
        assert saved.value >= kernel.share * own.value - 1e-12
        assert saved.high >= kernel.share * own.high - 1e-12


@given(st.lists(KERNELS, max_size=10))
def test_knowing_more_never_raises_a_bound(listed: list[KernelShares]) -> None:
    vague = [KernelShares(kernel.share) for kernel in listed]
    known, unknown = (
        weigh_kernels(each, kernel_shares.remove_all_stalls) for each in (listed, vague)
    )
    assert known.high <= unknown.high + 1e-12


def test_time_that_the_table_leaves_out_counts_as_saved() -> None:
    assert weigh_kernels(
        [KernelShares(0.9, 0.5)], kernel_shares.remove_all_stalls
    ).value == pytest.approx(0.55)


def test_kernels_are_joined_by_their_short_name() -> None:
    given_results = results(
        tables={
            "gpu.kernels": [
                {"kernel": "void a<int>(int*)", "short": "a", "share": 0.6, "stalled": 0.5},
                {"kernel": "void b<int>(int*)", "short": "b", "share": 0.4},
            ],
            "stall.kernels": [{"kernel": "a", "gmem": 0.25}],
        }
    )
    first, second = read_kernels(given_results)
    assert (first.stalled, first.reasons["gmem"]) == (0.5, 0.25)
    assert (second.stalled, second.occupancy, dict(second.reasons)) == (None, None, {})


def test_there_are_none_where_their_times_are_not_measured() -> None:
    assert read_kernels(results()) == ()
