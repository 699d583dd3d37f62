"""Bounds on what fewer kernels save: one call for a chain, and values that stay on the chip.

In:  results: time of such kernels, gaps within chains, idle time, time on the clock.
Out: an `Estimate`, or a `Refusal` where the chains were not timed.

Chains are known of steady iterations; the others are taken to have as many. With fewer launches
the host runs ahead of the GPU, which closes gaps in other places too.
"""

from __future__ import annotations

import math

from perfolio.findings.estimates.assumptions import ON_KERNELS
from perfolio.findings.estimates.bound_formulas import share
from perfolio.findings.estimates.removal_gains import gain, weaker
from perfolio.findings.estimates.time_ledger import IDLE, KERNELS, STEADY, WARM_UP, ledger
from perfolio.findings.estimates.wall_clock import elapsed, sampled_gaps
from perfolio.findings.model.change_effect import Effect, Where, total
from perfolio.findings.model.finding import Estimate, Refusal
from perfolio.metrics.metric_values import measured, rows_of
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
_MOVING_UNKNOWN = (
    "Without a trace in which iterations recur, kernels that move values have no time."
)
_KEPT = (
    "All values stay on the chip, in kernels that compute something else: a bound, as what enters "
    "and leaves a fused kernel is read and written once. Launches are not counted."
)


def fusion(_: str, __: float, results: Results) -> Estimate | Refusal | None:
    """Chains of kernels gone, and gaps that fewer launches close; refused where none was timed."""
    whole = elapsed(results)
    spent, gaps = (measured(results, name) for name in ("gpu.fusable_time", "gpu.fusable_gaps"))
    if whole is None or spent is None or gaps is None:
        return Refusal(_CHAINS_UNKNOWN)
    within = 0.0 if sampled_gaps(results) > 0.0 else gaps
    closed = max(within, _closed(results) / _in_steady(results))
    kernels = _everywhere(KERNELS, spent, results)
    return gain(
        (*kernels, *_everywhere(IDLE, closed, results)),
        whole,
        f"(kernels of the chains + gaps that close) / {whole.short}",
        (_NO_CHAINS, *((_AHEAD,) if closed > within else ()), ON_KERNELS),
        results,
        weaker=weaker(
            (*kernels, *_everywhere(IDLE, within, results)),
            whole,
            "if gaps outside the chains stay",
            f"(kernels of the chains + gaps within them) / {whole.short}",
            results,
        ),
    )


def moving(_: str, __: float, results: Results) -> Estimate | Refusal | None:
    """Kernels that mostly move values gone; with counters, what stays of others."""
    whole = elapsed(results)
    spent = measured(results, "gpu.moving_time")
    if whole is None or spent is None:
        return Refusal(_MOVING_UNKNOWN)
    least = measured(results, "roofline.moving_least_share")
    gone = "kernels that mostly move values"
    return gain(
        _everywhere(KERNELS, spent, results),
        whole,
        f"{gone} / {whole.short}",
        (_KEPT, ON_KERNELS),
        results,
        weaker=None
        if least is None
        else weaker(
            _everywhere(KERNELS, spent * (1.0 - least), results),
            whole,
            "if none is fused and their bytes, as counted, move at memory's peak rate",
            f"({gone} - counted bytes / memory's rate) / {whole.short}",
            results,
        ),
    )


def _everywhere(where: Where, spent: float, results: Results) -> tuple[Effect, ...]:
    """What complete iterations spend, with what all others spend if they have as many chains."""
    return (
        Effect(STEADY & where, spent * _in_steady(results)),
        Effect(WARM_UP & where, spent * _in_warm_up(results)),
    )


def _closed(results: Results) -> float:
    """Idle time of steady iterations that the host's time for launches of chains covers [s]."""
    launches, count = (measured(results, name) for name in ("gpu.launches", "time.iterations"))
    steady = measured(results, "time.steady")
    if not launches or not count or steady is None:
        return 0.0
    gpus = max(measured(results, "run.gpus") or 1.0, 1.0)
    gone = math.fsum(
        float(row["chains"] or 0.0) * float(row["kernels"] or 0.0)
        for row in rows_of(results, "gpu.fusable")
    )
    part = share(gone / (launches / count / gpus))
    works = steady * (1.0 - share(measured(results, "time.data_share") or 0.0))
    return min(total(ledger(results), STEADY & IDLE), part * works)


def _in_steady(results: Results) -> float:
    """The steady state, which has the last iteration, in complete iterations, without it [x]."""
    steady, complete = (measured(results, f"time.steady{name}") for name in ("", "_complete"))
    return max(steady / complete, 1.0) if steady and complete else 1.0


def _in_warm_up(results: Results) -> float:
    """Iterations of the warm-up in those that are steady [x]."""
    steady, found = (measured(results, f"time.{each}_iterations") for each in ("steady", "warm_up"))
    return found / steady if steady and found else 0.0
