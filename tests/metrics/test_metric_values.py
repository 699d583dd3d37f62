"""What results hold: one function each for whether, what value and which rows."""

from __future__ import annotations

from dataclasses import replace

from perfolio.metrics.catalog import load_catalog
from perfolio.metrics.metric_values import (
    find_result,
    get_number,
    get_rows,
    get_value,
    index_rows,
    is_measured,
    to_number,
)
from perfolio.metrics.model import Cell, Result

CATALOG = load_catalog()
SCALAR, TABLE = CATALOG["time.wall"], CATALOG["gpu.kernels"]
ROW = tuple(range(len(TABLE.columns)))
RESULTS = {
    "time.wall": Result(SCALAR, "measured", 2.5),
    "gpu.kernels": Result(TABLE, "measured", rows=(ROW,)),
}


def test_what_is_measured_has_a_value_or_rows() -> None:
    assert get_value(RESULTS, "time.wall") == 2.5
    names = [column.name for column in TABLE.columns]
    row = dict(zip(names, ROW, strict=True))
    assert get_rows(RESULTS, "gpu.kernels") == [row]
    assert index_rows(RESULTS, "gpu.kernels", names[1]) == {"1": row}
    assert find_result(RESULTS, "time.wall") is RESULTS["time.wall"]
    assert is_measured(RESULTS, "gpu.kernels")


def test_what_is_not_measured_has_nothing_and_is_no_zero() -> None:
    gone = {name: replace(each, status="not_measured") for name, each in RESULTS.items()}
    for results in (gone, {}):
        assert get_value(results, "time.wall") is None
        assert get_rows(results, "gpu.kernels") == []
        assert index_rows(results, "gpu.kernels", TABLE.columns[0].name) == {}
        assert find_result(results, "time.wall") is None
        assert not is_measured(results, "gpu.kernels")


def test_a_cell_without_a_number_adds_nothing() -> None:
    assert [to_number(cell) for cell in (3, 0.5, "word", None)] == [3.0, 0.5, 0.0, 0.0]
    row: dict[str, Cell] = {"time": 2.5, "name": "word", "low": None}
    assert [get_number(row, column) for column in (*row, "other")] == [2.5, 0.0, 0.0, 0.0]
