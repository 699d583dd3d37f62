"""Figures of calls: which of them wait, how long, and what the GPU does meanwhile."""

from __future__ import annotations

from collections import defaultdict
from statistics import median

from tests.recordings.figure import Figure, Unclear, Value, alike_or_nothing, scalar
from tests.recordings.intervals import Interval, both, length, pieces, union
from tests.recordings.model import Call, Operation, Range
from tests.recordings.seen import Gpu, Seen

_SLOW = 50_000


def launched(seen: Seen) -> list[tuple[Call, Operation]]:
    """Kernels with the calls of their own that launched them: none of graphs."""
    kernels = [one for gpu in seen.gpus for one in seen.on[gpu] if one.kind == "kernel"]
    found = [(seen.call_of.get(one.call), one) for one in kernels]
    return [(call, one) for call, one in found if call is not None and not one.graph]


def wait_share(seen: Seen) -> Value:
    """Time that a thread waits for a GPU, the one with most of it."""
    return seen.time_in([one for one in seen.calls if seen.waits(one)]) / seen.wall


def _allocation_share(seen: Seen) -> Value:
    """After the first operation, and from the first iteration on."""
    if seen.may_be_periodic or (seen.steps and (seen.iterating < 0 or len(seen.gpus) > 1)):
        raise Unclear
    begun = [one.start for one in seen.iterations[:1]]
    first = max([min(one.start for one in seen.operations), *begun])
    calls = [one for one in seen.calls if one.kind in ("allocate", "free") and one.start >= first]
    return seen.time_in(calls) / seen.wall


def _synchronous_share(seen: Seen) -> Value:
    found: list[Interval] = []
    for call in seen.calls:
        if call.kind in ("copy", "set") and "Async" not in call.name:
            own = [one for one in seen.operations if one.call == call.number]
            times = [(max(one.start, call.start), min(one.stop, call.stop)) for one in own]
            found += [each for each in times if each[1] > each[0]]
            found += [] if own else [(call.start, call.stop)]
    return length(union(found)) / seen.wall


def _launching_idle_share(seen: Seen) -> Value:
    kernels = launched(seen)
    start, stop = seen.all_span
    if not kernels or stop == start:
        return None
    idle = 0
    for gpu in seen.gpus:
        own = [call for call, one in kernels if (one.process, one.device) == gpu]
        idle += length(both(union((one.start, one.stop) for one in own), seen.gaps(gpu)))
    return idle / len(seen.gpus) / (stop - start)


def _launch_delay(seen: Seen) -> Value:
    found = [max(one.start - call.stop, 0) for call, one in launched(seen)]
    return median(found) / 1e9 if found else None


def _short(seen: Seen) -> Value:
    found = [one.stop - one.start < call.stop - call.start for call, one in launched(seen)]
    return sum(found) / len(found) if found else None


def _slow_share(seen: Seen) -> Value:
    found = [one.stop - one.start > _SLOW for one in seen.calls if _is_asked(one)]
    return sum(found) / len(found) if found else None


def _is_asked(call: Call) -> bool:
    return call.kind == "launch" or (call.kind in ("async copy", "set") and "Async" in call.name)


def _host_wait_share(seen: Seen) -> Value:
    """Of gaps the part before the launch of the operation that ends them began."""
    if seen.has_moments_between:
        raise Unclear
    waited = every = 0
    for gpu in seen.gpus:
        for start, stop in seen.gaps(gpu):
            calls = [seen.call_of.get(one.call) for one in seen.on[gpu] if one.start == stop]
            begun = [call.start for call in calls if call is not None]
            if begun:
                waited += min(max(min(begun) - start, 0), stop - start)
                every += stop - start
    return waited / every if every else None


def copy_waits(seen: Seen, gpu: Gpu) -> list[Interval]:
    """When a copy runs, no kernel does, and the next kernel may wait for the copy."""
    operations = seen.on[gpu]
    kernels = [one for one in operations if one.kind == "kernel"]
    copies = [one for one in operations if one.kind == "copy"]
    is_ordered = len({one.stream for one in kernels}) == 1
    found = []
    for start, stop in pieces((one.start, one.stop) for one in operations):
        running = [one for one in copies if one.start <= start and one.stop >= stop]
        beside = any(one.start <= start and one.stop >= stop for one in kernels)
        later = [one.start for one in kernels if one.start >= stop]
        if not running or beside or not later:
            continue
        if not is_ordered or min(one.stop for one in running) <= min(later):
            found.append((start, stop))
    return found


def _copy_wait_share(seen: Seen) -> Value:
    if any(one.start == one.stop and one.kind == "kernel" for one in seen.operations):
        raise Unclear
    waits = sum(length(copy_waits(seen, gpu)) for gpu in seen.gpus)
    return waits / len(seen.gpus) / seen.wall


def _threads_at_once(seen: Seen) -> Value:
    alive: dict[tuple[int, int], list[int]] = defaultdict(list)
    hosts: list[Call | Range] = [*seen.calls, *seen.ranges]
    for one in hosts:
        alive[one.process, one.thread] += [one.start, one.stop]
    for step in seen.steps:
        alive[step.process, 0] += [step.start, step.stop]
    times = [(min(each), max(each)) for each in alive.values()]
    return max(
        sum(1 for a, b in times if a <= start and b >= stop) for start, stop in pieces(times)
    )


HOST: tuple[Figure, ...] = (
    scalar("calls.wait_share", wait_share, "choice", alike_or_nothing),
    scalar("calls.allocation_share", _allocation_share, "choice", alike_or_nothing),
    scalar("calls.synchronous_share", _synchronous_share, "choice", alike_or_nothing),
    scalar("calls.launching_idle_share", _launching_idle_share, "sum", alike_or_nothing),
    scalar("calls.launch_delay", _launch_delay),
    scalar("calls.launch_bound_share", _short),
    scalar("calls.slow_share", _slow_share),
    scalar("calls.host_wait_share", _host_wait_share, "choice"),
    scalar("time.copy_wait_share", _copy_wait_share, "choice", alike_or_nothing),
    scalar("run.threads_at_once", _threads_at_once),
    scalar("run.cpu_threads", lambda seen: len(seen.threads)),
)
