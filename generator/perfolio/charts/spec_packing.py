"""A specification as small as it can be sent: each table of its data once, by columns.

In:  a Vega-Lite specification whose views carry their rows inline, as objects. Out: a script with
the same, with `{"table": n}` in place of `{"values": [...]}`, and the tables: `perfolio.js` makes
rows of them.

A column is a list of cells; of one cell where all are the same; or, where fewer characters say it,
its different cells and which of them each row has. Numbers keep as many digits as are drawn.
"""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from typing import Any

from perfolio.charts.model import RenderedChart

Row = Mapping[str, Any]
Tables = dict[str, dict[str, Any]]

DRAWN = 7
"""Significant digits of what is shown as a whole: a picture has some 700 pixels."""
ENLARGED = 12
"""The same where a part of it can fill the picture."""
FEW = 2
"""Rows up to which objects are as short."""


def write_chart_script(chart: RenderedChart) -> str:
    """A script that hands the specification, or the call tree, over: `fetch` fails on file://."""
    if chart.tree:
        return chart.tree
    spec = json.dumps(pack_spec(json.loads(chart.spec)), allow_nan=False, separators=(",", ":"))
    return (
        "window.perfolio = window.perfolio || {specs: {}};\n"
        f"window.perfolio.specs[{json.dumps(chart.name)}] = {spec};\n"
    )


def pack_spec(spec: Mapping[str, Any]) -> dict[str, Any]:
    """A specification in which `tables` has its data; the same where it has none to pack."""
    tables: Tables = {}
    digits = ENLARGED if "usermeta" in spec else DRAWN
    packed: dict[str, Any] = _pack_view(spec, tables, digits)
    return {**packed, "tables": list(tables.values())} if tables else packed


def _pack_view(view: Mapping[str, Any], tables: Tables, digits: int) -> dict[str, Any]:
    """A view and those in its layers, with references to `tables` in place of rows."""
    made = dict(view)
    if "layer" in made:
        made["layer"] = [_pack_view(layer, tables, digits) for layer in made["layer"]]
    rows = made.get("data", {}).get("values")
    if _is_table(rows):
        table = _pack_table(rows, digits)
        key = json.dumps(table)
        tables.setdefault(key, table)
        made["data"] = {**made["data"], "table": list(tables).index(key)}
        del made["data"]["values"]
    return made


def _is_table(rows: object) -> bool:
    """Whether all are objects with the same keys."""
    if not isinstance(rows, list) or len(rows) <= FEW or not isinstance(rows[0], dict):
        return False
    names = rows[0].keys()
    return all(isinstance(row, dict) and row.keys() == names for row in rows)


def _pack_table(rows: Sequence[Row], digits: int) -> dict[str, Any]:
    cells = {name: [_round_cell(row[name], digits) for row in rows] for name in rows[0]}
    return {
        "rows": len(rows),
        "columns": {name: _pack_column(each) for name, each in cells.items()},
    }


def _round_cell(cell: object, digits: int) -> object:
    if not isinstance(cell, float):
        return cell
    short = float(f"{cell:.{digits}g}")
    return int(short) if short.is_integer() and abs(short) < 1e15 else short


def _pack_column(cells: list[Any]) -> object:
    """The shortest way to say the cells of a column. `true` and `1` are different cells."""
    keys = [repr(cell) for cell in cells]
    different = dict(zip(keys, cells, strict=True))
    if len(different) == 1:
        return {"of": [cells[0]]}
    if len(different) == len(cells):
        return cells
    places = {key: place for place, key in enumerate(different)}
    coded = {"of": list(different.values()), "at": [places[key] for key in keys]}
    return coded if len(json.dumps(coded)) < len(json.dumps(cells)) else cells
