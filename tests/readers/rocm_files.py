"""Small files as ROCm's profilers write them: one launch, one copy, one marker, in each form."""

from __future__ import annotations

import json
import sqlite3
from contextlib import closing
from pathlib import Path
from typing import Any

BOOT = 1_191_915_574_000_000
"""Nanoseconds since the host began: the times below count from here."""
KERNEL_COLUMNS = (
    "Kind", "Agent_Id", "Queue_Id", "Stream_Id", "Thread_Id", "Dispatch_Id", "Kernel_Id",
    "Kernel_Name", "Correlation_Id", "Start_Timestamp", "End_Timestamp", "LDS_Block_Size",
    "Scratch_Size", "VGPR_Count", "Accum_VGPR_Count", "SGPR_Count", "Workgroup_Size_X",
    "Workgroup_Size_Y", "Workgroup_Size_Z", "Grid_Size_X", "Grid_Size_Y", "Grid_Size_Z",
)  # fmt: skip
CALL_COLUMNS = (
    "Domain", "Function", "Process_Id", "Thread_Id", "Correlation_Id", "Start_Timestamp",
    "End_Timestamp",
)  # fmt: skip
COPY_COLUMNS = (
    "Kind", "Direction", "Stream_Id", "Source_Agent_Id", "Destination_Agent_Id", "Correlation_Id",
    "Start_Timestamp", "End_Timestamp",
)  # fmt: skip
KERNEL = (
    "KERNEL_DISPATCH", "Agent 4", 1, 2, 77, 1, 16, "void axpy<float>(float*, int)", 5,
    BOOT + 2_000, BOOT + 3_000, 512, 0, 24, 0, 32, 64, 2, 1, 1000, 8, 1,
)  # fmt: skip
CALLS = (
    ("HIP_RUNTIME_API", "hipLaunchKernel", 70, 77, 5, BOOT + 1_000, BOOT + 1_500),
    ("HIP_RUNTIME_API", "hipMemcpyAsync", 70, 77, 6, BOOT + 1_600, BOOT + 1_900),
)
COPY = (
    "MEMORY_COPY",
    "MEMORY_COPY_HOST_TO_DEVICE",
    0,
    "Agent 0",
    "Agent 4",
    6,
    BOOT + 4_000,
    BOOT + 4_700,
)
MARKER = ("MARKER_CORE_API", "solve", 70, 77, 4, BOOT + 500, BOOT + 2_500)


def csv_text(columns: tuple[str, ...], *rows: tuple[Any, ...]) -> str:
    """A file as rocprofv3 writes it: texts quoted, numbers not."""

    def cell(value: Any) -> str:
        return f'"{value}"' if isinstance(value, str) else str(value)

    lines = [",".join(map(cell, row)) for row in (columns, *rows)]
    return "\n".join(lines) + "\n"


def write_csv(folder: Path, prefix: str = "70") -> Path:
    """The files of one process."""
    folder.mkdir(parents=True, exist_ok=True)
    for name, text in (
        ("kernel_trace", csv_text(KERNEL_COLUMNS, KERNEL)),
        ("hip_api_trace", csv_text(CALL_COLUMNS, *CALLS)),
        ("marker_api_trace", csv_text(CALL_COLUMNS, MARKER)),
        ("memory_copy_trace", csv_text(COPY_COLUMNS, COPY)),
        (
            "kernel_stats",
            '"Name","Calls","TotalDurationNs","AverageNs","Percentage"\n"a",1,2,2,100\n',
        ),
        ("agent_info", '"Node_Id","Logical_Node_Id","Agent_Type"\n0,0,"CPU"\n4,1,"GPU"\n'),
    ):
        (folder / f"{prefix}_{name}.csv").write_text(text)
    return folder


def sdk_document() -> dict[str, Any]:
    """What rocprofv3 writes as JSON."""

    def record(operation: int, kind: int, correlation: int, begin: int, end: int) -> dict[str, Any]:
        return {
            "size": 80,
            "kind": kind,
            "operation": operation,
            "thread_id": 77,
            "correlation_id": {"internal": correlation, "external": 0},
            "start_timestamp": BOOT + begin,
            "end_timestamp": BOOT + end,
        }

    kernel = record(0, 2, 5, 2_000, 3_000) | {
        "stream_id": {"handle": 2},
        "dispatch_info": {
            "agent_id": {"handle": 991},
            "queue_id": {"handle": 1},
            "kernel_id": 16,
            "dispatch_id": 1,
            "private_segment_size": 0,
            "group_segment_size": 512,
            "workgroup_size": {"x": 64, "y": 2, "z": 1},
            "grid_size": {"x": 1000, "y": 8, "z": 1},
        },
    }
    copy = record(1, 3, 6, 4_000, 4_700) | {
        "src_agent_id": {"handle": 990},
        "dst_agent_id": {"handle": 991},
        "bytes": 4096,
        "stream_id": {"handle": 0},
    }
    tool = {
        "metadata": {
            "pid": 70,
            "node": {"hostname": "one"},
            "config": {"mpi_size": 2, "mpi_rank": 1},
        },
        "agents": [
            {"id": {"handle": 990}, "type": 1, "node_id": 0},
            {"id": {"handle": 991}, "type": 2, "node_id": 4},
        ],
        "kernel_symbols": [
            {
                "kernel_id": 16,
                "kernel_name": "_Z4axpy.kd",
                "formatted_kernel_name": "void axpy<float>(float*, int)",
                "arch_vgpr_count": 24,
            }
        ],
        "strings": {
            "marker_api": [{"key": 4, "value": "solve"}],
            "buffer_records": [
                {"kind": "HIP_RUNTIME_API", "operations": ["hipLaunchKernel", "hipMemcpyAsync"]},
                {"kind": "MARKER_CORE_API", "operations": ["roctxMarkA", "roctxRangePushA"]},
                {"kind": "KERNEL_DISPATCH", "operations": []},
                {
                    "kind": "MEMORY_COPY",
                    "operations": ["MEMORY_COPY_NONE", "MEMORY_COPY_HOST_TO_DEVICE"],
                },
            ],
        },
        "buffer_records": {
            "kernel_dispatch": [kernel],
            "hip_api": [record(0, 0, 5, 1_000, 1_500), record(1, 0, 6, 1_600, 1_900)],
            "marker_api": [record(1, 1, 4, 500, 2_500)],
            "memory_copy": [copy],
        },
    }
    return {"rocprofiler-sdk-tool": [tool]}


def chrome_events() -> list[dict[str, Any]]:
    """What rocprof writes as JSON."""

    def event(name: str, row: int, tid: int, begin: int, end: int, **more: str) -> dict[str, Any]:
        times = {
            "BeginNs": str(BOOT + begin),
            "EndNs": str(BOOT + end),
            "DurationNs": str(end - begin),
        }
        args = times | {"pid": "70", "tid": "77", "Name": name} | more
        moment = (BOOT + begin) // 1_000
        return {
            "ph": "X",
            "name": name,
            "pid": str(row),
            "tid": str(tid),
            "ts": str(moment),
            "dur": str((end - begin) // 1_000),
            "args": args,
        }

    def arrow(kind: str, number: int, row: int, tid: int, moment: int) -> dict[str, Any]:
        return {
            "ts": (BOOT + moment) // 1_000,
            "ph": kind,
            "cat": "DataFlow",
            "id": number,
            "pid": row,
            "tid": tid,
            "name": "dep",
        }

    rows = {0: "Markers and Ranges", 2: "CPU HIP API", 1: "COPY", 10: "GPU4"}
    asked = "( kernel(axpy) numBlocks({z(1) y(4) x(16}) dimBlocks({z(1) y(2) x(64}) stream(2))"
    device = {"dev-id": "4", "queue-id": "1"}
    return [
        {},
        *(
            {"ph": "M", "pid": row, "name": "process_name", "args": {"name": name}}
            for row, name in rows.items()
        ),
        event("solve", 0, 77, 500, 2_500),
        event("hipLaunchKernel", 2, 77, 1_000, 1_500, args=asked),
        event("hipMemcpyAsync", 2, 77, 1_600, 1_900),
        event("void axpy<float>(float*, int)", 10, 1, 2_000, 3_000, **device, **{"stream-id": "2"}),
        event("CopyHostToDevice", 1, 0, 4_000, 4_700, **device, **{"stream-id": "0"}),
        arrow("s", 0, 2, 77, 1_200),
        arrow("t", 0, 10, 1, 2_000),
    ]


V1_COLUMNS = (
    "Index,KernelName,gpu-id,queue-id,queue-index,pid,tid,grd,wgr,lds,scr,arch_vgpr,accum_vgpr,sgpr,"
    "wave_size,sig,obj,DispatchNs,BeginNs,EndNs,CompleteNs,DurationNs"
)


def v1_csv() -> str:
    """What rocprof writes as CSV."""
    times = f"{BOOT + 1_900},{BOOT + 2_000},{BOOT + 3_000},{BOOT + 3_100},1000"
    return (
        f"{V1_COLUMNS}\n"
        '0,"void axpy<float>(float*, int) [clone .kd]",4,1,0,70,77,8000,128,512,0,24,0,32,64,0x0,'
        f"0x7fc6de634ec0,{times}\n"
    )


def write_rocpd(
    path: Path, pid: int = 70, *, by_stack: bool = True, host: str = "one", **environment: str
) -> Path:
    """A database with plain tables under the names of rocpd's views, and views of each."""
    shared = "guid TEXT, nid INTEGER, pid INTEGER, tid INTEGER"
    links = "stack_id INTEGER, corr_id INTEGER"
    columns = {
        "processes": "guid TEXT, nid INTEGER, pid INTEGER, hostname TEXT",
        "rocpd_info_process": "guid TEXT, nid INTEGER, pid INTEGER, environment TEXT",
        "threads": "guid TEXT, nid INTEGER, pid INTEGER, tid INTEGER, name TEXT",
        "regions": (
            f"{shared}, category TEXT, name TEXT, start BIGINT, end BIGINT, {links}, extdata TEXT"
        ),
        "kernels": (
            f"{shared}, name TEXT, agent_abs_index INTEGER, agent_type TEXT, kernel_id INTEGER, "
            "dispatch_id INTEGER, stream_id INTEGER, queue_id INTEGER, start BIGINT, end BIGINT, "
            "grid_x INTEGER, grid_y INTEGER, grid_z INTEGER, workgroup_x INTEGER, "
            f"workgroup_y INTEGER, workgroup_z INTEGER, lds_size INTEGER, {links}"
        ),
        "memory_copies": (
            f"{shared}, start BIGINT, end BIGINT, name TEXT, stream_id INTEGER, queue_id INTEGER, "
            "size INTEGER, dst_agent_abs_index INTEGER, dst_agent_type TEXT, "
            f"src_agent_abs_index INTEGER, src_agent_type TEXT, {links}"
        ),
        "kernel_symbols": "guid TEXT, id INTEGER, arch_vgpr_count INTEGER",
        "rocpd_metadata": "id INTEGER, tag TEXT, value TEXT",
    }
    owner = ("g-1", 1, pid, pid + 7)
    api, said = "HIP_RUNTIME_API_EXT", json.dumps({"message": "solve"})

    def between(begin: int, end: int) -> tuple[int, int]:
        return BOOT + begin, BOOT + end

    def link(number: int) -> tuple[int, int]:
        return (number, 0) if by_stack else (number + 100 * number, number)

    rows: dict[str, list[tuple[Any, ...]]] = {
        "processes": [("g-1", 1, pid, host)],
        "rocpd_info_process": [("g-1", 1, pid, json.dumps(environment))],
        "threads": [("g-1", 1, pid, pid + 7, "main")],
        "regions": [
            (*owner, api, "hipLaunchKernel", *between(1_000, 1_500), *link(5), "{}"),
            (*owner, api, "hipMemcpyAsync", *between(1_600, 1_900), *link(6), "{}"),
            (*owner, "MARKER_CORE_API", "roctxRangePushA", *between(500, 2_500), *link(4), said),
        ],
        "kernels": [
            (*owner, "void axpy<float>(float*, int)", 4, "GPU", 16, 1, 2, 1, *between(2_000, 3_000),
             1000, 8, 1, 64, 2, 1, 512, *(link(5) if by_stack else (9_001, 5)))
        ],
        "memory_copies": [
            (*owner, *between(4_000, 4_700), "MEMORY_COPY_HOST_TO_DEVICE", 0, 1, 4096, 4, "GPU", 0,
             "CPU", *(link(6) if by_stack else (9_002, 6)))
        ],
        "kernel_symbols": [("g-1", 16, 24)],
        "rocpd_metadata": [(1, "schema_version", "3")],
    }  # fmt: skip
    with closing(sqlite3.connect(path)) as connection:
        for name, said in columns.items():
            table = f"{name}_6c61_0000"
            connection.execute(f"CREATE TABLE {table} ({said})")
            connection.execute(f"CREATE VIEW {name} AS SELECT * FROM {table}")
            for row in rows[name]:
                marks = ", ".join("?" * len(row))
                connection.execute(f"INSERT INTO {table} VALUES ({marks})", row)
        connection.commit()
    return path
