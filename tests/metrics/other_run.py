"""A run beside the one that is measured, so that a query that mixes the two gives other numbers.

It has the same rows under the same identifiers, and of what was measured every third or so twice:
numbers of rows differ, too, and their shares. Files, modules and functions have other names. Each
other number is increased and multiplied by a factor of its own, which follows from the column and
the row's identifiers: sums, shares and ratios all differ. Times are closer together, so that it
lies within the measured run: the begin and the end of either show.

Measured runs have odd numbers, and each has its other run under the number that follows.
"""

from __future__ import annotations

from typing import NamedTuple

import duckdb

from tests.metrics.case_rows import EPOCH

RUN = 1
OTHER = RUN + 1
ELSEWHERE = "/elsewhere/lib/python3/site-packages/"
_NUMBERS = {"INTEGER", "BIGINT", "HUGEINT", "UINTEGER", "UBIGINT", "DOUBLE"}
_NAMES = {
    "run", "setting", "attachment", "profile", "module", "file", "function", "context", "metric",
}  # fmt: skip
_WRITTEN = {
    ("run", "slug"): "'run-' || (one.run + 1)",
    ("file", "path"): f"'{ELSEWHERE}' || path",
    ("module", "path"): f"'{ELSEWHERE}' || path",
    ("function", "name"): "name || '_elsewhere'",
    ("run", "hardware"): "replace(hardware, 'device ' || one.run, 'device ' || (one.run + 1))",
    ("setting", "value"): "coalesce(CAST(3 * TRY_CAST(value AS BIGINT) AS VARCHAR), value)",
}


class Column(NamedTuple):
    """A column, as the store's own schema describes it."""

    name: str
    type: str
    comment: str

    @property
    def identifies(self) -> bool:
        """Whether it holds identifiers."""
        return self.comment.endswith("[id]")


def columns(connection: duckdb.DuckDBPyConnection, table: str) -> list[Column]:
    """The columns of a table, in their order."""
    found = connection.execute(
        "SELECT column_name, data_type, comment FROM duckdb_columns()"
        " WHERE table_name = $table ORDER BY column_index",
        {"table": table},
    ).fetchall()
    return [Column(str(name), str(kind), str(comment)) for name, kind, comment in found]


def copy_of_runs(table: str, described: list[Column]) -> str:
    """The statement that copies the rows of measured runs in a table to their other runs."""
    identifiers = [
        column.name
        for column in described
        if column.identifies and column.type in _NUMBERS and column.name != "run"
    ]
    row = " + ".join(["0", *(f'coalesce("{name}", 0)' for name in identifiers)])
    cells = [
        _WRITTEN.get((table, column.name)) or _cell(column, position, row)
        for position, column in enumerate(described)
    ]
    copies = "1" if table in _NAMES else "1 + (hash(CAST(one AS VARCHAR)) % 3 = 0)::INTEGER"
    return (
        f"INSERT INTO {table} SELECT {', '.join(cells)}"
        f" FROM {table} AS one, range({copies}) WHERE one.run % 2 = 1"
    )


def _cell(column: Column, position: int, row: str) -> str:
    """The other run's cell of a column; `row` is a sum of the identifiers of its row."""
    if column.name == "run":
        return "one.run + 1"
    name = f'"{column.name}"'
    if column.identifies or column.type not in _NUMBERS:
        return name
    factor = f"({position + 2} + ({row}) % 7)"
    if "since the epoch" in column.comment:
        slower = 4 if column.name == "start" else 3
        return f"{EPOCH} + 61 + CAST({name} - {EPOCH} AS BIGINT) // {slower}"
    return f"({name} + {position}) * {factor}"
