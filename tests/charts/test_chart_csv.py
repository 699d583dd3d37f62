"""The data for download: full precision, units, and nothing a spreadsheet would run."""

from __future__ import annotations

import csv
import io

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from perfolio.charts.chart_csv import format_table_csv
from perfolio.metrics.model import Metric, MetricColumn, Result

COLUMNS = (MetricColumn("kernel", "Kernel", "text"), MetricColumn("time", "Time", "s"))


def result(name: str, rows: tuple[tuple[str | float | None, ...], ...] = ()) -> Result:
    metric = Metric(
        name, f"Title of {name}", "s", "table", "neither", "d", "p", (), "s", "SELECT", "", COLUMNS
    )
    return Result(metric, "measured", value=0.1 + 0.2, low=0.25, rows=rows)


def read(text: str) -> list[list[str]]:
    return list(csv.reader(io.StringIO(text)))


def test_the_header_names_the_unit() -> None:
    assert read(format_table_csv({"a": result("a")}, "a")) == [["kernel", "time (s)"]]


def test_numbers_keep_full_precision_and_missing_ones_stay_empty() -> None:
    rows = (("k", 0.1 + 0.2), ("l", -1e-9), ("m", None))
    written = read(format_table_csv({"a": result("a", rows)}, "a"))
    assert written[1:] == [["k", "0.30000000000000004"], ["l", "-1e-09"], ["m", ""]]


@pytest.mark.parametrize("start", ["=", "+", "-", "@", "\t", "\r", "\n", "  ="])
def test_a_name_is_no_formula(start: str) -> None:
    rows = ((f"{start}HYPERLINK(1)", 1.0),)
    assert read(format_table_csv({"a": result("a", rows)}, "a"))[1][0].startswith("'")


@given(st.text(alphabet=st.characters(exclude_categories=["Cs"], exclude_characters="\r\0")))
@example("\n=")
def test_any_name_comes_back(name: str) -> None:
    written = read(format_table_csv({"a": result("a", ((name, 1.0),))}, "a"))
    cell, number = written[1]
    assert (cell.replace("'", ""), number) == (name.replace("'", ""), "1.0")


def test_scalars_are_a_row_each() -> None:
    results = {"a": result("a"), "b": result("b")}
    assert read(format_table_csv(results, "a", ("a", "b"))) == [
        ["metric", "title", "value", "unit", "low", "high", "n"],
        ["a", "Title of a", "0.30000000000000004", "s", "0.25", "", ""],
        ["b", "Title of b", "0.30000000000000004", "s", "0.25", "", ""],
    ]
