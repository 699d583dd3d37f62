"""An event to a range of a thread, an operation of a GPU, a change of memory, or nothing."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Sequence
from contextlib import suppress
from dataclasses import dataclass, field

import numpy as np

from perfolio.readers.events.event_names import to_name_text
from perfolio.readers.events.exact_numbers import parse_nanoseconds, to_whole_number
from perfolio.readers.events.recording import (
    NONE,
    CodePlace,
    CollectiveCall,
    LineKey,
    OperationKind,
    RangeKind,
    RecordedProcess,
    Recording,
)
from perfolio.readers.kineto.event_fields import (
    BlockSizes,
    find_direction,
    find_pinned,
    parse_code,
    parse_wait,
)
from perfolio.readers.kineto.trace_events import (
    KinetoArgs,
    KinetoEvent,
    PlainKinetoEvent,
    get_args,
    parse_rank,
)
from perfolio.readers.kineto.untimed_events import (
    OperationPlace,
    UntimedEvents,
    name_event,
)

RANGES = {
    "cpu_op": RangeKind.OPERATOR,
    "operator": RangeKind.OPERATOR,
    "user_annotation": RangeKind.ANNOTATION,
    "python_function": RangeKind.PYTHON,
    "cuda_runtime": RangeKind.CALL,
    "cuda_driver": RangeKind.CALL,
    "runtime": RangeKind.CALL,
    "hip_runtime": RangeKind.CALL,
    "mtia_runtime": RangeKind.CALL,
    "privateuse1_runtime": RangeKind.CALL,
    "xpu_runtime": RangeKind.CALL,
}
"""Categories of the host, in lower case; of 2020 to 2022 they were written otherwise."""
KERNELS = frozenset({"kernel", "mtia_ccp_events"})
COPIES = frozenset({"gpu_memcpy", "memcpy"})
MEMSETS = frozenset({"gpu_memset", "memset"})
WAITS = {"cuda_sync": False, "cuda_event": True}
"""Of waits, and of records of events: whether it is a record."""
WINDOW = "trace"
"""The time in which the profiler recorded."""
UNFINISHED = (False, "false")
"""What the field `finished` of a range says whose end was not recorded."""
_STEP = re.compile(r"ProfilerStep#(\d+)")
_MARKS = (RangeKind.ANNOTATION, RangeKind.OPERATOR)
"""What steps are recorded as."""
_MARKED = ("i", "M")
"""Events without a duration of which some are read."""
_SIZES = {
    "byte": 1, "char": 1, "bool": 1, "int8": 1, "uint8": 1, "float8": 1,
    "half": 2, "bfloat16": 2, "short": 2, "int16": 2, "float16": 2,
    "float": 4, "int": 4, "int32": 4, "float32": 4,
    "double": 8, "long": 8, "int64": 8, "float64": 8,
}  # fmt: skip
"""Bytes of an element, by what PyTorch calls its type."""
_HOST = 0
"""The type of device of memory of the host."""
_Place = int | OperationPlace | bool
"""The number of a place of ranges, what an operation is, or whether a wait is a record."""
_PlaceKey = tuple[object, object, object, object]
_OTHER = object()
"""In place of a place that was not looked up yet."""


@dataclass
class TraceReading:
    """Events of one file, as they become rows of a recording."""

    recording: Recording
    rank: int | None
    processes: dict[int | None, int] = field(default_factory=dict)
    """Numbers of processes by the rank that an event names, as files of several ranks do."""
    operators: Counter[int] = field(default_factory=Counter)
    """Operators and steps by line."""
    places: dict[_PlaceKey, _Place | None] = field(default_factory=dict)
    """What events are by category, name, process and thread, of those that ended and name no rank;
    None is nothing that is read."""
    streams: dict[tuple[int, int], int] = field(default_factory=dict)
    """Lines by GPU and stream, of operations that name both and no rank."""
    untimed: UntimedEvents = field(default_factory=UntimedEvents)
    sizes: BlockSizes = field(default_factory=BlockSizes)
    threads: dict[tuple[object, object], int] = field(default_factory=dict)
    """Lines by process and thread, of plain changes of memory that name no rank."""
    nameless: int = 0
    open: list[int] = field(default_factory=list)
    """Ranges whose end was not recorded: what the file gives as such is when it was written."""
    recorded: int = 0
    """When the recording ended, in the file's own time [ns]."""

    def add(self, events: Sequence[KinetoEvent]) -> None:
        """Add what events are. Raises ValueError where times of one are no numbers."""
        event = None
        try:
            for event in events:
                if event.ph == "X":
                    args = event.args if type(event.args) is KinetoArgs else get_args(event)
                    self._interval(event, args)
                elif event.ph in _MARKED:
                    self._mark(event)
        except ValueError as problem:
            raise name_event(event, problem) from problem
        self.untimed.read_times(self.recording, self.operators)

    def _interval(self, event: KinetoEvent, args: KinetoArgs) -> None:
        """What lasts: a range, an operation, or the time in which the profiler recorded."""
        place: object = _OTHER
        is_plain = type(event) is PlainKinetoEvent
        if is_plain and args.rank is None and args.finished is None:
            place = self.places.get((event.cat, event.name, event.pid, event.tid), _OTHER)
        if place is _OTHER:
            place = self._find_place(event, args, is_plain=is_plain)
        if type(place) is int:
            self.untimed.ranges.append(event)
            self.untimed.places.append(place)
        elif type(place) is OperationPlace:
            self._operation(event, args, place)
        elif type(place) is bool:
            process, correlation = self._process(event), to_whole_number(args.correlation)
            self.recording.waits.append(
                process, correlation or NONE, *parse_wait(args, records=place)
            )

    def _mark(self, event: KinetoEvent) -> None:
        """A change of memory, or the name of a thread."""
        if event.ph == "i" and event.name == "[memory]":
            self._memory(event)
        elif event.ph == "M" and event.name == "thread_name":
            name = get_args(event).name
            if isinstance(name, str):
                self.recording.line_names[self._thread(event)] = name

    def _find_place(self, event: KinetoEvent, args: KinetoArgs, *, is_plain: bool) -> _Place | None:
        """What an event is; a plain one's place is kept, but for the window of the recording."""
        category = event.cat.lower() if isinstance(event.cat, str) else ""
        if category == WINDOW:
            self._window(event)
            return None
        place: _Place | None = None
        kind = RANGES.get(category)
        is_open = args.finished is not None and args.finished in UNFINISHED
        if kind is not None:
            place = self._find_range_place(event, kind, is_open=is_open)
        elif category in KERNELS or category in COPIES or category in MEMSETS:
            self._stream(event, args)  # its number comes before that of the name
            place = self._find_operation_place(event, category)
        elif category in WAITS:
            place = WAITS[category]
        if is_plain and args.rank is None and not is_open:
            self.places[event.cat, event.name, event.pid, event.tid] = place
        return place

    def _find_range_place(self, event: KinetoEvent, category: RangeKind, *, is_open: bool) -> int:
        """The place of a range; one whose end was not recorded is no step."""
        name = event.name if isinstance(event.name, str) else to_name_text(event.name)
        kind = category
        if category in _MARKS and _STEP.fullmatch(name):
            kind = RangeKind.ANNOTATION if is_open else RangeKind.STEP
        if is_open:
            self.open.append(len(self.recording.ranges) + len(self.untimed.ranges))
        line = self.recording.lines.of(self._thread(event))
        code = self.recording.codes.of(parse_code(kind, name))
        return self.untimed.add_place(kind, line, code, with_settings="conv" in name)

    def _find_operation_place(self, event: KinetoEvent, category: str) -> OperationPlace:
        kind = OperationKind.KERNEL
        if category in COPIES:
            kind = find_direction(event)
        elif category in MEMSETS:
            kind = OperationKind.MEMSET
        code = self.recording.codes.of(CodePlace(to_name_text(event.name)))
        return OperationPlace(kind, code, find_pinned(event.name, kind))

    def _window(self, event: KinetoEvent) -> None:
        """When the recording ended; an event that does not tell is no reason to refuse a file."""
        with suppress(ValueError):
            start, duration = parse_nanoseconds(event.ts), parse_nanoseconds(event.dur)
            if duration > 0:
                self.recorded = max(self.recorded, start + duration)

    def close(self) -> None:
        """End the open ranges with the recording.

        Where the file does not tell when that was, they end with the last range that has an end.
        """
        start, duration = self.recording.ranges["start"], self.recording.ranges["duration"]
        ended = np.ones(len(start), np.bool_)
        ended[self.open] = False
        end = self.recorded
        if end < start[ended].max(initial=1):
            end = int((start + duration)[ended].max(initial=0))
        duration[self.open] = np.clip(end - start[self.open], 0, duration[self.open])

    @property
    def notes(self) -> list[str]:
        """What had to be tolerated."""
        told = (
            (self.untimed.backwards, "events had negative durations, and count as 0"),
            (self.untimed.endless, "events had no duration, and count as 0"),
            (self.nameless, "GPU operations had no name"),
            (len(self.open), "ranges had not ended when the recording did, and end with it"),
        )
        return [f"{count:,} {words}" for count, words in told if count]

    def _process(self, event: KinetoEvent) -> int:
        own = parse_rank(get_args(event).rank)
        number = self.processes.get(own)
        if number is None:
            number = self.processes[own] = len(self.recording.processes)
            self.recording.processes.append(RecordedProcess(self.rank if own is None else own))
        return number

    def _thread(self, event: KinetoEvent) -> LineKey:
        return LineKey(self._process(event), False, f"{event.pid}/{event.tid}"[:200])  # noqa: FBT003

    def _operation(self, event: KinetoEvent, args: KinetoArgs, place: OperationPlace) -> None:
        line = self._stream(event, args)
        if not isinstance(event.name, str):
            self.nameless += 1
        self.untimed.operations.append(event)
        self.recording.operations.append(
            line,
            0,
            0,
            place.kind,
            place.code,
            to_whole_number(args.correlation) or NONE,
            to_whole_number(args.bytes),
            self.sizes.multiply(args.grid),
            self.sizes.multiply(args.block),
            to_whole_number(args.registers),
            NONE,
            NONE,
            to_whole_number(args.shared),
            place.pinned,
            self._collective(args),
            to_whole_number(args.sequence),
        )

    def _stream(self, event: KinetoEvent, args: KinetoArgs) -> int:
        """The line of an operation, looked up by what it says where that is plain."""
        device, stream = args.device, args.stream
        is_plain = type(device) is int and type(stream) is int and args.rank is None
        if not is_plain or device < 0 or stream < 0:
            return self.recording.lines.of(self._name_stream(event, args))
        line = self.streams.get((device, stream))
        if line is None:
            line = self.recording.lines.of(self._name_stream(event, args))
            self.streams[device, stream] = line
        return line

    def _name_stream(self, event: KinetoEvent, args: KinetoArgs) -> LineKey:
        """By the event's arguments, else by what older versions write in their place."""
        device, stream = to_whole_number(args.device), to_whole_number(args.stream)
        if device == NONE:
            device = to_whole_number(event.pid)
        if stream == NONE:
            stream = to_whole_number(str(event.tid).removeprefix("stream "))
        return LineKey(self._process(event), True, stream, device)  # noqa: FBT003

    def _collective(self, args: KinetoArgs) -> int:
        if not isinstance(args.collective, str):
            return NONE
        elements = max(to_whole_number(args.elements_in), to_whole_number(args.elements_out))
        kind = to_name_text(args.dtype or "")
        size = _SIZES.get(kind.lower().removeprefix("c10::"))
        count = elements * size if size and elements != NONE else NONE
        ranks = max(to_whole_number(args.group_size), 0)
        one = CollectiveCall(
            to_name_text(args.collective), to_name_text(args.group or ""), ranks, count, kind
        )
        return self.recording.collectives.of(one)

    def _memory(self, event: KinetoEvent) -> None:
        args = get_args(event)
        if not isinstance(args.change, int):
            return
        device = NONE if args.device_type == _HOST else max(to_whole_number(args.device_id), 0)
        self.untimed.memory.append(event)
        self.recording.memory.append(
            self._memory_line(event, args),
            0,
            device,
            max(min(args.change, 1 << 60), -(1 << 60)),
            to_whole_number(args.allocated),
            to_whole_number(args.reserved),
            to_whole_number(args.address),
        )

    def _memory_line(self, event: KinetoEvent, args: KinetoArgs) -> int:
        """The line of a change of memory, looked up where that is plain."""
        if type(event) is not PlainKinetoEvent or args.rank is not None:
            return self.recording.lines.of(self._thread(event))
        line = self.threads.get((event.pid, event.tid))
        if line is None:
            line = self.recording.lines.of(self._thread(event))
            self.threads[event.pid, event.tid] = line
        return line
