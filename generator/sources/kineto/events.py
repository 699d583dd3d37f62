"""The fields of events that are read, and what their numbers are exactly."""

from __future__ import annotations

import re
from decimal import Decimal, InvalidOperation
from typing import Any

import msgspec

from generator.sources.events.recording import LARGEST, NONE


class Args(msgspec.Struct, gc=False, frozen=True):
    """What an event says beside its time; each field is as old and new versions write it."""

    device: Any = None
    stream: Any = None
    correlation: Any = None
    external: Any = msgspec.field(default=None, name="External id")
    bytes: Any = None
    grid: Any = None
    block: Any = None
    registers: Any = msgspec.field(default=None, name="registers per thread")
    shared: Any = msgspec.field(default=None, name="shared memory")
    collective: Any = msgspec.field(default=None, name="Collective name")
    elements_in: Any = msgspec.field(default=None, name="In msg nelems")
    elements_out: Any = msgspec.field(default=None, name="Out msg nelems")
    group_size: Any = msgspec.field(default=None, name="Group size")
    group: Any = msgspec.field(default=None, name="Process Group Name")
    dtype: Any = None
    dims: msgspec.Raw = msgspec.field(default=msgspec.Raw(b""), name="Input Dims")
    old_dims: msgspec.Raw = msgspec.field(default=msgspec.Raw(b""), name="Input dims")
    types: msgspec.Raw = msgspec.field(default=msgspec.Raw(b""), name="Input type")
    values: msgspec.Raw = msgspec.field(default=msgspec.Raw(b""), name="Concrete Inputs")
    change: Any = msgspec.field(default=None, name="Bytes")
    allocated: Any = msgspec.field(default=None, name="Total Allocated")
    reserved: Any = msgspec.field(default=None, name="Total Reserved")
    device_type: Any = msgspec.field(default=None, name="Device Type")
    device_id: Any = msgspec.field(default=None, name="Device Id")
    name: Any = None
    rank: Any = None
    finished: Any = None


class Event(msgspec.Struct, gc=False, frozen=True):
    """One element of `traceEvents`."""

    ph: Any = None
    cat: Any = None
    name: Any = None
    pid: Any = None
    tid: Any = None
    ts: msgspec.Raw = msgspec.Raw(b"")
    dur: msgspec.Raw = msgspec.Raw(b"")
    args: Args | str | int | float | bool | list[Any] | None = None


_DECODER = msgspec.json.Decoder(list[Event])
_STRAY = re.compile(rb'(?:^|[^\\])(?:\\\\)*\\(?!["\\/bfnrt]|u[0-9a-fA-F]{4})')
"""A backslash that escapes nothing, behind any number of those that escape another."""
_BACKSLASH = re.compile(rb'(\\(?:["\\/]|u[0-9a-fA-F]{4}))|\\')
NOTHING = Args()


class Decoder:
    """Lists of events, also of a writer that leaves backslashes as they are.

    PyTorch on Windows writes paths with single ones, which is no JSON: `escaped` then applies to
    the rest of the file.
    """

    def __init__(self) -> None:
        self.is_unescaped = False
        """Whether a backslash was found that escapes nothing."""

    def decode(self, text: bytes) -> list[Event]:
        """A list of events. Raises ValueError for anything else."""
        if self.is_unescaped:
            text = escaped(text)
        try:
            return _decoded(text)
        except ValueError:
            if self.is_unescaped or not _STRAY.search(text):
                raise
        events = _decoded(escaped(text))
        self.is_unescaped = True
        return events


def _decoded(text: bytes) -> list[Event]:
    try:
        return _DECODER.decode(text)
    except RecursionError as problem:
        raise ValueError("it is nested too deeply") from problem


def escaped(text: bytes) -> bytes:
    """Text whose backslashes stand for themselves, but for those of quotes, slashes and codes."""
    return _BACKSLASH.sub(lambda found: found[1] or rb"\\", text)


def args_of(event: Event) -> Args:
    """What an event says beside its time; nothing where that is no object."""
    return event.args if isinstance(event.args, Args) else NOTHING


def nanoseconds(text: msgspec.Raw) -> int:
    """Microseconds as decimal text to nanoseconds, exactly. Raises ValueError for no number."""
    raw = bytes(text)
    whole, point, part = raw.partition(b".")
    if whole.isdigit() and (not point or (part.isdigit() and len(part) <= 3)):
        found = int(whole) * 1000 + (int(part.ljust(3, b"0")) if point else 0)
    else:
        found = _unusual(raw)
    if not -LARGEST < found < LARGEST:
        raise ValueError(f"{raw[:40]!r} is no time of this age")
    return found


def _unusual(raw: bytes) -> int:
    """A negative number, one with an exponent, or with more digits than nanoseconds have."""
    try:
        number = Decimal(raw.decode())
        if number.is_finite() and abs(number) < LARGEST:
            return int((number * 1000).to_integral_value())
    except (InvalidOperation, UnicodeDecodeError):
        pass
    raise ValueError(f"{raw[:40]!r} is no time in microseconds")


def whole_number(value: Any) -> int:
    """A number that is not negative and fits 62 bits; NONE for anything else."""
    if isinstance(value, bool):
        return NONE
    if isinstance(value, str) and value.isdecimal() and len(value) < 20:
        value = int(value)
    if isinstance(value, float) and value.is_integer():
        value = int(value)
    return value if isinstance(value, int) and 0 <= value < LARGEST else NONE


def rank_of(value: Any) -> int | None:
    """The number of a rank, or of ranks; None for anything else."""
    is_number = isinstance(value, int) and not isinstance(value, bool)
    return value if is_number and 0 <= value < 1 << 31 else None
