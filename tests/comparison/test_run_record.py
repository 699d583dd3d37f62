"""Run records: whole through their file, checked when they are read, small."""

from __future__ import annotations

import json
from dataclasses import replace
from pathlib import Path
from typing import Any

import jsonschema
import pytest

from perfolio.common.errors import InputError
from perfolio.comparison.run_record import (
    MOST_BYTES,
    CountedFigure,
    HostWork,
    KeptStep,
    RankTime,
    RecordedFinding,
    RunRecord,
    TimeRow,
    find_wrong_sum,
    fold_small_rows,
    is_record_text,
    load_record_schema,
    parse_record,
    read_record,
    write_record,
)
from tests.comparison.support import make_record, make_row

RECORD = make_record(
    [make_row("gemm", 700, most_ns=700),
     make_row("copy", 200, part="copy", kind="copy H2D", shapes="8 B")],
    length=100,
    host=(HostWork("launches", ("train", "gemm"), 70, 10),),
    ranks=(RankTime(0, {"kernel": 700}), RankTime(1, {})),
    counted={"launches": CountedFigure("iteration", 1, 1, 2)},
    findings=(
        RecordedFinding(
            "M9", "moving", "Fuse kernels", "fired", "high", "gpu", 0.4, "wall time", 0.5, 0.9, 0.6,
            "ratio", 0.4, "above", "wall", 0.45,
        ),
        RecordedFinding("G1", "idle", "Idle", "passed", None, "host", None, "", None, None, None,
                        "ratio", None, "above"),
    ),
    steps=(KeptStep("M9", ("G8", "K3"), None, 0.45),),
)  # fmt: skip


def test_a_record_is_the_same_after_its_file(tmp_path: Path) -> None:
    path = tmp_path / "record.json"
    path.write_text(write_record(RECORD), encoding="utf-8")
    assert read_record(path) == RECORD
    assert is_record_text(path.read_text("utf-8"))
    jsonschema.Draft202012Validator(load_record_schema()).validate(json.loads(path.read_text()))


def _break(change: dict[str, Any]) -> str:
    document = json.loads(write_record(RECORD))
    for key, value in change.items():
        place, _, last = key.rpartition("/")
        held: Any = document
        for step in place.split("/") if place else []:
            held = held[int(step) if step.isdigit() else step]
        held[last] = value
    return json.dumps(document)


@pytest.mark.parametrize(
    ("text", "says"),
    [
        ("{", "is no JSON"),
        ("[" * 100_000, "is no JSON"),
        ('{"a": NaN}', "NaN is no number of JSON"),
        ("{}", "lacks schema"),
        (_break({"schema": "perfolio-run-record/9"}), "schema: must be"),
        (_break({"rows/0/most_ns": 699}), "most_ns is less than that of the mean GPU"),
        (_break({"rows/0/ns": 1}), "do not sum to window_ns of all lanes"),
        (_break({"rows/0/ns": -1}), "rows/0/ns: must be at least 0"),
        (_break({"rows/0/name": 99}), "there is no text 99"),
        (_break({"host/0/path": [99]}), "host/0: there is no text 99"),
        (_break({"whole/durations_ns": [1000]}), "are not as many as iterations"),
        (_break({"whole/durations_ns": [1] * 10}), "do not sum to window_ns"),
        (_break({"whole": None}), "rows: have no whole"),
        (_break({"extra": 1}), "knows no extra"),
        (_break({"steps/0/joint": 2}), "steps/0/joint: must be at most 1"),
        (_break({"conditions": {"gpu": [1]}}), "conditions/gpu: must be"),
    ],
)
def test_a_damaged_record_is_refused_in_one_line(text: str, says: str) -> None:
    with pytest.raises(InputError, match=says) as caught:
        parse_record(text, "kept.json")
    assert "\n" not in str(caught.value)
    assert str(caught.value).startswith("kept.json: is no ")


def test_a_missing_file_is_named(tmp_path: Path) -> None:
    with pytest.raises(InputError, match=r"nowhere\.json: cannot be read"):
        read_record(tmp_path / "nowhere.json")
    (tmp_path / "latin.json").write_bytes(b"\xff")
    with pytest.raises(InputError, match="is no UTF-8"):
        read_record(tmp_path / "latin.json")


def _make_large() -> RunRecord:
    names = [f"kernel_{number}_" + "x" * 200 for number in range(2_000)]
    rows = [make_row(name, 5_000 + place, place) for place, name in enumerate(names)]
    host = tuple(HostWork("launches", (name,), 5, None) for name in names[:500])
    return make_record(rows, host=host)


def test_many_rows_are_folded_until_the_file_is_small() -> None:
    record = _make_large()
    text = write_record(record)
    assert len(text.encode()) <= MOST_BYTES
    kept = parse_record(text, "kept")
    assert find_wrong_sum(kept) == ""
    assert sum(row.calls for row in kept.rows) == sum(row.calls for row in record.rows)
    assert sum(work.ns for work in kept.host) == 2_500
    assert kept.rows[0].ns == 5_000 + 1_999


def test_folding_keeps_parts_and_kinds_apart() -> None:
    rows = (*RECORD.rows, TimeRow("kernel", "attention", 0, 3))
    folded = fold_small_rows(replace(RECORD, rows=rows), 1)
    assert [(row.part, row.kind, row.ns, row.calls) for row in folded.rows] == [
        ("kernel", "product", 700, 10),
        ("copy", "copy H2D", 200, 10),
        ("idle", "other code", 100, 0),
        ("kernel", "attention", 0, 3),
    ]
    assert fold_small_rows(RECORD, 100) is RECORD
