"""JSON of rocprof: a trace of Chrome whose numbers are texts, with exact times in its arguments.

What launched an operation is told by arrows: one begins at a moment within the call, in whole
microseconds, and ends where the operation begins.
"""

from __future__ import annotations

import re
from array import array
from bisect import bisect_right
from collections import defaultdict, deque
from typing import Any

import msgspec

from perfolio.common.errors import FormatError
from perfolio.readers.events.recording import NONE, OperationKind
from perfolio.readers.json_stream import ElementStream, UnreadableError
from perfolio.readers.rocm.field_values import (
    compute_product,
    parse_direction,
    parse_whole,
    to_name_text,
)
from perfolio.readers.rocm.recording_builder import GpuPlace, RecordingBuilder, RocmLaunch, Times
from perfolio.readers.text_stream import TextStream

_AGAIN = "record it again, or copy the whole file again"
_DEVICE = re.compile(r"GPU ?(\d{1,6})")
_COPY = re.compile("Copy(?:Host|Device)To(?:Host|Device)")
_MARKERS = re.compile("Markers", re.IGNORECASE)
_GRID = re.compile(r"(numBlocks|dimBlocks)\(\{([^}]{1,80})\}")
_AXIS = re.compile(r"[xyz]\((\d{1,10})")
_COPIES = "COPY"
_NEAREST = 8
"""Calls that are looked at for the one around the begin of an arrow."""


class RocprofArgs(msgspec.Struct, gc=False, frozen=True):
    """What an event says beside its times in microseconds."""

    begin: Any = msgspec.field(default=None, name="BeginNs")
    end: Any = msgspec.field(default=None, name="EndNs")
    device: Any = msgspec.field(default=None, name="dev-id")
    queue: Any = msgspec.field(default=None, name="queue-id")
    stream: Any = msgspec.field(default=None, name="stream-id")
    full_name: Any = msgspec.field(default=None, name="Name")
    pid: Any = None
    tid: Any = None
    args: Any = None
    name: Any = None


class RocprofEvent(msgspec.Struct, gc=False, frozen=True):
    """One element of `traceEvents`."""

    ph: Any = None
    name: Any = None
    pid: Any = None
    tid: Any = None
    ts: Any = None
    id: Any = None
    args: RocprofArgs | str | int | float | bool | list[Any] | None = None


_DECODER = msgspec.json.Decoder(list[RocprofEvent])
_NO_ARGS = RocprofArgs()


def read_chrome(
    text: TextStream, group: str, rank: int | None, facts: RecordingBuilder
) -> list[str]:
    """All events of a file; what had to be tolerated. Raises FormatError."""
    elements = ElementStream[RocprofEvent](text.pieces(), _decode_events)
    reading = _ChromeReading(group, rank, facts)
    try:
        for events in elements.lists():
            for event in events:
                reading.add(event)
    except UnreadableError as problem:
        what = f"of its text: {problem}"
        raise FormatError(text.opened.path, problem.offset, what, hint=_AGAIN) from problem
    reading.link()
    if elements.is_closed:
        return []
    return [f"the file ends within its list of events: it was read up to byte {elements.offset:,}"]


def _decode_events(text: bytes) -> list[RocprofEvent]:
    try:
        return _DECODER.decode(text)
    except RecursionError as problem:
        raise ValueError("it is nested too deeply") from problem


class _ChromeReading:
    """Events of one file, as they become rows of a recording."""

    def __init__(self, group: str, rank: int | None, facts: RecordingBuilder) -> None:
        self.group = group
        self.rank = rank
        self.facts = facts
        self.rows: dict[int, str] = {}
        """Names of the rows of the picture: what Chrome takes for processes."""
        self.starts: dict[int, tuple[int, int, int]] = {}
        """Of each arrow the row, thread and moment [us] of its begin."""
        self.stops: list[tuple[int, tuple[int, int, int]]] = []
        self.calls: dict[tuple[int, int], tuple[array[int], array[int]]] = defaultdict(
            lambda: (array("q"), array("q"))
        )
        """By row and thread begins of calls, and their places in the recording."""
        self.operations: dict[tuple[int, int, int], deque[int]] = defaultdict(deque)
        """By row, thread and begin [us] places of operations in the recording."""
        self.told: dict[int, str] = {}
        """What a call was asked for, by its place, where that tells sizes."""

    def add(self, event: RocprofEvent) -> None:
        """Add what an event is."""
        row = parse_whole(event.pid)
        if event.ph == "M" and event.name == "process_name" and isinstance(event.args, RocprofArgs):
            self.rows[row] = to_name_text(event.args.name)
        elif event.ph in ("s", "t", "f"):
            moment = row, parse_whole(event.tid), parse_whole(event.ts)
            if event.ph == "s":
                self.starts[parse_whole(event.id)] = moment
            else:
                self.stops.append((parse_whole(event.id), moment))
        elif event.ph == "X" and isinstance(event.args, RocprofArgs):
            times = self.facts.times(event.args.begin, event.args.end)
            if times is not None:
                self._lasting(event, event.args, row, times)

    def _lasting(self, event: RocprofEvent, args: RocprofArgs, row: int, times: Times) -> None:
        process = self._process(args)
        name = args.full_name or event.name
        label = self.rows.get(row, "")
        device = parse_whole(args.device)
        if device == NONE and (found := _DEVICE.match(label)):
            device = int(found[1])
        if device == NONE and label != _COPIES:
            self._call(event, args, row, times)
            return
        operations = self.facts.recording.operations
        before = len(operations)
        place = GpuPlace(process, device, parse_whole(args.queue), parse_whole(args.stream))
        if label == _COPIES or _COPY.match(to_name_text(name)):
            self.facts.copy(place, times, parse_direction(name), NONE, NONE)
        else:
            self.facts.kernel(place, times, name, RocmLaunch())
        if len(operations) > before:
            self.operations[row, parse_whole(event.tid), parse_whole(event.ts)].append(before)

    def _call(self, event: RocprofEvent, args: RocprofArgs, row: int, times: Times) -> None:
        ranges = self.facts.recording.ranges
        label, before = self.rows.get(row, ""), len(ranges)
        domain = "MARKER" if _MARKERS.search(label) else label
        named = (domain, to_name_text(args.full_name or event.name))
        self.facts.call(self._process(args), args.tid or event.tid, times, named, NONE)
        if len(ranges) == before:
            return
        begins, places = self.calls[row, parse_whole(event.tid)]
        begins.append(times[0])
        places.append(before)
        if isinstance(args.args, str) and _GRID.search(args.args):
            self.told[before] = args.args[:2_000]

    def _process(self, args: RocprofArgs) -> int:
        pid = parse_whole(args.pid)
        return self.facts.process((self.group, pid), pid, self.rank)

    def link(self) -> None:
        """Give operations the calls that arrows lead from, and the sizes of launches."""
        recording = self.facts.recording
        if not len(recording.operations) or not len(recording.ranges):
            return
        calls = {thread: self._sorted(*columns) for thread, columns in self.calls.items()}
        of_call: dict[int, list[int]] = defaultdict(list)
        for number, moment in self.stops:
            waiting = self.operations.get(moment)
            if waiting and number in self.starts:
                row, thread, time = self.starts[number]
                call = self._around(calls.get((row, thread), []), time * 1_000)
                if call != NONE:
                    of_call[call].append(waiting.popleft())
        known, wanted = recording.ranges["correlation"], recording.operations["correlation"]
        for call, launched in of_call.items():
            known[call] = wanted[launched] = call + 1
            if len(launched) == 1:
                self._size(launched[0], self.told.get(call, ""))

    def _sorted(self, begins: array[int], places: array[int]) -> list[tuple[int, int]]:
        return sorted(zip(begins, places, strict=True))

    def _around(self, calls: list[tuple[int, int]], time: int) -> int:
        """The call that lies in most of a microsecond, the innermost one of several."""
        last = bisect_right(calls, (time + 999, 1 << 62))
        durations = self.facts.recording.ranges["duration"]
        best, longest = NONE, -1
        for begin, place in reversed(calls[max(last - _NEAREST, 0) : last]):
            within = min(begin + int(durations[place]), time + 999) - max(begin, time)
            if within > longest:
                best, longest = place, within
        return best

    def _size(self, operation: int, told: str) -> None:
        """Blocks and threads of a launch, by the arguments of the call.

        Bytes in the arguments of a call that copies are not those of its operations: it copies
        in parts, not all of which are recorded.
        """
        operations = self.facts.recording.operations
        if operations["kind"][operation] != OperationKind.KERNEL:
            return
        for which, text in _GRID.findall(told):
            sizes = [int(size) for size in _AXIS.findall(text)]
            operations["blocks" if which == "numBlocks" else "threads"][operation] = (
                compute_product(sizes)
            )
