"""Data of charts in files: specifications by columns, and tables that a spreadsheet opens.

Nothing is lost, tables that views share are there once, and nothing is a formula.
"""

from __future__ import annotations

import csv
import io
import json
import re
from itertools import accumulate
from typing import Any

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from perfolio.charts.chart_csv import format_table_csv
from perfolio.charts.spec_packing import DRAWN, pack_spec, write_place
from perfolio.metrics.model import Metric, MetricColumn, Result
from tests.charts.support import read_places

CELLS = st.one_of(
    st.none(), st.booleans(), st.integers(-(10**12), 10**12), st.text(max_size=9),
    st.floats(allow_nan=False, allow_infinity=False),
)  # fmt: skip


def unpacked(spec: dict[str, Any]) -> dict[str, Any]:
    """What perfolio.js makes of a specification; tests/browser looks at the same there."""
    tables = [rows(table) for table in spec.get("tables", ())]
    parts = spec.get("parts", ())

    def whole(value: Any) -> Any:
        if isinstance(value, list):
            return [whole(each) for each in value]
        if not isinstance(value, dict):
            return value
        if "$part" in value:
            return whole(parts[value["$part"]])
        if "table" in value.get("data", {}):
            value = {**value, "data": {"values": tables[value["data"]["table"]]}}
        return {name: whole(each) for name, each in value.items()}

    made: dict[str, Any] = whole({k: v for k, v in spec.items() if k not in ("tables", "parts")})
    return made


def rows(table: dict[str, Any]) -> list[dict[str, Any]]:
    columns = [cells(column) * table["rows"] for column in table["columns"].values()]
    return [
        dict(zip(table["columns"], row, strict=True))
        for row, _ in zip(zip(*columns, strict=False), range(table["rows"]), strict=False)
    ]


def cells(column: Any) -> list[Any]:
    if isinstance(column, list):
        return column
    if "by" in column:
        per = column["per"]
        sums = accumulate(column["by"])
        return [each // per if each % per == 0 else each / per for each in sums]
    if "at" not in column:
        return [column["of"][0]]
    return [column["of"][place] for place in read_places(column["at"])]


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
    assert sent["columns"]["n"] == {"by": [0, *[1] * 49], "per": 1}
    assert cells(sent["columns"]["n"]) == list(range(50))


@given(st.lists(st.integers(0, 54_000), max_size=30))
def test_places_come_back_from_signs_that_no_word_has(numbers: list[int]) -> None:
    text = "".join(map(write_place, numbers))
    assert read_places(text) == numbers
    assert not re.search(r'[\w"\\]', text.replace("_", ""))


@given(st.lists(st.decimals(-(10**6), 10**6, places=5).map(float), min_size=3, max_size=40))
def test_steps_from_number_to_number_lead_to_the_same_numbers(numbers: list[float]) -> None:
    given = {**layered([{"a": number, "n": n} for n, number in enumerate(numbers)]), "usermeta": {}}
    back = unpacked(json.loads(json.dumps(pack_spec(given))))
    assert [row["a"] for row in back["layer"][0]["data"]["values"]] == numbers


def test_a_part_that_comes_again_is_sent_once() -> None:
    axis = {"axis": {"title": "Time since the trace began (ms)", "tickCount": 5}, "field": "start"}
    views = [{"mark": mark, "encoding": {"x": axis, "y": {"field": mark}}} for mark in "abc"]
    made = pack_spec({"layer": [*views, {"layer": views}]})
    assert json.dumps(made).count("tickCount") == 1
    assert unpacked(made) == {"layer": [*views, {"layer": views}]}
    assert pack_spec({"layer": views[:1]}) == {"layer": views[:1]}, "once is once"


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
