"""A recording to the tables of a source."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt
import pyarrow as pa

from generator.sources.events.costs import cost_tables
from generator.sources.events.lines import Lines, number_lines
from generator.sources.events.nesting import ROOT, Nested, Tree, nest
from generator.sources.events.operations import (
    WORDS,
    Cost,
    Launched,
    costs_of,
    place_operations,
)
from generator.sources.events.recording import (
    NONE,
    Ints,
    OperationKind,
    RangeKind,
    Recording,
)
from generator.sources.measures import Measure

ENTRIES = {-2: "main thread", -3: "application thread", -4: "unknown entry"}
"""Entry points, by what stands for their code."""
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


@dataclass(frozen=True)
class Placed:
    """A recording in the tree of its calling contexts."""

    recording: Recording
    lines: Lines
    tree: Tree
    nested: Nested
    launched: Launched


def tables_of(recording: Recording, words: tuple[Measure, ...]) -> dict[str, pa.Table]:
    """All tables that follow from a recording; those of facts that it lacks are empty."""
    placed = _placed(recording)
    profiles = placed.lines.profiles
    return {
        "profile": placed.lines.table(),
        **_code_tables(recording),
        "context": _context_table(placed.tree),
        **cost_tables(_costs(placed), placed.tree, profiles, words),
        "host_stay": _stay_table(placed),
        "trace_line": _trace_lines(placed),
        "gpu_operation": _operation_table(placed),
        "host_call": _call_table(placed),
        "host_range": _range_table(placed),
        "memory_event": _memory_table(placed),
        "collective": _collective_table(placed),
    }


def _placed(recording: Recording) -> Placed:
    lines, tree = number_lines(recording), Tree()
    entries = {
        number: tree.below(ROOT, _MAIN if lines.is_main(number) else _THREAD)
        for number in lines.hosts
    }
    unknown = tree.below(ROOT, _UNKNOWN)
    nested = nest(recording.ranges, tree, entries)
    launched = place_operations(recording, nested, tree, unknown)
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


def _code_tables(recording: Recording) -> dict[str, pa.Table]:
    codes = recording.codes.all()
    modules = list(dict.fromkeys(code.module for code in codes if code.module))
    files = list(dict.fromkeys(code.file for code in codes if code.file))
    module = {path: number for number, path in enumerate(modules)}
    file = {path: number for number, path in enumerate(files)}
    numbers = pa.int32()
    return {
        "module": pa.table(
            {"id": pa.array(range(len(modules)), numbers), "path": pa.array(modules, pa.string())}
        ),
        "file": pa.table(
            {
                "id": pa.array(range(len(files)), numbers),
                "path": pa.array(files, pa.string()),
                "copied": pa.array([False] * len(files), pa.bool_()),
            }
        ),
        "function": pa.table(
            {
                "id": pa.array(range(len(codes)), numbers),
                "name": pa.array([code.name for code in codes], pa.string()),
                "module": pa.array([module.get(code.module) for code in codes], numbers),
                "offset": pa.nulls(len(codes), pa.uint64()),
                "file": pa.array([file.get(code.file) for code in codes], numbers),
                "line": pa.array([code.line or None for code in codes], pa.uint32()),
            }
        ),
    }


def _context_table(tree: Tree) -> pa.Table:
    codes = np.frombuffer(tree.codes, np.int64)[1:]
    entry_codes = np.frombuffer(tree.codes, np.int64)[np.frombuffer(tree.entries, np.int64)[1:]]
    is_entry = codes < 0
    count = len(codes)
    entry = pa.array(list(ENTRIES.values()), pa.string()).take(pa.array(-2 - entry_codes))
    return pa.table(
        {
            "id": pa.array(np.arange(1, count + 1, dtype=np.uint32)),
            "parent": pa.array(np.frombuffer(tree.parents, np.int64)[1:].astype(np.uint32)),
            "depth": pa.array(np.frombuffer(tree.depths, np.int64)[1:].astype(np.int32)),
            "entry_point": entry,
            "relation": _either(is_entry, "entry", "call"),
            "lexical_type": _either(is_entry, "entry", "function"),
            "function": pa.array(codes.astype(np.int32), mask=is_entry),
            "file": pa.nulls(count, pa.int32()),
            "line": pa.nulls(count, pa.uint32()),
            "module": pa.nulls(count, pa.int32()),
            "offset": pa.nulls(count, pa.uint64()),
        }
    )


def _either(chosen: npt.NDArray[np.bool_], yes: str, no: str) -> pa.Array:
    return pa.array([no, yes], pa.string()).take(pa.array(chosen.astype(np.int8)))


def _stay_table(placed: Placed) -> pa.Table:
    """How long each thread stayed in which innermost context."""
    columns: dict[str, list[Ints]] = {
        name: [] for name in ("profile", "start", "duration", "context")
    }
    for line, (moments, places) in sorted(placed.nested.points.items()):
        start, context = np.frombuffer(moments, np.int64), np.frombuffer(places, np.int64)
        inside = np.flatnonzero(context[:-1] != ROOT)
        columns["profile"].append(np.full(len(inside), placed.lines.profiles[line]))
        columns["start"].append(start[inside])
        columns["duration"].append(np.diff(start)[inside])
        columns["context"].append(context[inside])
    types = {"profile": np.int32, "context": np.uint32}
    return pa.table(
        {
            name: pa.array(
                np.concatenate(parts or [np.zeros(0, np.int64)]).astype(types.get(name, np.int64))
            )
            for name, parts in columns.items()
        }
    )


def _trace_lines(placed: Placed) -> pa.Table:
    """Lines with their first and last moment; of threads, whether they launch operations."""
    rows = [*_host_lines(placed), *_streams(placed)]
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


def _host_lines(placed: Placed) -> Iterator[dict[str, object]]:
    calls = placed.launched.call[placed.launched.call != NONE]
    launching = set(np.unique(placed.recording.ranges["line"][calls]).tolist())
    for line, (moments, places) in placed.nested.points.items():
        yield {
            "profile": int(placed.lines.profiles[line]),
            "kind": "CPU thread",
            "points": len(moments),
            "start": moments[0],
            "stop": moments[-1],
            "active": int(np.count_nonzero(np.frombuffer(places, np.int64))),
            "clock": CLOCK,
            "launching": line in launching,
        }


def _streams(placed: Placed) -> Iterator[dict[str, object]]:
    operations = placed.recording.operations
    start, stop = operations["start"], operations["start"] + operations["duration"]
    for line in np.unique(operations["line"]).tolist():
        own = operations["line"] == line
        yield {
            "profile": int(placed.lines.profiles[line]),
            "kind": "GPU stream",
            "points": int(own.sum()),
            "start": int(start[own].min()),
            "stop": int(stop[own].max()),
            "active": int(own.sum()),
            "launching": False,
        }


def _operation_table(placed: Placed) -> pa.Table:
    operations = placed.recording.operations
    order = np.lexsort((operations["start"], operations["line"]))
    duration = pa.array(operations["duration"][order])
    words = pa.array([WORDS[kind] for kind in OperationKind], pa.string())
    return pa.table(
        {
            "profile": pa.array(placed.lines.profiles[operations["line"][order]].astype(np.int32)),
            "start": pa.array(operations["start"][order]),
            "duration": duration,
            "raw_duration": duration,
            "repaired": pa.array(np.zeros(len(order), bool)),
            "operation": words.take(pa.array(operations["kind"][order])),
            "context": pa.array(placed.launched.context[order].astype(np.uint32)),
            "call": _known(placed.launched.call[order]),
            "bytes": _known(operations["bytes"][order]),
            "blocks": _known(operations["blocks"][order]),
            "pinned": _known(operations["pinned"][order]).cast(pa.bool_()),
        }
    )


def _known(numbers: Ints) -> pa.Array:
    return pa.array(numbers, mask=numbers == NONE)


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
    detail = ranges["detail"][rows]
    details = pa.array(placed.recording.details.all() or [""], pa.string())
    places = pa.array(np.maximum(detail, 0), mask=detail == NONE)
    return pa.table(
        {
            "id": pa.array(rows),
            "kind": words.take(pa.array(ranges["kind"][rows])),
            **_range_columns(placed, rows),
            "parent": _known(placed.nested.parent[rows]),
            "shapes": details.take(places),
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
            "device": _known(memory["device"][order]),
            "bytes": pa.array(memory["bytes"][order]),
            "allocated": _known(memory["allocated"][order]),
            "reserved": _known(memory["reserved"][order]),
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
