"""JSON as PyTorch's profiler writes it: one file per rank."""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from perfolio.common.atomic_folders import write_aside
from perfolio.writers.events.model import (
    RecordedEvents,
    RecordedOperation,
    RecordedRange,
    RecordedStep,
    RecordedThread,
)

SCHEMA = 1
PROCESS = 1_000
"""The process of rank 0; each other one has the next number."""
_CATEGORY = {"python": "python_function", "function": "cpu_op", "call": "cuda_runtime"}
_DIRECTION = {
    "copy h2d": "Memcpy HtoD ({} -> Device)",
    "copy d2h": "Memcpy DtoH (Device -> {})",
    "copy d2d": "Memcpy DtoD (Device -> Device)",
}


def write(events: RecordedEvents, folder: Path) -> Path:
    """Write the traces of all ranks into `folder`, which must not exist. Raises OutputError."""
    with write_aside(folder) as aside:
        for rank in range(events.ranks):
            path = aside / f"trace_rank{rank}.json"
            path.write_text(_format_document(events, rank), "utf-8")
    return folder


def _format_document(events: RecordedEvents, rank: int) -> str:
    """One event to a line, as far as JSON goes."""
    begins = [*(one.start for one in events.ranges), *(one.start for one in events.operations)]
    base = min(begins, default=0)
    base -= base % 1_000_000_000
    head: dict[str, Any] = {"schemaVersion": SCHEMA, "baseTimeNanoseconds": base}
    if events.ranks > 1:
        head["distributedInfo"] = {"backend": "nccl", "rank": rank, "world_size": events.ranks}
    if events.operations:
        head["deviceProperties"] = [{"id": rank, "numSms": events.multiprocessors}]
    rows = ",\n".join(_format_events(events, rank, base))
    return f'{json.dumps(head)[:-1]}, "traceEvents": [\n{rows}\n]}}\n'


def _format_events(events: RecordedEvents, rank: int, base: int) -> Iterator[str]:
    for step in events.steps:
        if step.rank == rank:
            yield _format_event(_describe_step(step), step.start, step.stop, base)
    for one in events.ranges:
        if one.thread.rank == rank:
            yield _format_event(_describe_range(one), one.start, one.stop, base)
    for operation in events.operations:
        if operation.rank == rank:
            yield _format_event(
                _describe_operation(operation), operation.start, operation.stop, base
            )


def _format_event(event: dict[str, Any], start: int, stop: int, base: int) -> str:
    """Times as decimal microseconds, exact to the nanosecond."""
    times = (
        f'"ts": {_format_microseconds(start - base)}, "dur": {_format_microseconds(stop - start)}'
    )
    return f'{{"ph": "X", {times}, {json.dumps(event)[1:]}'


def _format_microseconds(nanoseconds: int) -> str:
    return f"{nanoseconds // 1000}.{nanoseconds % 1000:03}"


def _locate_thread(thread: RecordedThread) -> dict[str, int]:
    process = PROCESS + thread.rank
    return {"pid": process, "tid": process + thread.number * 10_000}


def _describe_step(step: RecordedStep) -> dict[str, Any]:
    place = _locate_thread(RecordedThread(step.rank, 0, "main"))
    return {"cat": "user_annotation", "name": f"ProfilerStep#{step.number}", **place}


def _describe_range(one: RecordedRange) -> dict[str, Any]:
    name = f"{one.file}({one.line}): {one.name}" if one.kind == "python" else one.name
    args = {"correlation": one.correlation} if one.correlation else {}
    return {"cat": _CATEGORY[one.kind], "name": name, **_locate_thread(one.thread), "args": args}


def _describe_operation(one: RecordedOperation) -> dict[str, Any]:
    args: dict[str, Any] = {
        "device": one.rank, "stream": one.stream, "correlation": one.correlation,
    }  # fmt: skip
    place = {"pid": one.rank, "tid": one.stream}
    if one.kind == "kernel":
        if one.launch is not None:
            args["grid"], args["block"] = [one.launch.blocks, 1, 1], [one.launch.threads, 1, 1]
            args["registers per thread"] = one.launch.registers
            args["shared memory"] = one.launch.static_shared + one.launch.dynamic_shared
        return {"cat": "kernel", "name": one.name, **place, "args": args}
    args["bytes"] = one.size
    name = _DIRECTION[one.kind].format("Pinned" if one.pinned else "Pageable")
    return {"cat": "gpu_memcpy", "name": name, **place, "args": args}
