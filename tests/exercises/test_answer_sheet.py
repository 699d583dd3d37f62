"""An exercise on a run: answers, mistakes, gaps, letters, documents."""

from __future__ import annotations

import json
from collections import Counter
from pathlib import Path
from typing import Any

import jsonschema
import pytest

from perfolio.common.errors import ContentError, InputError
from perfolio.exercises.catalog import load_exercises
from perfolio.exercises.exercise_lint import list_exercise_problems
from perfolio.exercises.grader import grade_item
from perfolio.exercises.items import list_type_names, load_item_type
from perfolio.exercises.key_documents import (
    check_answers,
    load_answers_schema,
    load_key_schema,
    make_key_document,
    read_answers,
    read_key,
)
from perfolio.exercises.model import NotAskedError
from perfolio.exercises.run_conditions import evaluate_condition
from perfolio.exercises.tolerance import NEAR
from tests.exercises.support import (
    case_sheet,
    exercise_of,
    fenced,
    finding,
    load_item_cases,
    run_of,
    sample_sheet,
    sheet_of,
)
from tests.pages.support import rendered

SLUGS = sorted(load_exercises())
CASES = load_item_cases()


def made(tmp_path: Path, *items: dict[str, Any], **run: Any) -> Any:
    values = run.pop("values", {"time.wall": 10.0, "cpu.time": 8.0, "time.gpu_busy": 2.0})
    return sheet_of(exercise_of(tmp_path, fenced(*items)), run_of(values, **run))


def key_of(sheet: Any, name: str) -> Any:
    return next(each.keyed.key for each in sheet.answerable if each.item.id == name)


def test_every_type_has_a_case() -> None:
    assert tuple(CASES) == list_type_names()


@pytest.mark.parametrize(("name", "case"), CASES.items(), ids=CASES)
def test_items_as_their_cases_say(name: str, case: dict[str, Any], tmp_path: Path) -> None:
    sheet = case_sheet(name, tmp_path)
    (question,) = sheet.answerable
    assert question.keyed is not None
    assert_holds(question.keyed.shown, case["shown"])
    assert_holds(question.keyed.key, case["key"])
    page = rendered(load_item_type(name).html(question.keyed.shown))
    for words in case["html"]:
        assert words in " ".join(page.text.split())
    document = json.loads(json.dumps(make_key_document(sheet)))
    jsonschema.validate(document, load_key_schema())


def assert_holds(found: Any, wanted: Any) -> None:
    """All that a case names is as it says; numbers within a millionth."""
    if isinstance(wanted, dict):
        for name, value in wanted.items():
            assert_holds(found[name], value)
    elif isinstance(wanted, list):
        assert len(found) == len(wanted), found
        for one, other in zip(found, wanted, strict=True):
            assert_holds(one, other)
    elif isinstance(wanted, float):
        assert found == pytest.approx(wanted)
    else:
        assert found == wanted


@pytest.mark.parametrize(
    ("answer", "unit", "value"),
    [
        ({"metric": "time.wall"}, "", 10.0),
        ({"expression": "time.wall / cpu.time"}, "x", 1.25),
        ({"expression": "round(sum(gpu.composition.share) * 10) + max(time.wall, 3)"}, "1", 20.0),
        ({"expression": "count(gpu.composition.time) - min(gpu.composition.time)"}, "1", 1.5),
        ({"expression": "first(gpu.composition.time)"}, "s", 1.5),
        ({"metric": "gpu.composition", "row": 1, "column": "time"}, "", 0.5),
        ({"metric": "gpu.composition", "where": {"count": 4}, "column": "time"}, "", 0.5),
        ({"finding": "G1"}, "ratio", 0.5),
        ({"finding": "G1", "column": "estimate.factor"}, "x", 1.25),
        ({"setting": "workload.batch_size"}, "count", 2048.0),
        ({"hardware": "multiprocessors"}, "count", 132.0),
        ({"expression": "workload.batch_size / time.wall"}, "Hz", 204.8),
        ({"given": 7}, "count", 7.0),
    ],
)  # fmt: skip
def test_answers_come_from_all_that_is_known(
    tmp_path: Path, answer: dict[str, Any], unit: str, value: float
) -> None:
    item = {"id": "it", "type": "number", "answer": answer, **({"unit": unit} if unit else {})}
    composition = [{"operation": "kernels", "time": 1.5, "share": 0.75, "count": 3},
                   {"operation": "copies", "time": 0.5, "share": 0.25, "count": 4}]  # fmt: skip
    sheet = made(
        tmp_path, item,
        values={"time.wall": 10, "cpu.time": 8, "gpu.composition": composition},
        settings={"workload.batch_size": "2048"}, hardware={"multiprocessors": 132},
        findings=[finding("G1", estimate={"factor": 1.25, "reduction": 0.2})],
    )  # fmt: skip
    assert key_of(sheet, "it")["accept"][0]["value"] == pytest.approx(value)


@pytest.mark.parametrize(
    ("answer", "said"),
    [
        ({"metric": "time.nothing"}, "there is no metric time.nothing"),
        ({"metric": "gpu.composition", "column": "colour", "row": 0}, "has no column colour"),
        ({"metric": "gpu.composition", "where": {"colour": "red"}, "column": "time"}, "colour"),
        ({"expression": "time.nothing + 1"}, "there is no metric time.nothing"),
        ({"expression": "open('x')"}, "is no formula"),
        ({"finding": "ZZ"}, "there is no rule ZZ"),
    ],
)
def test_what_no_run_could_answer_is_an_error(
    tmp_path: Path, answer: dict[str, Any], said: str
) -> None:
    rows = [{"operation": "kernels", "time": 1.5}, {"operation": "copies", "time": 0.5}]
    item = {"id": "it", "type": "number", "unit": "s", "answer": answer}
    with pytest.raises(ContentError) as caught:
        made(tmp_path, item, values={"time.wall": 1, "gpu.composition": rows})
    assert said in str(caught.value)
    assert "exercise.md:" in str(caught.value)
    assert "item it" in str(caught.value)


@pytest.mark.parametrize(
    ("answer", "why"),
    [
        ({"metric": "gpu.composition", "column": "time"}, "2 such rows"),
        (
            {"metric": "gpu.composition", "column": "time", "where": {"operation": "kernels"}},
            "2 such rows",
        ),
        ({"expression": "gpu.composition.time + 1"}, "2 rows in this run"),
    ],
)
def test_several_rows_where_one_is_asked_are_a_gap_and_the_author_is_told(
    tmp_path: Path, answer: dict[str, Any], why: str
) -> None:
    """How many rows there are depends on the run: no report fails for it."""
    rows = [{"operation": "kernels", "time": 1.5}, {"operation": "kernels", "time": 0.5}]
    item = {"id": "it", "type": "number", "unit": "s", "answer": answer}
    wall = {"id": "wall", "type": "number", "answer": {"metric": "time.wall"}, "points": 9}
    exercise = exercise_of(tmp_path, fenced(item, wall))
    sheet = sheet_of(exercise, run_of({"time.wall": 1, "gpu.composition": rows}))
    gap = sheet.questions[0].gap
    assert gap is not None
    assert gap.refused
    assert why in gap.reason
    found = [*list_exercise_problems(exercise, None), *list_exercise_problems(exercise, sheet)]
    assert any(why in each for each in found)
    assert any("add them up by total" in each for each in found) == ("where" in answer)


@pytest.mark.parametrize(
    "answer",
    [
        {"metric": "gpu.composition", "column": "time", "row": 0},
        {"metric": "gpu.composition", "column": "time", "where": {"count": 1}, "total": True},
        {"expression": "sum(gpu.composition.time) + time.wall"},
    ],
)
def test_answers_that_name_their_rows_are_no_problem(
    tmp_path: Path, answer: dict[str, Any]
) -> None:
    item = {"id": "it", "type": "number", "unit": "s", "answer": answer}
    assert list_exercise_problems(exercise_of(tmp_path, fenced(item)), None) == []


def test_a_total_of_one_row_is_read_off_and_of_none_is_not_asked(tmp_path: Path) -> None:
    rows = [{"operation": "kernels", "time": 1.5}, {"operation": "copies", "time": 0.5}]
    column = {"metric": "gpu.composition", "column": "time", "total": True}
    items = [
        {"id": name, "type": "number", "answer": {**column, "where": {"operation": name}}}
        for name in ("kernels", "fills")
    ]
    wall = {"id": "wall", "type": "number", "answer": {"metric": "time.wall"}, "points": 9}
    sheet = made(tmp_path, *items, wall, values={"time.wall": 1, "gpu.composition": rows})
    assert key_of(sheet, "kernels")["accept"][0]["value"] == 1.5
    (gap,) = [each.gap for each in sheet.questions if each.gap]
    assert "no such row" in gap.reason


def test_what_is_not_measured_is_a_gap_with_its_reason(tmp_path: Path) -> None:
    items = [{"id": f"i{n}", "type": "number", "answer": {"metric": "time.wall"}} for n in range(3)]
    items.append({"id": "mfu", "type": "number", "answer": {"metric": "compute.mfu"}})
    items[0]["follows"] = []
    values = {"time.wall": 10, "compute.mfu": "profile.toml names no precision"}
    sheet = made(tmp_path, *items, values=values)
    (gap,) = [each for each in sheet.questions if each.keyed is None]
    assert gap.gap is not None
    assert "profile.toml names no precision" in gap.gap.reason
    assert gap.gap.collect == "hpcrun -t"
    assert (sheet.points, sheet.minutes) == (3.0, 4.0)
    assert set(make_key_document(sheet)["items"]) == {"i0", "i1", "i2"}


def test_an_exercise_of_which_more_than_a_third_vanishes_is_refused(tmp_path: Path) -> None:
    items: list[dict[str, Any]] = [
        {"id": "wall", "type": "number", "answer": {"metric": "time.wall"}},
        {"id": "mfu", "type": "number", "answer": {"metric": "compute.mfu"}},
    ]
    with pytest.raises(NotAskedError, match=r"1 of 2 points .* of made: mfu: .*silent"):
        made(tmp_path, *items, values={"time.wall": 10, "compute.mfu": "silent"})
    items[0]["points"] = 2
    sheet = made(tmp_path, *items, values={"time.wall": 10, "compute.mfu": "silent"})
    assert sheet.points == 2.0


def test_a_sampled_figure_is_asked_only_where_its_interval_is_narrow(tmp_path: Path) -> None:
    item = {"id": "it", "type": "number", "answer": {"metric": "cpu.hot_share"}}
    other = {"id": "wall", "type": "number", "answer": {"metric": "time.wall"}, "points": 9}
    narrow = {"value": 0.5, "low": 0.47, "high": 0.52}
    sheet = made(tmp_path, item, other, values={"cpu.hot_share": narrow, "time.wall": 1})
    accept = key_of(sheet, "it")["accept"][0]
    assert (accept["low"], accept["high"]) == (0.47, 0.52)
    wide = {"value": 0.5, "low": 0.3, "high": 0.7}
    sheet = made(tmp_path, item, other, values={"cpu.hot_share": wide, "time.wall": 1})
    gap = sheet.questions[0].gap
    assert gap is not None
    assert gap.refused
    assert gap.reason == "samples leave it between 30.0 % and 70.0 %"


@pytest.mark.parametrize(("cpu", "kept"), [(10.15, False), (10.29, False), (10.5, True)])
def test_a_mistake_too_close_to_the_answer_is_dropped(
    tmp_path: Path, cpu: float, kept: bool
) -> None:
    wrong = [{"code": "cpu", "answer": {"metric": "cpu.work"}, "says": "No."}]
    item = {"id": "it", "type": "number", "answer": {"metric": "time.wall"}, "wrong": wrong}
    sheet = made(tmp_path, item, values={"time.wall": 10, "cpu.work": cpu})
    assert [each["code"] for each in key_of(sheet, "it")["wrong"]] == (["cpu"] if kept else [])
    if not kept:
        dropped = sheet.answerable[0].keyed.dropped
        assert any("cpu: 1" in each and "too close" in each for each in dropped)


def test_known_mistakes_join_those_that_an_author_names(tmp_path: Path) -> None:
    items = [
        {"id": "wall", "type": "number", "answer": {"metric": "time.wall"}},
        {"id": "own", "type": "number", "unit": "CPU-s",
         "answer": {"metric": "cpu.top_functions", "row": 0, "column": "exclusive"}},
        {"id": "mfu", "type": "number", "answer": {"metric": "compute.mfu"}},
        {"id": "gmem", "type": "number", "answer": {"metric": "stall.gmem_of_samples"}},
        {"id": "busy", "type": "number", "answer": {"metric": "time.gpu_utilisation"}},
    ]  # fmt: skip
    values = {
        "time.wall": 90, "cpu.time": 66, "compute.mfu": 0.4, "stall.gmem_of_samples": 0.2,
        "stall.gmem_of_stalls": 0.8, "time.gpu_utilisation": 0.3, "time.steady_utilisation": 0.9,
        "seed.gpu_cpu_ratio": 0.5,
        "cpu.top_functions": [{"function": "f", "exclusive": 6.9, "inclusive": 44.5}],
    }  # fmt: skip
    sheet = made(tmp_path, *items, values=values)
    codes = {each.item.id: {w["code"]: w["value"] for w in each.keyed.key["wrong"]}
             for each in sheet.answerable}  # fmt: skip
    assert codes == {
        "wall": {"cpu-time": 66},
        "own": {"inclusive-for-exclusive": 44.5},
        "mfu": {"sparse-peak": 0.2},
        "gmem": {"of-stalls": 0.8},
        "busy": {"other-span": 0.9, "seed-gpu-cpu-ratio": 0.5},
    }


@pytest.mark.parametrize(
    ("wall", "right"), [(10.0, ["A"]), (6.0, ["B"])],
)  # fmt: skip
def test_the_run_decides_which_option_is_right(
    tmp_path: Path, wall: float, right: list[str]
) -> None:
    options = [{"says": "wall", "right": "time.wall > cpu.time"},
               {"says": "cpu", "right": "time.wall <= cpu.time"},
               {"says": "gone", "right": "compute.mfu > 0.5"}]  # fmt: skip
    item = {"id": "it", "type": "choice", "options": options}
    values = {"time.wall": wall, "cpu.time": 8, "compute.mfu": "no precision"}
    sheet = made(tmp_path, item, values=values)
    key, says = key_of(sheet, "it"), {"A": "wall", "B": "cpu"}
    chosen = [each["says"] for each in key["options"] if each["letter"] in key["right"]]
    assert chosen == [says[each] for each in right]
    assert len(key["options"]) == 2
    assert "no precision" in sheet.answerable[0].keyed.dropped[0]


def test_two_right_options_are_refused(tmp_path: Path) -> None:
    options = [{"says": "a", "right": "time.wall > 1"}, {"says": "b", "right": "time.wall > 2"}]
    wall = {"id": "wall", "type": "number", "answer": {"metric": "time.wall"}, "points": 5}
    sheet = made(tmp_path, wall, {"id": "it", "type": "choice", "options": options})
    gap = sheet.questions[1].gap
    assert gap is not None
    assert gap.refused
    assert gap.reason == "2 of its options are right on this run, not one"


@pytest.mark.parametrize(
    ("text", "truth"),
    [
        ("time.wall > 5 and cpu.time < 9", True),
        ("time.wall > 5 and cpu.time > 9", False),
        ("time.wall < 5 or not cpu.time > 9", True),
        ("1 < time.wall <= 10", True),
        ("compute.mfu > 0", None),
        ("finding.G1.fired == 1", True),
        ("finding.G1.severity == 'high'", True),
        ("finding.G1.severity != 'high'", False),
    ],
)
def test_conditions(text: str, truth: bool | None) -> None:
    values = {"time.wall": 10, "cpu.time": 8, "compute.mfu": "no precision"}
    assert evaluate_condition(text, run_of(values, findings=[finding("G1")])) is truth


@pytest.mark.parametrize(
    "text", ["", "time.wall", "time.wall in 3", "f(1) > 2", "1 < 'a' < 2", "("]
)
def test_what_is_no_condition_is_refused(text: str) -> None:
    with pytest.raises(ContentError):
        evaluate_condition(text, run_of({"time.wall": 1}))


def test_letters_of_right_answers_are_spread_evenly(tmp_path: Path) -> None:
    """χ² of 200 variants with 3 degrees of freedom: 16.3 is one in a thousand."""
    options = [{"says": str(n), "right": n == 0} for n in range(4)]
    exercise = exercise_of(tmp_path, fenced({"id": "it", "type": "choice", "options": options}))
    run = run_of({"time.wall": 1})
    sheets = [sheet_of(exercise, run, variant=f"v{n}") for n in range(200)]
    counts = Counter(key_of(sheet, "it")["right"][0] for sheet in sheets)
    assert sum((counts[letter] - 50) ** 2 / 50 for letter in "ABCD") < 16.3
    assert len({sheet.id for sheet in sheets}) == 200
    assert sheets[0].id == sheet_of(exercise, run, variant="v0").id


@pytest.mark.parametrize("slug", SLUGS)
def test_keys_are_valid_and_mistakes_lie_apart_from_the_answer(slug: str) -> None:
    sheet = sample_sheet(slug)
    document = json.loads(json.dumps(make_key_document(sheet), allow_nan=False))
    jsonschema.validate(document, load_key_schema())
    gaps = [each.item for each in sheet.questions if each.keyed is None]
    assert sheet.exercise.partial or gaps == []
    for item in document["items"].values():
        for number in [item, *item.get("cells", ())]:
            for wrong in number.get("wrong", ()):
                right = number["accept"][0]
                assert wrong["high"] < right["low"] or right["high"] < wrong["low"]


def test_schemas_are_schemas_and_are_checked_on_reading(tmp_path: Path) -> None:
    for schema in (load_key_schema(), load_answers_schema()):
        jsonschema.Draft202012Validator.check_schema(schema)
    key = make_key_document(sample_sheet("which-second"))
    answers = {"schema": "perfolio-answers/1", "sheet": key["sheet"], "exercise": "which-second",
               "variant": "", "learner": "=HYPERLINK(1)", "saved": "",
               "items": {"s1-wall": {"given": "<b>1</b>", "hints": 1}}}  # fmt: skip
    path = tmp_path / "a.json"
    for document, read in ((key, read_key), (answers, read_answers)):
        path.write_text(json.dumps(document), encoding="utf-8")
        assert read(path) == json.loads(json.dumps(document))
        path.write_text(json.dumps(document | {"more": 1}), encoding="utf-8")
        with pytest.raises(InputError, match="knows no more"):
            read(path)
    long = {**answers, "items": {"s1-wall": {"given": "x" * 20_001}}}
    with pytest.raises(InputError, match="at most 20000"):
        check_answers(long, "a.json")
    for bad in ("{", "[]", '{"schema": NaN}', " " * 1_000_001):
        path.write_text(bad, encoding="utf-8")
        with pytest.raises(InputError, match=r"a\.json"):
            read_answers(path)


@pytest.mark.parametrize(
    ("item", "change", "said"),
    [
        ("s1-wall", {"type": "essay"}, "unknown type 'essay'"),
        ("s1-wall", {"accept": []}, "lacks accept"),
        ("s1-wall", {"unit": "furlongs"}, "unknown unit 'furlongs'"),
        ("s1-wall", {"unit": "text"}, "unknown unit 'text'"),
        ("s1-wall", {"factor": 0}, "factor must lie between"),
        ("s1-wall", {"factor": -1}, "factor must lie between"),
        ("s1-wall", {"follow": ["^", 1, 2], "follow_within": 0.1}, "follow is no tree"),
        ("s1-wall", {"follow": 1}, "has no follow_within"),
        ("s1-wall", {"type": "choice"}, "lacks options"),
        ("s1-wall", {"type": "table"}, "lacks cells"),
        ("s1-wall", {"type": "matrix", "places": [[]]}, "has a place without a letter"),
        ("a choice", {"right": ["Z"]}, "names letters that are no options"),
        ("a choice", {"right": []}, "lacks right"),
        ("a choice", {"type": "ranking", "values": [1.0]}, "not as many values as options"),
    ],
)
def test_a_key_with_which_nothing_can_be_graded_is_refused(
    item: str, change: dict[str, Any], said: str, tmp_path: Path
) -> None:
    key = json.loads(json.dumps(make_key_document(sample_sheet("which-second"))))
    named = {"a choice": next(n for n, each in key["items"].items() if "options" in each)}
    key["items"][named.get(item, item)] |= change
    path = tmp_path / "a.key.json"
    path.write_text(json.dumps(key), encoding="utf-8")
    with pytest.raises(InputError, match=said):
        read_key(path)
    path.write_text(json.dumps(key).replace('"points": ', '"points": 1e999, "x": ', 1))
    with pytest.raises(InputError, match="larger than any number of a sheet"):
        read_key(path)


def test_near_is_three_tolerances_of_the_figure_and_not_of_its_rounding(tmp_path: Path) -> None:
    item = {"id": "it", "type": "number", "answer": {"given": 5}, "unit": "count"}
    accept = key_of(made(tmp_path, item), "it")["accept"]
    assert [each["share"] for each in accept] == [1.0]
    item["answer"] = {"given": 1000}
    right, near = key_of(made(tmp_path, item), "it")["accept"]
    assert near["high"] - 1000 == pytest.approx(NEAR * (right["high"] - 1000))


def test_rows_go_to_the_finding_whose_evidence_names_them(tmp_path: Path) -> None:
    rows = [{"kernel": name, "short": name[:5], "time": time, "share": time / 9.0}
            for name, time in (("gemm<int>", 5.0), ("softmax", 3.0), ("copy", 1.0))]  # fmt: skip
    findings = [
        finding("L1", title="Launches", evidence={"rows": [["softmax", 3]]}),
        finding("M2", title="Memory", evidence={"rows": [["a > softmax", 1], ["gemm<int>", 2]]}),
        finding("X2", title="Copies", evidence={"rows": [["gemm", 1]]}),
        finding("K4", title="Passed", status="passed", evidence={"rows": [["copy", 1]]}),
    ]
    item = {"id": "it", "type": "matrix", "named": "kernel",
            "pick": {"metric": "gpu.kernels", "name": "short", "by": "time",
                     "take": 3}}  # fmt: skip
    exercise = exercise_of(tmp_path, fenced(item))
    sheet = sheet_of(exercise, run_of({"gpu.kernels": rows}, findings=findings))
    key, (asked,) = key_of(sheet, "it"), sheet.answerable
    assert asked.keyed
    assert asked.keyed.shown["rows"] == ["gemm<", "softm", "copy"]
    assert [each["says"] for each in asked.keyed.shown["options"]] == [
        "Launches", "Memory", "No finding names it",
    ]  # fmt: skip
    assert key["places"] == [["B"], ["A", "B"], ["C"]]
    for given, points in ((["B", "A", "C"], 4), (["B", "B", "C"], 4), (["A", "C", "C"], 4 / 3)):
        assert grade_item(key, {"given": given}).points == pytest.approx(points)
    with pytest.raises(NotAskedError, match="no finding of this run names one of these"):
        sheet_of(exercise, run_of({"gpu.kernels": rows}, findings=findings[2:]))
    faulty = exercise_of(tmp_path, fenced({**item, "named": "nothing"}))
    with pytest.raises(ContentError, match="nothing"):
        sheet_of(faulty, run_of({"gpu.kernels": rows}, findings=findings))
