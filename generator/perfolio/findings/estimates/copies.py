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
    WeakerBound,
    compute_rate_saving,
    compute_time_share,
    divide_by_gpus,
    hide_time,
    is_more,
)
from perfolio.findings.estimates.estimator_catalog import GainEstimator
from perfolio.findings.estimates.removal_gains import (
    LocalSaving,
    compute_reduction,
    make_gain,
    make_summed_estimate,
    make_weaker_bound,
)
from perfolio.findings.estimates.savings_budget import SavingsBudget, clamp_effects
from perfolio.findings.estimates.time_ledger import (
    BESIDE,
    COPIES,
    ELSEWHERE,
    ERAS,
    KERNELS_ALONE,
    RECURRING,
    WAITED_FOR,
    read_ledger,
)
from perfolio.findings.estimates.wall_clock import find_elapsed, find_recurring
from perfolio.findings.model.change_effect import CellFilter, ChangeEffect, compute_saved, sum_cells
from perfolio.findings.model.denominator import BoundWhole
from perfolio.findings.model.finding import Estimate, Refusal
from perfolio.metrics.metric_values import get_number, get_rows, get_value
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
    f"if copies reach {quantity(REACHABLE, 'ratio')} of the link's rate, as large "
    "page-locked ones "
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
_EXPOSED = SavingsBudget(WAITED_FOR, KERNELS_ALONE)
_HIDDEN = SavingsBudget(COPIES, KERNELS_ALONE)
_SHORTENED = SavingsBudget(COPIES)
BESIDE_COPIES = ChangeEffect(RECURRING & BESIDE)
"""Gaps right before and after copies close."""


@GainEstimator.within(_EXPOSED)
def bound_exposed_copies(_: str, __: float, results: Results) -> Estimate | Refusal | None:
    """Copies that kernels may wait for run beside kernels that now run alone."""
    whole, gone = find_recurring(results), RECURRING & WAITED_FOR
    if whole is None:
        return None
    more = (ChangeEffect(gone), BESIDE_COPIES)
    called = _SMALLER.format("that the next kernel may wait for")
    return _bound_hidden_copies(_EXPOSED, gone, whole, (called, _SENT_LESS, more), results)


@GainEstimator.within(_HIDDEN)
def bound_overlap(_: str, __: float, results: Results) -> Estimate | Refusal | None:
    """Copies that stay run beside kernels which now run alone; with more, in gaps as well."""
    whole = find_recurring(results)
    if whole is None:
        return None
    more = (*_hide_anywhere(_COPIES, results), BESIDE_COPIES)
    called = _SMALLER.format("beside no kernel")
    return _bound_hidden_copies(_HIDDEN, _COPIES, whole, (called, _IN_GAPS, more), results)


def _bound_hidden_copies(
    budget: SavingsBudget,
    copies: CellFilter,
    whole: BoundWhole,
    further: tuple[str, str, Sequence[ChangeEffect]],
    results: Results,
) -> Estimate | Refusal | None:
    """Copies behind kernels, and beside that what goes `further`: words of both, and effects."""
    formula, words, more = further
    effects, cells = (
        tuple(clamp_effects(budget, (ChangeEffect(copies),), results)),
        read_ledger(results),
    )
    alone = sum_cells(cells, copies)
    if alone > 0.0 and not compute_saved(effects, cells) > 0.0:
        return Refusal(_NOTHING_BESIDE, concerned=alone)
    wider = compute_reduction(more, whole, results)
    return make_gain(
        effects,
        whole,
        f"{formula} / {_name_whole(whole)}",
        (
            _INDEPENDENT,
            *_describe_further(words, wider, compute_reduction(effects, whole, results), whole),
            *_describe_once(whole),
            SAME_TIME,
        ),
        results,
        wider=wider,
    )


def _describe_further(words: str, wider: float, least: float, whole: BoundWhole) -> tuple[str, ...]:
    """What a change that goes further saves, where that is more."""
    if not is_more(wider, least):
        return ()
    return (words.format(quantity(wider, "ratio"), whole.short),)


@GainEstimator
def bound_all_copies(_: str, __: float, results: Results) -> Estimate | None:
    """Every copy gone."""
    whole, seconds = find_elapsed(results), get_value(results, "gpu.copy_time")
    assumptions = (_GONE, *describe_once_copies(results), _SUMMED, SAME_TIME)
    if whole is None or seconds is None:
        return make_summed_estimate(results, "copy", LocalSaving(1.0, "copy time", assumptions))
    formula = f"smaller of copy time and copies beside no kernel / {whole.short}"
    copies = ChangeEffect(_COPIES, divide_by_gpus(seconds, results))
    return _bound_with_gaps(copies, whole, formula, assumptions, results)


@GainEstimator.within(_SHORTENED)
def bound_link_rate(_: str, efficiency: float, results: Results) -> Estimate | None:
    """The same bytes at the link's rate in one direction: no more than their copies take now.

    What real copies reach bounds nothing where only those within iterations count: how many
    bytes these move is not recorded.
    """
    seconds, found = get_value(results, "gpu.copy_time"), get_value(results, "transfer.bandwidth")
    if seconds is None or found is None or efficiency <= 0.0:
        return None
    rate, whole, once = found / efficiency, find_recurring(results), describe_once_copies(results)
    assumptions, faster = (_STILL, _NOMINAL, *once, _SUMMED, SAME_TIME), _FASTER
    if whole is None:
        weak = (
            None
            if once
            else WeakerBound(_compute_reached(rate, results), _AT_REACHABLE, _ALL_BYTES)
        )
        part = compute_time_share(_compute_link_saving(rate, results), seconds)
        return make_summed_estimate(results, "copy", LocalSaving(part, faster, assumptions, weak))
    effects = tuple(
        clamp_effects(
            _SHORTENED, (_shorten_copies(_compute_link_saving(rate, results), results),), results
        )
    )
    wider, least = (
        compute_reduction(each, whole, results) for each in ((*effects, BESIDE_COPIES), effects)
    )
    return make_gain(
        effects,
        whole,
        f"smaller of {faster} and copies beside no kernel / {_name_whole(whole)}",
        (*assumptions[:-1], *_describe_further(_NO_WAITS, wider, least, whole), SAME_TIME),
        results,
        weaker=None if once else _bound_at_reachable(rate, whole, results),
        wider=wider,
    )


def _shorten_copies(seconds: float, results: Results) -> ChangeEffect:
    """Copies that take so much less, as the mean over GPUs."""
    return ChangeEffect(_COPIES, divide_by_gpus(seconds, results))


def _bound_at_reachable(rate: float, whole: BoundWhole, results: Results) -> WeakerBound:
    """What copies save at the rate that real ones reach."""
    crossing, alone = (
        divide_by_gpus(_sum_crossing(results), results),
        sum_cells(read_ledger(results), _COPIES),
    )
    least = max(alone - (1.0 - _compute_reached(rate, results)) * crossing, 0.0)
    least = min(least, _shorten_copies(_compute_link_saving(rate, results), results).most)
    return make_weaker_bound(
        (ChangeEffect(_COPIES, least),), whole, _AT_REACHABLE, _ALL_BYTES, results
    )


def _compute_reached(rate: float, results: Results) -> float:
    """The share of their time that copies over the link save at the rate that real ones reach."""
    return compute_rate_saving(_sum_crossing(results), sum_moved_bytes(results), REACHABLE * rate)


def _bound_with_gaps(
    copies: ChangeEffect,
    whole: BoundWhole,
    formula: str,
    assumptions: tuple[str, ...],
    results: Results,
) -> Estimate | None:
    """Copies gone, with the gaps right before and after them, where there are some."""
    if not sum_cells(read_ledger(results), BESIDE_COPIES.where) > 0.0:
        return make_gain((copies,), whole, formula, assumptions, results)
    return make_gain(
        (copies, BESIDE_COPIES),
        whole,
        f"({formula}) + gaps right before and after copies / {whole.short}",
        (_GAPS_GONE, *assumptions[1:]),
        results,
    )


def _hide_anywhere(copies: CellFilter, results: Results) -> Iterator[ChangeEffect]:
    """Copies that run beside kernels which run alone now, or in gaps that stay, as far as any."""
    cells = read_ledger(results)
    for era in ERAS:
        cover = sum_cells(cells, era & KERNELS_ALONE) + sum_cells(cells, era & ELSEWHERE)
        yield ChangeEffect(era & copies, hide_time(sum_cells(cells, era & copies), cover))


def compute_hideable(results: Results) -> float | None:
    """Copies that run alone and could run beside kernels that now do [s]."""
    if not read_ledger(results):
        return None
    return sum(each.most for each in clamp_effects(_HIDDEN, (ChangeEffect(_COPIES),), results))


def compute_slower(results: Results) -> float | None:
    """What copies take beyond the time at the link's rate, where no kernel ran beside them [s].

    The mean over GPUs where a trace tells when copies ran, else their sum.
    """
    seconds, reached, efficiency = (get_value(results, name) for name in _OF_LINK)
    if seconds is None or reached is None or not efficiency:
        return None
    beyond, cells = _compute_link_saving(reached / efficiency, results), read_ledger(results)
    return (
        hide_time(divide_by_gpus(beyond, results), sum_cells(cells, _COPIES)) if cells else beyond
    )


def _sum_crossing(results: Results) -> float:
    """The time of copies that cross the host link, or may [s]."""
    rows = get_rows(results, "transfer.directions")
    others = (get_number(row, "time") for row in rows if row["direction"] not in _HOST_LINK)
    return max((get_value(results, "gpu.copy_time") or 0.0) - sum(others), 0.0)


def _compute_link_saving(rate: float, results: Results) -> float:
    """What repeated copies over the link take less at its `rate` [B/s] [s]."""
    rows = get_rows(results, _OUTSIDE)
    time = sum(get_number(row, "link_time") for row in rows)
    size = sum(get_number(row, "bytes") for row in rows)
    left = max(_sum_crossing(results) - time, 0.0)
    return left * compute_rate_saving(left, max(sum_moved_bytes(results) - size, 0.0), rate)


def sum_moved_bytes(results: Results) -> float:
    """Bytes that crossed the host link in either direction [B]."""
    ways = (get_value(results, f"transfer.bytes_{way}") or 0.0 for way in ("h2d", "d2h"))
    return sum(ways)


def _name_whole(whole: BoundWhole) -> str:
    return "time of steady iterations" if whole.kind == "iteration" else whole.short


def _describe_once(whole: BoundWhole) -> tuple[str, ...]:
    return (_ONCE,) if whole.kind == "iteration" else ()


def describe_once_copies(results: Results) -> tuple[str, ...]:
    """What is assumed of copies outside of iterations, where iterations were found."""
    return (_ONCE,) if get_value(results, "time.iteration_exposed_copy") is not None else ()
