"""A recording to the tables of a source."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

import numpy as np
import numpy.typing as npt
import pyarrow as pa

from perfolio.readers.events.clock_report import clock_table
from perfolio.readers.events.code_tables import code_tables, context_table
from perfolio.readers.events.cost_tables import cost_tables
from perfolio.readers.events.doubts import table_of
from perfolio.readers.events.gpu_operations import WORDS, Cost, costs_of, place_operations
from perfolio.readers.events.placed_recording import ENTRIES, Placed, known
from perfolio.readers.events.plausibility.examination import examine
from perfolio.readers.events.range_nesting import ROOT, Tree, nest
from perfolio.readers.events.recording import (
    NONE,
    Arguments,
    Ints,
    OperationKind,
    RangeKind,
    Recording,
)
from perfolio.readers.events.thread_lines import number_lines
from perfolio.readers.events.timeline import stay_table, trace_lines
from perfolio.readers.measures import Measure

_MAIN, _THREAD, _UNKNOWN = ENTRIES
HOST_TIME = "elapsed_time"
"""What is charged to contexts of host threads: time that passes, also while they wait."""
KINDS = {
    RangeKind.STEP: "step",
    RangeKind.PYTHON: "python",
    RangeKind.ANNOTATION: "annotation",
    RangeKind.OPERATOR: "operator",
    RangeKind.LIBRARY: "library",
    RangeKind.CALL: "call",
    RangeKind.SYSTEM: "system",
}


def tables_of(recording: Recording, words: tuple[Measure, ...]) -> dict[str, pa.Table]:
    """All tables that follow from a recording; those of facts that it lacks are empty.

    It is examined, and its times are put on one clock, before anything follows from them.
    """
    call = examine(recording)
    placed = _placed(recording, call)
    profiles = placed.lines.profiles
    return {
        "profile": placed.lines.table(),
        **code_tables(recording),
        "context": context_table(placed.tree),
        **cost_tables(_costs(placed), placed.tree, profiles, words),
        "host_stay": stay_table(placed),
        "trace_line": trace_lines(placed),
        "gpu_operation": _operation_table(placed),
        "host_call": _call_table(placed),
        "host_range": _range_table(placed),
        "memory_event": _memory_table(placed),
        "collective": _collective_table(placed),
        "clock": clock_table(recording.clocks),
        "plausibility": table_of(recording.doubts),
    }


def _placed(recording: Recording, call: Ints) -> Placed:
    lines, tree = number_lines(recording), Tree()
    entries = {
        number: tree.below(ROOT, _MAIN if lines.is_main(number) else _THREAD)
        for number in lines.hosts
    }
    unknown = tree.below(ROOT, _UNKNOWN)
    nested = nest(recording.ranges, tree, entries)
    launched = place_operations(recording, nested, tree, unknown, call)
    return Placed(recording, lines, tree, nested, launched)


def _costs(placed: Placed) -> Iterator[Cost]:
    """Time of host threads, then what operations cost."""
    own = placed.nested.own
    if own:
        pairs = np.array(list(own), np.int64)
        amounts = np.array(list(own.values()), np.float64) / 1e9
        yield Cost(HOST_TIME, pairs[:, 0], pairs[:, 1], amounts)
    if len(placed.recording.operations):
        yield from costs_of(placed.recording, placed.launched)


def _operation_table(placed: Placed) -> pa.Table:
    operations = placed.recording.operations
    order = np.lexsort((operations["start"], operations["line"]))
    duration, raw = pa.array(operations["duration"][order]), _recorded(placed.recording, order)
    words = pa.array([WORDS[kind] for kind in OperationKind], pa.string())
    return pa.table(
        {
            "profile": pa.array(placed.lines.profiles[operations["line"][order]].astype(np.int32)),
            "start": pa.array(operations["start"][order]),
            "duration": duration,
            "raw_duration": pa.array(raw),
            "repaired": pa.array(raw != operations["duration"][order]),
            "operation": words.take(pa.array(operations["kind"][order])),
            "context": pa.array(placed.launched.context[order].astype(np.uint32)),
            "call": known(placed.launched.call[order]),
            "bytes": known(operations["bytes"][order]),
            "blocks": known(operations["blocks"][order]),
            "pinned": known(operations["pinned"][order]).cast(pa.bool_()),
        }
    )


def _recorded(recording: Recording, order: npt.NDArray[np.intp]) -> Ints:
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


def _call_table(placed: Placed) -> pa.Table:
    ranges = placed.recording.ranges
    rows = np.flatnonzero(ranges["kind"] == RangeKind.CALL)
    return pa.table({"id": pa.array(rows), **_range_columns(placed, rows)})


def _range_table(placed: Placed) -> pa.Table:
    """Steps, annotations and operators: functions of Python are in the contexts alone."""
    ranges = placed.recording.ranges
    chosen = (RangeKind.STEP, RangeKind.ANNOTATION, RangeKind.OPERATOR)
    rows = np.flatnonzero(np.isin(ranges["kind"], chosen))
    words = pa.array(list(KINDS.values()), pa.string())
    number = ranges["arguments"][rows]
    places = pa.array(np.maximum(number, 0), mask=number == NONE)
    said = placed.recording.arguments.all() or [Arguments()]

    def each(texts: Iterable[str]) -> pa.Array:
        return pa.array([text or None for text in texts], pa.string()).take(places)

    return pa.table(
        {
            "id": pa.array(rows),
            "kind": words.take(pa.array(ranges["kind"][rows])),
            **_range_columns(placed, rows),
            "parent": known(placed.nested.parent[rows]),
            "shapes": each(one.shapes for one in said),
            "types": each(one.types for one in said),
            "flags": each(one.flags for one in said),
            "settings": each(one.settings for one in said),
        }
    )


def _range_columns(placed: Placed, rows: npt.NDArray[np.intp]) -> dict[str, pa.Array]:
    ranges = placed.recording.ranges
    names = pa.array([code.name for code in placed.recording.codes.all()], pa.string())
    return {
        "profile": pa.array(placed.lines.profiles[ranges["line"][rows]].astype(np.int32)),
        "name": names.take(pa.array(ranges["code"][rows])),
        "start": pa.array(ranges["start"][rows]),
        "duration": pa.array(ranges["duration"][rows]),
        "context": pa.array(placed.nested.context[rows].astype(np.uint32)),
    }


def _memory_table(placed: Placed) -> pa.Table:
    memory = placed.recording.memory
    order = np.argsort(memory["time"], kind="stable")
    return pa.table(
        {
            "profile": pa.array(placed.lines.profiles[memory["line"][order]].astype(np.int32)),
            "time": pa.array(memory["time"][order]),
            "device": known(memory["device"][order]),
            "bytes": pa.array(memory["bytes"][order]),
            "allocated": known(memory["allocated"][order]),
            "reserved": known(memory["reserved"][order]),
        }
    )


def _collective_table(placed: Placed) -> pa.Table:
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
        }
    )
