"""Bounds on waits of the host for the GPU.

In:  the results of a run with a trace.
Out: an `Estimate` of an iteration, of the run where none were found, or a `Refusal`.

A wait costs nothing by itself: it lasts as long as the GPU works. The host then launches late, and
the GPU is idle. Without it the host runs ahead, but no faster than it works.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import replace

from perfolio.findings.estimates.assumptions import SAME_TIME, explain_profiling
from perfolio.findings.estimates.bound_formulas import apply_amdahl, find_interval
from perfolio.findings.estimates.estimator_catalog import GainEstimator
from perfolio.findings.estimates.host_work import take_of_iterations, take_of_warm_up
from perfolio.findings.estimates.removal_gains import compute_reduction, make_gain
from perfolio.findings.estimates.savings_budget import (
    SavingsBudget,
    clamp_effects,
    find_wait_time,
    is_of_ranks,
)
from perfolio.findings.estimates.time_ledger import BETWEEN, END, IDLE, RECURRING, read_ledger
from perfolio.findings.estimates.wall_clock import find_recurring, has_iterations
from perfolio.findings.model.change_effect import ChangeEffect, sum_cells
from perfolio.findings.model.denominator import BoundWhole
from perfolio.findings.model.finding import Estimate, Refusal
from perfolio.metrics.metric_values import get_value
from perfolio.metrics.model import Results

_NO_WAITS = (
    "The host never waits for the GPU and so runs ahead of it, until all idle time within "
    "iterations is gone; it still prepares the input. Idle time that has another reason stays. "
    "An iteration of the warm-up is taken to have as much that goes as the others; start-up stays "
    "as it is."
)
_NO_WAITS_OF_RUN = (
    "The host never waits for the GPU and so runs ahead of it. Idle time that has another reason "
    "stays."
)
_NO_LONGER_THAN_WAITS = (
    "Nothing gets shorter than what the host does itself: no more goes than the time in which the "
    "thread that waits most waits for the GPU."
)
_NO_WAIT_COUNTS = "In iterations no thread waits for the GPU at all while that could keep it idle."
_AT_THE_END = "What the host does after the last iteration then runs beside the GPU's work, too."
_NO_ITERATIONS = (
    "A thread that waits for the GPU costs run time only where it could launch more meanwhile, "
    "which is not recorded."
)
_BUDGET = SavingsBudget(IDLE, parts=("host waits",))


@GainEstimator.within(_BUDGET)
def bound_waits(_: str, __: float, results: Results) -> Estimate | Refusal | None:
    """Idle time of iterations, or of a run without any, no more than threads waited in it.

    Nor more than what is left beside input, which the host still has to prepare. With work queued
    at the end of the run, the host's last part passes while the GPU does it, unless it is known how
    long threads waited.
    """
    known, whole = find_wait_time(RECURRING, results), find_recurring(results)
    if whole is None or (known is None and not has_iterations(results)):
        return Refusal(_NO_ITERATIONS)
    data = get_value(results, "time.data_share")
    besides = 1.0 - (
        0.0 if data is None else apply_amdahl(find_interval(results, "time.data_share", data).low)
    )
    asked = (*take_of_iterations(IDLE, besides, results), ChangeEffect(BETWEEN & IDLE))
    parts = tuple(_mark_means(clamp_effects(_BUDGET, asked, results), results))
    saved = compute_reduction(parts, whole, results)
    if known is not None and saved <= 0.0:
        return Refusal(_NO_WAIT_COUNTS, concerned=0.0)
    before = (*parts, *clamp_effects(_BUDGET, take_of_warm_up(saved, results), results))
    by_input = known is None and saved < compute_reduction((ChangeEffect(IDLE),), whole, results)
    end = known is None and sum_cells(read_ledger(results), END & IDLE) > 0.0
    return make_gain(
        (*before, *((ChangeEffect(END & IDLE),) if end else ())),
        whole,
        _format_formula(whole, known, by_input=by_input),
        (
            _NO_WAITS if has_iterations(results) else _NO_WAITS_OF_RUN,
            *(() if known is None else (_NO_LONGER_THAN_WAITS,)),
            *((_AT_THE_END,) if end else ()),
            SAME_TIME,
            *explain_profiling(results),
        ),
        results,
    )


def _mark_means(effects: Iterable[ChangeEffect], results: Results) -> Iterator[ChangeEffect]:
    """Where ranks meet, what is saved is of the one that decides, and no mean."""
    is_mean = not is_of_ranks(results)
    return (replace(each, is_mean=is_mean) for each in effects)


def _format_formula(whole: BoundWhole, known: float | None, *, by_input: bool) -> str:
    """The formula of what waits cost."""
    if by_input:
        return "all of an iteration but the least time for input data"
    if whole.kind != "iteration":
        return f"smaller of idle time between operations and waits for the GPU / {whole.short}"
    idle = "idle time within iterations"
    least = idle if known is None else f"smaller of {idle} and waits for the GPU"
    return f"{least} / time of the iterations"
