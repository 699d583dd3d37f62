"""Bounds on copies: that vanish, that run beside kernels, or as fast as the link is.

In:  the value of a rule's metric and the results of a run.
Out: an `Estimate` of an iteration or of the run, or times of copies [s]; None where their inputs
     are missing.

Where iterations were found, only copies within them count: a model is copied once, before there is
a kernel to hide behind, and pinning memory for one copy costs more than that copy.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from perfolio.common.units import quantity
from perfolio.findings.estimates.assumptions import SAME_TIME
from perfolio.findings.estimates.bound_formulas import (
    Weaker,
    at_full_rate,
    hidden,
    is_more,
    of_time,
    per_gpu,
)
from perfolio.findings.estimates.removal_gains import Local, gain, of_sums, reduced, weaker
from perfolio.findings.estimates.savings_budget import clamped
from perfolio.findings.estimates.time_ledger import (
    BESIDE,
    COPIES,
    ELSEWHERE,
    ERAS,
    KERNELS_ALONE,
    RECURRING,
    WAITED_FOR,
    ledger,
)
from perfolio.findings.estimates.wall_clock import elapsed, recurring
from perfolio.findings.model.change_effect import Effect, Where, saved, total
from perfolio.findings.model.denominator import Whole
from perfolio.findings.model.finding import Estimate, Refusal
from perfolio.metrics.metric_values import measured, number_of, rows_of
from perfolio.metrics.model import Results

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
    "The same bytes move at the link's nominal rate, which no real copy reaches; copies within the "
    "device take as long as now."
)
_STILL = "Times in which the GPU runs nothing stay: closing those beside copies comes on top."
_NO_WAITS = (
    "Where the host waits for no copy any more, or copies are joined, gaps of up to 100 µs right "
    "before a copy and of up to 50 µs right after one close, too: at most {} of {} goes."
)
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
_SMALLER = "smaller of copies {} and kernels beside no copy"
_INDEPENDENT = (
    "Copies and kernels are independent of each other, so that copies run while kernels do that "
    "now run alone. Kernels and gaps stay: closing gaps comes on top."
)
_SENT_LESS = (
    "Where these copies go, or also run in gaps, and gaps right beside them close, at most {} of "
    "{} goes: gaps of up to 100 µs before a copy and of up to 50 µs after one."
)
_IN_GAPS = (
    "Where copies also run in gaps, and gaps right beside them close, at most {} of {} goes: gaps "
    "of up to 100 µs before a copy and of up to 50 µs after one."
)
_NOTHING_BESIDE = (
    "No kernel runs by itself that these copies could run beside: only sending less, or "
    "page-locked memory, saves time here, and what that saves no profile tells."
)
_FASTER = "(time of copies over the link - bytes at its rate)"
_HOST_LINK = ("H2D", "D2H")
_OF_LINK = ("gpu.copy_time", "transfer.bandwidth", "transfer.link_efficiency")
_OUTSIDE = "transfer.outside_iterations"
"""The metric of copies that are made once: it is not measured without iterations."""
HIDEABLE_READS = ("time.gpu_ledger",)
SLOWER_READS = ("time.gpu_ledger", "transfer.directions", *_OF_LINK, _OUTSIDE)
"""What `hideable` and `slower` read."""

_COPIES = RECURRING & COPIES
BESIDE_COPIES = Effect(RECURRING & BESIDE)
"""Gaps right before and after copies close."""


def exposed_copies(_: str, __: float, results: Results) -> Estimate | Refusal | None:
    """Copies that kernels may wait for run beside kernels that now run alone."""
    whole, gone = recurring(results), RECURRING & WAITED_FOR
    if whole is None:
        return None
    more = (Effect(gone), BESIDE_COPIES)
    called = _SMALLER.format("that the next kernel may wait for")
    return _hidden("exposed_copies", gone, whole, (called, _SENT_LESS, more), results)


def overlap(_: str, __: float, results: Results) -> Estimate | Refusal | None:
    """Copies that stay run beside kernels which now run alone; with more, in gaps as well."""
    whole = recurring(results)
    if whole is None:
        return None
    more = (*_hides_anywhere(_COPIES, results), BESIDE_COPIES)
    called = _SMALLER.format("beside no kernel")
    return _hidden("overlap", _COPIES, whole, (called, _IN_GAPS, more), results)


def _hidden(
    name: str,
    copies: Where,
    whole: Whole,
    further: tuple[str, str, Sequence[Effect]],
    results: Results,
) -> Estimate | Refusal | None:
    """Copies behind kernels, and beside that what goes `further`: words of both, and effects."""
    formula, words, more = further
    effects, cells = tuple(clamped(name, (Effect(copies),), results)), ledger(results)
    alone = total(cells, copies)
    if alone > 0.0 and not saved(effects, cells) > 0.0:
        return Refusal(_NOTHING_BESIDE, concerned=alone)
    wider = reduced(more, whole, results)
    return gain(
        effects,
        whole,
        f"{formula} / {_called(whole)}",
        (
            _INDEPENDENT,
            *_further(words, wider, reduced(effects, whole, results), whole),
            *_once(whole),
            SAME_TIME,
        ),
        results,
        wider=wider,
    )


def _further(words: str, wider: float, least: float, whole: Whole) -> tuple[str, ...]:
    """What a change that goes further saves, where that is more."""
    if not is_more(wider, least):
        return ()
    return (words.format(quantity(wider, "ratio"), whole.short),)


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
    """The same bytes at the link's rate in one direction: no more than their copies take now.

    What real copies reach bounds nothing where only those within iterations count: how many
    bytes these move is not recorded.
    """
    seconds, found = measured(results, "gpu.copy_time"), measured(results, "transfer.bandwidth")
    if seconds is None or found is None or efficiency <= 0.0:
        return None
    rate, whole, once = found / efficiency, recurring(results), once_words(results)
    assumptions, faster = (_STILL, _NOMINAL, *once, _SUMMED, SAME_TIME), _FASTER
    if whole is None:
        weak = None if once else Weaker(_reached(rate, results), _AT_REACHABLE, _ALL_BYTES)
        part = of_time(_saved(rate, results), seconds)
        return of_sums(results, "copy", Local(part, faster, assumptions, weak))
    effects = tuple(clamped("link_rate", (_quicker(_saved(rate, results), results),), results))
    wider, least = (reduced(each, whole, results) for each in ((*effects, BESIDE_COPIES), effects))
    return gain(
        effects,
        whole,
        f"smaller of {faster} and copies beside no kernel / {_called(whole)}",
        (*assumptions[:-1], *_further(_NO_WAITS, wider, least, whole), SAME_TIME),
        results,
        weaker=None if once else _at_reachable(rate, whole, results),
        wider=wider,
    )


def _quicker(seconds: float, results: Results) -> Effect:
    """Copies that take so much less, as the mean over GPUs."""
    return Effect(_COPIES, per_gpu(seconds, results))


def _at_reachable(rate: float, whole: Whole, results: Results) -> Weaker:
    """What copies save at the rate that real ones reach."""
    crossing, alone = per_gpu(_crossing(results), results), total(ledger(results), _COPIES)
    least = max(alone - (1.0 - _reached(rate, results)) * crossing, 0.0)
    least = min(least, _quicker(_saved(rate, results), results).most)
    return weaker((Effect(_COPIES, least),), whole, _AT_REACHABLE, _ALL_BYTES, results)


def _reached(rate: float, results: Results) -> float:
    """The share of their time that copies over the link save at the rate that real ones reach."""
    return at_full_rate(_crossing(results), moved(results), REACHABLE * rate)


def _with_gaps(
    copies: Effect, whole: Whole, formula: str, assumptions: tuple[str, ...], results: Results
) -> Estimate | None:
    """Copies gone, with the gaps right before and after them, where there are some."""
    if not total(ledger(results), BESIDE_COPIES.where) > 0.0:
        return gain((copies,), whole, formula, assumptions, results)
    return gain(
        (copies, BESIDE_COPIES),
        whole,
        f"({formula}) + gaps right before and after copies / {whole.short}",
        (_GAPS_GONE, *assumptions[1:]),
        results,
    )


def _hides_anywhere(copies: Where, results: Results) -> Iterator[Effect]:
    """Copies that run beside kernels which run alone now, or in gaps that stay, as far as any."""
    cells = ledger(results)
    for era in ERAS:
        cover = total(cells, era & KERNELS_ALONE) + total(cells, era & ELSEWHERE)
        yield Effect(era & copies, hidden(total(cells, era & copies), cover))


def hideable(results: Results) -> float | None:
    """Copies that run alone and could run beside kernels that now do [s]."""
    if not ledger(results):
        return None
    return sum(each.most for each in clamped("overlap", (Effect(_COPIES),), results))


def slower(results: Results) -> float | None:
    """What copies take beyond the time at the link's rate, where no kernel ran beside them [s].

    The mean over GPUs where a trace tells when copies ran, else their sum.
    """
    seconds, reached, efficiency = (measured(results, name) for name in _OF_LINK)
    if seconds is None or reached is None or not efficiency:
        return None
    beyond, cells = _saved(reached / efficiency, results), ledger(results)
    return hidden(per_gpu(beyond, results), total(cells, _COPIES)) if cells else beyond


def _crossing(results: Results) -> float:
    """The time of copies that cross the host link, or may [s]."""
    rows = rows_of(results, "transfer.directions")
    others = (number_of(row, "time") for row in rows if row["direction"] not in _HOST_LINK)
    return max((measured(results, "gpu.copy_time") or 0.0) - sum(others), 0.0)


def _saved(rate: float, results: Results) -> float:
    """What repeated copies over the link take less at its `rate` [B/s] [s]."""
    rows = rows_of(results, _OUTSIDE)
    time = sum(number_of(row, "link_time") for row in rows)
    size = sum(number_of(row, "bytes") for row in rows)
    left = max(_crossing(results) - time, 0.0)
    return left * at_full_rate(left, max(moved(results) - size, 0.0), rate)


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
