"""A user's query on a store, and its result as table, CSV or JSON."""

from __future__ import annotations

import csv
import io
import json
from collections.abc import Iterator, Sequence
from typing import Any, Literal

import duckdb

from generator.errors import QueryError

Format = Literal["table", "csv", "json"]
BATCH_ROWS = 10_000
CELL_WIDTH = 60
Row = Sequence[Any]


def run_query(connection: duckdb.DuckDBPyConnection, sql: str, form: Format) -> Iterator[str]:
    """Run one query and yield its result as pieces of text, ready to print.

    Raises QueryError when DuckDB refuses it; the store is opened read-only.
    """
    try:
        cursor = connection.execute(sql)
        names = [column[0] for column in cursor.description or []]
        yield from _WRITERS[form](names, _rows(cursor))
    except duckdb.Error as problem:
        raise QueryError(
            f"the query was refused: {problem}",
            hint="tables and columns are listed in the schema reference",
        ) from problem


def _rows(cursor: duckdb.DuckDBPyConnection) -> Iterator[Row]:
    while batch := cursor.fetchmany(BATCH_ROWS):
        yield from batch


def _table(names: list[str], rows: Iterator[Row]) -> Iterator[str]:
    """Columns aligned, numbers to the right, long cells cut."""
    held = list(rows)
    cells = [[_cell(value) for value in row] for row in held]
    widths = [max(map(len, column)) for column in zip(names, *cells, strict=True)]
    right = [any(isinstance(row[i], int | float) for row in held) for i in range(len(names))]

    def line(row: Sequence[str]) -> str:
        parts = (
            text.rjust(w) if r else text.ljust(w)
            for text, w, r in zip(row, widths, right, strict=True)
        )
        return "  ".join(parts).rstrip() + "\n"

    yield line(names)
    yield line(["─" * width for width in widths])
    yield from map(line, cells)
    yield f"({len(held):,} row{'' if len(held) == 1 else 's'})\n"


def _cell(value: Any) -> str:
    text = "" if value is None else str(value)
    text = "".join(c if c.isprintable() else "·" for c in text)
    return text if len(text) <= CELL_WIDTH else text[: CELL_WIDTH - 1] + "…"


def _csv(names: list[str], rows: Iterator[Row]) -> Iterator[str]:
    buffer = io.StringIO()
    writer = csv.writer(buffer, lineterminator="\n")
    writer.writerow(names)
    for row in rows:
        writer.writerow(row)
        yield buffer.getvalue()
        buffer.seek(0)
        buffer.truncate()
    yield buffer.getvalue()


def _json(names: list[str], rows: Iterator[Row]) -> Iterator[str]:
    """One array of objects, an object per line."""
    separator = "[\n"
    for row in rows:
        record = dict(zip(names, row, strict=True))
        yield separator + json.dumps(record, ensure_ascii=False, default=str)
        separator = ",\n"
    yield "[]\n" if separator == "[\n" else "\n]\n"


_WRITERS = {"table": _table, "csv": _csv, "json": _json}
