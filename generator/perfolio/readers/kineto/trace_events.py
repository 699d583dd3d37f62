"""The fields of events that are read, and what their numbers are exactly."""

from __future__ import annotations

import re
from collections.abc import Sequence
from contextlib import suppress
from typing import Any

import msgspec

from perfolio.readers.json_stream import escape_backslashes

ABSENT = msgspec.Raw(b"")
"""A field that is not there."""


class KinetoArgs(msgspec.Struct, gc=False, frozen=True):
    """What an event says beside its time; each field is as old and new versions write it."""

    device: Any = None
    stream: Any = None
    correlation: Any = None
    external: Any = msgspec.field(default=None, name="External id")
    bytes: Any = None
    grid: msgspec.Raw = ABSENT
    block: msgspec.Raw = ABSENT
    registers: Any = msgspec.field(default=None, name="registers per thread")
    shared: Any = msgspec.field(default=None, name="shared memory")
    collective: Any = msgspec.field(default=None, name="Collective name")
    elements_in: Any = msgspec.field(default=None, name="In msg nelems")
    elements_out: Any = msgspec.field(default=None, name="Out msg nelems")
    group_size: Any = msgspec.field(default=None, name="Group size")
    group: Any = msgspec.field(default=None, name="Process Group Name")
    sequence: Any = msgspec.field(default=None, name="Seq")
    dtype: Any = None
    dims: msgspec.Raw = msgspec.field(default=ABSENT, name="Input Dims")
    old_dims: msgspec.Raw = msgspec.field(default=ABSENT, name="Input dims")
    types: msgspec.Raw = msgspec.field(default=ABSENT, name="Input type")
    values: msgspec.Raw = msgspec.field(default=ABSENT, name="Concrete Inputs")
    change: Any = msgspec.field(default=None, name="Bytes")
    address: Any = msgspec.field(default=None, name="Addr")
    event: Any = msgspec.field(default=None, name="event_id")
    awaited_event: Any = msgspec.field(default=None, name="wait_on_cuda_event_id")
    awaited_stream: Any = msgspec.field(default=None, name="wait_on_stream")
    awaited_record: Any = msgspec.field(default=None, name="wait_on_cuda_event_record_corr_id")
    allocated: Any = msgspec.field(default=None, name="Total Allocated")
    reserved: Any = msgspec.field(default=None, name="Total Reserved")
    device_type: Any = msgspec.field(default=None, name="Device Type")
    device_id: Any = msgspec.field(default=None, name="Device Id")
    name: Any = None
    rank: Any = None
    finished: Any = None


class KinetoEvent(msgspec.Struct, gc=False, frozen=True):
    """One element of `traceEvents`."""

    ph: Any = None
    cat: Any = None
    name: Any = None
    pid: Any = None
    tid: Any = None
    ts: msgspec.Raw = ABSENT
    dur: msgspec.Raw = ABSENT
    args: KinetoArgs | str | int | float | bool | list[Any] | None = None


class PlainKinetoEvent(KinetoEvent, gc=False, frozen=True):
    """An event with names as almost all have them: equal ones are written alike."""

    cat: str | None = None
    name: str | None = None
    pid: int | str | None = None
    tid: int | str | None = None


_PLAIN_DECODER = msgspec.json.Decoder(list[PlainKinetoEvent])
_DECODER = msgspec.json.Decoder(list[KinetoEvent])
_STRAY = re.compile(rb'(?:^|[^\\])(?:\\\\)*\\(?!["\\/bfnrt]|u[0-9a-fA-F]{4})')
"""A backslash that escapes nothing, behind any number of those that escape another."""
NOTHING = KinetoArgs()


class EventDecoder:
    """Lists of events, also of a writer that leaves backslashes as they are.

    PyTorch on Windows writes paths with single ones, which is no JSON: `escaped` then applies to
    the rest of the file.
    """

    def __init__(self) -> None:
        self.is_unescaped = False
        """Whether a backslash was found that escapes nothing."""
        self._is_plain = True
        """Whether all events so far were plain: else none of the rest is taken for one."""

    def decode(self, text: bytes) -> Sequence[KinetoEvent]:
        """A list of events, all of them plain or none. Raises ValueError for anything else."""
        if self.is_unescaped:
            text = escape_backslashes(text)
        try:
            return self._decode_events(text)
        except ValueError:
            if self.is_unescaped or not _STRAY.search(text):
                raise
        events = self._decode_events(escape_backslashes(text))
        self.is_unescaped = True
        return events

    def _decode_events(self, text: bytes) -> Sequence[KinetoEvent]:
        try:
            if self._is_plain:
                with suppress(msgspec.ValidationError):
                    return _PLAIN_DECODER.decode(text)
            events = _DECODER.decode(text)
        except RecursionError as problem:
            raise ValueError("it is nested too deeply") from problem
        self._is_plain = False
        return events


def get_args(event: KinetoEvent) -> KinetoArgs:
    """What an event says beside its time; nothing where that is no object."""
    return event.args if isinstance(event.args, KinetoArgs) else NOTHING


def parse_rank(value: Any) -> int | None:
    """The number of a rank, or of ranks; None for anything else."""
    is_number = isinstance(value, int) and not isinstance(value, bool)
    return value if is_number and 0 <= value < 1 << 31 else None
