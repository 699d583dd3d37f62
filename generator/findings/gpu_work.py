"""Bounds on what GPU operations take: copies, kernels and their stalls.

In:  the value of a rule's metric and the results of a run.
Out: an `Estimate` of time on the clock where a trace has it, else of run time or of
     GPU-operation time, or None where an input is missing.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace

from generator.findings import clock, copies, kernels
from generator.findings.bounds import (
    Interval,
    Weaker,
    amdahl,
    at_full_rate,
    estimate,
    hidden,
    of_time,
    per_gpu,
    share,
)
from generator.findings.finding import Estimate, Refusal
from generator.findings.kernels import Kernel, kernels_of, weighted
from generator.metrics.model import Results
from generator.metrics.values import measured
from generator.units import half_width, interval_ends, quantity


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
    "a kernel without samples, or whose occupancy is not known, counts as stalled."
)
_NOMINAL = (
    "The same bytes move at the link's nominal rate, which no real copy reaches, and copies "
    "within the device take no time."
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
REACHABLE = 0.77
"""Share of the link's rate that real copies reach: 615 kB page-locked copies ran at 24.3 GB/s over
PCI Express 4.0 x16, of 31.5 GB/s per direction, on an A100 [ratio]."""
_AT_REACHABLE = (
    f"if copies reach {quantity(REACHABLE, 'ratio')} of the link's rate, as large page-locked ones "
    "were measured to"
)
TF32_OVER_FP32 = 8.0
"""Peak of TF32 tensor cores over that of FP32 units: 156 / 19.5 TFLOP/s on A100, 7.4 on H100."""
_TENSOR_CORES = (
    "These products run eight times as fast, which is the ratio of the peaks on A100 and more than "
    "on other devices; products that are small or bound by memory gain less."
)
_MISSING = (
    "Matrix products are missing from the record, and what tensor cores save of those is not known."
)
OVERLAPPING = "Bounds of findings on the same kernels overlap: do not add or multiply them."


def all_copies(_: str, __: float, results: Results) -> Estimate | None:
    """Every copy gone."""
    assumptions = (copies.NO_COPIES, *copies.once(results), _SUMMED)
    alone = _of_gpu_work(results, _copies(results), _Local(1.0, "copy time", assumptions))
    return copies.and_gaps(alone, results)


def _copies(results: Results) -> _Operations:
    """Copies, of which those within iterations count where there are any."""
    within = replace(_COPIES, exposed="time.iteration_exposed_copy")
    return within if copies.once(results) else _COPIES


def link_rate(_: str, efficiency: float, results: Results) -> Estimate | None:
    """The same bytes at the link's rate in one direction.

    What real copies reach bounds nothing where only those within iterations count: how many
    bytes these move is not recorded.
    """
    seconds, found = measured(results, "gpu.copy_time"), measured(results, "transfer.bandwidth")
    if seconds is None or found is None or efficiency <= 0.0:
        return None
    moved, rate = copies.moved(results), found / efficiency
    reached = at_full_rate(seconds, moved, REACHABLE * rate)
    alone = copies.exposed(results)
    once = copies.once(results)
    if alone is not None:
        own = per_gpu(seconds, results)
        reached = of_time(alone - (1.0 - reached) * own, own)
    return _of_gpu_work(
        results,
        _copies(results),
        _Local(
            copies.faster(seconds, rate, results),
            "(copy time - bytes at the link's rate)",
            (_NOMINAL, *once, _SUMMED),
            weaker=None if once else share(reached),
            weaker_if=_AT_REACHABLE,
            weaker_formula=f"copies beside no kernel - all bytes at {quantity(REACHABLE, 'ratio')} "
            "of the link's rate",
        ),
    )


def stalls(metric: str, _: float, results: Results) -> Refusal | None:
    """Stalls of one reason: how long they last, which bounds nothing that a step does.

    Elimination, S = T / (T - M) of each kernel (GPA, CGO 2021), holds for the same instructions on
    the same warps. What removes instructions, or fills schedulers that have no warp, does more.
    """
    found, reason = kernels_of(results), _reason(metric)
    waits = weighted(found, lambda kernel: kernels.waits(kernel, reason), unknown=0.0)
    time = kernels.time_of(waits, results)
    if not found or time is None:
        return None
    words = _WAITS.format(waits=_by_samples(waits), what="these waits")
    return Refusal(words + _reordered(found, reason), concerned=time.value)


def _reordered(found: Sequence[Kernel], reason: str) -> str:
    """GPA's estimate for reordering, of what was sampled, where it matches the reason."""
    hidden = weighted(found, lambda kernel: kernels.latency_hiding(kernel, reason), unknown=0.0)
    if reason not in _HIDEABLE or hidden.value <= 0.0:
        return ""
    return _REORDERED.format(
        hidden=quantity(hidden.value, "ratio", half_width(hidden.low, hidden.high))
    )


def all_stalls(_: str, __: float, results: Results) -> Refusal | None:
    """Stalls of all reasons, which bound no more than those of one do."""
    found = kernels_of(results)
    waits = weighted(found, kernels.waits, unknown=0.0)
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
    saved = weighted(found, kernels.more_warps)
    return _of_kernels(
        results,
        _Local(
            saved.high,
            f"{saved.upper}sum over kernels of (time × min(1 - occupancy, 1 - issuing samples / "
            "samples × min(1, 8 × occupancy))), library products and collectives left out",
            (_FILLED, _SAMPLED, f"That is {_by_samples(saved)} of kernel time.", OVERLAPPING),
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
    return _of_kernels(results, _Local(saved, formula, (_TENSOR_CORES, OVERLAPPING)))


def _by_samples(share: Interval) -> str:
    """A share of kernel time that samples tell, with its interval where it has one."""
    value = quantity(share.value, "ratio", half_width(share.low, share.high))
    if share.low == share.high:
        return value
    low, high = interval_ends(share.low, share.high, "ratio")
    return f"{value} (95 % interval {low} to {high} %)"


def _reason(metric: str) -> str:
    """The stall reason of `stall.gmem_of_stalls`: gmem."""
    return metric.removeprefix("stall.").partition("_")[0]


@dataclass(frozen=True)
class _Local:
    """What a change saves of the summed time of the operations that it concerns."""

    saved: float
    """At most [ratio]."""
    formula: str
    assumptions: tuple[str, ...]
    weaker: float | None = None
    """Under a weaker assumption [ratio]."""
    weaker_if: str = ""
    weaker_formula: str = ""


def _of_kernels(results: Results, local: _Local) -> Estimate | None:
    """A bound on kernel time as a bound on the wider whole that kernels are a part of."""
    return _of_gpu_work(results, _KERNELS, local) if kernels_of(results) else None


def _of_gpu_work(results: Results, part: _Operations, local: _Local) -> Estimate | None:
    """A bound on one kind of GPU operations: of time on the clock, or else of GPU work."""
    whole, exposed = clock.elapsed(results), measured(results, part.exposed)
    summed = measured(results, part.summed)
    if whole is None or exposed is None or summed is None:
        return _of_sums(results, measured(results, part.share), local)
    length, words = whole
    return _estimate(
        local,
        lambda saved: of_time(hidden(saved * per_gpu(summed, results), exposed), length),
        (words, f"smaller of {local.formula} and {part.called} / {clock.short(words)}"),
        length,
    )


def _of_sums(results: Results, of_work: float | None, local: _Local) -> Estimate | None:
    """Without a trace: of run time where that has a lower bound, else of GPU-operation time."""
    busy, work = (measured(results, name) for name in ("gpu.busy_at_most", "gpu.operation_time"))
    if of_work is None:
        return None
    if busy is None:
        words = (_GPU_WORK, f"{local.formula} / GPU-operation time")
        return _estimate(local, lambda saved: amdahl(of_work, saved), words, work, on_clock=False)
    at_least = replace(
        local,
        assumptions=(*local.assumptions, "The run took at least the time of its busiest thread."),
    )
    return _estimate(
        at_least,
        lambda saved: amdahl(busy, amdahl(of_work, saved)),
        (_RUN_TIME, f"{local.formula} / least possible run time"),
        work / busy if work is not None and busy > 0.0 else None,
        on_clock=False,
    )


def _estimate(
    local: _Local,
    share_of_whole: Callable[[float], float],
    words: tuple[str, str],
    whole: float | None,
    *,
    on_clock: bool = True,
) -> Estimate | None:
    """`words` are what the whole is and the formula; `whole` its amount [s]."""
    weaker = local.weaker
    return estimate(
        share_of_whole(local.saved),
        *words,
        local.assumptions,
        weaker=None
        if weaker is None
        else Weaker(share_of_whole(weaker), local.weaker_if, local.weaker_formula),
        whole=whole,
        on_clock=on_clock,
    )
