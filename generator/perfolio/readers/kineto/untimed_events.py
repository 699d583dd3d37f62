"""Ranges and operations whose times are read together: of one at a time that takes far longer."""

from __future__ import annotations

from array import array
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import NamedTuple

import msgspec
import numpy as np

from perfolio.readers.events.exact_numbers import parse_all_nanoseconds, parse_nanoseconds
from perfolio.readers.events.recording import Ints, OperationKind, RangeKind, Recording
from perfolio.readers.kineto.trace_events import KinetoEvent

_ZERO = msgspec.Raw(b"0")
_WEIGHTS = ((RangeKind.OPERATOR, 1), (RangeKind.STEP, 1_000_000))
"""What ranges count for of the thread that they are in: one step is more than all operators."""


class RangePlace(NamedTuple):
    """What ranges of one name and thread are."""

    number: int
    kind: RangeKind
    with_settings: bool
    """Whether the settings among its arguments are kept."""


class OperationPlace(NamedTuple):
    """What operations of one name are."""

    kind: OperationKind
    code: int
    pinned: int


@dataclass
class UntimedEvents:
    """Ranges, which are not in the recording yet, and operations, which are its last rows."""

    kinds: array[int] = field(default_factory=lambda: array("q"))
    lines: array[int] = field(default_factory=lambda: array("q"))
    codes: array[int] = field(default_factory=lambda: array("q"))
    """Of each place, by its number, as columns of ranges."""
    ranges: list[KinetoEvent] = field(default_factory=list)
    places: list[int] = field(default_factory=list)
    correlations: list[int] = field(default_factory=list)
    arguments: list[int] = field(default_factory=list)
    """Of each range, as the others."""
    operations: list[KinetoEvent] = field(default_factory=list)
    backwards: int = 0
    """Events so far that end before they begin."""
    endless: int = 0
    """Events so far without a duration."""

    def add_place(
        self, kind: RangeKind, line: int, code: int, *, with_settings: bool
    ) -> RangePlace:
        """A place that ranges can be at."""
        self.kinds.append(kind)
        self.lines.append(line)
        self.codes.append(code)
        return RangePlace(len(self.kinds) - 1, kind, with_settings)

    def read_times(self, recording: Recording, operators: Counter[int]) -> None:
        """Put all into the recording, with their times, and count operators and steps by line.

        Raises ValueError where times of an event are no numbers.
        """
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
                correlation=np.array(self.correlations, np.int64),
                arguments=np.array(self.arguments, np.int64),
            )
            for each, weight in _WEIGHTS:
                lines, counts = np.unique(line[kind == each], return_counts=True)
                for number, count in zip(lines.tolist(), counts.tolist(), strict=True):
                    operators[number] += count * weight
            self.ranges, self.places, self.correlations, self.arguments = [], [], [], []
        if self.operations:
            start, duration = self._parse_times(self.operations)
            recording.operations["start"][-len(start) :] = start
            recording.operations["duration"][-len(start) :] = duration
            self.operations = []

    def _parse_times(self, events: Sequence[KinetoEvent]) -> tuple[Ints, Ints]:
        """Begins and durations, which are not negative. Raises ValueError for no numbers."""
        lengths = [event.dur or _ZERO for event in events]
        try:
            start = parse_all_nanoseconds([event.ts for event in events])
            duration = parse_all_nanoseconds(lengths)
        except ValueError as problem:
            raise name_event(_find_unreadable(events), problem) from problem
        self.endless += sum(length is _ZERO for length in lengths)
        self.backwards += int((duration < 0).sum())
        return start, np.maximum(duration, 0)


def _find_unreadable(events: Sequence[KinetoEvent]) -> KinetoEvent | None:
    """The first event whose times are no numbers."""
    for event in events:
        try:
            parse_nanoseconds(event.ts)
            parse_nanoseconds(event.dur or _ZERO)
        except ValueError:
            return event
    return None


def name_event(event: KinetoEvent | None, problem: ValueError) -> ValueError:
    """What is wrong, and with which event."""
    return ValueError(f"in the event {str(event and event.name)[:80]!r}: {problem}")
