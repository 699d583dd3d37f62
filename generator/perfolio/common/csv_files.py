"""Tables as CSV: written so that no cell is a formula, read as spreadsheets save them.

In:  rows by column, or a file. Out: text, or rows. InputError names the file and the line.
"""

from __future__ import annotations

import csv
import io
import re
from collections.abc import Iterable, Mapping, Sequence
from pathlib import Path

from perfolio.common.errors import InputError
from perfolio.common.escaping import escape_spreadsheet_cell, to_plain_line

_NUMBER = re.compile(r"-?\d+(\.\d+)?(e-?\d+)?")
_CELL = 2_000
_LARGEST = 50_000_000


def format_csv(columns: Sequence[str], rows: Iterable[Mapping[str, str]]) -> str:
    """Rows with a head; each cell is one line."""
    out = io.StringIO()
    writer = csv.DictWriter(out, columns, lineterminator="\n")
    writer.writeheader()
    writer.writerows({name: _format_cell(row[name]) for name in columns} for row in rows)
    return out.getvalue()


def read_csv_rows(path: Path, columns: Sequence[str]) -> list[dict[str, str]]:
    """The rows of a file, which may begin with a BOM and have semicolons; `columns` are in each."""
    try:
        if path.stat().st_size > _LARGEST:
            raise InputError(f"{path}: larger than {_LARGEST:,} bytes")
        text = path.read_bytes().decode("utf-8-sig")
        head = text.split("\n", 1)[0]
        source = io.StringIO(text, newline="")
        rows = list(csv.DictReader(source, delimiter=";" if ";" in head else ",", strict=True))
    except (OSError, UnicodeDecodeError, csv.Error) as problem:
        raise InputError(f"{path}: cannot be read: {problem}") from problem
    for number, row in enumerate(rows, 2):
        if any(row.get(name) is None for name in columns):
            raise InputError(f"{path}:{number}: lacks columns of {', '.join(columns)}")
    return rows


def _format_cell(text: str) -> str:
    line = to_plain_line(text, _CELL)
    return line if _NUMBER.fullmatch(line) else escape_spreadsheet_cell(line)
