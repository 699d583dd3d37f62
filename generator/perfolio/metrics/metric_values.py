"""What the results of a run hold: a value, rows, or nothing where a metric is not measured.

In:  results, and the name of a metric. Out: what it measured, or that it did not.
"""

from __future__ import annotations

from collections.abc import Mapping

from perfolio.metrics.model import Cell, Result, Results


def find_result(results: Results, metric: str) -> Result | None:
    """The result of a metric; None where there is no such metric or it is not measured."""
    result = results.get(metric)
    return result if result is not None and result.status == "measured" else None


def is_measured(results: Results, metric: str) -> bool:
    """Whether there is such a metric, and it is measured."""
    return find_result(results, metric) is not None


def get_value(results: Results, metric: str) -> float | None:
    """The value of a scalar metric; None where it is not measured."""
    result = find_result(results, metric)
    return result.value if result is not None else None


def get_rows(results: Results, metric: str) -> list[dict[str, Cell]]:
    """The rows of a table metric, a dictionary by column each; none where it is not measured."""
    result = find_result(results, metric)
    return result.records() if result is not None else []


def index_rows(results: Results, metric: str, column: str) -> dict[str, dict[str, Cell]]:
    """The rows of a table metric by the text in a column that names each."""
    return {str(row[column]): row for row in get_rows(results, metric)}


def get_number(row: Mapping[str, Cell], column: str) -> float:
    """The number in a column of a row; 0 where there is none, or no such column."""
    return to_number(row.get(column))


def to_number(cell: Cell) -> float:
    """The number in a cell of a table; 0 where there is none."""
    return float(cell) if isinstance(cell, (int, float)) else 0.0
