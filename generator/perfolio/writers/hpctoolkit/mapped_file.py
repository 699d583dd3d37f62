"""A file that the writer itself is writing, mapped to be read back in pieces."""

from __future__ import annotations

import mmap
from dataclasses import dataclass
from pathlib import Path

import numpy as np

from perfolio.readers.hpctoolkit.format_layouts import Layout
from perfolio.writers.hpctoolkit.format_output import Records


@dataclass(frozen=True)
class MappedFile:
    """A file, mapped read-only."""

    map: mmap.mmap

    def records(self, layout: Layout, offset: int, count: int) -> Records:
        """`count` structures at `offset`, without copying."""
        if count == 0:
            return np.empty(0, layout.dtype())
        return np.ndarray((count,), layout.dtype(), buffer=self.map, offset=offset)

    def release(self, offset: int, length: int) -> None:
        """Give the whole pages within a consumed range back to the system."""
        start = -(-offset // mmap.PAGESIZE) * mmap.PAGESIZE
        pages = (offset + length - start) // mmap.PAGESIZE
        if pages > 0 and hasattr(mmap, "MADV_DONTNEED"):
            self.map.madvise(mmap.MADV_DONTNEED, start, pages * mmap.PAGESIZE)


def map_file(path: Path) -> MappedFile:
    """Map `path` read-only."""
    with path.open("rb") as handle:
        return MappedFile(mmap.mmap(handle.fileno(), 0, access=mmap.ACCESS_READ))
