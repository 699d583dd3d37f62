"""Bounds on what the host does while the GPU is idle: input, and one function.

In:  the value of a rule's metric and the results of a run with a trace.
Out: an `Estimate` of an iteration, of wall time where none were found, a `Refusal`, or None where
     inputs are missing.

What recurs is measured of steady iterations. The one before them, and start-up before the first
one, is taken to have as much of it: that is assumed, and said.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from perfolio.common.units import quantity
from perfolio.findings.estimates.assumptions import SAME_TIME, by_samples, profiled
from perfolio.findings.estimates.bound_formulas import (
    Interval,
    Weaker,
    amdahl,
    interval,
    is_more,
    of_time,
)
from perfolio.findings.estimates.copies import BESIDE_COPIES
from perfolio.findings.estimates.removal_gains import gain, reduced
from perfolio.findings.estimates.time_ledger import (
    ANY_IDLE,
    BETWEEN,
    BUSY,
    COMPLETE,
    COPIES,
    IDLE,
    LAST,
    LONGEST,
    RECURRING,
    START,
    WARM_UP,
    ledger,
)
from perfolio.findings.estimates.wall_clock import is_profiled, iterates, of_iteration, on_the_wall
from perfolio.findings.model.change_effect import Effect, Where, total
from perfolio.findings.model.denominator import Whole
from perfolio.findings.model.finding import Estimate
from perfolio.metrics.metric_values import measured, number_of, rows_of
from perfolio.metrics.model import Cell, Results

_GONE = (
    "The function's work disappears, or other threads do it ahead of time; what runs in the "
    "remaining time does not change."
)
_READY = (
    "Every batch is ready when it is needed, and making it elsewhere slows nothing else down; all "
    "else stays. An iteration of the warm-up is taken to spend on input what the others do, and "
    "start-up as much for the first one."
)
_WARM_UP = (
    "An iteration of the warm-up is taken to spend on the function what the others do, and "
    "start-up as much for the first one."
)
_NO_GAP = (
    "Of each iteration the longest gap disappears, of one in the warm-up and before the first one "
    "as much as is usual, and all else stays."
)
_NO_COPIES = "Copies of iterations go, too, for batches may be made on the device."
_NO_GAPS = (
    "So does each gap of up to 100 µs right before a copy, and of up to 50 µs right after one. "
    "All other gaps stay: closing some as the host then runs ahead comes on top."
)
_ON_THE_DEVICE = (
    "Batches that are made on the GPU need no copies to it: then at most {} of {} goes, with "
    "copies beside no kernel."
)
_AND_BESIDE = (
    "Gaps right beside copies go with them there: of up to 100 µs before one, and of up to 50 µs "
    "after one."
)
_GAPS_AND_COPIES = (
    "longest gaps / time of steady iterations",
    " + share of copies beside no kernel",
    " and gaps right before and after copies",
)
_ALL_IDLE = "idle share of iterations + what input runs on the GPU: all of it"
_CAPPED = (
    "That end is more than the GPU is idle, gaps left out that the profiler may have made: the "
    "bound is all idle time, and not that end."
)
_INPUT = 0.05
"""From this share of iterations on, input data matter: as for D8 [ratio]."""
_WORKERS = "with 8 workers that prepare ahead, each on a core of its own"
_AHEAD = "1 - larger of preparing / 8 and all else of an iteration / iteration"
_STEADY_ERAS = (COMPLETE, LAST)


def input_data(metric: str, share: float, results: Results) -> Estimate | None:
    """All time that iterations spend on input data; `share` of them.

    Where batches are made on the device, their copies go, too, and the gaps right beside these.
    """
    sampled, own = interval(results, metric, share), _on_the_gpu(results)
    iteration, copies = of_iteration(results), _copies(results)
    on_gpu = min(own, sampled.high)
    effects = (
        *of_each(IDLE, sampled.high - on_gpu, results),
        *of_each(BUSY, on_gpu, results),
        *_before(amdahl(sampled.high), results),
    )
    saved = reduced(effects, iteration, results)
    all_of_it = reduced((Effect(IDLE), *of_each(BUSY, own, results)), iteration, results)
    is_all = saved >= all_of_it
    wider = reduced((*effects, *copies), iteration, results) if copies else None
    return gain(
        effects,
        iteration,
        _ALL_IDLE
        if is_all
        else f"{sampled.upper}time in the phase of input data / time of the iterations",
        (
            _READY,
            *by_samples(sampled),
            *((_CAPPED,) if is_all and saved < sampled.high else ()),
            *_on_the_device(wider, saved, copies, iteration),
            SAME_TIME,
            *profiled(results),
        ),
        results,
        weaker=_workers(results),
        wider=wider,
    )


def iteration_gap(_: str, __: float, results: Results) -> Estimate | None:
    """The longest gap of each iteration, and copies that may go with the work in it."""
    copies = _copies(results)
    return gain(
        (Effect(COMPLETE & LONGEST), *_usual_gaps(results), *copies),
        of_iteration(results),
        "".join(_GAPS_AND_COPIES[: 1 + len(copies)]),
        (_NO_GAP, *(_NO_COPIES, _NO_GAPS)[: len(copies)], SAME_TIME, *profiled(results)),
        results,
        weaker=_workers(results),
    )


def blame(metric: str, share: float, results: Results) -> Estimate | None:
    """Idle time while one function ran: `share` of that of iterations, or of all without any."""
    sampled, iteration = interval(results, metric, share), of_iteration(results)
    if not iterates(results):
        return _of_the_run(sampled, results)
    parts = tuple(_parts(IDLE, ANY_IDLE, amdahl(sampled.high), _STEADY_ERAS, results))
    saved = reduced(parts, iteration, results)
    is_all = saved >= reduced((Effect(IDLE),), iteration, results)
    return gain(
        (*parts, *_before(saved, results)),
        iteration,
        "idle share of iterations without short gaps: all of it"
        if is_all
        else f"{sampled.upper}share of the idle time with this function × idle share of iterations",
        (_GONE, _WARM_UP, *by_samples(sampled), SAME_TIME, *profiled(results)),
        results,
    )


def _of_the_run(sampled: Interval, results: Results) -> Estimate | None:
    """The function's part of the idle time between operations of a run without iterations."""
    whole = on_the_wall(results)
    if whole is None:
        return None
    return gain(
        tuple(_parts(IDLE, ANY_IDLE, amdahl(sampled.high), (BETWEEN,), results)),
        whole,
        f"{sampled.upper}share of the idle time with this function × idle time between operations "
        f"/ {whole.short}",
        (_GONE, *by_samples(sampled), SAME_TIME, *profiled(results)),
        results,
        is_told=not is_profiled(results),
    )


def _parts(
    where: Where, of: Where, share: float, eras: tuple[Where, ...], results: Results
) -> Iterator[Effect]:
    """So much of `where` goes in each era: a share of `of` there."""
    cells = ledger(results)
    return (Effect(era & where, share * total(cells, era & of)) for era in eras)


def of_each(where: Where, share: float, results: Results) -> Iterator[Effect]:
    """The same as a share of all time of iterations."""
    return _parts(where, Where(), share, _STEADY_ERAS, results)


def _before(share: float, results: Results) -> Iterator[Effect]:
    """What `share` of a typical iteration is in the warm-up, and before the first iteration."""
    yield from of_warm_up(share, results)
    yield Effect(START & IDLE, share * (measured(results, "time.iteration_median") or 0.0))


def of_warm_up(share: float, results: Results) -> Iterator[Effect]:
    """What `share` of a typical iteration is in the warm-up."""
    median = measured(results, "time.iteration_median") or 0.0
    count = measured(results, "time.warm_up_iterations") or 0.0
    yield Effect(WARM_UP & IDLE, count * share * median)


def _usual_gaps(results: Results) -> Iterator[Effect]:
    """Long gaps of iterations that are not steady and before the first: no more than is usual.

    One of the warm-up also loads libraries, which may take longer than its input.
    """
    usual = measured(results, "time.iteration_longest_gap") or 0.0
    rows = rows_of(results, "time.iteration_times")
    for era, mark in ((WARM_UP, "warm-up"), (LAST, "incomplete")):
        gaps = (number_of(row, "longest_gap") for row in rows if row["mark"] == mark)
        yield Effect(era & IDLE, sum(min(each, usual) for each in gaps))
    yield Effect(START & IDLE, usual)


def _on_the_gpu(results: Results) -> float:
    """The share of steady iterations in which input runs on the GPU."""
    phases = rows_of(results, "time.iteration_phases")
    own = sum(number_of(row, "gpu_busy") for row in phases if row["phase"] == "data")
    return of_time(own, sum(number_of(row, "time") for row in phases))


def _copies(results: Results) -> tuple[Effect, ...]:
    """Copies beside no kernel that go where batches are made on the device, and gaps beside them.

    None where input is little of the time.
    """
    data = measured(results, "time.data_share")
    if data is not None and data <= _INPUT:
        return ()
    cells, found = ledger(results), (Effect(RECURRING & COPIES), BESIDE_COPIES)
    return tuple(each for each in found if total(cells, each.where) > 0.0)


def _on_the_device(
    wider: float | None, saved: float, copies: tuple[Effect, ...], of: Whole
) -> tuple[str, ...]:
    """What more is saved where batches are made on the device."""
    if wider is None or not is_more(wider, saved):
        return ()
    words = _ON_THE_DEVICE.format(quantity(wider, "ratio"), of.short)
    return (words, *((_AND_BESIDE,) if BESIDE_COPIES in copies else ()))


def _workers(results: Results) -> Weaker | None:
    """What 8 workers save of an iteration; None with PC sampling, which lengthens all else."""
    found: list[dict[str, Cell]] = rows_of(results, "target.workers")
    if not found or is_profiled(results):
        return None
    row: Mapping[str, Cell] = found[0]
    prepare, rest, left = (number_of(row, name) for name in ("prepare", "rest", "with_eight"))
    return Weaker(of_time(prepare + rest - left, prepare + rest), _WORKERS, _AHEAD)
