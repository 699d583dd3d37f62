"""Bounds on wall time, from traces.

In:  the value of a rule's metric and the results of a run with a trace.
Out: an `Estimate` of wall time, or of an iteration, or None where its inputs are missing.
"""

from __future__ import annotations

import math

from generator.findings.bounds import Interval, amdahl, estimate, of_time, per_gpu
from generator.findings.clock import (
    OF_ITERATION,
    OF_PROFILED,
    OF_WALL,
    elapsed,
    on_the_wall,
    short,
)
from generator.findings.finding import Estimate, Refusal
from generator.metrics.model import Results
from generator.metrics.values import measured, rows_of
from generator.units import half_width, interval_ends, quantity

SAME_TIME = "Bounds of findings on the same idle time overlap: do not add or multiply them."
_PROFILED = (
    "PC sampling was on, which makes what an iteration does besides many times longer: this bounds "
    "the run as it was profiled. Without PC sampling the share can be larger, and what workers "
    "save cannot be told."
)
_OWN_CALLS = (
    "By samples of the host, {} of each iteration are on average the profiler's own calls, which a "
    "run without it does not make."
)
_SHORT = 32e-6
"""Gaps up to here may be the launch of the next operation [s]; a bin of the metric ends here."""
_DENSE = 1e-3
"""Samples of elapsed time closer than this may hold threads up by themselves [s]: as in
scorecard.yaml."""
_LAUNCHES = (
    "Every gap of up to 32 µs is the launch of the next operation, and disappears; longer gaps "
    "have other reasons."
)
_BESIDE = (
    "Copies that no kernel waits for run while the next kernel is launched: with all kernels "
    "launched in time, they run behind these."
)
_SERIALISED = (
    "PC sampling runs kernels one after another and keeps them apart: "
    "what a launch costs without it cannot be told from this run."
)
_NO_GAPS = (
    "Launches cost run time only where the GPU waits for them, and gaps between operations are "
    "in traces alone: the number of launches times the time of a call is no estimate."
)
_PUNCTUAL = (
    "Every thread has a core whenever it has work, and neither the kernel nor the profiler holds "
    "it up. A sample that came late is taken to stand for no work at all. Fewer threads on the "
    "same cores save less."
)
_ALWAYS_HELD = (
    "At every moment of the run some thread that works may have been held up: nothing tells how "
    "much of the run would be left without that."
)


def by_samples(sampled: Interval) -> tuple[str, ...]:
    """What an upper end rests on, where there is one."""
    if sampled.low == sampled.high:
        return ()
    low, high = interval_ends(sampled.low, sampled.high, "ratio")
    words = (
        f"The share is told by samples of the host, 95 % interval {low} to {high} %, those that "
        "the profiler lost taken to be like the others; its upper end counts gaps without any "
        "sample."
    )
    return (words,)


def profiled(results: Results) -> tuple[str, ...]:
    """What PC sampling, where it was on, makes of a bound."""
    if not is_profiled(results):
        return ()
    own = results.get("time.iteration_profiler")
    if own is None or not own.value:
        return (_PROFILED,)
    words = quantity(own.value, "s", half_width(own.low, own.high))
    return (_PROFILED, _OWN_CALLS.format(words))


def is_profiled(results: Results) -> bool:
    """Whether PC samples were taken, which lengthens all but the longest waits."""
    return (measured(results, "sampling.metrics_listed") or 0.0) > 0.0


def of_iteration(results: Results) -> str:
    """What an estimate of iterations is a part of."""
    return OF_ITERATION + (" of this profiled run" if profiled(results) else "")


def launch(_: str, __: float, results: Results) -> Estimate | Refusal | None:
    """Short gaps between GPU operations: refused without a trace and with PC sampling.

    Those of steady iterations, where there are any; with the time in which a copy runs meanwhile
    that no kernel waits for.
    """
    gaps = [
        (float(row["to"] or 0.0), float(row["time"] or 0.0))
        for row in rows_of(results, "time.gap_distribution")
    ]
    brief = math.fsum(time for to, time in gaps if to < _SHORT)
    if profiled(results):
        return Refusal(_SERIALISED)
    busy, steady = measured(results, "time.steady_utilisation"), measured(results, "time.steady")
    if gaps and busy is not None and steady is not None:
        copies = _passing(results, "iteration_") * steady
        idle = of_time(brief, math.fsum(time for _, time in gaps)) * amdahl(1.0 - busy)
        return estimate(
            of_time(copies, steady) + idle,
            of_iteration(results),
            f"{_gaps_and(copies)} / time of steady iterations",
            (_LAUNCHES, *((_BESIDE,) if copies else ())),
            whole=steady,
            length=measured(results, "time.iteration_median"),
            beyond={"transfers.exposed": copies},
        )
    whole = elapsed(results)
    if whole is None or not gaps:
        return Refusal(_NO_GAPS)
    brief = per_gpu(brief, results)
    copies = _passing(results, "") * whole[0]
    return estimate(
        of_time(brief + copies, whole[0]),
        whole[1],
        f"{_gaps_and(copies)} / {short(whole[1])}",
        (_LAUNCHES, *((_BESIDE,) if copies else ())),
        whole=whole[0],
        beyond={"transfers.exposed": copies},
    )


def _passing(results: Results, of: str) -> float:
    """Share of the time in which a copy and no kernel runs, and the next kernel does not wait."""
    alone = measured(results, f"time.{of}exposed_copy_share")
    waits = measured(results, f"time.{of}copy_wait_share")
    return 0.0 if alone is None or waits is None else max(alone - waits, 0.0)


def _gaps_and(copies: float) -> str:
    return f"gaps of up to 32 µs{' and copies that no kernel waits for' if copies else ''}"


def held_up(_: str, __: float, results: Results) -> Estimate | Refusal | None:
    """The time in which a thread that works was held up: refused where that may be all of it.

    With samples so close that the profiler may be what holds threads up, it is of the run as
    profiled.
    """
    saved, found = measured(results, "cpu.held_up"), on_the_wall(results)
    if saved is None or found is None:
        return None
    whole, of = found
    if saved >= whole:
        return Refusal(_ALWAYS_HELD)
    distance = measured(results, "time.sample_distance")
    is_dense = distance is not None and distance < _DENSE
    return estimate(
        of_time(saved, whole),
        OF_PROFILED if is_dense and of == OF_WALL else of,
        "the smaller of the time in which a sample of any thread that works came late, and wall "
        f"time less one thread's samples in time / {short(of)}",
        (_PUNCTUAL,),
        whole=whole,
        is_told=False,
    )
