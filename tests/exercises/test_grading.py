"""Grading: the table of cases, numbers as typed, and that what a page prints is right."""

from __future__ import annotations

import json
import math
from typing import Any

import pytest
from hypothesis import example
from hypothesis import given as drawn
from hypothesis import strategies as st

from perfolio.common.errors import InputError
from perfolio.common.units import quantity
from perfolio.exercises.grader import grade_item, grade_sheet, load_feedback
from perfolio.exercises.items import list_type_names
from perfolio.exercises.key_documents import make_key_document
from perfolio.exercises.model import SolvedValue
from perfolio.exercises.number_keys import SLIPS
from perfolio.exercises.number_parser import parse_number
from tests.exercises.grading import NUMERIC, cases, forms, printed_numbers, reading_key
from tests.exercises.support import exercise_of, fenced, run_of, sheet_of
from tests.kit.samples import SAMPLES

CASES = cases()


@pytest.mark.parametrize("case", CASES, ids=[case["name"] for case in CASES])
def test_the_table_of_cases(case: dict[str, Any]) -> None:
    plain = json.loads(json.dumps(case))
    graded = grade_item(plain["key"], plain["given"])
    assert (graded.code, pytest.approx(graded.points)) == (case["code"], case["points"])
    assert graded.feedback == case.get("feedback", graded.feedback)
    assert list(graded.parts) == case.get("parts", list(graded.parts))


def test_every_type_has_cases_and_every_code_words() -> None:
    assert {case["key"]["type"] for case in CASES} == set(list_type_names())
    named = {"cpu-time", "confused", "nine", "summed", "near-miss"}
    assert {case["code"] for case in CASES} - named <= set(load_feedback())
    assert set(SLIPS) <= set(load_feedback())


@pytest.mark.parametrize("slug", SAMPLES)
def test_what_a_page_prints_of_any_metric_is_graded_as_right(slug: str) -> None:
    asked = 0
    for name, key, printed in printed_numbers(slug):
        asked += 1
        for form in printed:
            assert grade_item(key, {"given": form}).code == "right", (name, form)
    assert asked > 20


@drawn(
    st.floats(min_value=1e-11, max_value=1e17, allow_nan=False),
    st.sampled_from(NUMERIC),
)
@example(0.5, "B/s")
@example(0.0005, "1")
def test_what_a_page_prints_of_any_number_is_graded_as_right(value: float, unit: str) -> None:
    key = reading_key(SolvedValue(value, unit))
    for form in forms(quantity(value, unit)):
        assert grade_item(key, {"given": form}).code == "right", form


@pytest.mark.parametrize(
    ("value", "unit"), [(6.879e-6, "B/s"), (0.00688, "B/s"), (3.9448e-10, "FLOP"), (4.374e-7, "Hz")]
)
def test_what_a_page_prints_below_one_is_graded_as_right(value: float, unit: str) -> None:
    key = reading_key(SolvedValue(value, unit))
    assert grade_item(key, {"given": quantity(value, unit)}).code == "right"
    assert grade_item(key, {"given": quantity(value * 2, unit)}).code == "wrong"


@drawn(st.text(max_size=60))
def test_any_text_is_read_or_refused(text: str) -> None:
    read = parse_number(text)
    assert read is None or not any(map(math.isnan, read.values))


def test_a_learner_keeps_what_follows_from_a_wrong_figure(tmp_path: Any) -> None:
    items = fenced(
        {"id": "wall", "type": "number", "answer": {"metric": "time.wall"}},
        {"id": "busy", "type": "number", "answer": {"metric": "time.gpu_busy"}},
        {"id": "share", "type": "number", "follows": ["wall", "busy"], "unit": "%",
         "answer": {"expression": "busy / wall"}},
    )  # fmt: skip
    sheet = sheet_of(exercise_of(tmp_path, items), run_of({"time.wall": 10, "time.gpu_busy": 2}))
    key = json.loads(json.dumps(make_key_document(sheet)))
    answers = {"sheet": sheet.id, "items": {"wall": {"given": "5"}, "busy": {"given": "2"},
                                            "share": {"given": "40"}}}  # fmt: skip
    graded = grade_sheet(key, answers)
    assert {name: one.code for name, one in graded.items()} == {
        "wall": "wrong", "busy": "right", "share": "follows",
    }  # fmt: skip
    assert graded["share"].points == 1.0
    answers["items"] = {}
    assert {one.code for one in grade_sheet(key, answers).values()} == {"blank"}
    with pytest.raises(InputError, match="not of"):
        grade_sheet(key, answers | {"sheet": "AAAAAAAA"})
    with pytest.raises(InputError, match="has not"):
        grade_sheet(key, answers | {"items": {"other": {"given": "1"}}})
