"""The fields of events that are read, and what their details in text say."""

from __future__ import annotations

import re
from typing import Any, NamedTuple

import msgspec

from perfolio.readers.events.exact_numbers import to_whole_number
from perfolio.readers.events.recording import NONE, OperationKind

_COPY = re.compile(r"(?:MEMCPY|Memcpy)([HDP])2([HDP])")
_DIRECTIONS = {
    "HD": OperationKind.COPY_IN,
    "DH": OperationKind.COPY_OUT,
    "DD": OperationKind.COPY_WITHIN,
}
_DETAIL = re.compile(r"([a-z_]{1,20}):([\d,]{1,40})")


class TimelineArgs(msgspec.Struct, gc=False, frozen=True):
    """What an event says beside its time."""

    name: Any = None
    correlation: Any = msgspec.field(default=None, name="correlation_id")
    kernel: Any = msgspec.field(default=None, name="kernel_details")
    copy: Any = msgspec.field(default=None, name="memcpy_details")
    step: Any = msgspec.field(default=None, name="step_num")


class TimelineEvent(msgspec.Struct, gc=False, frozen=True):
    """One element of `traceEvents`."""

    ph: Any = None
    name: Any = None
    pid: Any = None
    tid: Any = None
    ts: msgspec.Raw = msgspec.Raw(b"")
    dur: msgspec.Raw = msgspec.Raw(b"")
    args: TimelineArgs | str | int | float | bool | list[Any] | None = None


class XlaLaunchSizes(NamedTuple):
    """Sizes of a kernel's launch; NONE for what is not told."""

    blocks: int
    threads: int
    registers: int
    static_shared: int
    dynamic_shared: int
    shared: int


_DECODER = msgspec.json.Decoder(list[TimelineEvent])
NOTHING = TimelineArgs()


def decode_events(text: bytes) -> list[TimelineEvent]:
    """A list of events. Raises ValueError for anything else."""
    try:
        return _DECODER.decode(text)
    except RecursionError as problem:
        raise ValueError("it is nested too deeply") from problem


def get_args(event: TimelineEvent) -> TimelineArgs:
    """What an event says beside its time; nothing where that is no object."""
    return event.args if isinstance(event.args, TimelineArgs) else NOTHING


def find_kind(event: TimelineEvent) -> OperationKind:
    """What an operation of a GPU is, by its details and its name."""
    name = event.name if isinstance(event.name, str) else ""
    details = get_args(event).copy
    if found := _COPY.search(details if isinstance(details, str) else name):
        return _DIRECTIONS.get(found[1] + found[2], OperationKind.COPY_OTHER)
    return OperationKind.MEMSET if name.lower().startswith("memset") else OperationKind.KERNEL


def find_bytes(event: TimelineEvent) -> int:
    """Bytes of a copy; NONE where they are not told."""
    return to_whole_number(_parse_details(get_args(event).copy).get("size"))


def find_launch(event: TimelineEvent) -> XlaLaunchSizes:
    """The sizes with which a kernel was launched."""
    told = _parse_details(get_args(event).kernel)
    return XlaLaunchSizes(
        _parse_product(told.get("grid")),
        _parse_product(told.get("block")),
        to_whole_number(told.get("regs")),
        to_whole_number(told.get("static_shared")),
        to_whole_number(told.get("dynamic_shared")),
        to_whole_number(told.get("shared")),
    )


def _parse_details(text: Any) -> dict[str, str]:
    return dict(_DETAIL.findall(text[:400])) if isinstance(text, str) else {}


def _parse_product(text: str | None) -> int:
    numbers = [to_whole_number(part) for part in (text or "").split(",")]
    if len(numbers) != 3 or NONE in numbers:
        return NONE
    return to_whole_number(numbers[0] * numbers[1] * numbers[2])
