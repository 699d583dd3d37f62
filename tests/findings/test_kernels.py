"""Sums over kernels are bounds: whatever is unknown counts as saved."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from generator.findings import kernels
from generator.findings.kernels import Kernel, kernels_of, weighted
from tests.findings.support import results

SHARES = st.floats(0.0, 1.0)
UNKNOWN = st.none() | SHARES
KERNELS = st.builds(
    Kernel,
    share=st.floats(0.0, 0.1),
    stalled=UNKNOWN,
    occupancy=UNKNOWN,
    reasons=st.dictionaries(st.sampled_from(["gmem", "idep"]), SHARES),
)


@given(KERNELS)
def test_no_reason_saves_more_than_all_stalls(kernel: Kernel) -> None:
    hidden = kernels.latency_hiding(kernel, "gmem")
    gone = kernels.elimination(kernel, "gmem")
    assert 0.0 <= hidden <= gone <= kernels.all_stalls(kernel) <= 1.0
    assert 0.0 <= kernels.more_warps(kernel) <= kernels.all_stalls(kernel)


@given(SHARES, SHARES, SHARES)
def test_elimination_grows_with_the_share_of_the_reason(stalled: float, a: float, b: float) -> None:
    low, high = (Kernel(1.0, stalled, None, {"gmem": share}) for share in sorted((a, b)))
    assert kernels.elimination(low, "gmem") <= kernels.elimination(high, "gmem")
    assert kernels.latency_hiding(low, "gmem") <= kernels.latency_hiding(high, "gmem")


@given(SHARES, UNKNOWN, SHARES, SHARES)
def test_more_occupancy_leaves_less_to_gain(
    share: float, stalled: float, a: float, b: float
) -> None:
    low, high = (Kernel(share, stalled, occupancy) for occupancy in sorted((a, b)))
    assert kernels.more_warps(high) <= kernels.more_warps(low)


@given(st.lists(KERNELS, max_size=10))
def test_a_sum_is_a_share_and_no_smaller_than_any_of_its_parts(listed: list[Kernel]) -> None:
    saved = weighted(listed, kernels.all_stalls)
    assert 0.0 <= saved <= 1.0
    for kernel in listed:
        assert saved >= kernel.share * kernels.all_stalls(kernel) - 1e-12


@given(st.lists(KERNELS, max_size=10))
def test_knowing_more_never_raises_a_bound(listed: list[Kernel]) -> None:
    vague = [Kernel(kernel.share) for kernel in listed]
    assert weighted(listed, kernels.all_stalls) <= weighted(vague, kernels.all_stalls) + 1e-12


def test_time_that_the_table_leaves_out_counts_as_saved() -> None:
    assert weighted([Kernel(0.9, 0.5)], kernels.all_stalls) == pytest.approx(0.55)


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
    first, second = kernels_of(given_results)
    assert (first.stalled, first.reasons["gmem"]) == (0.5, 0.25)
    assert (second.stalled, second.occupancy, dict(second.reasons)) == (None, None, {})


def test_there_are_none_where_their_times_are_not_measured() -> None:
    assert kernels_of(results()) == ()
