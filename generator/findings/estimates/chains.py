"""Bound on what one call in place of a chain of kernels saves.

In:  results: time of the chains that names tell, gaps within them, idle time, time on the clock.
Out: an `Estimate`, or a `Refusal` where the chains were not timed.

Chains are known of steady iterations; the others are taken to have as many. With fewer launches
the host runs ahead of the GPU, which closes gaps in other places too.
"""

from __future__ import annotations

import math
from collections.abc import Iterator
from dataclasses import replace

from generator.findings.estimates import clock
from generator.findings.estimates.bounds import Weaker, estimate, of_time, share
from generator.findings.estimates.kernel_work import OVERLAPPING
from generator.findings.terms.finding import Estimate, Refusal
from generator.metrics.model import Results
from generator.metrics.values import measured, rows_of

_CHAINS_UNKNOWN = "Without a trace in which iterations recur, chains of kernels have no time."
_NO_CHAINS = (
    "The chains' kernels and the gaps within them vanish, although one kernel in place of a chain "
    "takes time as well. Iterations that are not steady have as many chains as the others."
)
_AHEAD = (
    "With fewer launches the host runs ahead of the GPU, which closes gaps of iterations in other "
    "places too: no more of them than the host's time for these launches, if all launches take it "
    "as long, input left out."
)


def fusion(_: str, __: float, results: Results) -> Estimate | Refusal | None:
    """Chains of kernels gone, and gaps that fewer launches close; refused where none was timed."""
    whole = clock.elapsed(results)
    names = ("gpu.fusable_time", "gpu.fusable_gaps", "time.kernel_busy")
    spent, gaps, busy = (measured(results, name) for name in names)
    if whole is None or spent is None or gaps is None or busy is None:
        return Refusal(_CHAINS_UNKNOWN)
    within = 0.0 if clock.sampled_gaps(results) > 0.0 else gaps
    closed, times = max(within * _with_the_last(results), _closed(results)), _times(results)
    chains = min(spent * times, busy)
    warm_up = min(math.fsum(_idle(results, "warm-up")), _warm_up(results) * closed)
    places = {"host.iterations": closed, "host.warm_up": warm_up}
    found = estimate(
        of_time(chains + closed + warm_up, whole.amount),
        whole,
        f"(kernels of the chains + gaps that close) / {whole.short}",
        (_NO_CHAINS, *((_AHEAD,) if closed > within else ()), OVERLAPPING),
        weaker=Weaker(
            of_time(chains + within * times, whole.amount),
            "if gaps outside the chains stay",
            f"(kernels of the chains + gaps within them) / {whole.short}",
        ),
        beyond=places,
    )
    steady = clock.steady_time(results)
    if found is None or steady is None:
        return found
    last = _with_the_last(results)
    kernels, least = min(spent * last, busy), within * last
    return replace(
        found,
        steady=share((kernels + closed) / steady),
        weaker_steady=None if found.weaker is None else share((kernels + least) / steady),
    )


def _closed(results: Results) -> float:
    """Idle time of steady iterations that the host's time for launches of chains covers [s].

    Gaps that PC sampling may have made are no part of it.
    """
    launches, count = (measured(results, name) for name in ("gpu.launches", "time.iterations"))
    steady = measured(results, "time.steady")
    if not launches or not count or steady is None:
        return 0.0
    gpus = max(measured(results, "run.gpus") or 1.0, 1.0)
    gone = math.fsum(
        float(row["chains"] or 0.0) * float(row["kernels"] or 0.0)
        for row in rows_of(results, "gpu.fusable")
    )
    part = share(gone / (launches / count / gpus))
    works = steady * (1.0 - share(measured(results, "time.data_share") or 0.0))
    return min(math.fsum(_idle(results, "iterations")), part * works)


def _idle(results: Results, part: str) -> Iterator[float]:
    """Idle time in a part of the run, by period, without gaps of PC sampling [s]."""
    for row in rows_of(results, "time.idle_parts"):
        if row["part"] == part:
            yield float(row["host"] or 0.0) + float(row["profiler"] or 0.0)


def _times(results: Results) -> float:
    """All iterations in those that are steady [x]."""
    steady, every = (measured(results, f"time.{name}iterations") for name in ("steady_", ""))
    return max(every / steady, 1.0) if steady and every else 1.0


def _with_the_last(results: Results) -> float:
    """The steady state, which has the last iteration, in the steady ones, without it [x]."""
    steady, complete = (measured(results, f"time.steady{name}") for name in ("", "_complete"))
    return max(steady / complete, 1.0) if steady and complete else 1.0


def _warm_up(results: Results) -> float:
    """Iterations of the warm-up in those that are steady [x]."""
    steady, found = (measured(results, f"time.{each}_iterations") for each in ("steady", "warm_up"))
    return found / steady if steady and found else 0.0
