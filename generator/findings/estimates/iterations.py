"""Bounds on what recurs: iterations, and idle time with one function.

In:  the value of a rule's metric and the results of a run with a trace.
Out: an `Estimate` of an iteration, of wall time where none were found, or None where its inputs
     are missing.
"""

from __future__ import annotations

import math
from collections.abc import Mapping

from generator.findings.estimates.bounds import (
    Interval,
    Weaker,
    amdahl,
    estimate,
    interval,
    of_time,
)
from generator.findings.estimates.clock import on_the_wall, sampled_gaps, short_gap_share
from generator.findings.estimates.copies import gaps_by_cause, steady_beside, waits_by_part
from generator.findings.estimates.wall import (
    SAME_TIME,
    by_samples,
    is_profiled,
    of_iteration,
    profiled,
)
from generator.findings.terms.finding import Estimate
from generator.metrics.model import Cell, Results
from generator.metrics.values import measured, number_of, rows_of

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
_AND_COPIES = " + share of copies beside no kernel"
_AND_GAPS = " and gaps right before and after copies"
_COPIED = "transfers.exposed"
_ALL_IDLE = (
    "idle share of iterations + share of copies beside no kernel + what input runs on the GPU: "
    "all of it"
)
_OF_PHASES = ("time", "gpu_idle")
_INPUT = 0.05
"""From this share of iterations on, input data matter: as for D8 [ratio]."""
_WORKERS = "with 8 workers that prepare ahead, each on a core of its own"
_AHEAD = "1 - larger of preparing / 8 and all else of an iteration / iteration"


def blame(metric: str, share: float, results: Results) -> Estimate | None:
    """Idle time while one function ran: `share` of that of iterations, or of all without any."""
    sampled, iterations = interval(results, metric, share), idle_share(results)
    if iterations is not None:
        return _of_iterations(sampled, iterations, results)
    idle, found = measured(results, "time.gap_time"), on_the_wall(results)
    if idle is None or found is None:
        return None
    saved = min(amdahl(sampled.high) * idle, max(idle - sampled_gaps(results), 0.0))
    return estimate(
        of_time(saved, found.amount),
        found,
        f"{sampled.upper}share of the idle time with this function × idle time between operations "
        f"/ {found.short}",
        (_GONE, *by_samples(sampled), SAME_TIME, *profiled(results)),
        is_told=not profiled(results),
    )


def idle_share(results: Results) -> float | None:
    """Share of steady iterations in which the GPU is idle; None where there are none."""
    busy = measured(results, "time.steady_utilisation")
    return None if busy is None else amdahl(1.0 - busy)


def _of_iterations(sampled: Interval, idle: float, results: Results) -> Estimate | None:
    """The function's part of iterations that are idle for a share of `idle`."""
    told = max(idle - short_gap_share(results), 0.0)
    saved = min(amdahl(sampled.high) * idle, told)
    warm_up, start = in_warm_up(results, saved), _in_start_up(results, saved)
    return estimate(
        saved,
        of_iteration(results),
        f"{sampled.upper}share of the idle time with this function × idle share of iterations"
        if saved < told
        else "idle share of iterations without short gaps: all of it",
        (_GONE, _WARM_UP, *by_samples(sampled), SAME_TIME, *profiled(results)),
        is_told=not profiled(results),
        more=warm_up + start,
        beyond={"host.warm_up": warm_up, "host.start": start},
    )


def _workers(results: Results) -> Weaker | None:
    """What 8 workers save of an iteration; None with PC sampling, which lengthens all else."""
    found = rows_of(results, "target.workers")
    if not found or profiled(results):
        return None
    prepare, rest, left = (
        float(found[0][name] or 0.0) for name in ("prepare", "rest", "with_eight")
    )
    return Weaker(of_time(prepare + rest - left, prepare + rest), _WORKERS, _AHEAD)


def iteration_gap(_: str, __: float, results: Results) -> Estimate | None:
    """The longest gap of a typical iteration, and copies that may go with the work in it."""
    gap, rest = _gap_and_rest(results)
    copies, with_copies = _copies(results)
    copied = math.fsum(with_copies.values())
    saved, steady = of_time(gap, gap + rest), measured(results, "time.steady")
    every = measured(results, "time.iteration_gap_time")
    warm_up, beyond_usual = _waits_in_warm_up(results, gap)
    start = min(_idle(results, "start-up") or 0.0, gap)
    more = 0.0
    if every is not None and steady is not None:
        more = max(every - beyond_usual - saved * steady, 0.0) + start
    return estimate(
        min(saved + copies, 1.0),
        of_iteration(results),
        f"median of the longest gaps / median of the iterations{_and(with_copies)}",
        (_NO_GAP, *_gone(with_copies), SAME_TIME, *profiled(results)),
        weaker=_workers(results),
        is_told=not is_profiled(results),
        more=more + max(copied - copies * (steady or 0.0), 0.0),
        beyond={**with_copies, "host.warm_up": warm_up, "host.start": start},
    )


def input_data(metric: str, share: float, results: Results) -> Estimate | None:
    """All time that iterations spend on input data, and their copies; `share` of them."""
    sampled = interval(results, metric, share)
    copies, with_copies = _copies(results)
    copied = math.fsum(with_copies.values())
    steady = measured(results, "time.steady")
    warm_up, start = in_warm_up(results, sampled.high), _in_start_up(results, sampled.high)
    added, most = amdahl(sampled.high) + copies, _most_of_input(results)
    saved = min(added, most)
    return estimate(
        saved,
        of_iteration(results),
        f"{sampled.upper}time in the phase of input data / time of the iterations"
        f"{_and(with_copies)}"
        if added <= most
        else _ALL_IDLE,
        (
            _READY,
            *_gone(with_copies),
            *by_samples(sampled),
            SAME_TIME,
            *profiled(results),
        ),
        weaker=_workers(results),
        is_told=not is_profiled(results),
        more=warm_up + start + max(copied - copies * (steady or 0.0), 0.0),
        beyond={**with_copies, "host.warm_up": warm_up, "host.start": start},
    )


def _most_of_input(results: Results) -> float:
    """Share of iterations that input and copies have at most; all of them where not measured.

    Idle time, copies beside no kernel, and what of input runs on the GPU: a gap between two copies
    of a batch is both a gap after a copy and time of input.
    """
    phases = rows_of(results, "time.iteration_phases")
    time, idle = (math.fsum(float(row[name] or 0.0) for row in phases) for name in _OF_PHASES)
    own = math.fsum(float(row["gpu_busy"] or 0.0) for row in phases if row["phase"] == "data")
    copies = measured(results, "time.iteration_exposed_copy_share") or 0.0
    return min(of_time(idle + own, time) + copies, 1.0) if phases else 1.0


def _copies(results: Results) -> tuple[float, dict[str, float]]:
    """Copies beside no kernel that go where batches are made on the device, and gaps beside them.

    As a share of iterations, and by cause in those of a warm-up, too [s]; nothing where none were
    measured, and where input is little of the time; no gaps that PC sampling may have made. A gap
    that ends with the next copy of a batch may be in the time of input as well: a little too high.
    """
    data = measured(results, "time.data_share")
    if data is not None and data <= _INPUT:
        return 0.0, {_COPIED: 0.0}
    share = measured(results, "time.iteration_exposed_copy_share") or 0.0
    every = measured(results, "time.iteration_exposed_copy") or 0.0
    if sampled_gaps(results) > 0.0:
        return share, {_COPIED: every}
    waits = waits_by_part(results)
    steady, all_of_them = waits.get("steady iterations", {}), waits.get("iterations", {})
    after, before = (number_of(all_of_them, name) for name in ("gaps", "before"))
    return (
        share + steady_beside(steady),
        {_COPIED: every, **gaps_by_cause(results, after, before)},
    )


def _gone(beyond: Mapping[str, float]) -> tuple[str, ...]:
    """What is assumed of copies and of gaps beside them, where these go."""
    return (_NO_COPIES, _NO_GAPS)[: len(beyond)] if any(beyond.values()) else ()


def _and(beyond: Mapping[str, float]) -> str:
    """The same in a formula."""
    return "".join((_AND_COPIES, _AND_GAPS)[: len(_gone(beyond))])


def in_warm_up(results: Results, share: float) -> float:
    """What `share` of a typical iteration is in those of the warm-up, no more than is idle [s]."""
    median = measured(results, "time.iteration_median") or 0.0
    count = measured(results, "time.warm_up_iterations") or 0.0
    return min(_idle(results, "warm-up") or 0.0, count * share * median)


def _in_start_up(results: Results, share: float) -> float:
    """The same before the first iteration, whose input is made there, no more than is idle [s]."""
    median = measured(results, "time.iteration_median") or 0.0
    return min(_idle(results, "start-up") or 0.0, share * median)


def _waits_in_warm_up(results: Results, usual: float) -> tuple[float, float]:
    """Of the longest gaps of the warm-up's iterations what is usual, and the rest [s].

    Such an iteration also loads libraries, which may take longer than its input.
    """
    found = rows_of(results, "time.iteration_times")
    gaps = [float(row["longest_gap"] or 0.0) for row in found if row["mark"] == "warm-up"]
    part = math.fsum(min(each, usual) for each in gaps)
    return part, math.fsum(gaps) - part


def _idle(results: Results, phase: str) -> float | None:
    """Idle time of the GPU in a phase of the run [s]; None where there is none of it."""
    row = _phase(results, phase)
    idle = None if row is None else float(row["duration"] or 0.0) - float(row["gpu_busy"] or 0.0)
    return None if idle is None else max(idle, 0.0)


def _phase(results: Results, phase: str) -> Mapping[str, Cell] | None:
    return next((row for row in rows_of(results, "time.phases") if row["phase"] == phase), None)


def _gap_and_rest(results: Results) -> tuple[float, float]:
    """The longest gap of a typical iteration and what else it takes [s]; 0 where not measured."""
    median = measured(results, "time.iteration_median")
    gap = measured(results, "time.iteration_longest_gap")
    if median is None or gap is None:
        return 0.0, 0.0
    return gap, max(median - gap, 0.0)
