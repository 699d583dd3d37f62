"""JSON of link tests: both forms, and what is damaged in them."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from perfolio.common.errors import InputError
from perfolio.readers.witnesses.discovery import detect_kind, read_alone

SIDES = {
    "type": "float", "redop": "sum", "oop_time": 800.0, "oop_algbw": 20.97, "oop_busbw": 18.35,
    "oop_error": 0.0, "ip_time": 790.0, "ip_algbw": 21.24, "ip_busbw": 18.58, "ip_error": "N/A",
}  # fmt: skip
DOCUMENT = {"identifier": "nccl-tests structured output", "version": "2.26.6"}
LINE = {
    "name": "AllReduce", "gpus": 4, "size": 1024, "type": "float", "redop": "sum", "inPlace": 1,
    "time": 20.0, "algBw": 0.0512, "busBw": 0.0768, "#wrong": "0",
}  # fmt: skip


def rows(folder: Path, text: str, table: str = "collective_row") -> list[dict[str, Any]]:
    """Rows of a table that a file with this text gives."""
    path = folder / "all_gather.json"
    path.write_text(text)
    assert detect_kind(path) is not None
    return list(read_alone(path).tables[table].to_pylist())


def test_a_document_has_both_sides_of_each_size(tmp_path: Path) -> None:
    text = json.dumps({**DOCUMENT, "benchmark": [{"16777216": SIDES}]}, indent=1)
    found = rows(tmp_path, text)
    assert [(one["bytes"], one["in_place"]) for one in found] == [
        (16_777_216, False),
        (16_777_216, True),
    ]
    assert [one["bus_bandwidth"] for one in found] == pytest.approx([18.35e9, 18.58e9])
    assert [one["wrong"] for one in found] == [0, None]
    (block,) = rows(tmp_path, text, "collective_block")
    assert block["operation"] == "all_gather"


def test_lines_of_one_operation_are_a_block(tmp_path: Path) -> None:
    lines = [LINE, {**LINE, "size": 2048}, {**LINE, "name": "AllGather"}]
    text = "\n".join(map(json.dumps, lines))
    assert [one["block"] for one in rows(tmp_path, text)] == [1, 1, 2]
    blocks = rows(tmp_path, text, "collective_block")
    assert [(one["operation"], one["ranks"]) for one in blocks] == [
        ("all_reduce", 4),
        ("all_gather", 4),
    ]


def test_a_damaged_line_is_named(tmp_path: Path) -> None:
    with pytest.raises(InputError, match="line 2: no result in JSON"):
        rows(tmp_path, json.dumps(LINE) + '\n{"algBw')


@pytest.mark.parametrize(
    "benchmark", [3, [3], [{"x": SIDES}], [{"9": 3}], [{"9": {"oop_time": 1}}], [{"1" * 30: SIDES}]]
)
def test_what_is_no_result_gives_no_row(tmp_path: Path, benchmark: Any) -> None:
    text = json.dumps({**DOCUMENT, "benchmark": benchmark})
    assert rows(tmp_path, text) == []
