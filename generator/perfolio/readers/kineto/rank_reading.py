"""The trace of one rank to a recording of its own, in this process or in another one.

In:  paths of traces. Out: what each holds, in their order.
"""

from __future__ import annotations

from collections.abc import Generator, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

import numpy as np

from perfolio.common.errors import FormatError, InputError
from perfolio.common.processes import map_in_processes
from perfolio.readers.code_names import to_storable_text
from perfolio.readers.events.exact_numbers import to_whole_number
from perfolio.readers.events.recording import LARGEST, LineKey, RangeKind, Recording
from perfolio.readers.json_stream import ElementStream, UnreadableError
from perfolio.readers.kineto.event_classification import TraceReading
from perfolio.readers.kineto.profiler_options import find_options
from perfolio.readers.kineto.rank_files import read_rank_header
from perfolio.readers.kineto.trace_events import EventDecoder, KinetoEvent
from perfolio.readers.stable_file import State
from perfolio.readers.text_stream import TextStream, open_text, read_begin

_AGAIN = "record it again, or copy the whole file again"
LARGE = 100_000_000
"""Bytes of text of all ranks from which on new processes save more time than they take to begin."""
_PACKED = 10
"""A compressed trace has about so many times more text."""


@dataclass(frozen=True)
class RankReading:
    """What the trace of a rank holds."""

    state: State
    """Of the file that was read."""
    recording: Recording
    version: str
    """Of its format; empty where it does not say."""
    devices: set[tuple[str, int]]
    """What the driver calls the GPUs of the node, and the bytes of their memory."""
    options: set[str]
    """Of the profiler, that were on."""
    notes: list[str]
    """What had to be tolerated."""


RankOutcome = RankReading | InputError
"""What a trace holds, or why it cannot be read."""


def read_ranks(files: Sequence[Path]) -> Generator[RankReading, None, None]:
    """Read the traces of all ranks, in order: in several processes where they are large.

    Raises what `read_rank` does of the first file that cannot be read, and WorkerError.
    """
    if len(files) > 1 and sum(map(_estimate_text, files)) >= LARGE:
        yield from map_in_processes(read_rank, files)
    else:
        yield from map(read_rank, files)


def try_rank(file: Path) -> RankOutcome:
    """Read the trace of one rank for another process: where that fails, why is the result.

    So the first of all files that cannot be read decides, and not the first that was tried.
    """
    try:
        return read_rank(file)
    except InputError as problem:
        return problem


def _estimate_text(file: Path) -> int:
    """Bytes of text of a file; 0 where it cannot be told: to read it says why."""
    try:
        size = file.stat().st_size
    except OSError:
        return 0
    return size * _PACKED if file.suffix == ".gz" else size


def read_rank(file: Path) -> RankReading:
    """Read the trace of one rank. Raises InputError and FormatError."""
    text, recording = open_text(file), Recording()
    header = read_rank_header(file, read_begin(text))
    recording.sizes |= {header.size} if header.size else set()
    reading = TraceReading(recording, header.rank)
    beside, notes = _read_events(text, reading)
    reading.close()
    _shift_times(recording, beside)
    _find_main_thread(reading)
    return RankReading(
        text.opened.state,
        recording,
        str(beside.get("schemaVersion", ""))[:20],
        _list_devices(beside),
        find_options(beside),
        notes,
    )


def _list_devices(beside: dict[str, Any]) -> set[tuple[str, int]]:
    """What the driver calls the GPUs of the node, and the bytes of their memory."""
    listed = beside.get("deviceProperties")
    rows = [row for row in listed if isinstance(row, dict)] if isinstance(listed, list) else []
    return {
        (
            to_storable_text(str(row.get("name")))[:200],
            max(to_whole_number(row.get("totalGlobalMem")), 0),
        )
        for row in rows
        if row.get("name")
    }


def _read_events(text: TextStream, reading: TraceReading) -> tuple[dict[str, Any], list[str]]:
    """All events of a file; what stands beside them, and what had to be tolerated."""
    path, decoder = text.opened.path, EventDecoder()
    elements = ElementStream[KinetoEvent](text.pieces(), decoder.decode)
    try:
        for events in elements.lists():
            _add_events(reading, events, path, elements.offset)
    except UnreadableError as problem:
        raise FormatError(path, problem.offset, f"of its text: {problem}", hint=_AGAIN) from problem
    notes = []
    if not elements.is_closed:
        reason = text.truncated or "the file ends within its list of events"
        notes.append(
            f"{reason}: it was read up to its last whole event, which ends at byte "
            f"{elements.offset:,} of its text"
        )
    if text.left_out:
        notes.append(text.left_out)
    if decoder.is_unescaped:
        notes.append("names hold backslashes that JSON wants doubled: they were read as they stand")
    return elements.beside(), [*notes, *reading.notes]


def _add_events(
    reading: TraceReading, events: Sequence[KinetoEvent], path: Path, offset: int
) -> None:
    try:
        reading.add(events)
    except ValueError as problem:
        raise FormatError(path, offset, f"before it, {problem}", hint=_AGAIN) from problem


def _shift_times(recording: Recording, beside: dict[str, Any]) -> None:
    """Times of a file, which may be relative to what stands beside its events, to the epoch."""
    base = beside.get("baseTimeNanoseconds", 0)
    if isinstance(base, bool) or not isinstance(base, int) or not 0 < base < LARGEST:
        return
    tables = (recording.ranges["start"], recording.operations["start"], recording.memory["time"])
    for column in tables:
        if len(column) and int(column.max()) < LARGEST - base:
            np.add(column, base, out=column)
            recording.zeros.add(base)


def _find_main_thread(reading: TraceReading) -> None:
    """The thread with steps, or most operators; functions of Python that name no thread are its."""
    recording = reading.recording
    lines = recording.lines.all()
    numbers = {line: number for number, line in enumerate(lines)}
    mains: dict[int, int] = {}
    for line in sorted(reading.operators, key=lambda line: (reading.operators[line], -line)):
        mains[lines[line].process] = line
    final = np.arange(len(lines))
    for process, main in mains.items():
        key = lines[main].key
        recording.processes[process] = replace(recording.processes[process], main_thread=key)
        nobody = numbers.get(LineKey(process, False, "0/0"))  # noqa: FBT003 - a host thread
        if nobody is not None:
            final[nobody] = main
    column = recording.ranges["line"]
    rows = recording.ranges["kind"] == RangeKind.PYTHON
    column[rows] = final[column[rows]]
