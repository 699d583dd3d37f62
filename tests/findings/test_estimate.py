"""Bounds hold for any measurement, never above Amdahl; the published pairs follow from them."""

from __future__ import annotations

import math
import re
from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from perfolio.findings.estimates import bound_formulas, kernel_shares
from perfolio.findings.estimates.estimator_catalog import load_estimators
from perfolio.findings.estimates.kernel_shares import KernelShares
from perfolio.findings.estimates.time_ledger import read_ledger
from perfolio.findings.model.change_effect import compute_saved
from perfolio.findings.model.denominator import BoundWhole
from perfolio.findings.model.finding import Estimate, Refusal, choose_factor
from perfolio.findings.rules.catalog import load_rules
from perfolio.metrics.model import Results
from tests.findings.support import cases, results

RULES = load_rules()
SHARES = st.floats(0.0, 1.0, allow_subnormal=False)
SECONDS = st.floats(0.0, 1e6, allow_subnormal=False)
ANY = st.floats(allow_nan=False, allow_infinity=False)
GMEM = "stall.gmem_of_stalls"
ON_KERNELS = ("occupancy", "tensor_cores")
COPIES = {
    "gpu.copy_time": 0.5,
    "transfer.bytes_h2d": 3e9,
    "transfer.bytes_d2h": 1e6,
    "transfer.bandwidth": 6e9,
}
OF_STEPS = (
    "attention_of_steps",
    "fusable_of_steps",
    "input_of_steps",
    "operator_of_steps",
    "optimizer_of_steps",
)
ON_COPIES = ("all_copies", "link_rate")


def cell(
    state: str, time: float, period: str = "steady", *, beside: str = "none", gap: str = ""
) -> dict[str, Any]:
    """A row of time.gpu_ledger."""
    gap = gap or ("other" if state == "idle" else "none")
    return {"gpu": 0, "period": period, "state": state, "beside": beside, "gap": gap,
            "time": time, "number": 0}  # fmt: skip


def taken(worth: Estimate, measured: Any, tables: Any) -> dict[str, float]:
    """What an estimate takes of each state [s]."""
    cells = read_ledger(results(measured, tables))
    states = ("idle", "copy passing", "copy apart", "copy waited for", "kernel")
    of_state = {
        state: compute_saved(worth.effects, [each for each in cells if each.state == state])
        for state in states
    }
    return {state: time for state, time in of_state.items() if time > 0.0}


def bound(name: str, metric: str, value: float, given_results: Results) -> Estimate | None:
    found = load_estimators()[name](metric, value, given_results)
    assert not isinstance(found, Refusal)
    return found


@given(ANY, ANY)
def test_amdahl_saves_no_more_than_the_affected_share(affected: float, local: float) -> None:
    saved = bound_formulas.apply_amdahl(affected, local)
    assert 0.0 <= saved <= min(max(affected, 0.0), 1.0)


@given(SHARES, SHARES, SHARES)
def test_amdahl_grows_with_both_shares(affected: float, small: float, large: float) -> None:
    low, high = sorted((small, large))
    assert bound_formulas.apply_amdahl(affected, low) <= bound_formulas.apply_amdahl(affected, high)
    assert bound_formulas.apply_amdahl(low, affected) <= bound_formulas.apply_amdahl(high, affected)


@given(ANY, ANY, ANY)
def test_the_links_rate_saves_a_share_of_the_copies(
    seconds: float, moved: float, rate: float
) -> None:
    assert 0.0 <= bound_formulas.compute_rate_saving(seconds, moved, rate) <= 1.0


@given(st.floats(1e-6, 1e3), st.floats(0.0, 1e12), st.floats(0.0, 1e12))
def test_more_bytes_in_the_same_time_leave_less_to_gain(seconds: float, a: float, b: float) -> None:
    low, high = sorted((a, b))
    assert bound_formulas.compute_rate_saving(
        seconds, high, 63e9
    ) <= bound_formulas.compute_rate_saving(seconds, low, 63e9)


def test_copies_at_the_links_rate_have_nothing_to_gain() -> None:
    assert bound_formulas.compute_rate_saving(2.0, 126e9, 63e9) == 0.0
    assert bound_formulas.compute_rate_saving(2.0, 63e9, 63e9) == pytest.approx(0.5)


@given(st.floats(allow_nan=False))
def test_balance_saves_less_than_everything(imbalance: float) -> None:
    assert 0.0 <= bound_formulas.compute_balance_saving(imbalance) <= 1.0


@given(st.floats(1.0, 1e6), st.floats(1.0, 1e6))
def test_balance_grows_with_imbalance(a: float, b: float) -> None:
    low, high = sorted((a, b))
    assert bound_formulas.compute_balance_saving(low) <= bound_formulas.compute_balance_saving(high)


@given(ANY, ANY)
def test_time_saved_is_a_share_of_the_whole(saved: float, whole: float) -> None:
    assert 0.0 <= bound_formulas.compute_time_share(saved, whole) <= 1.0


@given(ANY, ANY)
def test_what_hides_is_no_longer_than_itself_nor_than_its_cover(
    exposed: float, cover: float
) -> None:
    found = bound_formulas.hide_time(exposed, cover)
    assert found >= 0.0
    assert found <= max(exposed, 0.0)
    assert found <= max(cover, 0.0)


def test_a_fifth_less_is_a_factor_of_five_quarters() -> None:
    assert Estimate(0.2, BoundWhole("wall"), "", ()).factor == pytest.approx(1.25)


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
    found = bound(name, GMEM, value, given_results)
    if found is None:
        return
    ceiling = part if busy is None else part * busy
    assert 0.0 < found.reduction <= ceiling * (1 + 1e-12)
    assert found.factor <= 1.0 / (1.0 - ceiling) * (1 + 1e-9) if ceiling < 1.0 else True
    assert found.of.words.startswith("GPU-operation time" if busy is None else "run time")
    assert found.assumptions


@pytest.mark.parametrize("name", ON_KERNELS + ON_COPIES)
def test_there_is_no_estimate_without_the_share_that_it_is_a_part_of(name: str) -> None:
    rows = [{"short": "k", "share": 1.0, "stalled": 0.5, "occupancy": 0.5}]
    assert bound(name, GMEM, 0.5, results(COPIES, {"gpu.kernels": rows})) is None


@pytest.mark.parametrize("name", ON_KERNELS)
def test_there_is_no_estimate_without_the_times_of_kernels(name: str) -> None:
    assert bound(name, GMEM, 0.5, results({"gpu.kernel_share": 1.0})) is None


def test_everything_gone_is_no_estimate() -> None:
    assert bound("all_copies", "gpu.copy_to_kernel", 9.0, results({"gpu.copy_share": 1.0})) is None


def test_cpu_cost_of_ranks_is_not_called_run_time() -> None:
    found = bound("balance", "balance.ranks", 1.5, results())
    assert found is not None
    assert found.reduction == pytest.approx(1 / 3)
    assert found.of.words.startswith("the busiest rank's CPU cost")


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
    found = bound(name, GMEM, value, given_results)
    if found is None:
        return
    assert 0.0 < found.reduction <= min(exposed / length, 0.5 / length) * (1 + 1e-12)
    assert found.of.words.startswith(
        "wall time" if traced else "the time from the first to the last"
    )


@given(st.just(0.0) | st.floats(1e-6, 1.0 - 1e-6) | st.just(1.0))
def test_an_idle_gpu_bounds_iterations_at_their_length_over_busy(idle: float) -> None:
    iterating = {"time.steady": 10.0, "time.steady_utilisation": 1.0 - idle}
    found = bound("gpu_idle", "time.steady_idle_share", idle, results(iterating))
    if found is None:
        assert idle in (0.0, 1.0)
        return
    assert found.factor == pytest.approx(1.0 / (1.0 - idle))
    assert found.of.words == "a typical iteration"


SAMPLED = {"time.steady": 11.0, "time.steady_complete": 10.0, "time.steady_utilisation": 0.1,
           "time.iteration_median": 2.0, "sampling.metrics_listed": 24.0,
           "time.sampling_gaps": 2.9}  # fmt: skip
SHORT_GAPS: dict[str, list[dict[str, object]]] = {
    "time.phases": [{"phase": "steady state", "duration": 11.0, "sampling_gaps": 2.8}],
    "time.idle_parts": [
        {"part": "warm-up", "period": "warm-up", "idle": 1.0, "sampling_gaps": 0.1},
        {"part": "iterations", "period": "typical iterations", "idle": 7.0, "sampling_gaps": 1.5},
        {"part": "iterations", "period": "outlying iterations", "idle": 2.0, "sampling_gaps": 0.5},
        {"part": "iterations", "period": "last iteration", "idle": 0.8, "sampling_gaps": 0.8},
    ],
}


@pytest.mark.parametrize(
    ("name", "value"), [("gpu_idle", 0.9), ("blame", 1.0), ("waits", 0.5)], ids=str
)
def test_short_gaps_of_an_iteration_are_those_of_complete_ones(name: str, value: float) -> None:
    """Of 10 s the GPU works for 1 s, and 2 s are short gaps: 30 % is left of a typical iteration.

    The last one, of 1 s, ends before its long gap: it is no typical one, and nearly all short gaps.
    """
    found = load_estimators()[name]("any", value, results(SAMPLED, SHORT_GAPS))
    assert isinstance(found, Estimate)
    assert found.of.words == "a typical iteration of this profiled run"
    assert found.reduction == pytest.approx(0.7)
    assert found.left == pytest.approx(0.3 * 2.0)


@given(SHARES, SECONDS, SECONDS)
def test_blame_saves_no_more_than_the_gaps(share: float, gaps: float, rest: float) -> None:
    wall = gaps + rest
    measured = {"time.wall": wall, "time.gap_time": gaps}
    found = bound("blame", "time.top_blame", share, results(measured))
    if found is None:
        return
    assert 0.0 < found.reduction <= gaps / wall * (1 + 1e-12)
    assert found.reduction == pytest.approx(share * gaps / wall)


def test_without_iterations_an_idle_gpu_bounds_the_run_by_its_gaps() -> None:
    """90 s of start-up are no part of it, nor 2 s of gaps that PC sampling may have made."""
    measured = {"time.wall": 100.0, "time.gap_time": 6.0, "time.sampling_gaps": 2.0}
    found = bound("gpu_idle", "time.steady_idle_share", 0.6, results(measured))
    assert found is not None
    assert found.saved == pytest.approx(4.0)
    assert found.reduction == pytest.approx(4.0 / 98.0)


def test_copies_that_can_run_behind_kernels_are_no_limit() -> None:
    """Of 6 % of the time in a copy alone kernels wait for 2 %, half of it on other streams."""
    measured = {"time.steady": 10.0, "time.steady_utilisation": 0.6,
                "time.iteration_exposed_copy_share": 0.06,
                "time.iteration_copy_wait_share": 0.02}  # fmt: skip
    waits = [{"part": "steady iterations", "share": 0.02, "apart": 0.5}]
    found = bound("gpu_idle", "any", 0.4, results(measured, {"time.copy_waits": waits}))
    assert isinstance(found, Estimate)
    assert found.reduction == pytest.approx(0.4 + 0.04 + 0.01)
    assert found.formula.startswith("1 - (GPU busy - copies that can run behind kernels) / ")
    one_stream = {**measured, "time.iteration_copy_wait_share": 0.06}
    ordered = [{"part": "steady iterations", "share": 0.06, "apart": 0.0}]
    found = bound("gpu_idle", "any", 0.4, results(one_stream, {"time.copy_waits": ordered}))
    assert isinstance(found, Estimate)
    assert found.reduction == pytest.approx(0.4)
    assert "behind" not in found.formula + "".join(found.assumptions)


def test_without_iterations_such_copies_are_no_limit_of_the_run() -> None:
    measured = {"time.wall": 100.0, "time.gap_time": 6.0, "time.exposed_copy": 3.0,
                "time.kernel_busy": 40.0}  # fmt: skip
    waits = [{"part": "run", "copies": 2.0, "apart": 0.25}]
    found = bound("gpu_idle", "any", 0.6, results(measured, {"time.copy_waits": waits}))
    assert isinstance(found, Estimate)
    assert found.saved == pytest.approx(6.0 + 1.0 + 0.5)


def test_copies_run_behind_kernels_no_longer_than_these_run_alone() -> None:
    measured = {"time.wall": 100.0, "time.gap_time": 6.0, "time.exposed_copy": 3.0,
                "time.kernel_busy": 1.0}  # fmt: skip
    waits = [{"part": "run", "copies": 2.0, "apart": 0.25}]
    found = bound("gpu_idle", "any", 0.6, results(measured, {"time.copy_waits": waits}))
    assert isinstance(found, Estimate)
    assert found.saved == pytest.approx(6.0 + 1.0)


def test_the_longest_gap_bounds_an_iteration_and_not_the_run() -> None:
    measured = {"time.iteration_median": 0.734, "time.iteration_longest_gap": 0.6195}
    found = bound("iteration_gap", "time.iteration_gap_share", 0.844, results(measured))
    assert found is not None
    assert found.factor == pytest.approx(0.734 / 0.1145)
    assert found.of.words == "a typical iteration"


@given(SECONDS, SECONDS, SECONDS)
def test_overlap_saves_no_more_than_copies_nor_than_kernels(
    alone: float, both: float, kernels: float
) -> None:
    wall = alone + both + kernels
    measured = {"time.wall": wall, "time.exposed_copy": alone, "time.overlap": both,
                "time.kernel_busy": both + kernels}  # fmt: skip
    found = load_estimators()["overlap"]("time.overlap_share", 0.0, results(measured))
    if isinstance(found, Estimate):
        assert found.reduction * wall <= min(alone, kernels + 1e-9 * wall) * (1 + 1e-9)
        assert found.factor <= 2.0 + 1e-9


@pytest.mark.parametrize("name", ["initialisation", "start_up"])
@given(share=SHARES)
def test_a_part_of_the_wall_time_bounds_what_it_is_worth(name: str, share: float) -> None:
    found = bound(name, "any", share, results({"time.wall": 8.0}))
    assert (found is None) == (share in (0.0, 1.0))
    assert found is None or (found.reduction, found.of.words) == (share, "wall time")


@pytest.mark.parametrize("name", ["blame", "iteration_gap", "overlap"])
def test_without_a_trace_there_is_no_bound_on_wall_time(name: str) -> None:
    assert bound(name, "any", 0.5, results()) is None


def test_copies_are_worth_the_gaps_after_them_and_not_what_kernels_overtake() -> None:
    """Of 0.2 s of iterations copies 40 ms alone, which kernels may wait for in 30; gaps 10 ms.

    Kernels run alone for 20 ms; where copies go, all 30 ms may, and the gaps.
    """
    cells = [cell("copy waited for", 0.03), cell("copy passing", 0.01), cell("kernel", 0.02),
             cell("both", 0.13), cell("idle", 0.007, beside="after copy", gap="launch"),
             cell("idle", 0.003, beside="after copy", gap="other")]  # fmt: skip
    measured = {"time.wall": 30.0, "time.steady": 0.2, "time.iteration_median": 0.002}
    metric = "time.iteration_copy_wait_share"
    found = bound("exposed_copies", metric, 0.15, results(measured, {"time.gpu_ledger": cells}))
    assert found is not None
    assert found.reduction == pytest.approx(0.1)
    assert found.wider == pytest.approx(0.2)
    assert found.saved == pytest.approx(0.02)
    more = [*cells, cell("idle", 0.002, "warm-up", beside="after copy", gap="other")]
    longer = bound("exposed_copies", metric, 0.15, results(measured, {"time.gpu_ledger": more}))
    assert longer is not None
    assert longer.reduction == found.reduction
    assert longer.saved == pytest.approx(0.02)


def test_copies_that_hide_are_worth_the_same_to_two_findings() -> None:
    """Shares are of complete iterations; the last one and the warm-up have copies, too.

    Copies alone take 33 % of these, kernels alone 30 %, gaps 16 %: right after copies 10 %, before
    them 5 %, and in the other 1 % a copy can run as well.
    """
    cells = [cell("copy waited for", 0.33), cell("kernel", 0.3), cell("both", 0.21),
             cell("idle", 0.1, beside="after copy", gap="launch"),
             cell("idle", 0.05, beside="before copy", gap="launch"),
             cell("idle", 0.01, gap="launch"),
             cell("copy waited for", 0.003, "last"), cell("kernel", 0.002, "last")]  # fmt: skip
    measured = {"time.wall": 30.0, "time.steady": 1.005, "time.iteration_median": 0.0022}
    given = results(measured, {"time.gpu_ledger": cells})
    waiting = bound("exposed_copies", "time.iteration_copy_wait_share", 0.33, given)
    hiding = bound("overlap", "time.iteration_overlap_share", 0.0, given)
    assert waiting is not None
    assert hiding is not None
    assert waiting.reduction == pytest.approx(0.3)
    assert waiting.wider == pytest.approx(0.33 + 0.15)
    assert hiding.reduction == pytest.approx(0.3)
    assert hiding.wider == pytest.approx(0.46)
    assert hiding.saved == pytest.approx(0.3 + 0.002), "each where it can hide"
    assert hiding.left == pytest.approx(0.7 * 0.0022)


def test_all_copies_of_the_dlrm_run_are_worth_a_two_thousandth() -> None:
    waits = [{"part": "run", "copies": 0.07486, "gaps": 0.004, "brief": 0.004, "share": 0.0006,
              "gap_share": 0.0}]  # fmt: skip
    given = results({"time.wall": 129.662, "time.kernel_busy": 0.0657}, {"time.copy_waits": waits})
    found = bound("exposed_copies", "time.copy_wait_share", 0.0006, given)
    assert found is not None
    assert found.saved == pytest.approx(0.0657)
    assert found.wider == pytest.approx(0.07886 / 129.662)
    assert found.reduction < 0.001
    assert found.factor < 1.001


def test_a_limit_is_no_gain() -> None:
    """What the GPU's own work allows is a factor of 530; no step of anybody brings that."""
    iterating = {**BLAMED, "time.steady_utilisation": 0.0018855}
    found = bound("gpu_idle", "time.steady_idle_share", 0.9981145, results(iterating))
    assert isinstance(found, Estimate)
    assert (found.kind, round(found.factor)) == ("limit", 530)
    assert found.saved == pytest.approx(0.9981145 * 72.5376)
    assert estimated("blame", 0.7, BLAMED).kind == "gain"


BLAMED = {"time.wall": 129.662, "time.gap_time": 81.782, "time.steady": 72.5376,
          "time.iteration_median": 0.734556, "time.iteration_longest_gap": 0.619403}  # fmt: skip


UNITERATED = {name: BLAMED[name] for name in ("time.wall", "time.gap_time")}


def estimated(name: str, value: float, measured: dict[str, float]) -> Estimate:
    found = bound(name, "any", value, results(measured))
    assert isinstance(found, Estimate)
    return found


LOADING = {**BLAMED, "time.iteration_median": 0.62, "time.iteration_longest_gap": 0.616}
WORKERS = {"target.workers": [{"prepare": 0.616, "rest": 0.004, "workers": 154.0,
                               "with_eight": 0.077, "gain_eight": 8.05}]}  # fmt: skip


def test_blame_bounds_the_idle_time_with_the_function() -> None:
    found = estimated("blame", 0.721719, UNITERATED)
    assert found.reduction == pytest.approx(0.45521, rel=1e-4)
    assert found.saved == pytest.approx(59.0237, rel=1e-4)
    assert found.weaker is None


def test_the_longest_gap_is_bounded_with_8_workers_too() -> None:
    """Batches of 616 ms beside 4 ms: with 8 workers 77 ms of 620 ms are left."""
    for name in ("iteration_gap", "input_data"):
        found = bound(name, "any", 0.9968, results(LOADING, WORKERS))
        assert found is not None
        assert found.weaker == pytest.approx(1.0 - 0.077 / 0.62)
        assert "8 workers" in found.weaker_if
        assert estimated(name, 0.5, BLAMED).weaker is None
    gap = estimated("iteration_gap", 0.84, BLAMED)
    assert gap.saved == pytest.approx(0.619403 / 0.734556 * 72.5376)
    assert gap.left == pytest.approx(0.734556 - 0.619403)


def test_workers_that_hide_all_of_it_are_no_weaker_assumption() -> None:
    """Where a batch takes less than all else, one worker reaches the bound."""
    row = {"prepare": 0.2, "rest": 0.6, "workers": 1.0, "with_eight": 0.6, "gain_eight": 1.33}
    found = bound("input_data", "any", 0.25, results(BLAMED, {"target.workers": [row]}))
    assert found is not None
    assert (found.reduction, found.weaker, found.weaker_if) == (0.25, None, "")


@pytest.mark.parametrize("reasons", [1.0, 24.0])
@pytest.mark.parametrize("name", ["blame", "iteration_gap", "input_data"])
def test_pc_sampling_leaves_neither_workers_nor_a_factor(name: str, reasons: float) -> None:
    """What an iteration does besides its gap is the profiler's then: nothing hides behind that."""
    without, profiled = (
        bound(name, "any", 0.89, results({**LOADING, "sampling.metrics_listed": listed}, WORKERS))
        for listed in (0.0, reasons)
    )
    assert without is not None
    assert profiled is not None
    assert (without.weaker is not None) == (name != "blame")
    assert (profiled.weaker, profiled.told_factor) == (None, None)
    assert (without.told_factor is None) == (without.factor >= 10.0)
    assert profiled.reduction == without.reduction
    assert any("as it was profiled" in words for words in profiled.assumptions)
    assert name == "blame" or profiled.of.words.startswith(
        "a typical iteration of this profiled run"
    )


def test_blame_is_of_iterations_where_there_are_any() -> None:
    """Of 72.5 s of them the GPU is idle for 99.8 %, and the function has 78 % of that at most."""
    iterations: dict[str, float | Sequence[float]] = {
        **BLAMED, "time.steady_utilisation": 0.002, "time.warm_up_iterations": 2.0,
        "time.top_blame": [0.72, 0.70, 0.78],
    }  # fmt: skip
    found = bound("blame", "time.top_blame", 0.72, results(iterations))
    assert found is not None
    assert found.of.words == "a typical iteration"
    assert found.reduction == pytest.approx(0.78 * 0.998)
    assert found.saved == pytest.approx(0.78 * 0.998 * 72.5376), "no warm-up was seen idle"
    assert found.left == pytest.approx((1 - 0.78 * 0.998) * 0.734556)
    rows = [
        {"phase": "warm-up", "duration": 5.0, "gpu_busy": 1.0, "sampling_gaps": 0.0},
        {"phase": "steady state", "duration": 72.5376, "gpu_busy": 0.1, "sampling_gaps": 0.0},
    ]
    warm = bound("blame", "time.top_blame", 0.72, results(iterations, {"time.phases": rows}))
    assert warm is not None
    assert warm.saved == pytest.approx(0.78 * 0.998 * (72.5376 + 2 * 0.734556))


def test_blame_in_iterations_has_no_gaps_that_pc_sampling_may_have_made() -> None:
    measured = {**BLAMED, "time.steady_utilisation": 0.1, "sampling.metrics_listed": 24.0}
    measured["time.steady_complete"] = 72.0
    rows = [{"part": "iterations", "period": "typical iterations", "sampling_gaps": 29.0}]
    found = bound("blame", "time.top_blame", 0.9, results(measured, {"time.idle_parts": rows}))
    assert found is not None
    assert found.reduction == pytest.approx(0.9 - 29.0 / 72.0)
    assert found.of.words == "a typical iteration of this profiled run"


def test_what_makes_batches_on_the_device_copies_none() -> None:
    """Copies of iterations go with the gap, unless input is known to be little.

    Workers end no copies: of input they are in a bound of their own.
    """
    cells = [cell("idle", 0.7, gap="longest"), cell("kernel", 0.295), cell("copy passing", 0.001)]
    beside = cell("idle", 0.004, beside="after copy", gap="launch")
    for name in ("iteration_gap", "input_data"):
        found, little, plain = (
            bound(name, "any", 0.69, results(measured, {"time.gpu_ledger": given}))
            for measured, given in (
                (BLAMED, [*cells, beside]),
                ({**BLAMED, "time.data_share": 0.02}, [*cells, beside]),
                ({**BLAMED, "time.sampling_gaps": 0.03}, [*cells, {**beside, "gap": "sampling"}]),
            )
        )
        assert found is not None
        assert little is not None
        assert plain is not None
        if name == "iteration_gap":
            most, without = found.reduction, plain.reduction
            assert "gaps right" in found.formula
            assert "gaps right" not in plain.formula
        else:
            assert (found.reduction, plain.reduction) == pytest.approx((0.69, 0.69))
            assert found.wider is not None
            assert plain.wider is not None
            most, without = found.wider, plain.wider
            assert "at most 69.5 % of a typical iteration" in " ".join(found.assumptions)
        own = 0.7 if name == "iteration_gap" else 0.69
        assert most == pytest.approx(own + 0.001 + 0.004)
        assert little.reduction == pytest.approx(own)
        assert little.wider is None
        assert without == pytest.approx(own + 0.001), "PC sampling makes such gaps"
        assert "50 µs" in " ".join(found.assumptions)
        assert "50 µs" not in " ".join((*plain.assumptions, *little.assumptions))


def test_input_and_copies_are_no_more_than_idle_time_and_copies() -> None:
    """Of 100 s, 8 idle and 3 in copies: the gap of 2 s between two of them is of input, too.

    A kernel of 2 s that makes input goes with it, and is no idle time.
    """
    rows = [{"phase": "data", "time": 0.009, "share": 0.09, "gpu_busy": 0.002, "gpu_idle": 0.007},
            {"phase": "other", "time": 0.091, "share": 0.91, "gpu_busy": 0.09, "gpu_idle": 0.001},
            ]  # fmt: skip
    cells = [cell("idle", 6.0), cell("idle", 2.0, beside="after copy"), cell("copy passing", 3.0),
             cell("kernel", 89.0)]  # fmt: skip
    tables: dict[str, Any] = {"time.iteration_phases": rows, "time.gpu_ledger": cells}
    found = bound("input_data", "any", 0.09, results(BLAMED, tables))
    assert found is not None
    assert found.reduction == pytest.approx(0.09)
    assert found.wider == pytest.approx(0.08 + 0.03 + 0.02), "and not 0.09 + 0.03 + 0.02"
    less = bound("input_data", "any", 0.06, results(BLAMED, tables))
    assert less is not None
    assert less.reduction == pytest.approx(0.06)
    assert less.wider == pytest.approx(0.06 + 0.03 + 0.02)


def test_input_beyond_all_idle_time_is_bounded_by_that_and_says_so() -> None:
    """Of 100 s, 80 idle, and input 85 by the upper end of its share."""
    cells = [cell("idle", 80.0), cell("kernel", 20.0)]
    measured: Any = {**BLAMED, "time.data_share": [0.8, 0.75, 0.85]}
    given = results(measured, {"time.gpu_ledger": cells})
    found = bound("input_data", "time.data_share", 0.8, given)
    assert found is not None
    assert found.reduction == pytest.approx(0.8)
    assert found.formula.endswith("all of it")
    assert any("not that end" in each for each in found.assumptions)


def test_a_factor_is_told_where_it_says_something() -> None:
    """Not one that rounds to 1, and not 400: what is left says that."""
    told = (choose_factor(saved) for saved in (0.0, 0.004, 0.2, 0.89, 0.9, 0.9977))
    assert list(told) == [None, None, pytest.approx(1.25), pytest.approx(1 / 0.11), None, None]


def test_bounds_of_sampled_shares_take_the_upper_ends_of_their_intervals() -> None:
    value = [0.721719, 0.70, 0.78]
    found = bound(
        "blame", "time.top_blame", value[0], results({**UNITERATED, "time.top_blame": value})
    )
    assert found is not None
    assert found.reduction == pytest.approx(0.78 * 81.782 / 129.662)
    assert found.formula.startswith("upper end of the interval of share")
    assert any("95 % interval 70 to 78 %" in words for words in found.assumptions)
    given_results = results({**BLAMED, "time.data_share": value})
    found = bound("input_data", "time.data_share", value[0], given_results)
    assert found is not None
    assert found.reduction == pytest.approx(0.78)


@given(SHARES, SHARES, SHARES)
def test_an_interval_never_lowers_a_bound(value: float, a: float, b: float) -> None:
    low, high = min(value, a), max(value, b)
    for name, metric in (("blame", "time.top_blame"), ("input_data", "time.data_share")):
        exact = bound(name, metric, value, results(BLAMED))
        sampled = bound(name, metric, value, results({**BLAMED, metric: [value, low, high]}))
        if exact is not None and sampled is not None:
            assert sampled.reduction >= exact.reduction


def refusal(name: str, metric: str, given_results: Results) -> Refusal:
    found = load_estimators()[name](metric, 0.5, given_results)
    assert isinstance(found, Refusal)
    return found


def test_stalls_bound_nothing_and_say_how_long_they_last() -> None:
    """40 of 100 samples are stalls, half of them for memory: 13.3 % to 28.9 % of the kernel."""
    rows = [{"short": "k", "share": 1.0, "stalled": 0.4, "independent": 100.0}]
    tables = {"gpu.kernels": rows, "stall.kernels": [{"kernel": "k", "gmem": 0.5}]}
    found = refusal("stalls", GMEM, results({"gpu.kernel_time": 3.0}, tables))
    assert found.concerned == pytest.approx(0.6)
    assert "20 % (95 % interval 13 to 29 %) of kernel time" in found.reason
    assert "warps on schedulers that have none" in found.reason
    every = refusal("all_stalls", "any", results({"gpu.kernel_time": 3.0}, tables))
    assert every.concerned is None, "all of its cause"
    assert "40 % (95 % interval 31 to 50 %) of kernel time" in every.reason


@pytest.mark.parametrize("name", ["stalls", "all_stalls"])
def test_stalls_say_nothing_without_kernels(name: str) -> None:
    assert load_estimators()[name](GMEM, 0.5, results({"gpu.kernel_time": 1.0})) is None


def test_what_a_warm_up_has_of_it_is_saved_too() -> None:
    rows = [
        {"phase": "warm-up", "duration": 2.7, "gpu_busy": 0.1},
        {"phase": "steady state", "duration": 72.5, "gpu_busy": 0.1},
    ]
    for warm, more in ((1.0, 0.8 * 0.734556), (9.0, 2.6)):
        given = results({**BLAMED, "time.warm_up_iterations": warm}, {"time.phases": rows})
        found = bound("input_data", "any", 0.8, given)
        assert found is not None
        assert found.saved == pytest.approx(0.8 * 72.5376 + more), "no more than is idle there"


def test_gaps_of_a_warm_up_and_before_the_first_iteration_go_as_far_as_is_usual() -> None:
    """Of 2 s in one of the warm-up and 9 s of start-up 0.5 s each; the last one's is shorter."""
    marks = {"warm-up": 2.0, "": 0.6, "incomplete": 0.1}
    rows = [{"iteration": i, "longest_gap": gap, "mark": mark}
            for i, (mark, gap) in enumerate(marks.items())]  # fmt: skip
    cells = [cell("idle", 50.0, gap="longest"), cell("kernel", 50.0), cell("idle", 2.5, "warm-up"),
             cell("idle", 0.2, "last"), cell("idle", 9.0, "before")]  # fmt: skip
    given = results(
        {**BLAMED, "time.iteration_longest_gap": 0.5},
        {"time.iteration_times": rows, "time.gpu_ledger": cells},
    )
    found = bound("iteration_gap", "any", 0.5, given)
    assert found is not None
    assert found.reduction == pytest.approx(0.5)
    assert found.saved == pytest.approx(50.0 + 0.5 + 0.1 + 0.5)


def test_copies_that_are_made_once_neither_hide_nor_hurry() -> None:
    """100 of 105 ms load a model: pinning that costs more than its copies, nothing runs beside."""
    loads = {**COPIES, "time.wall": 4.0, "gpu.copy_share": 0.1, "time.exposed_copy": 0.5,
             "time.kernel_busy": 2.0, "time.overlap": 0.0}  # fmt: skip
    cells = [cell("copy waited for", 0.495, "start-up"), cell("copy waited for", 0.005),
             cell("kernel", 1.9)]  # fmt: skip
    once = {**loads, "time.iteration_exposed_copy": 0.005, "time.steady": 1.905}
    for name in ("link_rate", "overlap"):
        every = bound(name, "any", 0.1, results(loads))
        few = bound(name, "any", 0.1, results(once, {"time.gpu_ledger": cells}))
        assert every is not None
        assert few is not None
        assert every.reduction > 0.1
        assert few.saved == pytest.approx(0.005)
        assert not few.weaker
        assert any("made once" in words for words in few.assumptions)
    found = bound("link_rate", "any", 0.1, results(loads))
    assert found is not None
    needed = 3.001e9 / (0.77 * 6e10)
    assert found.weaker == pytest.approx((0.5 - needed) / 4.0)
    assert "77.0 % of the link's rate" in found.weaker_if


def test_what_links_really_reach_bounds_nothing_where_the_bytes_of_iterations_are_unknown() -> None:
    """485 MB of a model at 4 GB/s, and 20 MB within iterations that could be six times as fast."""
    given = {**COPIES, "time.wall": 4.0, "gpu.copy_share": 0.1, "time.exposed_copy": 0.5,
             "time.iteration_exposed_copy": 0.005, "time.iteration_kernel_alone": 1.9}  # fmt: skip
    found = bound("link_rate", "any", 0.13, results(given))
    assert found is not None
    assert found.reduction > 0.0
    assert found.weaker is None


def test_copies_that_are_made_once_are_no_gain() -> None:
    """The same 5 of 500 ms for both checks: one number for one thing."""
    measured = {**COPIES, "time.wall": 4.0, "time.steady": 0.05}
    cells = [cell("copy waited for", 0.495, "start-up"), cell("copy waited for", 0.005),
             cell("kernel", 0.03), cell("both", 0.015)]  # fmt: skip
    given = results(measured, {"time.gpu_ledger": cells})
    every = bound("exposed_copies", "time.iteration_copy_wait_share", 0.1, given)
    hidden = bound("overlap", "any", 0.125, given)
    assert every is not None
    assert hidden is not None
    assert every.saved == pytest.approx(0.005)
    assert hidden.saved == pytest.approx(0.005)
    assert every.wider is None
    cells[2:] = [cell("kernel", 0.001), cell("both", 0.044)]
    given = results(measured, {"time.gpu_ledger": cells})
    few = bound("exposed_copies", "time.iteration_copy_wait_share", 0.1, given)
    assert few is not None
    assert few.reduction == pytest.approx(0.02)
    assert few.wider == pytest.approx(0.1)


@given(share=SHARES, gaps=SECONDS, rest=SECONDS, median=SECONDS, part=SHARES, steady=SHARES)
def test_a_weaker_assumption_never_allows_more(
    share: float, gaps: float, rest: float, median: float, part: float, steady: float
) -> None:
    wall = gaps + rest
    measured = {"time.wall": wall, "time.gap_time": gaps, "time.steady": steady * wall,
                "time.iteration_median": median, "time.iteration_longest_gap": part * median,
                "time.exposed_copy": gaps, "time.overlap": 0.0,
                "time.kernel_busy": rest}  # fmt: skip
    for name in ("blame", "iteration_gap", "exposed_copies"):
        found = bound(name, "any", share, results(measured))
        if isinstance(found, Estimate) and found.weaker is not None:
            assert 0.0 <= found.weaker <= found.reduction


def test_reordering_is_an_estimate_of_what_was_sampled() -> None:
    """k stalls in 80 % of its samples, all for memory: 20 % issue and can hide as many."""
    rows = [{"short": "k", "share": 0.6, "stalled": 0.8}, {"short": "l", "share": 0.4}]
    tables = {"gpu.kernels": rows, "stall.kernels": [{"kernel": "k", "gmem": 1.0, "sync": 1.0}]}
    given = results({"gpu.kernel_time": 2.0, "time.kernel_busy": 1.0}, tables)
    found = refusal("stalls", GMEM, given)
    assert found.concerned == pytest.approx(0.96), "80 % of the 1.2 s of k, which fit into 1 s"
    assert (
        "By GPA's formula, another order of the same instructions saves at most 12.0 % of kernel "
        "time" in found.reason
    ), "0.6 * 0.2"
    assert "GPA" not in refusal("stalls", "stall.sync_of_stalls", given).reason


GAPS = {"part": "run", "brief": 5.0, "longer": 7.0, "count": 1e4, "busy": 3.0,
        "operations": 1e6}  # fmt: skip
CLOCKED = {"time.wall": 100.0, "sampling.metrics_listed": 0.0}


@pytest.mark.parametrize(
    ("gaps", "saved"),
    [
        (GAPS, 5.0 + 3.0 + 0.32),
        ({**GAPS, "longer": 2.0}, 5.0 + 2.0),
        ({**GAPS, "operations": 2e5}, 2e5 * 32e-6),
    ],
    ids=["what hides behind operations", "all longer gaps", "no more than all launches"],
)
def test_launches_cost_short_gaps_and_longer_ones_that_hide(
    gaps: dict[str, object], saved: float
) -> None:
    """Once the host is ahead, it does what it did in longer gaps while operations run."""
    found = bound("launches", "any", 0.0, results(CLOCKED, {"time.launch_gaps": [gaps]}))
    assert isinstance(found, Estimate)
    assert found.saved == pytest.approx(saved)
    assert found.reduction == pytest.approx(saved / 100.0)
    if saved > 7.0:
        assert (found.weaker, found.weaker_if) == (0.05, "if gaps longer than 32 µs stay")


def test_launches_cost_copies_too_that_can_run_behind_kernels() -> None:
    """Of 10 s of steady iterations 1.5 s in gaps, 0.6 s in a copy alone: kernels wait for 0.2 s
    of it, half of which are on a stream of their own. A warm-up saves 0.5 s more."""
    measured = {**CLOCKED, "time.steady": 10.0, "time.iteration_exposed_copy_share": 0.06,
                "time.iteration_copy_wait_share": 0.02}  # fmt: skip
    gaps = [{**GAPS, "part": "steady iterations", "brief": 1.0, "longer": 0.5, "busy": 8.5},
            {**GAPS, "part": "warm-up", "brief": 0.2, "longer": 9.0, "count": 0.0, "busy": 0.3},
            GAPS]  # fmt: skip
    waits = [{"part": "steady iterations", "share": 0.02, "apart": 0.5, "gap_share": 0.0}]
    tables = {"time.launch_gaps": gaps, "time.copy_waits": waits}
    found = bound("launches", "any", 0.0, results(measured, tables))
    assert isinstance(found, Estimate)
    assert found.reduction == pytest.approx((1.0 + 0.5 + 0.4 + 0.1) / 10.0)
    assert found.weaker == pytest.approx((1.0 + 0.4 + 0.1) / 10.0)
    assert found.saved == pytest.approx(2.0 + 0.5)
    assert taken(found, measured, tables) == {
        "copy passing": pytest.approx(0.4),
        "copy apart": pytest.approx(0.1),
        "idle": pytest.approx(2.0),
    }
    assert "copies that can run behind kernels" in found.formula
    assert "do not add or multiply" in found.assumptions[-1]


def test_launches_cost_copies_of_a_run_without_iterations_too() -> None:
    """Of 6 s in a copy alone, kernels wait for 2 s, a quarter of it on a stream of its own."""
    tables = {
        "time.launch_gaps": [{**GAPS, "busy": 20.0}],
        "time.copy_waits": [{"part": "run", "copies": 2.0, "apart": 0.25}],
    }
    measured = {**CLOCKED, "time.exposed_copy": 6.0}
    found = bound("launches", "any", 0.0, results(measured, tables))
    assert isinstance(found, Estimate)
    assert found.saved == pytest.approx(5.0 + 7.0 + 4.0 + 0.5)
    assert found.weaker == pytest.approx((5.0 + 4.0 + 0.5) / 100.0)
    assert taken(found, measured, tables) == {
        "copy passing": pytest.approx(4.0),
        "copy apart": pytest.approx(0.5),
        "idle": pytest.approx(12.0),
    }


@pytest.mark.parametrize(
    ("measured", "profiled"),
    [
        ({"steps.unprofiled": 0.008}, True),
        ({"steps.unprofiled": 0.0099}, False),
        ({"time.steady_idle_share": 0.5}, True),
        ({"time.steady_idle_share": 0.05}, False),
    ],
)
def test_steps_that_recording_made_longer_are_as_profiled(
    measured: dict[str, Any], profiled: bool
) -> None:
    """A step of 10 ms: by how long one takes without the profiler, else if the GPU waits."""
    given = {**CLOCKED, "time.steady": 1.0, "time.iteration_median": 0.01, **measured}
    tables: dict[str, Any] = {
        "time.launch_gaps": [{**GAPS, "part": "steady iterations"}],
        "time.gpu_ledger": [cell("idle", 0.3, gap="launch"), cell("kernel", 0.7)],
        "operators.functions": [{"operator": "aten::mul"}],
    }
    found = bound("launches", "any", 0.0, results(given, tables))
    assert isinstance(found, Estimate)
    assert found.of.profiled is profiled
    assert any("records each operator" in each for each in found.assumptions) is profiled


def test_launches_hide_what_operations_leave_room_for() -> None:
    """Gaps go that a graph replays; of 7.7 s in the longest ones as much as the GPU works."""
    gaps = [{**GAPS, "part": "steady iterations"}]
    cells = [cell("idle", 0.25, gap="launch"), cell("idle", 0.15, "outlier"),
             {**cell("idle", 7.7, gap="longest"), "number": 1e4}, cell("kernel", 1.43)]  # fmt: skip
    tables: dict[str, Any] = {"time.launch_gaps": gaps, "time.gpu_ledger": cells}
    found = bound("launches", "any", 0.0, results({**CLOCKED, "time.steady": 9.53}, tables))
    assert isinstance(found, Estimate)
    assert found.saved == pytest.approx(0.25 + 0.15 + 1.43 + 0.32)
    assert found.reduction == pytest.approx(2.15 / 9.53)


def test_one_call_in_place_of_a_chain_saves_its_kernels_and_the_gaps_within() -> None:
    chains = {"gpu.fusable_time": 6.0, "gpu.fusable_gaps": 2.0, "time.kernel_busy": 50.0}
    found = bound("fusion", "any", 0.0, results({"time.wall": 100.0, **chains}))
    assert isinstance(found, Estimate)
    assert (found.reduction, found.saved) == (0.08, 8.0)
    overlapped = {**chains, "time.kernel_busy": 5.0, "time.wall": 100.0}
    sampled = {**chains, "time.wall": 110.0, "time.sampling_gaps": 10.0}
    for values, share in ((overlapped, 0.07), (sampled, 0.06)):
        found = bound("fusion", "any", 0.0, results(values))
        assert isinstance(found, Estimate)
        assert found.reduction == pytest.approx(share)


def test_values_that_stay_on_the_chip_save_the_kernels_that_move_them() -> None:
    """Of 40 s in complete iterations all may go; as counted, 70 % of that is bytes."""
    moving = {"time.wall": 100.0, "gpu.moving_time": 40.0, "time.kernel_busy": 90.0}
    found = bound("moving", "any", 0.0, results(moving))
    assert isinstance(found, Estimate)
    assert (found.reduction, found.weaker) == (0.4, None)
    found = bound("moving", "any", 0.0, results({**moving, "roofline.moving_least_share": 0.7}))
    assert isinstance(found, Estimate)
    assert found.reduction == pytest.approx(0.4)
    assert found.weaker == pytest.approx(0.12)
    assert "none is fused" in found.weaker_if


FUSED = {"time.wall": 100.0, "gpu.fusable_time": 6.0, "gpu.fusable_gaps": 2.0,
         "time.kernel_busy": 50.0, "gpu.launches": 1200.0, "time.iterations": 12.0,
         "time.steady_iterations": 10.0, "time.warm_up_iterations": 1.0, "time.steady": 80.0,
         "time.steady_utilisation": 0.6, "time.data_share": 0.5}  # fmt: skip


@pytest.mark.parametrize(
    ("idle", "kernels", "closed"),
    [(32.0, 15.0, 6.0), (3.0, 15.0, 3.0), (32.0, 1.0, 2.0), (32.0, 100.0, 32.0)],
    ids=["what the host spends on 15 of 100 launches", "all idle time", "gaps within", "no more"],
)
def test_fewer_launches_close_gaps_outside_the_chains_too(
    idle: float, kernels: float, closed: float
) -> None:
    """Without input the host works for 40 s of the 80: chains may be the lesser part of a bound."""
    tables = {
        "gpu.fusable": [{"kind": "optimiser", "chains": 1.0, "kernels": kernels}],
        "time.gpu_ledger": [cell("kernel", 48.0), cell("idle", idle),
                            cell("kernel", 2.0, "warm-up"), cell("idle", 5.0, "warm-up")],
    }  # fmt: skip
    found = bound("fusion", "any", 0.0, results(FUSED, tables))
    assert isinstance(found, Estimate)
    assert found.saved == pytest.approx(6.6 + closed * 1.1), "one of the warm-up has chains, too"
    assert found.steady == pytest.approx((6.0 + closed) / 80.0)
    last = bound("fusion", "any", 0.0, results({**FUSED, "time.steady_complete": 75.0}, tables))
    assert isinstance(last, Estimate)
    further = closed if closed > 2.0 else 2.0 * 80.0 / 75.0
    assert last.steady == pytest.approx((6.4 + further) / 80.0), "the last one has chains, too"
    if closed > 3.0:
        assert found.weaker == pytest.approx((6.0 + 2.0) * 1.1 / 100.0)
        assert found.weaker_steady == pytest.approx((6.0 + 2.0) / 80.0)
        assert last.weaker_steady == pytest.approx((6.0 + 2.0) / 75.0), "and gaps within them"
        assert found.weaker_if == "if gaps outside the chains stay"


@pytest.mark.parametrize(
    ("measured", "words"),
    [({"time.wall": 100.0, "sampling.metrics_listed": 24.0}, "PC sampling"), ({}, "traces alone")],
)
def test_launches_are_not_estimated_where_the_data_forbid_it(
    measured: dict[str, float], words: str
) -> None:
    tables = {"time.launch_gaps": [GAPS]} if measured else {}
    found = load_estimators()["launches"]("any", 0.0, results(measured, tables))
    assert isinstance(found, Refusal)
    assert words in found.reason


@pytest.mark.parametrize(
    ("name", "tool"),
    [
        ("fusion", "chains of kernels have no time"),
        ("moving", "memory-bound kernels have no time"),
    ],
)
def test_what_no_database_answers_is_refused(name: str, tool: str) -> None:
    found = load_estimators()[name]("any", 0.5, results({**BLAMED, **COPIES}))
    assert isinstance(found, Refusal)
    assert tool in found.reason


@pytest.mark.parametrize(
    ("name", "whole", "of"),
    [
        ("waiting", "cpu.event_total", "CPU cost of all threads; not of run time"),
        ("hot_function", "cpu.work", "CPU cost of all threads without waiting; not of run time"),
    ],
)
@given(share=SHARES)
def test_cpu_cost_is_never_called_run_time(name: str, whole: str, of: str, share: float) -> None:
    found = load_estimators()[name]("any", share, results({whole: 500.0}))
    assert isinstance(found, Estimate) == (share not in (0.0, 1.0))
    if isinstance(found, Estimate):
        assert found.reduction == share
        assert found.of.words == of
        assert any("without an interval" in each for each in found.assumptions)
        assert found.saved == pytest.approx(500.0 * share)


@pytest.mark.parametrize("name", ["waiting", "hot_function"])
def test_cpu_cost_is_bounded_by_the_upper_end_of_its_interval(name: str) -> None:
    given = results({"cpu.event_total": 500.0, "cpu.work": 400.0, "cpu.waiting_share": 0.5})
    share = replace(given["cpu.waiting_share"], low=0.45, high=0.55, n=380.0)
    found = bound(name, "cpu.waiting_share", 0.5, {**given, "cpu.waiting_share": share})
    assert isinstance(found, Estimate)
    assert found.reduction == 0.55
    assert found.formula.startswith("upper end of the interval of ")
    assert not any("without an interval" in each for each in found.assumptions)


@pytest.mark.parametrize(
    ("span", "of"),
    [("time.wall", "wall time"), ("time.gpu_span", "the time from the first to the last GPU")],
)
def test_gaps_that_pc_sampling_may_have_made_dilute_no_bound(span: str, of: str) -> None:
    """Kernels of 2 s in 10 s with 7 s of short gaps: the run without may last 3 s, not 10 s."""
    tables = {"gpu.kernels": [{"short": "k", "share": 1.0, "stalled": 0.3, "occupancy": 0.5}]}
    plain = {span: 10.0, "time.kernel_busy": 2.0, "gpu.kernel_time": 2.0}
    found = bound("occupancy", "any", 0.5, results(plain, tables))
    assert found is not None
    assert found.reduction == pytest.approx(0.06)
    sampled = results({**plain, "time.sampling_gaps": 7.0}, tables)
    found = bound("occupancy", "any", 0.5, sampled)
    assert found is not None
    assert found.reduction == pytest.approx(0.2)
    assert found.saved == pytest.approx(0.6)
    assert found.of.words.startswith(of)
    assert found.of.words.endswith("without short gaps (PC sampling)")
    assert "of run time even less" not in found.of.words


def test_of_a_span_without_anything_else_operations_are_the_whole() -> None:
    """Nothing but 2 s of kernels is left of 9 s: a share of them is none of the run."""
    tables = {"gpu.kernels": [{"short": "k", "share": 1.0, "stalled": 0.3, "occupancy": 0.5}]}
    span = {"time.gpu_span": 9.0, "time.sampling_gaps": 7.0, "time.unsampled_idle_share": 0.0}
    sums = {"time.kernel_busy": 2.0, "gpu.kernel_time": 2.0, "gpu.kernel_share": 1.0}
    measured = {**span, **sums}
    found = bound("occupancy", "any", 0.5, results(measured, tables))
    assert found is not None
    assert found.of.words.startswith("GPU-operation time; not of run time")


def test_idle_time_that_pc_sampling_may_have_made_is_no_gain() -> None:
    """8 of 10 s idle, 7 of them in short gaps: 1 of 3 s, also for a function with all of it."""
    run = {"time.wall": 10.0, "time.sampling_gaps": 7.0, "time.gap_time": 8.0}
    for name, share in (("gpu_idle", 0.8), ("blame", 1.0)):
        found = bound(name, "any", share, results(run))
        assert found is not None
        assert found.reduction == pytest.approx(1.0 / 3.0)
        assert found.saved == pytest.approx(1.0)


@given(SECONDS, SECONDS)
def test_late_samples_save_no_more_than_the_time_that_they_end(held: float, rest: float) -> None:
    measured = {"time.wall": held + rest, "cpu.held_up": held}
    found = load_estimators()["held_up"]("cpu.late_share", 0.5, results(measured))
    if rest == 0.0 or held + rest <= held:
        assert isinstance(found, Refusal)
        assert "nothing tells how much of the run would be left" in found.reason
    elif found is not None:
        assert isinstance(found, Estimate)
        assert (found.of.words, found.told_factor) == ("wall time", None)
        assert found.saved == pytest.approx(held)


@pytest.mark.parametrize("name", OF_STEPS)
@given(share=SHARES, recorded=SHARES, plain=SHARES)
def test_parts_of_steps_save_no_less_than_their_share(
    name: str, share: float, recorded: float, plain: float
) -> None:
    parts = {"steps.parts": [{"part": "all", "time": recorded, "share": 1.0}]}
    found = load_estimators()[name]("", share, results({"steps.unprofiled": plain}, parts))
    larger = max(share, min(share * recorded / plain, 1.0)) if plain else share
    if plain and share * recorded >= plain:
        assert isinstance(found, Refusal)
    elif not 0.0 < larger < 1.0:
        assert found is None
    else:
        assert isinstance(found, Estimate)
        assert found.reduction == pytest.approx(larger)
        assert found.of.amount is None
        assert found.of.length == (plain or recorded or None)


def test_launches_of_one_block_bound_what_a_whole_grid_saves() -> None:
    plain = {"gpu.kernel_time": 2.0, "time.wall": 10.0, "time.kernel_busy": 2.0}
    tables = {
        "gpu.kernels": [{"short": "k", "share": 1.0}],
        "launch.lone_launches": [{"short": "k", "time": 1.0}],
    }
    found = bound("lone_launches", "launch.lone_share", 0.5, results(plain, tables))
    assert found is not None
    assert found.reduction == pytest.approx(0.1)


def test_an_even_region_saves_what_its_slowest_rank_takes_beyond_the_mean() -> None:
    found = bound("region_balance", "balance.region_share", 0.16, results())
    assert found is not None
    assert found.reduction == pytest.approx(0.16)
    assert found.of.kind == "rank"
    assert bound("region_balance", "balance.region_share", 0.0, results()) is None


@pytest.mark.parametrize("name", load_estimators())
def test_each_estimator_is_seen_in_a_case_of_a_rule_that_names_it(name: str) -> None:
    listed = (cases("cases")[code] for code, rule in RULES.items() if rule.estimator == name)
    worth = [case for own in listed for case in own if {"reduction", "refuses"} & case.keys()]
    assert worth


def test_no_estimator_saves_more_than_everything_on_any_case() -> None:
    for case in (case for listed in cases("cases").values() for case in listed):
        given_results = results(case.get("measured"), case.get("tables"))
        for name, estimator in load_estimators().items():
            found = estimator("any", 0.3, given_results)
            assert not isinstance(found, Estimate) or 0.0 <= found.reduction <= 1.0, name


@given(SHARES, SHARES)
def test_waits_save_the_idle_time_but_not_what_input_takes(busy: float, data: float) -> None:
    measured = {"time.steady": 2.0, "time.steady_utilisation": busy, "time.data_share": data}
    found = load_estimators()["waits"]("gpu.sync_share", 0.5, results(measured))
    saved = min(1.0 - busy, 1.0 - data)
    if found is None:
        assert saved in {0.0, 1.0}
        return
    assert isinstance(found, Estimate)
    assert found.reduction == pytest.approx(saved)
    assert found.saved == pytest.approx(2.0 * saved)


def test_a_host_that_runs_ahead_saves_the_idle_end_of_the_run_as_well() -> None:
    measured = {"time.steady": 2.0, "time.steady_utilisation": 0.9}
    end = {"time.idle_parts": [{"part": "end", "period": "end", "host": 0.05}]}
    found, plain = (
        load_estimators()["waits"]("gpu.sync_share", 0.5, results(measured, tables))
        for tables in (end, {})
    )
    assert isinstance(found, Estimate)
    assert isinstance(plain, Estimate)
    assert [found.reduction, plain.reduction] == pytest.approx([0.1, 0.1])
    assert [found.saved, plain.saved] == pytest.approx([0.25, 0.2])
    warm = {**measured, "time.warm_up_iterations": 2.0, "time.iteration_median": 0.01}
    phases = [{"phase": "warm-up", "duration": 0.1, "gpu_busy": 0.06}]
    first = load_estimators()["waits"](
        "gpu.sync_share", 0.5, results(warm, {**end, "time.phases": phases})
    )
    assert isinstance(first, Estimate)
    assert first.saved == pytest.approx(0.252)
    assert "after the last iteration" in found.assumptions[1]
    assert "after the last iteration" not in " ".join(plain.assumptions)


def test_waits_of_a_run_without_iterations_are_bounded_by_nothing() -> None:
    found = load_estimators()["waits"]("gpu.sync_share", 0.5, results({"time.wall": 2.0}))
    assert isinstance(found, Refusal)


@given(SHARES, st.floats(1e-6, 1e6))
def test_input_data_saves_its_share_of_an_iteration(share: float, steady: float) -> None:
    found = load_estimators()["input_data"](
        "time.data_share", share, results({"time.steady": steady})
    )
    if found is None:
        assert share in (0.0, 1.0)
        return
    assert isinstance(found, Estimate)
    assert found.reduction == pytest.approx(share)
    assert found.of.words.startswith("a typical iteration")
    assert found.saved == pytest.approx(share * steady)


@pytest.mark.parametrize(
    ("code", "metric"),
    [
        ("communication", "communication.exposed_everywhere"),
        ("late_rank", "communication.late_by"),
    ],
)
@given(SECONDS, SECONDS, SECONDS)
def test_ranks_save_no_more_than_they_lose_in_the_steady_state(
    code: str, metric: str, lost: float, rest: float, start_up: float
) -> None:
    """Nor than other kernels run, which communication could hide behind."""
    steady = lost + rest
    measured = {"time.wall": steady + start_up, "time.steady": steady, metric: lost,
                "time.kernel_busy": steady}  # fmt: skip
    gone = min(lost, rest) if code == "communication" else lost
    of_wall = load_estimators()[code]("", 0.5, results(measured))
    of_steps = load_estimators()[code]("", 0.5, results({**measured, "time.iterations": 9.0}))
    for found, whole in ((of_wall, steady + start_up), (of_steps, steady)):
        if found is None or (isinstance(found, Refusal) and rest < 1e-9 * lost):
            continue
        assert isinstance(found, Estimate)
        assert found.of.words == ("wall time" if found is of_wall else "the steady state")
        assert found.reduction == pytest.approx(gone / whole, abs=1e-9)
        assert found.saved == pytest.approx(gone, abs=1e-9 * whole)


def test_a_late_rank_of_a_run_without_gpus_has_no_estimate() -> None:
    found = load_estimators()["late_rank"](
        "balance.straggler_wait", 0.1, results({"time.wall": 8.0})
    )
    assert found is None


def test_kernels_of_iterations_lose_no_larger_share_than_all() -> None:
    """Half of a kernel goes: not all of it from iterations, which have 0.6 of its 1 s."""
    measured = {
        "time.wall": 2.0,
        "time.steady": 0.8,
        "time.steady_utilisation": 0.75,
        "gpu.kernel_time": 1.0,
        "time.kernel_busy": 1.0,
    }
    cells = [cell("kernel", 0.6), cell("kernel", 0.4, "warm-up"), cell("idle", 0.2)]
    rows = [{"short": "k", "share": 1.0, "stalled": 0.9, "occupancy": 0.5}]
    tables = {"time.gpu_ledger": cells, "gpu.kernels": rows}
    found = bound("occupancy", "launch.own_occupancy", 0.5, results(measured, tables))
    assert found is not None
    assert found.saved == pytest.approx(0.5)
    assert found.steady == pytest.approx(0.3 / 0.8), "and not 0.5 of 0.8"
    assert any("warm-up" in each for each in found.assumptions)


def test_unused_warp_slots_are_no_gain_where_stalls_are_unknown() -> None:
    rows = [{"short": "k", "share": 1.0, "occupancy": 0.25}]
    given_results = results({"gpu.kernel_share": 0.5}, {"gpu.kernels": rows})
    found = load_estimators()["occupancy"]("launch.occupancy", 0.25, given_results)
    assert isinstance(found, Refusal)
    assert "PC samples" in found.reason


def test_unused_warp_slots_are_no_gain_where_their_number_is_unknown() -> None:
    """Without the device's name no kernel has an occupancy; what library products leave is none."""
    rows = [{"short": "k", "share": 1.0, "stalled": 0.7}]
    given_results = results({"gpu.kernel_share": 1.0}, {"gpu.kernels": rows})
    assert "the device's name" in refusal("occupancy", "any", given_results).reason
    library = [{**rows[0], "kind": "library product"}]
    given_results = results({"gpu.kernel_share": 1.0}, {"gpu.kernels": library})
    assert bound("occupancy", "any", 0.5, given_results) is None


def test_start_up_is_a_limit() -> None:
    """A run of 100 iterations is nearly all start-up: no factor of 15 follows from that."""
    found = load_estimators()["start_up"]("any", 0.932, results({"time.wall": 27.8}))
    assert isinstance(found, Estimate)
    assert found.kind == "limit"


PAGE = (Path(__file__).resolve().parents[2] / "docs" / "calibration.md").read_text("utf-8")
ROW = re.compile(
    r"^\| (?P<kernel>[\w+, ]+) \| [\w, ]+ \| (?P<estimated>[\d.]+) \| (?P<achieved>[\d.]+) "
    r"\| (?P<miss>[-+]\d+) % \| (?P<share>[\d.]+) % \|$",
    re.MULTILINE,
)
PAIRS = [match.groupdict() for match in ROW.finditer(PAGE)]


def factor(reduction: float) -> float:
    """The speed-up that belongs to a reduction."""
    return Estimate(reduction, BoundWhole("wall"), "", ()).factor


def stalled(share: float) -> KernelShares:
    """A kernel with this share of its samples stalled, all for one reason."""
    return KernelShares(1.0, share, reasons={"any": 1.0})


@pytest.mark.parametrize("pair", PAIRS, ids=[pair["kernel"] for pair in PAIRS])
def test_columns_follow_from_the_pair(pair: dict[str, str]) -> None:
    estimated, achieved = float(pair["estimated"]), float(pair["achieved"])
    assert float(pair["miss"]) == pytest.approx(100 * (achieved / estimated - 1), abs=0.51)
    share = float(pair["share"]) / 100
    assert factor(kernel_shares.remove_stalls(stalled(share), "any").value) == pytest.approx(
        estimated, rel=2e-3
    )


def test_the_summary_is_that_of_the_table() -> None:
    ratios = [float(pair["achieved"]) / float(pair["estimated"]) for pair in PAIRS]
    within = sum(abs(ratio - 1.0) <= 0.1 for ratio in ratios)
    above = sum(ratio > 1.0 for ratio in ratios)
    mean = math.exp(math.fsum(map(math.log, ratios)) / len(ratios))
    assert f"{within} of {len(PAIRS)} estimates are within 10 %" in PAGE
    assert f"{above} of {len(PAIRS)} achieved more" in PAGE
    assert f"{mean:.2f} times the estimate" in PAGE


def test_the_worked_examples_of_the_page() -> None:
    chain = stalled(3 / 4)
    hidden, gone = (
        how(chain, "any").value for how in (kernel_shares.hide_latency, kernel_shares.remove_stalls)
    )
    assert factor(hidden) == pytest.approx(1.33, abs=0.01)
    assert factor(gone) == pytest.approx(4.0)
    assert factor(bound_formulas.apply_amdahl(0.1, 1 - 1 / 3.30)) == pytest.approx(1.07, abs=0.01)
