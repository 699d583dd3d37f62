"""Kernels with the shares that bound what a change to them can save.

In:  the tables `gpu.kernels` and `stall.kernels`.
Out: `KernelShares`s, and sums over them weighted by kernel time, with 95 % intervals.

PC samples are not spread over kernels as time is: a kernel that leaves multiprocessors
empty gives few samples per second. So each kernel's shares are weighted by its time.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field

from perfolio.findings.estimates.bound_formulas import (
    ShareInterval,
    clamp_share,
    compute_wilson,
    divide_by_gpus,
    hide_time,
    make_exact,
)
from perfolio.metrics.metric_values import get_rows, get_value
from perfolio.metrics.model import Cell, Results

_SLOTS = 8.0
"""Warp slots of a scheduler, at least: 32 for four of them on compute capability 7.5, 48 and 64 on
others (NVIDIA, CUDA C++ programming guide)."""


@dataclass(frozen=True)
class KernelShares:
    """One kernel. Shares that were not measured are None."""

    share: float
    """Of the time of all kernels [ratio]."""
    stalled: float | None = None
    """Stalled samples / samples of this kernel [ratio]."""
    samples: float | None = None
    """How many independent samples those are."""
    occupancy: float | None = None
    """Theoretical occupancy [ratio]."""
    reasons: Mapping[str, float] = field(default_factory=dict)
    """Share of its stalled samples by reason: gmem, idep... [ratio]."""
    own: bool = True
    """Whether unused warp slots are a matter of it: it is no product of a library, which holds
    large tiles in registers on purpose, and no collective."""


def read_kernels(results: Results) -> tuple[KernelShares, ...]:
    """The kernels of the run; none where their times were not measured."""
    reasons = {str(row["kernel"]): _read_reasons(row) for row in get_rows(results, "stall.kernels")}
    return tuple(
        KernelShares(
            share=_to_ratio(row["share"]) or 0.0,
            stalled=_to_ratio(row["stalled"]),
            samples=_to_number(row["independent"]),
            occupancy=_to_ratio(row["occupancy"]),
            own=row["kind"] in (None, "other"),
            reasons=reasons.get(str(row["short"]), {}),
        )
        for row in get_rows(results, "gpu.kernels")
    )


def weigh_kernels(
    kernels: Sequence[KernelShares],
    saved: Callable[[KernelShares], ShareInterval],
    unknown: float = 1.0,
) -> ShareInterval:
    """Share of kernel time saved where each kernel saves the share `saved` of its own.

    Of kernels that the tables leave out, the share `unknown` counts as saved: all of their
    time in a bound from above. Kernels are sampled independently of each other, so the distances
    of their ends add up in squares (Zou, Huang and Zhang, Computational Statistics & Data
    Analysis 53, 2009: a linear function of binomial proportions from their intervals).
    """
    parts = [(kernel.share, saved(kernel)) for kernel in kernels]
    rest = unknown * max(1.0 - math.fsum(weight for weight, _ in parts), 0.0)
    value = rest + math.fsum(weight * part.value for weight, part in parts)
    below = math.hypot(*(weight * (part.value - part.low) for weight, part in parts))
    above = math.hypot(*(weight * (part.high - part.value) for weight, part in parts))
    return ShareInterval(clamp_share(value - below), clamp_share(value), clamp_share(value + above))


def compute_kernel_time(part: ShareInterval, results: Results) -> ShareInterval | None:
    """A share of the time of all kernels; None where that was not measured [s].

    With a trace it is the mean over GPUs, and no more than the time in which kernels ran. Where
    kernels overlap, nothing tells which: scaled by that, the part of kernels that run alone would
    be too small.
    """
    busy, summed = (get_value(results, name) for name in ("time.kernel_busy", "gpu.kernel_time"))
    if summed is None and busy is None:
        return None
    if busy is None or summed is None:
        whole, most = summed or busy or 0.0, math.inf
    else:
        whole, most = divide_by_gpus(summed, results), busy
    return ShareInterval(
        *(hide_time(end * whole, most) for end in (part.low, part.value, part.high))
    )


def remove_all_stalls(kernel: KernelShares) -> ShareInterval:
    """Saved where its scheduler always issues; everything where it was not sampled."""
    return _make_interval(kernel, 1.0 if kernel.stalled is None else kernel.stalled)


def remove_stalls(kernel: KernelShares, reason: str) -> ShareInterval:
    """Saved where stalls of one reason vanish: their share of the kernel's samples."""
    return _make_interval(kernel, remove_all_stalls(kernel).value * kernel.reasons.get(reason, 1.0))


def hide_latency(kernel: KernelShares, reason: str) -> ShareInterval:
    """Saved where stalls of one reason hide behind issuing samples; nothing if none was taken.

    An estimate for the same instructions in another order (GPA, CGO 2021), and no bound: four
    independent chains in place of one issue four times as often.
    """
    if kernel.stalled is None or reason not in kernel.reasons:
        return make_exact(0.0)
    return _choose_smaller(
        remove_stalls(kernel, reason), _make_interval(kernel, 1.0 - kernel.stalled)
    )


def measure_waits(kernel: KernelShares, reason: str = "") -> ShareInterval:
    """Stalled samples, or those of one reason, over its samples; nothing where nobody knows."""
    if kernel.stalled is None or (reason and reason not in kernel.reasons):
        return make_exact(0.0)
    return remove_stalls(kernel, reason) if reason else remove_all_stalls(kernel)


def fill_warps(kernel: KernelShares) -> ShareInterval:
    """Saved with every warp slot filled: at best in proportion, and no more than does not issue.

    A scheduler without a warp issues nothing and gives no sample: where slots are for fewer warps
    than there are schedulers, stalled samples are not all that issues nothing.
    """
    if not kernel.own:
        return make_exact(0.0)
    if kernel.occupancy is None:
        return make_exact(1.0)
    served = min(kernel.occupancy * _SLOTS, 1.0)
    stalls = remove_all_stalls(kernel)
    idle = (1.0 - (1.0 - end) * served for end in (stalls.low, stalls.value, stalls.high))
    return _choose_smaller(make_exact(1.0 - kernel.occupancy), ShareInterval(*idle))


def _make_interval(kernel: KernelShares, part: float) -> ShareInterval:
    """A share of the kernel's samples; exact where none or nobody knows how many there are."""
    if kernel.stalled is None or kernel.samples is None:
        return make_exact(part)
    return compute_wilson(part, kernel.samples)


def _choose_smaller(one: ShareInterval, other: ShareInterval) -> ShareInterval:
    return ShareInterval(
        min(one.low, other.low), min(one.value, other.value), min(one.high, other.high)
    )


def _read_reasons(row: Mapping[str, Cell]) -> dict[str, float]:
    """The reasons of a row that have a share."""
    cells = {name: _to_ratio(cell) for name, cell in row.items()}
    return {name: cell for name, cell in cells.items() if cell is not None}


def _to_number(cell: Cell) -> float | None:
    return float(cell) if isinstance(cell, (int, float)) else None


def _to_ratio(cell: Cell) -> float | None:
    return min(max(float(cell), 0.0), 1.0) if isinstance(cell, (int, float)) else None
