"""No cell of any CSV that we write is a formula, whatever the names are."""

from __future__ import annotations

import ast
import csv
import io
import re
from pathlib import Path

import duckdb
import pytest

from perfolio.charts.chart_csv import format_csv_rows
from perfolio.common.csv_files import format_csv
from perfolio.common.escaping import escape_spreadsheet_cell
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
