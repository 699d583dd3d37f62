"""Bounds on what fewer kernels save: one call for a chain, and values that stay on the chip.

In:  results: time of such kernels, gaps within chains, idle time, time on the clock.
Out: an `Estimate`, or a `Refusal` where the chains were not timed.

Chains are known of steady iterations; the others are taken to have as many. With fewer launches
the host runs ahead of the GPU, which closes gaps in other places too.
"""

from __future__ import annotations

import math

from perfolio.findings.estimates.assumptions import ON_KERNELS
from perfolio.findings.estimates.bound_formulas import clamp_share
from perfolio.findings.estimates.estimator_catalog import GainEstimator
from perfolio.findings.estimates.removal_gains import make_gain, make_weaker_bound
from perfolio.findings.estimates.time_ledger import IDLE, KERNELS, STEADY, WARM_UP, read_ledger
from perfolio.findings.estimates.wall_clock import find_elapsed, find_sampled_gaps
from perfolio.findings.model.change_effect import CellFilter, ChangeEffect, sum_cells
from perfolio.findings.model.finding import Estimate, Refusal
from perfolio.metrics.metric_values import get_rows, get_value
from perfolio.metrics.model import Results

_CHAINS_UNKNOWN = "Without a trace in which iterations recur, chains of kernels have no time."
_NO_CHAINS = (
    "The chains' kernels and the gaps within them vanish, although one kernel in place of a chain "
    "takes time as well. Iterations that are not steady have as many chains as the others."
)
_AHEAD = (
    "With fewer launches the host runs ahead of the GPU, which closes gaps of iterations in other "
    "places too, also while it prepares input: no more of them than the host's time for these "
    "launches. That is their part of all launches, and of the host's time but for input."
)
_MOVING_UNKNOWN = "Without a trace in which iterations recur, memory-bound kernels have no time."
_KEPT = (
    "All values stay on the chip, in kernels that compute something else: a bound, as what enters "
    "and leaves a fused kernel is read and written once. Launches are not counted."
)


@GainEstimator
def bound_fusion(_: str, __: float, results: Results) -> Estimate | Refusal | None:
    """Chains of kernels gone, and gaps that fewer launches close; refused where none was timed."""
    whole = find_elapsed(results)
    spent, gaps = (get_value(results, name) for name in ("gpu.fusable_time", "gpu.fusable_gaps"))
    if whole is None or spent is None or gaps is None:
        return Refusal(_CHAINS_UNKNOWN)
    within = 0.0 if find_sampled_gaps(results) > 0.0 else gaps
    closed = max(within, _compute_closed_gaps(results) / _compute_steady_factor(results))
    kernels = _take_everywhere(KERNELS, spent, results)
    return make_gain(
        (*kernels, *_take_everywhere(IDLE, closed, results)),
        whole,
        f"(kernels of the chains + gaps that close) / {whole.short}",
        (_NO_CHAINS, *((_AHEAD,) if closed > within else ()), ON_KERNELS),
        results,
        weaker=make_weaker_bound(
            (*kernels, *_take_everywhere(IDLE, within, results)),
            whole,
            "if gaps outside the chains stay",
            f"(kernels of the chains + gaps within them) / {whole.short}",
            results,
        ),
    )


@GainEstimator
def bound_moving(_: str, __: float, results: Results) -> Estimate | Refusal | None:
    """Memory-bound kernels gone; with counters, what stays of others."""
    whole = find_elapsed(results)
    spent = get_value(results, "gpu.moving_time")
    if whole is None or spent is None:
        return Refusal(_MOVING_UNKNOWN)
    least = get_value(results, "roofline.moving_least_share")
    gone = "memory-bound kernels"
    return make_gain(
        _take_everywhere(KERNELS, spent, results),
        whole,
        f"{gone} / {whole.short}",
        (_KEPT, ON_KERNELS),
        results,
        weaker=None
        if least is None
        else make_weaker_bound(
            _take_everywhere(KERNELS, spent * (1.0 - least), results),
            whole,
            "if none is fused and their bytes, as counted, move at memory's peak rate",
            f"({gone} - counted bytes / memory's rate) / {whole.short}",
            results,
        ),
    )


def _take_everywhere(where: CellFilter, spent: float, results: Results) -> tuple[ChangeEffect, ...]:
    """What complete iterations spend, with what all others spend if they have as many chains."""
    return (
        ChangeEffect(STEADY & where, spent * _compute_steady_factor(results)),
        ChangeEffect(WARM_UP & where, spent * _compute_warm_up_factor(results)),
    )


def _compute_closed_gaps(results: Results) -> float:
    """Idle time of steady iterations that the host's time for launches of chains covers [s]."""
    launches, count = (get_value(results, name) for name in ("gpu.launches", "time.iterations"))
    steady = get_value(results, "time.steady")
    if not launches or not count or steady is None:
        return 0.0
    gpus = max(get_value(results, "run.gpus") or 1.0, 1.0)
    gone = math.fsum(
        float(row["chains"] or 0.0) * float(row["kernels"] or 0.0)
        for row in get_rows(results, "gpu.fusable")
    )
    part = clamp_share(gone / (launches / count / gpus))
    works = steady * (1.0 - clamp_share(get_value(results, "time.data_share") or 0.0))
    return min(sum_cells(read_ledger(results), STEADY & IDLE), part * works)


def _compute_steady_factor(results: Results) -> float:
    """The steady state, which has the last iteration, in complete iterations, without it [x]."""
    steady, complete = (get_value(results, f"time.steady{name}") for name in ("", "_complete"))
    return max(steady / complete, 1.0) if steady and complete else 1.0


def _compute_warm_up_factor(results: Results) -> float:
    """Iterations of the warm-up in those that are steady [x]."""
    steady, found = (
        get_value(results, f"time.{each}_iterations") for each in ("steady", "warm_up")
    )
    return found / steady if steady and found else 0.0
