"""The function that the host is in while the GPU is idle: the largest of one path."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from tests.recordings.figure import Figure, Unclear, Value, one_of
from tests.recordings.intervals import Intervals, both, length, union
from tests.recordings.model import Range
from tests.recordings.product import Documents
from tests.recordings.seen import Seen

_CLEARLY = 1.05
"""By so much the largest leads, or it may be the next one as well."""
_WAITED = 0.1
"""Idle time in which the thread waits for the GPU tells of no function; of more nothing is said."""
_LEAST = 0.1


def recurring(seen: Seen) -> Intervals:
    """Idle time of the only GPU in steady iterations, without any of these between operations."""
    if len(seen.gpus) > 1 or seen.may_be_periodic or (seen.steps and seen.iterating < 0):
        raise Unclear
    if not seen.steps:
        return seen.gaps(seen.gpus[0])
    if not seen.steady or any(one.duration <= 0 for one in seen.iterations):
        raise Unclear
    return seen.idle(seen.gpus[0], (seen.steady[0].start, seen.steady[-1].stop))


def _path(seen: Seen) -> list[tuple[str, float]]:
    """Functions from the outermost one on, always the largest, with their shares of idle time."""
    idle, process = recurring(seen), seen.gpus[0][0]
    threads = seen.launching[process]
    if len(threads) != 1 or not idle:
        raise Unclear
    if _waited(seen, idle) > _WAITED:
        raise Unclear
    every = [one for one in seen.ranges if one.process == process and one.thread in threads]
    inside = every
    found: list[tuple[str, float]] = []
    left = length(idle)
    while outer := _outermost(inside):
        shares = sorted((_time(outer, name, idle), name) for name in {o.name for o in outer})
        most, name = shares[-1]
        rest = [left - sum(time for time, _ in shares), *(time for time, _ in shares[:-1])]
        if most < _CLEARLY * max(rest):
            break
        if _time(every, name, idle) > _CLEARLY * most:
            raise Unclear  # elsewhere, too: one path has less of it than the function in all
        found.append((name, most / length(idle)))
        left = most
        inside = [one for one in inside if one not in outer and _lies_in(one, outer, name)]
    if not found or found[0][1] < _LEAST:
        raise Unclear
    return found


def _waited(seen: Seen, idle: Intervals) -> float:
    """The part of idle time in which a thread is in a call that may wait for the GPU."""
    waits = [
        (one.start, one.stop)
        for one in seen.calls
        if one.kind not in ("launch", "graph", "async copy", "allocate")
        and one.process == seen.gpus[0][0]
    ]
    return length(both(idle, union(waits))) / length(idle)


def _outermost(ranges: Sequence[Range]) -> list[Range]:
    """Ranges that lie in no other one; of equal ones the first."""
    return [
        one
        for at, one in enumerate(ranges)
        if not any(
            other.start <= one.start and one.stop <= other.stop
            for before, other in enumerate(ranges)
            if before != at and (before < at or (other.start, other.stop) != (one.start, one.stop))
        )
    ]


def _time(ranges: Sequence[Range], name: str, idle: Intervals) -> int:
    own = union((one.start, one.stop) for one in ranges if one.name == name)
    return length(both(idle, own))


def _lies_in(one: Range, outer: Sequence[Range], name: str) -> bool:
    return any(
        each.start <= one.start and one.stop <= each.stop for each in outer if each.name == name
    )


def _focus(seen: Seen) -> Value:
    return " | ".join(name for name, _ in _path(seen))


def _said_focus(documents: Documents) -> Value:
    rows = documents.rows("time.blame_focus")
    return str(rows[0]["function"]) if rows else None


def _shares(seen: Seen) -> Value:
    """Shares of the functions of the path; under no name that of waits, which may be in them."""
    return {**dict(_path(seen)), "": _waited(seen, recurring(seen))}


def _are_shares(right: Value, said: Value) -> bool:
    if not isinstance(right, Mapping) or not isinstance(said, Mapping):
        return False
    return all(
        name in right and abs(right[name] - share) <= right[""] + 1e-6
        for name, share in said.items()
    )


def _said_shares(documents: Documents) -> Value:
    rows = documents.rows("time.blame_focus")[:1]
    return {str(row["function"]): float(row["share"] or 0) for row in rows}


BLAMED: tuple[Figure, ...] = (
    Figure("function to blame", "choice", _focus, _said_focus, one_of),
    Figure("share of the function to blame", "choice", _shares, _said_shares, _are_shares),
)
