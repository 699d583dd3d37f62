"""Tables of a folder of Parquet files, as `nsys export --type parquetdir` writes them."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from functools import cached_property
from pathlib import Path

import numpy as np
import pyarrow as pa
import pyarrow.parquet as pq

from perfolio.common.errors import TableError
from perfolio.readers.events.event_names import MOST_OF_A_NAME
from perfolio.readers.events.recording import Ints
from perfolio.readers.nsys.checked_tables import (
    AGAIN,
    TEXTS,
    Column,
    choose_batch_size,
)
from perfolio.readers.stable_file import OpenedFile, open_input

SUFFIX = ".parquet"
MOST_FILES = 5_000
MOST_ROWS, LEAST_OF_A_ROW = 100_000, 4
"""Rows that any file may have, and bytes for each one more."""
MOST_BYTES, MOST_TIMES = 1 << 24, 200
"""Bytes that any file may unpack to, or so many times its own ones."""


class ParquetTables:
    """The tables of one folder; the file of a table has its name."""

    def __init__(self, path: Path) -> None:
        self.path = path
        self._files = {file.stem: open_input(file) for file in list_parquet_files(path)}
        self.opened: tuple[OpenedFile, ...] = tuple(self._files.values())

    @cached_property
    def columns(self) -> Mapping[str, frozenset[str]]:
        """Columns of each table."""
        return {table: frozenset(self._file(table).schema_arrow.names) for table in self._files}

    def batches(self, table: str, columns: Sequence[str]) -> Iterator[tuple[Column, ...]]:
        """The rows of a table, some at a time, column by column. Raises TableError."""
        file = self._file(table)
        with self._readable(table):
            size, done = choose_batch_size(columns), 0
            for batch in file.iter_batches(size, columns=list(columns), use_threads=False):
                done += batch.num_rows
                if done > MOST_ROWS + self._files[table].size // LEAST_OF_A_ROW:
                    what = f"it has more than {done:,} rows, which the file has no room for"
                    raise TableError(self.path, table, what, hint=AGAIN)
                yield tuple(_convert_values(batch.column(name)) for name in columns)

    def count(self, table: str) -> int:
        """Rows of a table; 0 where it is not there."""
        return self._file(table).metadata.num_rows if table in self._files else 0

    def _file(self, table: str) -> pq.ParquetFile:
        opened = self._files[table]
        with self._readable(table):
            if opened.read(0, 4) != b"PAR1":
                raise TableError(self.path, table, "it is no Parquet file", hint=AGAIN)
            file = pq.ParquetFile(opened.path, memory_map=False)
            groups = (file.metadata.row_group(n) for n in range(file.num_row_groups))
            unpacked = sum(group.total_byte_size for group in groups)
            if unpacked > max(MOST_BYTES, opened.size * MOST_TIMES):
                what = f"it unpacks to {unpacked:,} bytes, which no table does"
                raise TableError(self.path, table, what, hint=AGAIN)
            schema = file.schema_arrow
            # A text that rows share is kept once, however many they are.
            texts = [each for each in TEXTS if each in schema.names and _is_text(schema, each)]
            return pq.ParquetFile(opened.path, metadata=file.metadata, read_dictionary=texts)

    @contextmanager
    def _readable(self, table: str) -> Iterator[None]:
        try:
            yield
        except (pa.ArrowException, OSError, ValueError, LookupError, MemoryError) as problem:
            raise TableError(self.path, table, f"Parquet: {problem}", hint=AGAIN) from problem


def _is_text(schema: pa.Schema, name: str) -> bool:
    kind = schema.field(name).type
    return bool(pa.types.is_string(kind) or pa.types.is_large_string(kind))


def list_parquet_files(folder: Path) -> list[Path]:
    """The Parquet files of a folder, by name."""
    return sorted(p for p in list_folder(folder) if p.suffix == SUFFIX and p.is_file())[:MOST_FILES]


def list_folder(folder: Path) -> list[Path]:
    """What is in a folder; nothing where it cannot be read."""
    try:
        return list(folder.iterdir())
    except OSError:
        return []


def _convert_values(column: pa.Array) -> Column:
    """Numbers as they lie in memory where none is missing; else objects of Python."""
    if pa.types.is_dictionary(column.type):
        texts = [value and str(value)[:MOST_OF_A_NAME] for value in column.dictionary.to_pylist()]
        return [None if i is None else texts[i] for i in column.indices.to_pylist()]
    if pa.types.is_integer(column.type) and not column.null_count:
        if column.type != pa.uint64():
            numbers: Ints = column.cast(pa.int64()).to_numpy()
            return numbers
        # Identifiers of threads; what is larger than any becomes negative, which none is.
        unsigned: Ints = column.to_numpy().astype(np.int64)
        return unsigned
    values: list[object] = column.to_pylist()
    return values
