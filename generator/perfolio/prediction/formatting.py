"""A prediction as lines for a terminal, as Markdown, or as JSON."""

from __future__ import annotations

import json
from collections.abc import Iterator
from dataclasses import asdict

from perfolio.common.units import UNITS, quantity
from perfolio.prediction.model import PredictedFigure, PredictedTable, Prediction

FORMS = ("text", "markdown", "json")
_MINUTE, _HOUR, _DAY, _YEAR = 60.0, 3600.0, 86400.0, 86400.0 * 365.25
_JOULES = 3.6e6
"""Of a kilowatt-hour."""


def format_prediction(prediction: Prediction, form: str) -> str:
    """The whole prediction in one of `FORMS`."""
    if form == "json":
        return json.dumps(asdict(prediction), indent=1, ensure_ascii=False) + "\n"
    lines = _format_markdown(prediction) if form == "markdown" else _format_text(prediction)
    return "\n".join(lines) + "\n"


def format_amount(figure: PredictedFigure, value: float | None = None) -> str:
    """A value of a figure with its unit, the figure's own without one."""
    number = figure.value if value is None else value
    if figure.unit == "duration":
        return format_duration(number)
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


def format_duration(seconds: float) -> str:
    """Seconds in the unit that people plan in."""
    for size, name in ((_YEAR, "years"), (_DAY, "days"), (_HOUR, "hours"), (_MINUTE, "minutes")):
        if seconds >= 2.0 * size:
            return f"{seconds / size:,.1f} {name}"
    return quantity(seconds, "s")


def _format_interval(figure: PredictedFigure) -> str:
    if figure.low is None or figure.high is None:
        return ""
    return f"{format_amount(figure, figure.low)} to {format_amount(figure, figure.high)}"


def _format_text(prediction: Prediction) -> Iterator[str]:
    yield prediction.title
    wide = max(len(figure.name) for figure in prediction.figures)
    for figure in prediction.figures:
        ends = _format_interval(figure)
        yield f"  {figure.name:{wide}}  {format_amount(figure)}" + (f"  ({ends})" if ends else "")
    if prediction.answer:
        yield f"  {prediction.answer}"
    for table in prediction.tables:
        yield from ("", table.title, *_format_columns(table))
    for title, lines in (("Formula", prediction.formulas), ("Assumes", prediction.assumptions)):
        yield from ("", title, *(f"  {line}" for line in lines))


def _format_columns(table: PredictedTable) -> Iterator[str]:
    cells = [list(table.columns), *([_format_cell(each) for each in row] for row in table.rows)]
    widths = [max(len(row[column]) for row in cells) for column in range(len(table.columns))]
    for row in cells:
        yield (
            "  "
            + "  ".join(f"{cell:{width}}" for cell, width in zip(row, widths, strict=True)).rstrip()
        )


def _format_cell(cell: PredictedFigure | str) -> str:
    return cell if isinstance(cell, str) else format_amount(cell)


def _format_markdown(prediction: Prediction) -> Iterator[str]:
    yield from (f"# {prediction.title}", "", "| Figure | Value | Interval |", "|---|---:|---|")
    for figure in prediction.figures:
        yield f"| {figure.name} | {format_amount(figure)} | {_format_interval(figure) or '–'} |"
    if prediction.answer:
        yield from ("", prediction.answer)
    for table in prediction.tables:
        yield from ("", f"## {table.title}", "", *format_table(table))
    yield from ("", "## Formula", "", *(f"- {line}" for line in prediction.formulas))
    yield from ("", "## What it assumes", "", *(f"- {line}" for line in prediction.assumptions))


def format_table(table: PredictedTable) -> Iterator[str]:
    """A table in Markdown."""
    yield f"| {' | '.join(table.columns)} |"
    yield "|---" * len(table.columns) + "|"
    for row in table.rows:
        yield f"| {' | '.join(_format_cell(cell).replace('|', '&#124;') for cell in row)} |"
