"""Time on the clock that a bound is a share of.

In:  the results of a run with a trace.
Out: the `BoundWhole`, and parts of it [s].

PC sampling puts gaps of its own between kernels, so that a share of such a run is smaller than
the same time's share without sampling, and bounds nothing. Gaps that it may have made, those
of up to 5 ms, are therefore no part of the whole.
"""

from __future__ import annotations

from dataclasses import replace

from perfolio.common.units import quantity
from perfolio.findings.estimates.bound_formulas import compute_time_share
from perfolio.findings.estimates.time_ledger import COMPLETE, read_ledger
from perfolio.findings.model.change_effect import sum_cells
from perfolio.findings.model.denominator import BoundWhole
from perfolio.metrics.metric_values import get_rows, get_value
from perfolio.metrics.model import Results

WALL = "time.wall"
_SLOWED = 1.05
"""From this multiple of a step without the profiler on, a recorded one is longer by it [x]."""
_WAITS = 0.1
"""From this idle share on, the host decides how long a step takes [ratio]."""
_IDLE = 0.01
"""From this idle share on, gaps of PC sampling left out, a span is more than its operations: as in
causes.yaml [ratio]."""


def measure_steady_time(results: Results) -> float | None:
    """How long the steady iterations lasted, without gaps that PC sampling may have made [s].

    None where no iterations were found.
    """
    steady = get_value(results, "time.steady")
    if steady is None or get_value(results, "time.steady_utilisation") is None:
        return None
    return max(steady - _sum_short_gaps(results), 0.0) or None


def _sum_short_gaps(results: Results) -> float:
    """Idle time in the steady state that PC sampling may have made [s]."""
    phases = (row for row in get_rows(results, "time.phases") if row["phase"] == "steady state")
    return next((float(row.get("sampling_gaps") or 0.0) for row in phases), 0.0)


def find_elapsed(results: Results) -> BoundWhole | None:
    """Wall time; the GPU span, which is less, where only that was traced.

    None of a span of which PC sampling leaves nothing but operations: a share of these is one of
    GPU work, and none of the run.
    """
    found, span = find_wall_time(results), get_value(results, "time.gpu_span")
    if found is not None or span is None:
        return found
    idle = get_value(results, "time.unsampled_idle_share")
    return (
        None
        if idle is not None and idle < _IDLE
        else _leave_out_gaps(BoundWhole("span", span), results)
    )


def find_wall_time(results: Results) -> BoundWhole | None:
    """Wall time; None where it was not measured."""
    wall = get_value(results, WALL)
    return None if wall is None else _leave_out_gaps(BoundWhole("wall", wall), results)


def find_sampled_gaps(results: Results) -> float:
    """Idle time that PC sampling may have made [s]."""
    return get_value(results, "time.sampling_gaps") or 0.0


def is_profiled(results: Results) -> bool:
    """Whether PC samples were taken, which lengthens all but the longest waits."""
    return (get_value(results, "sampling.metrics_listed") or 0.0) > 0.0


def is_slowed(results: Results) -> bool:
    """Whether recording each operator made steps longer.

    By how long one takes without the profiler; where nobody told, if the GPU waits for the host.
    """
    recorded, without = (
        get_value(results, name) for name in ("time.iteration_median", "steps.unprofiled")
    )
    if recorded is not None and without is not None:
        return recorded > _SLOWED * without
    idle = get_value(results, "time.steady_idle_share")
    return bool(get_rows(results, "operators.functions")) and (idle or 0.0) >= _WAITS


def has_iterations(results: Results) -> bool:
    """Whether steady iterations were found."""
    return sum_cells(read_ledger(results), COMPLETE) > 0.0


def find_iteration(results: Results) -> BoundWhole:
    """A typical iteration."""
    steady, median = (get_value(results, f"time.{name}") for name in ("steady", "iteration_median"))
    return BoundWhole(
        "iteration", steady, median, profiled=is_profiled(results) or is_slowed(results)
    )


def find_recurring(results: Results) -> BoundWhole | None:
    """What bounds of what recurs are shares of: an iteration if there are any, else the run."""
    return find_iteration(results) if has_iterations(results) else find_elapsed(results)


def as_profiled(of: BoundWhole, seconds: float, results: Results) -> BoundWhole:
    """Wall time of which much is most likely the profiler's own.

    `seconds` that a step saves at most are as many without the profiler, and a larger share of what
    is left of the wall time then: at least that in which a thread is seen running [s].
    """
    wall, slowed = get_value(results, WALL), get_value(results, "time.nothing_runs_python")
    if of.gapless or wall is None or slowed is None or not slowed > 0.0:
        return of
    without = quantity(compute_time_share(seconds, (1.0 - slowed) * wall), "ratio")
    note = f"at most {without} without time in which no thread is seen running"
    return replace(of, profiled=True, note=note)


def _leave_out_gaps(whole: BoundWhole, results: Results) -> BoundWhole:
    """Without gaps that PC sampling may have made, where they are known."""
    if get_value(results, "time.sampling_gaps") is None:
        return whole
    left = max((whole.amount or 0.0) - find_sampled_gaps(results), 0.0)
    return replace(whole, amount=left, gapless=True)
