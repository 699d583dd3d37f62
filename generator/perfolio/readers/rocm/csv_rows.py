"""Rows of a CSV file by the names of its columns, as they are asked for.

Names are compared in lower case, with `_` for blanks and hyphens: `gpu-id` is `GPU_ID`.
"""

from __future__ import annotations

import csv
from collections.abc import Iterator, Sequence
from pathlib import Path

from perfolio.readers.text_lines import (
    UTF_16,
    describe_cut_line,
    describe_unended_line,
    read_csv_rows,
    read_lines,
)
from perfolio.readers.text_stream import TextStream

MOST_COLUMNS = 20_000


class CsvTable:
    """A CSV file: its columns, then its rows."""

    def __init__(self, text: TextStream) -> None:
        self.path: Path = text.opened.path
        self._text = text
        self.notes: list[str] = []
        """What had to be tolerated."""
        lines = read_lines(text)
        header = next((line for line in lines if line.strip()), "")
        delimiter = max(",;\t", key=header.count)
        cells = next(read_csv_rows(text, [header], delimiter=delimiter), [])
        self.columns: tuple[str, ...] = tuple(map(normalize_column, cells[:MOST_COLUMNS]))
        """Plain names of its columns."""
        self._rows = read_csv_rows(text, lines, delimiter=delimiter)

    def pick(self, wanted: Sequence[Sequence[str]]) -> Iterator[list[str]]:
        """Of each row the cells that are wanted, each by its first known name; "" for none."""
        places = [self._place(names) for names in wanted]
        for row in self._rows:
            if not row:
                continue
            is_cut = len(row) < len(self.columns) or not row[-1]
            if is_cut and not self._text.is_ended:
                self.notes.append(describe_cut_line(self._text))
            else:
                self.notes += describe_unended_line(self._text)
                count = len(row)
                yield [row[place] if 0 <= place < count else "" for place in places]

    def _place(self, names: Sequence[str]) -> int:
        return next((self.columns.index(name) for name in names if name in self.columns), -1)


def normalize_column(cell: str) -> str:
    """The name of a column in lower case, with `_` for blanks and hyphens."""
    return cell.strip().strip('"').lower().replace("-", "_").replace(" ", "_")


def parse_header(head: bytes) -> tuple[str, ...]:
    """Names of columns by the first bytes of a file; none where they are no text."""
    text = head.decode("utf-16" if head.startswith(UTF_16) else "utf-8-sig", "replace")
    first = next((line for line in text.split("\n") if line.strip()), "")
    if "\0" in first:
        return ()
    try:
        cells = next(csv.reader([first], delimiter=max(",;\t", key=first.count)), [])
    except csv.Error:
        return ()
    return tuple(normalize_column(cell) for cell in cells[:MOST_COLUMNS])
