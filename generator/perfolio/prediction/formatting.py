"""A prediction as lines for a terminal, as Markdown, or as JSON."""

from __future__ import annotations

import json
from collections.abc import Iterator
from dataclasses import asdict

from perfolio.common.units import UNITS, quantity
from perfolio.prediction.model import Figure, Prediction, Table

FORMS = ("text", "markdown", "json")
_MINUTE, _HOUR, _DAY, _YEAR = 60.0, 3600.0, 86400.0, 86400.0 * 365.25
_JOULES = 3.6e6
"""Of a kilowatt-hour."""


def told(prediction: Prediction, form: str) -> str:
    """The whole prediction in one of `FORMS`."""
    if form == "json":
        return json.dumps(asdict(prediction), indent=1, ensure_ascii=False) + "\n"
    lines = _markdown(prediction) if form == "markdown" else _text(prediction)
    return "\n".join(lines) + "\n"


def amount(figure: Figure, value: float | None = None) -> str:
    """A value of a figure with its unit, the figure's own without one."""
    number = figure.value if value is None else value
    if figure.unit == "duration":
        return duration(number)
    if figure.unit == "energy":
        kilowatt_hours = number / _JOULES
        return (
            f"{kilowatt_hours / 1e3:,.1f} MWh"
            if kilowatt_hours >= 1e3
            else f"{kilowatt_hours:,.1f} kWh"
        )
    if figure.unit not in UNITS:
        return f"{number:,.0f} {figure.unit}"
    return quantity(round(number) if figure.unit == "count" else number, figure.unit)


def duration(seconds: float) -> str:
    """Seconds in the unit that people plan in."""
    for size, name in ((_YEAR, "years"), (_DAY, "days"), (_HOUR, "hours"), (_MINUTE, "minutes")):
        if seconds >= 2.0 * size:
            return f"{seconds / size:,.1f} {name}"
    return quantity(seconds, "s")


def _interval(figure: Figure) -> str:
    if figure.low is None or figure.high is None:
        return ""
    return f"{amount(figure, figure.low)} to {amount(figure, figure.high)}"


def _text(prediction: Prediction) -> Iterator[str]:
    yield prediction.title
    wide = max(len(figure.name) for figure in prediction.figures)
    for figure in prediction.figures:
        ends = _interval(figure)
        yield f"  {figure.name:{wide}}  {amount(figure)}" + (f"  ({ends})" if ends else "")
    if prediction.answer:
        yield f"  {prediction.answer}"
    for table in prediction.tables:
        yield from ("", table.title, *_columns(table))
    for title, lines in (("Formula", prediction.formulas), ("Assumes", prediction.assumptions)):
        yield from ("", title, *(f"  {line}" for line in lines))


def _columns(table: Table) -> Iterator[str]:
    cells = [list(table.columns), *([_cell(each) for each in row] for row in table.rows)]
    widths = [max(len(row[column]) for row in cells) for column in range(len(table.columns))]
    for row in cells:
        yield (
            "  "
            + "  ".join(f"{cell:{width}}" for cell, width in zip(row, widths, strict=True)).rstrip()
        )


def _cell(cell: Figure | str) -> str:
    return cell if isinstance(cell, str) else amount(cell)


def _markdown(prediction: Prediction) -> Iterator[str]:
    yield from (f"# {prediction.title}", "", "| Figure | Value | Interval |", "|---|---:|---|")
    for figure in prediction.figures:
        yield f"| {figure.name} | {amount(figure)} | {_interval(figure) or '–'} |"
    if prediction.answer:
        yield from ("", prediction.answer)
    for table in prediction.tables:
        yield from ("", f"## {table.title}", "", *table_lines(table))
    yield from ("", "## Formula", "", *(f"- {line}" for line in prediction.formulas))
    yield from ("", "## What it assumes", "", *(f"- {line}" for line in prediction.assumptions))


def table_lines(table: Table) -> Iterator[str]:
    """A table in Markdown."""
    yield f"| {' | '.join(table.columns)} |"
    yield "|---" * len(table.columns) + "|"
    for row in table.rows:
        yield f"| {' | '.join(_cell(cell).replace('|', '&#124;') for cell in row)} |"
