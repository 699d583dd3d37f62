"""Timelines of XLA's profiler: what their processes, threads and details say."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from perfolio.common.errors import FormatError, InputError
from perfolio.readers import registry
from perfolio.readers.model import Source

Json = dict[str, Any]


def named(kind: str, name: str, pid: int, tid: int = 0) -> Json:
    """What a process or a thread is called."""
    return {"ph": "M", "pid": pid, "tid": tid, "name": kind, "args": {"name": name}}


def event(name: str, start: float, duration: float, pid: int, tid: int, **args: Any) -> Json:
    """An event with a duration."""
    return {
        "ph": "X", "pid": pid, "tid": tid, "ts": start, "dur": duration, "name": name, "args": args,
    }  # fmt: skip


NAMES = [
    named("process_name", "/device:GPU:1 NVIDIA H100", 1),
    named("thread_name", "Stream #14(Compute,MemcpyH2D)", 1, 14),
    named("thread_name", "XLA Ops", 1, 15),
    named("process_name", "/host:CPU", 701),
    named("thread_name", "python", 701, 5),
]
KERNEL = event(
    "fusion_3", 30.5, 55.25, 1, 14, correlation_id="7", hlo_op="fusion.3",
    kernel_details="regs:32 static_shared:16 dynamic_shared:0 grid:108,2,1 block:128,1,1",
)  # fmt: skip
COPY = event("MemcpyH2D", 90, 10, 1, 14, memcpy_details="kind:MEMCPYH2D size:4096 dest:0 async:1")
EVENTS = [
    event("train", 0, 100, 701, 5, step_num="3"),
    event("PjitFunction(step)", 1, 90, 701, 5),
    event("cuLaunchKernel", 20, 2, 701, 5, correlation_id="7"),
    event("$model.py:12 forward", 2, 80, 701, 5),
    KERNEL,
    {**KERNEL, "tid": 15},
    COPY,
]


def read(folder: Path, events: list[Json], **beside: Any) -> Source:
    """A timeline with these events."""
    path = folder / "host.trace.json"
    path.write_text(json.dumps({"displayTimeUnit": "ns", "traceEvents": events, **beside}))
    return registry.read(path)


def test_only_streams_hold_what_ran_on_a_gpu(tmp_path: Path) -> None:
    source = read(tmp_path, [*NAMES, *EVENTS])
    assert source.tool == "XLA profiler"
    assert source.device == "NVIDIA H100"
    operations = source.tables["gpu_operation"].to_pylist()
    assert [one["duration"] for one in operations] == [55_250, 10_000]
    streams = [one for one in source.tables["profile"].to_pylist() if one["kind"] == "GPU stream"]
    assert len(streams) == 1


def test_a_launch_is_found_by_its_correlation(tmp_path: Path) -> None:
    source = read(tmp_path, [*NAMES, *EVENTS])
    (launch,) = source.tables["host_call"].to_pylist()
    kernel, _ = source.tables["gpu_operation"].to_pylist()
    assert kernel["call"] == launch["id"]


def test_a_timeline_without_operations_is_refused(tmp_path: Path) -> None:
    with pytest.raises(InputError, match="holds no operation"):
        read(tmp_path, NAMES)


def test_a_time_that_is_no_number_is_refused(tmp_path: Path) -> None:
    with pytest.raises(FormatError, match="no time in microseconds"):
        read(tmp_path, [*NAMES, {**KERNEL, "ts": "soon"}])


@pytest.mark.parametrize(
    "damaged", [{"args": 3}, {"name": None}, {"tid": [1]}, {"args": {"kernel_details": "grid:9,9"}}]
)
def test_odd_fields_are_no_reason_to_refuse(tmp_path: Path, damaged: Json) -> None:
    assert read(tmp_path, [*NAMES, *EVENTS, {**KERNEL, **damaged}]).tables
