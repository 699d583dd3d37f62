"""Calls and ranges of threads: of CUDA, MPI, OpenMP, OpenACC and the operating system.

They also say from when to when processes lived, by all that tells that a thread was there.
"""

from __future__ import annotations

import numpy as np
import numpy.typing as npt

from perfolio.readers.events.recording import NONE, CodePlace, Ints, RangeKind
from perfolio.readers.nsys.checked_tables import ABSENT, CheckedRows, read_rows
from perfolio.readers.nsys.kind_names import MPI, OPENMP, SYSTEM, UNNAMED, make_call_code
from perfolio.readers.nsys.nvtx_ranges import SortedSpans, is_within, read_marks, sort_spans
from perfolio.readers.nsys.report_context import THREAD_BITS, NumberedKeys, ReportReading

CALLS = "CUPTI_ACTIVITY_KIND_RUNTIME"
OS = "OSRT_API"
NAMED_CALLS = {
    "MPI_P2P_EVENTS": MPI,
    "MPI_START_WAIT_EVENTS": MPI,
    "MPI_COLLECTIVES_EVENTS": MPI,
    "MPI_OTHER_EVENTS": MPI,
}
"""Tables of calls, and the library of each."""
NAMED_RANGES = {
    **{
        f"OPENMP_EVENT_KIND_{name}": OPENMP
        for name in (
            "PARALLEL", "SYNC_REGION", "SYNC_REGION_WAIT", "TASK", "MASTER", "REDUCTION",
            "MUTEX_WAIT", "CRITICAL_SECTION", "WORKSHARE",
        )
    },
    "OPENACC_DATA_EVENTS": "libaccdevice.so",
    "OPENACC_LAUNCH_EVENTS": "libaccdevice.so",
    "OPENACC_OTHER_EVENTS": "libaccdevice.so",
    "CUBLAS_EVENTS": "libcublas.so",
    "CUDNN_EVENTS": "libcudnn.so",
}  # fmt: skip
"""Tables of ranges that libraries mark, and the library of each."""
_OS_CALL = 27
"""Class of calls of the operating system; others tell that tracing began."""
Mask = npt.NDArray[np.bool_]
TABLES = ("SCHED_EVENTS", "COMPOSITE_EVENTS", "OSRT_API")
"""Threads that get or lose a core, that are sampled, or that call the operating system."""


def read_ranges(reading: ReportReading) -> None:
    """Add all calls and ranges of a report. Raises TableError."""
    _add_calls(reading)
    for table, library in NAMED_CALLS.items():
        _add_named(reading, table, RangeKind.LIBRARY, library)
    for table, library in NAMED_RANGES.items():
        _add_named(reading, table, RangeKind.ANNOTATION, library)
    read_marks(reading)
    _add_system_calls(reading)


def _add_calls(reading: ReportReading) -> None:
    """Calls of the runtime and driver; one that is recorded under two names counts once."""
    ask = reading.recording.codes.of
    codes = NumberedKeys[int](lambda name: ask(make_call_code(reading.names.get(name))))
    parts: list[Ints] = []
    for rows, start, duration in reading.timed(CALLS, ("globalTid", "correlationId", "nameId")):
        line = reading.threads.of(rows.numbers("globalTid").tolist())
        code = codes.of(rows.numbers("nameId").tolist())
        parts.append(np.stack([line, start, duration, code, rows.sizes("correlationId")]))
    if not parts:
        return
    every = np.concatenate(parts, axis=1)
    line, start, duration, code, correlation = every[:, ~_find_repeated(every)]
    reading.recording.ranges.extend(
        len(line),
        line=line,
        start=start,
        duration=duration,
        kind=RangeKind.CALL,
        code=code,
        correlation=correlation,
    )


def _find_repeated(calls: Ints) -> Mask:
    """Calls that hold another of the same thread, name and correlation.

    Versions before 2023 wrote calls with a backtrace a second time.
    """
    line, start, duration, code, correlation = calls
    order = np.lexsort((-duration, start, code, correlation, line))
    one, other, stop = order[:-1], order[1:], start + duration
    same = (correlation[one] != NONE) & (stop[other] <= stop[one])
    for column in (line, code, correlation):
        same &= column[one] == column[other]
    found = np.zeros(len(line), bool)
    found[one[same]] = True
    return found


def _add_named(reading: ReportReading, table: str, kind: RangeKind, library: str) -> None:
    """Ranges with an identifier of their name."""
    names, ask = reading.names, reading.recording.codes.of
    codes = NumberedKeys[int](lambda name: ask(CodePlace(names.get(name) or UNNAMED, library)))
    seen: set[tuple[int, ...]] = set()
    for rows, begun, lasted in reading.timed(table, ("globalTid", "nameId", "textId")):
        name = np.maximum(rows.numbers("nameId"), rows.numbers("textId"))
        every = np.stack(
            [reading.threads.of(rows.numbers("globalTid").tolist()), begun, lasted, name]
        )
        if table == "MPI_START_WAIT_EVENTS":
            # One call that waits for many requests has a row for each.
            every = every[:, _find_new(every, seen)]
        line, start, duration, name = every
        reading.recording.ranges.extend(
            len(line),
            line=line,
            start=start,
            duration=duration,
            kind=kind,
            code=codes.of(name.tolist()),
        )


def _find_new(rows: Ints, seen: set[tuple[int, ...]]) -> Mask:
    found = np.zeros(rows.shape[1], bool)
    for place, row in enumerate(map(tuple, rows.T.tolist())):
        if row not in seen:
            seen.add(row)
            found[place] = True
    return found


def _add_system_calls(reading: ReportReading) -> None:
    """Calls of the operating system outside other calls, of threads that do something else too.

    What CUDA's own threads, and those of the profiler, wait for says nothing of the program.
    """
    ask = reading.recording.codes.of
    codes = NumberedKeys[int](
        lambda name: ask(CodePlace(reading.names.get(name) or UNNAMED, SYSTEM))
    )
    spans = _collect_spans(reading)
    active = set(spans)

    def chosen(rows: CheckedRows) -> Mask:
        thread = rows.numbers("globalTid")
        own = thread & ((1 << THREAD_BITS) - 1)
        process = (thread >> THREAD_BITS) & ((1 << THREAD_BITS) - 1)
        mains = (own == process) & (own > 0)
        others = np.array([reading.threads.get(each) in active for each in thread.tolist()], bool)
        kind = rows.numbers("eventClass")
        found: Mask = (mains | others) & np.isin(kind, (_OS_CALL, ABSENT))
        return found

    for rows, start, duration in reading.timed(OS, ("globalTid", "nameId", "eventClass"), chosen):
        line = reading.threads.of(rows.numbers("globalTid").tolist())
        outside = np.ones(len(line), bool)
        for number in np.unique(line).tolist():
            if number in spans:
                own = line == number
                outside[own] = ~is_within(spans[number], start[own], (start + duration)[own])
        reading.recording.ranges.extend(
            int(outside.sum()),
            line=line[outside],
            start=start[outside],
            duration=duration[outside],
            kind=RangeKind.SYSTEM,
            code=codes.of(rows.numbers("nameId").tolist())[outside],
        )


def _collect_spans(reading: ReportReading) -> dict[int, SortedSpans]:
    """The calls of each thread that has ranges."""
    ranges = reading.recording.ranges
    line, start = ranges["line"].copy(), ranges["start"].copy()
    stop = start + ranges["duration"]
    is_call = np.isin(ranges["kind"], (RangeKind.CALL, RangeKind.LIBRARY))
    return {
        number: sort_spans(start[rows], stop[rows])
        for number in np.unique(line).tolist()
        for rows in [(line == number) & is_call]
    }


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
