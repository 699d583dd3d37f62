"""A class of made-up learners: answers from keys and from known mistakes, graded to files."""

from __future__ import annotations

import csv
import json
import random
import time
from collections import Counter
from collections.abc import Callable, Mapping
from functools import cache
from pathlib import Path
from typing import Any

import pytest

from perfolio.classroom.grading import grade_files
from perfolio.common.errors import InputError
from perfolio.exercises.grader import grade_item, grade_sheet
from perfolio.exercises.key_documents import make_key_document
from perfolio.exercises.model import Json
from perfolio.exercises.submissions import KEY_END
from tests.exercises.answering import known_mistakes, solved
from tests.exercises.support import exercise_of, fenced, run_of, sample_sheet, sheet_of
from tests.pages.support import rendered

SLUGS = ("which-second", "straggler", "of-stalls-or-samples", "inclusive-exclusive")


@cache
def key(slug: str) -> Json:
    made: Json = json.loads(json.dumps(make_key_document(sample_sheet(slug))))
    return made


def answers(of: Mapping[str, Any], learner: str, items: Mapping[str, Any]) -> Json:
    return {
        "schema": "perfolio-answers/1", "sheet": of["sheet"], "exercise": of["exercise"],
        "variant": "", "learner": learner, "saved": "",
        "items": {name: {"given": given} for name, given in items.items()},
    }  # fmt: skip


def hand_in(folder: Path, documents: list[Json]) -> Path:
    folder.mkdir(parents=True, exist_ok=True)
    for number, document in enumerate(documents):
        (folder / f"{number:03}.json").write_text(json.dumps(document), encoding="utf-8")
    return folder


def keys_in(folder: Path, *documents: Json) -> Path:
    folder.mkdir(parents=True, exist_ok=True)
    for document in documents:
        path = folder / f"{document['exercise']}{KEY_END}"
        path.write_text(json.dumps(document), encoding="utf-8")
    return folder


def graded(tmp_path: Path, documents: list[Json], *of: Json) -> Path:
    out = tmp_path / "out"
    grade_files([hand_in(tmp_path / "in", documents)], keys_in(tmp_path / "keys", *of), out, print)
    return out


def rows(path: Path) -> list[dict[str, str]]:
    with path.open(encoding="utf-8", newline="") as file:
        return list(csv.DictReader(file))


@pytest.mark.parametrize("slug", SLUGS)
def test_answers_from_the_key_earn_all_points(slug: str) -> None:
    of = key(slug)
    for item, one in grade_sheet(of, answers(of, "Ada", solved(of))).items():
        wanted = of["items"][item]
        by_hand = wanted["type"] == "open"
        assert (one.code, one.points) == (
            ("by-hand", 0.0) if by_hand else ("right", wanted["points"])
        )


@pytest.mark.parametrize("slug", SLUGS)
def test_each_known_mistake_is_named(slug: str) -> None:
    met = 0
    for item in key(slug)["items"].values():
        for code, given in known_mistakes(item):
            one = grade_item(item, {"given": given})
            assert one.code == code
            assert one.points < item["points"]
            assert one.feedback
            met += 1
    assert met >= 2


def test_a_class_of_fifty(tmp_path: Path) -> None:
    """Two of three make one known mistake each, the others none: all are counted by their names."""
    chance = random.Random(18)
    documents, made, missed = [], Counter[tuple[str, str, str]](), set()
    for number in range(50):
        of = key(SLUGS[number % len(SLUGS)])
        items = solved(of)
        if number % 3:
            known = [(name, *one) for name, i in of["items"].items() for one in known_mistakes(i)]
            name, code, items[name] = chance.choice(known)
            made[of["exercise"], name, code] += 1
            missed.add(f"Learner {number}")
        documents.append(answers(of, f"Learner {number}", items))
    out = graded(tmp_path, documents, *map(key, SLUGS))
    told = Counter(
        (row["exercise"], row["item"], row["code"])
        for row in rows(out / "grades.csv")
        if row["code"] not in ("right", "by-hand")
    )
    assert told == made
    for row in rows(out / "totals.csv"):
        most = float(row["most"]) - 2.0 * float(row["waiting"])
        assert (float(row["points"]) == most) == (row["learner"] not in missed)
    page = rendered((out / "class.md").read_text(encoding="utf-8"))
    assert "50 learners, 50 sheets." in page.text
    assert "Learner " not in page.text
    for (_, _, code), count in made.items():
        assert code in page.text
        assert f"{count} of 1" in page.text
    assert len(list((out / "feedback").glob("learner-*.html"))) == 50


def test_two_hundred_files_are_graded_within_seconds(tmp_path: Path) -> None:
    of = key("which-second")
    documents = [answers(of, f"Learner {n}", solved(of)) for n in range(200)]
    folder, keys = hand_in(tmp_path / "in", documents), keys_in(tmp_path / "keys", of)
    before = time.process_time()
    assert len(grade_files([folder], keys, tmp_path / "out", print)) == 200
    assert time.process_time() - before < 5.0


def test_the_same_answers_give_the_same_bytes(tmp_path: Path) -> None:
    of = key("straggler")
    documents = [answers(of, f"Learner {n}", solved(of)) for n in range(3)]
    first, second = (
        graded(tmp_path / name, order, of)
        for name, order in (("a", documents), ("b", documents[::-1]))
    )
    files = sorted(path.relative_to(first) for path in first.rglob("*") if path.is_file())
    assert len(files) == 10
    for name in files:
        assert (first / name).read_bytes() == (second / name).read_bytes()


def test_statistics_of_items(tmp_path: Path) -> None:
    """Ten learners: the better half gets the item right, and all skip another."""
    of = key("straggler")
    wrong = {"s2-factor": "3", "s1-wait": "90", "s1-most": "", "s2-rank": "", "s2-balance": ""}
    documents = [
        answers(of, f"L{n}", (solved(of) if n < 5 else wrong) | {"s1-most": ""}) for n in range(10)
    ]
    documents[0]["items"]["s2-factor"]["hints"] = 2
    out = graded(tmp_path, documents, of)
    items = {row["item"]: row for row in rows(out / "items.csv")}
    factor, most = items["s2-factor"], items["s1-most"]
    assert (factor["share"], factor["blank"], factor["rest"], factor["hints"]) == (
        "0.5", "0", "1", "0.2",
    )  # fmt: skip
    assert (most["share"], most["blank"], most["rest"], most["learners"]) == ("0", "1", "", "10")


def test_statistics_leave_out_what_nobody_can_answer(tmp_path: Path) -> None:
    ticks = {"id": "ticks", "type": "checklist", "points": 0, "entries": ["One", "Two"]}
    told = {"id": "told", "type": "command", "points": 0, "command": "perfolio info DB"}
    wall = {"id": "wall", "type": "number", "answer": {"metric": "time.wall"}}
    of = make_key_document(
        sheet_of(exercise_of(tmp_path, fenced(ticks, told, wall)), run_of({"time.wall": 1.0}))
    )
    out = graded(tmp_path, [answers(of, "Ada", {"ticks": ["A"]})], of)
    assert [row["item"] for row in rows(out / "items.csv")] == ["ticks", "wall"]
    out = graded(tmp_path / "blank", [answers(of, "Ada", {})], of)
    assert [row["item"] for row in rows(out / "items.csv")] == ["wall"]


def open_sheet(folder: Path) -> Json:
    rubric = [{"says": "Names the time", "points": 2}, {"says": "Says why", "points": 1}]
    item = {"id": "why", "type": "open", "points": 3, "model": "It waits.", "rubric": rubric}
    sheet = sheet_of(exercise_of(folder, fenced(item)), run_of({"time.wall": 1.0}))
    return make_key_document(sheet)


def scored(path: Path, points: list[str], change: Callable[[str], str] = str) -> None:
    """Points typed into rubric.csv, as a spreadsheet of another country would save it."""
    told = rows(path)
    lines = [";".join(told[0])]
    for row, typed in zip(told, points, strict=True):
        lines.append(";".join([*(change(value) for value in list(row.values())[:-1]), typed]))
    path.write_text("\ufeff" + "\r\n".join(lines) + "\r\n", encoding="utf-8")


def test_open_answers_get_their_points_in_a_second_run(tmp_path: Path) -> None:
    of = open_sheet(tmp_path)
    documents = [answers(of, "Ada", {"why": "It waits 1 s."}), answers(of, "Bob", {"why": " "})]
    out = graded(tmp_path, documents, of)
    told = rows(out / "rubric.csv")
    assert [(row["learner"], row["line"], row["most"]) for row in told] == [
        ("Ada", "1", "2"), ("Ada", "2", "1"),
    ]  # fmt: skip
    assert [row["code"] for row in rows(out / "grades.csv")] == ["by-hand", "blank"]
    assert rows(out / "items.csv")[0]["share"] == "", "a blank answer alone is no share of a class"
    assert " 0 %" not in (out / "class.md").read_text("utf-8")
    scored(out / "rubric.csv", ["1,5", ""])
    graded(tmp_path, documents, of)
    assert [row["code"] for row in rows(out / "grades.csv")] == ["by-hand", "blank"]
    assert [row["points"] for row in rows(out / "rubric.csv")] == ["1.5", ""]
    scored(out / "rubric.csv", ["1,5", "1"])
    graded(tmp_path, documents, of)
    first = rows(out / "grades.csv")[0]
    assert (first["points"], first["code"]) == ("2.5", "part")
    assert float(rows(out / "items.csv")[0]["share"]) == pytest.approx(2.5 / 6, abs=1e-3)
    assert "2.5 of 3" in (out / "feedback" / "ada.html").read_text(encoding="utf-8")


@pytest.mark.parametrize(
    ("points", "said"),
    [(["3", ""], "3 points for line 1"), (["x", ""], "must be a number"), (["nan", ""], "nan")],
)
def test_points_that_fit_no_rubric_are_refused(
    points: list[str], said: str, tmp_path: Path
) -> None:
    of = open_sheet(tmp_path)
    documents = [answers(of, "Ada", {"why": "It waits."})]
    out = graded(tmp_path, documents, of)
    scored(out / "rubric.csv", points)
    before = (out / "grades.csv").read_bytes()
    with pytest.raises(InputError, match=said):
        graded(tmp_path, documents, of)
    assert (out / "grades.csv").read_bytes() == before


def test_points_for_an_answer_that_changed_are_refused(tmp_path: Path) -> None:
    of = open_sheet(tmp_path)
    out = graded(tmp_path, [answers(of, "Ada", {"why": "It waits."})], of)
    scored(out / "rubric.csv", ["2", "1"])
    with pytest.raises(InputError, match="it may have changed since"):
        graded(tmp_path, [answers(of, "Ada", {"why": "It does not wait."})], of)


HOSTILE = "</p><script>alert(1)</script>"


def test_what_learners_type_is_text_everywhere(tmp_path: Path) -> None:
    of = key("which-second")
    formula = '=HYPERLINK("http://evil","x")'
    items = {"s1-wall": formula, "s1-cpu": HOSTILE, "s1-span": "+1+1", "s1-busy": "@SUM(A1)"}
    learner = f"=1+1{HOSTILE}../../x"
    out = graded(tmp_path, [answers(of, learner, items)], of)
    for row in rows(out / "grades.csv"):
        for cell in row.values():
            assert not cell.startswith(("=", "+", "@", "\t", "-")) or cell == "-"
    for path in (*(out / "feedback").iterdir(), out / "class.md"):
        text = path.read_text(encoding="utf-8")
        assert "<script" not in text
        assert path.parent == out / "feedback" or learner not in text
    assert not list(tmp_path.rglob("x"))


def bad(name: str, of: Json) -> bytes:
    good = answers(of, "Eve", {})
    made: dict[str, Any] = {
        "another-sheet": good | {"sheet": "AAAAAAAA"},
        "another-exercise": good | {"exercise": "other"},
        "unknown-item": good | {"items": {"s9-x": {"given": "1"}}},
        "long": good | {"items": {"s1-wall": {"given": "9" * 20_001}}},
        "number": good | {"items": {"s1-wall": {"given": 1.5}}},
        "schema": good | {"schema": "perfolio-answers/2"},
        "large": good | {"items": {f"i{n}": {"given": "x" * 20_000} for n in range(60)}},
    }
    if name in made:
        return json.dumps(made[name]).encode()
    return {"deep": b"[" * 100_000, "binary": b"\xff\xfe\x00", "empty": b"", "nan": b"[NaN]"}[name]


@pytest.mark.parametrize(
    ("name", "said"),
    [("another-sheet", "there is no key of sheet AAAAAAAA"), ("another-exercise", "is of which"),
     ("unknown-item", "s9-x"), ("long", "s1-wall"), ("number", "s1-wall"), ("schema", "schema"),
     ("large", "larger than"), ("deep", "no JSON"), ("binary", "no JSON"), ("empty", "no JSON"),
     ("nan", "no JSON")],
)  # fmt: skip
def test_a_file_that_cannot_be_graded_is_named_and_nothing_is_written(
    name: str, said: str, tmp_path: Path
) -> None:
    of = key("which-second")
    folder = hand_in(tmp_path / "in", [answers(of, "Ada", solved(of))])
    (folder / "bad.json").write_bytes(bad(name, of))
    told: list[str] = []
    with pytest.raises(InputError, match="1 of 2 files cannot be graded"):
        grade_files([folder], keys_in(tmp_path / "keys", of), tmp_path / "out", told.append)
    (line,) = told
    assert "bad.json" in line
    assert said in line
    assert "\n" not in line
    assert len(line) < 1_000
    assert not (tmp_path / "out").exists()


def test_a_sheet_handed_in_twice_is_refused_and_a_second_sheet_is_not(tmp_path: Path) -> None:
    one, other = key("which-second"), key("straggler")
    documents = [answers(one, "Ada", {}), answers(other, "Ada", {}), answers(one, "Ada ", {})]
    told: list[str] = []
    folder, keys = hand_in(tmp_path / "in", documents), keys_in(tmp_path / "keys", one, other)
    with pytest.raises(InputError, match="1 of 3"):
        grade_files([folder], keys, tmp_path / "out", told.append)
    assert "Ada handed in sheet" in told[0]
    (folder / "002.json").unlink()
    assert len(grade_files([folder], keys, tmp_path / "out", told.append)) == 2


def test_learners_whose_names_read_alike_get_a_page_each(tmp_path: Path) -> None:
    of = key("straggler")
    names = ["Ada", "ada", "Ådä", "李", "../ada", ""]
    out = graded(tmp_path, [answers(of, name, {}) for name in names], of)
    pages = [path.read_text(encoding="utf-8") for path in (out / "feedback").iterdir()]
    assert len(pages) == len(names)


def test_a_folder_without_keys_is_named(tmp_path: Path) -> None:
    of = key("straggler")
    folder = hand_in(tmp_path / "in", [answers(of, "Ada", {})])
    for keys in (tmp_path / "none", folder):
        with pytest.raises(InputError, match=str(keys)):
            grade_files([folder], keys, tmp_path / "out", print)
