"""Bounds on wall time, from traces.

In:  the value of a rule's metric and the results of a run with a trace.
Out: an `Estimate` of wall time, or of an iteration, or None where its inputs are missing.
"""

from __future__ import annotations

from dataclasses import replace

from generator.findings.estimates.bounds import Interval, Weaker, estimate, of_time
from generator.findings.estimates.clock import on_the_wall
from generator.findings.terms.conditions import holds, shared_condition
from generator.findings.terms.finding import Estimate, Refusal
from generator.findings.terms.whole import Whole
from generator.metrics.model import Results
from generator.metrics.values import measured, number_of, rows_by
from generator.units import half_width, interval_ends, quantity

SAME_TIME = (
    "Bounds of findings on the same copies or idle time overlap: do not add or multiply them."
)
_PROFILED = (
    "PC sampling was on, which makes what an iteration does besides many times longer: this bounds "
    "the run as it was profiled. Without PC sampling the share can be larger, and what workers "
    "save cannot be told."
)
_OWN_CALLS = (
    "By samples of the host, {} of each iteration are on average the profiler's own calls, which a "
    "run without it does not make."
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


def by_samples(sampled: Interval) -> tuple[str, ...]:
    """What an upper end rests on, where there is one."""
    if sampled.low == sampled.high:
        return ()
    low, high = interval_ends(sampled.low, sampled.high, "ratio")
    words = (
        f"The share is told by samples of the host, 95 % interval {low} to {high} %, those that "
        "the profiler lost taken to be like the others; its upper end counts gaps without any "
        "sample."
    )
    return (words,)


def profiled(results: Results) -> tuple[str, ...]:
    """What PC sampling, where it was on, makes of a bound."""
    if not is_profiled(results):
        return ()
    own = results.get("time.iteration_profiler")
    if own is None or not own.value:
        return (_PROFILED,)
    words = quantity(own.value, "s", half_width(own.low, own.high))
    return (_PROFILED, _OWN_CALLS.format(words))


def is_profiled(results: Results) -> bool:
    """Whether PC samples were taken, which lengthens all but the longest waits."""
    return (measured(results, "sampling.metrics_listed") or 0.0) > 0.0


def of_iteration(results: Results) -> Whole:
    """What an estimate of iterations is a part of."""
    return Whole(
        "iteration",
        measured(results, "time.steady"),
        measured(results, "time.iteration_median"),
        profiled=is_profiled(results),
    )


def held_up(_: str, __: float, results: Results) -> Estimate | Refusal | None:
    """The time in which a thread that works was held up: refused where that may be all of it.

    Refused as well where threads that wait were, as what ends that ends waits. With samples so
    close that the profiler may be what holds threads up, it is of the run as profiled.
    """
    saved, found = measured(results, "cpu.held_up"), on_the_wall(results)
    if saved is None or found is None:
        return None
    whole = found.amount or 0.0
    if saved >= whole:
        return Refusal(_ALWAYS_HELD)
    is_dense = holds(shared_condition("dense"), results)
    ledger = rows_by(results, "time.cpu_ledger", "part")
    due = number_of(ledger.get(_DUE, {}), "time")
    few_waits = bool(ledger) and number_of(ledger.get(_WAIT, {}), "time") < _FEW * whole
    if holds(shared_condition("crowded"), results) and not (is_dense or few_waits):
        return Refusal(_WAITS_TOO.format(quantity(measured(results, "cpu.late_waits"), "ratio")))
    return estimate(
        of_time(saved, whole),
        replace(found, profiled=bool(is_dense) and not found.gapless),
        "the smaller of the time in which a sample of any thread that works came late, and wall "
        f"time less one thread's samples in time / {found.short}",
        (_PUNCTUAL,),
        weaker=Weaker(of_time(due, whole), _AS_BUSY, _NONE_WORKS) if due else None,
        is_told=False,
    )
