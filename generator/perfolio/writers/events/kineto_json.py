"""JSON as PyTorch's profiler writes it: one file per rank."""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from perfolio.writers.events.model import Events, Operation, Range, Step, Thread
from perfolio.writers.events.output_folder import written_aside

SCHEMA = 1
PROCESS = 1_000
"""The process of rank 0; each other one has the next number."""
_CATEGORY = {"python": "python_function", "function": "cpu_op", "call": "cuda_runtime"}
_DIRECTION = {
    "copy h2d": "Memcpy HtoD ({} -> Device)",
    "copy d2h": "Memcpy DtoH (Device -> {})",
    "copy d2d": "Memcpy DtoD (Device -> Device)",
}


def write(events: Events, folder: Path) -> Path:
    """Write the traces of all ranks into `folder`, which must not exist. Raises OutputError."""
    with written_aside(folder) as aside:
        for rank in range(events.ranks):
            path = aside / f"trace_rank{rank}.json"
            path.write_text(_document(events, rank), "utf-8")
    return folder


def _document(events: Events, rank: int) -> str:
    """One event to a line, as far as JSON goes."""
    begins = [*(one.start for one in events.ranges), *(one.start for one in events.operations)]
    base = min(begins, default=0)
    base -= base % 1_000_000_000
    head: dict[str, Any] = {"schemaVersion": SCHEMA, "baseTimeNanoseconds": base}
    if events.ranks > 1:
        head["distributedInfo"] = {"backend": "nccl", "rank": rank, "world_size": events.ranks}
    if events.operations:
        head["deviceProperties"] = [{"id": rank, "numSms": events.multiprocessors}]
    rows = ",\n".join(_texts(events, rank, base))
    return f'{json.dumps(head)[:-1]}, "traceEvents": [\n{rows}\n]}}\n'


def _texts(events: Events, rank: int, base: int) -> Iterator[str]:
    for step in events.steps:
        if step.rank == rank:
            yield _text(_step(step), step.start, step.stop, base)
    for one in events.ranges:
        if one.thread.rank == rank:
            yield _text(_range(one), one.start, one.stop, base)
    for operation in events.operations:
        if operation.rank == rank:
            yield _text(_operation(operation), operation.start, operation.stop, base)


def _text(event: dict[str, Any], start: int, stop: int, base: int) -> str:
    """Times as decimal microseconds, exact to the nanosecond."""
    times = f'"ts": {_microseconds(start - base)}, "dur": {_microseconds(stop - start)}'
    return f'{{"ph": "X", {times}, {json.dumps(event)[1:]}'


def _microseconds(nanoseconds: int) -> str:
    return f"{nanoseconds // 1000}.{nanoseconds % 1000:03}"


def _place(thread: Thread) -> dict[str, int]:
    process = PROCESS + thread.rank
    return {"pid": process, "tid": process + thread.number * 10_000}


def _step(step: Step) -> dict[str, Any]:
    place = _place(Thread(step.rank, 0, "main"))
    return {"cat": "user_annotation", "name": f"ProfilerStep#{step.number}", **place}


def _range(one: Range) -> dict[str, Any]:
    name = f"{one.file}({one.line}): {one.name}" if one.kind == "python" else one.name
    args = {"correlation": one.correlation} if one.correlation else {}
    return {"cat": _CATEGORY[one.kind], "name": name, **_place(one.thread), "args": args}


def _operation(one: Operation) -> dict[str, Any]:
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
