"""What removing a finding is worth at most: documented bounds, never promises.

In:  the value of a rule's metric and the results of a run.
Out: an `Estimate` with its formula and assumptions, or None where no bound holds.

Every bound is a share of time that would be gone if the cause vanished completely, so
none exceeds Amdahl's law for its share: of wall time where a trace measured it, else of
less, and said so. Bounds of findings that concern the same time overlap: they must not be
added or multiplied. To add one: a formula in `bounds`, a function that reads its inputs
from the results, a line in `ESTIMATORS`.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from types import MappingProxyType

from generator.findings import kernels, wall
from generator.findings.bounds import (
    amdahl,
    at_full_rate,
    balanced,
    estimate,
    hidden,
    measured,
    of_time,
)
from generator.findings.kernels import kernels_of, weighted
from generator.findings.model import Estimate
from generator.metrics.model import Results
from generator.units import quantity

Estimator = Callable[[str, float, Results], Estimate | None]
"""From the name and value of the rule's metric, and all results."""


@dataclass(frozen=True)
class _Operations:
    """The metrics of one kind of GPU operations: summed, and as part of wall time."""

    share: str
    summed: str
    exposed: str
    called: str


_KERNELS = _Operations(
    "gpu.kernel_share", "gpu.kernel_time", "time.kernel_busy", "time with a kernel"
)
_COPIES = _Operations(
    "gpu.copy_share", "gpu.copy_time", "time.exposed_copy", "copies beside no kernel"
)
_GPU_WORK = "GPU-operation time; not of run time, which was not measured"
_RUN_TIME = "run time"
_SUMMED = "Durations of GPU operations are added up; where operations overlap, less can be saved."
_SAMPLED = (
    "Each kernel's samples are weighted by its time and taken as alike on all multiprocessors; "
    "a kernel without samples counts as stalled."
)
_NOMINAL = (
    "The same bytes move at the link's nominal rate, which no real copy reaches, and copies "
    "within the device take no time."
)
_VANISH = (
    "Every stall of this reason vanishes; hiding them behind other warps' instructions saves "
    "at most {hidden} of kernel time."
)
_HIDE = (
    "Stalls of this reason hide behind instructions that are issued anyway; the instructions "
    "themselves stay."
)
_ISSUES = "The scheduler issues in every cycle that was sampled."
_FILLED = (
    "Each further resident warp hides as much latency as the present ones do, and there are "
    "blocks enough to fill the device."
)
_OVERLAPPING = "Bounds of findings on the same kernels overlap: do not add or multiply them."


def _all_copies(_: str, __: float, results: Results) -> Estimate | None:
    return _of_gpu_work(
        results,
        _COPIES,
        local=1.0,
        formula="copy time",
        assumptions=("Every copy disappears, and so does each wait for one.", _SUMMED),
    )


def _link_rate(_: str, efficiency: float, results: Results) -> Estimate | None:
    seconds, reached = measured(results, "gpu.copy_time"), measured(results, "transfer.bandwidth")
    if seconds is None or reached is None or efficiency <= 0.0:
        return None
    directions = ("transfer.bytes_h2d", "transfer.bytes_d2h")
    moved = sum(measured(results, name) or 0.0 for name in directions)
    return _of_gpu_work(
        results,
        _COPIES,
        local=at_full_rate(seconds, moved, reached / efficiency),
        formula="(copy time - bytes at the link's rate)",
        assumptions=(_NOMINAL, _SUMMED),
    )


def _stall_elimination(metric: str, _: float, results: Results) -> Estimate | None:
    found, reason = kernels_of(results), _reason(metric)
    hidden = weighted(found, lambda kernel: kernels.latency_hiding(kernel, reason))
    return _of_kernels(
        results,
        weighted(found, lambda kernel: kernels.elimination(kernel, reason)),
        "sum over kernels of (time × stalled samples of this reason / samples)",
        (_VANISH.format(hidden=quantity(hidden, "ratio")), _SAMPLED, _OVERLAPPING),
    )


def _latency_hiding(metric: str, _: float, results: Results) -> Estimate | None:
    reason = _reason(metric)
    return _of_kernels(
        results,
        weighted(kernels_of(results), lambda kernel: kernels.latency_hiding(kernel, reason)),
        "sum over kernels of (time × min(stalled samples of this reason, issuing ones) / samples)",
        (_HIDE, _SAMPLED, _OVERLAPPING),
    )


def _all_stalls(_: str, __: float, results: Results) -> Estimate | None:
    return _of_kernels(
        results,
        weighted(kernels_of(results), kernels.all_stalls),
        "sum over kernels of (time × stalled samples / samples)",
        (_ISSUES, _SAMPLED, _OVERLAPPING),
    )


def _occupancy(_: str, __: float, results: Results) -> Estimate | None:
    return _of_kernels(
        results,
        weighted(kernels_of(results), kernels.more_warps),
        "sum over kernels of (time × min(1 - occupancy, stalled samples / samples))",
        (_FILLED, _SAMPLED, _OVERLAPPING),
    )


def _reason(metric: str) -> str:
    """The stall reason of `stall.gmem_of_stalls`: gmem."""
    return metric.removeprefix("stall.").partition("_")[0]


def _balance(_: str, imbalance: float, __: Results) -> Estimate | None:
    return estimate(
        balanced(imbalance),
        "the busiest rank's CPU cost; of run time only where all others wait for that rank",
        "1 - mean / maximum",
        ("The work can be divided freely and costs the same on every rank.",),
    )


def _of_kernels(
    results: Results, local: float, formula: str, assumptions: tuple[str, ...]
) -> Estimate | None:
    """A bound on kernel time as a bound on the wider whole that kernels are a part of."""
    if not kernels_of(results):
        return None
    return _of_gpu_work(results, _KERNELS, local, formula, assumptions)


def _of_gpu_work(
    results: Results,
    part: _Operations,
    local: float,
    formula: str,
    assumptions: tuple[str, ...],
) -> Estimate | None:
    """A bound on one kind of GPU operations: of time on the clock, or else of GPU work.

    `local` is the share of these operations' summed time that is saved.
    """
    whole, exposed = wall.elapsed(results), measured(results, part.exposed)
    summed, of_work = measured(results, part.summed), measured(results, part.share)
    if whole is not None and exposed is not None and summed is not None:
        length, words = whole
        return estimate(
            of_time(hidden(local * summed, exposed), length),
            words,
            f"smaller of {formula} and {part.called} / {words.partition(';')[0]}",
            assumptions,
        )
    return _of_sums(results, of_work, local, formula, assumptions)


def _of_sums(
    results: Results,
    of_work: float | None,
    local: float,
    formula: str,
    assumptions: tuple[str, ...],
) -> Estimate | None:
    """Without a trace: of run time where that has a lower bound, else of GPU-operation time."""
    busy = measured(results, "gpu.busy_at_most")
    if of_work is None:
        return None
    if busy is None:
        return estimate(
            amdahl(of_work, local), _GPU_WORK, f"{formula} / GPU-operation time", assumptions
        )
    return estimate(
        amdahl(busy, amdahl(of_work, local)),
        _RUN_TIME,
        f"{formula} / least possible run time",
        (*assumptions, "The run took at least the time of its busiest thread."),
    )


ESTIMATORS: Mapping[str, Estimator] = MappingProxyType(
    {
        "all_copies": _all_copies,
        "all_stalls": _all_stalls,
        "balance": _balance,
        "blame": wall.blame,
        "exposed_copies": wall.exposed_copies,
        "gpu_idle": wall.gpu_idle,
        "iteration_gap": wall.iteration_gap,
        "latency_hiding": _latency_hiding,
        "link_rate": _link_rate,
        "occupancy": _occupancy,
        "overlap": wall.overlap,
        "start_up": wall.start_up,
        "stall_elimination": _stall_elimination,
    }
)
