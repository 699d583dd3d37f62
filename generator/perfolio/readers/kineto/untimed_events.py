"""Events whose numbers are read together: of one at a time that takes far longer."""

from __future__ import annotations

import re
from array import array
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import NamedTuple

import msgspec
import numpy as np

from perfolio.readers.events.exact_numbers import (
    parse_all_nanoseconds,
    parse_nanoseconds,
    to_whole_number,
)
from perfolio.readers.events.recording import (
    NONE,
    Ints,
    OperationKind,
    OperatorArguments,
    RangeKind,
    Recording,
)
from perfolio.readers.kineto.event_fields import to_list_text
from perfolio.readers.kineto.trace_events import KinetoArgs, KinetoEvent, get_args

_FLAG = re.compile(rb'"(True|False)"')
_FLAG_END = b'e"'
"""What a flag ends with: most settings have none, and looking for this takes no time."""
_MOST_FLAGS = 16
_ZERO = msgspec.Raw(b"0")
_WEIGHTS = ((RangeKind.OPERATOR, 1), (RangeKind.STEP, 1_000_000))
"""What ranges count for of the thread that they are in: one step is more than all operators."""


class OperationPlace(NamedTuple):
    """What operations of one name are."""

    kind: OperationKind
    code: int
    pinned: int


@dataclass
class UntimedEvents:
    """Ranges, which are not in the recording yet, and others, which are its last rows."""

    kinds: array[int] = field(default_factory=lambda: array("q"))
    lines: array[int] = field(default_factory=lambda: array("q"))
    codes: array[int] = field(default_factory=lambda: array("q"))
    """Of each place, by its number, as columns of ranges."""
    with_settings: list[bool] = field(default_factory=list)
    """Whether the settings among the arguments of ranges at a place are kept."""
    ranges: list[KinetoEvent] = field(default_factory=list)
    places: list[int] = field(default_factory=list)
    """Of each range."""
    operations: list[KinetoEvent] = field(default_factory=list)
    memory: list[KinetoEvent] = field(default_factory=list)
    """Changes of memory, which are the last rows of the recording."""
    arguments: dict[tuple[bytes, ...], int] = field(default_factory=dict)
    """Numbers of arguments by what the file says of their shapes, types, flags and settings."""
    backwards: int = 0
    """Events so far that end before they begin."""
    endless: int = 0
    """Events so far without a duration."""

    def add_place(self, kind: RangeKind, line: int, code: int, *, with_settings: bool) -> int:
        """The number of a new place that ranges can be at."""
        self.kinds.append(kind)
        self.lines.append(line)
        self.codes.append(code)
        self.with_settings.append(with_settings)
        return len(self.kinds) - 1

    def read_times(self, recording: Recording, operators: Counter[int]) -> None:
        """Put all into the recording, with their times, and count operators and steps by line.

        Raises ValueError where times of an event are no numbers.
        """
        if self.memory:
            recording.memory["time"][-len(self.memory) :] = _parse_moments(self.memory)
            self.memory = []
        if self.ranges:
            place = np.array(self.places, np.int64)
            columns = (self.kinds, self.lines, self.codes)
            kind, line, code = (np.frombuffer(column, np.int64)[place] for column in columns)
            start, duration = self._parse_times(self.ranges)
            recording.ranges.extend(
                len(start),
                line=line,
                start=start,
                duration=duration,
                kind=kind,
                code=code,
                correlation=self._read_correlations(kind),
                arguments=self._read_arguments(kind, recording),
            )
            for each, weight in _WEIGHTS:
                lines, counts = np.unique(line[kind == each], return_counts=True)
                for number, count in zip(lines.tolist(), counts.tolist(), strict=True):
                    operators[number] += count * weight
            self.ranges, self.places = [], []
        if self.operations:
            start, duration = self._parse_times(self.operations)
            recording.operations["start"][-len(start) :] = start
            recording.operations["duration"][-len(start) :] = duration
            self.operations = []

    def _read_correlations(self, kind: Ints) -> Ints:
        """Of each range that is a call of the runtime; NONE of others."""
        found = np.full(len(kind), NONE, np.int64)
        calls = np.flatnonzero(kind == RangeKind.CALL)
        each = [get_args(self.ranges[row]).correlation for row in calls.tolist()]
        found[calls] = [to_whole_number(one) or NONE for one in each]
        return found

    def _read_arguments(self, kind: Ints, recording: Recording) -> Ints:
        """Numbers of the arguments of each range that is an operator; NONE of others."""
        found = np.full(len(kind), NONE, np.int64)
        rows = np.flatnonzero(kind == RangeKind.OPERATOR)
        found[rows] = [
            self._number_arguments(
                get_args(self.ranges[row]), recording, self.with_settings[self.places[row]]
            )
            for row in rows.tolist()
        ]
        return found

    def _number_arguments(self, args: KinetoArgs, recording: Recording, with_settings: bool) -> int:  # noqa: FBT001
        dims, types, values = bytes(args.dims or args.old_dims), bytes(args.types), b""
        flags = settings = b""
        if args.values:
            values = bytes(args.values)
            if _FLAG_END in values:
                flags = b",".join(_FLAG.findall(values)[:_MOST_FLAGS])
            if with_settings:
                settings = values
        elif not dims and not types:
            return NONE
        key = (dims, types, flags, settings)
        number = self.arguments.get(key)
        if number is None:
            told = OperatorArguments(
                to_list_text(dims), to_list_text(types), flags.decode(), to_list_text(settings)
            )
            number = self.arguments[key] = recording.arguments.of(told) if any(told) else NONE
        return number

    def _parse_times(self, events: Sequence[KinetoEvent]) -> tuple[Ints, Ints]:
        """Begins and durations, which are not negative. Raises ValueError for no numbers."""
        lengths = [event.dur or _ZERO for event in events]
        try:
            start = parse_all_nanoseconds([event.ts for event in events])
            duration = parse_all_nanoseconds(lengths)
        except ValueError as problem:
            raise name_event(_find_unreadable(events, lengths), problem) from problem
        self.endless += sum(length is _ZERO for length in lengths)
        self.backwards += int((duration < 0).sum())
        return start, np.maximum(duration, 0)


def _parse_moments(events: Sequence[KinetoEvent]) -> Ints:
    """When changes of memory are. Raises ValueError for no number."""
    times = [event.ts for event in events]
    try:
        return parse_all_nanoseconds(times)
    except ValueError as problem:
        raise name_event(_find_unreadable(events, times), problem) from problem


def _find_unreadable(
    events: Sequence[KinetoEvent], lengths: Sequence[msgspec.Raw]
) -> KinetoEvent | None:
    """The first event whose begin or length is no number."""
    for event, length in zip(events, lengths, strict=True):
        try:
            parse_nanoseconds(event.ts)
            parse_nanoseconds(length)
        except ValueError:
            return event
    return None


def name_event(event: KinetoEvent | None, problem: ValueError) -> ValueError:
    """What is wrong, and with which event."""
    return ValueError(f"in the event {str(event and event.name)[:80]!r}: {problem}")
