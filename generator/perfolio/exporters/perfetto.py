"""What threads and GPUs did over time, as JSON that Perfetto and Chrome open.

Each event has its begin and duration in microseconds from the first one, to the nanosecond. Ranges
and calls are as the tool recorded them; of a tool that takes samples, a thread's row has the
calling path of each sample, from it to the next. Ranks are processes; GPUs have processes of their
own, whose threads are streams.
"""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from perfolio.common.errors import UsageError
from perfolio.exporters.call_tree import open_run_tables
from perfolio.store.run_tables import RunTables

BATCH = 10_000
_LINES = """
    SELECT line.profile, line.kind, coalesce(profile.rank, 0) AS rank,
        coalesce(named.name, profile.identifier_tuple) AS name, coalesce(named.gpu, 'GPU') AS gpu
    FROM trace_line AS line
    JOIN profile ON profile."index" = line.profile
    LEFT JOIN line_name AS named ON named.profile = line.profile
    ORDER BY line.profile
"""
_RANGES = """
    SELECT profile, start, duration, kind, name, shapes FROM host_range
    UNION ALL SELECT profile, start, duration, 'call', name, NULL FROM host_call
    ORDER BY profile, start, duration DESC
"""
_OPERATIONS = """
    SELECT operation.profile, operation.start, operation.duration, operation.operation,
        coalesce(words.words, operation.operation) AS name, operation.bytes, operation.blocks,
        operation.repaired
    FROM gpu_operation AS operation
    LEFT JOIN gpu_context AS words ON words.context = operation.context
    ORDER BY operation.profile, operation.start
"""
_SAMPLES = """
    SELECT trace.profile, trace."time", trace.duration, trace.context
    FROM trace JOIN profile ON profile."index" = trace.profile AND profile.kind <> 'GPU stream'
    ORDER BY trace.profile, trace."time"
"""
_NAMES = "SELECT context, parent, name FROM context_name"
_ORIGIN = "SELECT min(start) FROM trace_line"


def make_perfetto_text(store: Path, run: str | None) -> Iterator[str]:
    """The text of the document, in pieces. Raises UsageError where the run has no time line."""
    with open_run_tables(store, run) as tables:
        ((origin,),) = tables.rows(_ORIGIN)
        if origin is None:
            raise UsageError(
                "the run has no time line: its tool recorded totals alone",
                hint="for flame graphs: --to speedscope",
            )
        yield '{"displayTimeUnit": "ns", "traceEvents": [\n'
        separator = ""
        for event in _make_events(tables, int(origin)):
            yield separator + json.dumps(event, ensure_ascii=False)
            separator = ",\n"
        yield "\n]}\n"


def _make_events(tables: RunTables, origin: int) -> Iterator[dict[str, Any]]:
    places: dict[int, tuple[int, int]] = {}
    processes: dict[tuple[str, int], int] = {}
    for profile, kind, rank, name, gpu in tables.rows(_LINES):
        is_gpu = kind == "GPU stream"
        process = processes.setdefault((gpu if is_gpu else "host", rank), len(processes) + 1)
        places[profile] = (process, profile)
        yield _make_name_event("thread_name", process, profile, name)
        yield _make_name_event("process_name", process, 0, gpu if is_gpu else f"rank {rank}")
    ranges = list(_make_range_slices(tables, origin, places))
    yield from ranges or _make_sample_slices(tables, origin, places)
    rows = tables.rows(_OPERATIONS) if _has_streams(tables) else []
    for profile, start, duration, operation, name, size, blocks, repaired in rows:
        arguments = {"bytes": size, "blocks": blocks, "repaired": repaired or None}
        known = {key: value for key, value in arguments.items() if value is not None}
        yield _make_slice(places[profile], start - origin, duration, name, operation) | {
            "args": known
        }


def _has_streams(tables: RunTables) -> bool:
    return bool(tables.rows("SELECT 1 FROM profile WHERE kind = 'GPU stream' LIMIT 1"))


def _make_range_slices(
    tables: RunTables, origin: int, places: dict[int, tuple[int, int]]
) -> Iterator[dict[str, Any]]:
    for profile, start, duration, kind, name, shapes in tables.rows(_RANGES):
        if profile in places:
            event = _make_slice(places[profile], start - origin, duration, name, kind)
            yield event | ({"args": {"shapes": shapes}} if shapes else {})


def _make_sample_slices(
    tables: RunTables, origin: int, places: dict[int, tuple[int, int]]
) -> Iterator[dict[str, Any]]:
    """Calling paths of samples: what the next sample is still in goes on."""
    names = {context: (parent, name) for context, parent, name in tables.rows(_NAMES)}
    line = _OpenPath(names)
    last = None
    for profile, time, duration, context in tables.rows(_SAMPLES):
        if profile not in places:
            continue
        if profile != last:
            yield from line.leave(origin)
            line.place, last = places[profile], profile
        yield from line.enter(int(time), context, int(time) + int(duration or 0), origin)
    yield from line.leave(origin)


class _OpenPath:
    """The contexts that a thread is in, and since when."""

    def __init__(self, names: dict[int, tuple[int, str]]) -> None:
        self.names = names
        self.open: list[tuple[int, int]] = []
        """Context and begin, from the entry point inwards."""
        self.until = 0
        self.place = (0, 0)

    def enter(self, time: int, context: int, until: int, origin: int) -> Iterator[dict[str, Any]]:
        """From `time` on the thread is in `context`."""
        path = self._path(context)
        common = 0
        if time <= self.until:
            pairs = zip(self.open, path, strict=False)
            for (context_inside, _), new in pairs:
                if context_inside != new:
                    break
                common += 1
        yield from self._close(common, min(time, self.until), origin)
        self.open += [(each, time) for each in path[common:]]
        self.until = until

    def leave(self, origin: int) -> Iterator[dict[str, Any]]:
        """The line is at its end."""
        yield from self._close(0, self.until, origin)

    def _close(self, depth: int, time: int, origin: int) -> Iterator[dict[str, Any]]:
        while len(self.open) > depth:
            context, begin = self.open.pop()
            name = self.names[context][1]
            yield _make_slice(self.place, begin - origin, max(time - begin, 0), name, "sampled")

    def _path(self, context: int) -> list[int]:
        path = []
        while context in self.names:
            path.append(context)
            context = self.names[context][0]
        return path[::-1]


def _make_slice(
    place: tuple[int, int], start: int, duration: int, name: str, kind: str
) -> dict[str, Any]:
    process, thread = place
    return {
        "ph": "X",
        "pid": process,
        "tid": thread,
        "ts": start / 1e3,
        "dur": duration / 1e3,
        "name": name,
        "cat": kind,
    }


def _make_name_event(what: str, process: int, thread: int, name: str) -> dict[str, Any]:
    return {"ph": "M", "name": what, "pid": process, "tid": thread, "args": {"name": name}}
