"""The data of a chart as CSV, safe to open in a spreadsheet.

Numbers keep full precision in the base unit that the header names. Text that a
spreadsheet would take for a formula gets an apostrophe in front.
"""

from __future__ import annotations

import csv
import io
from collections.abc import Iterable, Sequence

from perfolio.common.escaping import escape_spreadsheet_cell
from perfolio.metrics.model import Cell, MetricColumn, Result, Results

_WORDS = {"text", "id", "1"}


def format_table_csv(results: Results, metric: str, scalars: Sequence[str] = ()) -> str:
    """The rows of table `metric`, or one row for each of `scalars` where they are given."""
    if scalars:
        return format_csv_rows(
            _SCALAR_HEADER, (_make_scalar_row(results[name]) for name in scalars)
        )
    result = results[metric]
    return format_csv_rows(
        [_format_header(column) for column in result.metric.columns], result.rows
    )


_SCALAR_HEADER = ["metric", "title", "value", "unit", "low", "high", "n"]


def _make_scalar_row(result: Result) -> tuple[Cell, ...]:
    metric = result.metric
    return (metric.name, metric.title, result.value, metric.unit, result.low, result.high, result.n)


def _format_header(column: MetricColumn) -> str:
    return column.name if column.unit in _WORDS else f"{column.name} ({column.unit})"


def format_csv_rows(header: Iterable[str], rows: Iterable[Sequence[Cell]]) -> str:
    """Rows under a header, as spreadsheets read them."""
    text = io.StringIO()
    writer = csv.writer(text, lineterminator="\r\n")  # RFC 4180; quotes both
    writer.writerow(header)
    writer.writerows([escape_spreadsheet_cell(cell) for cell in row] for row in rows)
    return text.getvalue()
