"""What results hold: one function each for whether, what value and which rows.

Also: Which sentences hold on the runs of a tool.
"""

from __future__ import annotations

from dataclasses import replace

import pytest

from perfolio.metrics.catalog import load_catalog
from perfolio.metrics.caveats import filter_advice, filter_caveat, filter_definition
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


SAMPLING, RECORDING = "HPCToolkit", "PyTorch profiler"


@pytest.mark.parametrize(
    ("tool", "left"),
    [
        (SAMPLING, "Shares of time. Samples that were lost count for none. HPCToolkit sees less."),
        (RECORDING, "Shares of time."),
        ("a tool nobody knows", None),
    ],
)
def test_sentences_on_other_tools_are_left_out(tool: str, left: str | None) -> None:
    text = "Shares of time. Samples that were lost count for none. HPCToolkit sees less."
    assert filter_caveat(text, tool) == (left or text)


def test_the_first_sentence_of_a_definition_stands() -> None:
    text = "What samples of threads show. No sample is no time. Sums of threads."
    assert filter_definition(text, RECORDING) == "What samples of threads show. Sums of threads."
    assert filter_definition(text, SAMPLING) == text


@pytest.mark.parametrize(
    "line",
    [
        "- A batch is made sample by sample in Python.",
        "sampler = DistributedSampler(data, shuffle=True)",
        "Put several samples into one launch.",
    ],
)
def test_samples_of_a_model_are_no_samples_of_a_profiler(line: str) -> None:
    assert filter_advice(line, RECORDING) == line
