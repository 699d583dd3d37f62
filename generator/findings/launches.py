"""What launching GPU operations costs: short gaps in which the GPU waits for the next one.

In:  the results of a run with a trace.
Out: an `Estimate` of an iteration, or of wall time without iterations, or a `Refusal`.
"""

from __future__ import annotations

import math

from generator.findings.bounds import amdahl, estimate, of_time, per_gpu
from generator.findings.clock import elapsed, short
from generator.findings.copies import PASSING, beside_copies
from generator.findings.finding import Estimate, Refusal
from generator.findings.wall import is_profiled, of_iteration
from generator.metrics.model import Results
from generator.metrics.values import measured, rows_of

_SHORT = 32e-6
"""Gaps up to here may be the launch of the next operation [s]; a bin of the metric ends here."""
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


def launch(_: str, __: float, results: Results) -> Estimate | Refusal | None:
    """Short gaps between GPU operations: refused without a trace and with PC sampling.

    Those of steady iterations, where there are any; with the time in which a copy runs meanwhile
    that no kernel waits for. Gaps beside copies are the same time as findings on copies claim.
    """
    gaps = [
        (float(row["to"] or 0.0), float(row["time"] or 0.0))
        for row in rows_of(results, "time.gap_distribution")
    ]
    brief = math.fsum(time for to, time in gaps if to < _SHORT)
    if is_profiled(results):
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
            beyond={PASSING: copies, **beside_copies(results)},
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
        beyond={PASSING: copies, **beside_copies(results)},
    )


def _passing(results: Results, of: str) -> float:
    """Share of the time in which a copy and no kernel runs, and the next kernel does not wait."""
    alone = measured(results, f"time.{of}exposed_copy_share")
    waits = measured(results, f"time.{of}copy_wait_share")
    return 0.0 if alone is None or waits is None else max(alone - waits, 0.0)


def _gaps_and(copies: float) -> str:
    return f"gaps of up to 32 µs{' and copies that no kernel waits for' if copies else ''}"
