"""`perfolio worksheet` in a folder with an exercise of its own."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from tests.functional.conftest import Run
from tests.kit.samples import PROFILES
from tests.kit.shared import ROOT

WALL = """
```item
id: wall
type: number
step: s1
tests: [wall]
ask: How long did it take?
answer: {metric: time.wall}
explain: So long.
```
"""
FRONT = """---
title: Mine
run: dlrm-cpu
needs: [time.wall]
objectives: {wall: Find the wall time}
steps: [{id: s1, title: First, minutes: 3}]
---
"""


def exercise(folder: Path, text: str) -> None:
    path = folder / "exercises" / "mine" / "exercise.md"
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(text, encoding="utf-8")


def test_list_names_shipped_exercises_and_those_of_the_project(run: Run, tmp_path: Path) -> None:
    exercise(tmp_path, FRONT + WALL)
    listed = run("worksheet", "list")
    assert listed.returncode == 0
    slugs = [line.split()[0] for line in listed.stdout.splitlines()]
    assert {"mine", "straggler", "which-second"} <= set(slugs)


@pytest.mark.slow
def test_a_faulty_exercise_is_named_and_the_others_go_on(
    run: Run, store: Path, tmp_path: Path
) -> None:
    exercise(tmp_path, FRONT + WALL)
    path = tmp_path / "exercises" / "broken" / "exercise.md"
    path.parent.mkdir()
    path.write_text((FRONT + WALL).replace("{wall: Find the wall time}", ""))
    problem = f"{path}:5: objectives must be a mapping"
    listed = run("worksheet", "list")
    assert (listed.returncode, listed.stderr) == (8, f"perfolio: {problem}\n")
    assert {"mine", "straggler"} <= {line.split()[0] for line in listed.stdout.splitlines()}
    checked = run("worksheet", "check", "--on", store)
    assert checked.returncode == 8
    assert problem in checked.stderr.splitlines()
    alone = run("worksheet", "check", "broken", "--on", store)
    assert (alone.returncode, alone.stderr.splitlines()[0]) == (8, problem)
    assert run("worksheet", "check", "mine", "--on", store).returncode == 0
    made = ("worksheet", "build", store, "--format", "html", "-o", "made")
    assert f"not made: {problem}" in run(*made).stdout
    assert (tmp_path / "made" / "public" / "mine.html").is_file()
    asked = run(*made, "--exercise", "broken")
    assert (asked.returncode, asked.stderr.splitlines()[-1]) == (8, f"perfolio: {problem}")
    exported = run("worksheet", "export", store, "--format", "gift", "-o", "quiz.gift")
    assert exported.returncode == 0
    assert f"Left out: {problem}" in exported.stderr


def test_check_passes_what_the_run_can_answer(run: Run, store: Path, tmp_path: Path) -> None:
    exercise(tmp_path, FRONT + WALL)
    checked = run("worksheet", "check", "mine", "--on", store)
    assert (checked.returncode, checked.stdout) == (0, "1 checked, nothing is wrong\n")


def test_check_names_file_item_and_problem(run: Run, store: Path, tmp_path: Path) -> None:
    faults = {
        "time.wall": ("time.mall", 8, "there is no metric time.mall"),
        "number": ("essay", 8, "unknown type 'essay'"),
        "explain: So long.": ("", 8, "has no explanation"),
        "time.wall}": ("compute.mfu}", 8, "of 1 points cannot be asked of dlrm-cpu"),
    }
    for old, (new, code, said) in faults.items():
        exercise(tmp_path, FRONT + WALL.replace(old, new))
        checked = run("worksheet", "check", "mine", "--on", store)
        assert checked.returncode == code, checked.stderr
        assert said in checked.stderr
        assert "mine" in checked.stderr
        assert "Traceback" not in checked.stderr
    assert run("worksheet", "check", "none", "--on", store).returncode == 2


def test_handouts_are_built_and_answers_graded(run: Run, store: Path, tmp_path: Path) -> None:
    exercise(tmp_path, FRONT + WALL)
    made = run("worksheet", "build", store, "--exercise", "mine", "--format", "html", "-o", "made")
    assert (made.returncode, made.stdout) == (0, "made: 1 sheet\n"), made.stderr
    key = json.loads((tmp_path / "made" / "instructor" / "mine.key.json").read_text("utf-8"))
    seconds = key["items"]["wall"]["accept"][0]["value"]
    document = {
        "schema": "perfolio-answers/1", "sheet": key["sheet"], "exercise": "mine", "variant": "",
        "learner": "Ada", "saved": "", "items": {"wall": {"given": f"{1e3 * seconds} ms"}},
    }  # fmt: skip
    answers = tmp_path / "answers"
    answers.mkdir()
    (answers / "ada.json").write_text(json.dumps(document), encoding="utf-8")
    graded = run("grade", answers, "--key", "made/instructor", "-o", "grades")
    assert (graded.returncode, graded.stdout) == (0, "grades: 1 sheet of 1 learner\n")
    assert ",1,1,right," in (tmp_path / "grades" / "grades.csv").read_text("utf-8")
    (answers / "bob.json").write_text("{}", encoding="utf-8")
    refused = run("grade", answers, "--key", "made/instructor", "-o", "other")
    assert refused.returncode == 3
    assert "bob.json" in refused.stderr.splitlines()[0]
    assert not (tmp_path / "other").exists()


@pytest.mark.slow
def test_handouts_are_built_of_a_scenario(run: Run, tmp_path: Path) -> None:
    of = ROOT / "profiles" / "low-occupancy"
    made = run(
        "worksheet", "build", of, "--exercise", "occupancy", "--format", "html", "-o", "made"
    )
    assert (made.returncode, made.stdout) == (0, "made: 1 sheet\n"), made.stderr
    key = json.loads((tmp_path / "made" / "instructor" / "occupancy.key.json").read_text("utf-8"))
    assert key["run"]["slug"] == "low-occupancy"


VARIED = """run: low-occupancy
vary: {time: {uniform: [1, 9], step: 1}}
overlay: {kernels.spmv.time: "{{time}} ms"}
"""


@pytest.mark.slow
def test_a_class_gets_variants_and_a_trial_names_what_is_wrong(run: Run, tmp_path: Path) -> None:
    exercise(tmp_path, FRONT.replace("run: dlrm-cpu\n", VARIED) + WALL)
    roster = tmp_path / "class.csv"
    roster.write_text("learner\nAda\nBob\n", encoding="utf-8")
    told = ("worksheet", "build", PROFILES, "--exercise", "mine", "--format", "html", "-o", "made")
    made = run(*told, "--roster", roster)
    assert (made.returncode, made.stdout) == (0, "made: 2 sheets of 2 variants\n"), made.stderr
    keys = json.loads((tmp_path / "made" / "instructor" / "key.json").read_text("utf-8"))["keys"]
    first, second = (key["items"]["wall"]["accept"][0]["value"] for key in keys)
    assert abs(first - second) > 0.5
    assert "a sheet" not in made.stderr
    tried = run("worksheet", "check", "mine", "--variants", "2", "--on", PROFILES)
    assert tried.returncode == 0, tried.stderr
    assert tried.stdout.startswith(
        "mine: 2 variants. Of the numbers that they ask for, 100 % differ"
    )
    for old, new, said in (
        ("{{time}} ms", "{{tame}} ms", "exercise.md: overlay: vary draws no tame"),
        ("kernels.spmv.time", "kernels.spmv.tame", "unknown"),
        ("[1, 9]", "[9, 1]", "uniform must rise"),
        ("{{time}} ms", "2 ms", "1 of 1 numbers of variants 01 and 02 are the same: wall"),
    ):
        text = (FRONT.replace("run: dlrm-cpu\n", VARIED) + WALL).replace(old, new)
        exercise(tmp_path, text)
        refused = run("worksheet", "check", "mine", "--variants", "2", "--on", PROFILES)
        assert refused.returncode == 8, (new, refused.stderr)
        assert said in refused.stderr
        assert "Traceback" not in refused.stderr


def test_options_that_contradict_each_other_are_refused(run: Run, tmp_path: Path) -> None:
    (tmp_path / "class.csv").write_text("learner\nAda\nAda\n", encoding="utf-8")
    for code, said, words in (
        (2, "exclude each other", ("--roster", "class.csv", "--variants", "3")),
        (2, "--course names", ("--course", "performance-analysis", "--exercise", "straggler")),
        (2, "there is no course", ("--course", "none")),
        (
            3,
            "class.csv:3: 'Ada' is there twice",
            ("--exercise", "straggler", "--roster", "class.csv"),
        ),
    ):
        refused = run("worksheet", "build", PROFILES, *words, "-o", "made")
        assert (refused.returncode, said in refused.stderr) == (code, True), refused.stderr
        assert not (tmp_path / "made").exists()


def test_handouts_of_what_a_run_cannot_answer_are_refused(run: Run, store: Path) -> None:
    for slug, code, said in (("straggler", 2, "lacks"), ("none", 2, "there is no exercise")):
        refused = run("worksheet", "build", store, "--exercise", slug, "-o", "made")
        assert (refused.returncode, "Traceback" in refused.stderr) == (code, False)
        assert said in refused.stderr


def test_check_names_what_is_wrong_with_a_course(run: Run, store: Path, tmp_path: Path) -> None:
    exercise(tmp_path, FRONT + WALL)
    path = tmp_path / "exercises" / "day" / "course.toml"
    path.parent.mkdir()
    head = 'title = "T"\naudience = "A"\nabout = "B"\n'
    part = '[[part]]\ntitle = "P"\nlevel = "beginner"\nexercises = ["mine"]\n'
    path.write_text(head + part, encoding="utf-8")
    checked = run("worksheet", "check", "day", "mine", "--on", store)
    assert (checked.returncode, checked.stdout) == (0, "2 checked, nothing is wrong\n")
    path.write_text(head + part.replace('"mine"', '"mine", "gone"'), encoding="utf-8")
    checked = run("worksheet", "check", "day", "--on", store)
    assert checked.returncode == 8
    assert "course.toml: there is no exercise gone" in checked.stderr
