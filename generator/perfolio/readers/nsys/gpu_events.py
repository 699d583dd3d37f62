"""Kernels, copies, memsets and CUDA graphs to operations of streams; allocations of memory.

Waits are no work of a GPU. A row is told apart by what it names, since numbers of `syncType` differ
from those of CUPTI in some exports: a stream with an event waits for it, and a row without a stream
is a wait of the host. A wait is for the last record of its event before it, unless the report says
which one it was.
"""

from __future__ import annotations

from bisect import bisect_left
from collections import defaultdict
from collections.abc import Iterator
from dataclasses import dataclass, field

import numpy as np

from perfolio.readers.events.doubts import Doubt
from perfolio.readers.events.exact_numbers import to_wait_number
from perfolio.readers.events.recording import (
    LARGEST,
    NONE,
    CodePlace,
    Ints,
    OperationKind,
    WaitKind,
)
from perfolio.readers.nsys.checked_tables import ABSENT, CheckedRows, read_rows
from perfolio.readers.nsys.kind_names import DIRECTIONS, MEMSET, PAGEABLE, PINNED, UNKNOWN, UNNAMED
from perfolio.readers.nsys.report_context import THREAD_BITS, NumberedKeys, ReportReading

_PLACE = ("globalPid", "deviceId", "streamId", "correlationId")
_KERNEL = (
    *_PLACE, "demangledName", "shortName", "mangledName", "gridX", "gridY", "gridZ", "blockX",
    "blockY", "blockZ", "registersPerThread", "staticSharedMemory", "dynamicSharedMemory",
)  # fmt: skip
KERNELS = "CUPTI_ACTIVITY_KIND_KERNEL"
COPIES = "CUPTI_ACTIVITY_KIND_MEMCPY"
MEMSETS = "CUPTI_ACTIVITY_KIND_MEMSET"
GRAPHS = "CUPTI_ACTIVITY_KIND_GRAPH_TRACE"
"""Replays of CUDA graphs, each as a whole: `--cuda-graph-trace=graph`."""

MEMORY = "CUDA_GPU_MEMORY_USAGE_EVENTS"
MOST_BYTES = 1 << 50
"""No device has as many."""
_RELEASED = 1


def read_operations(reading: ReportReading) -> None:
    """Add all operations and allocations of a report. Raises TableError."""
    _add_kernels(reading)
    _add_copies(reading)
    _add_memsets(reading)
    _add_graphs(reading)
    _add_memory(reading)


def _add_kernels(reading: ReportReading) -> None:
    names = reading.names

    def code(key: tuple[int, ...]) -> int:
        texts = (names.get(identifier) for identifier in key)
        return reading.recording.codes.of(CodePlace(next(filter(None, texts), UNNAMED)))

    codes = NumberedKeys(code)
    for rows, start, duration in reading.timed(KERNELS, _KERNEL):
        texts = [rows.numbers(name).tolist() for name in _KERNEL[4:7]]
        reading.recording.operations.extend(
            rows.count,
            **_make_place_columns(reading, rows, start, duration),
            kind=OperationKind.KERNEL,
            code=codes.of(list(zip(*texts, strict=True))),
            blocks=_compute_product(rows, "grid"),
            threads=_compute_product(rows, "block"),
            registers=rows.sizes("registersPerThread"),
            static_shared=rows.sizes("staticSharedMemory"),
            dynamic_shared=rows.sizes("dynamicSharedMemory"),
        )


def _add_copies(reading: ReportReading) -> None:
    codes = NumberedKeys[str](lambda name: reading.recording.codes.of(CodePlace(name)))
    wanted = (*_PLACE, "bytes", "copyKind", "srcKind", "dstKind", "srcDeviceId", "dstDeviceId")
    for rows, start, duration in reading.timed(COPIES, wanted):
        directions = [DIRECTIONS.get(kind, UNKNOWN) for kind in rows.numbers("copyKind").tolist()]
        kinds = _mark_peer_copies(
            rows, np.array([direction.kind for direction in directions], np.int64)
        )
        reading.recording.operations.extend(
            rows.count,
            **_make_place_columns(reading, rows, start, duration),
            kind=kinds,
            code=codes.of([f"[CUDA memcpy {direction.name}]" for direction in directions]),
            bytes=rows.sizes("bytes"),
            pinned=_find_pinned(rows, kinds),
        )


def _add_memsets(reading: ReportReading) -> None:
    code = reading.recording.codes.of
    for rows, start, duration in reading.timed(MEMSETS, (*_PLACE, "bytes")):
        reading.recording.operations.extend(
            rows.count,
            **_make_place_columns(reading, rows, start, duration),
            kind=OperationKind.MEMSET,
            code=code(CodePlace(MEMSET)),
            bytes=rows.sizes("bytes"),
        )


def _add_graphs(reading: ReportReading) -> None:
    """Replays of graphs: kernels, for what is in them was not recorded."""

    def code(graph: int) -> int:
        name = "[CUDA graph]" if graph == NONE else f"[CUDA graph {graph}]"
        return reading.recording.codes.of(CodePlace(name))

    codes, replays = NumberedKeys(code), 0
    for rows, start, duration in reading.timed(GRAPHS, (*_PLACE, "graphId")):
        replays += rows.count
        reading.recording.operations.extend(
            rows.count,
            **_make_place_columns(reading, rows, start, duration),
            kind=OperationKind.KERNEL,
            code=codes.of(rows.sizes("graphId").tolist()),
        )
    if replays:
        kernels = reading.recording.operations["kind"] == OperationKind.KERNEL
        reading.recording.doubts.append(Doubt("whole_graphs", replays, int(kernels.sum())))


def _add_memory(reading: ReportReading) -> None:
    """Allocations and releases, charged to the main thread: the table names none."""
    wanted = ("start", "globalPid", "deviceId", "bytes", "memKind", "memoryOperationType")
    for every in read_rows(reading.tables, MEMORY, wanted):
        size, time = every.sizes("bytes"), every.times("start")
        is_known = (size > 0) & (size < MOST_BYTES) & (time != ABSENT)
        rows = every.chosen(is_known)
        process = rows.sizes("globalPid").tolist()
        is_host = np.isin(rows.numbers("memKind"), (PAGEABLE, PINNED))
        sign = np.where(rows.numbers("memoryOperationType") == _RELEASED, -1, 1)
        reading.recording.memory.extend(
            rows.count,
            line=reading.threads.of([reading.main_thread(each) for each in process]),
            time=time[is_known] + reading.base,
            device=np.where(is_host, NONE, rows.sizes("deviceId")),
            bytes=size[is_known] * sign,
        )


def _make_place_columns(
    reading: ReportReading, rows: CheckedRows, start: Ints, duration: Ints
) -> dict[str, Ints]:
    """The columns that all operations have."""
    place = (
        rows.numbers("globalPid").tolist(),
        rows.sizes("deviceId").tolist(),
        rows.sizes("streamId").tolist(),
    )
    return {
        "line": reading.streams.of(list(zip(*place, strict=True))),
        "start": start,
        "duration": duration,
        "correlation": _read_correlation(rows),
    }


def _read_correlation(rows: CheckedRows) -> Ints:
    """The call's number; 0 names none."""
    found = rows.sizes("correlationId")
    return np.where(found == 0, NONE, found)


def _compute_product(rows: CheckedRows, name: str) -> Ints:
    """Of three sizes; `NONE` where one is missing, or the product is beyond what can be."""
    sides = [rows.sizes(f"{name}{axis}") for axis in "XYZ"]
    size = np.prod([side.astype(np.float64) for side in sides], axis=0)
    known = np.all([side >= 0 for side in sides], axis=0) & (size < LARGEST)
    return np.where(known, sides[0] * sides[1] * sides[2], NONE)


def _mark_peer_copies(rows: CheckedRows, kinds: Ints) -> Ints:
    """Kinds of copies: what goes from one GPU to another does not stay within it."""
    source, target = rows.sizes("srcDeviceId"), rows.sizes("dstDeviceId")
    apart = (source != target) & (source != NONE) & (target != NONE)
    return np.where((kinds == OperationKind.COPY_WITHIN) & apart, OperationKind.COPY_PEER, kinds)


def _find_pinned(rows: CheckedRows, kinds: Ints) -> Ints:
    """Whether the side of the host is pinned."""
    host = np.where(kinds == OperationKind.COPY_IN, rows.sizes("srcKind"), rows.sizes("dstKind"))
    is_known = np.isin(kinds, (OperationKind.COPY_IN, OperationKind.COPY_OUT)) & np.isin(
        host, (PAGEABLE, PINNED)
    )
    return np.where(is_known, host == PINNED, NONE)


WAITS = "CUPTI_ACTIVITY_KIND_SYNCHRONIZATION"
RECORDS = "CUPTI_ACTIVITY_KIND_CUDA_EVENT"
_COLUMNS = (
    "globalPid", "contextId", "deviceId", "streamId", "correlationId", "eventId", "eventSyncId",
)  # fmt: skip
_Row = tuple[int, int, int, int, int, int, int]


@dataclass
class _EventRecords:
    """Records of events: correlation of the call, and stream."""

    by_event: dict[tuple[int, int, int], list[tuple[int, int]]] = field(
        default_factory=lambda: defaultdict(list)
    )
    by_number: dict[tuple[int, int], tuple[int, int]] = field(default_factory=dict)

    def add(self, row: _Row) -> None:
        """Add a record."""
        process, context, _, stream, correlation, event, number = row
        self.by_event[process, context, event].append((correlation, stream))
        if number != NONE:
            self.by_number[process, number] = (correlation, stream)

    def sort(self) -> None:
        """Bring records of each event in the order of their calls."""
        for known in self.by_event.values():
            known.sort()

    def find(self, row: _Row) -> tuple[int, int]:
        """The record that a wait is for; NONE where it is not known."""
        process, context, _, _, correlation, event, number = row
        if event == NONE:
            return NONE, NONE
        if (found := self.by_number.get((process, number))) and number != NONE:
            return found
        known = self.by_event.get((process, context, event), [])
        place = bisect_left(known, (correlation, NONE)) - 1
        return known[place] if place >= 0 else (NONE, NONE)


def read_waits(reading: ReportReading) -> None:
    """Add all waits and records of processes that did something. Raises TableError."""
    records, waits = _EventRecords(), reading.recording.waits
    for row in _list_rows(reading, RECORDS):
        records.add(row)
        process, _, device, stream, correlation, event, _ = row
        waits.append(process, correlation, WaitKind.RECORD, device, stream, event, NONE, NONE)
    records.sort()
    for row in _list_rows(reading, WAITS):
        process, _, device, stream, correlation, event, _ = row
        kind = WaitKind.STREAM if NONE not in (stream, event) else WaitKind.HOST
        waits.append(process, correlation, kind, device, stream, event, *records.find(row))


def _list_rows(reading: ReportReading, table: str) -> Iterator[_Row]:
    for rows in read_rows(reading.tables, table, _COLUMNS):
        owners, *columns = (rows.sizes(name).tolist() for name in _COLUMNS)
        for owner, context, device, *numbers in zip(owners, *columns, strict=True):
            process = reading.processes.get(owner >> THREAD_BITS)
            stream, correlation, event, sync = map(to_wait_number, numbers)
            if process is None:
                continue
            number = reading.told.devices.number(owner >> THREAD_BITS, device)
            yield process, context, number, stream, correlation or NONE, event, sync
