"""Timelines of XLA's profiler to a `Source`."""

from __future__ import annotations

import re
from pathlib import Path
from typing import Any

from perfolio.common.errors import FormatError, InputError
from perfolio.readers.chrome_trace import has_trace_suffix, is_timeline_of_xla
from perfolio.readers.code_names import PYTHON_MODULE
from perfolio.readers.events.event_names import find_runtime_library, to_name_text
from perfolio.readers.events.exact_numbers import parse_nanoseconds, to_whole_number
from perfolio.readers.events.missing_notes import describe_missing
from perfolio.readers.events.recording import (
    NONE,
    CodePlace,
    LineKey,
    RangeKind,
    RecordedProcess,
    Recording,
)
from perfolio.readers.events.recording_tables import make_recording_tables
from perfolio.readers.json_stream import ElementStream, UnreadableError
from perfolio.readers.measures import load_measures
from perfolio.readers.model import InputFile, Source
from perfolio.readers.text_stream import TextStream, open_text, read_begin
from perfolio.readers.xla.timeline_events import (
    TimelineEvent,
    decode_events,
    find_bytes,
    find_kind,
    find_launch,
    get_args,
)

TOOL = "XLA profiler"
_AGAIN = "record it again, or copy the whole file again"
_MODULE = "XLA"
"""Where operations of the host are recorded in."""
_DEVICE = re.compile(r"/device:GPU:(\d{1,6})(?: (.+))?")
_HOST = "/host:"
_STREAM = re.compile(r"Stream #(\d{1,9})")
_CALL = re.compile(r"(?:cu|cuda|hip)[A-Z]\w+")
_PLACE = re.compile(r"\$(.+?):(\d{1,9}) (.+)", re.DOTALL)
"""A function of Python with its file and line."""


def matches(path: Path) -> bool:
    """Whether `path` is a timeline of XLA, by the begin of its text."""
    if not path.is_file() or not has_trace_suffix(path):
        return False
    try:
        return is_timeline_of_xla(read_begin(open_text(path)))
    except InputError:
        return False


def read(path: Path) -> Source:
    """Read a timeline. Raises InputError and FormatError."""
    text, recording = open_text(path), Recording()
    reading = _TimelineReading(recording)
    notes = _read_events(text, reading)
    if not len(recording.ranges) and not len(recording.operations):
        raise InputError(
            f"{path}: holds no operation of a host or GPU",
            hint="record steps between jax.profiler.start_trace() and stop_trace()",
        )
    return Source(
        path=path,
        tool=TOOL,
        format_version="",
        title=path.name.split(".")[0],
        description="",
        files=(InputFile(text.opened, ""),),
        tables=make_recording_tables(recording, load_measures(Path(__file__).parent)),
        streams={},
        warnings=(*notes, *describe_missing(recording)),
        device=reading.device,
    )


def _read_events(text: TextStream, reading: _TimelineReading) -> list[str]:
    elements = ElementStream[TimelineEvent](text.pieces(), decode_events)
    try:
        for events in elements.lists():
            for event in events:
                reading.add(event)
    except (UnreadableError, ValueError) as problem:
        place = problem.offset if isinstance(problem, UnreadableError) else elements.offset
        raise FormatError(
            text.opened.path, place, f"of its text: {problem}", hint=_AGAIN
        ) from problem
    if elements.is_closed:
        return []
    reason = text.truncated or "the file ends within its list of events"
    return [f"{reason}: it was read up to byte {elements.offset:,} of its text"]


class _TimelineReading:
    """Events of one file, as they become rows of a recording."""

    def __init__(self, recording: Recording) -> None:
        self.recording = recording
        recording.processes.append(RecordedProcess())
        self.processes: dict[str, str] = {}
        self.threads: dict[tuple[str, str], str] = {}
        self._models: set[str] = set()

    @property
    def device(self) -> str:
        """What all GPUs are called; empty where they differ, or are not named."""
        return next(iter(self._models)) if len(self._models) == 1 else ""

    def add(self, event: TimelineEvent) -> None:
        """Add what an event is. Raises ValueError where its times are no numbers."""
        process, thread = str(event.pid)[:40], str(event.tid)[:40]
        if event.ph == "M" and isinstance(get_args(event).name, str):
            self._name(event, process, thread)
        elif event.ph == "X":
            name = self.processes.get(process, "")
            if device := _DEVICE.match(name):
                stream = _STREAM.match(self.threads.get((process, thread), ""))
                if stream:
                    self._operation(event, int(device[1]), int(stream[1]))
            elif name.startswith(_HOST):
                self._range(event, LineKey(0, False, f"{process}/{thread}"))  # noqa: FBT003

    def _name(self, event: TimelineEvent, process: str, thread: str) -> None:
        name = str(get_args(event).name)[:200]
        if event.name == "process_name":
            self.processes[process] = name
            found = _DEVICE.match(name)
            if found and found[2]:
                self._models.add(to_name_text(found[2]))
        elif event.name == "thread_name":
            self.threads[process, thread] = name
            if self.processes.get(process, "").startswith(_HOST):
                line = LineKey(0, False, f"{process}/{thread}")  # noqa: FBT003
                self.recording.line_names[line] = to_name_text(name)

    def _operation(self, event: TimelineEvent, device: int, stream: int) -> None:
        start, duration = _parse_times(event)
        kind, launch = find_kind(event), find_launch(event)
        self.recording.operations.append(
            self.recording.lines.of(LineKey(0, True, stream, device)),  # noqa: FBT003
            start,
            duration,
            kind,
            self.recording.codes.of(CodePlace(to_name_text(event.name) or "<unnamed>")),
            _find_correlation(event),
            find_bytes(event),
            *launch,
            *[NONE] * 3,
        )

    def _range(self, event: TimelineEvent, line: LineKey) -> None:
        start, duration = _parse_times(event)
        kind, code = _find_place(event)
        correlation = _find_correlation(event) if kind is RangeKind.CALL else NONE
        self.recording.ranges.append(
            self.recording.lines.of(line),
            start,
            duration,
            kind,
            self.recording.codes.of(code),
            correlation,
            NONE,
        )


def _parse_times(event: TimelineEvent) -> tuple[int, int]:
    duration = parse_nanoseconds(event.dur) if bytes(event.dur) else 0
    return parse_nanoseconds(event.ts), max(duration, 0)


def _find_correlation(event: TimelineEvent) -> int:
    return to_whole_number(get_args(event).correlation) or NONE


def _find_place(event: TimelineEvent) -> tuple[RangeKind, CodePlace]:
    """What an event of the host is, and its place of code, by its name."""
    name: Any = to_name_text(event.name) or "<unnamed>"
    step = to_whole_number(get_args(event).step)
    if step != NONE:
        return RangeKind.STEP, CodePlace(f"{name} {step}", _MODULE)
    if place := _PLACE.fullmatch(name):
        return RangeKind.PYTHON, CodePlace(place[3], PYTHON_MODULE, place[1], int(place[2]))
    if _CALL.fullmatch(name):
        return RangeKind.CALL, CodePlace(name, find_runtime_library(name))
    return RangeKind.OPERATOR, CodePlace(name, _MODULE)
