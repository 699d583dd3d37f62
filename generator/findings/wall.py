"""Bounds on wall time, from traces.

In:  the value of a rule's metric and the results of a run with a trace.
Out: an `Estimate` of wall time, or of an iteration, or None where its inputs are missing.
"""

from __future__ import annotations

import math
from collections.abc import Mapping

from generator.findings.bounds import (
    Interval,
    Weaker,
    amdahl,
    estimate,
    interval,
    measured,
    of_time,
)
from generator.findings.clock import (
    OF_ITERATION,
    elapsed,
    of_the_wall,
    on_the_wall,
    sampled_gaps,
    short,
)
from generator.findings.model import Estimate, Refusal
from generator.metrics.model import Cell, Results
from generator.units import quantity

_LIMIT = (
    "All work of the host disappears, or runs beside the GPU's, so that only the GPU's own "
    "work is left: the limit that the GPU sets and not a goal."
)
_GONE = (
    "The function's work disappears, or other threads do it ahead of time; what runs in the "
    "remaining time does not change."
)
SAME_TIME = "Bounds of findings on the same idle time overlap: do not add or multiply them."
_READY = (
    "Every batch is ready when it is needed, and making it elsewhere slows nothing else down; all "
    "else stays. Batches that are made on the device are not copied either, which comes on top. "
    "An iteration of the warm-up is taken to spend on input what the others do."
)
_WARM_UP = "An iteration of the warm-up is taken to spend on the function what the others do."
_PROFILED = (
    "PC sampling was on, which makes what an iteration does besides many times longer: this bounds "
    "the run as it was profiled. Without PC sampling the share can be larger, and what workers "
    "save cannot be told."
)
_NO_GAP = (
    "Of each iteration the longest gap disappears, and all else stays. What also goes with the "
    "work in the gap, such as copies of batches that are then made on the device, comes on top."
)
_WORKERS = "with 8 workers that prepare ahead, each on a core of its own"
_AHEAD = "1 - larger of preparing / 8 and all else of an iteration / iteration"
_SHORT = 32e-6
"""Gaps up to here may be the launch of the next operation [s]; a bin of the metric ends here."""
_LAUNCHES = (
    "Every gap of up to 32 µs is the launch of the next operation, and disappears; longer gaps "
    "have other reasons."
)
_SERIALISED = (
    "PC sampling runs kernels one after another and keeps them apart: "
    "what a launch costs without it cannot be told from this run."
)
_PUNCTUAL = (
    "Every thread has a core whenever it has work, and neither the kernel nor the profiler holds "
    "it up: all time between a late sample and the one before it disappears, and work takes as "
    "long as before. Fewer threads on the same cores save less."
)
_ALWAYS_HELD = (
    "At every moment of the run some thread that works may have been held up: nothing tells how "
    "much of the run would be left without that."
)
_NO_GAPS = (
    "Launches cost run time only where the GPU waits for them, and gaps between operations are "
    "in traces alone: the number of launches times the time of a call is no estimate."
)


def gpu_idle(_: str, idle: float, results: Results) -> Estimate | None:
    """All time in which no GPU operation ran: a limit, which no step reaches."""
    left, of, whole = of_the_wall(amdahl(idle), results, less=sampled_gaps(results))
    return estimate(
        left,
        of,
        f"1 - GPU busy / {short(of)}",
        (_LIMIT, SAME_TIME),
        kind="limit",
        whole=whole,
    )


def blame(metric: str, share: float, results: Results) -> Estimate | None:
    """Idle time while one function ran: `share` of that of iterations, or of all without any."""
    sampled, iterations = interval(results, metric, share), _idle_share(results)
    if iterations is not None:
        return _of_iterations(sampled, iterations, results)
    idle, found = measured(results, "time.gap_time"), on_the_wall(results)
    if idle is None or found is None:
        return None
    whole, of = found
    saved = min(amdahl(sampled.high) * idle, max(idle - sampled_gaps(results), 0.0))
    return estimate(
        of_time(saved, whole),
        of,
        f"{sampled.upper}share of the idle time with this function × idle time between operations "
        f"/ {short(of)}",
        (_GONE, *_by_samples(sampled), SAME_TIME, *_profiled(results)),
        whole=whole,
        is_told=not _profiled(results),
    )


def _idle_share(results: Results) -> float | None:
    """Share of steady iterations in which the GPU is idle; None where there are none."""
    busy = measured(results, "time.steady_utilisation")
    return None if busy is None else amdahl(1.0 - busy)


def _of_iterations(sampled: Interval, idle: float, results: Results) -> Estimate | None:
    """The function's part of iterations that are idle for a share of `idle`."""
    short_gaps, steady = _short_gaps(results), measured(results, "time.steady")
    told = idle if steady is None else max(idle - of_time(short_gaps, steady), 0.0)
    saved = min(amdahl(sampled.high) * idle, told)
    return estimate(
        saved,
        of_iteration(results),
        f"{sampled.upper}share of the idle time with this function × idle share of iterations",
        (_GONE, _WARM_UP, *_by_samples(sampled), SAME_TIME, *_profiled(results)),
        whole=steady,
        length=measured(results, "time.iteration_median"),
        is_told=not _profiled(results),
        more=_in_warm_up(results, saved),
    )


def _workers(results: Results) -> Weaker | None:
    """What 8 workers save of an iteration; None with PC sampling, which lengthens all else."""
    found = results.get("target.workers")
    rows = found.records() if found is not None and found.status == "measured" else []
    if not rows or _profiled(results):
        return None
    prepare, rest, left = (
        float(rows[0][name] or 0.0) for name in ("prepare", "rest", "with_eight")
    )
    return Weaker(of_time(prepare + rest - left, prepare + rest), _WORKERS, _AHEAD)


def _by_samples(sampled: Interval) -> tuple[str, ...]:
    """What an upper end rests on, where there is one."""
    if sampled.low == sampled.high:
        return ()
    low, high = (quantity(end, "ratio") for end in (sampled.low, sampled.high))
    words = (
        f"The share is told by samples of the host, 95 % interval {low} to {high}, those that the "
        "profiler lost taken to be like the others; its upper end counts gaps without any sample."
    )
    return (words,)


def iteration_gap(_: str, __: float, results: Results) -> Estimate | None:
    """The longest gap of a typical iteration."""
    gap, rest = _gap_and_rest(results)
    saved, steady = of_time(gap, gap + rest), measured(results, "time.steady")
    every = measured(results, "time.iteration_gap_time")
    return estimate(
        saved,
        of_iteration(results),
        "median of the longest gaps / median of the iterations",
        (_NO_GAP, SAME_TIME, *_profiled(results)),
        weaker=_workers(results),
        whole=steady,
        length=gap + rest,
        is_told=not _profiled(results),
        more=0.0 if every is None or steady is None else max(every - saved * steady, 0.0),
    )


def input_data(metric: str, share: float, results: Results) -> Estimate | None:
    """All time that iterations spend on input data; `share` of them."""
    sampled = interval(results, metric, share)
    return estimate(
        amdahl(sampled.high),
        of_iteration(results),
        f"{sampled.upper}time in the phase of input data / time of the iterations",
        (_READY, *_by_samples(sampled), SAME_TIME, *_profiled(results)),
        weaker=_workers(results),
        whole=measured(results, "time.steady"),
        length=measured(results, "time.iteration_median"),
        is_told=not _profiled(results),
        more=_in_warm_up(results, sampled.high),
    )


def _in_warm_up(results: Results, share: float) -> float:
    """What `share` of a typical iteration is in those of the warm-up, no more than is idle [s]."""
    median = measured(results, "time.iteration_median") or 0.0
    count = measured(results, "time.warm_up_iterations") or 0.0
    return min(_idle(results, "warm-up") or 0.0, count * share * median)


def _profiled(results: Results) -> tuple[str, ...]:
    """What PC sampling, where it was on, makes of a bound."""
    return (_PROFILED,) if is_profiled(results) else ()


def is_profiled(results: Results) -> bool:
    """Whether PC samples were taken, which lengthens all but the longest waits."""
    return (measured(results, "sampling.metrics_listed") or 0.0) > 0.0


def of_iteration(results: Results) -> str:
    """What an estimate of iterations is a part of."""
    return OF_ITERATION + (" of this profiled run" if _profiled(results) else "")


def _idle(results: Results, phase: str) -> float | None:
    """Idle time of the GPU in a phase of the run [s]; None where there is none of it."""
    row = _phase(results, phase)
    idle = None if row is None else float(row["duration"] or 0.0) - float(row["gpu_busy"] or 0.0)
    return None if idle is None else max(idle, 0.0)


def _short_gaps(results: Results) -> float:
    """Idle time in the steady state that PC sampling may have made [s]."""
    row = _phase(results, "steady state")
    return 0.0 if row is None else float(row.get("sampling_gaps") or 0.0)


def _phase(results: Results, phase: str) -> Mapping[str, Cell] | None:
    found = results.get("time.phases")
    rows = found.records() if found is not None and found.status == "measured" else []
    return next((row for row in rows if row["phase"] == phase), None)


def _gap_and_rest(results: Results) -> tuple[float, float]:
    """The longest gap of a typical iteration and what else it takes [s]; 0 where not measured."""
    median = measured(results, "time.iteration_median")
    gap = measured(results, "time.iteration_longest_gap")
    if median is None or gap is None:
        return 0.0, 0.0
    return gap, max(median - gap, 0.0)


def launch(_: str, __: float, results: Results) -> Estimate | Refusal | None:
    """Short gaps between GPU operations: refused without a trace and with PC sampling."""
    whole, gaps = elapsed(results), results.get("time.gap_distribution")
    if _profiled(results):
        return Refusal(_SERIALISED)
    if whole is None or gaps is None or gaps.status != "measured":
        return Refusal(_NO_GAPS)
    rows = gaps.records()
    brief = math.fsum(float(row["time"] or 0.0) for row in rows if float(row["to"] or 0.0) < _SHORT)
    brief /= max(measured(results, "run.gpus") or 1.0, 1.0)
    return estimate(
        of_time(brief, whole[0]),
        whole[1],
        f"gaps of up to 32 µs / {short(whole[1])}",
        (_LAUNCHES,),
        whole=whole[0],
    )


def held_up(_: str, __: float, results: Results) -> Estimate | Refusal | None:
    """The time in which a thread that works was held up: refused where that may be all of it."""
    saved, found = measured(results, "cpu.held_up"), on_the_wall(results)
    if saved is None or found is None:
        return None
    whole, of = found
    if saved >= whole:
        return Refusal(_ALWAYS_HELD)
    return estimate(
        of_time(saved, whole),
        of,
        "the smaller of the time in which any thread that works was held up, and wall time less "
        f"the work of one thread between samples in time / {short(of)}",
        (_PUNCTUAL,),
        whole=whole,
        is_told=False,
    )
