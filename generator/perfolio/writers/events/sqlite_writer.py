"""Tables of an SQLite file: what formats are that are databases."""

from __future__ import annotations

import sqlite3
from collections.abc import Iterable
from contextlib import closing
from dataclasses import dataclass
from pathlib import Path

Cell = int | str | None


@dataclass(frozen=True)
class DatabaseTable:
    """A table with its columns, each as `name TYPE`, and its rows."""

    name: str
    columns: str
    rows: Iterable[tuple[Cell, ...]]


def write_tables(path: Path, tables: Iterable[DatabaseTable], *, below_views: str = "") -> None:
    """Write tables into a new file. Raises OSError.

    With `below_views` the names are those of views, of tables whose names end in it.
    """
    try:
        with closing(sqlite3.connect(path)) as connection:
            connection.execute("PRAGMA synchronous = OFF")
            for table in tables:
                _write_table(connection, table, below_views)
            connection.commit()
    except sqlite3.Error as problem:
        raise OSError(f"{path.name}: {problem}") from problem


def _write_table(connection: sqlite3.Connection, table: DatabaseTable, below_views: str) -> None:
    """Create and fill a table; its name is of a format, never of a profile."""
    name = f'"{table.name}{below_views}"'
    connection.execute(f"CREATE TABLE {name} ({table.columns})")
    marks = ", ".join("?" * (table.columns.count(",") + 1))
    connection.executemany(f"INSERT INTO {name} VALUES ({marks})", table.rows)  # noqa: S608
    if below_views:
        connection.execute(f'CREATE VIEW "{table.name}" AS SELECT * FROM {name}')  # noqa: S608
