"""An event to a range of a thread, an operation of a GPU, a change of memory, or nothing."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Mapping
from contextlib import suppress
from dataclasses import dataclass, field
from typing import NamedTuple

import numpy as np

from perfolio.readers.events.event_names import to_name_text
from perfolio.readers.events.exact_numbers import parse_nanoseconds, to_whole_number
from perfolio.readers.events.recording import (
    NONE,
    CodePlace,
    CollectiveCall,
    LineKey,
    OperationKind,
    OperatorArguments,
    RangeKind,
    RecordedProcess,
    Recording,
)
from perfolio.readers.kineto.event_fields import (
    compute_product,
    find_direction,
    find_pinned,
    parse_code,
    to_list_text,
)
from perfolio.readers.kineto.trace_events import KinetoArgs, KinetoEvent, get_args, parse_rank

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
WINDOW = "trace"
"""The time in which the profiler recorded."""
UNFINISHED = (False, "false")
"""What the field `finished` of a range says whose end was not recorded."""
_STEP = re.compile(r"ProfilerStep#(\d+)")
_MARKS = (RangeKind.ANNOTATION, RangeKind.OPERATOR)
"""What steps are recorded as."""
_PLAIN = (int, str)
_SIZES = {
    "byte": 1, "char": 1, "bool": 1, "int8": 1, "uint8": 1, "float8": 1,
    "half": 2, "bfloat16": 2, "short": 2, "int16": 2, "float16": 2,
    "float": 4, "int": 4, "int32": 4, "float32": 4,
    "double": 8, "long": 8, "int64": 8, "float64": 8,
}  # fmt: skip
"""Bytes of an element, by what PyTorch calls its type."""
_FLAG = re.compile(rb'"(True|False)"')
_MOST_FLAGS = 16
_HOST = 0
"""The type of device of memory of the host."""


class _RangePlace(NamedTuple):
    """What a range is, by its category and name."""

    kind: RangeKind
    code: int
    """Number of its place of code."""
    with_settings: bool
    """Whether the settings among its arguments are kept."""


@dataclass
class TraceReading:
    """Events of one file, as they become rows of a recording."""

    recording: Recording
    rank: int | None
    processes: dict[int | None, int] = field(default_factory=dict)
    """Numbers of processes by the rank that an event names, as files of several ranks do."""
    operators: Counter[int] = field(default_factory=Counter)
    """Operators and steps by line."""
    threads: dict[tuple[object, object], int] = field(default_factory=dict)
    """Lines by process and thread, of events that name both as numbers or text, and no rank."""
    places: Mapping[RangeKind, dict[str, _RangePlace]] = field(
        default_factory=lambda: {kind: {} for kind in RangeKind}
    )
    """What ranges are by their category and name, of those that ended."""
    arguments: dict[tuple[bytes, ...], int] = field(default_factory=dict)
    """Numbers of arguments by what the file says of their shapes, types, flags and settings."""
    backwards: int = 0
    """Events that end before they begin."""
    endless: int = 0
    """Events without a duration."""
    nameless: int = 0
    open: list[int] = field(default_factory=list)
    """Ranges whose end was not recorded: what the file gives as such is when it was written."""
    recorded: int = 0
    """When the recording ended, in the file's own time [ns]."""

    def add(self, event: KinetoEvent) -> None:
        """Add what an event is. Raises ValueError where its times are no numbers."""
        if event.ph == "X":
            category = event.cat.lower() if isinstance(event.cat, str) else ""
            kind = RANGES.get(category)
            if kind is not None:
                self._range(event, kind)
            elif category in KERNELS or category in COPIES or category in MEMSETS:
                self._operation(event, category)
            elif category == WINDOW:
                self._window(event)
        elif event.ph == "i" and event.name == "[memory]":
            self._memory(event)
        elif event.ph == "M" and event.name == "thread_name":
            name = get_args(event).name
            if isinstance(name, str):
                self.recording.line_names[self._thread(event)] = name

    def _window(self, event: KinetoEvent) -> None:
        """When the recording ended; an event that does not tell is no reason to refuse a file."""
        with suppress(ValueError):
            start, duration = parse_nanoseconds(event.ts), parse_nanoseconds(event.dur)
            if duration > 0:
                self.recorded = max(self.recorded, start + duration)

    def close(self, first: int) -> None:
        """End the open ranges with the recording; `first` is the file's first range.

        Where the file does not tell when that was, they end with the last range that has an end.
        """
        start, duration = self.recording.ranges["start"], self.recording.ranges["duration"]
        ended = np.ones(len(start), np.bool_)
        ended[:first] = False
        ended[self.open] = False
        end = self.recorded
        if end < start[ended].max(initial=1):
            end = int((start + duration)[ended].max(initial=0))
        duration[self.open] = np.clip(end - start[self.open], 0, duration[self.open])

    @property
    def notes(self) -> list[str]:
        """What had to be tolerated."""
        told = (
            (self.backwards, "events had negative durations, and count as 0"),
            (self.endless, "events had no duration, and count as 0"),
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

    def _find_line(self, event: KinetoEvent, args: KinetoArgs) -> int:
        """The line of an event's thread, looked up by what the file says where that is plain."""
        pid, tid = event.pid, event.tid
        if args.rank is not None or type(pid) not in _PLAIN or type(tid) not in _PLAIN:
            return self.recording.lines.of(self._thread(event))
        line = self.threads.get((pid, tid))
        if line is None:
            line = self.threads[pid, tid] = self.recording.lines.of(self._thread(event))
        return line

    def _times(self, event: KinetoEvent) -> tuple[int, int]:
        start, duration = parse_nanoseconds(event.ts), 0
        if length := bytes(event.dur):
            duration = parse_nanoseconds(length)
        else:
            self.endless += 1
        if duration < 0:
            self.backwards += 1
            duration = 0
        return start, duration

    def _range(self, event: KinetoEvent, kind: RangeKind) -> None:
        start, duration = self._times(event)
        args = get_args(event)
        name = event.name if isinstance(event.name, str) else to_name_text(event.name)
        if args.finished is not None and args.finished in UNFINISHED:
            self.open.append(len(self.recording.ranges))
            kind, line = _unmark(kind, name), self._find_line(event, args)
            code, with_settings = self._find_code(kind, name), "conv" in name
        else:
            line = self._find_line(event, args)
            known = self.places[kind].get(name) or self._learn_place(kind, name)
            kind, code, with_settings = known
        correlation = arguments = NONE
        if kind is RangeKind.CALL:
            correlation = to_whole_number(args.correlation) or NONE
        elif kind is RangeKind.OPERATOR:
            self.operators[line] += 1
            arguments = self._arguments(args, with_settings=with_settings)
        elif kind is RangeKind.STEP:
            self.operators[line] += 1_000_000
        self.recording.ranges.append(line, start, duration, kind, code, correlation, arguments)

    def _find_code(self, kind: RangeKind, name: str) -> int:
        return self.recording.codes.of(parse_code(kind, name))

    def _learn_place(self, category: RangeKind, name: str) -> _RangePlace:
        is_step = category in _MARKS and _STEP.fullmatch(name)
        kind = RangeKind.STEP if is_step else category
        found = _RangePlace(kind, self._find_code(kind, name), "conv" in name)
        self.places[category][name] = found
        return found

    def _arguments(self, args: KinetoArgs, *, with_settings: bool) -> int:
        values = bytes(args.values)
        flags = b",".join(_FLAG.findall(values)[:_MOST_FLAGS]) if values else b""
        settings = values if with_settings else b""
        key = (bytes(args.dims) or bytes(args.old_dims), bytes(args.types), flags, settings)
        number = self.arguments.get(key)
        if number is None:
            shapes, types, _, settings = key
            found = OperatorArguments(
                to_list_text(shapes), to_list_text(types), flags.decode(), to_list_text(settings)
            )
            number = self.recording.arguments.of(found) if any(found) else NONE
            self.arguments[key] = number
        return number

    def _operation(self, event: KinetoEvent, category: str) -> None:
        start, duration = self._times(event)
        args = get_args(event)
        kind = OperationKind.KERNEL
        if category in COPIES:
            kind = find_direction(event)
        elif category in MEMSETS:
            kind = OperationKind.MEMSET
        if not isinstance(event.name, str):
            self.nameless += 1
        self.recording.operations.append(
            self.recording.lines.of(self._stream(event, args)),
            start,
            duration,
            kind,
            self.recording.codes.of(CodePlace(to_name_text(event.name))),
            to_whole_number(args.correlation) or NONE,
            to_whole_number(args.bytes),
            compute_product(args.grid),
            compute_product(args.block),
            to_whole_number(args.registers),
            NONE,
            NONE,
            to_whole_number(args.shared),
            find_pinned(event.name, kind),
            self._collective(args),
        )

    def _stream(self, event: KinetoEvent, args: KinetoArgs) -> LineKey:
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
        self.recording.memory.append(
            self.recording.lines.of(self._thread(event)),
            parse_nanoseconds(event.ts),
            device,
            max(min(args.change, 1 << 60), -(1 << 60)),
            to_whole_number(args.allocated),
            to_whole_number(args.reserved),
        )


def _unmark(category: RangeKind, name: str) -> RangeKind:
    """What a range is whose end was not recorded: no step."""
    return RangeKind.ANNOTATION if category in _MARKS and _STEP.fullmatch(name) else category
