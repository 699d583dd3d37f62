"""Bounds on what ranks lose in collective operations, and on what the late one costs.

In:  results of a run whose GPU trace shows collective operations of its ranks.
Out: an `Estimate` of the steady state where iterations were found, else of wall time, or None
     where an input is missing.
"""

from __future__ import annotations

from generator.findings.estimates.clock import on_the_wall
from generator.findings.estimates.gains import gain
from generator.findings.estimates.ledger import KERNELS, RECURRING
from generator.findings.terms.effect import Effect
from generator.findings.terms.finding import Estimate, Estimator
from generator.findings.terms.whole import Whole
from generator.metrics.model import Results
from generator.metrics.values import measured

_HIDDEN = (
    "Every collective operation of the steady state runs beside other kernels or disappears; the "
    "rank that has least of them, for which the others wait, keeps all else that it does. Waits in "
    "the warm-up stay."
)
_AS_THE_OTHERS = (
    "The slowest rank gets as fast as the median of the others, all ranks wait for it now, and "
    "collective operations themselves take as long as before."
)


def _gone(metric: str, words: str, assumption: str) -> Estimator:
    """The estimator of time of the steady state, a metric in s, that is gone."""

    def bounded(_: str, __: float, results: Results) -> Estimate | None:
        gone, found = measured(results, metric), on_the_wall(results)
        if measured(results, "time.iterations") is not None:
            steady = measured(results, "time.steady")
            found = None if steady is None else Whole("steady", steady)
        if gone is None or found is None:
            return None
        return gain(
            (Effect(RECURRING & KERNELS, gone, is_mean=False),),
            found,
            f"{words} / {found.short}",
            (assumption,),
            results,
        )

    return bounded


communication = _gone(
    "communication.exposed_everywhere", "least exposed communication of a rank", _HIDDEN
)
"""All exposed collectives gone, on the rank that has least of them."""
late_rank = _gone("communication.late_by", "delay of the slowest rank", _AS_THE_OTHERS)
"""The delay of the slowest rank gone; None where GPUs do not tell it."""
