"""Tables of a store from a recording of a few lines of YAML: begins and ends, as a tool tells them.

    ranges      [thread, kind, name, start, duration, {correlation, shapes, types, flags}]
    operations  [device, stream, kind, name, start, duration, {correlation, bytes, blocks, ...}]
    memory      [thread, time, device or null, bytes, allocated, reserved, address or none]
    ranks       {thread or device: rank}: without it, all is of one process without a rank

Thread 1 is the main one. Times count from EPOCH. An operation may name a `collective`.
"""

from __future__ import annotations

from typing import Any

import pyarrow as pa

from perfolio.readers.events.recording import (
    NONE,
    CodePlace,
    CollectiveCall,
    LineKey,
    OperationColumns,
    OperationKind,
    OperatorArguments,
    RangeKind,
    RecordedProcess,
    Recording,
)
from perfolio.readers.events.recording_tables import make_recording_tables
from perfolio.readers.measures import load_measures
from perfolio.readers.tool_catalog import find_tool_folder
from tests.metrics.case_rows import EPOCH, Case, base_of

TOOL = "PyTorch profiler"
_RUNTIME = "libcudart.so"
_OPERATORS = "libtorch_cpu.so"
_KINDS = {
    "kernel": OperationKind.KERNEL,
    "copy in": OperationKind.COPY_IN,
    "copy out": OperationKind.COPY_OUT,
    "copy within": OperationKind.COPY_WITHIN,
    "memset": OperationKind.MEMSET,
}
_SAID = OperationColumns.NAMES[5:-2]


def is_recorded(case: Case) -> bool:
    """Whether the store of a case is made from begins and ends."""
    return "recording" in base_of(case)


def recorded_tables(case: Case) -> dict[str, pa.Table]:
    """What a reader of events gives for the recording of a case."""
    said = {**base_of(case)["recording"], **case.get("recording", {})}
    recording = Recording()
    ranks = said.get("ranks", {})
    numbers = {rank: number for number, rank in enumerate(dict.fromkeys(ranks.values()))} or {
        None: 0
    }
    recording.processes += [RecordedProcess(rank, None, 1) for rank in numbers]

    def line(key: int, *, device: int = NONE, is_gpu: bool = False) -> int:
        process = numbers[ranks.get(device if is_gpu else key)]
        return recording.lines.of(LineKey(process, is_gpu, key, device))

    for row in said.get("ranges", []):
        _add_range(recording, line(row[0]), row[1:])
    for row in said.get("operations", []):
        _add_operation(recording, line(row[1], device=row[0], is_gpu=True), row[2:])
    for thread, time, device, size, allocated, reserved, *at in said.get("memory", []):
        held = [NONE if each is None else each for each in (device, allocated, reserved, *at)]
        held += [NONE] * (4 - len(held))
        recording.memory.append(line(thread), EPOCH + time, held[0], size, *held[1:])
    return make_recording_tables(recording, load_measures(find_tool_folder(TOOL)))


def _add_range(recording: Recording, line: int, row: list[Any]) -> None:
    kind, name, start, duration = row[:4]
    told: dict[str, Any] = row[4] if len(row) > 4 else {}
    module = _RUNTIME if kind == "call" else _OPERATORS
    code = recording.codes.of(CodePlace(name, told.get("module", module)))
    said = OperatorArguments(*(told.get(each, "") for each in OperatorArguments._fields))
    recording.ranges.append(
        line,
        EPOCH + start,
        duration,
        RangeKind[kind.upper()],
        code,
        told.get("correlation", NONE),
        recording.arguments.of(said) if any(said) else NONE,
    )


def _add_operation(recording: Recording, line: int, row: list[Any]) -> None:
    kind, name, start, duration = row[:4]
    told: dict[str, Any] = row[4] if len(row) > 4 else {}
    asked = told.get("collective")
    recording.operations.append(
        line,
        EPOCH + start,
        duration,
        _KINDS[kind],
        recording.codes.of(CodePlace(name)),
        *(told.get(each, NONE) for each in _SAID),
        NONE if asked is None else recording.collectives.of(CollectiveCall(*asked)),
        told.get("sequence", NONE),
    )
