"""The pages of a fleet: answers of a lake to Markdown.

In:  a `FleetView`, and charts by name. Out: files by their path relative to the first page: it,
     a page of each cause, host and workload that matters, the questions, and all runs as a script.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import partial
from typing import Any

from perfolio.charts.model import RenderedChart
from perfolio.fleet.lake_connection import MACROS_FILE
from perfolio.fleet.lake_questions import MONEY, LakeQuestion, QuestionColumn
from perfolio.pages.fleet_rows import format_plain_cell, write_rows_script
from perfolio.pages.fleet_view import CHANGES, LEAST_RUNS, FleetView, Row, name_cause
from perfolio.pages.report_rendering import add_tooltips, list_chart_files
from perfolio.pages.template_environment import render
from perfolio.pages.template_filters import anchor, interval, label, name, quantity, text

ROWS = "fleet-runs.js"
"""The script with all runs: by it the site knows the folder as that of a fleet."""
QUESTIONS = "questions.md"
MOST_ROWS = 15
"""Rows of a table; `perfolio fleet query` gives all."""
_ENDS = ("low", "high")
_CODE = frozenset({"kernel"})
_UNTITLED = frozenset({"currency", "run", *_ENDS})
"""Columns that stand in the cells of others, or nowhere."""
_SHORT = 24
"""Characters of a name that stays on one line."""
_BARS = frozenset({"share", "idle_share"})


def render_fleet(view: FleetView, charts: Mapping[str, RenderedChart]) -> dict[str, str | bytes]:
    """All files of the pages but those of reports."""
    if not view.totals["runs"]:
        return {"index.md": render("fleet/empty.md.j2"), ROWS: write_rows_script(view)}
    context = {"view": view, "most": MOST_ROWS, "words": _list_functions(view, "")}
    below = {**context, "words": _list_functions(view, "../")}
    pages = {
        "index.md": render(
            "fleet/start.md.j2", **context, charts=charts, rows_script=ROWS, least=LEAST_RUNS
        ),
        QUESTIONS: render(
            "fleet/questions.md.j2",
            questions=[one.question for one in view.answers.values()],
            describe=describe_columns,
            macros=MACROS_FILE.read_text(encoding="utf-8"),
        ),
    }
    for kind, found in (("cause", view.causes), ("host", view.hosts), ("workload", view.workloads)):
        for named, page in found.items():
            pages[page] = render(f"fleet/{kind}.md.j2", **below, named=named)
    made: dict[str, str | bytes] = {
        path: add_tooltips("fleet", page) for path, page in pages.items()
    }
    return made | {ROWS: write_rows_script(view), **list_chart_files(charts)}


def _list_functions(view: FleetView, base: str) -> dict[str, Any]:
    """What templates call; `base` is the way from a page to the first one."""
    return {
        "cause": name_cause,
        "cell": partial(format_fleet_cell, view, base),
        "columns": choose_fleet_columns,
        "is_number": lambda column: column.unit != "text",
        "money": format_money,
        "source": lambda question: f"{base}{QUESTIONS}#{anchor(question)}",
        "base": base,
        "changes": CHANGES,
    }


def choose_fleet_columns(
    question: LakeQuestion, rows: Sequence[Row], hide: Sequence[str] = ()
) -> list[QuestionColumn]:
    """The columns of a table: without those that no row has, or that stand in other cells."""
    return [
        column
        for column in question.columns
        if column.name not in _UNTITLED
        and column.name not in hide
        and any(row[column.name] not in (None, []) for row in rows)
    ]


def format_fleet_cell(view: FleetView, base: str, row: Row, column: QuestionColumn) -> str:
    """A cell in Markdown: names escaped, numbers with units, linked to the page of its name."""
    value = row[column.name]
    if value is None:
        return "–"
    page = view.find_page(column.name, row)
    shown = _format_value(row, column)
    return f"[{shown}]({base}{page})" if page else shown


def _format_value(row: Row, column: QuestionColumn) -> str:
    value = row[column.name]
    if column.unit == MONEY:
        return format_money(value, row["currency"])
    if column.name == "cause":
        return text(name_cause(str(value)))
    if column.name in _CODE:
        return name(value, 72)
    if column.name == "severity":
        return (
            f'<span class="pf-badge pf-{anchor(value)}">{text(str(value).capitalize(), 20)}</span>'
        )
    if column.unit == "text":
        words = format_plain_cell(value, "text")
        shown = label(words, 72)
        return f'<span class="pf-whole">{shown}</span>' if len(words) <= _SHORT else shown
    if column.name in _BARS:
        part = min(max(float(value), 0.0), 1.0)
        return (
            f'<span class="pf-share pf-share-gain" style="--pf-part: {part:.3f}">'
            f"{quantity(value, column.unit)}</span>"
        )
    return quantity(value, column.unit) + _format_ends(row, column)


def _format_ends(row: Row, column: QuestionColumn) -> str:
    """The 95 % interval of what is slower."""
    if column.name != "slower" or any(row.get(end) is None for end in _ENDS):
        return ""
    return f' <span class="pf-interval">({interval(row, column.unit)})</span>'


def format_money(value: float | None, currency: object) -> str:
    """An amount with its currency; a dash where it is not known."""
    if value is None or currency is None:
        return "–"
    return f"{quantity(float(value), '1')} {text(currency, 12)}"


def describe_columns(question: LakeQuestion) -> str:
    """The columns of a question with their units."""
    return ", ".join(
        one.title if one.unit in ("text", "count", "id", "1") else f"{one.title} ({one.unit})"
        for one in question.columns
    )
