"""Figures of communication: which kernels it is, what runs beside it, which rank is late."""

from __future__ import annotations

from collections import Counter
from statistics import median

from tests.recordings.figure import Figure, Unclear, Value, alike_or_nothing, scalar
from tests.recordings.intervals import Intervals, both, length, union, without
from tests.recordings.product import Documents
from tests.recordings.seen import Seen
from tests.recordings.words import is_communication


def ranks(seen: Seen) -> list[int]:
    """Processes whose GPUs take part, in a run in which a rank has one GPU and nothing iterates."""
    if len({process for process, _ in seen.gpus}) < len(seen.gpus):
        raise Unclear
    if seen.steps or seen.may_be_periodic:
        raise Unclear
    if len(seen.gpus) < seen.recording.processes:
        raise Unclear
    return [process for process, _ in seen.gpus]


def collectives(seen: Seen, rank: int) -> Intervals:
    """When a rank's GPU communicates."""
    return _kernels(seen, rank, is_collective=True)


def computing(seen: Seen, rank: int) -> Intervals:
    """When a rank's GPU runs other kernels."""
    return _kernels(seen, rank, is_collective=False)


def _kernels(seen: Seen, rank: int, *, is_collective: bool) -> Intervals:
    return union(
        (one.start, one.stop)
        for one in seen.operations
        if one.process == rank
        and (one.process, one.device) in seen.on
        and one.kind == "kernel"
        and is_communication(one.name) == is_collective
    )


def _has_any(seen: Seen) -> bool:
    return any(length(collectives(seen, process)) for process, _ in seen.gpus)


def _exposed_times(seen: Seen) -> list[int]:
    every = ranks(seen)
    return [length(without(collectives(seen, one), computing(seen, one))) for one in every]


def _exposed_share(seen: Seen) -> Value:
    start, stop = seen.all_span
    if not _has_any(seen) or stop == start:
        return None
    found = _exposed_times(seen)
    return sum(found) / len(found) / (stop - start)


def _least(seen: Seen) -> int:
    """The rank with the least time in collectives, which the others wait for."""
    every = ranks(seen)
    times = sorted((length(collectives(seen, one)), one) for one in every)
    if len(times) > 1 and times[1][0] == times[0][0]:
        raise Unclear
    return times[0][1]


def _exposed_everywhere(seen: Seen) -> Value:
    start, stop = seen.all_span
    if not _has_any(seen) or stop == start:
        return None
    least = _least(seen)
    return length(without(collectives(seen, least), computing(seen, least))) / (stop - start)


def _overlap_share(seen: Seen) -> Value:
    if not _has_any(seen):
        return None
    least = _least(seen)
    own = collectives(seen, least)
    return length(both(own, computing(seen, least))) / length(own) if own else None


def _late_rank(seen: Seen) -> Value:
    if len(ranks(seen)) < 2 or not _has_any(seen):
        raise Unclear
    return _least(seen)


def _said_late_rank(documents: Documents) -> Value:
    rows = documents.rows("communication.late_rank")
    return float(rows[0]["rank"] or 0) if rows else None


def _late_by(seen: Seen) -> Value:
    if len(ranks(seen)) < 2 or not _has_any(seen):
        raise Unclear
    least, (start, stop) = _least(seen), seen.all_span
    others = [one for one in ranks(seen) if one != least]

    def work(rank: int) -> int:
        return length(computing(seen, rank))

    def rest(rank: int) -> int:
        return stop - start - length(union([*computing(seen, rank), *collectives(seen, rank)]))

    def waiting(rank: int) -> int:
        return length(collectives(seen, rank))

    beyond = [max(value(least) - median(map(value, others)), 0) for value in (work, rest)]
    return min(sum(beyond), median(map(waiting, others)) - waiting(least)) / 1e9


def _straggler(seen: Seen) -> Value:
    start, stop = seen.all_span
    if not _has_any(seen) or len(ranks(seen)) < 2:
        raise Unclear
    times = [length(collectives(seen, one)) for one in ranks(seen)]
    return (sum(times) / len(times) - min(times)) / (stop - start)


def _offset(seen: Seen) -> Value:
    offsets = seen.recording.host_offsets if seen.form != "nsys" else ()
    kinds = Counter(
        one.process
        for one in seen.operations
        if is_communication(one.name) and "allreduce" in one.name.lower().replace("_", "")
    )
    if len(kinds) < seen.recording.processes or len(set(kinds.values())) > 1:
        raise Unclear
    if len(ranks(seen)) < 2:
        raise Unclear
    return (max(offsets) - min(offsets)) / 1e9 if offsets else 0.0


def _ranks(seen: Seen) -> Value:
    """Reports of Nsight Systems name ranks of several processes alone, which are ranks without."""
    recording = seen.recording
    if seen.form == "nsys" and recording.processes == 1:
        return 0
    if seen.form == "nsys" and recording.anonymous and len(seen.gpus) < recording.processes:
        raise Unclear
    return seen.recording.processes if seen.recording.ranked else 0


RANKS: tuple[Figure, ...] = (
    scalar("communication.exposed_share", _exposed_share, "choice", alike_or_nothing),
    scalar(
        "communication.exposed_everywhere_share", _exposed_everywhere, "choice", alike_or_nothing
    ),
    scalar("communication.overlap_share", _overlap_share, "choice"),
    Figure("late rank", "choice", _late_rank, _said_late_rank),
    scalar("communication.late_by", _late_by, "choice", alike_or_nothing),
    scalar("communication.straggler_wait", _straggler, "choice", alike_or_nothing),
    scalar("communication.clock_offset", _offset, "choice"),
    scalar(
        "run.ranks",
        _ranks,
        "choice",
    ),
)
