"""Bounds on what ranks lose in collective operations, and on what the late one costs.

In:  results of a run whose GPU trace shows collective operations of its ranks.
Out: an `Estimate` of the steady state where iterations were found, else of wall time, or None
     where an input is missing.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace

from perfolio.common.units import quantity
from perfolio.findings.estimates.bound_formulas import is_more
from perfolio.findings.estimates.estimator_catalog import GainEstimator
from perfolio.findings.estimates.removal_gains import compute_reduction, make_gain
from perfolio.findings.estimates.savings_budget import SavingsBudget, clamp_effects
from perfolio.findings.estimates.time_ledger import (
    BETWEEN,
    COLLECTIVES,
    COMPLETE,
    COMPUTING,
    KERNELS,
    LAST,
    RECURRING,
)
from perfolio.findings.estimates.wall_clock import find_wall_time
from perfolio.findings.model.change_effect import ChangeEffect
from perfolio.findings.model.denominator import BoundWhole
from perfolio.findings.model.finding import Estimate, Refusal
from perfolio.metrics.metric_values import get_value
from perfolio.metrics.model import Results

_HIDDEN = (
    "Collective operations of the steady state run beside kernels that now run alone, no longer "
    "than these last; the rank for which that is least decides for all, and keeps all else that it "
    "does. Waits in the warm-up stay."
)
_LESS = "Where less is exchanged, or it also runs while a GPU is idle, at most {} of {} goes."
_NOTHING_BESIDE = (
    "No other kernel runs by itself that communication could run beside: only exchanging less, or "
    "a faster link, saves time here, and what that saves no profile tells."
)
_AS_THE_OTHERS = (
    "The slowest rank gets as fast as the median of the others, all ranks wait for it now, and "
    "collective operations themselves take as long as before."
)
_BUDGET = SavingsBudget(COLLECTIVES, COMPUTING, parts=("communication alone", "kernels alone"))


@GainEstimator.within(_BUDGET)
def bound_communication(_: str, __: float, results: Results) -> Estimate | Refusal | None:
    """Exposed collectives run beside other kernels, on the rank that has least to gain by it."""
    gone, found = get_value(results, "communication.exposed_everywhere"), _find_whole(results)
    if gone is None or found is None:
        return None
    all_gone = ChangeEffect(RECURRING & COLLECTIVES, gone, is_mean=False)
    wider, hidden = (
        compute_reduction((all_gone,), found, results),
        tuple(_hide_communication(gone, results)),
    )
    saved = compute_reduction(hidden, found, results)
    if gone > 0.0 and not saved > 0.0:
        return Refusal(_NOTHING_BESIDE, concerned=gone)
    more = (_LESS.format(quantity(wider, "ratio"), found.short),) if is_more(wider, saved) else ()
    return make_gain(
        hidden,
        found,
        "smaller of exposed communication and kernels beside no communication, of the rank with "
        f"the least of it / {found.short}",
        (_HIDDEN, *more),
        results,
        wider=wider,
    )


def _hide_communication(gone: float, results: Results) -> Iterator[ChangeEffect]:
    """What hides in each era, together no more than a rank has exposed."""
    eras = (ChangeEffect(era & COLLECTIVES, is_mean=False) for era in (COMPLETE, LAST, BETWEEN))
    left = gone
    for effect in clamp_effects(_BUDGET, eras, results):
        yield replace(effect, most=min(effect.most, left))
        left -= min(effect.most, left)


@GainEstimator
def bound_late_rank(_: str, __: float, results: Results) -> Estimate | None:
    """The delay of the slowest rank gone; None where GPUs do not tell it."""
    gone, found = get_value(results, "communication.late_by"), _find_whole(results)
    if gone is None or found is None:
        return None
    return make_gain(
        (ChangeEffect(RECURRING & KERNELS, gone, is_mean=False),),
        found,
        f"delay of the slowest rank / {found.short}",
        (_AS_THE_OTHERS,),
        results,
    )


def _find_whole(results: Results) -> BoundWhole | None:
    """The steady state where iterations were found, else the wall time."""
    if get_value(results, "time.iterations") is None:
        return find_wall_time(results)
    steady = get_value(results, "time.steady")
    return None if steady is None else BoundWhole("steady", steady)
