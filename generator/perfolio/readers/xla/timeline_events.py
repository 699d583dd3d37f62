"""The fields of events that are read, and what their details in text say."""

from __future__ import annotations

import re
from typing import Any, NamedTuple

import msgspec

from perfolio.readers.events.exact_numbers import whole_number
from perfolio.readers.events.recording import NONE, OperationKind

_COPY = re.compile(r"(?:MEMCPY|Memcpy)([HDP])2([HDP])")
_DIRECTIONS = {
    "HD": OperationKind.COPY_IN,
    "DH": OperationKind.COPY_OUT,
    "DD": OperationKind.COPY_WITHIN,
}
_DETAIL = re.compile(r"([a-z_]{1,20}):([\d,]{1,40})")


class Args(msgspec.Struct, gc=False, frozen=True):
    """What an event says beside its time."""

    name: Any = None
    correlation: Any = msgspec.field(default=None, name="correlation_id")
    kernel: Any = msgspec.field(default=None, name="kernel_details")
    copy: Any = msgspec.field(default=None, name="memcpy_details")
    step: Any = msgspec.field(default=None, name="step_num")


class Event(msgspec.Struct, gc=False, frozen=True):
    """One element of `traceEvents`."""

    ph: Any = None
    name: Any = None
    pid: Any = None
    tid: Any = None
    ts: msgspec.Raw = msgspec.Raw(b"")
    dur: msgspec.Raw = msgspec.Raw(b"")
    args: Args | str | int | float | bool | list[Any] | None = None


class Launch(NamedTuple):
    """Sizes of a kernel's launch; NONE for what is not told."""

    blocks: int
    threads: int
    registers: int
    static_shared: int
    dynamic_shared: int
    shared: int


_DECODER = msgspec.json.Decoder(list[Event])
NOTHING = Args()


def decode(text: bytes) -> list[Event]:
    """A list of events. Raises ValueError for anything else."""
    try:
        return _DECODER.decode(text)
    except RecursionError as problem:
        raise ValueError("it is nested too deeply") from problem


def args_of(event: Event) -> Args:
    """What an event says beside its time; nothing where that is no object."""
    return event.args if isinstance(event.args, Args) else NOTHING


def kind_of(event: Event) -> OperationKind:
    """What an operation of a GPU is, by its details and its name."""
    name = event.name if isinstance(event.name, str) else ""
    details = args_of(event).copy
    if found := _COPY.search(details if isinstance(details, str) else name):
        return _DIRECTIONS.get(found[1] + found[2], OperationKind.COPY_OTHER)
    return OperationKind.MEMSET if name.lower().startswith("memset") else OperationKind.KERNEL


def bytes_of(event: Event) -> int:
    """Bytes of a copy; NONE where they are not told."""
    return whole_number(_details(args_of(event).copy).get("size"))


def launch_of(event: Event) -> Launch:
    """The sizes with which a kernel was launched."""
    told = _details(args_of(event).kernel)
    return Launch(
        _product(told.get("grid")),
        _product(told.get("block")),
        whole_number(told.get("regs")),
        whole_number(told.get("static_shared")),
        whole_number(told.get("dynamic_shared")),
        whole_number(told.get("shared")),
    )


def _details(text: Any) -> dict[str, str]:
    return dict(_DETAIL.findall(text[:400])) if isinstance(text, str) else {}


def _product(text: str | None) -> int:
    numbers = [whole_number(part) for part in (text or "").split(",")]
    if len(numbers) != 3 or NONE in numbers:
        return NONE
    return whole_number(numbers[0] * numbers[1] * numbers[2])
