"""Bounds on copies: that vanish, that run beside kernels, or as fast as the link is.

In:  the value of a rule's metric and the results of a run.
Out: an `Estimate` of an iteration or of the run, or times of copies [s]; None where their inputs
     are missing.

Where iterations were found, only copies within them count: a model is copied once, before there is
a kernel to hide behind, and pinning memory for one copy costs more than that copy.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace

from generator.findings.estimates.assumed import SAME_TIME
from generator.findings.estimates.bounds import Weaker, at_full_rate, hidden, of_time, per_gpu
from generator.findings.estimates.clock import elapsed, recurring
from generator.findings.estimates.gains import Local, gain, of_sums, weaker
from generator.findings.estimates.ledger import (
    BESIDE,
    COPIES,
    ELSEWHERE,
    ERAS,
    KERNELS_ALONE,
    RECURRING,
    WAITED_FOR,
    ledger,
)
from generator.findings.terms.effect import Effect, Where, total
from generator.findings.terms.finding import Estimate
from generator.findings.terms.whole import Whole
from generator.metrics.model import Results
from generator.metrics.values import measured, rows_of
from generator.units import quantity

_GONE = (
    "Every copy disappears, and kernels stay as they are; so do times in which the GPU runs "
    "nothing, also those after a copy that the host waits for: closing them comes on top."
)
_GAPS_GONE = (
    "Every copy disappears, and so do each gap of up to 100 µs right before one, in which the host "
    "prepares and launches it, and each of up to 50 µs right after one, in which the host goes on "
    "that waited for it. Kernels and all other gaps stay: closing others comes on top."
)
_ONCE = (
    "Copies outside of iterations stay as they are: pinning memory for a copy that is made once "
    "costs more than the copy, and no kernel runs then that it could hide behind."
)
_SUMMED = "Durations of GPU operations are added up; where operations overlap, less can be saved."
_NOMINAL = (
    "The same bytes move at the link's nominal rate, which no real copy reaches, and copies "
    "within the device take no time."
)
_STILL = "Times in which the GPU runs nothing stay: closing those beside copies comes on top."
_NO_WAITS = (
    "The host waits for no copy to the GPU any more, or copies are joined: so each gap of up to "
    "100 µs right before one disappears, in which the host prepares and launches it, and each of "
    "up to 50 µs right after one, in which the host goes on that waited for it. Kernels and all "
    "other gaps stay: closing others comes on top, as where a copy to the host is waited for no "
    "more."
)
_WAITING = "the host still waits for each copy"
REACHABLE = 0.77
"""Share of the link's rate that real copies reach: 615 kB page-locked copies ran at 24.3 GB/s over
PCI Express 4.0 x16, of 31.5 GB/s per direction, on an A100 [ratio]."""
_AT_REACHABLE = (
    f"if copies reach {quantity(REACHABLE, 'ratio')} of the link's rate, as large page-locked ones "
    "were measured to"
)
_ALL_BYTES = (
    f"copies beside no kernel - all bytes at {quantity(REACHABLE, 'ratio')} of the link's rate"
)
_STAY = "if these copies stay and run beside kernels or in other gaps"
_BOTH = "copies that the next kernel may wait for and gaps right before and after them"
_SMALLER_OF_THESE = (
    "smaller of these copies and, together, kernels beside no copy and other gaps; "
    "with gaps right before and after these copies"
)
_SMALLER = "smaller of copies beside no kernel and, together, kernels beside no copy and other gaps"
_AND_GAPS = "; with gaps right before and after copies"
_BESIDE_GONE = (
    "Gaps right beside copies disappear with them: each of up to 100 µs right before one, in which "
    "the host prepares and launches it, and each of up to 50 µs right after one, in which the host "
    "goes on that waited for it."
)
_INDEPENDENT = (
    "Copies and kernels are independent of each other, so that copies run while kernels do "
    "that now run alone, or in gaps. Kernels and all other gaps stay: closing others comes on top."
)
_OF_LINK = ("gpu.copy_time", "transfer.bandwidth", "transfer.link_efficiency")
_OUTSIDE = "transfer.outside_iterations"
"""The metric of copies that are made once: it is not measured without iterations."""
HIDEABLE_READS = ("time.gpu_ledger",)
SLOWER_READS = ("time.gpu_ledger", *_OF_LINK, _OUTSIDE)
"""What `hideable` and `slower` read."""

_COPIES = RECURRING & COPIES
BESIDE_COPIES = Effect(RECURRING & BESIDE)
"""Gaps right before and after copies close."""


def exposed_copies(_: str, __: float, results: Results) -> Estimate | None:
    """Copies that kernels may wait for vanish, and gaps beside them."""
    whole, gone = recurring(results), RECURRING & WAITED_FOR
    if whole is None:
        return None
    of = _called(whole)
    hiding = (*hides(gone, results), BESIDE_COPIES)
    return gain(
        (Effect(gone), BESIDE_COPIES),
        whole,
        f"{_BOTH} / {of}",
        (_GAPS_GONE, *_once(whole), SAME_TIME),
        results,
        weaker=weaker(hiding, whole, _STAY, f"{_SMALLER_OF_THESE} / {of}", results),
    )


def overlap(_: str, __: float, results: Results) -> Estimate | None:
    """Copies that stay run beside kernels which now run alone, or in gaps; gaps beside them go."""
    whole = recurring(results)
    if whole is None:
        return None
    gaps = total(ledger(results), BESIDE_COPIES.where) > 0.0
    return gain(
        (*hides(_COPIES, results), BESIDE_COPIES),
        whole,
        f"({_SMALLER}{_AND_GAPS if gaps else ''}) / {_called(whole)}",
        (_INDEPENDENT, *((_BESIDE_GONE,) if gaps else ()), *_once(whole), SAME_TIME),
        results,
    )


def all_copies(_: str, __: float, results: Results) -> Estimate | None:
    """Every copy gone."""
    whole, seconds = elapsed(results), measured(results, "gpu.copy_time")
    assumptions = (_GONE, *once_words(results), _SUMMED, SAME_TIME)
    if whole is None or seconds is None:
        return of_sums(results, "copy", Local(1.0, "copy time", assumptions))
    formula = f"smaller of copy time and copies beside no kernel / {whole.short}"
    copies = Effect(_COPIES, per_gpu(seconds, results))
    return _with_gaps(copies, whole, formula, assumptions, results)


def link_rate(_: str, efficiency: float, results: Results) -> Estimate | None:
    """The same bytes at the link's rate in one direction, by copies that no host waits for.

    What real copies reach bounds nothing where only those within iterations count: how many
    bytes these move is not recorded.
    """
    seconds, found = measured(results, "gpu.copy_time"), measured(results, "transfer.bandwidth")
    if seconds is None or found is None or efficiency <= 0.0:
        return None
    rate, whole, once = found / efficiency, elapsed(results), once_words(results)
    reached = at_full_rate(seconds, moved(results), REACHABLE * rate)
    assumptions = (_STILL, _NOMINAL, *once, _SUMMED, SAME_TIME)
    faster = "(copy time - bytes at the link's rate)"
    if whole is None:
        weak = None if once else Weaker(reached, _AT_REACHABLE, _ALL_BYTES)
        part = _faster(seconds, rate, results)
        return of_sums(results, "copy", Local(part, faster, assumptions, weak))
    own, alone = per_gpu(seconds, results), total(ledger(results), _COPIES)
    least = Effect(_COPIES, max(alone - (1.0 - reached) * own, 0.0))
    formula = f"smaller of {faster} and copies beside no kernel / {whole.short}"
    return _with_gaps(
        Effect(_COPIES, _faster(seconds, rate, results) * own),
        whole,
        formula,
        assumptions,
        results,
        words=_NO_WAITS,
        still=_WAITING,
        weak=None if once else weaker((least,), whole, _AT_REACHABLE, _ALL_BYTES, results),
    )


def _with_gaps(  # noqa: PLR0913 - as `gain`
    copies: Effect,
    whole: Whole,
    formula: str,
    assumptions: tuple[str, ...],
    results: Results,
    *,
    words: str = _GAPS_GONE,
    still: str = "",
    weak: Weaker | None = None,
) -> Estimate | None:
    """Copies gone or faster, with the gaps right before and after them, where there are some.

    `words` are assumed in place of the first assumption; `still` is what else is assumed for the
    copies alone, where that is a weaker bound.
    """
    if not total(ledger(results), BESIDE_COPIES.where) > 0.0:
        return gain((copies,), whole, formula, assumptions, results, weaker=weak)
    if weak is not None:
        weak = replace(weak, condition=f"{weak.condition}, and {still}", steady=None)
    elif still:
        weak = weaker((copies,), whole, f"if {still}", formula, results)
    return gain(
        (copies, BESIDE_COPIES),
        whole,
        f"({formula}) + gaps right before and after copies / {whole.short}",
        (words, *assumptions[1:]),
        results,
        weaker=weak,
    )


def hides(copies: Where, results: Results) -> Iterator[Effect]:
    """Copies that run beside kernels which run alone now, or in gaps that stay, as far as any."""
    cells = ledger(results)
    for era in ERAS:
        cover = total(cells, era & KERNELS_ALONE) + total(cells, era & ELSEWHERE)
        yield Effect(era & copies, hidden(total(cells, era & copies), cover))


def hideable(results: Results) -> float | None:
    """Copies that run alone and could run beside kernels that now do, or in gaps that stay [s]."""
    return sum(each.most for each in hides(_COPIES, results)) if ledger(results) else None


def slower(results: Results) -> float | None:
    """What copies take beyond the time at the link's rate, where no kernel ran beside them [s].

    The mean over GPUs where a trace tells when copies ran, else their sum.
    """
    seconds, reached, efficiency = (measured(results, name) for name in _OF_LINK)
    if seconds is None or reached is None or not efficiency:
        return None
    beyond = seconds * _faster(seconds, reached / efficiency, results)
    cells = ledger(results)
    return hidden(per_gpu(beyond, results), total(cells, _COPIES)) if cells else beyond


def _faster(seconds: float, rate: float, results: Results) -> float:
    """The share of `seconds` of copies that the link's `rate` [B/s] saves, of repeated ones."""
    rows = rows_of(results, _OUTSIDE)
    time, size = (sum(float(row[name] or 0.0) for row in rows) for name in ("time", "bytes"))
    left = max(seconds - time, 0.0)
    return of_time(left * at_full_rate(left, max(moved(results) - size, 0.0), rate), seconds)


def moved(results: Results) -> float:
    """Bytes that crossed the host link in either direction [B]."""
    ways = (measured(results, f"transfer.bytes_{way}") or 0.0 for way in ("h2d", "d2h"))
    return sum(ways)


def _called(whole: Whole) -> str:
    return "time of steady iterations" if whole.kind == "iteration" else whole.short


def _once(whole: Whole) -> tuple[str, ...]:
    return (_ONCE,) if whole.kind == "iteration" else ()


def once_words(results: Results) -> tuple[str, ...]:
    """What is assumed of copies outside of iterations, where iterations were found."""
    return (_ONCE,) if measured(results, "time.iteration_exposed_copy") is not None else ()
