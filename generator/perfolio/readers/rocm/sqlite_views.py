"""Databases of SQLite that anyone may have made: read only, by named views, and within bounds.

A view of a database can hold any query, so that what it gives may have no end: rows and steps of
SQLite's machine are counted, and end at what a file of its size can need.
"""

from __future__ import annotations

import sqlite3
from collections.abc import Iterator, Sequence
from contextlib import closing
from pathlib import Path
from urllib.parse import quote

from perfolio.common.errors import InputError

MAGIC = b"SQLite format 3\0"
ROWS_AT_ONCE = 4_096
_LONGEST_CELL = 1 << 24
_STEPS = 200_000_000
_STEPS_PER_BYTE = 50
_STEPS_AT_ONCE = 1_000_000
_BYTES_PER_ROW = 4
_AGAIN = "record it again, or copy the whole file again"


class ViewDatabase:
    """A database, opened; its views are read by the names of their columns."""

    def __init__(self, path: Path) -> None:
        self.path = path
        self._size = path.stat().st_size
        self._steps = 0
        self._connection = _open_database(path)
        self._connection.set_progress_handler(self._count, _STEPS_AT_ONCE)

    def close(self) -> None:
        """Close the file."""
        self._connection.close()

    def columns(self, view: str) -> tuple[str, ...]:
        """Names of the columns of a view or table; none where it is missing."""
        if view not in self.names():
            return ()
        found = self._rows(f'SELECT * FROM "{view}" LIMIT 0')  # noqa: S608 - names of ours alone
        return tuple(column[0] for column in found.description or ())

    def names(self) -> set[str]:
        """Names of all views and tables."""
        found = self._rows("SELECT name FROM sqlite_master WHERE type IN ('table', 'view')")
        return {name for (name,) in self._fetched(found) if isinstance(name, str)}

    def rows(self, view: str, wanted: Sequence[Sequence[str]]) -> Iterator[tuple[object, ...]]:
        """Of each row the columns that are wanted, each by its first known name; None for none."""
        known = {name.lower(): name for name in self.columns(view)}
        if not known:
            return
        chosen = (next((known[name] for name in names if name in known), "") for names in wanted)
        columns = ", ".join(_quote_name(name) if name else "NULL" for name in chosen)
        yield from self._fetched(self._rows(f'SELECT {columns} FROM "{view}"'))  # noqa: S608 - quoted

    def _rows(self, sql: str) -> sqlite3.Cursor:
        try:
            return self._connection.execute(sql)
        except (sqlite3.Error, OverflowError, ValueError) as problem:
            raise self._damaged(problem) from problem

    def _fetched(self, cursor: sqlite3.Cursor) -> Iterator[tuple[object, ...]]:
        most = self._size // _BYTES_PER_ROW
        while True:
            try:
                batch = cursor.fetchmany(ROWS_AT_ONCE)
            except (sqlite3.Error, OverflowError, ValueError) as problem:
                raise self._damaged(problem) from problem
            if not batch:
                return
            most -= len(batch)
            if most < 0:
                what = "a view of it gives more rows than a file of its size can hold"
                raise InputError(f"{self.path}: {what}", hint=_AGAIN)
            yield from batch

    def _count(self) -> bool:
        self._steps += _STEPS_AT_ONCE
        return self._steps > _STEPS + _STEPS_PER_BYTE * self._size

    def _damaged(self, problem: Exception) -> InputError:
        if "interrupted" in str(problem):
            what = "a view of it takes longer than a file of its size can need"
            return InputError(f"{self.path}: {what}", hint=_AGAIN)
        return InputError(f"{self.path}: the database is damaged: {problem}", hint=_AGAIN)


def read_view_names(path: Path) -> set[str] | None:
    """Names of all views and tables of a database; None where they cannot be read."""
    try:
        with closing(ViewDatabase(path)) as database:
            return database.names()
    except InputError:
        return None


def _open_database(path: Path) -> sqlite3.Connection:
    address = f"file:{quote(str(path.resolve()))}?mode=ro&immutable=1"
    try:
        connection = sqlite3.connect(
            address, uri=True, check_same_thread=False, isolation_level=None
        )
        connection.text_factory = _decode_text
        connection.setlimit(sqlite3.SQLITE_LIMIT_LENGTH, _LONGEST_CELL)
        connection.execute("PRAGMA trusted_schema = OFF")
        connection.execute("PRAGMA query_only = ON")
        connection.execute("PRAGMA cell_size_check = ON")
    except (sqlite3.Error, OSError) as problem:
        raise InputError(f"{path}: cannot be read: {problem}", hint=_AGAIN) from problem
    return connection


def _decode_text(raw: bytes) -> str:
    return raw.decode("utf-8", "replace")


def _quote_name(name: str) -> str:
    return '"' + name.replace('"', '""') + '"'
