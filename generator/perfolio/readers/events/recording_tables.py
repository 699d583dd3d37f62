"""A recording to the tables of a source."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

import numpy as np
import numpy.typing as npt
import pyarrow as pa

from perfolio.readers.events.clock_report import make_clock_table
from perfolio.readers.events.code_tables import make_code_tables, make_context_table
from perfolio.readers.events.cost_tables import make_cost_tables
from perfolio.readers.events.doubts import make_doubt_table
from perfolio.readers.events.engine_steps import mark_engine_steps
from perfolio.readers.events.gpu_operations import (
    WORDS,
    MeasuredCost,
    compute_costs,
    place_operations,
)
from perfolio.readers.events.placed_recording import (
    ENTRIES,
    PlacedRecording,
    mask_unknown,
    repeat_words,
)
from perfolio.readers.events.plausibility.examination import mend_recording
from perfolio.readers.events.range_nesting import ROOT, CallingContextTree, place_ranges
from perfolio.readers.events.recording import (
    NONE,
    Ints,
    LineKey,
    OperationKind,
    OperatorArguments,
    RangeKind,
    Recording,
    WaitColumns,
    WaitKind,
)
from perfolio.readers.events.thread_lines import number_lines
from perfolio.readers.events.timeline import make_stay_table, make_trace_line_table
from perfolio.readers.measures import Measure
from perfolio.readers.model import release_memory

_MAIN, _THREAD, _UNKNOWN = ENTRIES
HOST_TIME = "elapsed_time"
"""What is charged to contexts of host threads: time that passes, also while they wait."""
_WAITS = {WaitKind.RECORD: "record", WaitKind.STREAM: "stream", WaitKind.HOST: "host"}
KINDS = {
    RangeKind.STEP: "step",
    RangeKind.PYTHON: "python",
    RangeKind.ANNOTATION: "annotation",
    RangeKind.OPERATOR: "operator",
    RangeKind.LIBRARY: "library",
    RangeKind.CALL: "call",
    RangeKind.SYSTEM: "system",
}


def make_recording_tables(recording: Recording, words: tuple[Measure, ...]) -> dict[str, pa.Table]:
    """All tables that follow from a recording; those of facts that it lacks are empty.

    It is examined, and its times are put on one clock, before anything follows from them.
    """
    release_memory()  # of the text that was read
    mark_engine_steps(recording)
    call = mend_recording(recording)
    placed = _place_recording(recording, call)
    release_memory()
    profiles = placed.lines.profiles
    lines = make_trace_line_table(placed)
    return {
        "profile": placed.lines.table(),
        **make_code_tables(recording),
        "context": make_context_table(placed.tree),
        **make_cost_tables(_collect_costs(placed), placed.tree, profiles, words),
        "host_stay": make_stay_table(placed),
        "trace_line": lines,
        "gpu_operation": _make_operation_table(placed),
        "host_call": _make_call_table(placed),
        "host_range": _make_range_table(placed),
        "host_function": _make_function_table(placed),
        "memory_event": _make_memory_table(placed),
        "collective": _make_collective_table(placed),
        "stream_wait": _make_wait_table(placed),
        "clock": make_clock_table(recording.clocks),
        "plausibility": make_doubt_table(recording.doubts),
    }


def _place_recording(recording: Recording, call: Ints) -> PlacedRecording:
    lines, tree = number_lines(recording), CallingContextTree()
    entries = {
        number: tree.below(ROOT, _MAIN if lines.is_main(number) else _THREAD)
        for number in lines.hosts
    }
    unknown = tree.below(ROOT, _UNKNOWN)
    nested = place_ranges(recording.ranges, tree, entries)
    launched = place_operations(recording, nested, tree, unknown, call)
    return PlacedRecording(recording, lines, tree, nested, launched)


def _collect_costs(placed: PlacedRecording) -> Iterator[MeasuredCost]:
    """Time of host threads, then what operations cost."""
    line, context, spent = placed.nested.own
    if len(spent):
        yield MeasuredCost(HOST_TIME, line, context, spent / 1e9)
    if len(placed.recording.operations):
        yield from compute_costs(placed.recording, placed.launched)


def _make_operation_table(placed: PlacedRecording) -> pa.Table:
    operations = placed.recording.operations
    order = np.lexsort((operations["start"], operations["line"]))
    duration, raw = (
        pa.array(operations["duration"][order]),
        _restore_durations(placed.recording, order),
    )
    words = [WORDS[kind] for kind in OperationKind]
    return pa.table(
        {
            "profile": pa.array(placed.lines.profiles[operations["line"][order]].astype(np.int32)),
            "start": pa.array(operations["start"][order]),
            "duration": duration,
            "raw_duration": pa.array(raw),
            "repaired": pa.array(raw != operations["duration"][order]),
            "operation": repeat_words(words, operations["kind"][order]),
            "context": pa.array(placed.launched.context[order].astype(np.uint32)),
            "call": mask_unknown(placed.launched.call[order]),
            "bytes": mask_unknown(operations["bytes"][order]),
            "blocks": mask_unknown(operations["blocks"][order]),
            "pinned": mask_unknown(operations["pinned"][order]).cast(pa.bool_()),
        }
    )


def _restore_durations(recording: Recording, order: npt.NDArray[np.intp]) -> Ints:
    """Durations as they were recorded."""
    operations = recording.operations
    raw = operations["duration"][order]
    if recording.recorded:
        places = zip(
            operations["line"][order].tolist(), operations["start"][order].tolist(), strict=True
        )
        for row, place in enumerate(places):
            raw[row] = recording.recorded.get(place, raw[row])
    return raw


def _make_call_table(placed: PlacedRecording) -> pa.Table:
    ranges = placed.recording.ranges
    rows = np.flatnonzero(ranges["kind"] == RangeKind.CALL)
    return pa.table({"id": pa.array(rows), **_make_range_columns(placed, rows)})


def _make_range_table(placed: PlacedRecording) -> pa.Table:
    """Steps, annotations and operators."""
    ranges = placed.recording.ranges
    chosen = (RangeKind.STEP, RangeKind.ANNOTATION, RangeKind.OPERATOR)
    rows = np.flatnonzero(np.isin(ranges["kind"], chosen))
    number = ranges["arguments"][rows]
    said = [*placed.recording.arguments.all(), OperatorArguments()]

    def each(texts: Iterable[str]) -> pa.Array:
        return repeat_words([text or None for text in texts], number)

    return pa.table(
        {
            "id": pa.array(rows),
            "kind": repeat_words(list(KINDS.values()), ranges["kind"][rows]),
            **_make_range_columns(placed, rows),
            "parent": mask_unknown(placed.nested.parent[rows]),
            "shapes": each(one.shapes for one in said),
            "types": each(one.types for one in said),
            "flags": each(one.flags for one in said),
            "settings": each(one.settings for one in said),
        }
    )


def _make_function_table(placed: PlacedRecording) -> pa.Table:
    """Functions of Python, calls of libraries and of the system: their contexts name them."""
    ranges = placed.recording.ranges
    chosen = (RangeKind.PYTHON, RangeKind.LIBRARY, RangeKind.SYSTEM)
    rows = np.flatnonzero(np.isin(ranges["kind"], chosen))
    context = placed.nested.context[rows]
    depths = np.frombuffer(placed.tree.depths, np.int64)
    return pa.table(
        {
            "id": pa.array(rows),
            "kind": repeat_words(list(KINDS.values()), ranges["kind"][rows]),
            "profile": pa.array(placed.lines.profiles[ranges["line"][rows]].astype(np.int32)),
            "start": pa.array(ranges["start"][rows]),
            "duration": pa.array(ranges["duration"][rows]),
            "context": pa.array(context.astype(np.uint32)),
            "depth": pa.array((depths[context] - 1).astype(np.int32)),
        }
    )


def _make_range_columns(placed: PlacedRecording, rows: npt.NDArray[np.intp]) -> dict[str, pa.Array]:
    ranges = placed.recording.ranges
    names = [code.name for code in placed.recording.codes.all()]
    return {
        "profile": pa.array(placed.lines.profiles[ranges["line"][rows]].astype(np.int32)),
        "name": repeat_words(names, ranges["code"][rows]),
        "start": pa.array(ranges["start"][rows]),
        "duration": pa.array(ranges["duration"][rows]),
        "context": pa.array(placed.nested.context[rows].astype(np.uint32)),
    }


def _make_memory_table(placed: PlacedRecording) -> pa.Table:
    memory = placed.recording.memory
    order = np.argsort(memory["time"], kind="stable")
    return pa.table(
        {
            "profile": pa.array(placed.lines.profiles[memory["line"][order]].astype(np.int32)),
            "time": pa.array(memory["time"][order]),
            "device": mask_unknown(memory["device"][order]),
            "bytes": pa.array(memory["bytes"][order]),
            "allocated": mask_unknown(memory["allocated"][order]),
            "reserved": mask_unknown(memory["reserved"][order]),
            "address": mask_unknown(memory["address"][order]),
        }
    )


def _make_collective_table(placed: PlacedRecording) -> pa.Table:
    operations, known = placed.recording.operations, placed.recording.collectives.all()
    rows = np.flatnonzero(operations["collective"] != NONE)
    said = [known[number] for number in operations["collective"][rows].tolist()]
    return pa.table(
        {
            "profile": pa.array(placed.lines.profiles[operations["line"][rows]].astype(np.int32)),
            "start": pa.array(operations["start"][rows]),
            "duration": pa.array(operations["duration"][rows]),
            "name": pa.array([each.name for each in said], pa.string()),
            "group": pa.array([each.group for each in said], pa.string()),
            "ranks": pa.array([each.ranks or None for each in said], pa.int64()),
            "bytes": pa.array(
                [None if each.bytes == NONE else each.bytes for each in said], pa.int64()
            ),
            "type": pa.array([each.type for each in said], pa.string()),
            "sequence": mask_unknown(operations["sequence"][rows]),
        }
    )


def _make_wait_table(placed: PlacedRecording) -> pa.Table:
    """All of them, in the order of their calls."""
    recording = placed.recording
    waits = recording.waits
    calls = _CallFinder(recording)
    call = calls.find(waits["process"], waits["correlation"])
    order = np.lexsort((waits["correlation"], call))
    words = [_WAITS[kind] for kind in WaitKind]
    stream, source = (_find_profiles(placed, waits, name)[order] for name in ("stream", "source"))
    record = calls.find(waits["process"], waits["record"])[order]
    return pa.table(
        {
            "call": mask_unknown(call[order]),
            "kind": repeat_words(words, waits["kind"][order]),
            "profile": mask_unknown(stream).cast(pa.int32()),
            "stream": mask_unknown(waits["stream"][order]),
            "event": mask_unknown(waits["event"][order]),
            "record": mask_unknown(record),
            "source": mask_unknown(source).cast(pa.int32()),
            "source_stream": mask_unknown(waits["source"][order]),
        }
    )


class _CallFinder:
    """Calls by process and correlation, of several the innermost."""

    def __init__(self, recording: Recording) -> None:
        self._calls: dict[tuple[int, int], int] = {}
        ranges = recording.ranges
        wanted = np.unique(
            np.concatenate([recording.waits["correlation"], recording.waits["record"]])
        )
        is_call = (ranges["kind"] == RangeKind.CALL) & (ranges["correlation"] != NONE)
        rows = np.flatnonzero(is_call & np.isin(ranges["correlation"], wanted))
        processes = np.array([line.process for line in recording.lines.all()], np.int64)
        keys = zip(
            processes[ranges["line"][rows]].tolist(),
            ranges["correlation"][rows].tolist(),
            strict=True,
        )
        self._calls.update(zip(keys, rows.tolist(), strict=True))

    def find(self, process: Ints, correlation: Ints) -> Ints:
        """The position of each call among ranges; NONE where it was not recorded."""
        keys = zip(process.tolist(), correlation.tolist(), strict=True)
        return np.array([self._calls.get(key, NONE) for key in keys], np.int64)


def _find_profiles(placed: PlacedRecording, waits: WaitColumns, name: str) -> Ints:
    """The profile of each stream that did something; NONE of others."""
    lines = placed.recording.lines.all()
    known = {line: number for number, line in enumerate(lines) if line.is_gpu}
    columns = (waits[each].tolist() for each in ("process", "device", name))
    numbers = [
        known.get(LineKey(process, True, stream, device), NONE)  # noqa: FBT003 - a stream
        for process, device, stream in zip(*columns, strict=True)
    ]
    found = np.array(numbers, np.int64)
    return np.where(found == NONE, NONE, np.append(placed.lines.profiles, NONE)[found])
