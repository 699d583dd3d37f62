"""Bound on copies that stay, and run beside kernels or in gaps.

In:  the results of a run with a trace.
Out: an `Estimate` of an iteration, or of wall time without iterations; None without the inputs.

What is left is at least the copies, and at least all that is neither a copy nor a gap beside one.
"""

from __future__ import annotations

from collections.abc import Mapping

from generator.findings.estimates.bounds import estimate, hidden, of_time
from generator.findings.estimates.clock import on_the_wall, sampled_gaps
from generator.findings.estimates.copies import (
    OF_ALL,
    OF_COVER,
    ONCE,
    behind_of_run,
    exposed,
    gaps_by_cause,
    once,
    steady_beside,
    steady_cover,
    waits_by_part,
)
from generator.findings.estimates.copies import READS as COPY_READS
from generator.findings.estimates.wall import SAME_TIME, is_profiled, of_iteration
from generator.findings.terms.finding import Estimate
from generator.metrics.model import Cell, Results
from generator.metrics.values import measured, number_of

_SMALLER = "smaller of copies beside no kernel and, together, kernels beside no copy and other gaps"

_STEADY = "steady iterations"
_AND_GAPS = "; with gaps right before and after copies"

_NO_GAPS = (
    "Gaps right beside copies disappear with them: each of up to 100 µs right before one, in which "
    "the host prepares and launches it, and each of up to 50 µs right after one, in which the host "
    "goes on that waited for it."
)

_BEHIND = (
    "Copies and kernels are independent of each other, so that copies run while kernels do "
    "that now run alone, or in gaps. Kernels and all other gaps stay: closing others comes on top."
)


READS = (*COPY_READS, OF_ALL, *OF_COVER, "time.copy_waits", "time.gap_time", "time.sampling_gaps")
"""What `hideable` reads."""


def hideable(results: Results) -> float | None:
    """Copies that run alone and could run beside kernels that now do, or in gaps that stay [s]."""
    waits = waits_by_part(results)
    share, cover = measured(results, OF_ALL), steady_cover(waits.get(_STEADY, {}), results)
    copies = exposed(results)
    if copies is None:
        return None
    if share and cover is not None:
        return copies * hidden(share, cover) / share
    return behind_of_run(copies, sum(_beside_run(waits, results)), results)


def overlap(_: str, __: float, results: Results) -> Estimate | None:
    """Copies that could hide behind kernels which now run alone, or in gaps, and gaps beside."""
    waits = waits_by_part(results)
    steady, alone = waits.get(_STEADY, {}), exposed(results)
    share, cover = measured(results, OF_ALL), steady_cover(steady, results)
    length = measured(results, "time.steady")
    if not share or cover is None or alone is None or length is None:
        return _of_the_run(waits, alone, results)
    every, most = (
        waits.get("iterations", {}),
        min(hidden(share, cover) + steady_beside(steady), 1.0),
    )
    after, before = number_of(every, "gaps"), number_of(every, "before")
    gaps = after + before
    return estimate(
        most,
        of_iteration(results),
        f"({_SMALLER}{_AND_GAPS if gaps else ''}) / time of steady iterations",
        (_BEHIND, *((_NO_GAPS,) if gaps else ()), ONCE, SAME_TIME),
        is_told=not is_profiled(results),
        more=max(alone * hidden(share, cover) / share + gaps - most * length, 0.0),
        beyond=gaps_by_cause(results, after, before),
    )


def _of_the_run(
    waits: Mapping[str, Mapping[str, Cell]], copies: float | None, results: Results
) -> Estimate | None:
    """The same of a run without steady iterations."""
    found, (after, before) = on_the_wall(results), _beside_run(waits, results)
    gaps = after + before
    behind = None if copies is None else behind_of_run(copies, gaps, results)
    if found is None or behind is None:
        return None
    return estimate(
        of_time(behind + gaps, found.amount),
        found,
        f"({_SMALLER}{_where(results)}{_AND_GAPS if gaps else ''}) / {found.short}",
        (_BEHIND, *((_NO_GAPS,) if gaps else ()), *once(results), SAME_TIME),
        beyond=gaps_by_cause(results, after, before),
    )


def _beside_run(waits: Mapping[str, Mapping[str, Cell]], results: Results) -> tuple[float, float]:
    """Gaps right after and before copies, which close; unknown with PC sampling [s]."""
    within = waits.get("iterations" if once(results) else "run", {})
    is_known = not sampled_gaps(results) > 0.0
    after, before = (number_of(within, name) if is_known else 0.0 for name in ("gaps", "before"))
    return after, before


def _where(results: Results) -> str:
    return ", within iterations" if once(results) else ""
