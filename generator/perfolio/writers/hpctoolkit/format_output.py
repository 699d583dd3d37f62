"""A file of the format being written: placed structures, alignment, header and footer."""

from __future__ import annotations

import os
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import BinaryIO

import numpy as np
import numpy.typing as npt

from perfolio.readers.hpctoolkit import format_layouts as lay

WORD = 8
"""The largest alignment of the format, in bytes."""
BLOCK_ALIGNMENT = 4
"""Alignment of value blocks and what follows them, as hpcprof places them."""
Records = npt.NDArray[np.void]


def align_offset(offset: int, step: int = WORD) -> int:
    """The next multiple of `step`."""
    return -(-offset // step) * step


def compute_header_size(kind: bytes) -> int:
    """Bytes of the header of a file: identification and the table of sections."""
    return lay.SECTION_TABLE + 16 * len(lay.SECTIONS[kind])


def make_records(layout: lay.Layout, count: int, stride: int | None = None) -> Records:
    """`count` structures, all bytes zero."""
    return np.zeros(count, layout.dtype(stride))


def pack_record(layout: lay.Layout, fields: Mapping[str, int], size: int | None = None) -> bytes:
    """One structure, padded to `size`."""
    row = make_records(layout, 1, size)
    for name, value in fields.items():
        row[name] = value
    return row.tobytes()


@dataclass(frozen=True)
class OutputSection:
    """Where a section lies."""

    offset: int
    size: int


def pack_header(kind: bytes, sections: Sequence[OutputSection]) -> bytes:
    """The header of a file of this kind, with its sections in the order of the format."""
    table = np.array([(section.size, section.offset) for section in sections], "<u8")
    version = bytes([lay.MAJOR_VERSION, lay.MINOR_VERSION])
    return lay.MAGIC + kind + version + table.tobytes()


class GrowingFile:
    """A file that grows at its end, whose beginning is filled in last."""

    def __init__(self, file: BinaryIO, kind: bytes) -> None:
        self.file = file
        self.kind = kind
        self.end = 0

    def align(self, step: int) -> int:
        """Pad with zeros; returns the position."""
        gap = align_offset(self.end, step) - self.end
        self.append(bytes(gap))
        return self.end

    def append(self, data: bytes | memoryview) -> int:
        """Write at the end; returns where."""
        start = self.end
        self.file.write(data)
        self.end += len(data)
        return start

    def skip(self, position: int) -> None:
        """Go on at this position; what lies before it is filled in later."""
        self.file.seek(position)
        self.end = position

    def fill(self, position: int, data: bytes) -> None:
        """Write at a position before the end, then return to the end."""
        self.file.seek(position)
        self.file.write(data)
        self.file.seek(self.end)

    def finish(self, sections: Sequence[OutputSection]) -> None:
        """Write footer and header."""
        self.append(lay.FOOTERS[self.kind])
        self.fill(0, pack_header(self.kind, sections))


@contextmanager
def open_output(path: Path, kind: bytes) -> Iterator[GrowingFile]:
    """A new file at `path`, on disk when the block ends."""
    with path.open("xb") as file:
        yield GrowingFile(file, kind)
        file.flush()
        os.fsync(file.fileno())


def as_bytes(array: npt.NDArray[np.generic]) -> memoryview:
    """The bytes of an array, without copying it where it is contiguous."""
    return np.ascontiguousarray(array).view(np.uint8).reshape(-1).data


class StringPool:
    """NUL-terminated texts, each stored once, at places counted from `base`."""

    def __init__(self, base: int) -> None:
        self.base = base
        self.data = bytearray()
        self._places: dict[bytes, int] = {}

    def place(self, text: str) -> int:
        """Where `text` stands. Raises ValueError if it cannot be stored.

        Bytes that are no UTF-8 come as Python keeps them in paths (surrogateescape).
        """
        coded = text.encode("utf-8", "surrogateescape")
        if b"\0" in coded:
            raise ValueError(f"a name holds a NUL character: {text!r}")
        if coded not in self._places:
            self._places[coded] = self.base + len(self.data)
            self.data += coded + b"\0"
        return self._places[coded]
