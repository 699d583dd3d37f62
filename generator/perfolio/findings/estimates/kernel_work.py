"""Bounds on what kernels take: stalls, unused warp slots, products in FP32.

In:  the value of a rule's metric and the results of a run.
Out: an `Estimate` of the run, a `Refusal`, or None where an input is missing.
"""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence

from perfolio.common.units import interval_ends
from perfolio.findings.estimates import kernel_shares
from perfolio.findings.estimates.assumptions import ON_KERNELS
from perfolio.findings.estimates.bound_formulas import Interval, of_time, per_gpu
from perfolio.findings.estimates.kernel_shares import Kernel, kernels_of, weighted
from perfolio.findings.estimates.removal_gains import Local, gain, of_sums
from perfolio.findings.estimates.time_ledger import KERNELS, ledger, within
from perfolio.findings.estimates.wall_clock import elapsed, iterates
from perfolio.findings.model.change_effect import Effect, Where, total
from perfolio.findings.model.finding import Estimate, Refusal
from perfolio.findings.model.wording import figure
from perfolio.metrics.metric_values import measured, number_of, rows_of
from perfolio.metrics.model import Results

_SAMPLED = (
    "Each kernel's samples are weighted by its time and taken as alike on all multiprocessors; "
    "a kernel without samples, or whose occupancy is not known, counts as stalled."
)
_WAITS = (
    "By samples, {waits} of kernel time passes in {what}. That bounds no step: fewer instructions "
    "save beyond it, and so do warps on schedulers that have none, which give no sample."
)
_REORDERED = (
    " By GPA's formula, another order of the same instructions saves at most {hidden} of kernel "
    "time: an estimate, which takes enough of them as independent."
)
_HIDEABLE = ("gmem", "idep")
"""Reasons that GPA's optimisers by reordering match: waits for memory and for earlier results."""
_STALLS_UNKNOWN = (
    "Unused warp slots cost nothing where the warps that run hide each other's waits, and without "
    "PC samples it is not known whether kernels wait."
)
_SLOTS_UNKNOWN = (
    "How many warps a multiprocessor can hold is not known without the device's name, and how many "
    "blocks a launch has is not recorded."
)
_FILLED = (
    "The same threads run with every warp slot filled, each further warp hides as much latency as "
    "the present ones do, and there are blocks enough to fill the device, without which nothing is "
    "saved; products of libraries and collectives stay as they are."
)
TF32_OVER_FP32 = 8.0
"""Peak of TF32 tensor cores over that of FP32 units: 156 / 19.5 TFLOP/s on A100, 7.4 on H100."""
_ALIKE = "Kernels of the warm-up, and outside of iterations, are taken to lose the same share."
_TENSOR_CORES = (
    "These products run eight times as fast, as TF32 to FP32 on A100; the peaks' ratio is 7.4 on "
    "H100 and 14 on B200. Products that are small or bound by memory gain less; in BF16 they can "
    "be faster still."
)
_WHOLE_GRID = (
    "These kernels' work divides among all multiprocessors, and then takes next to no time; what "
    "stays serial, or waits for memory, saves less."
)
_MISSING = (
    "Matrix products are missing from the record, and what tensor cores save of those is not known."
)


def stalls(metric: str, _: float, results: Results) -> Refusal | None:
    """Stalls of one reason: how long they last, which bounds nothing that a step does.

    Elimination, S = T / (T - M) of each kernel (GPA, CGO 2021), holds for the same instructions on
    the same warps. What removes instructions, or fills schedulers that have no warp, does more.
    """
    found, reason = kernels_of(results), _reason(metric)
    waits = weighted(found, lambda kernel: kernel_shares.waits(kernel, reason), unknown=0.0)
    time = kernel_shares.time_of(waits, results)
    if not found or time is None:
        return None
    words = _WAITS.format(waits=_by_samples(waits), what="these waits")
    return Refusal(words + _reordered(found, reason), concerned=time.value)


def _reordered(found: Sequence[Kernel], reason: str) -> str:
    """GPA's estimate for reordering, of what was sampled, where it matches the reason."""
    hidden = weighted(
        found, lambda kernel: kernel_shares.latency_hiding(kernel, reason), unknown=0.0
    )
    if reason not in _HIDEABLE or hidden.value <= 0.0:
        return ""
    return _REORDERED.format(hidden=figure(hidden, "ratio"))


def all_stalls(_: str, __: float, results: Results) -> Refusal | None:
    """Stalls of all reasons, which bound no more than those of one do."""
    found = kernels_of(results)
    waits = weighted(found, kernel_shares.waits, unknown=0.0)
    if not found:
        return None
    return Refusal(_WAITS.format(waits=_by_samples(waits), what="waits of all reasons"))


def occupancy(_: str, __: float, results: Results) -> Estimate | Refusal | None:
    """All warp slots filled; refused where nothing says whether kernels stall at all."""
    found = kernels_of(results)
    if found and all(kernel.stalled is None for kernel in found):
        return Refusal(_STALLS_UNKNOWN)
    own = [kernel.occupancy for kernel in found if kernel.own]
    if own and all(occupancy is None for occupancy in own):
        return Refusal(_SLOTS_UNKNOWN)
    saved = weighted(found, kernel_shares.more_warps)
    return _of_kernels(
        results,
        Local(
            saved.high,
            f"{saved.upper}sum over kernels of (time × min(1 - occupancy, 1 - issuing samples / "
            "samples × min(1, 8 × occupancy))), library products and collectives left out",
            (_FILLED, _SAMPLED, f"That is {_by_samples(saved)} of kernel time.", ON_KERNELS),
        ),
    )


def tensor_cores(_: str, part: float, results: Results) -> Estimate | Refusal | None:
    """Products in FP32 move to tensor cores; `part` of kernel time is theirs.

    The switch is for all products, so that those that were recorded bound nothing where others are
    missing, neither what it saves nor how much of the run it concerns.
    """
    if measured(results, "run.missing_kernels"):
        return Refusal(_MISSING, unrecorded=True)
    saved = part * (1.0 - 1.0 / TF32_OVER_FP32)
    formula = "share of these products × (1 - 1/8) × kernel time"
    return _of_kernels(results, Local(saved, formula, (_TENSOR_CORES, ON_KERNELS)))


def lone_launches(_: str, __: float, results: Results) -> Estimate | None:
    """Launches of one block, or of one thread per block, take no time at all."""
    rows = rows_of(results, "launch.lone_launches")
    summed = measured(results, "gpu.kernel_time")
    if not rows or not summed:
        return None
    time = math.fsum(number_of(row, "time") for row in rows)
    formula = "share of these launches in kernel time × kernel time"
    return _of_kernels(results, Local(min(1.0, time / summed), formula, (_WHOLE_GRID, ON_KERNELS)))


def _by_samples(share: Interval) -> str:
    """A share of kernel time that samples tell, with its interval where it has one."""
    value = figure(share, "ratio")
    if share.low == share.high:
        return value
    low, high = interval_ends(share.low, share.high, "ratio")
    return f"{value} (95 % interval {low} to {high} %)"


def _reason(metric: str) -> str:
    """The stall reason of `stall.gmem_of_stalls`: gmem."""
    return metric.removeprefix("stall.").partition("_")[0]


def _of_kernels(results: Results, local: Local) -> Estimate | None:
    """A bound on kernel time as a bound on the wider whole that kernels are a part of."""
    whole, summed = elapsed(results), measured(results, "gpu.kernel_time")
    if not kernels_of(results):
        return None
    if whole is None or summed is None:
        return of_sums(results, "kernel", local)
    return gain(
        tuple(_shared_out(local.saved * per_gpu(summed, results), results)),
        whole,
        f"smaller of {local.formula} and time with a kernel / {whole.short}",
        (*local.assumptions, *((_ALIKE,) if iterates(results) else ())),
        results,
    )


def _shared_out(saved: float, results: Results) -> Iterator[Effect]:
    """What kernels lose [s], shared out over the periods of a run by the time of kernels in each.

    Nothing tells which kernels ran in which period: without this, all of it could be saved in
    the steady iterations, which would lose more of their kernel time than kernels have to lose.
    """
    cells = within(ledger(results), KERNELS)
    whole = math.fsum(cell.seconds for cell in cells)
    for period in sorted({cell.period for cell in cells}):
        era = KERNELS & Where(period=frozenset({period}))
        yield Effect(era, saved * of_time(total(cells, era), whole))
