"""What removing a finding is worth at most: documented bounds, never promises.

In:  the value of a rule's metric and the results of a run.
Out: an `Estimate` with its formula and assumptions, None where nothing can be saved or an input
     is missing, or a `Refusal` where the data forbid what the rule asks for.

Every bound is a share of time that would be gone if the cause vanished completely, so
none exceeds Amdahl's law for its share: of wall time where a trace measured it, else of
less, and said so. Bounds of findings that concern the same time overlap: they must not be
added or multiplied; `joint` bounds a set of them. To add one: a formula in `bounds`, a
function that reads its inputs from the results, a line in `ESTIMATORS`.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from types import MappingProxyType

from generator.findings.estimates import (
    ahead,
    chains,
    collectives,
    copies,
    copy_work,
    iterations,
    kernel_work,
    launches,
    limits,
    overlap,
    start,
    wall,
)
from generator.findings.estimates.amounts import amount
from generator.findings.estimates.bounds import Interval, amdahl, balanced, estimate, interval
from generator.findings.terms.events import event_words
from generator.findings.terms.finding import Estimate, Refusal
from generator.findings.terms.whole import Whole
from generator.metrics.model import Results
from generator.metrics.values import measured
from generator.units import quantity

Estimator = Callable[[str, float, Results], Estimate | Refusal | None]
"""From the name and value of the rule's metric, and all results."""

_MEANS_ONLY = (
    "HPCToolkit keeps sums per calling context, hence mean sizes, and copies of two kinds in one "
    "context have a mean that is neither: what joining copies saves needs the size of each one, "
    "from Nsight Systems or the PyTorch profiler."
)
_NO_SYNC = (
    "HPCToolkit records the host's synchronisation as 0 on NVIDIA devices: what waiting costs "
    "needs Nsight Systems or the PyTorch profiler."
)
_NO_FLOPS = (
    "HPCToolkit counts neither floating-point operations nor bytes of device memory, so that "
    "there is no roof to compare with: that needs Nsight Compute."
)
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
_ELAPSED = (
    "The cost is elapsed time, which passes whether a thread works or waits: waiting less would "
    "save none of it."
)


def _balance(_: str, imbalance: float, __: Results) -> Estimate | None:
    return estimate(
        balanced(imbalance),
        Whole("rank"),
        "1 - mean / maximum",
        ("The work can be divided freely and costs the same on every rank.", _NO_COUNT),
    )


def _waiting(metric: str, share: float, results: Results) -> Estimate | Refusal | None:
    of_samples = interval(results, metric, share)
    if metric == "cpu.main_waiting_share":
        return _main_waiting(of_samples, results)
    if measured(results, "cpu.thread_time") is not None:
        return Refusal(_ELAPSED)
    return estimate(
        amdahl(of_samples.high),
        Whole("cost", measured(results, "cpu.event_total"), name=event_words(results)["cost"]),
        f"{of_samples.upper}cost of waiting / cost of all threads",
        (_NO_WAIT, *_uncounted(of_samples)),
    )


def _main_waiting(of_samples: Interval, results: Results) -> Estimate | None:
    """Of the elapsed time by the trace, where what no sample carries may be waiting as well."""
    carried, whole = measured(results, "cpu.main_threads_time"), amount(_ELAPSED_MAIN, results)
    carried = (
        None if carried is None else carried / max(measured(results, "run.processes") or 1.0, 1.0)
    )
    lost = max(whole - carried, 0.0) if carried is not None and whole else 0.0
    if carried is None or not whole or lost < _LITTLE * whole:
        lost, carried, whole = 0.0, 1.0, None
    waits = f"{of_samples.upper}time that main threads wait"
    return estimate(
        amdahl((of_samples.high * carried + lost) / (whole or 1.0)),
        Whole(
            "main",
            whole,
            name=_OF_LOST.format(quantity(whole, "s"), quantity(lost, "s")) if lost else "",
        ),
        f"({waits} + time without samples) / elapsed time" if lost else f"{waits} / their time",
        (
            _NO_WAIT,
            *((_LOST.format(quantity(lost, "s"), quantity(whole, "s")),) if lost else ()),
            *_uncounted(of_samples),
        ),
        is_told=not lost,
    )


def _uncounted(of_samples: Interval) -> tuple[str, ...]:
    """That a share has no interval, where it has none."""
    return () if of_samples.high > of_samples.low else (_NO_COUNT,)


def _hot_function(metric: str, share: float, results: Results) -> Estimate | Refusal | None:
    of_samples = interval(results, metric, share)
    if of_samples.high >= 1.0:
        return Refusal(_ALL_OF_IT)
    gone = "The function takes no time at all any more, and nothing else changes."
    return estimate(
        amdahl(of_samples.high),
        Whole("work", measured(results, "cpu.work"), name=event_words(results)["cost"]),
        f"{of_samples.upper}cost of the function and of the libraries it calls / cost of work of "
        "all threads",
        (gone, *_uncounted(of_samples)),
    )


def _refusing(reason: str) -> Estimator:
    """An estimator of what no database of HPCToolkit can answer."""
    return lambda _, __, ___: Refusal(reason)


ESTIMATORS: Mapping[str, Estimator] = MappingProxyType(
    {
        "all_copies": copy_work.all_copies,
        "all_stalls": kernel_work.all_stalls,
        "balance": _balance,
        "blame": iterations.blame,
        "coalescing": _refusing(_MEANS_ONLY),
        "communication": collectives.communication,
        "exposed_copies": copies.exposed_copies,
        "fusion": chains.fusion,
        "gpu_idle": limits.gpu_idle,
        "held_up": wall.held_up,
        "hot_function": _hot_function,
        "initialisation": start.initialisation,
        "input_data": iterations.input_data,
        "iteration_gap": iterations.iteration_gap,
        "late_rank": collectives.late_rank,
        "launch": launches.launch,
        "link_rate": copy_work.link_rate,
        "occupancy": kernel_work.occupancy,
        "overlap": overlap.overlap,
        "roofline": _refusing(_NO_FLOPS),
        "stalls": kernel_work.stalls,
        "start_up": start.start_up,
        "tensor_cores": kernel_work.tensor_cores,
        "synchronisation": _refusing(_NO_SYNC),
        "waiting": _waiting,
        "waits": ahead.waits,
    }
)
