"""Bounds: what a step saves is at most what exists. And what the verdict names first."""

from __future__ import annotations

from collections.abc import Callable

from tests.recordings.figure import Figure, Unclear, Value, at_most, one_of
from tests.recordings.intervals import Intervals, both, length, union, without
from tests.recordings.product import Documents
from tests.recordings.seen import Gpu, Seen
from tests.recordings.words import MOVING, class_of, is_communication

_PARTS = {
    "gpu-communication": "communication",
    "gpu-late-rank": "communication",
    "gpu-copies-exposed": "copies",
    "gpu-copies-dominate": "copies",
    "gpu-idle": "idle",
    "gpu-hardly-used": "idle",
    "gpu-waits": "idle",
    "gpu-start-up": "idle",
}
"""Which part of the time a verdict names."""
_CLEARLY = 1.3
"""By so much the largest part leads the next one, or the verdict may name either."""


def _on_any(part: Callable[[Seen, Gpu], int]) -> Callable[[Seen], Value]:
    """The most of any GPU [s]."""
    return lambda seen: max(part(seen, gpu) for gpu in seen.gpus) / 1e9


def _idle(seen: Seen, gpu: Gpu) -> int:
    return seen.wall - length(seen.busy(gpu))


def _copies_alone(seen: Seen, gpu: Gpu) -> int:
    return length(without(seen.busy(gpu, "copy"), seen.busy(gpu, "kernel")))


def _kernels_alone(seen: Seen, gpu: Gpu) -> int:
    return length(without(seen.busy(gpu, "kernel"), seen.busy(gpu, "copy")))


def _hidden_copies(seen: Seen, gpu: Gpu) -> int:
    """Idle time, and copies that hide behind kernels, no longer than either."""
    exposed, cover = _copies_alone(seen, gpu), _kernels_alone(seen, gpu)
    return min(exposed, cover) + _idle(seen, gpu)


def _gone_copies(seen: Seen, gpu: Gpu) -> int:
    return _copies_alone(seen, gpu) + _idle(seen, gpu)


def _kernels(seen: Seen, gpu: Gpu, *, communicate: bool) -> Intervals:
    return union(
        (one.start, one.stop)
        for one in seen.on[gpu]
        if one.kind == "kernel" and is_communication(one.name) == communicate
    )


def _hidden_communication(seen: Seen, gpu: Gpu) -> int:
    own, other = _kernels(seen, gpu, communicate=True), _kernels(seen, gpu, communicate=False)
    exposed, cover = length(without(own, other)), length(without(other, own))
    return min(exposed, cover + _idle(seen, gpu))


def _communication(seen: Seen, gpu: Gpu) -> int:
    return length(_kernels(seen, gpu, communicate=True))


def _waits(seen: Seen) -> Value:
    """No thread saves more than it is in calls that may wait for a GPU."""
    ended = {
        one.call
        for one in seen.operations
        if one.call in seen.call_of and one.stop <= seen.call_of[one.call].stop
    }
    may_wait = [
        one
        for one in seen.calls
        if one.kind not in ("launch", "graph", "async copy", "allocate")
        or (one.kind == "async copy" and one.number in ended)
    ]
    return seen.time_in(may_wait) / 1e9


def _of_class(*classes: str) -> Callable[[Seen, Gpu], int]:
    """Durations: kernels that run at the same time share it by these."""

    def part(seen: Seen, gpu: Gpu) -> int:
        return sum(
            one.stop - one.start
            for one in seen.on[gpu]
            if one.kind == "kernel" and class_of(one.name) in classes
        )

    return part


def _start_up(seen: Seen) -> Value:
    """Before the first iteration, and of a run without any before the first operation."""
    if seen.may_be_periodic or (seen.steps and seen.iterating < 0):
        raise Unclear
    first = [one.start for one in seen.iterations[:1]]
    begins = [seen.gpu_span(gpu)[0] for gpu in seen.gpus]
    return (max([*first, *begins]) - seen.span[0]) / 1e9


def _slow(seen: Seen) -> Value:
    return sum(one.stop - one.start for one in seen.calls) / 1e9


_LIMITS: dict[str, Callable[[Seen], Value]] = {
    "X1": _on_any(_hidden_copies),
    "X6": _on_any(_hidden_copies),
    "X2": _on_any(_gone_copies),
    "X3": _on_any(_gone_copies),
    "X5": _on_any(_gone_copies),
    "D1": _on_any(_hidden_communication),
    "D5": _on_any(_communication),
    "S1": _waits,
    "S2": _slow,
    "S3": _slow,
    "G1": _on_any(_hidden_copies),
    "G3": _on_any(_idle),
    "G6": _on_any(_idle),
    "G7": _on_any(_idle),
    "L1": _on_any(_hidden_copies),
    "L3": _on_any(_idle),
    "L7": _on_any(_idle),
    "G5": _start_up,
    "M9": _on_any(_of_class(*MOVING)),
    "P5": _on_any(_of_class("product")),
}
"""What steps save at most, by rule [s]."""


def _bound(code: str, limit: Callable[[Seen], Value]) -> Figure:
    def said(documents: Documents) -> Value:
        found = documents.finding(code)
        worth = found["estimate"] if found["status"] == "fired" else None
        return None if worth is None or worth["saved"] is None else float(worth["saved"])

    return Figure(f"bound of {code}", "bound", limit, said, at_most)


def _largest(seen: Seen) -> Value:
    """The parts that a verdict may name: the largest of what is no computation, and none."""
    if seen.may_be_periodic or (seen.steps and seen.iterating < 0):
        raise Unclear
    found = set()
    for gpu in seen.gpus:
        wholes = [seen.span, seen.gpu_span(gpu)]
        if seen.steady:
            wholes.append((seen.steady[0].start, seen.steady[-1].stop))
        found |= {_largest_of(seen, gpu, whole) for whole in wholes}
    if len(found) > 1:
        raise Unclear
    return f"{found.pop()} | busy"


def _largest_of(seen: Seen, gpu: Gpu, whole: tuple[int, int]) -> str:
    own, other = _kernels(seen, gpu, communicate=True), _kernels(seen, gpu, communicate=False)
    copies = without(seen.busy(gpu, "copy"), seen.busy(gpu, "kernel"))
    parts = sorted(
        (length(both(times, [whole])), part)
        for part, times in {
            "communication": without(own, other),
            "copies": copies,
            "idle": seen.idle(gpu, whole),
        }.items()
    )
    if parts[-1][0] < _CLEARLY * parts[-2][0]:
        raise Unclear
    return parts[-1][1]


def _said_largest(documents: Documents) -> Value:
    return _PARTS.get(documents.findings["verdict"]["kind"], "busy")


BOUNDS: tuple[Figure, ...] = (
    *(_bound(code, limit) for code, limit in _LIMITS.items()),
    Figure("part that the verdict names", "choice", _largest, _said_largest, one_of),
)
