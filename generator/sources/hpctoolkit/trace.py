"""trace.db: trace lines as a stream of batches."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

import numpy as np
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
    ]
)


@dataclass(frozen=True)
class Traces:
    """The trace lines of a database: structures {CTH}."""

    file: MappedFile
    lines: Records


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
    return Traces(trce.file, lines)


def trace_stream(traces: Traces) -> Stream:
    """Rows (profile, time in ns since the epoch, context), line by line in their order."""
    lengths = (traces.lines["pEnd"] - traces.lines["pStart"]) // np.uint64(lay.ELEM.size)
    return Stream(int(lengths.sum()), TRACE_SCHEMA, lambda: merged(_batches(traces)))


def _batches(traces: Traces) -> Iterator[pa.RecordBatch]:
    for line in traces.lines:
        start = int(line["pStart"])
        count = (int(line["pEnd"]) - start) // lay.ELEM.size
        for first in range(0, count, BATCH_ROWS):
            offset = start + first * lay.ELEM.size
            points = traces.file.records(lay.ELEM, offset, min(BATCH_ROWS, count - first))
            yield _batch(int(line["profIndex"]), points)
            traces.file.release(offset, len(points) * lay.ELEM.size)


def _batch(profile: int, points: Records) -> pa.RecordBatch:
    return pa.record_batch(
        [
            pa.array(np.full(len(points), profile, np.int32)),
            pa.array(np.ascontiguousarray(points["timestamp"])),
            pa.array(np.ascontiguousarray(points["ctxId"])),
        ],
        schema=TRACE_SCHEMA,
    )
