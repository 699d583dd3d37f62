"""What every source gives: tables, streams, and what the files are."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, field
from pathlib import Path

import pyarrow as pa

BATCH_ROWS = 122_880
"""Rows of a batch: what DuckDB compresses as one, so that a batch is never split and joined."""
Batches = Callable[[], Iterator[pa.RecordBatch]]
"""Starts a pass over a stream; each call starts anew."""


@dataclass(frozen=True)
class InputFile:
    """One file that a profile consists of."""

    path: Path
    bytes: int
    format_version: str


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
    tables: Mapping[str, pa.Table]
    """profile, module, file, function, context, metric."""
    streams: Mapping[str, Stream]
    """value, summary, trace: those that the profile has."""
    warnings: tuple[str, ...] = field(default=())


def merged(parts: Iterator[pa.RecordBatch]) -> Iterator[pa.RecordBatch]:
    """The same rows in batches of exactly BATCH_ROWS, the last one excepted."""
    waiting: list[pa.RecordBatch] = []
    rows = 0
    for part in parts:
        waiting.append(part)
        rows += part.num_rows
        while rows >= BATCH_ROWS:
            whole = _joined(waiting)
            yield whole.slice(0, BATCH_ROWS)
            waiting, rows = [whole.slice(BATCH_ROWS)], rows - BATCH_ROWS
    if rows:
        yield _joined(waiting)


def _joined(parts: list[pa.RecordBatch]) -> pa.RecordBatch:
    """One batch; a single part is not copied."""
    return parts[0] if len(parts) == 1 else pa.concat_batches(parts)
