"""All runs of a fleet as a script beside their page, which shows some of them at a time.

In:  the answer to what runs there are. Out: columns of cells as they are shown, with the pages that
     they lead to. A page with ten thousand rows would be slow, and `fetch` reads no file.
"""

from __future__ import annotations

import json
from collections.abc import Sequence
from typing import Any

from perfolio.common.units import quantity
from perfolio.fleet.lake_questions import QuestionColumn
from perfolio.pages.fleet_view import FleetView
from perfolio.pages.template_filters import shorten

LEFT_OUT = frozenset({"run"})
"""Columns that nobody reads."""
MOST_WORDS = 160
_NUMBERS = frozenset({"count", "s", "ratio", "GPU-h"})
_FEW_HOSTS = 3


def write_rows_script(view: FleetView) -> str:
    """The runs, in the order of the answer."""
    answer = view.answers["runs"]
    columns = [
        _pack_column(column, view)
        for column in answer.question.columns
        if column.name not in LEFT_OUT and any(row[column.name] not in (None, []) for row in answer)
    ]
    document = {"rows": len(answer), "columns": columns}
    text = json.dumps(document, ensure_ascii=False, separators=(",", ":")).replace("</", "<\\/")
    return f"window.perfolio = window.perfolio || {{specs: {{}}}};\nperfolio.fleet = {text};\n"


def _pack_column(column: QuestionColumn, view: FleetView) -> dict[str, Any]:
    rows = view.answers["runs"].rows
    cells = [format_plain_cell(row[column.name], column.unit) for row in rows]
    pages = [view.find_page(column.name, row) for row in rows]
    found = {
        "title": column.title,
        "numbers": column.unit in _NUMBERS,
        "below": column.name == "verdict",
        **_pack_cells(cells),
    }
    if any(pages):
        found["pages"] = {
            cell if column.name != "name" else str(place): _to_address(page)
            for place, (cell, page) in enumerate(zip(cells, pages, strict=True))
            if page
        }
    return found


def _to_address(page: str) -> str:
    return f"{page.removesuffix('.md')}.html"


def _pack_cells(cells: Sequence[str]) -> dict[str, Any]:
    """Each cell; or the different ones, and which of them each row has."""
    different = list(dict.fromkeys(cells))
    if len(different) * 2 > len(cells):
        return {"of": cells}
    places = {cell: place for place, cell in enumerate(different)}
    return {"of": different, "at": [places[cell] for cell in cells]}


def format_plain_cell(value: Any, unit: str) -> str:
    """A cell as plain words: the page makes no markup of them."""
    if value is None or value == []:
        return "–"
    if isinstance(value, list):
        more = len(value) - _FEW_HOSTS
        shown = ", ".join(shorten(name, 40) for name in value[:_FEW_HOSTS])
        return f"{shown} and {more} more" if more > 0 else shown
    return shorten(value, MOST_WORDS) if unit == "text" else quantity(value, unit)
