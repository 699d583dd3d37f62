"""Bounds on what CPU threads do: wait, work in one function, unevenly, or without a core.

In:  the value of a rule's metric and the results of a run.
Out: an `Estimate` of CPU cost, of main threads' time or of wall time, a `Refusal`, or None where
     nothing can be saved or an input is missing.
"""

from __future__ import annotations

from dataclasses import replace

from perfolio.common.units import quantity
from perfolio.findings.estimates.bound_formulas import (
    ShareInterval,
    WeakerBound,
    apply_amdahl,
    compute_balance_saving,
    compute_time_share,
    find_interval,
    make_estimate,
)
from perfolio.findings.estimates.estimator_catalog import GainEstimator
from perfolio.findings.estimates.time_formulas import compute_amount
from perfolio.findings.estimates.wall_clock import find_wall_time
from perfolio.findings.model.change_effect import CellFilter
from perfolio.findings.model.conditions import find_shared_condition, is_met
from perfolio.findings.model.denominator import BoundWhole
from perfolio.findings.model.finding import Estimate, Refusal
from perfolio.findings.model.wording import choose_event_words
from perfolio.metrics.metric_values import get_number, get_value, index_rows
from perfolio.metrics.model import Results

_NO_WAIT = (
    "No thread waits any more. The run need not get shorter by this: what threads wait for takes "
    "as long as before."
)
_LOST = "{} of the {} that a main thread takes are charged to no function. They count as waiting."
_OF_LOST = "the {} between a main thread's first and last sample, {} of which no sample carries"
_ELAPSED_MAIN = "time.main_thread[].time"
_LITTLE = 0.01
"""What is charged to no function matters from this share of a main thread's time on [ratio]."""
_NO_COUNT = (
    "Costs of the CPU are sampled, and how many samples there are is not known here: the share is "
    "taken as it is, without an interval."
)
_ALL_OF_IT = (
    "All work may be in this function: what would be left if it took no time is not known from "
    "this run."
)
_GONE = "The function takes no time at all any more, and nothing else changes."
_ELAPSED = (
    "The cost is elapsed time, which passes whether a thread works or waits: waiting less would "
    "save none of it."
)
_PUNCTUAL = (
    "Threads that work never lack a core, and neither the kernel nor the profiler holds them up. A "
    "sample that came late is taken to stand for no work at all. Waits end no sooner than what is "
    "waited for: where threads lack a core while they wait, more can be saved. Fewer threads on "
    "the same cores save less."
)
_WAITS_TOO = (
    "For at least {} of the waiting of threads that work, samples came late, too. With a core for "
    "each thread waits end as well, and with fewer threads there are fewer of them: the finding on "
    "threads that wait bounds that."
)
_DUE, _WAIT = "threads are due and none works", "all threads wait"
"""Parts of `time.cpu_ledger`."""
_FEW = 0.02
"""That all threads wait for less than this share of the wall time changes no bound [ratio]."""
_AS_BUSY = "if whatever other threads do meanwhile takes as long as now"
_NONE_WORKS = "time in which threads are due and none works / wall time"
_ALWAYS_HELD = (
    "At every moment of the run some thread that works may have been held up: nothing tells how "
    "much of the run would be left without that."
)


@GainEstimator
def bound_balance(_: str, imbalance: float, __: Results) -> Estimate | None:
    """Work divided evenly."""
    return make_estimate(
        compute_balance_saving(imbalance),
        BoundWhole("rank"),
        "1 - mean / maximum",
        ("The work can be divided freely and costs the same on every rank.", _NO_COUNT),
    )


@GainEstimator
def bound_region_balance(_: str, share: float, __: Results) -> Estimate | None:
    """The work of one region divided evenly: its slowest rank takes as long as the mean one."""
    return make_estimate(
        apply_amdahl(share),
        BoundWhole("rank"),
        "(maximum - mean) in the region / mean time of a rank",
        (
            "The work of this region can be divided freely and costs the same on every rank.",
            "The rank that is slowest there is the one that the others wait for.",
        ),
    )


@GainEstimator
def bound_waiting(metric: str, share: float, results: Results) -> Estimate | Refusal | None:
    """No thread waits: of CPU cost, or of the time of main threads."""
    of_samples = find_interval(results, metric, share)
    if metric == "cpu.main_waiting_share":
        return _bound_main_waiting(of_samples, results)
    if get_value(results, "cpu.thread_time") is not None:
        return Refusal(_ELAPSED)
    return _bound_cost(
        of_samples,
        BoundWhole(
            "cost", get_value(results, "cpu.event_total"), name=choose_event_words(results)["cost"]
        ),
        f"{of_samples.upper}cost of waiting / cost of all threads",
        _NO_WAIT,
    )


def _bound_main_waiting(of_samples: ShareInterval, results: Results) -> Estimate | None:
    """Of the elapsed time by the trace, where what no sample carries may be waiting as well."""
    carried, whole = (
        get_value(results, "cpu.main_threads_time"),
        compute_amount(_ELAPSED_MAIN, results),
    )
    carried = (
        None if carried is None else carried / max(get_value(results, "run.processes") or 1.0, 1.0)
    )
    lost = max(whole - carried, 0.0) if carried is not None and whole else 0.0
    if carried is None or not whole or lost < _LITTLE * whole:
        lost, carried, whole = 0.0, 1.0, None
    waits = f"{of_samples.upper}time that main threads wait"
    return make_estimate(
        apply_amdahl((of_samples.high * carried + lost) / (whole or 1.0)),
        BoundWhole(
            "main",
            whole,
            name=_OF_LOST.format(quantity(whole, "s"), quantity(lost, "s")) if lost else "",
        ),
        f"({waits} + time without samples) / elapsed time" if lost else f"{waits} / their time",
        (
            _NO_WAIT,
            *((_LOST.format(quantity(lost, "s"), quantity(whole, "s")),) if lost else ()),
            *_explain_uncounted(of_samples),
        ),
        is_told=not lost,
    )


def _bound_cost(
    of_samples: ShareInterval, whole: BoundWhole, formula: str, assumption: str
) -> Estimate | None:
    """A share of the cost of threads gone."""
    assumptions = (assumption, *_explain_uncounted(of_samples))
    return make_estimate(
        apply_amdahl(of_samples.high), whole, formula, assumptions, where=CellFilter()
    )


def _explain_uncounted(of_samples: ShareInterval) -> tuple[str, ...]:
    """That a share has no interval, where it has none."""
    return () if of_samples.high > of_samples.low else (_NO_COUNT,)


@GainEstimator
def bound_hot_function(metric: str, share: float, results: Results) -> Estimate | Refusal | None:
    """One function gone; refused where that may be all work."""
    of_samples = find_interval(results, metric, share)
    if of_samples.high >= 1.0:
        return Refusal(_ALL_OF_IT)
    return _bound_cost(
        of_samples,
        BoundWhole(
            "work", get_value(results, "cpu.work"), name=choose_event_words(results)["cost"]
        ),
        f"{of_samples.upper}cost of the function and of the libraries it calls / cost of work of "
        "all threads",
        _GONE,
    )


@GainEstimator
def bound_held_up(_: str, __: float, results: Results) -> Estimate | Refusal | None:
    """The time in which a thread that works was held up: refused where that may be all of it.

    Refused as well where threads that wait were, as what ends that ends waits. With samples so
    close that the profiler may be what holds threads up, it is of the run as profiled.
    """
    saved, found = get_value(results, "cpu.held_up"), find_wall_time(results)
    if saved is None or found is None:
        return None
    whole = found.amount or 0.0
    if saved >= whole:
        return Refusal(_ALWAYS_HELD)
    is_dense = is_met(find_shared_condition("dense"), results)
    ledger = index_rows(results, "time.cpu_ledger", "part")
    due = get_number(ledger.get(_DUE, {}), "time")
    few_waits = bool(ledger) and get_number(ledger.get(_WAIT, {}), "time") < _FEW * whole
    if is_met(find_shared_condition("crowded"), results) and not (is_dense or few_waits):
        return Refusal(_WAITS_TOO.format(quantity(get_value(results, "cpu.late_waits"), "ratio")))
    return make_estimate(
        compute_time_share(saved, whole),
        replace(found, profiled=bool(is_dense) and not found.gapless),
        "the smaller of the time in which a sample of any thread that works came late, and wall "
        f"time less one thread's samples in time / {found.short}",
        (_PUNCTUAL,),
        weaker=WeakerBound(compute_time_share(due, whole), _AS_BUSY, _NONE_WORKS) if due else None,
        is_told=False,
    )
