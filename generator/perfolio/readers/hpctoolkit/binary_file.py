"""A database file: records and strings, each checked against the file's size.

Nothing is allocated from a count or size before it was checked here, and what pointers to
one and the same bytes can add up to is bounded: by `check_disjoint`, and for strings by
a budget.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from functools import cached_property
from pathlib import Path
from typing import Any

import numpy as np
import numpy.typing as npt

from perfolio.common.errors import FormatError
from perfolio.readers.hpctoolkit.format_layouts import Layout
from perfolio.readers.stable_file import OpenedFile, open_input

Records = npt.NDArray[np.void]
STRING_LIMIT = 1 << 20
"""Longest string that is read, in bytes."""
TEXT_PER_BYTE = 8
TEXT_CONSTANT = 16 << 20
"""All strings of a file may take so many bytes per byte of it, and so many more."""
NEAR = 1 << 21
"""Bytes that may be read in vain to read many arrays at once."""
NULL_HINT = "the file is damaged or cut off: copy it again, or run hpcprof again"


@dataclass(frozen=True)
class DataFile:
    """A file whose structures are read where they are needed."""

    opened: OpenedFile
    _strings: dict[int, str] = field(default_factory=dict, repr=False)
    _spent: dict[str, int] = field(default_factory=dict, repr=False)

    @property
    def path(self) -> Path:
        """Where the file was found."""
        return self.opened.path

    @property
    def size(self) -> int:
        """Its size in bytes."""
        return self.opened.size

    @cached_property
    def content(self) -> bytes:
        """All of it; for meta.db, whose tables are in memory anyway."""
        return self.opened.read(0, self.size)

    def error(self, offset: int, problem: str) -> FormatError:
        """A FormatError at `offset` of this file."""
        return FormatError(self.path, offset, problem, hint=NULL_HINT)

    def require(self, offset: int, length: int, what: str) -> None:
        """Raise unless `length` bytes at `offset` lie within the file."""
        if offset < 0 or length < 0 or offset + length > self.size:
            raise self.error(
                offset, f"{what} of {length:,} bytes reaches beyond the file's {self.size:,} bytes"
            )

    def records(
        self, layout: Layout, offset: int, count: int = 1, stride: int | None = None
    ) -> Records:
        """`count` structures at `offset`, `stride` bytes apart."""
        if count == 0:
            return np.empty(0, layout.dtype())
        if stride is not None and stride < layout.needs:
            raise self.error(
                offset, f"{layout.name} of {stride} bytes is smaller than its {layout.needs} bytes"
            )
        step = layout.size if stride is None else stride
        self.require(offset, count * step, f"array of {count:,} {layout.name}")
        return np.frombuffer(self.opened.read(offset, count * step), layout.dtype(step))

    def record(self, layout: Layout, offset: int) -> dict[str, int]:
        """One structure as integers by field name."""
        row: Any = self.records(layout, offset)[0]
        return {name: int(row[name]) for name in layout.fields}

    def gathered(self, layout: Layout, starts: Any, counts: Any, stride: int = 0) -> Records:
        """The structures of several arrays, checked by `check_arrays`, one after another."""
        starts, counts = starts.astype(np.int64), counts.astype(np.int64)
        starts, counts, step = starts[counts > 0], counts[counts > 0], stride or layout.size
        if not len(starts):
            return np.empty(0, layout.dtype())
        first = int(starts.min())
        span = int((starts + counts * step).max()) - first
        if span > 4 * int(counts.sum()) * step + NEAR:
            parts = [
                self.records(layout, at, n, step) for at, n in zip(starts, counts, strict=True)
            ]
            return np.concatenate(parts)
        before = np.repeat(np.cumsum(counts) - counts, counts)
        place = np.repeat(starts - first, counts) + (np.arange(len(before)) - before) * step
        # A structure at every byte: those wanted are copied, wherever they are aligned.
        size, data = layout.needs, self.opened.read(first, span)
        every = np.ndarray((span - size + 1,), layout.dtype(size), data, strides=(1,))
        chosen: Records = every[place]
        return chosen

    def words(self) -> npt.NDArray[np.uint64]:
        """The file as little-endian 64-bit words, without an incomplete last one."""
        return np.frombuffer(self.content, "<u8", count=self.size // 8)

    def string(self, offset: int) -> str:
        """The NUL-terminated UTF-8 string at `offset`; invalid bytes become U+FFFD."""
        if offset not in self._strings:
            self.require(offset, 1, "string")
            end = self.content.find(b"\0", offset, min(self.size, offset + STRING_LIMIT))
            if end < 0:
                raise self.error(offset, f"no end of string within {STRING_LIMIT:,} bytes")
            self._strings[offset] = self.content[offset:end].decode("utf-8", "replace")
        return self.spend(self._strings[offset], offset)

    def optional_string(self, offset: int) -> str:
        """The string at `offset`, or an empty one for a null pointer."""
        return self.string(offset) if offset else ""

    def spend(self, text: str, offset: int) -> str:
        """Bound what strings add up to, whether pointers repeat them or overlap in them.

        Counted is what CPython may store: 1 byte a character, 4 where one is not ASCII.
        """
        width = 1 if text.isascii() else 4
        self._spent["bytes"] = self._spent.get("bytes", 0) + width * len(text)
        if self._spent["bytes"] > TEXT_PER_BYTE * self.size + TEXT_CONSTANT:
            raise self.error(offset, "strings add up to far more than the file")
        return text


def open_data(path: Path) -> DataFile:
    """Open the file at `path`. Raises InputError when that is impossible."""
    return DataFile(open_input(path))


def check_disjoint(
    file: DataFile, starts: npt.NDArray[Any], lengths: npt.NDArray[Any], what: str
) -> None:
    """Raise if two of the ranges (in bytes, already within the file) overlap."""
    used = lengths > 0
    order = np.argsort(starts[used], kind="stable")
    first, size = starts[used][order].astype(np.int64), lengths[used][order].astype(np.int64)
    overlap = np.flatnonzero(first[1:] < first[:-1] + size[:-1])
    if len(overlap):
        raise file.error(int(first[1:][overlap[0]]), f"{what} overlap")


def check_arrays(
    file: DataFile,
    starts: npt.NDArray[Any],
    counts: npt.NDArray[Any],
    layout: Layout,
    stride: int | None = None,
) -> None:
    """Raise unless all arrays of `layout` lie in the file, and no two overlap.

    What is checked so is read once, however many structures point to arrays.
    """
    step = layout.size if stride is None else stride
    if step < layout.needs and np.any(counts):
        raise file.error(0, f"{layout.name} of {step} bytes is smaller than its {layout.needs}")
    counts, starts = counts.astype(np.uint64), starts.astype(np.uint64)
    huge = np.flatnonzero(counts > file.size // max(step, 1))
    if len(huge):
        number = f"{int(counts[huge[0]]):,}"
        where = int(starts[huge[0]])
        raise file.error(where, f"{number} {layout.name} are more than the file holds")
    lengths = counts.astype(np.int64) * step
    beyond = (lengths > 0) & (starts > np.uint64(file.size) - lengths.astype(np.uint64))
    if beyond.any():
        raise file.error(int(starts[beyond][0]), f"{layout.name} reach beyond the file")
    check_disjoint(file, starts.astype(np.int64), lengths, f"arrays of {layout.name}")
