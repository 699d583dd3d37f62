"""Sheets for a class: rosters, folders, what learners get and what they do not, and grading."""

from __future__ import annotations

import csv
import json
from dataclasses import replace
from functools import cache
from pathlib import Path
from xml.etree import ElementTree as ET

import pytest

from perfolio.classroom.assignments import choose_lessons, list_course_lessons, read_fixed_runs
from perfolio.classroom.class_sets import (
    LearnerBundle,
    LearnerGroup,
    Lesson,
    make_bundles,
    read_roster,
    write_release,
)
from perfolio.classroom.dry_run import try_exercise
from perfolio.classroom.grading import grade_files
from perfolio.classroom.variants import find_scenarios
from perfolio.common.errors import ContentError, InputError, UsageError
from perfolio.exercises.catalog import load_exercises
from perfolio.exercises.model import Exercise, Json
from perfolio.exercises.submissions import read_keys
from perfolio.pages.handout_pages import HandoutOptions
from perfolio.readers.own_files import TRUTH
from tests.exercises.answering import solved
from tests.exercises.support import (
    SCRIPT,
    VARIED_SEED,
    exercise_of,
    fenced,
    run_of,
    sample_run,
    sheet_of,
    short_scenarios,
)
from tests.kit.samples import PROFILES

ROSTER = ("Ada", "=Grace, H.", "Åsa")
WISH = HandoutOptions(formats=("html", "moodle", "gift"))


def test_a_roster_is_read_as_spreadsheets_save_it(tmp_path: Path) -> None:
    path = tmp_path / "roster.csv"
    path.write_bytes('\ufefflearner;group\r\n Ada ;1\r\n"Grace, H.";2\r\n'.encode())
    assert read_roster(path) == ["Ada", "Grace, H."]


@pytest.mark.parametrize(
    ("text", "said"),
    [
        (b"", "has no learner"),
        (b"name\nAda\n", "roster.csv:2: lacks columns of learner"),
        (b"learner\nAda\n \n", "roster.csv:3: a learner's name has 1 to 80 characters"),
        (b"learner\n" + b"A" * 81, "roster.csv:2: a learner's name"),
        (b"learner\nAda\nada\n", "roster.csv:3: 'ada' is there twice"),
        (b"learner\n\xff\n", "cannot be read"),
        (b'learner\n"Ada', "cannot be read"),
    ],
)
def test_faulty_rosters_are_refused(tmp_path: Path, text: bytes, said: str) -> None:
    path = tmp_path / "roster.csv"
    path.write_bytes(text)
    with pytest.raises(InputError) as caught:
        read_roster(path)
    assert said in str(caught.value)


@cache
def graded_straggler() -> Exercise:
    return replace(load_exercises()["straggler"], kind="graded")


@cache
def bundles() -> list[LearnerBundle]:
    lessons = [
        Lesson(graded_straggler(), "eight-ranks"),
        Lesson(load_exercises()["why-idle"], "dlrm-h100-timed"),
    ]
    runs = {"dlrm-h100-timed": sample_run("dlrm-h100-timed")}
    found, lines = make_bundles(lessons, LearnerGroup(ROSTER, VARIED_SEED), short_scenarios(), runs)
    assert lines == ["the same run for all, as no scenario of theirs varies: why-idle"]
    return found


@pytest.fixture(scope="module")
def released(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("released")
    write_release(bundles(), LearnerGroup(ROSTER, VARIED_SEED, "a-course"), WISH, folder)
    return folder


def rows(path: Path) -> list[dict[str, str]]:
    with path.open(encoding="utf-8", newline="") as file:
        return list(csv.DictReader(file))


@pytest.mark.slow
def test_each_learner_has_a_folder_and_the_roster_says_which(released: Path) -> None:
    assert sorted(each.name for each in (released / "public").iterdir()) == ["01", "02", "03"]
    told = rows(released / "instructor" / "roster.csv")
    assert [(row["learner"], row["variant"], row["exercise"]) for row in told] == [
        (learner, f"{n:02}", exercise)
        for n, learner in enumerate(("Ada", "'=Grace, H.", "Åsa"), 1)
        for exercise in ("straggler", "why-idle")
    ]
    assert len({row["sheet"] for row in told}) == 6
    assert len({row["drawn"] for row in told}) == 4
    page = (released / "public" / "02" / "straggler.html").read_text("utf-8")
    assert told[2]["sheet"] in page
    assert (released / "instructor" / "02" / "straggler-key.html").is_file()


@pytest.mark.slow
def test_what_learners_get_tells_no_key_no_truth_no_draw_and_no_name(released: Path) -> None:
    told = rows(released / "instructor" / "roster.csv")
    files = [path for path in (released / "public").rglob("*") if path.is_file()]
    names = {path.name for path in files}
    assert not names & {TRUTH, "scenario.toml", "roster.csv", "key.json"}
    assert not [name for name in names if "key" in name]
    data = released / "public" / "01" / "data" / "straggler" / "eight-ranks.d"
    assert {path.name for path in data.iterdir()} == {
        "cct.db", "meta.db", "profile.db", "profile.toml", "trace.db",
    }  # fmt: skip
    seeds = [str(order.seed) for each in bundles() for order in each.data.values()]
    drawn = [f"straggler {row['drawn'].split(',')[0].split()[-1]}" for row in told if row["drawn"]]
    explained = [item.explain[:40] for item in graded_straggler().items if "{" not in item.explain]
    secrets = ["Simulated: see", "one GPU is slower", "truth.json", "scenario.toml", "made_from",
               "accept", *seeds, *drawn, *explained, "Ada", "Grace", "Åsa"]  # fmt: skip
    for path in files:
        content = path.read_bytes().replace(SCRIPT.read_bytes(), b"")  # the same on all pages
        for secret in secrets:
            assert secret.encode() not in content, (path, secret)


@pytest.mark.slow
def test_one_file_has_all_keys_and_grades_every_variant(released: Path, tmp_path: Path) -> None:
    keys = read_keys(released / "instructor")
    assert {key["course"] for key in keys.values()} == {"a-course"}
    assert len(keys) == 6
    documents = [answers(key, key["learner"], solved(key)) for key in keys.values()]
    marked = grade_files([hand_in(tmp_path / "in", documents)], released / "instructor",
                         tmp_path / "out", print)  # fmt: skip
    assert len(marked) == 6
    for row in rows(tmp_path / "out" / "totals.csv"):
        assert row["points"] == row["most"]
    assert rows(tmp_path / "out" / "alike.csv") == []


@pytest.mark.slow
def test_answers_of_others_are_hints(released: Path, tmp_path: Path) -> None:
    """Åsa has the numbers of Ada, and hands in a sheet of Grace besides."""
    keys = {(key["learner"], key["exercise"]): key
            for key in read_keys(released / "instructor").values()}  # fmt: skip
    ada, asa = keys["Ada", "straggler"], keys["Åsa", "straggler"]
    factor = solved(ada)["s2-factor"]
    copied = solved(asa) | {"s2-factor": f" {factor} "}
    grace = keys["=Grace, H.", "straggler"]
    documents = [answers(ada, "Ada", solved(ada)), answers(asa, "åsa", copied),
                 answers(grace, "Åsa", solved(grace))]  # fmt: skip
    grade_files([hand_in(tmp_path / "in", documents)], released / "instructor", tmp_path, print)
    assert [tuple(row.values()) for row in rows(tmp_path / "alike.csv")] == [
        ("straggler", "", "", "Åsa", f"sheet {grace['sheet']} was given to =Grace, H."),
        ("straggler", "s2-factor", factor.lower(), "Ada; åsa", "right for 1 of them alone"),
    ]


@pytest.mark.slow
def test_a_category_of_a_learning_platform_for_each_variant(released: Path) -> None:
    quiz = ET.parse(released / "instructor" / "moodle.xml")
    found = [each.text or "" for each in quiz.iterfind("question/category/text")]
    assert len(found) == len(set(found)) == 6
    assert sum(name.endswith("eight-ranks/02") for name in found) == 1
    gift = (released / "instructor" / "quiz.gift").read_text("utf-8")
    assert gift.count("$CATEGORY:") == 6


@pytest.mark.slow
def test_learners_alone_get_no_folder_of_the_instructor(tmp_path: Path) -> None:
    write_release(
        bundles(), LearnerGroup(ROSTER, VARIED_SEED), replace(WISH, audience="learner"), tmp_path
    )
    assert {each.name for each in tmp_path.iterdir()} == {"public", ".perfolio-files.json"}
    with pytest.raises(UsageError, match="straggler is graded"):
        write_release(
            bundles(), LearnerGroup(ROSTER, VARIED_SEED), replace(WISH, audience="self"), tmp_path
        )


def test_the_same_sheet_for_two_learners_has_two_ids() -> None:
    exercise, run = load_exercises()["straggler"], sample_run("eight-ranks")
    sheets = [sheet_of(exercise, run, variant="01", learner=name) for name in ("", "Ada", "Bob")]
    assert len({sheet.id for sheet in sheets}) == 3
    assert len({json.dumps(each.keyed.key) for sheet in sheets for each in sheet.answerable[:1]
                if each.keyed}) == 1  # fmt: skip


def test_lessons_are_those_of_a_course_or_those_named() -> None:
    known, scenarios = load_exercises(), find_scenarios(PROFILES / "eight-ranks")
    course = list_course_lessons("performance-analysis", known, None)
    assert len(course) >= 20
    assert Lesson(known["bottleneck-identification"], "dlrm-h100-timed") in course
    assert choose_lessons(known, (), None, scenarios) == [Lesson(known["straggler"], "eight-ranks")]
    assert not choose_lessons(known, ("straggler",), "mine", scenarios)[0].varied
    with pytest.raises(UsageError, match="there is no course 'none'"):
        list_course_lessons("none", known, None)
    with pytest.raises(UsageError, match="no exercise is of these runs"):
        choose_lessons(known, (), None, {})
    assert read_fixed_runs(PROFILES, [Lesson(known["straggler"], "eight-ranks")]) == {}


def test_a_range_is_told_of_variants_where_there_are_twenty(tmp_path: Path) -> None:
    """From 5 to 95 %: the smallest and the largest of twenty-one are left out."""
    item = {"id": "it", "type": "range", "answer": {"metric": "time.wall"}, "unit": "s"}
    exercise = exercise_of(tmp_path, fenced(item))
    beside = {f"r{n}": run_of({"time.wall": 100.0 + n}, slug=f"r{n}", settings={
        "workload.model": "m"}) for n in range(3)}  # fmt: skip
    varied = tuple(run_of({"time.wall": float(n)}) for n in range(1, 22))
    own = replace(run_of({"time.wall": 5.0}, settings={"workload.model": "m"}), variants=varied)
    assert "21 variants of this run it lies between 2.00 s and 20.00 s" in explained(exercise, own)
    few = replace(own, variants=varied[:19])
    told = explained(exercise, few, runs=beside)
    assert "In 4 runs (r0, r1, r2, made) it lies between 5.00 s and 102.0 s" in told


def explained(exercise: Exercise, run: object, **more: object) -> str:
    (question,) = sheet_of(exercise, run, **more).answerable  # type: ignore[arg-type]
    assert question.keyed
    return str(question.keyed.key["explain"])


@pytest.mark.slow
def test_a_trial_names_variants_that_fail_and_numbers_that_stay() -> None:
    exercise, scenarios = load_exercises()["straggler"], short_scenarios()
    good = try_exercise(exercise, scenarios, {}, 2)
    assert good.problems == ()
    assert good.notes[0].startswith(
        "straggler: 2 variants. Of the numbers that they ask for, 100 % differ"
    )
    same = replace(exercise, vary={"straggler": {"choose": [3]}, "slow": {"choose": [1.3]}})
    stays = try_exercise(same, scenarios, {}, 2)
    (told,) = stays.problems
    assert "of 2 numbers of variants 01 and 02 are the same: " in told
    assert told.endswith("s2-factor")
    faulty = replace(exercise, overlay={"ranks.kernels": {"9": 1.2}})
    with pytest.raises(ContentError, match=r"exercise\.md: overlay on .*scenario\.toml: ranks"):
        try_exercise(faulty, scenarios, {}, 2)


def answers(of: Json, learner: str, items: Json) -> Json:
    return {
        "schema": "perfolio-answers/1", "sheet": of["sheet"], "exercise": of["exercise"],
        "variant": of["variant"], "learner": learner, "saved": "",
        "items": {name: {"given": given} for name, given in items.items()},
    }  # fmt: skip


def hand_in(folder: Path, documents: list[Json]) -> Path:
    folder.mkdir(parents=True)
    for number, document in enumerate(documents):
        (folder / f"{number:03}.json").write_text(json.dumps(document), encoding="utf-8")
    return folder
