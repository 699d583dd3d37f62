"""What the GPU's own work leaves at best, whatever the host does.

In:  the results of a run with a trace.
Out: an `Estimate` of kind limit, and copies that can run behind kernels.

Copies that run beside no kernel, but that no kernel waits for, and those on streams of their own
move behind kernels once the host launches these in time: the limit holds without them.
"""

from __future__ import annotations

from generator.findings.estimates.bounds import amdahl, estimate, of_time
from generator.findings.estimates.clock import elapsed, sampled_gaps, short_gap_share
from generator.findings.estimates.copies import waits_by_part
from generator.findings.estimates.iterations import idle_share
from generator.findings.estimates.wall import SAME_TIME, of_iteration
from generator.findings.terms.finding import Estimate
from generator.metrics.model import Results
from generator.metrics.values import measured, number_of

_LIMIT = (
    "All work of the host disappears, or runs beside the GPU's, so that only the GPU's own "
    "work is left, copies are as slow as now, and kernels last as long and overlap no more: the "
    "limit that the GPU sets and not a goal."
)
_LONG_GONE = (
    "All gaps longer than 5 ms disappear. Shorter ones, which PC sampling may have made, stay: "
    "without it, less is left."
)
_BEHIND = (
    "Copies on streams of their own, and those that no kernel waits for, run behind kernels as "
    "soon as these are launched in time."
)


def gpu_idle(_: str, idle: float, results: Results) -> Estimate | None:
    """All idle time of iterations, or between operations without any: a limit, no step's gain."""
    steady, found = measured(results, "time.steady"), elapsed(results)
    if idle_share(results) is not None and steady is not None:
        sampled, copies = short_gap_share(results), sum(behind_of_steady(results))
        short_stay = " + gaps of up to 5 ms" if sampled else ""
        busy = f"(GPU busy{_less(copies)}{short_stay})" if copies or sampled else "GPU busy"
        return estimate(
            amdahl(idle - sampled + copies),
            of_iteration(results),
            f"1 - {busy} / time of steady iterations",
            _assumed(_LONG_GONE if sampled else _LIMIT, copies),
            kind="limit",
        )
    gaps = measured(results, "time.gap_time")
    if found is None or gaps is None:
        return None
    whole, copies = found, sum(behind_of_run(results))
    idle_time = "idle time between operations"
    both = f"({idle_time} + copies that can run behind kernels)" if copies else idle_time
    return estimate(
        of_time(gaps - sampled_gaps(results) + copies, whole.amount),
        whole,
        f"{both} / {whole.short}",
        _assumed(_LIMIT, copies),
        kind="limit",
    )


def behind_of_steady(results: Results) -> tuple[float, float]:
    """Copies that can run behind kernels, as shares of steady iterations.

    Those beside no kernel that no kernel waits for, and those on streams without kernels.
    """
    alone = measured(results, "time.iteration_exposed_copy_share")
    waits = measured(results, "time.iteration_copy_wait_share")
    passing = 0.0 if alone is None or waits is None else max(alone - waits, 0.0)
    return passing, _apart(results, "steady iterations", "share")


def behind_of_run(results: Results) -> tuple[float, float]:
    """The same of the whole run [s]."""
    alone, run = measured(results, "time.exposed_copy"), waits_by_part(results).get("run", {})
    waits = run.get("copies")
    passing = 0.0 if alone is None or waits is None else max(alone - float(waits), 0.0)
    return passing, _apart(results, "run", "copies")


def _apart(results: Results, part: str, name: str) -> float:
    """Of copies that kernels may wait for those on streams without kernels, as time or share."""
    row = waits_by_part(results).get(part, {})
    return number_of(row, name) * number_of(row, "apart")


def _less(copies: float) -> str:
    return " - copies that can run behind kernels" if copies else ""


def _assumed(limit: str, copies: float) -> tuple[str, ...]:
    return (limit, *((_BEHIND,) if copies else ()), SAME_TIME)
