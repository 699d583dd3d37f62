"""Files of SQLite that anyone may have made: read only, by names, and within bounds.

In:  a regular file that was opened, and whether its views are read too.
Out: names of tables and their columns, and rows, some at a time; or a TableError.

The file is opened as one that nothing changes: SQLite takes no lock, and looks for no journal
beside it. Virtual tables are not read: what they do is up to the file. So is what a view gives,
whose query may have no end: rows and steps of SQLite's machine are counted, and end at what a file
of its size can need.
"""

from __future__ import annotations

import sqlite3
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from os import fsencode
from pathlib import Path
from typing import Any
from urllib.parse import quote

from perfolio.common.errors import InputError, TableError
from perfolio.readers.stable_file import OpenedFile, open_input

MAGIC = b"SQLite format 3\0"
SCHEMA = "sqlite_schema"
LONGEST_CELL = 1 << 24
"""Bytes of a row or a text; a longer one is refused, so that none fills the memory."""
LEAST_OF_A_ROW = 4
"""Bytes that a row takes at least: a file with more rows reads the same pages again and again."""
MOST_TABLES = 5_000
STEPS_OF_TABLES, STEPS_OF_VIEWS = 20, 50
"""Steps of SQLite's machine for each byte of a file, several times what reading takes. The views of
rocpd join up to ten tables, so that a row of one takes more steps than a row of a table."""
SMALLEST = 1_000_000
"""A file has as many steps as one of so many bytes more."""
_STEPS_AT_ONCE = 1_000_000
"""Steps after which SQLite asks whether to go on."""


class SqliteFile:
    """One file of SQLite, opened."""

    def __init__(
        self,
        opened: OpenedFile,
        *,
        again: str,
        has_views: bool = False,
        source: Path | None = None,
    ) -> None:
        """`again` says how to make the file anew, `source` of what it was. Raises TableError."""
        self.opened = opened
        self.path = source or opened.path
        self._again = again
        self._kinds = "'table', 'view'" if has_views else "'table'"
        steps = STEPS_OF_VIEWS if has_views else STEPS_OF_TABLES
        with self._convert_errors(SCHEMA):
            self._connection = _open_connection(opened.path)
            bound = _StepBound((opened.size + SMALLEST) * steps)
            self._connection.set_progress_handler(bound, _STEPS_AT_ONCE)

    def close(self) -> None:
        """Close the file."""
        self._connection.close()

    def list_tables(self) -> list[str]:
        """Names of its tables, and of its views where they are read. Raises TableError."""
        with self._convert_errors(SCHEMA):
            cursor = self._connection.execute(
                f"SELECT name FROM sqlite_master WHERE type IN ({self._kinds})"  # noqa: S608
                " AND typeof(name) = 'text' AND sql NOT LIKE 'CREATE VIRTUAL%'"
            )
            return [name for (name,) in cursor.fetchmany(MOST_TABLES)]

    def list_columns(self, table: str) -> list[str]:
        """Names of the columns of a table or view that is there. Raises TableError."""
        with self._convert_errors(table):
            found = self._connection.execute(f"PRAGMA table_info({quote_name(table)})")
            return [column[1] for column in found.fetchall()]

    def read_batches(
        self, table: str, selected: Sequence[str], at_once: int
    ) -> Iterator[list[tuple[Any, ...]]]:
        """Rows of a table, `at_once` at a time. Raises TableError.

        What is selected are expressions of SQL, with names by `quote_name`.
        """
        done = 0
        with self._convert_errors(table):
            query = f"SELECT {', '.join(selected)} FROM {quote_name(table)}"  # noqa: S608 - quoted
            cursor = self._connection.execute(query)
            while rows := cursor.fetchmany(at_once):
                done += len(rows)
                if done > self.opened.size // LEAST_OF_A_ROW:
                    what = f"it has more than {done:,} rows, which the file has no room for"
                    raise TableError(self.path, table, what, hint=self._again)
                yield rows

    @contextmanager
    def _convert_errors(self, table: str) -> Iterator[None]:
        try:
            yield
        except (sqlite3.Error, sqlite3.Warning, ValueError, OverflowError, MemoryError) as problem:
            what = f"SQLite says: {problem}"
            if "interrupted" in str(problem):
                what = "reading it takes longer than a file of its size can need"
            raise TableError(self.path, table, what, hint=self._again) from problem


def begins_like_sqlite(path: Path) -> bool:
    """Whether a file is one of SQLite, by its first bytes; False where it cannot be read."""
    try:
        opened = open_input(path)
        return opened.size >= len(MAGIC) and opened.read(0, len(MAGIC)) == MAGIC
    except InputError:
        return False


def quote_name(name: str) -> str:
    """A name as SQL has it, whatever is in it."""
    return '"' + name.replace('"', '""') + '"'


class _StepBound:
    """Ends what a damaged file lets go on and on; it does not keep the connection alive."""

    def __init__(self, steps: int) -> None:
        self._left = steps

    def __call__(self) -> int:
        """Whether to stop."""
        self._left -= _STEPS_AT_ONCE
        return int(self._left < 0)


def _open_connection(path: Path) -> sqlite3.Connection:
    place = quote(fsencode(path.absolute()))
    connection = sqlite3.connect(
        f"file:{place}?mode=ro&immutable=1", uri=True, check_same_thread=False
    )
    connection.text_factory = _decode_text
    connection.setlimit(sqlite3.SQLITE_LIMIT_LENGTH, LONGEST_CELL)
    connection.setlimit(sqlite3.SQLITE_LIMIT_ATTACHED, 0)
    for setting in ("trusted_schema = OFF", "cell_size_check = ON", "query_only = ON"):
        connection.execute(f"PRAGMA {setting}")
    return connection


def _decode_text(text: bytes) -> str:
    return text.decode("utf-8", "replace")
