"""What removing a finding is worth at most: documented bounds, never promises.

In:  the value of a rule's metric and the results of a run.
Out: an `Estimate` with its formula and assumptions, or None where no bound holds.

Every bound is a share of time that would be gone if the cause vanished completely, so
none exceeds Amdahl's law for its share. Bounds of findings that concern the same time
overlap: they must not be added or multiplied. To add one: a pure function of shares,
a function that reads them from the results, a line in `ESTIMATORS`.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from types import MappingProxyType

from generator.findings import kernels
from generator.findings.kernels import kernels_of, weighted
from generator.findings.model import Estimate
from generator.metrics.model import Results
from generator.units import quantity

Estimator = Callable[[str, float, Results], Estimate | None]
"""From the name and value of the rule's metric, and all results."""

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


def amdahl(affected: float, local_reduction: float = 1.0) -> float:
    """Share of the whole that is saved when `affected` of it shrinks by `local_reduction`.

    Both are ratios and are held within 0 and 1.
    """
    return _share(affected) * _share(local_reduction)


def factor(reduction: float) -> float:
    """Speed-up factor that belongs to a reduction of time: 20 % less is a factor 1.25."""
    return 1.0 / (1.0 - reduction)


def at_full_rate(seconds: float, moved: float, rate: float) -> float:
    """Share of transfer time saved when `moved` bytes take no longer than at `rate` [B/s]."""
    possible = rate * seconds
    return _share(1.0 - moved / possible) if possible > 0.0 else 0.0


def balanced(imbalance: float) -> float:
    """Share of the busiest one's cost saved by perfect balance; `imbalance` is max / mean."""
    return 1.0 - 1.0 / max(imbalance, 1.0)


def _all_copies(_: str, __: float, results: Results) -> Estimate | None:
    return _of_gpu_work(
        results,
        whole=_value(results, "gpu.copy_share"),
        local=1.0,
        formula="copies' share of GPU-operation time",
        assumptions=(
            "Every copy disappears, and so does each wait for one.",
            _SUMMED,
        ),
    )


def _link_rate(_: str, efficiency: float, results: Results) -> Estimate | None:
    seconds, reached = _value(results, "gpu.copy_time"), _value(results, "transfer.bandwidth")
    if seconds is None or reached is None or efficiency <= 0.0:
        return None
    directions = ("transfer.bytes_h2d", "transfer.bytes_d2h")
    moved = sum(_value(results, name) or 0.0 for name in directions)
    return _of_gpu_work(
        results,
        whole=_value(results, "gpu.copy_share"),
        local=at_full_rate(seconds, moved, reached / efficiency),
        formula="copies' share of GPU-operation time × (1 - bytes at the link's rate / copy time)",
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
    return _estimate(
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
    return _of_gpu_work(
        results,
        whole=_value(results, "gpu.kernel_share"),
        local=local,
        formula=f"{formula} / GPU-operation time",
        assumptions=assumptions,
    )


def _of_gpu_work(
    results: Results,
    whole: float | None,
    local: float,
    formula: str,
    assumptions: tuple[str, ...],
) -> Estimate | None:
    """A bound on GPU-operation time; on run time where that has a known lower bound."""
    if whole is None:
        return None
    busy = _value(results, "gpu.busy_at_most")
    if busy is None:
        return _estimate(amdahl(whole, local), _GPU_WORK, formula, assumptions)
    return _estimate(
        amdahl(busy, amdahl(whole, local)),
        _RUN_TIME,
        f"{formula} × GPU-operation time / least possible run time",
        (*assumptions, "The run took at least the time of its busiest thread."),
    )


def _estimate(
    reduction: float, of: str, formula: str, assumptions: tuple[str, ...]
) -> Estimate | None:
    """None where nothing or everything would be saved: neither is a statement."""
    if not 0.0 < reduction < 1.0:
        return None
    return Estimate(reduction, factor(reduction), of, formula, assumptions)


def _value(results: Results, metric: str) -> float | None:
    result = results.get(metric)
    return result.value if result is not None and result.status == "measured" else None


def _share(value: float) -> float:
    return min(max(value, 0.0), 1.0)


ESTIMATORS: Mapping[str, Estimator] = MappingProxyType(
    {
        "all_copies": _all_copies,
        "all_stalls": _all_stalls,
        "balance": _balance,
        "latency_hiding": _latency_hiding,
        "link_rate": _link_rate,
        "occupancy": _occupancy,
        "stall_elimination": _stall_elimination,
    }
)
