"""What threads and streams did over time: tables host_stay and trace_line."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np
import pyarrow as pa

from perfolio.readers.events.placed_recording import PlacedRecording
from perfolio.readers.events.range_nesting import ROOT, Numbers
from perfolio.readers.events.recording import NONE, Ints, find_spans_by_owner


def make_stay_table(placed: PlacedRecording) -> pa.Table:
    """How long each thread stayed in which innermost context. Moments of change are let go."""
    points = placed.nested.points
    parts = [_list_stays(placed, line, *points.pop(line)) for line in sorted(points)]
    return pa.Table.from_batches(parts, _STAY).combine_chunks()


_STAY = pa.schema(
    [("profile", pa.int32()), ("start", pa.int64()), ("duration", pa.int64()),
     ("context", pa.uint32())]
)  # fmt: skip


def _list_stays(
    placed: PlacedRecording, line: int, start: Ints, context: Numbers
) -> pa.RecordBatch:
    inside = np.flatnonzero(context[:-1] != ROOT)
    profile = np.full(len(inside), placed.lines.profiles[line], np.int32)
    return pa.RecordBatch.from_arrays(
        [
            pa.array(profile),
            pa.array(start[inside]),
            pa.array(np.diff(start)[inside]),
            pa.array(context[inside].astype(np.uint32)),
        ],
        schema=_STAY,
    )


def make_trace_line_table(placed: PlacedRecording) -> pa.Table:
    """Lines with their first and last moment; of threads, whether they launch operations."""
    rows = [*_list_host_lines(placed), *_list_streams(placed)]
    rows.sort(key=lambda row: int(str(row["profile"])))
    return pa.Table.from_pylist(rows, schema=_TRACE_LINE)


_TRACE_LINE = pa.schema(
    [
        ("profile", pa.int32()),
        ("kind", pa.string()),
        ("points", pa.int64()),
        ("start", pa.int64()),
        ("stop", pa.int64()),
        ("active", pa.int64()),
        ("longest", pa.int64()),
        ("clock", pa.string()),
        ("launching", pa.bool_()),
    ]
)
CLOCK = "events"
"""How it is known what threads do: not by samples."""


def _list_host_lines(placed: PlacedRecording) -> Iterator[dict[str, object]]:
    calls = placed.launched.call[placed.launched.call != NONE]
    launching = set(np.unique(placed.recording.ranges["line"][calls]).tolist())
    lives = _find_main_lives(placed)
    for line, (moments, places) in placed.nested.points.items():
        first, last = int(moments[0]), int(moments[-1])
        begin, end = lives.get(line, (first, last))
        yield {
            "profile": int(placed.lines.profiles[line]),
            "kind": "CPU thread",
            "points": len(moments),
            "start": min(begin, first),
            "stop": max(end, last),
            "active": int(np.count_nonzero(places)),
            "clock": CLOCK,
            "launching": line in launching,
        }


def _find_main_lives(placed: PlacedRecording) -> dict[int, tuple[int, int]]:
    """How long processes lived, by their first line: a main thread lives as long as its process."""
    lines, found = placed.recording.lines.all(), dict(placed.recording.lives)
    first = {
        lines[line].process: line
        for line in reversed(placed.lines.hosts)
        if line in placed.nested.points
    }
    return {line: found[process] for process, line in first.items() if process in found}


def _list_streams(placed: PlacedRecording) -> Iterator[dict[str, object]]:
    operations = placed.recording.operations
    lines, counts, starts, stops = find_spans_by_owner(operations["line"], operations)
    profiles = placed.lines.profiles[lines].tolist()
    for profile, count, start, stop in zip(
        profiles, counts.tolist(), starts.tolist(), stops.tolist(), strict=True
    ):
        yield {
            "profile": profile,
            "kind": "GPU stream",
            "points": count,
            "start": start,
            "stop": stop,
            "active": count,
            "launching": False,
        }
