"""Small reports of Nsight Systems, as SQLite and as folders of Parquet files."""

from __future__ import annotations

import sqlite3
from pathlib import Path
from typing import Any

import pyarrow as pa
import pyarrow.parquet as pq

Row = dict[str, Any]
Report = dict[str, list[Row]]
"""Rows by table; columns are those of the first row."""
PID = 4242
PROCESS = (1 << 48) | (PID << 24)
"""A global identifier of a process, as the tool writes it."""
THREAD = PROCESS | PID
BEGIN = 1_700_000_000_000_000_000
TEXTS = frozenset({"value", "text", "name", "label", "utcTime", "jsonText"})
NAMES = {
    1: "cudaLaunchKernel_v7000",
    2: "cudaMemcpy_v3020",
    3: "scale",
    4: "void scale<float>(float *)",
    5: "_Z5scaleIfEvPT_",
    6: "worker",
    7: "cudaMemcpy",
    8: "ioctl",
    9: "MPI_Allreduce",
    10: "MPI Rank 3",
}


def call(start: int, end: int, name: int, correlation: int, **beside: Any) -> Row:
    """A row of CUPTI_ACTIVITY_KIND_RUNTIME."""
    row = {"start": start, "end": end, "eventClass": 0, "globalTid": THREAD}
    return {**row, "correlationId": correlation, "nameId": name, "returnValue": 0, **beside}


def kernel(start: int, end: int, correlation: int, **beside: Any) -> Row:
    """A row of CUPTI_ACTIVITY_KIND_KERNEL with the columns that all versions have."""
    row = {
        "start": start, "end": end, "deviceId": 0, "contextId": 1, "streamId": 7,
        "correlationId": correlation, "globalPid": PROCESS, "demangledName": 4, "shortName": 3,
        "mangledName": 5, "registersPerThread": 32, "gridX": 4, "gridY": 2, "gridZ": 1,
        "blockX": 64, "blockY": 2, "blockZ": 1, "staticSharedMemory": 16, "dynamicSharedMemory": 0,
    }  # fmt: skip
    return row | beside


def copy(start: int, end: int, correlation: int, **beside: Any) -> Row:
    """A row of CUPTI_ACTIVITY_KIND_MEMCPY: from pageable memory of the host."""
    row = {
        "start": start, "end": end, "deviceId": 0, "contextId": 1, "streamId": 7,
        "correlationId": correlation, "globalPid": PROCESS, "bytes": 6_000_000_000, "copyKind": 1,
        "srcKind": 0, "dstKind": 2,
    }  # fmt: skip
    return row | beside


def mark(start: int, end: int | None, text: str | None, **beside: Any) -> Row:
    """A row of NVTX_EVENTS: a range that was pushed and popped."""
    row = {"start": start, "end": end, "eventType": 59, "text": text, "globalTid": THREAD}
    return {**row, "endGlobalTid": None, "textId": None, "domainId": 0, **beside}


def strings(**more: str) -> list[Row]:
    """StringIds; more by `s11="text"` and so on."""
    every = NAMES | {int(key[1:]): value for key, value in more.items()}
    return [{"id": key, "value": value} for key, value in every.items()]


def clock(begin: int = BEGIN, duration: int = 10_000_000) -> Report:
    """The tables that say when the session began, and how long it took."""
    return {
        "TARGET_INFO_SESSION_START_TIME": [{"utcEpochNs": begin, "utcTime": "", "localTime": 0}],
        "ANALYSIS_DETAILS": [{"globalVid": 0, "duration": duration}],
    }


def report(**tables: list[Row]) -> Report:
    """A copy and a kernel with their calls, within a range; tables can be added or replaced."""
    return {
        "StringIds": strings(),
        **clock(),
        "CUPTI_ACTIVITY_KIND_RUNTIME": [call(100, 400, 2, 1), call(500, 600, 1, 2)],
        "CUPTI_ACTIVITY_KIND_MEMCPY": [copy(150, 390, 1)],
        "CUPTI_ACTIVITY_KIND_KERNEL": [kernel(650, 1650, 2)],
        "NVTX_EVENTS": [mark(50, 700, "phase")],
        **tables,
    }


def of_2022(found: Report) -> Report:
    """As versions up to 2022 wrote it: empty tables, names beside, calls with backtraces twice."""
    calls = [
        each
        for row in found["CUPTI_ACTIVITY_KIND_RUNTIME"]
        for each in (row | {"name": None}, _again(row) | {"name": None})
        if each
    ]
    return {
        **found,
        "StringIds": [*found["StringIds"], {"id": 11, "value": "cudaLaunchKernel"}],
        "CUPTI_ACTIVITY_KIND_RUNTIME": calls,
        "CUPTI_ACTIVITY_KIND_MEMSET": [],
        "CUDA_GRAPH_EVENTS": [],
        "EXPORT_META_DATA": [{"name": "EXPORT_SCHEMA_VERSION", "value": "2.9.1"}],
    }


def _again(row: Row) -> Row:
    plain = {1: 11, 2: 7}[row["nameId"]]
    wider = {"start": row["start"] - 3, "end": row["end"] + 2}
    return row | wider | {"eventClass": 67, "nameId": plain}


def of_2025(found: Report) -> Report:
    """As versions since 2024 write it: more columns, tables of enumerations, meta data."""
    newer = {"greenContextId": None, "graphId": None, "clusterX": 0}
    return {
        **found,
        "CUPTI_ACTIVITY_KIND_KERNEL": [row | newer for row in found["CUPTI_ACTIVITY_KIND_KERNEL"]],
        "ENUM_CUDA_MEMCPY_OPER": [{"id": 1, "name": "CUDA_MEMCPY_KIND_HTOD", "label": "H"}],
        "META_DATA_EXPORT": [{"name": "EXPORT_SCHEMA_VERSION", "value": "3.24.0"}],
    }


def write_sqlite(path: Path, tables: Report) -> Path:
    """The report as `nsys export --type sqlite` writes it."""
    connection = sqlite3.connect(path)
    connection.execute("PRAGMA synchronous = OFF")
    for table, rows in tables.items():
        names = list(rows[0]) if rows else ["start", "end"]
        columns = ", ".join(f'"{n}" {"TEXT" if n in TEXTS else "INTEGER"}' for n in names)
        connection.execute(f'CREATE TABLE "{table}" ({columns})')
        marks = ", ".join("?" * len(names))
        connection.executemany(
            f'INSERT INTO "{table}" VALUES ({marks})',
            [tuple(row[name] for name in names) for row in rows],
        )
    connection.commit()
    connection.close()
    return path


def write_parquet(folder: Path, tables: Report) -> Path:
    """The report as `nsys export --type parquetdir` writes it."""
    folder.mkdir()
    for table, rows in tables.items():
        if rows:
            fields = [(n, pa.string() if n in TEXTS else pa.int64()) for n in rows[0]]
            found = pa.Table.from_pylist(rows, schema=pa.schema(fields))
            pq.write_table(found, folder / f"{table}.parquet")
    return folder
