"""For a comment or a page: the verdict, what must be known, tables."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from typing import Any

from perfolio.common.escaping import escape_markdown
from perfolio.comparison.compared_tables import ComparedTable, list_tables

_NUMBER = re.compile(r"[-+]?\d[\d.,]*(?: ?(?:%|×|[A-Za-zµ]{1,3}(?:/[A-Za-z]{1,2})?))?")


def render(document: Mapping[str, Any]) -> str:
    """A heading, the verdict, notes and tables."""
    return "\n".join(_write_lines(document)) + "\n"


def _write_lines(document: Mapping[str, Any]) -> Iterator[str]:
    yield f"## {escape_markdown(describe_sides(document))}"
    yield ""
    yield f"**{escape_markdown(document['verdict']['sentence'])}**"
    yield ""
    for detail in document["verdict"]["details"]:
        yield f"- {escape_markdown(detail)}"
    for table in list_tables(document):
        yield ""
        yield from _write_table(table)


def describe_sides(document: Mapping[str, Any]) -> str:
    """Which runs are compared."""
    return " and ".join(str(document["names"][side]) for side in ("before", "after"))


def _escape_cell(cell: str) -> str:
    """A cell of the table; numbers need no escaping."""
    return cell if _NUMBER.fullmatch(cell) else escape_markdown(cell)


def _write_table(table: ComparedTable) -> Iterator[str]:
    yield f"### {table.title}"
    yield ""
    yield f"| {' | '.join(table.heads)} |"
    yield f"| {' | '.join('---' for _ in table.heads)} |"
    for row in table.rows:
        yield f"| {' | '.join(_escape_cell(cell) for cell in row)} |"
    if table.rest:
        yield ""
        yield f"{table.rest:,} more are in comparison.json."
