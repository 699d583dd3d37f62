"""Rows and columns of a table metric, or of evidence, as a page shows them.

In:  a table as the documents describe it. Out: its rows as dictionaries, its columns in order.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from perfolio.pages.cpu_cost_unit import Record
from perfolio.pages.table_cells import PATH_COLUMNS, list_folded_columns

PLACE_COLUMNS = PATH_COLUMNS | {"line"}
"""Columns that say where something is in the source."""


QUALIFYING = frozenset({"python_waits", "ahead"})
"""Columns that qualify others, and say nothing of a run in which no row has them."""


def list_records(item: Record) -> list[dict[str, Any]]:
    """The rows of a table metric or of evidence as dictionaries, keys as in its columns."""
    names = [column["name"] for column in item["columns"]]
    return [dict(zip(names, row, strict=True)) for row in item["rows"]]


def choose_columns(table: Record, hide: Sequence[str]) -> list[Record]:
    """The columns to show, of a table metric or of evidence.

    Left out: bounds of an interval, which stand in the cell of their value, and names,
    identifiers and qualifying figures that no row has; places that stand in the cell of what
    they are of.
    Files come last, so that numbers are beside names.
    """
    names = [column["name"] for column in table["columns"]]
    bounds = {f"{name}_{end}" for name in names for end in ("low", "high")}
    empty = {
        column["name"]
        for place, column in enumerate(table["columns"])
        if (column["unit"] in ("id", "text") or column["name"] in QUALIFYING)
        and all(row[place] is None for row in table["rows"])
    }
    shown = [
        {**column, "title": f"{column['title']} (95 % interval)"}
        if f"{column['name']}_low" in names
        else column
        for column in table["columns"]
        if column["name"] not in bounds | empty | {*list_folded_columns(names), *hide}
    ]
    return sorted(shown, key=_is_place)


def _is_place(column: Record) -> bool:
    """Whether it says where in the source; `line` also names the lines of a trace."""
    return column["name"] in PLACE_COLUMNS and (column["name"], column["unit"]) != ("line", "text")
