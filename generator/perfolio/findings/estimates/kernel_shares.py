"""Kernels with the shares that bound what a change to them can save.

In:  the tables `gpu.kernels` and `stall.kernels`.
Out: `Kernel`s, and sums over them weighted by kernel time, with 95 % intervals.

PC samples are not spread over kernels as time is: a kernel that leaves multiprocessors
empty gives few samples per second. So each kernel's shares are weighted by its time.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field

from perfolio.findings.estimates.bound_formulas import (
    Interval,
    exactly,
    hidden,
    per_gpu,
    share,
    wilson,
)
from perfolio.metrics.metric_values import measured, rows_of
from perfolio.metrics.model import Cell, Results

_SLOTS = 8.0
"""Warp slots of a scheduler, at least: 32 for four of them on compute capability 7.5, 48 and 64 on
others (NVIDIA, CUDA C++ programming guide)."""


@dataclass(frozen=True)
class Kernel:
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


def kernels_of(results: Results) -> tuple[Kernel, ...]:
    """The kernels of the run; none where their times were not measured."""
    reasons = {str(row["kernel"]): _numbers(row) for row in rows_of(results, "stall.kernels")}
    return tuple(
        Kernel(
            share=_ratio(row["share"]) or 0.0,
            stalled=_ratio(row["stalled"]),
            samples=_number(row["independent"]),
            occupancy=_ratio(row["occupancy"]),
            own=row["kind"] in (None, "other"),
            reasons=reasons.get(str(row["short"]), {}),
        )
        for row in rows_of(results, "gpu.kernels")
    )


def weighted(
    kernels: Sequence[Kernel], saved: Callable[[Kernel], Interval], unknown: float = 1.0
) -> Interval:
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
    return Interval(share(value - below), share(value), share(value + above))


def time_of(part: Interval, results: Results) -> Interval | None:
    """A share of the time of all kernels; None where that was not measured [s].

    With a trace it is the mean over GPUs, and no more than the time in which kernels ran. Where
    kernels overlap, nothing tells which: scaled by that, the part of kernels that run alone would
    be too small.
    """
    busy, summed = (measured(results, name) for name in ("time.kernel_busy", "gpu.kernel_time"))
    if summed is None and busy is None:
        return None
    if busy is None or summed is None:
        whole, most = summed or busy or 0.0, math.inf
    else:
        whole, most = per_gpu(summed, results), busy
    return Interval(*(hidden(end * whole, most) for end in (part.low, part.value, part.high)))


def all_stalls(kernel: Kernel) -> Interval:
    """Saved where its scheduler always issues; everything where it was not sampled."""
    return _sampled(kernel, 1.0 if kernel.stalled is None else kernel.stalled)


def elimination(kernel: Kernel, reason: str) -> Interval:
    """Saved where stalls of one reason vanish: their share of the kernel's samples."""
    return _sampled(kernel, all_stalls(kernel).value * kernel.reasons.get(reason, 1.0))


def latency_hiding(kernel: Kernel, reason: str) -> Interval:
    """Saved where stalls of one reason hide behind issuing samples; nothing if none was taken.

    An estimate for the same instructions in another order (GPA, CGO 2021), and no bound: four
    independent chains in place of one issue four times as often.
    """
    if kernel.stalled is None or reason not in kernel.reasons:
        return exactly(0.0)
    return _smaller(elimination(kernel, reason), _sampled(kernel, 1.0 - kernel.stalled))


def waits(kernel: Kernel, reason: str = "") -> Interval:
    """Stalled samples, or those of one reason, over its samples; nothing where nobody knows."""
    if kernel.stalled is None or (reason and reason not in kernel.reasons):
        return exactly(0.0)
    return elimination(kernel, reason) if reason else all_stalls(kernel)


def more_warps(kernel: Kernel) -> Interval:
    """Saved with every warp slot filled: at best in proportion, and no more than does not issue.

    A scheduler without a warp issues nothing and gives no sample: where slots are for fewer warps
    than there are schedulers, stalled samples are not all that issues nothing.
    """
    if not kernel.own:
        return exactly(0.0)
    if kernel.occupancy is None:
        return exactly(1.0)
    served = min(kernel.occupancy * _SLOTS, 1.0)
    stalls = all_stalls(kernel)
    idle = (1.0 - (1.0 - end) * served for end in (stalls.low, stalls.value, stalls.high))
    return _smaller(exactly(1.0 - kernel.occupancy), Interval(*idle))


def _sampled(kernel: Kernel, part: float) -> Interval:
    """A share of the kernel's samples; exact where none or nobody knows how many there are."""
    if kernel.stalled is None or kernel.samples is None:
        return exactly(part)
    return wilson(part, kernel.samples)


def _smaller(one: Interval, other: Interval) -> Interval:
    return Interval(min(one.low, other.low), min(one.value, other.value), min(one.high, other.high))


def _numbers(row: Mapping[str, Cell]) -> dict[str, float]:
    """The reasons of a row that have a share."""
    cells = {name: _ratio(cell) for name, cell in row.items()}
    return {name: cell for name, cell in cells.items() if cell is not None}


def _number(cell: Cell) -> float | None:
    return float(cell) if isinstance(cell, (int, float)) else None


def _ratio(cell: Cell) -> float | None:
    return min(max(float(cell), 0.0), 1.0) if isinstance(cell, (int, float)) else None
