"""A user's query on a store, and its result as table, CSV or JSON."""

from __future__ import annotations

import csv
import io
import json
import math
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from itertools import chain, count, islice
from threading import Timer
from typing import TYPE_CHECKING, Any, Literal

import duckdb

from perfolio.common.errors import QueryError
from perfolio.common.escaping import escape_spreadsheet_cell
from perfolio.store.user_models import make_query_models

if TYPE_CHECKING:  # of no use to a query that is printed
    import pyarrow as pa

Format = Literal["table", "csv", "json"]
BATCH_ROWS = 1_000
MOST_ROWS = 1_000
"""Rows of a table, which is for reading, unless a limit is given."""
CELL_WIDTH = 60
_READS = {duckdb.StatementType.SELECT, duckdb.StatementType.EXPLAIN}
Row = Sequence[Any]


def run_query(
    connection: duckdb.DuckDBPyConnection,
    sql: str,
    form: Format,
    *,
    limit: int | None = None,
    timeout: float | None = None,
    run: str | None = None,
) -> Iterator[str]:
    """Run one query and yield its result as pieces of text, as its rows come.

    At most `limit` rows, and for at most `timeout` seconds; on the run of this short name alone,
    or on all (`user_models`). Raises QueryError when DuckDB refuses the query, or time is up; the
    store is opened read-only.
    """
    with _limit_time(connection, timeout), _translate_errors(timeout):
        _refuse_all_but_one_select(connection, sql)
    with (
        _limit_time(connection, timeout),
        _translate_errors(timeout),
        make_query_models(connection, sql, run),
    ):
        yield from _write_rows(connection, sql, form, limit)


def run_table_query(
    connection: duckdb.DuckDBPyConnection, sql: str, form: Format, *, limit: int | None = None
) -> Iterator[str]:
    """The same over the tables of a connection that is no store's: no name stands for a model."""
    with _translate_errors(None):
        _refuse_all_but_one_select(connection, sql)
        yield from _write_rows(connection, sql, form, limit)


def _write_rows(
    connection: duckdb.DuckDBPyConnection, sql: str, form: Format, limit: int | None
) -> Iterator[str]:
    cursor = connection.execute(sql)
    described = getattr(cursor, "description", None)  # an empty query has no cursor
    if described is None:
        raise QueryError("the query is empty", hint='for example: "FROM total"')
    names = [column[0] for column in described]
    most = MOST_ROWS if limit is None and form == "table" else limit
    rows = _fetch_rows(cursor)
    yield from _WRITERS[form](names, islice(rows, most))
    if form == "table" and next(rows, None) is not None:
        yield "(there are more: --limit N prints N rows, --format csv or json all)\n"


def query_rows(connection: duckdb.DuckDBPyConnection, sql: str, *, run: str | None) -> pa.Table:
    """The rows of one query as a table of Arrow. Raises QueryError when DuckDB refuses it."""
    with _translate_errors(None):
        _refuse_all_but_one_select(connection, sql)
    with _translate_errors(None), make_query_models(connection, sql, run):
        relation = connection.sql(sql)
        if relation is None:
            raise QueryError("the query is empty", hint='for example: "FROM total"')
        return relation.to_arrow_table()


def _refuse_all_but_one_select(connection: duckdb.DuckDBPyConnection, sql: str) -> None:
    """Raise QueryError for what writes, changes the connection, or is more than one statement."""
    statements = connection.extract_statements(sql)
    if len(statements) > 1:
        raise QueryError(
            "the query was refused: there is more than one statement",
            hint="ask one query at a time",
        )
    if any(each.type not in _READS for each in statements):
        raise QueryError(
            "the query was refused: it does not begin with SELECT, FROM, WITH, DESCRIBE, SUMMARIZE "
            "or EXPLAIN",
            hint="a store is only read",
        )


@contextmanager
def _limit_time(connection: duckdb.DuckDBPyConnection, timeout: float | None) -> Iterator[None]:
    """Interrupt what the connection does after `timeout` seconds."""
    if timeout is None:
        yield
        return
    timer = Timer(timeout, connection.interrupt)
    timer.daemon = True
    timer.start()
    try:
        yield
    finally:
        timer.cancel()


@contextmanager
def _translate_errors(timeout: float | None) -> Iterator[None]:
    try:
        yield
    except duckdb.InterruptException as problem:
        raise QueryError(
            f"the query was stopped after {timeout:g} s", hint="give it more with --timeout"
        ) from problem
    except duckdb.Error as problem:
        raise QueryError(
            f"the query was refused: {problem}",
            hint="tables and columns are listed in the schema reference",
        ) from problem


def _fetch_rows(cursor: duckdb.DuckDBPyConnection) -> Iterator[Row]:
    while batch := cursor.fetchmany(BATCH_ROWS):
        yield from batch


def _format_table(names: list[str], rows: Iterator[Row]) -> Iterator[str]:
    """Columns aligned, numbers to the right, long cells cut."""
    held = list(rows)
    cells = [[_format_cell(value) for value in row] for row in held]
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


def _format_cell(value: Any) -> str:
    text = "" if value is None else str(value)
    shown = "".join(c if c.isprintable() else "·" for c in text[:CELL_WIDTH])
    return shown if len(text) <= CELL_WIDTH else shown[:-1] + "…"


def _format_csv(names: list[str], rows: Iterator[Row]) -> Iterator[str]:
    """Safe to open in a spreadsheet."""
    buffer = io.StringIO()
    writer = csv.writer(buffer, lineterminator="\n")
    for row in chain([names], rows):
        writer.writerow([escape_spreadsheet_cell(cell) for cell in row])
        yield buffer.getvalue()
        buffer.seek(0)
        buffer.truncate()


def _format_json(names: list[str], rows: Iterator[Row]) -> Iterator[str]:
    """One array of objects, an object per line; columns of one name get a number."""
    separator = "[\n"
    keys = _make_names_distinct(names)
    for row in rows:
        record = dict(zip(keys, map(_replace_infinite, row), strict=True))
        yield separator + json.dumps(record, ensure_ascii=False, default=str, allow_nan=False)
        separator = ",\n"
    yield "[]\n" if separator == "[\n" else "\n]\n"


def _make_names_distinct(names: Sequence[str]) -> list[str]:
    """`names`, of which a later one that is there already is called name_2, and so on."""
    keys: list[str] = []
    for name in names:
        numbered = (f"{name}_{number}" for number in count(2))
        keys.append(name if name not in keys else next(k for k in numbered if k not in keys))
    return keys


def _replace_infinite(value: Any) -> Any:
    """`value` with null in place of what JSON has no number for."""
    if isinstance(value, float) and not math.isfinite(value):
        return None
    if isinstance(value, dict):
        return {str(key): _replace_infinite(item) for key, item in value.items()}
    return [_replace_infinite(item) for item in value] if isinstance(value, list | tuple) else value


_WRITERS = {"table": _format_table, "csv": _format_csv, "json": _format_json}
