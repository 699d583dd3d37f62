"""Figures that are choices: what counts as what, and what is named."""

from __future__ import annotations

from collections import Counter
from statistics import median, quantiles

from tests.recordings.figure import Figure, Unclear, Value, alike_or_nothing, scalar
from tests.recordings.intervals import Intervals, both, length, without
from tests.recordings.product import Documents
from tests.recordings.seen import Iteration, Seen
from tests.recordings.times import exposed_by_direction
from tests.recordings.words import class_of


def _classes(seen: Seen) -> Value:
    names = [one.name for one in seen.operations if one.kind == "kernel"]
    return Counter(map(class_of, names)) or None


def _said_classes(documents: Documents) -> Value:
    rows = documents.rows("gpu.kernel_classes")
    return {str(row["class"]): float(row["launches"] or 0) for row in rows} or None


def _directions(seen: Seen) -> Value:
    return Counter(one.direction for one in seen.operations if one.kind == "copy") or None


def _said_directions(documents: Documents) -> Value:
    rows = documents.rows("transfer.directions")
    return {str(row["direction"]): float(row["copies"] or 0) for row in rows} or None


def _bytes(direction: str) -> Figure:
    def right(seen: Seen) -> Value:
        return sum(one.size for one in seen.operations if one.direction == direction)

    return scalar(f"transfer.bytes_{direction.lower()}", right, "choice", alike_or_nothing)


def _exposed(seen: Seen) -> Value:
    found = {way: time for way, time in exposed_by_direction(seen).items() if time}
    return found or None


def _said_exposed(documents: Documents) -> Value:
    found: Counter[str] = Counter()
    for row in documents.rows("time.exposed_copies"):
        found[str(row["operation"]).removeprefix("copy ")] += float(row["exposed"] or 0)  # type: ignore[assignment]
    return dict(found) or None


def _iterations(seen: Seen) -> list[Iteration]:
    if seen.may_be_periodic or (seen.steps and seen.iterating < 0):
        raise Unclear
    found = seen.iterations
    if any(one.duration <= 0 for one in found):
        raise Unclear
    return found


def _steady(seen: Seen) -> list[Iteration]:
    """Steady iterations, of one GPU: several begin the first one each at its own time."""
    found = _iterations(seen)
    if len(seen.gpus) > 1:
        raise Unclear
    return found[seen.warm_up :]


def _count(seen: Seen) -> Value:
    return len(_iterations(seen)) or None


def _median(seen: Seen) -> Value:
    found = [one.duration for one in _steady(seen)]
    return median(found) / 1e9 if found else None


def _quartile(number: int) -> Figure:
    def right(seen: Seen) -> Value:
        found = [one.duration for one in _steady(seen)]
        if len(found) < 2:
            return found[0] / 1e9 if found else None
        return quantiles(found, n=4, method="inclusive")[number - 1] / 1e9

    return scalar(f"time.iteration_q{number}", right, "choice")


def _first(seen: Seen) -> Value:
    found = _iterations(seen)
    if len(seen.gpus) > 1:
        raise Unclear
    return (found[0].start - seen.span[0]) / 1e9 if found else None


def _said_first(documents: Documents) -> Value:
    rows = documents.rows("time.iteration_times")
    return float(rows[0]["start"] or 0) if rows else None


def _lengths(seen: Seen) -> Value:
    found = _iterations(seen)
    if len(seen.gpus) > 1:
        raise Unclear
    return {str(at): one.duration / 1e9 for at, one in enumerate(found, 1)} or None


def _said_lengths(documents: Documents) -> Value:
    rows = documents.rows("time.iteration_times")
    return {str(at): float(row["duration"] or 0) for at, row in enumerate(rows, 1)} or None


def _around(seen: Seen) -> Value:
    """Idle time of the only GPU before its iterations, and after them."""
    found = _steady(seen)
    if not found:
        raise Unclear
    first, last = seen.iterations[0].start, seen.iterations[-1].stop
    gpu, (begin, end) = seen.gpus[0], seen.span
    worked = min([first, max([begin, *(one.stop for one in seen.earlier)])])
    times = {
        "earlier work": length(seen.idle(gpu, (begin, worked))),
        "start-up": length(seen.idle(gpu, (worked, first))),
        "end": length(seen.idle(gpu, (last, end))),
    }
    return {period: time / 1e9 for period, time in times.items() if time} or None


def _said_around(documents: Documents) -> Value:
    rows = documents.rows("time.idle_parts")
    times = {str(row["period"]): float(row["idle"] or 0) for row in rows}
    parts = ("earlier work", "start-up", "end")
    return {part: times[part] for part in parts if times.get(part, 0) > 2e-10} or None


def _within(times: Intervals, iterations: list[Iteration]) -> int:
    return sum(length(both(times, [(one.start, one.stop)])) for one in iterations)


def _of_steady(seen: Seen, times: Intervals) -> Value:
    found = _steady(seen)
    whole = sum(one.duration for one in found)
    return _within(times, found) / whole if whole else None


def _utilisation(seen: Seen) -> Value:
    return _of_steady(seen, seen.busy(seen.gpus[0]))


def _exposed_in_steps(seen: Seen) -> Value:
    gpu = seen.gpus[0]
    return _of_steady(seen, without(seen.busy(gpu, "copy"), seen.busy(gpu, "kernel")))


def _kernels_in_steps(seen: Seen) -> Value:
    gpu = seen.gpus[0]
    return _of_steady(seen, without(seen.busy(gpu, "kernel"), seen.busy(gpu, "copy")))


def _idle_in_steps(seen: Seen) -> Value:
    found = _steady(seen)
    if not found:
        raise Unclear
    return _of_steady(seen, seen.idle(seen.gpus[0], (found[0].start, found[-1].stop)))


def _warm_up(seen: Seen) -> Value:
    return seen.warm_up if _steady(seen) or seen.warm_up else None


CHOICES: tuple[Figure, ...] = (
    Figure("classes of kernels", "choice", _classes, _said_classes),
    Figure("copies by direction", "choice", _directions, _said_directions),
    Figure("exposed copies by direction", "choice", _exposed, _said_exposed),
    *(_bytes(direction) for direction in ("H2D", "D2H", "D2D")),
    scalar("run.gpus", lambda seen: len(seen.gpus), "choice"),
    scalar("run.processes", lambda seen: seen.recording.processes, "choice"),
    scalar("time.iterations", _count, "choice"),
    scalar("time.warm_up_iterations", _warm_up, "choice", alike_or_nothing),
    scalar("time.iteration_median", _median, "choice"),
    _quartile(1),
    _quartile(3),
    Figure("begin of the first iteration", "choice", _first, _said_first),
    Figure("idle time around iterations", "choice", _around, _said_around),
    Figure("lengths of iterations", "choice", _lengths, _said_lengths),
    scalar("time.steady_utilisation", _utilisation, "choice", alike_or_nothing),
    scalar("time.iteration_exposed_copy_share", _exposed_in_steps, "sum", alike_or_nothing),
    scalar("time.iteration_kernel_alone_share", _kernels_in_steps, "sum", alike_or_nothing),
    Figure(
        "idle share of steady iterations", "choice", _idle_in_steps,
        lambda documents: documents.value("time.steady_idle_share"), alike_or_nothing,
    ),
)  # fmt: skip
