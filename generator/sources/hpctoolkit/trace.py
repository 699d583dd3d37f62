"""trace.db: trace lines as a stream of batches."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt
import pyarrow as pa

from generator.sources.hpctoolkit import layouts as lay
from generator.sources.hpctoolkit.header import DatabaseFile
from generator.sources.hpctoolkit.mapped import MappedFile, Records, check_disjoint
from generator.sources.model import BATCH_ROWS, Stream, merged

TRACE_SCHEMA = pa.schema(
    [
        ("profile", pa.int32()),
        ("time", pa.uint64()),
        ("context", pa.uint32()),
        ("duration", pa.uint64()),
        ("suspect", pa.bool_()),
    ]
)
TIME_LIMIT = np.uint64(2**63 - 1)
"""Latest time in ns since the epoch that the store can compute with."""
IDLE = 0
"""The context of a line that is not running."""
ARTEFACT_IDLE_NS = 1
"""An operation after an idle of exactly this length has a wrong duration: a defect of the tool."""


@dataclass(frozen=True)
class Traces:
    """The trace lines of a database: structures {CTH}."""

    file: MappedFile
    lines: Records
    unsorted: frozenset[int]
    """Positions of the lines whose points are not in order of time."""

    @property
    def warnings(self) -> tuple[str, ...]:
        """What had to be tolerated."""
        if not self.unsorted:
            return ()
        return (f"{len(self.unsorted)} trace lines were not in order of time and were sorted",)


def read_traces(trce: DatabaseFile) -> Traces:
    """The array of {CTH}, every line checked to lie in the file and overlap no other."""
    head = trce.head("CtxTraces", lay.CTX_TRACES)
    lines = trce.array("CtxTraces", lay.TRACE, head["pTraces"], head["nTraces"], head["szTrace"])
    start, end = lines["pStart"].astype(np.uint64), lines["pEnd"].astype(np.uint64)
    wrong = (start > end) | (end > np.uint64(trce.file.size))
    wrong |= (end - start) % np.uint64(lay.ELEM.size) != 0
    if wrong.any():
        raise trce.file.error(int(start[wrong][0]), "a trace line has no valid start and end")
    check_disjoint(trce.file, start.astype(np.int64), (end - start).astype(np.int64), "trace lines")
    if len(lines) and lines["profIndex"].max() > np.iinfo(np.int32).max:
        raise trce.file.error(head["pTraces"], "a trace line names an impossible profile")
    unsorted = frozenset(i for i, line in enumerate(lines) if not _is_sorted(trce.file, line))
    return Traces(trce.file, lines, unsorted)


def _is_sorted(file: MappedFile, line: np.void) -> bool:
    """Whether the points are in order of time; FormatError where a time is impossible."""
    last, ordered = 0, True
    for _, points in _chunks(file, line):
        times = points["timestamp"]
        if times.max() > TIME_LIMIT:
            raise file.error(int(line["pStart"]), "a trace point lies beyond the year 2262")
        ordered &= bool(times[0] >= last) and not (times[1:] < times[:-1]).any()
        last = times[-1]
    return ordered


def trace_stream(traces: Traces) -> Stream:
    """Rows (profile, time in ns since the epoch, context, duration in ns, suspect), by line.

    Each line is in order of time; points of the same time keep the order of the file.
    """
    lengths = (traces.lines["pEnd"] - traces.lines["pStart"]) // np.uint64(lay.ELEM.size)
    return Stream(int(lengths.sum()), TRACE_SCHEMA, lambda: merged(_batches(traces)))


def _chunks(file: MappedFile, line: np.void) -> Iterator[tuple[int, Records]]:
    """The points of a line by BATCH_ROWS, each with the one that follows, if any."""
    start = int(line["pStart"])
    count = (int(line["pEnd"]) - start) // lay.ELEM.size
    for first in range(0, count, BATCH_ROWS):
        offset = start + first * lay.ELEM.size
        size = min(BATCH_ROWS, count - first)
        follower = int(first + size < count)
        yield size, file.records(lay.ELEM, offset, size + follower)
        file.release(offset, size * lay.ELEM.size)


def _batches(traces: Traces) -> Iterator[pa.RecordBatch]:
    for i, line in enumerate(traces.lines):
        if i in traces.unsorted:
            yield _sorted_line(traces.file, line)
        else:
            yield from _line_batches(traces.file, line)


def _line_batches(file: MappedFile, line: np.void) -> Iterator[pa.RecordBatch]:
    after_artefact = False
    for size, points in _chunks(file, line):
        batch, after_artefact = _batch(
            int(line["profIndex"]),
            points["timestamp"],
            points["ctxId"],
            size,
            after_artefact=after_artefact,
        )
        yield batch


def _sorted_line(file: MappedFile, line: np.void) -> pa.RecordBatch:
    """A line that is out of order, whole: rare, so its points may take memory."""
    start = int(line["pStart"])
    count = (int(line["pEnd"]) - start) // lay.ELEM.size
    points = file.records(lay.ELEM, start, count)
    order = np.argsort(points["timestamp"], kind="stable")
    times, contexts = points["timestamp"][order], points["ctxId"][order]
    return _batch(int(line["profIndex"]), times, contexts, count, after_artefact=False)[0]


def _batch(
    profile: int,
    times: npt.NDArray[np.uint64],
    contexts: npt.NDArray[np.uint32],
    size: int,
    *,
    after_artefact: bool,
) -> tuple[pa.RecordBatch, bool]:
    """The first `size` points as rows, and whether the next one follows the artefact.

    `times` has one point more where the line goes on; else the last duration is null.
    """
    duration = np.zeros(size, np.uint64)
    known = len(times) - 1
    np.subtract(times[1:], times[:-1], out=duration[:known])
    artefact = (contexts[:size] == IDLE) & (duration == ARTEFACT_IDLE_NS)
    artefact[known:] = False
    suspect = np.concatenate([[after_artefact], artefact[:-1]]) & (contexts[:size] != IDLE)
    columns = [
        pa.array(np.full(size, profile, np.int32)),
        pa.array(np.ascontiguousarray(times[:size])),
        pa.array(np.ascontiguousarray(contexts[:size])),
        pa.array(duration, mask=np.arange(size) >= known),
        pa.array(suspect),
    ]
    return pa.record_batch(columns, schema=TRACE_SCHEMA), bool(artefact[-1])
