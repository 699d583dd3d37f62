"""Kernels, copies, calls and markers to a recording, in whatever form they were written.

A stream of HIP is a line where the tool tells streams; else a queue is, else a device is.
"""

from __future__ import annotations

import re
from collections import Counter, defaultdict
from collections.abc import Hashable, Iterator
from dataclasses import dataclass, field, replace
from typing import Any, NamedTuple

import numpy as np

from perfolio.readers.events.gpu_operations import COPIES
from perfolio.readers.events.recording import (
    NONE,
    CodePlace,
    LineKey,
    NumberedItems,
    OperationKind,
    RangeKind,
    RecordedProcess,
    Recording,
    find_spans_by_owner,
)
from perfolio.readers.rocm.field_values import name_kernel, parse_whole, to_name_text
from perfolio.readers.rocm.marker_ranges import demote_steps, parse_marker

HIP, HSA = "libamdhip64.so", "libhsa-runtime64.so"
_MARKER = re.compile("MARKER|ROCTX", re.IGNORECASE)
_CONTROL = re.compile(r"MARKER_(?:CONTROL|NAME)", re.IGNORECASE)
_LIBRARIES = (
    (re.compile(r"(?:__)?hip[A-Z_]"), HIP, RangeKind.CALL),
    (re.compile(r"hsa_"), HSA, RangeKind.CALL),
    (re.compile(r"hsaKmt"), "libhsakmt.so", RangeKind.CALL),
    (re.compile(r"p?(?:nccl|rccl|mscclpp)[A-Z]"), "librccl.so", RangeKind.OPERATOR),
    (re.compile(r"rocDec[A-Z]"), "librocdecode.so", RangeKind.OPERATOR),
    (re.compile(r"rocJpeg[A-Z]"), "librocjpeg.so", RangeKind.OPERATOR),
    (re.compile(r"omp[_A-Z]"), "libomp.so", RangeKind.OPERATOR),
    (re.compile(r"P?MPI_"), "libmpi.so", RangeKind.OPERATOR),
)
"""Libraries by the names of their functions: calls of a GPU's runtime, and of others."""
_DOMAINS = (("HIP", HIP), ("HSA", HSA))
_COPY_NAMES = {
    OperationKind.COPY_IN: "Memcpy HtoD",
    OperationKind.COPY_OUT: "Memcpy DtoH",
    OperationKind.COPY_WITHIN: "Memcpy DtoD",
    OperationKind.COPY_OTHER: "Memcpy",
    OperationKind.COPY_PEER: "Memcpy PtoP",
}

LONGEST = 100 * 24 * 3_600 * 10**9
"""Nanoseconds: no run lasts longer, and sums of some hundred still fit 64 bits."""
Times = tuple[int, int]
"""Begin and duration [ns]."""


class GpuPlace(NamedTuple):
    """Where an operation ran."""

    process: int
    device: int
    queue: int = NONE
    stream: int = NONE
    is_copy: bool = False


class RocmLaunch(NamedTuple):
    """What launched a kernel, and how."""

    correlation: int = NONE
    blocks: int = NONE
    threads: int = NONE
    registers: int = NONE
    shared: int = NONE


@dataclass
class RecordingBuilder:
    """Rows of a recording, as readers of all forms find them."""

    recording: Recording = field(default_factory=Recording)
    processes: dict[Hashable, int] = field(default_factory=dict)
    first_of: dict[str, int] = field(default_factory=dict)
    """The first process of each group of files."""
    hosts: NumberedItems[str] = field(default_factory=NumberedItems)
    host_of: dict[int, str] = field(default_factory=dict)
    places: dict[LineKey, GpuPlace] = field(default_factory=dict)
    commands: list[tuple[str, ...]] = field(default_factory=list)
    """Words of the command that started each process, of forms that list them."""
    tolerated: Counter[str] = field(default_factory=Counter)
    """What had to be tolerated, and how often."""
    _codes: dict[tuple[str, str], tuple[int, RangeKind]] = field(default_factory=dict)
    _kernels: dict[str, int] = field(default_factory=dict)

    def process(self, key: tuple[str, Hashable], pid: int = NONE, rank: int | None = None) -> int:
        """The number of a process, by its group of files; what is told first of it counts."""
        number = self.processes.get(key)
        if number is None:
            number = self.processes[key] = len(self.recording.processes)
            main = None if pid == NONE else pid
            self.recording.processes.append(RecordedProcess(rank=rank, main_thread=main))
            self.first_of.setdefault(key[0], number)
        return number

    def on_host(self, process: int, host: Any) -> None:
        """Say on which host a process ran."""
        if name := to_name_text(host):
            self.hosts.of(name)
            self.host_of[process] = name

    def times(self, begin: Any, end: Any) -> Times | None:
        """When something began and how long it took; None, and counted, where that is unknown."""
        start, stop = parse_whole(begin), parse_whole(end)
        if start <= 0 or stop <= 0:
            self.tolerated["entries without usable times, which are left out"] += 1
            return None
        if stop - start > LONGEST:
            self.tolerated["entries of more than 100 days, which are left out"] += 1
            return None
        if stop < start:
            self.tolerated["entries that end before they begin, which count as 0"] += 1
            return start, 0
        return start, stop - start

    def kernel_times(self, begin: Any, end: Any) -> Times | None:
        """The same of a kernel; of one whose time was not recorded, written as 0, that it is so."""
        return (0, 0) if 0 in (parse_whole(begin), parse_whole(end)) else self.times(begin, end)

    def kernel(self, place: GpuPlace, times: Times, name: Any, launch: RocmLaunch) -> None:
        """Add a kernel."""
        called = name if isinstance(name, str) else to_name_text(name)
        code = self._kernels.get(called)
        if code is None:
            code = self._kernels[called] = self.recording.codes.of(CodePlace(name_kernel(called)))
        self.recording.operations.append(
            self._stream(place),
            *times,
            OperationKind.KERNEL,
            code,
            launch.correlation if launch.correlation > 0 else NONE,
            NONE,
            launch.blocks,
            launch.threads,
            launch.registers,
            NONE,
            NONE,
            launch.shared,
            *[NONE] * 3,
        )

    def copy(
        self, place: GpuPlace, times: Times, kind: OperationKind | None, correlation: int, size: int
    ) -> None:
        """Add a copy of memory; copies within the host's memory are no work of a GPU."""
        if kind is None:
            self.tolerated["copies within the host's memory, which are left out"] += 1
            return
        self.recording.operations.append(
            self._stream(place._replace(is_copy=True)),
            *times,
            kind,
            self.recording.codes.of(CodePlace(_COPY_NAMES[kind])),
            correlation if correlation > 0 else NONE,
            size,
            *[NONE] * 9,
        )

    def call(
        self, process: int, thread: Any, times: Times, named: tuple[str, str], correlation: int
    ) -> None:
        """Add a call of a library, or a range that the program marked; `named` has its domain."""
        found = self._codes.get(named)
        if found is None:
            code, kind = find_code(*named)
            found = self._codes[named] = (self.recording.codes.of(code), kind)
        number, kind = found
        if _CONTROL.search(named[0]):
            return
        key = parse_whole(thread)
        if key <= 0:
            # Ranges that one thread may begin and another end name none.
            main = self.recording.processes[process].main_thread
            key = main if isinstance(main, int) else 0
        line = self.recording.lines.of(LineKey(process, False, key))  # noqa: FBT003 - a host thread
        told = correlation if kind is RangeKind.CALL and correlation > 0 else NONE
        self.recording.ranges.append(line, *times, kind, number, told, NONE)

    def finish(self) -> Recording:
        """The recording, with streams and hosts numbered."""
        for process, host in self.host_of.items():
            node = self.hosts.of(host) if len(self.hosts) > 1 else None
            known = self.recording.processes[process]
            self.recording.processes[process] = replace(known, node=node, host=host)
        demote_steps(self.recording)
        _number_streams(self.recording, self.places)
        return self.recording

    def notes(self) -> Iterator[str]:
        """What had to be tolerated, and what the run as a whole lacks."""
        yield from (doubt.says for doubt in self.recording.doubts)
        for what, count in self.tolerated.items():
            yield f"{count:,} {what}"
        operations = self.recording.operations
        is_copy = np.isin(operations["kind"], COPIES)
        copies = int(is_copy.sum())
        if len(operations) > copies == 0:
            yield "no copy is in it: rocprofv3 records copies with --memory-copy-trace alone"
        if lacking := int((is_copy & (operations["bytes"] == NONE)).sum()):
            yield (
                f"{lacking:,} of {copies:,} copies have no bytes: rates of copies of their kind "
                "are not known"
            )
        if len(self.hosts) < 2 and _has_gap(list_process_spans(self.recording)):
            yield (
                "its processes did not run at the same time: the folder may hold several runs, and "
                "the time between them counts as idle"
            )
        if len(self.hosts) > 1 and not self.recording.clocks:
            yield (
                f"its processes ran on {len(self.hosts)} hosts, whose clocks begin when each host "
                "does: times of one cannot be compared with those of another"
            )

    def _stream(self, place: GpuPlace) -> int:
        key = f"{place.stream}/{place.queue}/{place.is_copy}"
        line = LineKey(place.process, True, key, place.device)  # noqa: FBT003 - a stream
        self.places.setdefault(line, place)
        return self.recording.lines.of(line)


def find_code(domain: str, name: str) -> tuple[CodePlace, RangeKind]:
    """The place of code of a call or marker, and what it is."""
    said, named = to_name_text(domain), to_name_text(name) or "<unnamed>"
    if _MARKER.search(said):
        return parse_marker(named)
    for pattern, library, kind in _LIBRARIES:
        if pattern.match(named):
            return CodePlace(named, library), kind
    for prefix, library in _DOMAINS:
        if prefix in said.upper():
            return CodePlace(named, library), RangeKind.CALL
    return parse_marker(named)


def list_process_spans(recording: Recording) -> list[tuple[int, int]]:
    """First begin and last end of each process, in order of time."""
    processes = np.array([line.process for line in recording.lines.all()], np.int64)
    spans: dict[int, tuple[int, int]] = {}
    for table in (recording.ranges, recording.operations):
        owners, _, starts, stops = find_spans_by_owner(processes[table["line"]], table)
        for process, start, stop in zip(
            owners.tolist(), starts.tolist(), stops.tolist(), strict=True
        ):
            first, last = spans.get(process, (1 << 62, 0))
            spans[process] = min(first, start), max(last, stop)
    return sorted(spans.values())


def _has_gap(spans: list[tuple[int, int]]) -> bool:
    """Whether all that one process did lies before or after all that the others did."""
    reached = spans[0][1] if spans else 0
    for begin, end in spans[1:]:
        if begin > reached:
            return True
        reached = max(reached, end)
    return False


def _number_streams(recording: Recording, places: dict[LineKey, GpuPlace]) -> None:
    """Give lines of GPUs their final keys: numbers of streams, or of queues."""
    told: dict[tuple[int, int], int] = defaultdict(int)
    for place in places.values():
        own = (place.process, place.device)
        told[own] = max(told[own], place.stream)
    final: NumberedItems[LineKey] = NumberedItems()
    numbers = np.zeros(len(recording.lines), np.int64)
    for number, line in enumerate(recording.lines.all()):
        known = places.get(line)
        if known is not None:
            key = _choose_key(known, told[known.process, known.device] > 0)
            line = line._replace(key=key)  # noqa: PLW2901 - the same line under its final name
        numbers[number] = final.of(line)
    recording.lines = final
    for table in (recording.ranges, recording.operations):
        if len(table):
            column = table["line"]
            column[:] = numbers[column]


def _choose_key(place: GpuPlace, by_stream: bool) -> int | str:  # noqa: FBT001 - one of two ways to name it
    number = place.stream if by_stream else place.queue
    if number != NONE:
        return number
    return "copies" if place.is_copy else "kernels"
