"""Figures of time: the run, GPUs and what they do, in sums."""

from __future__ import annotations

import itertools
from statistics import median

from tests.recordings.figure import Figure, Unclear, Value, alike_or_nothing, scalar
from tests.recordings.intervals import both, length, pieces, union, without
from tests.recordings.product import Documents
from tests.recordings.seen import Gpu, Seen

_ROUNDED = 2e-10
"""Less than this is nothing [s]."""


def _mean_of(kind: str) -> Figure:
    names = {"": "time.gpu_busy", "kernel": "time.kernel_busy", "copy": "time.copy_busy"}
    return scalar(
        names[kind], lambda seen: seen.mean([length(seen.busy(gpu, kind)) for gpu in seen.gpus])
    )


def exposed_copies(seen: Seen) -> float:
    """Time in which a copy runs and no kernel does [s]."""
    return seen.mean([length(_exposed(seen, gpu)) for gpu in seen.gpus])


def _exposed(seen: Seen, gpu: Gpu) -> list[tuple[int, int]]:
    return without(seen.busy(gpu, "copy"), seen.busy(gpu, "kernel"))


def _overlap(seen: Seen) -> float:
    return seen.mean(
        [length(both(seen.busy(gpu, "copy"), seen.busy(gpu, "kernel"))) for gpu in seen.gpus]
    )


def _overlap_share(seen: Seen) -> float | None:
    copies = sum(length(seen.busy(gpu, "copy")) for gpu in seen.gpus)
    return _overlap(seen) * 1e9 * len(seen.gpus) / copies if copies else None


def exposed_by_direction(seen: Seen) -> dict[str, float]:
    """The same by direction; copies that run at once share their time."""
    found: dict[str, float] = {}
    for gpu in seen.gpus:
        copies = [one for one in seen.on[gpu] if one.kind == "copy"]
        kernels = seen.busy(gpu, "kernel")
        for start, stop in pieces([*((one.start, one.stop) for one in copies), *kernels]):
            running = [one for one in copies if one.start <= start and one.stop >= stop]
            if running and not any(a <= start and b >= stop for a, b in kernels):
                for one in running:
                    part = (stop - start) / len(running) / len(seen.gpus) / 1e9
                    found[one.direction] = found.get(one.direction, 0.0) + part
    return found


def _span(seen: Seen) -> float:
    spans = [seen.gpu_span(gpu) for gpu in seen.gpus]
    return seen.mean([stop - start for start, stop in spans])


def _busy(seen: Seen) -> float:
    return seen.mean([length(seen.busy(gpu)) for gpu in seen.gpus])


def _gap_time(seen: Seen) -> float:
    return _span(seen) - _busy(seen)


def _of_wall(time: float, seen: Seen) -> float | None:
    return time / (seen.wall / 1e9) if seen.wall else None


def _span_utilisation(seen: Seen) -> float | None:
    return _busy(seen) / _span(seen) if _span(seen) else None


def _most_at_once(seen: Seen) -> float:
    most = 0
    for gpu in seen.gpus:
        times = [(one.start, one.stop) for one in seen.on[gpu]]
        for start, stop in pieces(times):
            most = max(most, sum(1 for a, b in times if a <= start and b >= stop))
    return most


def _mean_at_once(seen: Seen) -> float | None:
    work = sum(one.stop - one.start for gpu in seen.gpus for one in seen.on[gpu])
    busy = sum(length(seen.busy(gpu)) for gpu in seen.gpus)
    return work / busy if busy else None


def _stream_balance(seen: Seen) -> float | None:
    streams: dict[tuple[int, int, int], list[tuple[int, int]]] = {}
    for gpu in seen.gpus:
        for one in seen.on[gpu]:
            streams.setdefault((*gpu, one.stream), []).append((one.start, one.stop))
    times = [length(union(each)) for each in streams.values()]
    if len(times) < 2 or not max(times):
        return None
    return sum(times) / len(times) / max(times)


def _orchestration(seen: Seen) -> float | None:
    start, stop = seen.all_span
    most = max(length(seen.busy(gpu)) for gpu in seen.gpus)
    return most / (stop - start) if stop > start else None


def worked(seen: Seen, *kinds: str) -> float:
    """Durations of operations of these kinds, on all GPUs [s]."""
    return sum(one.stop - one.start for one in seen.operations if one.kind in kinds) / 1e9


def _launches(seen: Seen) -> float:
    return sum(1 for one in seen.operations if one.kind == "kernel")


def _mean_kernel(seen: Seen) -> float | None:
    launches = _launches(seen)
    return worked(seen, "kernel") / launches if launches else None


def idle_before(seen: Seen) -> float:
    """Idle time of GPUs before their first operation [s]."""
    return seen.mean([seen.gpu_span(gpu)[0] - seen.span[0] for gpu in seen.gpus])


def idle_after(seen: Seen) -> float:
    """Idle time of GPUs after their last operation [s]."""
    return seen.mean([seen.span[1] - seen.gpu_span(gpu)[1] for gpu in seen.gpus])


def _idle_by_period(seen: Seen) -> Value:
    """Idle time of GPUs in a run that does not iterate: before, between and after operations."""
    if seen.steps or seen.may_be_periodic:
        raise Unclear
    found = {
        "start-up": idle_before(seen),
        "between operations": _gap_time(seen),
        "end": idle_after(seen),
    }
    return {period: time for period, time in found.items() if time > _ROUNDED} or None


def _said_by_period(documents: Documents) -> Value:
    rows = documents.rows("time.idle_parts")
    found = {str(row["period"]): float(row["idle"] or 0) for row in rows}
    return {period: time for period, time in found.items() if time > _ROUNDED} or None


def steady_idle_share(seen: Seen) -> Value:
    """Idle time of GPUs in steady iterations, or from the first operation of any to the last."""
    if seen.steps:
        raise Unclear
    if seen.may_be_periodic:
        raise Unclear
    start, stop = seen.all_span
    idle = sum(length(seen.idle(gpu, (start, stop))) for gpu in seen.gpus)
    return idle / len(seen.gpus) / (stop - start) if stop > start else None


def _longest_gap(seen: Seen) -> Value:
    _only_plain(seen)
    return max((stop - start for start, stop in seen.gaps(seen.gpus[0])), default=0) / 1e9


def _gaps(seen: Seen) -> Value:
    _only_plain(seen)
    return len(seen.gaps(seen.gpus[0]))


def _long_gap_time(seen: Seen) -> Value:
    _only_plain(seen)
    gaps = seen.gaps(seen.gpus[0])
    return sum(stop - start for start, stop in gaps if stop - start > 50_000) / 1e9


def _only_plain(seen: Seen) -> None:
    """Gaps of one GPU in a run without iterations, none of which a moment cuts in two."""
    if seen.steps or seen.may_be_periodic or len(seen.gpus) > 1 or seen.has_moments_between:
        raise Unclear


def _kernel_distance(seen: Seen) -> Value:
    """From the end of a kernel to the next one's begin on its stream, nothing between them."""
    found: list[int] = []
    streams = {(one.process, one.device, one.stream) for one in seen.operations}
    for stream in streams:
        own = [one for one in seen.operations if (one.process, one.device, one.stream) == stream]
        own.sort(key=lambda one: (one.start, one.stop))
        if any(a.start == b.start for a, b in itertools.pairwise(own)):
            raise Unclear
        found += [
            max(b.start - a.stop, 0)
            for a, b in itertools.pairwise(own)
            if a.kind == b.kind == "kernel"
        ]
    return median(found) / 1e9 if found else None


TIMES: tuple[Figure, ...] = (
    Figure("idle time by period", "choice", _idle_by_period, _said_by_period),
    scalar("time.wall", lambda seen: seen.wall / 1e9),
    *(_mean_of(kind) for kind in ("", "kernel", "copy")),
    scalar("time.exposed_copy", exposed_copies),
    scalar("time.exposed_copy_share", lambda seen: _of_wall(exposed_copies(seen), seen)),
    scalar("time.overlap", _overlap),
    scalar("time.overlap_share", _overlap_share),
    scalar("time.gpu_span", _span),
    scalar("time.gap_time", _gap_time),
    scalar("time.gpu_utilisation", lambda seen: _of_wall(_busy(seen), seen)),
    scalar("time.gpu_idle_share", lambda seen: _of_wall(seen.wall / 1e9 - _busy(seen), seen)),
    scalar("time.span_utilisation", _span_utilisation),
    scalar("time.max_concurrency", _most_at_once),
    scalar("time.mean_concurrency", _mean_at_once),
    scalar("time.stream_balance", _stream_balance),
    scalar("time.orchestration_efficiency", _orchestration),
    scalar("gpu.operation_time", lambda seen: worked(seen, "kernel", "copy", "memset")),
    scalar("gpu.kernel_time", lambda seen: worked(seen, "kernel"), holds=alike_or_nothing),
    scalar("gpu.copy_time", lambda seen: worked(seen, "copy"), holds=alike_or_nothing),
    scalar("gpu.launches", _launches, holds=alike_or_nothing),
    scalar("gpu.mean_kernel_time", _mean_kernel),
    scalar("time.kernel_distance", _kernel_distance),
    scalar("time.gaps", _gaps, holds=alike_or_nothing),
    scalar("time.longest_gap", _longest_gap, holds=alike_or_nothing),
    scalar("time.long_gap_time", _long_gap_time, holds=alike_or_nothing),
    scalar("time.steady_idle_share", steady_idle_share, holds=alike_or_nothing),
)
