"""Tables as pages show them: the rows and columns of a metric or of evidence, and their cells.

In:  a table as the documents describe it. Out: its rows as dictionaries, its columns in order, and
     of each cell, by its column's name and unit, Markdown that is safe in a table, as everything
     from `perfolio.pages.template_filters`.
"""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from types import MappingProxyType
from typing import Any

from perfolio.charts.chart_data import DIRECTIONS
from perfolio.common import units
from perfolio.pages.cpu_cost_unit import Record
from perfolio.pages.template_filters import clean, label, name, quantity, text

CELL_LIMIT = 72
"""Characters of a name in a table: two lines of a column."""
CODE_COLUMNS = frozenset(
    {"blame", "code", "context", "entry_point", "function", "kernel", "name", "of_kernel", "short"}
)
"""Columns of tables that hold names of the profile, not words of ours."""
PATH_COLUMNS = frozenset({"file", "location", "module"})
"""Columns that hold paths of files: the last folder and the file are shown."""
LINE_COLUMNS = frozenset({"kernel_line", "loop"})
"""Columns that hold lines of files, which belong beside the name that they are about."""
CALL_PATH = "path"
"""Column of call paths, outermost first: the last function in full, who called it, and where."""
PLACE = ("file", "line", "module")
"""Columns that stand in the cell of a call path or kernel, where a table has one."""
CALLED = ("called_file", "called_line")
"""Columns that stand in the cell of a function, which is defined elsewhere."""
PLACED: Mapping[str, str] = MappingProxyType(
    {"path": "", "short": "launched ", "kernel": "launched ", "code": ""}
)
"""Columns whose cells say where in the sources that is, the first one that a table has; and how."""
TOTAL_COLUMNS = frozenset({"point_sum", "execution", "profile_sum", "total"})
"""Columns of totals in the tool's own units, which people compare: with all digits that count."""
TOTAL_DIGITS = 9

ROOM = 0.4
"""Room at both sides of what a link shows on the timeline: part of its length."""

_CALL = " > "
_CALLED_BY = " ← "
_PLACEHOLDER = "<gpu "
"""How the tool's placeholders for GPU work begin: another column says what work it was."""
_LONG_WORD = 24
"""Characters of a word that a narrow column may break."""
_ALWAYS_SHOWN = {"%", "×", "s", "CPU-s", "thread-s", "B", "B/s", "FLOP", "FLOP/s", "Hz"}
PLACE_COLUMNS = PATH_COLUMNS | {"line"}
"""Columns that say where something is in the source."""
QUALIFYING = frozenset({"python_waits", "ahead"})
"""Columns that qualify others, and say nothing of a run in which no row has them."""


def format_cell(row: Mapping[str, object], column: Mapping[str, str]) -> str:
    """A cell of a table: a number, a name as code, or words.

    Numbers of things go without the word that the column's title has already; shares
    with an interval have it in brackets.
    """
    value, unit = row[column["name"]], column["unit"]
    if value is None or (column["name"] == "line" and value == 0):  # 0: no line is known
        return "–"
    if unit == "text":
        return _format_words(value, column["name"]) + _format_place(row, column["name"])
    if column["name"] == "line":  # a name of a place, not an amount: no comma
        return str(int(float(str(value))))
    if unit not in units.UNITS or units.UNITS[unit].symbol in _ALWAYS_SHOWN:
        return quantity(value, unit, _find_interval_ends(row, column)) + _format_interval(
            row, column
        )
    number = float(str(value))
    if column["name"] in TOTAL_COLUMNS and unit == "1" and not number.is_integer():
        return units.format_significant(number, TOTAL_DIGITS)
    return units.format_number(number, unit)


def link_moment(row: Mapping[str, object]) -> str:
    """The address of what a row tells, from its start for its duration, on the timeline."""
    start, duration = float(str(row["start"])), float(str(row["duration"]))
    begin, end = max(0.0, start - ROOM * duration), start + (1.0 + ROOM) * duration
    edges = (f"{edge:.9f}".rstrip("0").rstrip(".") for edge in (begin, end))
    return f"#t={'-'.join(edges)}"


def _format_words(value: object, column: str) -> str:
    if column == CALL_PATH:
        return _format_call_path(str(value))
    if column in PATH_COLUMNS | LINE_COLUMNS:
        return name(value, CELL_LIMIT, shown=_shorten_path(value))
    if column in CODE_COLUMNS:
        return name(value, CELL_LIMIT)
    return _format_plain(
        _expand_directions(value) if column in ("direction", "operation") else value
    )


def _format_call_path(value: str) -> str:
    """The function where a path ends, and below it its callers, the nearest first."""
    frames = value.split(_CALL)
    host = frames[: next((i for i, f in enumerate(frames) if f.startswith(_PLACEHOLDER)), None)]
    *callers, last = host or frames
    shown = name(value, CELL_LIMIT, shown=last)
    if not callers:
        return shown
    return f'{shown} <span class="pf-callers">from {_list_nearest_callers(callers)}</span>'


def list_folded_columns(names: Collection[str]) -> Collection[str]:
    """The columns of a table that stand in the cells of another one: places of what it names."""
    if find_place_column(names):
        return PLACE
    return CALLED if "function" in names else ()


def find_place_column(names: Collection[str]) -> str | None:
    """The column of a table in whose cells the place stands; None where it has no such one."""
    return next((column for column in PLACED if column in names and "file" in names), None)


def _format_place(row: Mapping[str, object], column: str) -> str:
    """Below a call path or kernel: the line of the sources, or the library if none is known."""
    if column == "function":
        (file, line), module, how = (row.get(each) for each in CALLED), None, "called "
    elif column == find_place_column(row):
        (file, line, module), how = (row.get(each) for each in PLACE), PLACED[column]
    else:
        return ""
    if file:
        spot = f":{int(float(str(line)))}" if line else ""
        shown = name(f"{file}{spot}", CELL_LIMIT, shown=f"{_shorten_path(file)}{spot}")
        return f' <span class="pf-place">{how}at {shown}</span>'
    if module:
        shown = name(module, CELL_LIMIT, shown=_shorten_path(module, 1))
        return f' <span class="pf-place">{how}in {shown}</span>'
    return ""


def _shorten_path(path: object, parts: int = 2) -> str:
    """The last folder and the file of a path, or as many parts."""
    return "/".join(clean(path).split("/")[-parts:])


def _list_nearest_callers(callers: list[str]) -> str:
    """As many callers as two lines of a column hold, the nearest first."""
    nearest = list(reversed(callers))
    while len(nearest) > 1 and len(_CALLED_BY.join(nearest)) > CELL_LIMIT:
        nearest.pop()
    words = _CALLED_BY.join(nearest[:-1] if nearest[-1] == "…" else nearest)
    return text(f"{words}{_CALLED_BY}…" if len(nearest) < len(callers) else words)


def _expand_directions(value: object) -> str:
    """`copy H2D` as `copy host to device`."""
    return " ".join(DIRECTIONS.get(word, word) for word in clean(str(value)[:1000]).split(" "))


def _format_plain(value: object) -> str:
    """Words of ours, or with names in them: only words that are too long may be broken."""
    shown = label(value)
    longest = max(map(len, str(value)[:1000].split()), default=0)
    return f'<span class="pf-breaks">{shown}</span>' if longest > _LONG_WORD else shown


def _find_interval_ends(row: Mapping[str, object], column: Mapping[str, str]) -> dict[str, object]:
    """The ends of the interval of a cell, None where it has none."""
    return {end: row.get(f"{column['name']}_{end}") for end in ("low", "high")}


def _format_interval(row: Mapping[str, object], column: Mapping[str, str]) -> str:
    low, high = _find_interval_ends(row, column).values()
    if not isinstance(low, (int, float)) or not isinstance(high, (int, float)):
        return ""
    ends = units.format_interval_ends(low, high, column["unit"])
    return f' <span class="pf-interval">({"–".join(ends)})</span>'


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
