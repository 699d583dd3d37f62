"""A database file in memory: records and strings, each checked against the file's size.

Nothing is allocated from a count or size before it was checked here.
"""

from __future__ import annotations

import mmap
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import numpy as np
import numpy.typing as npt

from generator.errors import FormatError, InputError
from generator.sources.hpctoolkit.layouts import Layout

Records = npt.NDArray[np.void]
STRING_LIMIT = 1 << 20
"""Longest string that is read, in bytes."""
NULL_HINT = "the file is damaged or cut off: copy it again, or run hpcprof again"


@dataclass(frozen=True)
class MappedFile:
    """A file, mapped read-only."""

    path: Path
    map: mmap.mmap
    size: int
    _strings: dict[int, str] = field(default_factory=dict, repr=False)
    _spent: dict[str, int] = field(default_factory=dict, repr=False)

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
        """`count` structures at `offset`, `stride` bytes apart, without copying."""
        if count == 0:
            return np.empty(0, layout.dtype())
        if stride is not None and stride < layout.needs:
            raise self.error(
                offset, f"{layout.name} of {stride} bytes is smaller than its {layout.needs} bytes"
            )
        step = layout.size if stride is None else stride
        self.require(offset, count * step, f"array of {count:,} {layout.name}")
        return np.ndarray((count,), layout.dtype(step), buffer=self.map, offset=offset)

    def record(self, layout: Layout, offset: int) -> dict[str, int]:
        """One structure as integers by field name."""
        row: Any = self.records(layout, offset)[0]
        return {name: int(row[name]) for name in layout.fields}

    def words(self) -> npt.NDArray[np.uint64]:
        """The file as little-endian 64-bit words, without an incomplete last one."""
        return np.frombuffer(self.map, "<u8", count=self.size // 8)

    def string(self, offset: int) -> str:
        """The NUL-terminated UTF-8 string at `offset`; invalid bytes become U+FFFD."""
        if offset in self._strings:
            return self._spend(self._strings[offset], offset)
        self.require(offset, 1, "string")
        end = self.map.find(b"\0", offset, min(self.size, offset + STRING_LIMIT))
        if end < 0:
            raise self.error(offset, f"no end of string within {STRING_LIMIT:,} bytes")
        text = self.map[offset:end].decode("utf-8", "replace")
        self._strings[offset] = text
        return self._spend(text, offset)

    def optional_string(self, offset: int) -> str:
        """The string at `offset`, or an empty one for a null pointer."""
        return self.string(offset) if offset else ""

    def _spend(self, text: str, offset: int) -> str:
        """Bound what repeated pointers to long strings can add up to in a table."""
        self._spent["characters"] = self._spent.get("characters", 0) + len(text)
        if self._spent["characters"] > 64 * self.size + (64 << 20):
            raise self.error(offset, "strings add up to far more than the file")
        return text

    def release(self, offset: int, length: int) -> None:
        """Give the whole pages within a consumed range back to the system."""
        start = -(-offset // mmap.PAGESIZE) * mmap.PAGESIZE
        pages = (offset + length - start) // mmap.PAGESIZE
        if pages > 0 and hasattr(mmap, "MADV_DONTNEED"):
            self.map.madvise(mmap.MADV_DONTNEED, start, pages * mmap.PAGESIZE)


def map_file(path: Path) -> MappedFile:
    """Map `path` read-only. Raises InputError when that is impossible."""
    try:
        with path.open("rb") as handle:
            size = path.stat().st_size
            if size == 0:
                raise InputError(f"{path}: the file is empty", hint="run hpcprof again")
            return MappedFile(path, mmap.mmap(handle.fileno(), 0, access=mmap.ACCESS_READ), size)
    except (OSError, ValueError) as problem:
        raise InputError(f"{path}: cannot be read: {problem}") from problem


def check_disjoint(
    file: MappedFile, starts: npt.NDArray[Any], lengths: npt.NDArray[Any], what: str
) -> None:
    """Raise if two of the ranges (in bytes, already within the file) overlap."""
    used = lengths > 0
    order = np.argsort(starts[used], kind="stable")
    first, size = starts[used][order].astype(np.int64), lengths[used][order].astype(np.int64)
    overlap = np.flatnonzero(first[1:] < first[:-1] + size[:-1])
    if len(overlap):
        raise file.error(int(first[1:][overlap[0]]), f"{what} overlap")
