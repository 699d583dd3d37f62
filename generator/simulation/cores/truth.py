"""How long each thread worked, waited and was late: from what it did, not from its samples."""

from __future__ import annotations

from dataclasses import dataclass

from generator.simulation.cores.scheduler import DUE, HELD, Life, Span

WORKS, WAITS, LATE = "works", "waits", "late"


@dataclass(frozen=True)
class Spent:
    """Times of a thread's life [ns]; their sum is its life from when it first has a core."""

    works: int
    waits: int
    late: int
    changes: int
    """How often it changed between the three."""


def spent(life: Life) -> Spent:
    """Where the time of a thread went."""
    times = {WORKS: 0, WAITS: 0, LATE: 0}
    changes, before = 0, ""
    for span in life.spans:
        state = _state(span)
        times[state] += span.stop - span.start
        changes += state != before
        before = state
    return Spent(times[WORKS], times[WAITS], times[LATE], changes)


def _state(span: Span) -> str:
    if span.waits:
        return WAITS
    return LATE if span.state in (DUE, HELD) else WORKS
