"""Data of charts in files: specifications by columns, and tables that a spreadsheet opens.

Nothing is lost, tables that views share are there once, and nothing is a formula.
"""

from __future__ import annotations

import csv
import io
import json
from typing import Any

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from perfolio.charts.chart_csv import format_table_csv
from perfolio.charts.spec_packing import DRAWN, pack_spec
from perfolio.metrics.model import Metric, MetricColumn, Result

CELLS = st.one_of(
    st.none(), st.booleans(), st.integers(-(10**12), 10**12), st.text(max_size=9),
    st.floats(allow_nan=False, allow_infinity=False),
)  # fmt: skip


def unpacked(spec: dict[str, Any]) -> dict[str, Any]:
    """What perfolio.js makes of a specification; tests/browser looks at the same there."""
    tables = [rows(table) for table in spec.get("tables", ())]

    def view(of: dict[str, Any]) -> dict[str, Any]:
        made = dict(of)
        if "layer" in made:
            made["layer"] = [view(each) for each in made["layer"]]
        if "table" in made.get("data", {}):
            made["data"] = {"values": tables[made["data"]["table"]]}
        return made

    return view({name: part for name, part in spec.items() if name != "tables"})


def rows(table: dict[str, Any]) -> list[dict[str, Any]]:
    return [
        {name: cell(column, row) for name, column in table["columns"].items()}
        for row in range(table["rows"])
    ]


def cell(column: Any, row: int) -> Any:
    if isinstance(column, list):
        return column[row]
    return column["of"][column["at"][row] if "at" in column else 0]


def layered(*tables: list[Any]) -> dict[str, Any]:
    return {"layer": [{"mark": "bar", "data": {"values": table}} for table in tables]}


@given(st.lists(st.tuples(CELLS, CELLS), min_size=3, max_size=20))
def test_rows_come_back_but_for_digits_that_nobody_sees(pairs: list[tuple[Any, Any]]) -> None:
    spec = layered([{"a": one, "b": other} for one, other in pairs])
    back = unpacked(json.loads(json.dumps(pack_spec(spec))))
    for (one, other), row in zip(pairs, back["layer"][0]["data"]["values"], strict=True):
        for before, after in ((one, row["a"]), (other, row["b"])):
            if isinstance(before, float):
                assert abs(after - before) <= abs(before) * 10.0 ** (1 - DRAWN)
            else:
                assert after == before
                assert type(after) is type(before)


def test_a_table_that_views_share_is_sent_once() -> None:
    table = [{"a": n, "name": "one"} for n in range(9)]
    made = pack_spec({"layer": [*layered(table, table)["layer"], layered(table)]})
    assert len(made["tables"]) == 1
    assert made["tables"][0]["columns"]["name"] == {"of": ["one"]}
    assert unpacked(made)["layer"][2]["layer"][0]["data"]["values"] == table


def test_words_that_come_again_are_sent_once() -> None:
    table = [{"n": n, "kind": ("copies", "kernels")[n % 2]} for n in range(50)]
    (sent,) = pack_spec(layered(table))["tables"]
    assert sent["columns"]["kind"]["of"] == ["copies", "kernels"]
    assert sent["columns"]["n"] == list(range(50))


def test_what_can_be_enlarged_keeps_its_digits() -> None:
    table = [{"a": 129.639024228 + n} for n in range(3)]
    whole = pack_spec(layered(table))
    zoomed = pack_spec({**layered(table), "usermeta": {}})
    assert unpacked(whole)["layer"][0]["data"]["values"][0]["a"] == 129.639
    assert unpacked(zoomed)["layer"][0]["data"]["values"] == table


def test_what_is_no_table_stays_as_it_is() -> None:
    odd = layered([{"a": 1}, {"b": 2}, {"c": 3}], [1, 2, 3], [{"a": 1}])
    assert pack_spec(odd) == odd
    assert pack_spec({"data": {"name": "x"}, "mark": "bar"}) == {
        "data": {"name": "x"},
        "mark": "bar",
    }


# Tables for download: full precision, units, and nothing a spreadsheet would run.

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
