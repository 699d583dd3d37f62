"""Bounds on wall time, from traces.

In:  the value of a rule's metric and the results of a run with a trace.
Out: an `Estimate` of wall time, or of an iteration, or None where its inputs are missing.
"""

from __future__ import annotations

import math

from generator.findings.bounds import (
    Interval,
    Least,
    amdahl,
    estimate,
    factor,
    hidden,
    interval,
    measured,
    of_time,
    pipelined,
)
from generator.findings.model import Estimate, Refusal
from generator.metrics.model import Results
from generator.units import quantity

WALL = "time.wall"
OF_WALL = "wall time"
OF_SPAN = "the time from the first to the last GPU operation; of run time even less"
ELAPSED = (OF_WALL, OF_SPAN)
"""Wholes that are time on the clock."""

_OF_ITERATION = "a typical iteration; of wall time only as far as it consists of such iterations"
_LIMIT = (
    "All work of the host disappears, or runs beside the GPU's, so that only the GPU's own "
    "work is left: the limit that the GPU sets and not a goal."
)
_GONE = (
    "The function's work disappears, or other threads do it ahead of time; what runs in the "
    "remaining time does not change."
)
_SAME_TIME = "Bounds of findings on the same idle time overlap: do not add or multiply them."
NO_COPIES = (
    "Every copy disappears, and kernels stay as they are; so do times in which the GPU runs "
    "nothing, also those after a copy that the host waits for: closing them comes on top."
)
_BEHIND = (
    "Copies and kernels are independent of each other, so that copies run while kernels do "
    "that now run alone."
)
_NO_START = "Start-up takes no time at all; longer runs have less of it without any change."
_NO_INITIALISATION = (
    "The driver is not started, and other threads do nothing meanwhile that the run needs."
)
_NO_COLLECTIVES = (
    "Every collective operation disappears, and so does each wait for one; the rank that has least "
    "of them, for which the others wait, keeps all else that it does."
)
_READY = (
    "Every batch is ready when it is needed, by other processes or on the device, and making it "
    "there slows nothing else down."
)
_WARM_UP = "What a warm-up has of it comes on top."
_NO_GAP = "Of each iteration the longest gap disappears, and all else stays."
_BESIDE = (
    "smaller of {what} and of what an iteration does besides / {whole}: another thread or process "
    "works one iteration ahead, as fast as now, on a core of its own"
)
_SHORT = 32e-6
"""Gaps up to here may be the launch of the next operation [s]; a bin of the metric ends here."""
_LAUNCHES = (
    "Every gap of up to 32 µs is the launch of the next operation, and disappears; longer gaps "
    "have other reasons."
)
_SERIALISED = (
    "PC sampling runs kernels one after another and puts some hundred microseconds between them: "
    "what a launch costs without it cannot be told from this run."
)
_NO_GAPS = (
    "Launches cost run time only where the GPU waits for them, and gaps between operations are "
    "in traces alone: the number of launches times the time of a call is no estimate."
)


def elapsed(results: Results) -> tuple[float, str] | None:
    """Wall time and what to call it; the GPU span, which is less, where only that was traced."""
    for metric, words in ((WALL, OF_WALL), ("time.gpu_span", OF_SPAN)):
        value = measured(results, metric)
        if value is not None:
            return value, words
    return None


def gpu_idle(_: str, idle: float, results: Results) -> Estimate | None:
    """All time in which no GPU operation ran: a limit, which no step reaches."""
    return estimate(
        amdahl(idle),
        OF_WALL,
        "1 - GPU busy / wall time",
        (_LIMIT, _SAME_TIME),
        kind="limit",
        whole=measured(results, WALL),
    )


def blame(metric: str, share: float, results: Results) -> Estimate | None:
    """Idle time between GPU operations while one function ran; `share` of all such time."""
    idle, whole = measured(results, "time.gap_time"), measured(results, WALL)
    if idle is None or whole is None:
        return None
    sampled = interval(results, metric, share)
    return estimate(
        of_time(amdahl(sampled.high) * idle, whole),
        OF_WALL,
        f"{sampled.upper}share of the idle time with this function × idle time between operations "
        "/ wall time",
        (_GONE, *_by_samples(sampled), _SAME_TIME, *_iteration(results)),
        least=_ahead(results, whole, of_time(amdahl(sampled.low) * idle, whole)),
        whole=whole,
    )


def _ahead(results: Results, whole: float, blamed: float) -> Least | None:
    """Each iteration's longest gap beside the rest of it, as far as that is `blamed` time [ratio].

    It is what one worker ahead saves.
    """
    gap, rest = _gap_and_rest(results)
    steady = measured(results, "time.steady")
    if steady is None or gap + rest <= 0.0:
        return None
    ahead = of_time(pipelined(gap, rest) * steady, whole)
    words = _BESIDE.format(what="the longest gap", whole="iteration × steady time / wall time")
    if blamed < ahead:
        words = "lower end of the interval of this function's share of wall time"
    return Least(min(ahead, blamed), words)


def _by_samples(sampled: Interval) -> tuple[str, ...]:
    """What an upper end rests on, where there is one."""
    if sampled.low == sampled.high:
        return ()
    low, high = (quantity(end, "ratio") for end in (sampled.low, sampled.high))
    words = (
        f"The share is told by samples of the host, 95 % interval {low} to {high}; its upper end "
        "counts idle time without any sample, too."
    )
    return (words,)


def iteration_gap(_: str, __: float, results: Results) -> Estimate | None:
    """The longest gap of a typical iteration."""
    gap, rest = _gap_and_rest(results)
    return estimate(
        of_time(gap, gap + rest),
        _OF_ITERATION,
        "median of the longest gaps / median of the iterations",
        (_NO_GAP, _SAME_TIME),
        least=Least(
            pipelined(gap, rest), _BESIDE.format(what="the longest gap", whole="iteration")
        ),
        whole=measured(results, "time.steady"),
    )


def input_data(metric: str, share: float, results: Results) -> Estimate | None:
    """All time that iterations spend on input data; `share` of them."""
    sampled = interval(results, metric, share)
    ends = (amdahl(sampled.low), amdahl(sampled.high))
    return estimate(
        ends[1],
        _OF_ITERATION,
        f"{sampled.upper}time in the phase of input data / time of the iterations",
        (_READY, *_by_samples(sampled), _WARM_UP, _SAME_TIME),
        least=Least(
            min(pipelined(end, 1.0 - end) for end in ends),
            _BESIDE.format(what="the time for input data", whole="iteration"),
        ),
        whole=measured(results, "time.steady"),
    )


def communication(_: str, __: float, results: Results) -> Estimate | None:
    """All collectives gone that run beside no other kernel, on the rank that has least of them."""
    least, whole = measured(results, "communication.exposed_everywhere"), measured(results, WALL)
    if least is None or whole is None:
        return None
    return estimate(
        of_time(least, whole),
        OF_WALL,
        "least exposed communication of a rank / wall time",
        (_NO_COLLECTIVES,),
        whole=whole,
    )


def _gap_and_rest(results: Results) -> tuple[float, float]:
    """The longest gap of a typical iteration and what else it takes [s]; 0 where not measured."""
    median = measured(results, "time.iteration_median")
    gap = measured(results, "time.iteration_longest_gap")
    if median is None or gap is None:
        return 0.0, 0.0
    return gap, max(median - gap, 0.0)


def launch(_: str, __: float, results: Results) -> Estimate | Refusal | None:
    """Short gaps between GPU operations: refused without a trace and with PC sampling."""
    whole, gaps = elapsed(results), results.get("time.gap_distribution")
    if (measured(results, "sampling.metrics_listed") or 0.0) > 0.0:
        return Refusal(_SERIALISED)
    if whole is None or gaps is None or gaps.status != "measured":
        return Refusal(_NO_GAPS)
    rows = gaps.records()
    short = math.fsum(float(row["time"] or 0.0) for row in rows if float(row["to"] or 0.0) < _SHORT)
    return estimate(
        of_time(short, whole[0]),
        whole[1],
        f"gaps of up to 32 µs / {whole[1].partition(';')[0]}",
        (_LAUNCHES,),
        whole=whole[0],
    )


def exposed_copies(_: str, share: float, results: Results) -> Estimate | None:
    """All time in which a copy ran and no kernel; `share` of wall time."""
    behind = overlap("", 0.0, results)
    return estimate(
        amdahl(share),
        OF_WALL,
        "copies beside no kernel / wall time",
        (NO_COPIES,),
        least=Least(behind.reduction, f"{behind.formula}: copies stay, but hide behind kernels")
        if behind is not None
        else None,
        whole=measured(results, WALL),
    )


def overlap(_: str, __: float, results: Results) -> Estimate | None:
    """Copies that could hide behind kernels which now run alone."""
    whole, exposed = measured(results, WALL), measured(results, "time.exposed_copy")
    busy, both = measured(results, "time.kernel_busy"), measured(results, "time.overlap")
    if whole is None or exposed is None or busy is None or both is None:
        return None
    return estimate(
        of_time(hidden(exposed, busy - both), whole),
        OF_WALL,
        "smaller of copies beside no kernel and kernels beside no copy / wall time",
        (_BEHIND, _SAME_TIME),
        whole=whole,
    )


def initialisation(_: str, share: float, results: Results) -> Estimate | None:
    """The time in which a GPU is initialised that nothing uses."""
    return estimate(
        amdahl(share),
        OF_WALL,
        "GPU initialisation / wall time",
        (_NO_INITIALISATION,),
        whole=measured(results, WALL),
    )


def start_up(_: str, share: float, results: Results) -> Estimate | None:
    """All time before the first iteration: a limit, for some start-up always remains."""
    return estimate(
        amdahl(share),
        OF_WALL,
        "start-up / wall time",
        (_NO_START,),
        kind="limit",
        whole=measured(results, WALL),
    )


def _iteration(results: Results) -> tuple[str, ...]:
    """What the longest gap means for one iteration, where iterations were found."""
    found = iteration_gap("", 0.0, results)
    median = measured(results, "time.iteration_median")
    if found is None or median is None:
        return ()
    left = quantity(median * (1.0 - found.reduction), "s")
    words = (
        f"Within a typical iteration of {quantity(median, 's')}, its longest gap bounds it: "
        f"without that gap {left} remain, a factor of at most "
        f"{quantity(factor(found.reduction), 'x')}."
    )
    return (words,)
