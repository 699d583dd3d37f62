"""rocpd, the database that rocprofv3 writes by default: one file per rank.

Functions of all languages, and steps, are ranges of ROCTx; those of RCCL are its calls. Whether
memory of the host is pinned has no place in it.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from pathlib import Path

from perfolio.common.atomic_folders import write_aside
from perfolio.writers.events.model import (
    RecordedEvents,
    RecordedOperation,
    RecordedRange,
    RecordedThread,
)
from perfolio.writers.events.sqlite_writer import Cell, DatabaseTable, write_tables

SCHEMA = "3"
GUID = "00006c61-0000-7000-8000-000000000000"
NODE = 1
HOST = "node0"
PROCESS = 1_000
"""The process of rank 0; each other one has the next number."""
HOST_AGENT = 0
"""The processor's number; that of the GPU of rank 0 is the next."""
_BELOW = f"_{GUID.replace('-', '_')}"
_LIBRARY = re.compile(r"(?:nccl|rccl)[A-Z]")
_DIRECTIONS = {
    "copy h2d": "MEMORY_COPY_HOST_TO_DEVICE",
    "copy d2h": "MEMORY_COPY_DEVICE_TO_HOST",
    "copy d2d": "MEMORY_COPY_DEVICE_TO_DEVICE",
}
_OWNER = "id INTEGER, guid TEXT, nid INTEGER, pid INTEGER"
_TIMES = "start BIGINT, end BIGINT, duration BIGINT"
_LINKS = "stack_id INTEGER, parent_stack_id INTEGER, corr_id INTEGER"
_PROCESSES = f"{_OWNER}, hostname TEXT, command TEXT, environment TEXT"
_THREADS = f"{_OWNER}, tid INTEGER, name TEXT"
_REGIONS = f"{_OWNER}, tid INTEGER, category TEXT, name TEXT, {_TIMES}, {_LINKS}, extdata TEXT"
_KERNELS = (
    f"{_OWNER}, tid INTEGER, category TEXT, name TEXT, agent_abs_index INTEGER, agent_type TEXT, "
    f"kernel_id INTEGER, dispatch_id INTEGER, stream_id INTEGER, queue_id INTEGER, {_TIMES}, "
    "grid_x INTEGER, grid_y INTEGER, grid_z INTEGER, workgroup_x INTEGER, workgroup_y INTEGER, "
    f"workgroup_z INTEGER, lds_size INTEGER, {_LINKS}"
)
_COPIES = (
    f"{_OWNER}, tid INTEGER, category TEXT, {_TIMES}, name TEXT, stream_id INTEGER, "
    "queue_id INTEGER, size INTEGER, dst_agent_abs_index INTEGER, dst_agent_type TEXT, "
    f"src_agent_abs_index INTEGER, src_agent_type TEXT, {_LINKS}"
)
_SYMBOLS = "id INTEGER, guid TEXT, kernel_name TEXT, arch_vgpr_count INTEGER"
_METADATA = "id INTEGER, tag TEXT, value TEXT"


def write(events: RecordedEvents, folder: Path) -> Path:
    """Write the databases of all ranks into `folder`, which must not exist. Raises OutputError."""
    with write_aside(folder) as aside:
        for rank in range(events.ranks):
            tables = _RankTables(events, rank).tables()
            write_tables(aside / f"rank{rank}_results.db", tables, below_views=_BELOW)
    return folder


class _RankTables:
    """What the views of one rank's database show."""

    def __init__(self, events: RecordedEvents, rank: int) -> None:
        self.rank = rank
        self.title = events.title
        self.environment = {"OMPI_COMM_WORLD_RANK": str(rank)} if events.ranks > 1 else {}
        self.threads = [one for one in events.threads if one.rank == rank]
        self.ranges = [one for one in events.ranges if one.thread.rank == rank]
        self.operations = [one for one in events.operations if one.rank == rank]
        self.steps = [one for one in events.steps if one.rank == rank]
        self._symbols: dict[tuple[str, int], int] = {}

    def tables(self) -> Iterator[DatabaseTable]:
        """All tables; those without rows are there as well."""
        pid = PROCESS + self.rank
        process = (1, GUID, NODE, pid, HOST, self.title, json.dumps(self.environment))
        yield DatabaseTable("rocpd_metadata", _METADATA, [(1, "schema_version", SCHEMA)])
        yield DatabaseTable("rocpd_info_process", _PROCESSES, [process])
        yield DatabaseTable("processes", _PROCESSES, [process])
        yield DatabaseTable(
            "threads",
            _THREADS,
            [
                (*self._owner(one.number + 1), _make_thread_id(one), one.name)
                for one in self.threads
            ],
        )
        yield DatabaseTable("regions", _REGIONS, list(self._regions()))
        kernels = [one for one in self.operations if one.kind == "kernel"]
        copies = [one for one in self.operations if one.kind != "kernel"]
        rows = [self._kernel(number, one) for number, one in enumerate(kernels, 1)]
        yield DatabaseTable("kernels", _KERNELS, rows)
        rows = [self._copy(number, one) for number, one in enumerate(copies, 1)]
        yield DatabaseTable("memory_copies", _COPIES, rows)
        yield DatabaseTable(
            "kernel_symbols",
            _SYMBOLS,
            [(kernel, GUID, *symbol) for symbol, kernel in self._symbols.items()],
        )

    def _owner(self, number: int) -> tuple[Cell, ...]:
        return (number, GUID, NODE, PROCESS + self.rank)

    def _regions(self) -> Iterator[tuple[Cell, ...]]:
        """Steps, then calls and functions. Calls of HIP have the number of what they launched."""
        own = (0, 0, 0)
        for number, step in enumerate(self.steps, 1):
            place = (*self._owner(number), _make_thread_id(RecordedThread(self.rank, 0, "")))
            said = _format_marker(f"iteration {step.number}")
            yield (*place, *_MARKED, *_list_times(step.start, step.stop), *own, said)
        for number, one in enumerate(self.ranges, len(self.steps) + 1):
            place = (*self._owner(number), _make_thread_id(one.thread))
            category, name, said = _describe_region(one)
            times, links = _list_times(one.start, one.stop), (one.correlation, 0, 0)
            yield (*place, category, name, *times, *links, said)

    def _kernel(self, number: int, one: RecordedOperation) -> tuple[Cell, ...]:
        said, agent = one.launch, HOST_AGENT + 1 + self.rank
        key = (one.name, said.registers if said else 0)
        kernel = self._symbols.setdefault(key, len(self._symbols) + 1)
        sizes: tuple[Cell, ...] = (None,) * 7
        if said is not None:
            sizes = (said.blocks * said.threads, 1, 1, said.threads, 1, 1)
            sizes += (said.static_shared + said.dynamic_shared,)
        return (
            *self._owner(number), _make_thread_id(one.thread), "KERNEL_DISPATCH", one.name, agent,
            "GPU", kernel, number, one.stream, one.stream, *_list_times(one.start, one.stop),
            *sizes, one.correlation, 0, 0,
        )  # fmt: skip

    def _copy(self, number: int, one: RecordedOperation) -> tuple[Cell, ...]:
        host, gpu = (HOST_AGENT, "CPU"), (HOST_AGENT + 1 + self.rank, "GPU")
        source = host if one.kind == "copy h2d" else gpu
        target = host if one.kind == "copy d2h" else gpu
        return (
            *self._owner(number), _make_thread_id(one.thread), "MEMORY_COPY",
            *_list_times(one.start, one.stop), _DIRECTIONS[one.kind], one.stream, one.stream,
            one.size, *target, *source, one.correlation, 0, 0,
        )  # fmt: skip


_MARKED = ("MARKER_CORE_RANGE_API", "roctxRangePushA")


def _describe_region(one: RecordedRange) -> tuple[str, str, str]:
    """Category, name and further data of a range."""
    if one.kind == "call":
        return "HIP_RUNTIME_API_EXT", one.name, "{}"
    if one.kind == "function" and _LIBRARY.match(one.name):
        return "RCCL_API", one.name, "{}"
    return (*_MARKED, _format_marker(one.name))


def _format_marker(text: str) -> str:
    """What a marker says."""
    return json.dumps({"message": text})


def _list_times(start: int, stop: int) -> tuple[int, int, int]:
    return start, stop, stop - start


def _make_thread_id(thread: RecordedThread) -> int:
    """The number of a thread; the main one has that of its process."""
    return PROCESS + thread.rank + thread.number * 10_000
