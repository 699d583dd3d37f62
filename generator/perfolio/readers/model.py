"""What every source gives: tables, streams, and what the files are."""

from __future__ import annotations

import ctypes
import sys
from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import numpy as np
import numpy.typing as npt
import pyarrow as pa

from perfolio.readers.stable_file import OpenedFile

BATCH_ROWS = 122_880
"""Rows of a batch: what DuckDB compresses as one, so that a batch is never split and joined."""
Column = npt.NDArray[Any]
Columns = Mapping[str, Column]
"""Columns of one length by name."""
Batches = Callable[[], Iterator[pa.RecordBatch]]
"""Starts a pass over a stream; each call starts anew."""


def release_memory() -> None:
    """Give back to the system what was freed: Arrow and glibc keep much of it for later."""
    pa.default_memory_pool().release_unused()
    trim = getattr(ctypes.CDLL(None), "malloc_trim", None) if sys.platform == "linux" else None
    if trim is not None:
        trim(0)


@dataclass(frozen=True)
class InputFile:
    """One file that a profile consists of."""

    opened: OpenedFile
    format_version: str

    @property
    def path(self) -> Path:
        """Where it was found."""
        return self.opened.path

    @property
    def bytes(self) -> int:
        """Its size."""
        return self.opened.size


@dataclass(frozen=True)
class Stream:
    """Rows that may not fit into memory."""

    rows: int
    """Number of rows that the batches hold together."""
    schema: pa.Schema
    batches: Batches


@dataclass(frozen=True)
class Source:
    """A profile, opened and checked, ready to be stored."""

    path: Path
    tool: str
    format_version: str
    title: str
    description: str
    files: tuple[InputFile, ...]
    tables: dict[str, pa.Table]
    """profile, module, file, function, context, metric."""
    streams: dict[str, Stream]
    """value, summary, trace: those that the profile has."""
    warnings: tuple[str, ...] = field(default=())
    left_out: tuple[str, ...] = ()
    """Those of them on files beside the profile that could not be read."""
    device: str = ""
    """What the tool calls the GPUs that ran anything, where all are of one kind."""
    device_memory: int = 0
    """Bytes of memory that each of them has; 0 where that is not known."""
    ranks: int = 0
    """Ranks of the whole run, recorded or not, as the profile says; 0 where it does not."""
    hosts: Mapping[int, str] = field(default_factory=dict)
    """Names of machines by rank, as far as the profile says them."""
    command: str = ""
    """How the program was started (`program_command`); empty where that is not certain."""

    def take_tables(self) -> Iterator[tuple[str, pa.Table]]:
        """Each table with its name; the source no longer holds it, and its memory can be freed."""
        for name in list(self.tables):
            yield name, self.tables.pop(name)

    def take_streams(self) -> Iterator[tuple[str, Stream]]:
        """Each stream with its name, likewise: streams hold what their rows are checked by."""
        for name in list(self.streams):
            yield name, self.streams.pop(name)


@dataclass(frozen=True)
class StreamPart:
    """Some rows of a stream, decoded when there is a place for them."""

    rows: int
    write: Callable[[int, Columns], None]
    """Fills columns with the rows from a given one on, as many as the columns are long."""


def fill_batches(
    parts: Iterable[StreamPart], types: Mapping[str, npt.DTypeLike]
) -> Iterator[dict[str, Column]]:
    """The rows of all parts, in columns of exactly BATCH_ROWS, the last ones excepted.

    Each value is written once, where it stays: a part may be split, and is never copied.
    """
    columns, filled = _make_empty_columns(types), 0
    for part in parts:
        done = 0
        while done < part.rows:
            count = min(part.rows - done, BATCH_ROWS - filled)
            part.write(done, {k: v[filled : filled + count] for k, v in columns.items()})
            done, filled = done + count, filled + count
            if filled == BATCH_ROWS:
                yield columns
                columns, filled = _make_empty_columns(types), 0
    if filled:
        yield {name: column[:filled] for name, column in columns.items()}


def _make_empty_columns(types: Mapping[str, npt.DTypeLike]) -> dict[str, Column]:
    return {name: np.empty(BATCH_ROWS, dtype) for name, dtype in types.items()}
