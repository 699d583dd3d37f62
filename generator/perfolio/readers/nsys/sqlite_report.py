"""Tables of an SQLite file, read only.

The file is opened as one that nothing changes: SQLite takes no lock, and looks for no journal
beside it. Views and virtual tables are not read: what they do is up to the file.
"""

from __future__ import annotations

import sqlite3
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from os import fsencode
from pathlib import Path
from urllib.parse import quote

from perfolio.common.errors import FormatError, InputError, TableError
from perfolio.readers.events.event_names import MOST_OF_A_NAME
from perfolio.readers.nsys.checked_tables import (
    AGAIN,
    TEXTS,
    Column,
    choose_batch_size,
    make_size_error,
)
from perfolio.readers.stable_file import OpenedFile, open_input

MAGIC = b"SQLite format 3\0"
LONGEST = 1 << 28
"""Bytes of a row or a text; a longer one is refused, so that none fills the memory."""
LEAST_OF_A_ROW = 4
"""Bytes that a row takes at least: a file with more rows reads the same pages again and again."""
MOST_TABLES = 5_000
STEPS = 1_000_000
"""Steps of SQLite's machine after which it is asked whether to go on."""
MOST_STEPS = 20
"""Steps for each byte of a file, and so many times `STEPS`: several times what reading takes."""


class SqliteTables:
    """The tables of one SQLite file."""

    def __init__(self, opened: OpenedFile) -> None:
        self.path = opened.path
        self.opened = (opened,)
        self._size = opened.size
        with self._readable("sqlite_schema"):
            self._connection = _open_connection(opened.path)
            self._connection.set_progress_handler(_StepBound(opened.size), STEPS)
            self.columns: Mapping[str, frozenset[str]] = dict(self._tables())

    def batches(self, table: str, columns: Sequence[str]) -> Iterator[tuple[Column, ...]]:
        """The rows of a table, some at a time, column by column. Raises TableError."""
        names = ", ".join(map(_select_column, columns))
        done = 0
        with self._readable(table):
            cursor = self._connection.execute(f"SELECT {names} FROM {_quote_name(table)}")  # noqa: S608
            while rows := cursor.fetchmany(choose_batch_size(columns)):
                done += len(rows)
                if done > self._size // LEAST_OF_A_ROW:
                    raise make_size_error(self.path, table, done)
                yield tuple(zip(*rows, strict=True))

    def count(self, table: str) -> int:
        """Rows of a table; 0 where it is not there."""
        if table not in self.columns:
            return 0
        return sum(len(rows) for (rows,) in self.batches(table, [min(self.columns[table])]))

    def _tables(self) -> Iterator[tuple[str, frozenset[str]]]:
        cursor = self._connection.execute(
            "SELECT name FROM sqlite_master WHERE type = 'table' AND typeof(name) = 'text'"
            " AND sql NOT LIKE 'CREATE VIRTUAL%' AND name NOT LIKE 'ENUM\\_%' ESCAPE '\\'"
        )
        for (name,) in cursor.fetchmany(MOST_TABLES):
            columns = self._connection.execute(f"PRAGMA table_info({_quote_name(name)})").fetchall()
            yield name, frozenset(column[1] for column in columns)

    @contextmanager
    def _readable(self, table: str) -> Iterator[None]:
        try:
            yield
        except (sqlite3.Error, sqlite3.Warning, ValueError, OverflowError, MemoryError) as problem:
            raise TableError(self.path, table, f"SQLite says: {problem}", hint=AGAIN) from problem


def open_sqlite(path: Path) -> SqliteTables:
    """The tables of a file. Raises InputError and FormatError unless it is one of SQLite."""
    opened = open_input(path)
    if opened.read(0, min(len(MAGIC), opened.size)) != MAGIC:
        raise FormatError(path, 0, "an SQLite file begins otherwise", hint=AGAIN)
    journal = path.with_name(path.name + "-journal")
    if journal.is_file() and journal.stat().st_size:
        raise InputError(
            f"{path}: is still being written, or its export was interrupted: {journal.name} lies "
            "beside it",
            hint=AGAIN,
        )
    return SqliteTables(opened)


def begins_like_sqlite(path: Path) -> bool:
    """Whether a file is one of SQLite, by its first bytes; False where it cannot be read."""
    try:
        opened = open_input(path)
        return opened.size >= len(MAGIC) and opened.read(0, len(MAGIC)) == MAGIC
    except InputError:
        return False


class _StepBound:
    """Ends what a damaged file lets go on and on; it does not keep the connection alive."""

    def __init__(self, size: int) -> None:
        self._left = MOST_STEPS + size * MOST_STEPS // STEPS

    def __call__(self) -> int:
        """Whether to stop."""
        self._left -= 1
        return int(self._left < 0)


def _open_connection(path: Path) -> sqlite3.Connection:
    place = quote(fsencode(path.absolute()))
    connection = sqlite3.connect(
        f"file:{place}?mode=ro&immutable=1", uri=True, check_same_thread=False
    )
    connection.text_factory = _decode_text
    connection.setlimit(sqlite3.SQLITE_LIMIT_LENGTH, LONGEST)
    connection.setlimit(sqlite3.SQLITE_LIMIT_ATTACHED, 0)
    for setting in ("trusted_schema = OFF", "cell_size_check = ON", "query_only = ON"):
        connection.execute(f"PRAGMA {setting}")
    return connection


def _decode_text(text: bytes) -> str:
    return text.decode("utf-8", "replace")


def _select_column(column: str) -> str:
    name = _quote_name(column)
    return f"substr({name}, 1, {MOST_OF_A_NAME})" if column in TEXTS else name


def _quote_name(name: str) -> str:
    return '"' + name.replace('"', '""') + '"'
