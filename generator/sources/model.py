"""What every source gives: tables, streams, and what the files are."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, field
from pathlib import Path

import pyarrow as pa

BATCH_ROWS = 1 << 18
"""Rows of a batch, about: large enough to be fast, small enough for any memory."""
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
    """Small batches joined to some of about BATCH_ROWS rows; large ones pass without a copy."""
    waiting: list[pa.RecordBatch] = []
    rows = 0
    for part in parts:
        waiting.append(part)
        rows += part.num_rows
        if rows >= BATCH_ROWS // 2:
            yield _joined(waiting)
            waiting, rows = [], 0
    if waiting:
        yield _joined(waiting)


def _joined(parts: list[pa.RecordBatch]) -> pa.RecordBatch:
    """One batch; a single part is not copied."""
    return parts[0] if len(parts) == 1 else pa.concat_batches(parts)
