"""No cell of any CSV that we write is a formula, whatever the names are.

Also: Numbers and units as people read them.
"""

from __future__ import annotations

import ast
import csv
import io
import math
import re
from pathlib import Path

import duckdb
import pytest
from hypothesis import given
from hypothesis import strategies as st

from perfolio.charts.chart_csv import format_csv_rows
from perfolio.common.csv_files import format_csv
from perfolio.common.escaping import escape_spreadsheet_cell
from perfolio.common.units import (
    UNITS,
    compute_half_width,
    format_interval_ends,
    format_threshold,
    quantity,
)
from perfolio.exporters.export_files import _write_rows
from perfolio.store.user_query import run_query
from tests.kit.shared import ROOT

SIGNS = ("=", "+", "-", "@", "\t", "\r", "\n", "＝", "＋", "－", "＠")
FORMULAS = [
    "=cmd|' /C calc'!A0",
    '=HYPERLINK("http://evil.example","x")',
    "+1+cmd|' /C calc'!A0",
    "-2+3+cmd|' /C calc'!A0",
    "@SUM(1+1)*cmd|' /C calc'!A0",
    "\t=1+1",
    "\r=1+1",
    "\n=1+1",
    "  =1+1",
    "＝1+1",
    "name;=1+1",
    "name; =1+1",
    "name\t=1+1",
    "name\n=1+1",
    "-1e5;-1+1",
]
HARMLESS = ["", "name", "a=b", "a-b", "f(int)", "1;2", "C:\\x", "a, -b"]
KNOWN = {
    "charts/chart_csv.py",
    "exporters/export_files.py",
    "common/csv_files.py",
    "store/user_query.py",
}
"""Modules that write CSV: each by `escape_spreadsheet_cell`."""


def is_safe(text: str) -> bool:
    """Whether no spreadsheet finds a formula, whatever it divides the text by."""
    cells = [cell for row in csv.reader(io.StringIO(text, newline="")) for cell in row]
    cells += [cell for line in re.split(r"[\r\n]", text) for cell in re.split(r"[;\t]", line)]
    found = [cell.lstrip(" ") for cell in cells]
    return not [
        each for each in found if each.startswith(SIGNS) and not re.fullmatch(r"-[\d.]+", each)
    ]


def quoted(cell: str) -> str:
    """As a line of CSV."""
    return '"' + cell.replace('"', '""') + '"'


@pytest.mark.parametrize("cell", FORMULAS)
def test_a_formula_gets_an_apostrophe_and_nothing_else(cell: str) -> None:
    assert not is_safe(quoted(cell))
    made = escape_spreadsheet_cell(cell)
    assert is_safe(quoted(made))
    assert made.replace("'", "") == cell.replace("'", "")


@pytest.mark.parametrize("cell", HARMLESS)
def test_what_is_none_stays_as_it_is(cell: str) -> None:
    assert escape_spreadsheet_cell(cell) == cell
    assert escape_spreadsheet_cell(-5) == -5
    assert format_csv(["n"], [{"n": "-1.5e-3"}]) == "n\n-1.5e-3\n", "numbers stay such"


@pytest.mark.parametrize("cell", FORMULAS)
def test_each_writer_is_safe(cell: str, tmp_path: Path) -> None:
    """Those of queries, exports, charts, and of grades, rubrics and rosters."""
    with duckdb.connect() as connection:
        connection.execute("CREATE TABLE t AS SELECT $1 AS name, -1 AS n", [cell])
        assert is_safe("".join(run_query(connection, "SELECT * FROM t", "csv")))
        name = cell.replace('"', '""')
        assert is_safe("".join(run_query(connection, f'SELECT 1 AS "{name}"', "csv")))
    _write_rows(tmp_path / "x.csv", [[cell, -1, cell]])
    assert is_safe((tmp_path / "x.csv").read_text())
    assert is_safe(format_csv(["name"], [{"name": cell}]))
    assert is_safe(format_csv_rows(["name"], [(cell, -1.0)]))


def test_nothing_else_writes_csv() -> None:
    """A new writer is listed here, and in the test above."""
    found = set()
    for path in (ROOT / "generator" / "perfolio").rglob("*.py"):
        text = path.read_text("utf-8")
        writes = "csv.writer(" in text or "csv.DictWriter(" in text or ".to_csv(" in text
        if writes or "write_csv(" in text:
            found.add(path.relative_to(ROOT / "generator" / "perfolio").as_posix())
            names = {n.id for n in ast.walk(ast.parse(text)) if isinstance(n, ast.Name)}
            assert "escape_spreadsheet_cell" in names, path
    assert found == KNOWN


SCALES = {"p": 1e-12, "n": 1e-9, "µ": 1e-6, "m": 1e-3, "": 1.0, "k": 1e3, "M": 1e6, "G": 1e9,
          "T": 1e12, "P": 1e15, "E": 1e18}  # fmt: skip


@pytest.mark.parametrize(
    ("value", "unit", "text"),
    [
        (None, "s", "not measured"),
        (math.nan, "count", "not measured"),
        (7400.0, "count", "7,400"),
        (8.9049e-6, "s", "8.90 µs"),
        (0.0659, "s", "65.90 ms"),
        (1513.6, "s", "1,513.6 s"),
        (0.99999, "s", "1.00 s"),
        (0.0, "s", "0 s"),
        (441_944_740, "B", "441.9 MB"),
        (999_990, "B", "1.00 MB"),
        (512, "B", "512 B"),
        (5.98e9, "B/s", "5.98 GB/s"),
        (0.529, "ratio", "52.9 %"),
        (0.00109, "ratio", "0.11 %"),
        (0.0000001, "ratio", "<0.01 %"),
        (1.0, "ratio", "100.0 %"),
        (27.457779, "CPU-s", "27.46 CPU-s"),
        (0.0412, "CPU-s", "0.0412 CPU-s"),
        (1.0024, "x", "1.00×"),
        (0.998, "threads", "1 thread"),
        (3.974, "threads", "3.97 threads"),
        (45.35, "registers", "45.4 registers"),
        (1234567, "id", "1234567"),
        (1.12, "1", "1.12"),
        ("<b>", "text", "<b>"),
        (1.0, "threads", "1 thread"),
        (1, "samples", "1 sample"),
        (1.02, "threads", "1.02 threads"),
    ],
)
def test_quantity(value: object, unit: str, text: str) -> None:
    assert quantity(value, unit) == text


@pytest.mark.parametrize(
    ("value", "unit", "text"),
    [
        (0.3, "ratio", "30 %"),
        (0.0909, "ratio", "9.09 %"),
        (0.0099, "ratio", "0.99 %"),
        (0.0, "ratio", "0 %"),
        (10.0e-6, "s", "10 µs"),
        (0.5, "s", "500 ms"),
        (1.5e-6, "s", "1.5 µs"),
        (1000.0, "s", "1,000 s"),
        (1.25, "x", "1.25×"),
        (2.0, "x", "2×"),
        (100.0, "count", "100"),
        (0.0, "count", "0"),
        (2.05e9, "B/s", "2.05 GB/s"),
    ],
)
def test_a_threshold_has_no_digits_that_nobody_wrote(value: float, unit: str, text: str) -> None:
    assert format_threshold(value, unit) == text


def test_nanoseconds_of_cpu_time_are_printed_as_seconds() -> None:
    assert quantity(987_500_000.0, "CPU-ns") == "0.988 CPU-s"
    assert quantity(3_950_000_000.0, "CPU-ns") == "3.95 CPU-s"


@pytest.mark.parametrize(
    ("value", "low", "high", "unit", "text", "ends"),
    [
        (0.4137, 0.3837, 0.4437, "ratio", "41 %", ["38", "44"]),
        (0.4137, 0.4037, 0.4237, "ratio", "41.4 %", ["40.4", "42.4"]),
        (0.4137, 0.4129, 0.4145, "ratio", "41.4 %", ["41.3", "41.5"]),
        (0.41375, 0.4136, 0.4139, "ratio", "41.4 %", ["41.36", "41.39"]),
        (0.0091, 0.0041, 0.0141, "ratio", "0.9 %", ["0.4", "1.4"]),
        (0.0091, 0.0071, 0.0111, "ratio", "0.91 %", ["0.71", "1.1"]),
        (0.41, 0.01, 0.81, "ratio", "41 %", ["1", "81"]),
        (1.984, 1.684, 2.284, "x", "2.0×", ["1.7", "2.3"]),
        (0.1334, 0.1034, 0.1634, "s", "133 ms", ["103 ms", "163 ms"]),
        (12.345, 11.845, 12.845, "s", "12.3 s", ["11.8 s", "12.8 s"]),
        (0.4137, 0.4137, 0.4137, "ratio", "41.4 %", ["41.4", "41.4"]),
    ],
)
def test_no_digit_says_more_than_the_interval(
    value: float, low: float, high: float, unit: str, text: str, ends: list[str]
) -> None:
    assert quantity(value, unit, compute_half_width(low, high)) == text
    assert format_interval_ends(low, high, unit) == ends


@given(
    st.floats(1e-11, 1e18) | st.floats(-1e18, -1e-11),
    st.sampled_from(
        sorted(name for name, unit in UNITS.items() if unit.scaled and "-" not in name)
    ),
)
def test_what_is_printed_is_the_value(value: float, unit: str) -> None:
    """Rounding aside, number times prefix gives the value back, whatever its size."""
    match = re.fullmatch(rf"(-?[\d,.]+) ([pnµmkMGTPE]?){re.escape(UNITS[unit].symbol)}",
                         quantity(value, unit))  # fmt: skip
    assert match is not None
    number, prefix = float(match[1].replace(",", "")), match[2]
    step = 0.5 if unit == "B" and not prefix else 0.051 if abs(number) >= 100 else 0.0051
    assert number * SCALES[prefix] == pytest.approx(value, abs=step * SCALES[prefix], rel=1e-9)
    assert abs(number) < 1000 or prefix in ("", "E")


@given(st.floats(-1.0, 10.0))
def test_percentages_are_never_in_exponent_form(value: float) -> None:
    assert "e" not in quantity(value, "ratio")
