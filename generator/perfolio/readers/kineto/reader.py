"""Traces of PyTorch's profiler to a `Source`, and what its options do to the times of the host."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np

from perfolio.common.errors import FormatError, InputError
from perfolio.readers.code_names import to_storable_text
from perfolio.readers.events.doubts import Doubt
from perfolio.readers.events.exact_numbers import to_whole_number
from perfolio.readers.events.missing_notes import describe_missing
from perfolio.readers.events.recording import LARGEST, LineKey, RangeKind, Recording
from perfolio.readers.events.recording_tables import make_recording_tables
from perfolio.readers.events.stray_events import set_strays_aside
from perfolio.readers.json_stream import ElementStream, UnreadableError
from perfolio.readers.kineto.event_classification import TraceReading
from perfolio.readers.kineto.profiler_cycles import FirstOfRanks
from perfolio.readers.kineto.rank_files import is_one_run, is_trace, list_traces, read_rank_header
from perfolio.readers.kineto.trace_events import EventDecoder, KinetoEvent
from perfolio.readers.measures import load_measures
from perfolio.readers.model import InputFile, Source
from perfolio.readers.text_stream import TextStream, open_text, read_begin

TOOL = "PyTorch profiler"
_AGAIN = "record it again, or copy the whole file again"
HEAVY = ("with_stack", "profile_memory", "with_modules")
"""Options that take long in each operator: calling paths, allocations, modules."""
LIGHT = ("record_shapes", "with_flops")
"""Options that take some time in each operator."""


def matches(path: Path) -> bool:
    """Whether `path` is a trace, or a folder with the traces of the ranks of one run."""
    if path.is_file():
        return is_trace(path)
    if not path.is_dir():
        return False
    found = list_traces(path)
    return is_one_run([read_rank_header(each, read_begin(open_text(each))) for each in found])


def read(path: Path) -> Source:
    """Read a trace, or those of all ranks in a folder. Raises InputError and FormatError."""
    files = _list_files(path)
    recording, opened, warnings = Recording(), [], []
    devices: set[tuple[str, int]] = set()
    version, options = "", set[str]()
    for file in files:
        text = open_text(file)
        one = read_rank_header(file, read_begin(text))
        recording.sizes |= {one.size} if one.size else set()
        reading = TraceReading(recording, one.rank)
        first = (len(recording.ranges), len(recording.operations), len(recording.memory))
        beside, notes = _read_events(text, reading)
        reading.close(first[0])
        _shift_times(recording, first, beside)
        _find_main_thread(reading, first[0])
        devices |= _list_devices(beside)
        options |= find_options(beside)
        version = str(beside.get("schemaVersion", ""))[:20] or version
        opened.append(InputFile(text.opened, version))
        warnings += [f"{file.name}: {note}" if len(files) > 1 else note for note in notes]
    if not len(recording.ranges) and not len(recording.operations):
        raise InputError(
            f"{path}: holds no operator, call or GPU operation",
            hint="record steps of the program between profiler.start() and profiler.stop()",
        )
    warnings += set_strays_aside(recording)
    recording.doubts += find_option_doubts(options)
    known = len(devices) == 1 and len(recording.operations) > 0
    device, memory = devices.pop() if known else ("", 0)
    return Source(
        path=path,
        tool=TOOL,
        format_version=version,
        title=path.title if isinstance(path, FirstOfRanks) else path.name.split(".")[0],
        description="",
        files=tuple(opened),
        tables=make_recording_tables(recording, load_measures(Path(__file__).parent)),
        streams={},
        warnings=(*warnings, *_list_notes(recording)),
        device=device,
        device_memory=memory,
        ranks=recording.ranks,
    )


def _list_files(path: Path) -> list[Path]:
    if isinstance(path, FirstOfRanks):
        return path.files()
    return [path] if path.is_file() else list_traces(path)


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


def _add_events(reading: TraceReading, events: list[KinetoEvent], path: Path, offset: int) -> None:
    try:
        reading.add(events)
    except ValueError as problem:
        raise FormatError(path, offset, f"before it, {problem}", hint=_AGAIN) from problem


def _shift_times(recording: Recording, first: tuple[int, int, int], beside: dict[str, Any]) -> None:
    """Times of a file, which may be relative to what stands beside its events, to the epoch."""
    base = beside.get("baseTimeNanoseconds", 0)
    if isinstance(base, bool) or not isinstance(base, int) or not 0 < base < LARGEST:
        return
    tables = (recording.ranges["start"], recording.operations["start"], recording.memory["time"])
    for column, begin in zip(tables, first, strict=True):
        own = column[begin:]
        if len(own) and int(own.max()) < LARGEST - base:
            own += base
            recording.zeros.add(base)


def _find_main_thread(reading: TraceReading, first: int) -> None:
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
    column = recording.ranges["line"][first:]
    rows = recording.ranges["kind"][first:] == RangeKind.PYTHON
    column[rows] = final[column[rows]]


def _list_notes(recording: Recording) -> Sequence[str]:
    """What the run as a whole lacks."""
    notes = list(describe_missing(recording))
    ranks = {process.rank for process in recording.processes} - {None}
    if len(ranks) < (size := recording.ranks):
        missing = sorted(set(range(min(size, 10_000))) - ranks)
        shown = ", ".join(map(str, missing[:8])) + (", …" if len(missing) > 8 else "")
        notes.append(f"{len(ranks)} of {size} ranks are here: {shown} are missing")
    return notes


def find_options(beside: Mapping[str, Any]) -> set[str]:
    """The options that were on."""
    return {name for name in (*HEAVY, *LIGHT) if _is_on(beside.get(name))}


def find_option_doubts(options: set[str]) -> Iterator[Doubt]:
    """What options do to the times of the host."""
    for what, known in (("heavy_options", HEAVY), ("light_options", LIGHT)):
        if on := tuple(name for name in known if name in options):
            yield Doubt(what, len(on), len(known), names=on)


def _is_on(value: object) -> bool:
    """As numbers, or true and false of JSON."""
    return value in (True, 1, "1", "true", "True")
