"""A specification as small as it can be sent: each table of its data once, by columns.

In:  a Vega-Lite specification whose views carry their rows inline, as objects. Out: a script with
the same, with `{"table": n}` in place of `{"values": [...]}`, and the tables: `perfolio.js` makes
rows of them.

A column is a list of cells; of one cell where all are the same; or, where fewer characters say it,
its different cells and which of them each row has, or by how much each number is above the one
before it. Numbers keep as many digits as are drawn. Parts that come again, such as an axis that
views share, are there once, too: `{"$part": n}` stands for them.
"""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Mapping, Sequence
from itertools import pairwise
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
SIGNS = "!#$%&'()*+,-.:;<=>?@[]^_`{|}~ "
"""Digits of places, none of which is one of a word, number or path: who looks for these is not
misled."""
LAST = len(SIGNS) // 2
"""Digits of which each ends a place: from this one on they go on."""
_SHORT = 40
"""Characters up to which a part is as well said again."""
_EXACT = 2**53
_write = json.JSONEncoder(allow_nan=False, ensure_ascii=False, separators=(",", ":")).encode


def write_chart_script(chart: RenderedChart) -> str:
    """A script that hands the specification, or the call tree, over: `fetch` fails on file://."""
    if chart.tree:
        return chart.tree
    spec = _write(pack_spec(json.loads(chart.spec)))
    return (
        "window.perfolio = window.perfolio || {specs: {}};\n"
        f"window.perfolio.specs[{json.dumps(chart.name)}] = {spec};\n"
    )


def pack_spec(spec: Mapping[str, Any]) -> dict[str, Any]:
    """A specification in which `tables` has its data; the same where it has none to pack."""
    tables: Tables = {}
    digits = ENLARGED if "usermeta" in spec else DRAWN
    packed = _name_parts(_pack_view(spec, tables, digits))
    return {**packed, "tables": list(tables.values())} if tables else packed


def _name_parts(spec: Mapping[str, Any]) -> dict[str, Any]:
    """A specification in which each long part stands once, those that come again in `parts`."""
    times: Counter[str] = Counter()
    _count_parts(spec, times)
    names = {part: n for n, part in enumerate(each for each in times if times[each] > 1)}
    named: dict[str, Any] = _replace_parts(spec, names, whole=True)
    parts = [_replace_parts(json.loads(part), names, whole=True) for part in names]
    return {**named, "parts": parts} if parts else named


def _count_parts(value: object, times: Counter[str]) -> None:
    """How often each object stands in others that are different."""
    if isinstance(value, dict):
        text = _write(value)
        if len(text) > _SHORT:
            times[text] += 1
        if times[text] > 1:
            return
    for each in value.values() if isinstance(value, dict) else value:  # type: ignore[attr-defined]
        if isinstance(each, (dict, list)):
            _count_parts(each, times)


def _replace_parts(value: Any, names: Mapping[str, int], *, whole: bool = False) -> Any:
    """A value with references in place of parts that have a name; itself stays if `whole`."""
    if isinstance(value, list):
        return [_replace_parts(each, names) for each in value]
    if not isinstance(value, dict):
        return value
    if not whole and (place := names.get(_write(value))) is not None:
        return {"$part": place}
    return {name: _replace_parts(each, names) for name, each in value.items()}


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
    ways: list[object] = [cells]
    if len(different) < len(cells):
        places = {key: write_place(place) for place, key in enumerate(different)}
        ways.append({"of": list(different.values()), "at": "".join(places[key] for key in keys)})
    if all(type(cell) in (int, float) for cell in cells):
        ways += _make_steps(cells, keys)
    return min(ways, key=lambda way: len(_write(way)))


def _make_steps(numbers: Sequence[float], texts: Sequence[str]) -> list[object]:
    """Numbers as whole steps from one to the next, with what to divide their sums by: exactly."""
    per = 10 ** max(len(text.partition(".")[2]) for text in texts)
    sums = [round(number * per) for number in numbers]
    if max(per, *map(abs, sums)) > _EXACT or any(
        each / per != number for each, number in zip(sums, numbers, strict=True)
    ):
        return []
    steps = [after - before for before, after in pairwise((0, *sums))]
    return [{"by": steps, "per": per}] if max(map(abs, steps)) <= _EXACT else []


def write_place(place: int) -> str:
    """A number from 0 on in `SIGNS`, which ends by itself."""
    rest, digit = divmod(place, LAST)
    made = SIGNS[digit]
    while rest:
        rest, digit = divmod(rest - 1, len(SIGNS) - LAST)
        made = SIGNS[LAST + digit] + made
    return made
