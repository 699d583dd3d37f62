"""From when to when processes lived: by all that tells that one of their threads was there."""

from __future__ import annotations

import numpy as np

from perfolio.readers.nsys.checked_tables import ABSENT, read_rows
from perfolio.readers.nsys.report_context import THREAD_BITS, ReportReading

TABLES = ("SCHED_EVENTS", "COMPOSITE_EVENTS", "OSRT_API")
"""Threads that get or lose a core, that are sampled, or that call the operating system."""


def read_lives(reading: ReportReading) -> None:
    """Add the lives of processes that have other events: those of others are no part of the run.

    Raises TableError.
    """
    lives = reading.recording.lives
    for table in TABLES:
        for rows in read_rows(reading.tables, table, ("start", "end", "globalTid")):
            start, owner = rows.times("start"), rows.numbers("globalTid") >> THREAD_BITS
            stop = np.maximum(rows.times("end"), start)
            for key in np.unique(owner[start != ABSENT]).tolist():
                number = reading.processes.get(key)
                if number is None:
                    continue
                own = (owner == key) & (start != ABSENT)
                begin, end = int(start[own].min()), int(stop[own].max())
                known = lives.get(number, (begin + reading.base, end + reading.base))
                lives[number] = (
                    min(known[0], begin + reading.base),
                    max(known[1], end + reading.base),
                )
