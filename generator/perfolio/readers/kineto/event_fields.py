"""What names and arguments of events say: places of code, directions of copies, sizes."""

from __future__ import annotations

import re
from typing import Any

import msgspec

from perfolio.readers.code_names import PYTHON_MODULE
from perfolio.readers.events.event_names import (
    MOST_OF_SHAPES,
    OPERATORS,
    find_runtime_library,
    to_name_text,
)
from perfolio.readers.events.exact_numbers import to_wait_number, to_whole_number
from perfolio.readers.events.recording import (
    NONE,
    CodePlace,
    OperationKind,
    RangeKind,
    WaitKind,
)
from perfolio.readers.kineto.trace_events import KinetoArgs, KinetoEvent

_MOST_OF_SIZES = 400
"""Bytes of three sizes at most."""
_NUMBERED = re.compile(r"#\d+$")
_COMPILED = re.compile(r"## (Call CompiledFxGraph \w{8})\w* ##")
"""A compiled graph, by a digest of 52 characters, of which the first tell it from others."""
_PLACE = re.compile(r"(.+)\((\d{1,9})\): (.+)", re.DOTALL)
_COPY = re.compile(r"(?:Memcpy )?([A-Z])to([A-Z])\b")
_DIRECTIONS = {
    "HD": OperationKind.COPY_IN,
    "DH": OperationKind.COPY_OUT,
    "DD": OperationKind.COPY_WITHIN,
    "PP": OperationKind.COPY_PEER,
}


def to_list_text(text: bytes) -> str:
    """A list as it stands in the file, without its blanks; empty where it lists nothing."""
    found = "".join(text[:MOST_OF_SHAPES].decode("utf-8", "replace").split())
    return found if len(found) > len("[]") else ""


def parse_code(kind: RangeKind, name: Any) -> CodePlace:
    """The place of code that a range's name says: of Python also its file and line."""
    words = to_name_text(name) or "<unnamed>"
    if kind is RangeKind.PYTHON:
        place = _PLACE.fullmatch(words)
        if place:
            file = place[1].replace("\\", "/")  # of Windows
            return CodePlace(place[3], PYTHON_MODULE, file, int(place[2]))
        return CodePlace(words, PYTHON_MODULE)
    if kind is RangeKind.CALL:
        return CodePlace(words, find_runtime_library(words))
    if kind is RangeKind.ANNOTATION:
        words = _NUMBERED.sub("#…", words)
    return CodePlace(_COMPILED.sub(r"\1", words), OPERATORS)


def find_direction(event: KinetoEvent) -> OperationKind:
    """Whether a copy goes in, out, to another device or stays within its own, by its name."""
    found = _COPY.search(event.name if isinstance(event.name, str) else "")
    return _DIRECTIONS.get(found[1] + found[2] if found else "", OperationKind.COPY_OTHER)


def find_pinned(name: Any, kind: OperationKind) -> int:
    """Whether the side of the host is pinned, by the copy's name."""
    if kind not in (OperationKind.COPY_IN, OperationKind.COPY_OUT) or not isinstance(name, str):
        return NONE
    return 1 if "Pinned" in name else 0 if "Pageable" in name else NONE


def parse_wait(args: KinetoArgs, *, records: bool) -> tuple[int, ...]:
    """What an event tells of a wait, or of a record, in the order of `WaitColumns` from `kind`."""
    device, stream = to_whole_number(args.device), to_wait_number(args.stream)
    if records:
        return (WaitKind.RECORD, device, stream, to_wait_number(args.event), NONE, NONE)
    event = to_wait_number(args.awaited_event)
    kind = WaitKind.STREAM if NONE not in (event, stream) else WaitKind.HOST
    record, source = to_whole_number(args.awaited_record), to_wait_number(args.awaited_stream)
    return (kind, device, stream, event, record or NONE, source)


class BlockSizes:
    """Three sizes to their product, which is looked up by what the file says of them."""

    def __init__(self) -> None:
        self._known: dict[bytes, int] = {}

    def multiply(self, sizes: msgspec.Raw) -> int:
        """Three sizes multiplied; NONE for anything else."""
        text = bytes(sizes)
        found = self._known.get(text)
        if found is None:
            said = text if 0 < len(text) <= _MOST_OF_SIZES else b"null"
            found = self._known[text] = _compute_product(msgspec.json.decode(said))
        return found


def _compute_product(sizes: Any) -> int:
    if not isinstance(sizes, list) or len(sizes) != 3:
        return NONE
    numbers = [to_whole_number(size) for size in sizes]
    if NONE in numbers:
        return NONE
    return to_whole_number(numbers[0] * numbers[1] * numbers[2])
