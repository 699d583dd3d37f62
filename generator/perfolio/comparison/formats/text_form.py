"""For a terminal: the verdict, what must be known, tables in columns."""

from __future__ import annotations

import textwrap
from collections.abc import Iterator, Mapping
from typing import Any

from perfolio.common.errors import one_line
from perfolio.comparison.compared_tables import ComparedTable, list_tables
from perfolio.comparison.formats.markdown_form import describe_sides

_WIDTH = 96
_WIDEST_CELL = 48


def render(document: Mapping[str, Any]) -> str:
    """A heading, the verdict, notes and tables."""
    return "\n".join(_write_lines(document)) + "\n"


def _write_lines(document: Mapping[str, Any]) -> Iterator[str]:
    yield one_line(describe_sides(document))
    yield from textwrap.wrap(one_line(document["verdict"]["sentence"]), _WIDTH)
    for detail in document["verdict"]["details"]:
        yield from textwrap.wrap(
            one_line(detail), _WIDTH, initial_indent="  - ", subsequent_indent="    "
        )
    for table in list_tables(document):
        yield ""
        yield from list_lines(table)


def list_lines(table: ComparedTable) -> Iterator[str]:
    """Its title, and its rows in columns."""
    cells = [
        table.heads,
        *(tuple(one_line(cell, _WIDEST_CELL) for cell in row) for row in table.rows),
    ]
    widths = [max(len(row[place]) for row in cells) for place in range(len(table.heads))]
    yield table.title
    for row in cells:
        padded = (cell.ljust(width) for cell, width in zip(row, widths, strict=True))
        yield f"  {'  '.join(padded)}".rstrip()
    if table.rest:
        yield f"  {table.rest:,} more are in --format json"
