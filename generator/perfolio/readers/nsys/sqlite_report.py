"""Tables of a report as `nsys export --type sqlite` writes it."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path

from perfolio.common.errors import FormatError, InputError
from perfolio.readers.events.event_names import MOST_OF_A_NAME
from perfolio.readers.nsys.checked_tables import AGAIN, TEXTS, Column, choose_batch_size
from perfolio.readers.sqlite_file import MAGIC, SqliteFile, quote_name
from perfolio.readers.stable_file import OpenedFile, open_input
from perfolio.readers.tool_exports import NSYS, export_report

_NAMES_OF_KINDS = "ENUM_"
"""How tables are called that say what the numbers of kinds mean: newer reports have hundreds."""


class SqliteTables:
    """The tables of one SQLite file, or of the binary report that it was exported from."""

    def __init__(self, opened: OpenedFile, report: OpenedFile | None = None) -> None:
        self.path = (report or opened).path
        self.opened = (report or opened,)
        self._file = SqliteFile(opened, again=AGAIN, source=self.path)
        self.columns: Mapping[str, frozenset[str]] = {
            table: frozenset(self._file.list_columns(table))
            for table in self._file.list_tables()
            if not table.startswith(_NAMES_OF_KINDS)
        }

    def batches(self, table: str, columns: Sequence[str]) -> Iterator[tuple[Column, ...]]:
        """The rows of a table, some at a time, column by column. Raises TableError."""
        selected = [_select_column(column) for column in columns]
        for rows in self._file.read_batches(table, selected, choose_batch_size(columns)):
            yield tuple(zip(*rows, strict=True))

    def count(self, table: str) -> int:
        """Rows of a table; 0 where it is not there."""
        if table not in self.columns:
            return 0
        return sum(len(rows) for (rows,) in self.batches(table, [min(self.columns[table])]))


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


def open_binary(path: Path) -> SqliteTables:
    """The tables of a binary report, by the nsys that is installed. Raises InputError."""
    report = open_input(path)
    with export_report(NSYS, report) as exported:
        return SqliteTables(open_input(exported), report)


def _select_column(column: str) -> str:
    name = quote_name(column)
    return f"substr({name}, 1, {MOST_OF_A_NAME})" if column in TEXTS else name
