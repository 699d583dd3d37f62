"""trace.db: a line of points for each profile."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from itertools import chain
from pathlib import Path

import numpy as np

from perfolio.common.progress import Progress
from perfolio.readers.hpctoolkit import format_layouts as lay
from perfolio.writers.hpctoolkit.context_order import Topology
from perfolio.writers.hpctoolkit.format_output import (
    WORD,
    GrowingFile,
    OutputSection,
    Records,
    align_offset,
    as_bytes,
    compute_header_size,
    make_records,
    open_output,
    pack_record,
)
from perfolio.writers.hpctoolkit.model import TracePoints

KIND = b"trce"
IDLE = 0
TIME_LIMIT = 1 << 63
"""Times are below this: the year 2262."""


def write_traces(
    path: Path,
    topology: Topology,
    profiles: int,
    traces: Iterable[TracePoints],
    progress: Progress,
) -> None:
    """Write trace.db with a line per profile, unless there are no traces at all.

    Raises ValueError for points out of order, repeated idling and unknown contexts.
    """
    pieces = iter(traces)
    first = next(pieces, None)
    if first is None:
        return
    progress.start("trace.db", None)
    start = compute_header_size(KIND)
    array = align_offset(start + lay.CTX_TRACES.size)
    section = OutputSection(start, array - start + profiles * lay.TRACE.size)
    with open_output(path, KIND) as out:
        out.skip(section.offset + section.size)
        out.align(WORD)
        lines, span = _append_lines(out, topology, profiles, chain([first], pieces))
        fields = {
            "pTraces": array,
            "nTraces": profiles,
            "szTrace": lay.TRACE.size,
            "minTimestamp": span[0],
            "maxTimestamp": span[1],
        }
        out.fill(start, pack_record(lay.CTX_TRACES, fields))
        out.fill(array, lines.tobytes())
        out.align(WORD)
        out.finish([section])


def _append_lines(
    out: GrowingFile, topology: Topology, profiles: int, pieces: Iterator[TracePoints]
) -> tuple[Records, tuple[int, int]]:
    """Append all points; their lines by profile, and the earliest and latest time."""
    lines = make_records(lay.TRACE, profiles)
    lines["profIndex"] = np.arange(1, profiles + 1)
    least, most, current, before = TIME_LIMIT, 0, 0, (0, -1)
    for piece in pieces:
        if not 1 <= piece.profile <= profiles:
            raise ValueError(f"profile {piece.profile} is not one of 1 to {profiles}")
        line = lines[piece.profile - 1]
        if piece.profile != current:
            if line["pStart"]:
                raise ValueError(f"the trace of profile {piece.profile} is not in a row")
            current, before = piece.profile, (0, -1)
            line["pStart"] = line["pEnd"] = out.align(WORD)
        if not len(piece.time):
            continue
        _check_points(topology, piece, before)
        points = make_records(lay.ELEM, len(piece.time))
        points["timestamp"], points["ctxId"] = piece.time, piece.context
        out.append(as_bytes(points))
        line["pEnd"] = out.end
        before = int(piece.time[-1]), int(piece.context[-1])
        least, most = min(least, int(piece.time[0])), max(most, before[0])
    empty = lines["pStart"] == 0
    lines["pStart"][empty] = lines["pEnd"][empty] = out.align(WORD)
    return lines, (min(least, most), most)


def _check_points(topology: Topology, piece: TracePoints, before: tuple[int, int]) -> None:
    """Raise ValueError unless the points may follow the time and context `before`."""
    where = f"trace of profile {piece.profile}"
    time = piece.time.astype(np.uint64)
    context = np.concatenate([[before[1]], piece.context.astype(np.int64)])
    if len(piece.context) != len(time):
        raise ValueError(f"{where}: columns differ in length")
    if int(time[0]) < before[0] or (time[1:] < time[:-1]).any() or int(time[-1]) >= TIME_LIMIT:
        raise ValueError(f"{where}: times fall, or lie beyond the year 2262")
    if ((context[1:] == IDLE) & (context[:-1] == IDLE)).any():
        raise ValueError(f"{where}: not running occurs twice in a row")
    beyond = context[1:].max() >= topology.size or context[1:].min() < 0
    if beyond or (topology.order.position[context[1:]] < 0).any():
        raise ValueError(f"{where}: a context is not in the tree")
