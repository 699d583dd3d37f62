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
from perfolio.findings.estimates.assumptions import SAME_TIME, explain_profiling, explain_samples
from perfolio.findings.estimates.bound_formulas import (
    ShareInterval,
    WeakerBound,
    apply_amdahl,
    compute_time_share,
    find_interval,
    is_more,
)
from perfolio.findings.estimates.copies import BESIDE_COPIES
from perfolio.findings.estimates.estimator_catalog import GainEstimator
from perfolio.findings.estimates.removal_gains import compute_reduction, make_gain
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
    read_ledger,
)
from perfolio.findings.estimates.wall_clock import (
    find_iteration,
    find_wall_time,
    has_iterations,
    is_profiled,
)
from perfolio.findings.model.change_effect import CellFilter, ChangeEffect, sum_cells
from perfolio.findings.model.denominator import BoundWhole
from perfolio.findings.model.finding import Estimate
from perfolio.metrics.metric_values import get_number, get_rows, get_value
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


@GainEstimator
def bound_input_data(metric: str, share: float, results: Results) -> Estimate | None:
    """All time that iterations spend on input data; `share` of them.

    Where batches are made on the device, their copies go, too, and the gaps right beside these.
    """
    sampled, own = find_interval(results, metric, share), _compute_gpu_share(results)
    iteration, copies = find_iteration(results), _find_copies(results)
    on_gpu = min(own, sampled.high)
    effects = (
        *take_of_iterations(IDLE, sampled.high - on_gpu, results),
        *take_of_iterations(BUSY, on_gpu, results),
        *_take_before(apply_amdahl(sampled.high), results),
    )
    saved = compute_reduction(effects, iteration, results)
    all_of_it = compute_reduction(
        (ChangeEffect(IDLE), *take_of_iterations(BUSY, own, results)), iteration, results
    )
    is_all = saved >= all_of_it
    wider = compute_reduction((*effects, *copies), iteration, results) if copies else None
    return make_gain(
        effects,
        iteration,
        _ALL_IDLE
        if is_all
        else f"{sampled.upper}time in the phase of input data / time of the iterations",
        (
            _READY,
            *explain_samples(sampled),
            *((_CAPPED,) if is_all and saved < sampled.high else ()),
            *_describe_on_device(wider, saved, copies, iteration),
            SAME_TIME,
            *explain_profiling(results),
        ),
        results,
        weaker=_bound_workers(results),
        wider=wider,
    )


@GainEstimator
def bound_iteration_gap(_: str, __: float, results: Results) -> Estimate | None:
    """The longest gap of each iteration, and copies that may go with the work in it."""
    copies = _find_copies(results)
    return make_gain(
        (ChangeEffect(COMPLETE & LONGEST), *_take_usual_gaps(results), *copies),
        find_iteration(results),
        "".join(_GAPS_AND_COPIES[: 1 + len(copies)]),
        (_NO_GAP, *(_NO_COPIES, _NO_GAPS)[: len(copies)], SAME_TIME, *explain_profiling(results)),
        results,
        weaker=_bound_workers(results),
    )


@GainEstimator
def bound_blame(metric: str, share: float, results: Results) -> Estimate | None:
    """Idle time while one function ran: `share` of that of iterations, or of all without any."""
    sampled, iteration = find_interval(results, metric, share), find_iteration(results)
    if not has_iterations(results):
        return _bound_blame_of_run(sampled, results)
    parts = tuple(_take_parts(IDLE, ANY_IDLE, apply_amdahl(sampled.high), _STEADY_ERAS, results))
    saved = compute_reduction(parts, iteration, results)
    is_all = saved >= compute_reduction((ChangeEffect(IDLE),), iteration, results)
    return make_gain(
        (*parts, *_take_before(saved, results)),
        iteration,
        "idle share of iterations without short gaps: all of it"
        if is_all
        else f"{sampled.upper}share of the idle time with this function × idle share of iterations",
        (_GONE, _WARM_UP, *explain_samples(sampled), SAME_TIME, *explain_profiling(results)),
        results,
    )


def _bound_blame_of_run(sampled: ShareInterval, results: Results) -> Estimate | None:
    """The function's part of the idle time between operations of a run without iterations."""
    whole = find_wall_time(results)
    if whole is None:
        return None
    return make_gain(
        tuple(_take_parts(IDLE, ANY_IDLE, apply_amdahl(sampled.high), (BETWEEN,), results)),
        whole,
        f"{sampled.upper}share of the idle time with this function × idle time between operations "
        f"/ {whole.short}",
        (_GONE, *explain_samples(sampled), SAME_TIME, *explain_profiling(results)),
        results,
        is_told=not is_profiled(results),
    )


def _take_parts(
    where: CellFilter, of: CellFilter, share: float, eras: tuple[CellFilter, ...], results: Results
) -> Iterator[ChangeEffect]:
    """So much of `where` goes in each era: a share of `of` there."""
    cells = read_ledger(results)
    return (ChangeEffect(era & where, share * sum_cells(cells, era & of)) for era in eras)


def take_of_iterations(where: CellFilter, share: float, results: Results) -> Iterator[ChangeEffect]:
    """The same as a share of all time of iterations."""
    return _take_parts(where, CellFilter(), share, _STEADY_ERAS, results)


def _take_before(share: float, results: Results) -> Iterator[ChangeEffect]:
    """What `share` of a typical iteration is in the warm-up, and before the first iteration."""
    yield from take_of_warm_up(share, results)
    yield ChangeEffect(START & IDLE, share * (get_value(results, "time.iteration_median") or 0.0))


def take_of_warm_up(share: float, results: Results) -> Iterator[ChangeEffect]:
    """What `share` of a typical iteration is in the warm-up."""
    median = get_value(results, "time.iteration_median") or 0.0
    count = get_value(results, "time.warm_up_iterations") or 0.0
    yield ChangeEffect(WARM_UP & IDLE, count * share * median)


def _take_usual_gaps(results: Results) -> Iterator[ChangeEffect]:
    """Long gaps of iterations that are not steady and before the first: no more than is usual.

    One of the warm-up also loads libraries, which may take longer than its input.
    """
    usual = get_value(results, "time.iteration_longest_gap") or 0.0
    rows = get_rows(results, "time.iteration_times")
    for era, mark in ((WARM_UP, "warm-up"), (LAST, "incomplete")):
        gaps = (get_number(row, "longest_gap") for row in rows if row["mark"] == mark)
        yield ChangeEffect(era & IDLE, sum(min(each, usual) for each in gaps))
    yield ChangeEffect(START & IDLE, usual)


def _compute_gpu_share(results: Results) -> float:
    """The share of steady iterations in which input runs on the GPU."""
    phases = get_rows(results, "time.iteration_phases")
    own = sum(get_number(row, "gpu_busy") for row in phases if row["phase"] == "data")
    return compute_time_share(own, sum(get_number(row, "time") for row in phases))


def _find_copies(results: Results) -> tuple[ChangeEffect, ...]:
    """Copies beside no kernel that go where batches are made on the device, and gaps beside them.

    None where input is little of the time.
    """
    data = get_value(results, "time.data_share")
    if data is not None and data <= _INPUT:
        return ()
    cells, found = read_ledger(results), (ChangeEffect(RECURRING & COPIES), BESIDE_COPIES)
    return tuple(each for each in found if sum_cells(cells, each.where) > 0.0)


def _describe_on_device(
    wider: float | None, saved: float, copies: tuple[ChangeEffect, ...], of: BoundWhole
) -> tuple[str, ...]:
    """What more is saved where batches are made on the device."""
    if wider is None or not is_more(wider, saved):
        return ()
    words = _ON_THE_DEVICE.format(quantity(wider, "ratio"), of.short)
    return (words, *((_AND_BESIDE,) if BESIDE_COPIES in copies else ()))


def _bound_workers(results: Results) -> WeakerBound | None:
    """What 8 workers save of an iteration; None with PC sampling, which lengthens all else."""
    found: list[dict[str, Cell]] = get_rows(results, "target.workers")
    if not found or is_profiled(results):
        return None
    row: Mapping[str, Cell] = found[0]
    prepare, rest, left = (get_number(row, name) for name in ("prepare", "rest", "with_eight"))
    return WeakerBound(compute_time_share(prepare + rest - left, prepare + rest), _WORKERS, _AHEAD)
