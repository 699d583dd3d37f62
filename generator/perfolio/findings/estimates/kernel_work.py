"""Bounds on what kernels take: stalls, unused warp slots, products in FP32.

In:  the value of a rule's metric and the results of a run.
Out: an `Estimate` of the run, a `Refusal`, or None where an input is missing.
"""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence

from perfolio.common.units import format_interval_ends
from perfolio.findings.estimates import kernel_shares
from perfolio.findings.estimates.assumptions import ON_KERNELS
from perfolio.findings.estimates.bound_formulas import (
    ShareInterval,
    compute_time_share,
    divide_by_gpus,
)
from perfolio.findings.estimates.estimator_catalog import GainEstimator
from perfolio.findings.estimates.kernel_shares import KernelShares, read_kernels, weigh_kernels
from perfolio.findings.estimates.removal_gains import LocalSaving, make_gain, make_summed_estimate
from perfolio.findings.estimates.time_ledger import KERNELS, read_ledger, select_cells
from perfolio.findings.estimates.wall_clock import find_elapsed, has_iterations
from perfolio.findings.model.change_effect import CellFilter, ChangeEffect, sum_cells
from perfolio.findings.model.finding import Estimate, Refusal
from perfolio.findings.model.wording import format_figure
from perfolio.metrics.metric_values import get_number, get_rows, get_value
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


@GainEstimator
def bound_stalls(metric: str, _: float, results: Results) -> Refusal | None:
    """Stalls of one reason: how long they last, which bounds nothing that a step does.

    Elimination, S = T / (T - M) of each kernel (GPA, CGO 2021), holds for the same instructions on
    the same warps. What removes instructions, or fills schedulers that have no warp, does more.
    """
    found, reason = read_kernels(results), _parse_reason(metric)
    waits = weigh_kernels(
        found, lambda kernel: kernel_shares.measure_waits(kernel, reason), unknown=0.0
    )
    time = kernel_shares.compute_kernel_time(waits, results)
    if not found or time is None:
        return None
    words = _WAITS.format(waits=_format_share(waits), what="these waits")
    return Refusal(words + _describe_reordering(found, reason), concerned=time.value)


def _describe_reordering(found: Sequence[KernelShares], reason: str) -> str:
    """GPA's estimate for reordering, of what was sampled, where it matches the reason."""
    hidden = weigh_kernels(
        found, lambda kernel: kernel_shares.hide_latency(kernel, reason), unknown=0.0
    )
    if reason not in _HIDEABLE or hidden.value <= 0.0:
        return ""
    return _REORDERED.format(hidden=format_figure(hidden, "ratio"))


@GainEstimator
def bound_all_stalls(_: str, __: float, results: Results) -> Refusal | None:
    """Stalls of all reasons, which bound no more than those of one do."""
    found = read_kernels(results)
    waits = weigh_kernels(found, kernel_shares.measure_waits, unknown=0.0)
    if not found:
        return None
    return Refusal(_WAITS.format(waits=_format_share(waits), what="waits of all reasons"))


@GainEstimator
def bound_occupancy(_: str, __: float, results: Results) -> Estimate | Refusal | None:
    """All warp slots filled; refused where nothing says whether kernels stall at all."""
    found = read_kernels(results)
    if found and all(kernel.stalled is None for kernel in found):
        return Refusal(_STALLS_UNKNOWN)
    own = [kernel.occupancy for kernel in found if kernel.own]
    if own and all(occupancy is None for occupancy in own):
        return Refusal(_SLOTS_UNKNOWN)
    saved = weigh_kernels(found, kernel_shares.fill_warps)
    return _bound_kernels(
        results,
        LocalSaving(
            saved.high,
            f"{saved.upper}sum over kernels of (time × min(1 - occupancy, 1 - issuing samples / "
            "samples × min(1, 8 × occupancy))), library products and collectives left out",
            (_FILLED, _SAMPLED, f"That is {_format_share(saved)} of kernel time.", ON_KERNELS),
        ),
    )


@GainEstimator
def bound_tensor_cores(_: str, part: float, results: Results) -> Estimate | Refusal | None:
    """Products in FP32 move to tensor cores; `part` of kernel time is theirs.

    The switch is for all products, so that those that were recorded bound nothing where others are
    missing, neither what it saves nor how much of the run it concerns.
    """
    if get_value(results, "run.missing_kernels"):
        return Refusal(_MISSING, unrecorded=True)
    saved = part * (1.0 - 1.0 / TF32_OVER_FP32)
    formula = "share of these products × (1 - 1/8) × kernel time"
    return _bound_kernels(results, LocalSaving(saved, formula, (_TENSOR_CORES, ON_KERNELS)))


@GainEstimator
def bound_lone_launches(_: str, __: float, results: Results) -> Estimate | None:
    """Launches of one block, or of one thread per block, take no time at all."""
    rows = get_rows(results, "launch.lone_launches")
    summed = get_value(results, "gpu.kernel_time")
    if not rows or not summed:
        return None
    time = math.fsum(get_number(row, "time") for row in rows)
    formula = "share of these launches in kernel time × kernel time"
    return _bound_kernels(
        results, LocalSaving(min(1.0, time / summed), formula, (_WHOLE_GRID, ON_KERNELS))
    )


def _format_share(share: ShareInterval) -> str:
    """A share of kernel time that samples tell, with its interval where it has one."""
    value = format_figure(share, "ratio")
    if share.low == share.high:
        return value
    low, high = format_interval_ends(share.low, share.high, "ratio")
    return f"{value} (95 % interval {low} to {high} %)"


def _parse_reason(metric: str) -> str:
    """The stall reason of `stall.gmem_of_stalls`: gmem."""
    return metric.removeprefix("stall.").partition("_")[0]


def _bound_kernels(results: Results, local: LocalSaving) -> Estimate | None:
    """A bound on kernel time as a bound on the wider whole that kernels are a part of."""
    whole, summed = find_elapsed(results), get_value(results, "gpu.kernel_time")
    if not read_kernels(results):
        return None
    if whole is None or summed is None:
        return make_summed_estimate(results, "kernel", local)
    return make_gain(
        tuple(_spread_over_periods(local.saved * divide_by_gpus(summed, results), results)),
        whole,
        f"smaller of {local.formula} and time with a kernel / {whole.short}",
        (*local.assumptions, *((_ALIKE,) if has_iterations(results) else ())),
        results,
    )


def _spread_over_periods(saved: float, results: Results) -> Iterator[ChangeEffect]:
    """What kernels lose [s], shared out over the periods of a run by the time of kernels in each.

    Nothing tells which kernels ran in which period: without this, all of it could be saved in
    the steady iterations, which would lose more of their kernel time than kernels have to lose.
    """
    cells = select_cells(read_ledger(results), KERNELS)
    whole = math.fsum(cell.seconds for cell in cells)
    for period in sorted({cell.period for cell in cells}):
        era = KERNELS & CellFilter(period=frozenset({period}))
        yield ChangeEffect(era, saved * compute_time_share(sum_cells(cells, era), whole))
