"""A recording as tools write it, by our writers and what these have no place for.

Several GPUs of a process, copies between GPUs, memsets and clocks that are off.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

from perfolio.writers.events import kineto_json, nsys_sqlite, rocpd_sqlite
from perfolio.writers.events import model as written
from perfolio.writers.events.sqlite_writer import Cell, DatabaseTable, write_tables
from tests.recordings.model import Call, Operation, Range, Recording

FORMATS = ("kineto", "nsys", "rocpd")
MULTIPROCESSORS = 108
_LIBRARIES = {"cuda": "libcudart.so.12", "hip": "libamdhip64.so"}
_OPERATORS = "libtorch_cpu.so"
_NAMES = {
    "H2D": "Memcpy HtoD ({} -> Device)",
    "D2H": "Memcpy DtoH (Device -> {})",
    "D2D": "Memcpy DtoD (Device -> Device)",
    "P2P": "Memcpy PtoP (Device -> Device)",
}
_HIP = {"cudaLaunchKernelExC": "hipExtLaunchKernel"}
_PEER = 10
"""How Nsight Systems numbers copies between GPUs."""


@dataclass(frozen=True)
class Placed(written.RecordedOperation):
    """An operation on any GPU of its process, or of a kind that the writers do not know."""

    device: int = 0
    peer: int = -1
    """The GPU that a copy goes to, where it is another one."""
    memset: bool = False


def write(recording: Recording, form: str, folder: Path) -> Path:
    """Write it into a new folder, and give what is to be read."""
    return _WRITERS[form](recording, folder)


def _events(recording: Recording, vendor: str) -> written.RecordedEvents:
    threads = {
        (one.process, one.thread) for one in recording.events if isinstance(one, Call | Range)
    } | {(process, 0) for process in range(recording.processes)}
    ranges = [_range(recording, one, vendor) for one in _hosts(recording)]
    pinned = {one.number for one in recording.calls if one.kind == "async copy"}
    placed = [_placed(recording, one, pinned) for one in recording.operations]
    steps = [
        written.RecordedStep(
            one.process, one.number, *_at(recording, one.process, one.start, one.stop)
        )
        for one in recording.steps
    ]  # fmt: skip
    return written.RecordedEvents(
        "train", "nvidia" if vendor == "cuda" else "amd", recording.processes, MULTIPROCESSORS,
        tuple(
            written.RecordedThread(*one, "helper" if one[1] else "main") for one in sorted(threads)
        ),
        tuple(sorted(ranges, key=lambda one: (one.start, -one.stop))),
        tuple(sorted(placed, key=lambda one: one.start)),
        tuple(steps),
    )  # fmt: skip


def _hosts(recording: Recording) -> Iterator[Call | Range]:
    yield from recording.ranges
    yield from recording.calls


def _at(recording: Recording, process: int, start: int, stop: int) -> tuple[int, int]:
    """Times as the clock of the process's host shows them."""
    offset = recording.host_offsets[process] if recording.host_offsets else 0
    return start + offset, stop + offset


def _range(recording: Recording, one: Call | Range, vendor: str) -> written.RecordedRange:
    thread = written.RecordedThread(one.process, one.thread, "")
    times = _at(recording, one.process, one.start, one.stop)
    if isinstance(one, Call):
        name = one.name if vendor == "cuda" else _HIP.get(one.name, f"hip{one.name[4:]}")
        return written.RecordedRange(
            thread, "call", name, _LIBRARIES[vendor], "", 0, *times, one.number
        )
    if one.kind == "python":
        return written.RecordedRange(thread, "python", one.name, "", "train.py", 7, *times)
    return written.RecordedRange(thread, "function", one.name, _OPERATORS, "", 0, *times)


def _placed(recording: Recording, one: Operation, pinned: set[int]) -> Placed:
    times = _at(recording, one.process, one.start, one.stop)
    start, stop = (time + recording.gpu_offset for time in times)
    device = one.process * recording.devices + one.device
    other = one.process * recording.devices + (one.device + 1) % recording.devices
    kinds: dict[str, written.OperationKind] = {
        "H2D": "copy h2d", "D2H": "copy d2h", "D2D": "copy d2d", "P2P": "copy d2d"
    }  # fmt: skip
    return Placed(
        one.process, one.stream, kinds.get(one.direction, "kernel"), one.name, start, stop,
        one.call, written.RecordedThread(one.process, 0, ""), one.size, one.call in pinned,
        one.graph, device=device,
        peer=other if one.direction == "P2P" else -1, memset=one.kind == "memset",
    )  # fmt: skip


def _write_kineto(recording: Recording, folder: Path) -> Path:
    events = _events(recording, "cuda")
    begins = [one.start for one in events.ranges] + [one.start for one in events.operations]
    base = min(begins) - min(begins) % 1_000_000_000
    folder.mkdir()
    for rank in range(recording.processes):
        rows = [
            kineto_json._format_event(kineto_json._describe_step(one), one.start, one.stop, base)
            for one in events.steps
            if one.rank == rank
        ]
        rows += [
            kineto_json._format_event(kineto_json._describe_range(one), one.start, one.stop, base)
            for one in events.ranges
            if one.thread.rank == rank
        ]
        rows += [
            kineto_json._format_event(_kineto_operation(one), one.start, one.stop, base)
            for one in events.operations
            if isinstance(one, Placed) and one.rank == rank
        ]
        head: dict[str, Any] = {"schemaVersion": 1, "baseTimeNanoseconds": base}
        if recording.ranked:
            told = {"backend": "nccl", "rank": rank, "world_size": recording.processes}
            head["distributedInfo"] = told
        devices = range(rank * recording.devices, (rank + 1) * recording.devices)
        head["deviceProperties"] = [{"id": one, "numSms": MULTIPROCESSORS} for one in devices]
        text = ",\n".join(rows)
        name = f"trace_rank{rank}.json" if recording.ranked else "trace.json"
        (folder / name).write_text(f'{json.dumps(head)[:-1]}, "traceEvents": [\n{text}\n]}}\n')
    return folder if recording.processes > 1 else next(folder.iterdir())


def _kineto_operation(one: Placed) -> dict[str, Any]:
    args: dict[str, Any] = {"device": one.device, "stream": one.stream}
    args["correlation"] = one.correlation
    event = {"pid": one.device, "tid": one.stream, "args": args}
    if one.memset:
        return {"cat": "gpu_memset", "name": "Memset (Device)", **event}
    if one.kind == "kernel":
        return {"cat": "kernel", "name": one.name, **event}
    args["bytes"] = one.size
    memory = "Pinned" if one.pinned else "Pageable"
    return {"cat": "gpu_memcpy", "name": _NAMES[one.name].format(memory), **event}


class _Report(nsys_sqlite._NsysTables):
    """A report in which processes may have several GPUs."""

    anonymous = False

    def _placed(self, one: written.RecordedOperation) -> tuple[Cell, ...]:
        start, stop, _, *rest = super()._placed(one)
        return (start, stop, one.device if isinstance(one, Placed) else 0, *rest)

    def _copy(self, one: written.RecordedOperation) -> tuple[Cell, ...]:
        row = list(super()._copy(one))
        if isinstance(one, Placed) and one.peer >= 0:
            row[9] = _PEER
        return tuple(row)

    def _recorded(self) -> Iterator[DatabaseTable]:
        every = self.events.operations
        sets = [one for one in every if isinstance(one, Placed) and one.memset]
        others = tuple(one for one in every if one not in sets)
        self.events = replace(self.events, operations=others)
        for table in super()._recorded():
            if table.name != "ThreadNames" or not self.anonymous:
                yield table
        rows = [(*self._placed(one), 0, one.size, 2, None) for one in sets]
        columns = (
            f"{nsys_sqlite._PLACED}, value INTEGER, bytes INTEGER, memKind INTEGER, graphNodeId "
            "INTEGER"
        )
        yield DatabaseTable("CUPTI_ACTIVITY_KIND_MEMSET", columns, rows)


def _write_nsys(recording: Recording, folder: Path) -> Path:
    events = _events(replace(recording, host_offsets=()), "cuda")  # a report is of one host
    folder.mkdir()
    report = _Report(events)
    report.anonymous = recording.anonymous
    write_tables(folder / nsys_sqlite.NAME, report.tables())
    return folder / nsys_sqlite.NAME


class _Database(rocpd_sqlite._RankTables):
    """A database in which a process may have several GPUs."""

    def _kernel(self, number: int, one: written.RecordedOperation) -> tuple[Cell, ...]:
        row = list(super()._kernel(number, one))
        row[7] = _agent(one)
        return tuple(row)

    def _copy(self, number: int, one: written.RecordedOperation) -> tuple[Cell, ...]:
        row = list(super()._copy(number, one))
        own, other = _agent(one), getattr(one, "peer", -1)
        if one.kind in ("copy h2d", "copy d2d"):
            row[13] = other + 1 if other >= 0 else own
        if one.kind in ("copy d2h", "copy d2d"):
            row[15] = own
        return tuple(row)


def _agent(one: written.RecordedOperation) -> int:
    return 1 + (one.device if isinstance(one, Placed) else one.rank)


def _write_rocpd(recording: Recording, folder: Path) -> Path:
    """Databases have no memsets of a GPU: these are kernels there, which no one asks of here."""
    events = _events(recording, "hip")
    kept = tuple(one for one in events.operations if not (isinstance(one, Placed) and one.memset))
    folder.mkdir()
    for rank in range(recording.processes):
        database = _Database(replace(events, operations=kept), rank)
        told = {"OMPI_COMM_WORLD_RANK": str(rank)} if recording.ranked else {}
        database.environment = told
        path = folder / (f"rank{rank}_results.db" if recording.ranked else "results.db")
        write_tables(path, database.tables(), below_views=rocpd_sqlite._BELOW)
    return folder if recording.processes > 1 else path


_WRITERS: dict[str, Callable[[Recording, Path], Path]] = {
    "kineto": _write_kineto,
    "nsys": _write_nsys,
    "rocpd": _write_rocpd,
}
