"""Ranges of NVTX, which programs and libraries mark."""

from __future__ import annotations

from collections.abc import Callable
from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from perfolio.readers.events.recording import NONE, CodePlace, Ints, OperatorArguments, RangeKind
from perfolio.readers.nsys.checked_tables import ABSENT, CheckedRows, read_rows
from perfolio.readers.nsys.kind_names import drop_count, parse_mark
from perfolio.readers.nsys.report_context import THREAD_BITS, ReportReading

NVTX = "NVTX_EVENTS"
_DOMAIN = 75
"""Type of the event that names a domain."""
_RANGES = (59, 60, 70, 71)
"""Types of ranges: pushed and popped, or started and ended."""
Mask = npt.NDArray[np.bool_]


def read_marks(reading: ReportReading) -> None:
    """Add ranges of NVTX, of one thread each. Raises TableError."""
    domains = _read_domains(reading)
    recording, first = reading.recording, len(reading.recording.ranges)
    programs = _read_programs(reading)

    def code(key: tuple[str | None, int, int, int]) -> tuple[int, int, int]:
        text, identifier, process, domain = key
        said = text or reading.names.get(identifier)
        kind, found, shapes = parse_mark(
            said, domains.get((process, domain), ""), programs.get(process, "")
        )
        arguments = recording.arguments.of(OperatorArguments(shapes)) if shapes else NONE
        return kind, recording.codes.of(found), arguments

    known: dict[tuple[str | None, int, int, int], tuple[int, int, int]] = {}
    wanted = ("eventType", "text", "textId", "globalTid", "endGlobalTid", "domainId")
    for rows, start, duration in reading.timed(NVTX, wanted, _make_range_filter(reading)):
        thread = rows.numbers("globalTid")
        keys = zip(
            rows.texts("text"),
            rows.numbers("textId").tolist(),
            (thread >> THREAD_BITS).tolist(),
            rows.numbers("domainId").tolist(),
            strict=True,
        )
        found = np.array(
            [known.get(key) or known.setdefault(key, code(key)) for key in keys], np.int64
        )
        recording.ranges.extend(
            rows.count,
            line=reading.threads.of(thread.tolist()),
            start=start,
            duration=duration,
            kind=found[:, 0],
            code=found[:, 1],
            arguments=found[:, 2],
        )
    _demote_steps(reading, first)


def _make_range_filter(reading: ReportReading) -> Callable[[CheckedRows], Mask]:
    """Which rows are ranges that end in the thread in which they begin."""

    def chosen(rows: CheckedRows) -> Mask:
        begun, ended = rows.numbers("globalTid"), rows.numbers("endGlobalTid")
        is_range = np.isin(rows.numbers("eventType"), _RANGES) & (begun != ABSENT)
        crosses = is_range & (ended > 0) & (ended != begun)
        reading.tolerated["end in another thread than they begin in, and are left out"] += int(
            crosses.sum()
        )
        found: Mask = is_range & ~crosses
        return found

    return chosen


def _read_domains(reading: ReportReading) -> dict[tuple[int, int], str]:
    """Names of domains by process and number."""
    found: dict[tuple[int, int], str] = {}
    wanted = ("eventType", "domainId", "text", "textId", "globalTid")
    for every in read_rows(reading.tables, NVTX, wanted):
        rows = every.chosen(every.numbers("eventType") == _DOMAIN)
        columns = (
            (rows.numbers("globalTid") >> THREAD_BITS).tolist(),
            rows.numbers("domainId").tolist(),
            rows.texts("text"),
            rows.numbers("textId").tolist(),
        )
        for process, domain, text, identifier in zip(*columns, strict=True):
            found[process, domain] = text or reading.names.get(identifier) or ""
    return found


def _read_programs(reading: ReportReading) -> dict[int, str]:
    """Names of programs by process."""
    found: dict[int, str] = {}
    for rows in read_rows(reading.tables, "PROCESSES", ("globalPid", "name")):
        keys = (rows.numbers("globalPid") >> THREAD_BITS).tolist()
        found |= {key: name for key, name in zip(keys, rows.texts("name"), strict=True) if name}
    return found


def _demote_steps(reading: ReportReading, first: int) -> None:
    """Steps within steps, as solvers have them, are ranges like others."""
    recording = reading.recording
    line, kind, code = (recording.ranges[name][first:] for name in ("line", "kind", "code"))
    start = recording.ranges["start"][first:]
    stop = start + recording.ranges["duration"][first:]
    for number in np.unique(line[kind == RangeKind.STEP]).tolist():
        rows = np.flatnonzero((line == number) & (kind == RangeKind.STEP))
        rows = rows[np.lexsort((-stop[rows], start[rows]))]
        reached = np.maximum.accumulate(stop[rows])
        inner = rows[1:][reached[:-1] >= stop[rows][1:]]
        kind[inner] = RangeKind.ANNOTATION
        names = recording.codes.all()
        code[inner] = [
            recording.codes.of(CodePlace(drop_count(names[each].name), names[each].module))
            for each in code[inner].tolist()
        ]


class SortedSpans(NamedTuple):
    """Ranges by begin, and the latest end of those up to each."""

    begins: Ints
    reached: Ints


def sort_spans(start: Ints, stop: Ints) -> SortedSpans:
    """Ranges in any order."""
    order = np.argsort(start, kind="stable")
    return SortedSpans(start[order], np.maximum.accumulate(stop[order]))


def is_within(spans: SortedSpans, start: Ints, stop: Ints) -> Mask:
    """Whether each range lies within one of others."""
    if not len(spans.begins):
        return np.zeros(len(start), bool)
    before = np.searchsorted(spans.begins, start, "right") - 1
    found: Mask = (before >= 0) & (spans.reached[np.maximum(before, 0)] >= stop)
    return found
