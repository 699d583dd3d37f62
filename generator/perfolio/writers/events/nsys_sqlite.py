"""SQLite as Nsight Systems exports it: one report of all ranks on a host.

Operators of PyTorch are ranges of NVTX as `emit_nvtx` makes them, functions of Python as
`--python-functions-trace` does, other functions ranges in the domain of their library. Calls of
the C library are those of the operating system's table.
"""

from __future__ import annotations

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

SCHEMA = "3.24.0"
NAME = "report.sqlite"
PROCESS = 1_000
"""The process of rank 0; each other one has the next number."""
HOST = "node0"
_OPERATORS = "libtorch"
_SYSTEM = "libc.so"
_DOMAINS = {"libnccl": "NCCL", "libcublas.": "cuBLAS", "libcudnn": "cuDNN"}
"""Domains of libraries that mark ranges themselves; others have their file's name."""
_VERSIONS = {"cudaLaunchKernel": "v7000", "cudaGraphLaunch": "v10000"}
_COPY_KINDS = {"copy h2d": 1, "copy d2h": 2, "copy d2d": 8}
_PAGEABLE, _PINNED, _DEVICE = 0, 1, 2
_MEMORY = ((_PAGEABLE, "Pageable"), (_PINNED, "Pinned"), (_DEVICE, "Device"))
_COPIES = ((1, "Host-to-Device"), (2, "Device-to-Host"), (8, "Device-to-Device"))
_PUSH_POP, _DOMAIN = 59, 75
_OF_RUNTIME, _OF_SYSTEM = 0, 27
_ENUM = "id INTEGER, name TEXT, label TEXT"
_PAIR = "name TEXT, value TEXT"
_PLACED = (
    "start INTEGER, end INTEGER, deviceId INTEGER, contextId INTEGER, greenContextId INTEGER, "
    "streamId INTEGER, correlationId INTEGER, globalPid INTEGER"
)
_KERNEL = (
    f"{_PLACED}, demangledName INTEGER, shortName INTEGER, mangledName INTEGER, "
    "launchType INTEGER, registersPerThread INTEGER, gridX INTEGER, gridY INTEGER, gridZ INTEGER, "
    "blockX INTEGER, blockY INTEGER, blockZ INTEGER, staticSharedMemory INTEGER, "
    "dynamicSharedMemory INTEGER, graphNodeId INTEGER"
)
_COPY = (
    f"{_PLACED}, bytes INTEGER, copyKind INTEGER, srcKind INTEGER, dstKind INTEGER, "
    "graphNodeId INTEGER, copyCount INTEGER"
)
_CALL = (
    "start INTEGER, end INTEGER, eventClass INTEGER, globalTid INTEGER, correlationId INTEGER, "
    "nameId INTEGER, returnValue INTEGER, callchainId INTEGER"
)
_MARK = (
    "start INTEGER, end INTEGER, eventType INTEGER, rangeId INTEGER, category INTEGER, "
    "text TEXT, globalTid INTEGER, endGlobalTid INTEGER, textId INTEGER, domainId INTEGER"
)


def write(events: RecordedEvents, folder: Path) -> Path:
    """Write the report into `folder`, which must not exist. Raises OutputError."""
    with write_aside(folder) as aside:
        write_tables(aside / NAME, _NsysTables(events).tables())
    return folder


class _NsysTables:
    """The tables of a report, as far as they have rows, and the texts that these refer to."""

    def __init__(self, events: RecordedEvents) -> None:
        self.events = events
        times = [(one.start, one.stop) for one in events.ranges]
        times += [(one.start, one.stop) for one in events.operations]
        first = min((start for start, _ in times), default=0)
        self.begin = first - first % 1_000_000_000
        self.duration = max((stop for _, stop in times), default=first) - self.begin
        self._texts: dict[str, int] = {}
        self._domains: dict[str, int] = {}

    def tables(self) -> Iterator[DatabaseTable]:
        """All tables, texts last."""
        yield from self._beside()
        yield from (table for table in self._recorded() if table.rows)
        texts = [(number, text) for text, number in self._texts.items()]
        yield DatabaseTable("StringIds", "id INTEGER PRIMARY KEY, value TEXT", texts)

    def _beside(self) -> Iterator[DatabaseTable]:
        """What the report says of itself, of its host and of its processes."""
        ranks = range(self.events.ranks)
        version = [("EXPORT_SCHEMA_VERSION", SCHEMA)]
        yield DatabaseTable("META_DATA_EXPORT", _PAIR, version)
        session = [(self.begin, None)]
        yield DatabaseTable(
            "TARGET_INFO_SESSION_START_TIME", "utcEpochNs INTEGER, utcTime TEXT", session
        )
        yield DatabaseTable(
            "ANALYSIS_DETAILS", "globalVid INTEGER, duration INTEGER", [(0, self.duration)]
        )
        yield DatabaseTable("TARGET_INFO_SYSTEM_ENV", _PAIR, [("Hostname", HOST)])
        gpus = [(rank, None, rank, self.events.multiprocessors) for rank in ranks]
        columns = "id INTEGER, name TEXT, cuDevice INTEGER, smCount INTEGER"
        yield DatabaseTable("TARGET_INFO_GPU", columns, gpus)
        processes = [(_make_process_id(rank), PROCESS + rank, self.events.title) for rank in ranks]
        yield DatabaseTable("PROCESSES", "globalPid INTEGER, pid INTEGER, name TEXT", processes)
        yield DatabaseTable("ENUM_CUDA_MEMCPY_OPER", _ENUM, _number_words(_COPIES))
        yield DatabaseTable("ENUM_CUDA_MEM_KIND", _ENUM, _number_words(_MEMORY))

    def _recorded(self) -> Iterator[DatabaseTable]:
        """What ran."""
        ranges, operations = self.events.ranges, self.events.operations
        kernels = [self._kernel(one) for one in operations if one.kind == "kernel"]
        yield DatabaseTable("CUPTI_ACTIVITY_KIND_KERNEL", _KERNEL, kernels)
        copies = [self._copy(one) for one in operations if one.kind != "kernel"]
        yield DatabaseTable("CUPTI_ACTIVITY_KIND_MEMCPY", _COPY, copies)
        calls = [self._call(one) for one in ranges if one.kind == "call"]
        yield DatabaseTable("CUPTI_ACTIVITY_KIND_RUNTIME", _CALL, calls)
        system = [self._call(one) for one in ranges if _is_of_system(one)]
        yield DatabaseTable("OSRT_API", _CALL, system)
        yield DatabaseTable("NVTX_EVENTS", _MARK, list(self._marks()))
        names = [
            (self._text(_name_thread(one, self.events.ranks)), _make_thread_id(one))
            for one in self.events.threads
        ]
        yield DatabaseTable("ThreadNames", "nameId INTEGER, globalTid INTEGER", names)

    def _marks(self) -> Iterator[tuple[Cell, ...]]:
        """Steps, and functions; the names of domains after them."""
        for step in self.events.steps:
            text, thread = f"iteration {step.number}", RecordedThread(step.rank, 0, "")
            yield self._mark(step.start, step.stop, text, thread, 0)
        number = 0
        for one in self.events.ranges:
            if one.kind != "call" and not _is_of_system(one):
                domain, text = self._domain(one), one.name
                if one.kind == "function" and _get_file(one).startswith(_OPERATORS):
                    domain, number, text = 0, number + 1, f"{one.name}, op_id = {number}"
                yield self._mark(one.start, one.stop, text, one.thread, domain)
        for name, domain in self._domains.items():
            for rank in range(self.events.ranks):
                tid = _make_thread_id(RecordedThread(rank, 0, ""))
                yield (0, None, _DOMAIN, None, None, name, tid, None, None, domain)

    def _mark(
        self, start: int, stop: int, text: str, thread: RecordedThread, domain: int
    ) -> tuple[Cell, ...]:
        times = (start - self.begin, stop - self.begin)
        return (*times, _PUSH_POP, None, None, text, _make_thread_id(thread), None, None, domain)

    def _domain(self, one: RecordedRange) -> int:
        """The number of the domain of a range; 0 is the default one."""
        file = _get_file(one) if one.kind == "function" else ""
        if not file:
            return 0
        known = (name for start, name in _DOMAINS.items() if file.startswith(start))
        return self._domains.setdefault(next(known, file), len(self._domains) + 1)

    def _call(self, one: RecordedRange) -> tuple[Cell, ...]:
        times, tid = (one.start - self.begin, one.stop - self.begin), _make_thread_id(one.thread)
        if one.kind != "call":
            return (*times, _OF_SYSTEM, tid, None, self._text(one.name), 0, None)
        name = self._text(f"{one.name}_{_VERSIONS.get(one.name, 'v3020')}")
        return (*times, _OF_RUNTIME, tid, one.correlation, name, 0, None)

    def _placed(self, one: RecordedOperation) -> tuple[Cell, ...]:
        return (
            one.start - self.begin, one.stop - self.begin, one.rank, 1, None, one.stream,
            one.correlation, _make_process_id(one.rank),
        )  # fmt: skip

    def _kernel(self, one: RecordedOperation) -> tuple[Cell, ...]:
        name, graph, said = self._text(one.name), int(one.graph) or None, one.launch
        sizes: tuple[Cell, ...] = (None,) * 9
        if said is not None:
            sizes = (said.registers, said.blocks, 1, 1, said.threads, 1, 1)
            sizes += (said.static_shared, said.dynamic_shared)
        return (*self._placed(one), name, name, name, 0, *sizes, graph)

    def _copy(self, one: RecordedOperation) -> tuple[Cell, ...]:
        host = _PINNED if one.pinned else _PAGEABLE
        source = host if one.kind == "copy h2d" else _DEVICE
        target = host if one.kind == "copy d2h" else _DEVICE
        kind = _COPY_KINDS[one.kind]
        return (*self._placed(one), one.size, kind, source, target, int(one.graph) or None, 1)

    def _text(self, text: str) -> int:
        return self._texts.setdefault(text, len(self._texts) + 1)


def _make_process_id(rank: int) -> int:
    """The global identifier of a process."""
    return (1 << 48) | ((PROCESS + rank) << 24)


def _make_thread_id(thread: RecordedThread) -> int:
    """The global identifier of a thread; the main one has the number of its process."""
    return _make_process_id(thread.rank) | (PROCESS + thread.rank + thread.number * 10_000)


def _name_thread(thread: RecordedThread, ranks: int) -> str:
    """What the tool calls a thread: main ones by their rank, where there are several."""
    return f"MPI Rank {thread.rank}" if ranks > 1 and not thread.number else thread.name


def _get_file(one: RecordedRange) -> str:
    return one.module.rpartition("/")[2]


def _is_of_system(one: RecordedRange) -> bool:
    return one.kind == "function" and _get_file(one).startswith(_SYSTEM)


def _number_words(words: tuple[tuple[int, str], ...]) -> list[tuple[Cell, ...]]:
    return [(number, word, word) for number, word in words]
