"""A table: `columns`, and either `rows` with an answer per column, or `pick`, rows of a metric.

A column that is `given` is printed. One with an `expression` over the keys of other columns of its
row is graded by the learner's own cells too.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

from perfolio.common.units import quantity
from perfolio.exercises import html_form
from perfolio.exercises.cell_items import cell_name, cells_text, grade_cells, with_points
from perfolio.exercises.item_context import Making
from perfolio.exercises.model import Answer, Given, Graded, Json, Keyed, NotAskedError
from perfolio.exercises.number_items import Numeric, made_number, read_unit
from perfolio.exercises.paper_form import Pen, block
from perfolio.exercises.platform_items import Grid, Numerical, numerical
from perfolio.exercises.row_choice import Pick, answer_of, picked, read_pick
from perfolio.exercises.strict_fields import Fields, answer_in

POINTS = 4.0
NEEDS = ("cells",)


@dataclass(frozen=True)
class Column:
    """One column; `source` is the column of the picked metric that fills it."""

    key: str
    title: str
    unit: str
    tolerance: Any
    given: bool
    source: str
    expression: str


@dataclass(frozen=True)
class Row:
    """A row with its header and an answer per column."""

    says: str
    answers: Mapping[str, Answer]


@dataclass(frozen=True)
class Table:
    """What an author says of a table."""

    head: str
    """The header of the column of row headers."""
    columns: tuple[Column, ...]
    rows: tuple[Row, ...]
    pick: Pick | None


def load(fields: Fields) -> Table:
    """Columns and rows; every cell needs a source."""
    columns = tuple(_column(each) for each in fields.each("columns"))
    pick = read_pick(fields.inside("pick")) if "pick" in fields else None
    rows = () if pick else tuple(_row(each) for each in fields.each("rows"))
    for column in columns:
        filled = bool(column.expression or (column.source if pick else rows))
        if not filled or (rows and not column.expression and _lacking(rows, column.key)):
            raise fields.refuse(f"column {column.key} has cells without a source")
    if not any(not column.given for column in columns):
        raise fields.refuse("asks for no column")
    return Table(fields.text("head", ""), columns, rows, pick)


def key(making: Making) -> Keyed:
    """A key per asked cell, row by row; cells that are not measured are printed with the reason."""
    table: Table = making.item.own
    cells: list[Json] = []
    gaps: list[NotAskedError] = []
    rows = [
        {"says": row.says, "cells": _cells(table, row, making, cells, gaps)}
        for row in _rows(table, making)
    ]
    if not cells:
        raise gaps[0]
    columns = [
        {"title": making.say(column.title), "given": column.given} for column in table.columns
    ]
    return Keyed(
        {"head": table.head, "columns": columns, "rows": rows, "count": len(cells)},
        {"cells": with_points(cells, making.item.points)},
    )


def html(shown: Json) -> str:
    """A table whose fields are named by their row and column."""
    titles = [
        (html_form.input_id(shown, f"c{n}"), c["title"]) for n, c in enumerate(shown["columns"])
    ]
    head = "".join(f'<th scope="col" id="{i}">{html_form.words(title)}</th>' for i, title in titles)
    first = _corner(shown)
    lines = [f'<table class="pf-answers"><thead><tr>{first}{head}</tr></thead><tbody>']
    for r, row in enumerate(shown["rows"]):
        name = html_form.input_id(shown, f"r{r}")
        filled = "".join(
            f'<td data-title="{html_form.attribute(title)}">'
            f"{_cell_html(shown, cell, f'{name} {head_id}')}</td>"
            for cell, (head_id, title) in zip(row["cells"], titles, strict=True)
        )
        lines.append(
            f'<tr><th scope="row" id="{name}">{html_form.words(row["says"])}</th>{filled}</tr>'
        )
    return html_form.item(shown, [*lines, "</tbody></table>"])


def paper(shown: Json, pen: Pen) -> str:
    """A table whose asked cells are boxes."""
    titles = [each["title"] for each in shown["columns"]]
    head = _corner(shown) + "".join(
        f'<th scope="col">{html_form.words(title)}</th>' for title in titles
    )
    lines = [f'<table class="cells"><thead><tr>{head}</tr></thead><tbody>']
    for row in shown["rows"]:
        filled = "".join(
            f"<td>{_cell_paper(shown, cell, pen, ', '.join((row['says'], title)))}</td>"
            for cell, title in zip(row["cells"], titles, strict=True)
        )
        lines.append(f'<tr><th scope="row">{html_form.words(row["says"])}</th>{filled}</tr>')
    return block(shown, [*lines, "</tbody></table>"])


def _corner(shown: Json) -> str:
    """The header of row headers; an empty one is no header."""
    return (
        f'<th scope="col">{html_form.words(shown["head"])}</th>' if shown["head"] else "<td></td>"
    )


def solve(key: Mapping[str, Any]) -> Given:
    """All asked cells as they may be typed."""
    return cells_text(key)


def quiz(shown: Json, key: Mapping[str, Any]) -> Grid:
    """The table with fields in it."""
    head = (shown["head"], *(column["title"] for column in shown["columns"]))
    return Grid(head, tuple(_quiz_row(row, key["cells"]) for row in shown["rows"]))


def _quiz_row(row: Json, cells: Sequence[Json]) -> tuple[str | Numerical, ...]:
    texts = (
        numerical(cells[cell["part"]])
        if "part" in cell
        else cell.get("text") or f"not measured: {cell['gap']}"
        for cell in row["cells"]
    )
    return (row["says"], *texts)


def grade(key: Mapping[str, Any], given: Mapping[str, Any]) -> Graded:
    """Cell by cell."""
    return grade_cells(key, given)


def _cell_html(shown: Json, cell: Json, labels: str) -> str:
    if "part" in cell:
        return html_form.number_input(shown, cell["unit"], cell["part"], labels)
    if "gap" in cell:
        told = html_form.words(f"not measured: {cell['gap']}")
        how = f" <code>{html_form.code(cell['collect'])}</code>" if cell["collect"] else ""
        return f'<span class="pf-gap">{told}{how}</span>'
    return html_form.words(cell["text"])


def _cell_paper(shown: Json, cell: Json, pen: Pen, called: str) -> str:
    if "part" in cell:
        return pen.number(shown, cell["unit"], cell["part"], called)
    if "gap" in cell:
        return f'<span class="gap">{html_form.words("not measured: " + cell["gap"])}</span>'
    return html_form.words(cell["text"])


def _rows(table: Table, making: Making) -> list[Row]:
    if table.pick is None:
        return [replace(row, says=making.say(row.says)) for row in table.rows]
    pick = table.pick
    sources = {column.key: column.source for column in table.columns if column.source}
    return [
        Row(one.says, {name: answer_of(pick, one, source) for name, source in sources.items()})
        for one in picked(pick, making.run)[: pick.take]
    ]


def _cells(
    table: Table, row: Row, making: Making, cells: list[Json], gaps: list[NotAskedError]
) -> list[Json]:
    """What a row shows; its asked cells join `cells`, and what is not measured `gaps`."""
    shown: list[Json] = []
    earlier, ids = dict(making.earlier), dict(making.ids)
    for column in table.columns:
        answer = row.answers.get(column.key) or Answer("expression", column.expression)
        number = Numeric(answer, column.unit, column.tolerance, ())
        try:
            made, right, _ = made_number(number, replace(making, earlier=earlier, ids=ids), 1.0)
        except NotAskedError as gap:
            gaps.append(gap)
            shown.append({"gap": gap.reason, "collect": gap.collect})
            continue
        earlier[column.key] = right.value
        if column.given:
            shown.append({"text": quantity(right.value, right.unit)})
        else:
            ids[column.key] = cell_name(len(cells))
            shown.append({"part": len(cells), "unit": made["printed"]})
            cells.append(made)
    return shown


def _column(fields: Fields) -> Column:
    column = Column(
        fields.text("key"),
        fields.text("title"),
        read_unit(fields),
        fields.any("tolerance", None),
        fields.flag("given"),
        fields.text("column", ""),
        fields.text("expression", ""),
    )
    fields.done()
    return column


def _row(fields: Fields) -> Row:
    answers = fields.inside("answers")
    names = list(fields.any("answers"))
    found = {str(name): answer_in(answers, str(name)) for name in names}
    row = Row(fields.text("says"), found)
    fields.done()
    return row


def _lacking(rows: Sequence[Row], key: str) -> bool:
    return any(key not in row.answers for row in rows)
