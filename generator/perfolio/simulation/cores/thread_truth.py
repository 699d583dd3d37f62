"""How long each thread worked, waited and was late: from what it did, not from its samples."""

from __future__ import annotations

from dataclasses import dataclass

from perfolio.simulation.cores.scheduler import DUE, HELD, ThreadLife, ThreadSpan

WORKS, WAITS, LATE = "works", "waits", "late"


@dataclass(frozen=True)
class ThreadTimes:
    """Times of a thread's life [ns]; their sum is its life from when it first has a core."""

    works: int
    waits: int
    late: int
    changes: int
    """How often it changed between the three."""
    times_late: int
    """How often it was late without a break."""


def sum_thread_times(life: ThreadLife) -> ThreadTimes:
    """Where the time of a thread went."""
    times = {WORKS: 0, WAITS: 0, LATE: 0}
    begun: list[str] = []
    for span in life.spans:
        state = _decide_state(span)
        times[state] += span.stop - span.start
        if begun[-1:] != [state]:
            begun.append(state)
    return ThreadTimes(**times, changes=len(begun), times_late=begun.count(LATE))


def _decide_state(span: ThreadSpan) -> str:
    if span.waits:
        return WAITS
    return LATE if span.state in (DUE, HELD) else WORKS
