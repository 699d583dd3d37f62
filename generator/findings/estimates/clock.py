"""Time on the clock that a bound is a share of.

In:  the results of a run with a trace.
Out: how long it took [s] and what to call that.

PC sampling puts gaps of its own between kernels, so that a share of such a run is smaller than
the same time's share without sampling, and bounds nothing. Gaps that it may have made, those
of up to 5 ms, are therefore no part of the whole.
"""

from __future__ import annotations

import math

from generator.findings.estimates.bounds import of_time
from generator.metrics.model import Results
from generator.metrics.values import measured, rows_of
from generator.units import quantity

WALL = "time.wall"
OF_WALL = "wall time"
OF_SPAN = "the time from the first to the last GPU operation; of run time even less"
OF_PROFILED = f"{OF_WALL} as profiled"
_SPAN = OF_SPAN.partition(";")[0]
_WITHOUT = "without short gaps (PC sampling)"
OF_WALL_LEFT = f"{OF_WALL} {_WITHOUT}"
OF_SPAN_LEFT = f"{_SPAN} {_WITHOUT}"
_IDLE = 0.01
"""From this idle share on, gaps of PC sampling left out, a span is more than its operations: as in
causes.yaml [ratio]."""
OF_STEADY = "the steady state"
STEADY = "the steady iterations"
OF_ITERATION = "a typical iteration"
_COMPLETE = ("typical iterations", "outlying iterations")
"""Periods of `time.idle_parts` that steady iterations are: the last one, whose end nothing shows,
may lack the long gap of the others."""


def on_the_clock(of: str) -> bool:
    """Whether an estimate's whole is time on the clock: of the run, a part of it, an iteration."""
    return of_the_run(of) or of == OF_STEADY or of.startswith((OF_ITERATION, OF_PROFILED))


def of_the_run(of: str) -> bool:
    """Whether an estimate's whole is the time of the run on the clock, start-up included."""
    return of in (OF_WALL, OF_SPAN, OF_WALL_LEFT, OF_SPAN_LEFT)


def steady_time(results: Results) -> float | None:
    """How long the steady iterations lasted, without gaps that PC sampling may have made [s].

    None where no iterations were found.
    """
    steady = measured(results, "time.steady")
    if steady is None or measured(results, "time.steady_utilisation") is None:
        return None
    return max(steady - _short_gaps(results), 0.0) or None


def steady_words(left_out: float) -> str:
    """What a share of `steady_time` is of, where gaps of PC sampling were left out of the run."""
    return f"{STEADY} without short gaps" if left_out > 0.0 else STEADY


def short_gap_share(results: Results) -> float:
    """Share of steady iterations in gaps that PC sampling may have made [ratio].

    Of complete iterations, as all shares of a typical one are.
    """
    complete = measured(results, "time.steady_complete") or 0.0
    rows = (row for row in rows_of(results, "time.idle_parts") if row.get("period") in _COMPLETE)
    return of_time(math.fsum(float(row.get("sampling_gaps") or 0.0) for row in rows), complete)


def _short_gaps(results: Results) -> float:
    """Idle time in the steady state that PC sampling may have made [s]."""
    phases = (row for row in rows_of(results, "time.phases") if row["phase"] == "steady state")
    return next((float(row.get("sampling_gaps") or 0.0) for row in phases), 0.0)


def elapsed(results: Results) -> tuple[float, str] | None:
    """Wall time and what to call it; the GPU span, which is less, where only that was traced.

    None of a span of which PC sampling leaves nothing but operations: a share of these is one of
    GPU work, and none of the run.
    """
    span = measured(results, "time.gpu_span")
    found = on_the_wall(results)
    if found is not None or span is None:
        return found
    idle = measured(results, "time.unsampled_idle_share")
    return None if idle is not None and idle < _IDLE else _left(span, OF_SPAN, results)


def on_the_wall(results: Results) -> tuple[float, str] | None:
    """Wall time and what to call it; None where it was not measured."""
    wall = measured(results, WALL)
    return None if wall is None else _left(wall, OF_WALL, results)


def sampled_gaps(results: Results) -> float:
    """Idle time that PC sampling may have made [s]."""
    return measured(results, "time.sampling_gaps") or 0.0


def of_the_wall(
    share: float, results: Results, *, less: float = 0.0
) -> tuple[float, str, float | None]:
    """A share of wall time as a share of what to refer to, its name, and its length [s].

    `less` is time that is no longer part of it [s].
    """
    wall, found = measured(results, WALL), on_the_wall(results)
    if wall is None or found is None:
        return share, OF_WALL, None
    whole, words = found
    if words == OF_WALL:
        return share, words, whole
    return of_time(share * wall - less, whole), words, whole


def as_profiled(of: str, seconds: float | None, results: Results) -> str:
    """What to call wall time of which much is most likely the profiler's own.

    `seconds` that a step saves at most are as many without the profiler, and a larger share of what
    is left of the wall time then: at least that in which a thread is seen running [s].
    """
    wall, slowed = measured(results, WALL), measured(results, "time.nothing_runs_python")
    if of != OF_WALL or wall is None or slowed is None or not slowed > 0.0:
        return of
    if seconds is None:
        return OF_PROFILED
    without = quantity(of_time(seconds, (1.0 - slowed) * wall), "ratio")
    return f"{OF_PROFILED}; at most {without} without time in which no thread is seen running"


def short(words: str) -> str:
    """The name of a whole in a formula, without what explains it."""
    return words.partition(";")[0].partition(" (")[0]


def _left(whole: float, words: str, results: Results) -> tuple[float, str]:
    if measured(results, "time.sampling_gaps") is None:
        return whole, words
    left = {OF_WALL: OF_WALL_LEFT, OF_SPAN: OF_SPAN_LEFT}[words]
    return max(whole - sampled_gaps(results), 0.0), left
