"""trace.db: trace lines as a stream of batches."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import NamedTuple

import numpy as np
import numpy.typing as npt
import pyarrow as pa

from perfolio.readers.hpctoolkit import format_layouts as lay
from perfolio.readers.hpctoolkit.binary_file import DataFile, Records, check_disjoint
from perfolio.readers.hpctoolkit.file_header import DatabaseFile
from perfolio.readers.hpctoolkit.profile_db import DatabaseProfiles
from perfolio.readers.model import BATCH_ROWS, Columns, Stream, StreamPart, fill_batches

TRACE_SCHEMA = pa.schema(
    [
        ("profile", pa.int32()),
        ("time", pa.uint64()),
        ("context", pa.uint32()),
        ("duration", pa.uint64()),
        ("suspect", pa.bool_()),
    ]
)
COLUMNS = {
    "profile": np.int32,
    "time": np.uint64,
    "context": np.uint32,
    "duration": np.uint64,
    "suspect": np.bool_,
    "last": np.bool_,
}
"""TRACE_SCHEMA, and whether a point is the last one of its line, which has no duration."""
Points = tuple[npt.NDArray[np.uint64], npt.NDArray[np.uint32]]
Take = Callable[[int, int], Points]
"""Times and contexts of a line's points from one to before another."""
TIME_LIMIT = 2**63 - 1
"""Latest time in ns since the epoch that the store can compute with."""
IDLE = 0
"""The context of a line that is not running."""
ARTEFACT_IDLE_NS = 1
"""An operation after an idle of exactly this length has a wrong duration: a defect of the tool."""


class TraceLine(NamedTuple):
    """A line as plain numbers: fields of a structure take several times as long to look up."""

    profile: int
    start: int
    """Where its points begin in the file."""
    points: int


@dataclass(frozen=True)
class DatabaseTraces:
    """The trace lines of a database: structures {CTH}."""

    file: DataFile
    lines: Records
    unsorted: frozenset[int]
    """Positions of the lines whose points are not in order of time."""

    def __iter__(self) -> Iterator[TraceLine]:
        return iter(_list_lines(self.lines))

    @property
    def warnings(self) -> tuple[str, ...]:
        """What had to be tolerated."""
        if not self.unsorted:
            return ()
        return (f"{len(self.unsorted)} trace lines were not in order of time and were sorted",)


def read_traces(trce: DatabaseFile, profiles: DatabaseProfiles | None = None) -> DatabaseTraces:
    """The array of {CTH}, every line checked to lie in the file and overlap no other.

    Each has a profile of its own, which must be one of `profiles`.
    """
    head = trce.head("CtxTraces", lay.CTX_TRACES)
    lines = trce.array("CtxTraces", lay.TRACE, head["pTraces"], head["nTraces"], head["szTrace"])
    start, end = lines["pStart"].astype(np.uint64), lines["pEnd"].astype(np.uint64)
    wrong = (start > end) | (end > np.uint64(trce.file.size))
    wrong |= (end - start) % np.uint64(lay.ELEM.size) != 0
    if wrong.any():
        raise trce.file.error(int(start[wrong][0]), "a trace line has no valid start and end")
    check_disjoint(trce.file, start.astype(np.int64), (end - start).astype(np.int64), "trace lines")
    _check_profiles(trce.file, head["pTraces"], lines["profIndex"], profiles)
    limits = min(head["minTimestamp"], TIME_LIMIT), min(head["maxTimestamp"], TIME_LIMIT)
    unsorted = frozenset(
        i for i, line in enumerate(_list_lines(lines)) if not _is_sorted(trce.file, line, limits)
    )
    return DatabaseTraces(trce.file, lines, unsorted)


def _check_profiles(
    file: DataFile, place: int, named: npt.NDArray[np.uint32], profiles: DatabaseProfiles | None
) -> None:
    if profiles is not None:
        known = np.append(~profiles.summary, False)
        unknown = ~known[np.minimum(named, len(known) - 1)]
    else:
        unknown = named > np.iinfo(np.int32).max
    if unknown.any():
        raise file.error(
            place, f"a trace line names profile {named[unknown][0]}, which profile.db does not have"
        )
    if len(np.unique(named)) < len(named):
        raise file.error(place, "two trace lines name the same profile")


def _list_lines(lines: Records) -> list[TraceLine]:
    points = (lines["pEnd"].astype(np.int64) - lines["pStart"].astype(np.int64)) // lay.ELEM.size
    columns = lines["profIndex"], lines["pStart"], points
    return [TraceLine(*each) for each in zip(*(one.tolist() for one in columns), strict=True)]


def _is_sorted(file: DataFile, line: TraceLine, limits: tuple[int, int]) -> bool:
    """Whether the points are in order of time; FormatError where a time is impossible."""
    last, ordered = 0, True
    _, start, count = line
    for first in range(0, count, BATCH_ROWS):
        size = min(BATCH_ROWS, count - first)
        times = np.ascontiguousarray(
            file.records(lay.ELEM, start + first * lay.ELEM.size, size)["timestamp"]
        )
        if times.max() > TIME_LIMIT:
            raise file.error(start, "a trace point lies beyond the year 2262")
        if times.min() < limits[0] or times.max() > limits[1]:
            raise file.error(start, "a trace point lies outside the times that the file names")
        ordered &= bool(times[0] >= last) and not (times[1:] < times[:-1]).any()
        last = times[-1]
    return ordered


def watch_points(
    traces: DatabaseTraces, watch: Callable[[int, npt.NDArray[np.uint32]], None]
) -> None:
    """Show the contexts of each line's points, some at a time and idle times left out."""
    for profile, start, count in traces:
        for first in range(0, count, BATCH_ROWS):
            size = min(BATCH_ROWS, count - first)
            rows = traces.file.records(lay.ELEM, start + first * lay.ELEM.size, size)
            contexts = np.ascontiguousarray(rows["ctxId"])
            watch(profile, contexts[contexts != IDLE])


def make_trace_stream(traces: DatabaseTraces) -> Stream:
    """Rows (profile, time in ns since the epoch, context, duration in ns, suspect), by line.

    Each line is in order of time; points of the same time keep the order of the file.
    """

    def batches() -> Iterator[pa.RecordBatch]:
        parts = (
            _make_line_part(traces.file, line, is_sorted=number not in traces.unsorted)
            for number, line in enumerate(traces)
        )
        for columns in fill_batches(parts, COLUMNS):
            arrays = [pa.array(columns[name]) for name in ("profile", "time", "context")]
            arrays.append(pa.array(columns["duration"], mask=columns["last"]))
            arrays.append(pa.array(columns["suspect"]))
            yield pa.record_batch(arrays, schema=TRACE_SCHEMA)

    return Stream(sum(line.points for line in traces), TRACE_SCHEMA, batches)


def _make_line_part(file: DataFile, line: TraceLine, *, is_sorted: bool) -> StreamPart:
    profile, start, count = line
    take = _read_points(file, start) if is_sorted else _sort_points(file, start, count)

    def write(row: int, columns: Columns) -> None:
        size = len(columns["time"])
        before = min(row, 1)
        times, contexts = take(row - before, min(row + size + 1, count))
        columns["profile"].fill(profile)
        columns["time"][:] = times[before : before + size]
        columns["context"][:] = contexts[before : before + size]
        steps = times[1:] - times[:-1]
        known = len(steps) - before if row + size == count else size
        columns["duration"][:known] = steps[before : before + known]
        columns["duration"][known:] = 0
        columns["last"][:known] = False
        columns["last"][known:] = True
        columns["suspect"].fill(False)  # noqa: FBT003 - a value of the column
        columns["suspect"][_find_suspects(steps, contexts, before, size)] = True

    return StreamPart(count, write)


def _find_suspects(
    steps: npt.NDArray[np.uint64], contexts: npt.NDArray[np.uint32], before: int, size: int
) -> npt.NDArray[np.intp]:
    """Which of `size` points, counted from point `before`, follow an artefact."""
    at: npt.NDArray[np.intp] = np.flatnonzero(steps == ARTEFACT_IDLE_NS)
    if not len(at):
        return at
    at = at[(contexts[at] == IDLE) & (contexts[at + 1] != IDLE)] + 1 - before
    inside: npt.NDArray[np.intp] = at[(at >= 0) & (at < size)]
    return inside


def _read_points(file: DataFile, start: int) -> Take:
    """Reads points of a line that begins at `start`."""

    def take(first: int, last: int) -> Points:
        offset = start + first * lay.ELEM.size
        records = file.records(lay.ELEM, offset, last - first)
        times = np.ascontiguousarray(records["timestamp"])
        return times, np.ascontiguousarray(records["ctxId"])

    return take


def _sort_points(file: DataFile, start: int, count: int) -> Take:
    """Those of a line that is out of order, whole: rare, so its points may take memory."""
    records = file.records(lay.ELEM, start, count)
    order = np.argsort(records["timestamp"], kind="stable")
    times, contexts = records["timestamp"][order], records["ctxId"][order]
    return lambda first, last: (times[first:last], contexts[first:last])
