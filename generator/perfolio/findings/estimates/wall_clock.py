"""Time on the clock that a bound is a share of.

In:  the results of a run with a trace.
Out: the `Whole`, and parts of it [s].

PC sampling puts gaps of its own between kernels, so that a share of such a run is smaller than
the same time's share without sampling, and bounds nothing. Gaps that it may have made, those
of up to 5 ms, are therefore no part of the whole.
"""

from __future__ import annotations

from dataclasses import replace

from perfolio.common.units import quantity
from perfolio.findings.estimates.bound_formulas import of_time
from perfolio.findings.estimates.time_ledger import COMPLETE, ledger
from perfolio.findings.model.change_effect import total
from perfolio.findings.model.denominator import Whole
from perfolio.metrics.metric_values import measured, rows_of
from perfolio.metrics.model import Results

WALL = "time.wall"
_SLOWED = 1.05
"""From this multiple of a step without the profiler on, a recorded one is longer by it [x]."""
_WAITS = 0.1
"""From this idle share on, the host decides how long a step takes [ratio]."""
_IDLE = 0.01
"""From this idle share on, gaps of PC sampling left out, a span is more than its operations: as in
causes.yaml [ratio]."""


def steady_time(results: Results) -> float | None:
    """How long the steady iterations lasted, without gaps that PC sampling may have made [s].

    None where no iterations were found.
    """
    steady = measured(results, "time.steady")
    if steady is None or measured(results, "time.steady_utilisation") is None:
        return None
    return max(steady - _short_gaps(results), 0.0) or None


def _short_gaps(results: Results) -> float:
    """Idle time in the steady state that PC sampling may have made [s]."""
    phases = (row for row in rows_of(results, "time.phases") if row["phase"] == "steady state")
    return next((float(row.get("sampling_gaps") or 0.0) for row in phases), 0.0)


def elapsed(results: Results) -> Whole | None:
    """Wall time; the GPU span, which is less, where only that was traced.

    None of a span of which PC sampling leaves nothing but operations: a share of these is one of
    GPU work, and none of the run.
    """
    found, span = on_the_wall(results), measured(results, "time.gpu_span")
    if found is not None or span is None:
        return found
    idle = measured(results, "time.unsampled_idle_share")
    return None if idle is not None and idle < _IDLE else _left(Whole("span", span), results)


def on_the_wall(results: Results) -> Whole | None:
    """Wall time; None where it was not measured."""
    wall = measured(results, WALL)
    return None if wall is None else _left(Whole("wall", wall), results)


def sampled_gaps(results: Results) -> float:
    """Idle time that PC sampling may have made [s]."""
    return measured(results, "time.sampling_gaps") or 0.0


def is_profiled(results: Results) -> bool:
    """Whether PC samples were taken, which lengthens all but the longest waits."""
    return (measured(results, "sampling.metrics_listed") or 0.0) > 0.0


def is_slowed(results: Results) -> bool:
    """Whether recording each operator made steps longer.

    By how long one takes without the profiler; where nobody told, if the GPU waits for the host.
    """
    recorded, without = (
        measured(results, name) for name in ("time.iteration_median", "steps.unprofiled")
    )
    if recorded is not None and without is not None:
        return recorded > _SLOWED * without
    idle = measured(results, "time.steady_idle_share")
    return bool(rows_of(results, "operators.functions")) and (idle or 0.0) >= _WAITS


def iterates(results: Results) -> bool:
    """Whether steady iterations were found."""
    return total(ledger(results), COMPLETE) > 0.0


def of_iteration(results: Results) -> Whole:
    """A typical iteration."""
    steady, median = (measured(results, f"time.{name}") for name in ("steady", "iteration_median"))
    return Whole("iteration", steady, median, profiled=is_profiled(results) or is_slowed(results))


def recurring(results: Results) -> Whole | None:
    """What bounds of what recurs are shares of: an iteration if there are any, else the run."""
    return of_iteration(results) if iterates(results) else elapsed(results)


def as_profiled(of: Whole, seconds: float, results: Results) -> Whole:
    """Wall time of which much is most likely the profiler's own.

    `seconds` that a step saves at most are as many without the profiler, and a larger share of what
    is left of the wall time then: at least that in which a thread is seen running [s].
    """
    wall, slowed = measured(results, WALL), measured(results, "time.nothing_runs_python")
    if of.gapless or wall is None or slowed is None or not slowed > 0.0:
        return of
    without = quantity(of_time(seconds, (1.0 - slowed) * wall), "ratio")
    note = f"at most {without} without time in which no thread is seen running"
    return replace(of, profiled=True, note=note)


def _left(whole: Whole, results: Results) -> Whole:
    """Without gaps that PC sampling may have made, where they are known."""
    if measured(results, "time.sampling_gaps") is None:
        return whole
    left = max((whole.amount or 0.0) - sampled_gaps(results), 0.0)
    return replace(whole, amount=left, gapless=True)
