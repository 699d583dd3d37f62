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
from perfolio.exercises.cell_items import format_cells, grade_cells, name_cell, split_points
from perfolio.exercises.item_context import ItemContext
from perfolio.exercises.model import Answer, Given, GradedAnswer, Json, KeyedItem, NotAskedError
from perfolio.exercises.number_items import AuthoredNumber, make_number_key, read_unit
from perfolio.exercises.paper_form import Pen, render_block
from perfolio.exercises.platform_items import GridTask, NumericalTask, make_numerical_task
from perfolio.exercises.row_choice import RowPick, make_cell_answer, pick_rows, read_pick
from perfolio.exercises.strict_fields import StrictFields, read_answer_chain

POINTS = 4.0
NEEDS = ("cells",)


@dataclass(frozen=True)
class AnswerColumn:
    """One column; `source` is the column of the picked metric that fills it."""

    key: str
    title: str
    unit: str
    tolerance: Any
    given: bool
    source: str
    expression: str


@dataclass(frozen=True)
class AnswerRow:
    """A row with its header and an answer per column."""

    says: str
    answers: Mapping[str, Answer]


@dataclass(frozen=True)
class AnswerTable:
    """What an author says of a table."""

    head: str
    """The header of the column of row headers."""
    columns: tuple[AnswerColumn, ...]
    rows: tuple[AnswerRow, ...]
    pick: RowPick | None


def load(fields: StrictFields) -> AnswerTable:
    """Columns and rows; every cell needs a source."""
    columns = tuple(_read_column(each) for each in fields.each("columns"))
    pick = read_pick(fields.inside("pick")) if "pick" in fields else None
    rows = () if pick else tuple(_read_row(each) for each in fields.each("rows"))
    for column in columns:
        filled = bool(column.expression or (column.source if pick else rows))
        if not filled or (rows and not column.expression and _has_empty_cells(rows, column.key)):
            raise fields.refuse(f"column {column.key} has cells without a source")
    if not any(not column.given for column in columns):
        raise fields.refuse("asks for no column")
    return AnswerTable(fields.text("head", ""), columns, rows, pick)


def key(context: ItemContext) -> KeyedItem:
    """A key per asked cell, row by row; cells that are not measured are printed with the reason."""
    table: AnswerTable = context.item.own
    cells: list[Json] = []
    gaps: list[NotAskedError] = []
    rows = [
        {"says": row.says, "cells": _make_cells(table, row, context, cells, gaps)}
        for row in _make_rows(table, context)
    ]
    if not cells:
        raise gaps[0]
    columns = [
        {"title": context.say(column.title), "given": column.given} for column in table.columns
    ]
    return KeyedItem(
        {"head": table.head, "columns": columns, "rows": rows, "count": len(cells)},
        {"cells": split_points(cells, context.item.points)},
    )


def html(shown: Json) -> str:
    """A table whose fields are named by their row and column."""
    titles = [
        (html_form.make_input_id(shown, f"c{n}"), c["title"])
        for n, c in enumerate(shown["columns"])
    ]
    head = "".join(
        f'<th scope="col" id="{i}">{html_form.render_sentence(title)}</th>' for i, title in titles
    )
    first = _render_corner(shown)
    lines = [f'<table class="pf-answers"><thead><tr>{first}{head}</tr></thead><tbody>']
    for r, row in enumerate(shown["rows"]):
        name = html_form.make_input_id(shown, f"r{r}")
        filled = "".join(
            f'<td data-title="{html_form.escape_attribute(title)}">'
            f"{_render_cell(shown, cell, f'{name} {head_id}')}</td>"
            for cell, (head_id, title) in zip(row["cells"], titles, strict=True)
        )
        lines.append(
            f'<tr><th scope="row" id="{name}">{html_form.render_sentence(row["says"])}</th>'
            f"{filled}</tr>"
        )
    return html_form.render_item(shown, [*lines, "</tbody></table>"])


def paper(shown: Json, pen: Pen) -> str:
    """A table whose asked cells are boxes."""
    titles = [each["title"] for each in shown["columns"]]
    head = _render_corner(shown) + "".join(
        f'<th scope="col">{html_form.render_sentence(title)}</th>' for title in titles
    )
    lines = [f'<table class="cells"><thead><tr>{head}</tr></thead><tbody>']
    for row in shown["rows"]:
        filled = "".join(
            f"<td>{_render_paper_cell(shown, cell, pen, ', '.join((row['says'], title)))}</td>"
            for cell, title in zip(row["cells"], titles, strict=True)
        )
        lines.append(
            f'<tr><th scope="row">{html_form.render_sentence(row["says"])}</th>{filled}</tr>'
        )
    return render_block(shown, [*lines, "</tbody></table>"])


def _render_corner(shown: Json) -> str:
    """The header of row headers; an empty one is no header."""
    return (
        f'<th scope="col">{html_form.render_sentence(shown["head"])}</th>'
        if shown["head"]
        else "<td></td>"
    )


def solve(key: Mapping[str, Any]) -> Given:
    """All asked cells as they may be typed."""
    return format_cells(key)


def quiz(shown: Json, key: Mapping[str, Any]) -> GridTask:
    """The table with fields in it."""
    head = (shown["head"], *(column["title"] for column in shown["columns"]))
    return GridTask(head, tuple(_make_quiz_row(row, key["cells"]) for row in shown["rows"]))


def _make_quiz_row(row: Json, cells: Sequence[Json]) -> tuple[str | NumericalTask, ...]:
    texts = (
        make_numerical_task(cells[cell["part"]])
        if "part" in cell
        else cell.get("text") or f"not measured: {cell['gap']}"
        for cell in row["cells"]
    )
    return (row["says"], *texts)


def grade(key: Mapping[str, Any], given: Mapping[str, Any]) -> GradedAnswer:
    """Cell by cell."""
    return grade_cells(key, given)


def _render_cell(shown: Json, cell: Json, labels: str) -> str:
    if "part" in cell:
        return html_form.render_number_input(shown, cell["unit"], cell["part"], labels)
    if "gap" in cell:
        gap = html_form.render_sentence(f"not measured: {cell['gap']}")
        how = f" <code>{html_form.escape_code(cell['collect'])}</code>" if cell["collect"] else ""
        return f'<span class="pf-gap">{gap}{how}</span>'
    return html_form.render_sentence(cell["text"])


def _render_paper_cell(shown: Json, cell: Json, pen: Pen, called: str) -> str:
    if "part" in cell:
        return pen.number(shown, cell["unit"], cell["part"], called)
    if "gap" in cell:
        return (
            f'<span class="gap">{html_form.render_sentence("not measured: " + cell["gap"])}</span>'
        )
    return html_form.render_sentence(cell["text"])


def _make_rows(table: AnswerTable, context: ItemContext) -> list[AnswerRow]:
    if table.pick is None:
        return [replace(row, says=context.say(row.says)) for row in table.rows]
    pick = table.pick
    sources = {column.key: column.source for column in table.columns if column.source}
    return [
        AnswerRow(
            one.says,
            {name: make_cell_answer(pick, one, source) for name, source in sources.items()},
        )
        for one in pick_rows(pick, context.run)[: pick.take]
    ]


def _make_cells(
    table: AnswerTable,
    row: AnswerRow,
    context: ItemContext,
    cells: list[Json],
    gaps: list[NotAskedError],
) -> list[Json]:
    """What a row shows; its asked cells join `cells`, and what is not measured `gaps`."""
    shown: list[Json] = []
    earlier, ids = dict(context.earlier), dict(context.ids)
    for column in table.columns:
        answer = row.answers.get(column.key) or Answer("expression", column.expression)
        number = AuthoredNumber(answer, column.unit, column.tolerance, ())
        try:
            made, right, _ = make_number_key(
                number, replace(context, earlier=earlier, ids=ids), 1.0
            )
        except NotAskedError as gap:
            gaps.append(gap)
            shown.append({"gap": gap.reason, "collect": gap.collect})
            continue
        earlier[column.key] = right.value
        if column.given:
            shown.append({"text": quantity(right.value, right.unit)})
        else:
            ids[column.key] = name_cell(len(cells))
            shown.append({"part": len(cells), "unit": made["printed"]})
            cells.append(made)
    return shown


def _read_column(fields: StrictFields) -> AnswerColumn:
    column = AnswerColumn(
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


def _read_row(fields: StrictFields) -> AnswerRow:
    answers = fields.inside("answers")
    names = list(fields.any("answers"))
    cells = {str(name): read_answer_chain(answers, str(name)) for name in names}
    row = AnswerRow(fields.text("says"), cells)
    fields.done()
    return row


def _has_empty_cells(rows: Sequence[AnswerRow], key: str) -> bool:
    return any(key not in row.answers for row in rows)
