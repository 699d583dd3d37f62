"""Courses: what is read and refused, the clock, prerequisites, and the pages."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from perfolio.common.errors import ContentError, InputError
from perfolio.exercises.catalog import load_exercises
from perfolio.exercises.course_file import (
    Course,
    find_course_problems,
    load_course,
    load_courses,
    plan_course,
    sum_step_minutes,
    sum_working_minutes,
)
from perfolio.pages.course_pages import render_courses
from perfolio.site.file_sync import sync_tree
from perfolio.site.navigation import insert_reports, make_site_nav
from tests.exercises.support import exercise_of, fenced, sample_run
from tests.pages.support import rendered

HEAD = 'title = "T"\naudience = "A"\nabout = "B"\n'
PART = '[[part]]\ntitle = "P"\nlevel = "beginner"\n'
WALL = {"id": "wall", "type": "number", "answer": {"metric": "time.wall"}}
SHIPPED = "performance-analysis"


def course_of(folder: Path, text: str, slug: str = "day") -> Course:
    path = folder / "exercises" / slug / "course.toml"
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(text, encoding="utf-8")
    return load_course(path)


def listed(*slugs: str, more: str = "") -> str:
    return f"{PART}exercises = {list(slugs)}\n{more}"


def test_a_course_is_read_whole(tmp_path: Path) -> None:
    text = HEAD + 'start = "13:30"\nbring = ["X"]\n[runs]\na = "r"\n'
    made = course_of(tmp_path, text + listed("a", "b", more="opening = 5\npause = 10\nteach = 'S'"))
    (part,) = made.parts
    assert (made.slug, made.title, made.start, made.bring) == ("day", "T", 810, ("X",))
    assert (made.runs, made.slugs) == ({"a": "r"}, ("a", "b"))
    assert (part.opening, part.pause, part.teach) == (5, 10, "S")


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("title = ", "is not TOML"),
        (HEAD, "lacks part"),
        (HEAD + PART + "exercises = []", "has no exercise"),
        (HEAD + "size = 3\n" + listed("a"), "knows no size"),
        (HEAD + listed("a", more="minutes = 5"), "part 1: knows no minutes"),
        (HEAD + listed("a").replace("beginner", "easy"), "part 1: level must be one of"),
        (HEAD + listed("a", more="pause = -1"), "minutes of a day"),
        (HEAD + listed("a", more="pause = nan"), "pause must be a number"),
        (HEAD + 'start = "25:00"\n' + listed("a"), "start must be a time"),
        (HEAD + "[runs]\na = 1\n" + listed("a"), "runs: a must be text"),
        (HEAD + "runs = 1\n" + listed("a"), "runs: must be a mapping"),
    ],
)
def test_faulty_courses_are_refused_by_name(tmp_path: Path, text: str, said: str) -> None:
    with pytest.raises((ContentError, InputError)) as caught:
        course_of(tmp_path, text)
    assert said in str(caught.value)
    assert str(tmp_path / "exercises" / "day" / "course.toml") in str(caught.value)
    assert "\n" not in str(caught.value)


def test_the_clock_runs_through_openings_exercises_and_breaks(tmp_path: Path) -> None:
    known = load_exercises()
    first, second = "which-second", "straggler"
    text = HEAD + 'start = "23:50"\n' + listed(first, more="opening = 5\npause = 15\n")
    made = course_of(tmp_path, text + listed(second))
    entries = plan_course(made, known)
    assert [each.kind for each in entries] == ["opening", "exercise", "break", "exercise"]
    assert [each.clock for each in entries] == ["23:50", "23:55", "00:05", "00:20"]
    assert [each.minutes for each in entries] == [5, sum_step_minutes(known[first]), 15, 14]
    assert sum_working_minutes(entries) == 5 + 10 + 14


def test_exercises_that_are_missing_twice_or_too_early_are_named(tmp_path: Path) -> None:
    known = load_exercises()
    late = course_of(tmp_path, HEAD + listed("inclusive-exclusive", "which-second"))
    assert find_course_problems(late, known) == [
        f"{late.path}: inclusive-exclusive needs which-second, which comes later"
    ]
    lone = course_of(tmp_path, HEAD + "[runs]\nb = 'r'\n" + listed("inclusive-exclusive", "a", "a"))
    assert [line.partition(": ")[2] for line in find_course_problems(lone, known, ())] == [
        "names a run for b, which is not in the course",
        "inclusive-exclusive needs which-second, which is not in the course",
        "there is no exercise a",
        "a is there twice",
        "there is no run dlrm-h100 to hand out",
    ]


def test_prerequisites_in_a_circle_are_refused(tmp_path: Path) -> None:
    for slug, before in (("made", "other"), ("other", "made")):
        folder = tmp_path / "exercises" / slug
        made = exercise_of(tmp_path, fenced(WALL), {"prerequisites": [before], "run": "r"})
        folder.mkdir(parents=True)
        made.path.rename(folder / "exercise.md")
    found = load_exercises(tmp_path)
    assert list(found.faults) == ["other"]
    assert "in a circle: made after other after made" in str(found.faults["other"])


def test_an_exercise_of_any_run_needs_one_in_the_course(tmp_path: Path) -> None:
    free = {"made": exercise_of(tmp_path / "free", fenced(WALL))}
    (problem,) = find_course_problems(course_of(tmp_path, HEAD + listed("made")), free)
    assert problem.endswith("made names no run: add it to [runs]")
    named = course_of(tmp_path, HEAD + "[runs]\nmade = 'r'\n" + listed("made"))
    assert find_course_problems(named, free, {"r"}) == []


def test_a_project_adds_and_replaces_courses(tmp_path: Path) -> None:
    course_of(tmp_path, HEAD + listed("which-second"))
    course_of(tmp_path, HEAD + listed("straggler"), SHIPPED)
    found = load_courses(tmp_path)
    assert set(found) == {*load_courses(), "day"}
    assert found[SHIPPED].slugs == ("straggler",)


def test_the_shipped_course_goes_from_beginner_to_advanced_in_order() -> None:
    course, known = load_courses()[SHIPPED], load_exercises()
    levels = ["beginner", "intermediate", "advanced"]
    at = [levels.index(part.level) for part in course.parts]
    assert at == sorted(at)
    assert set(at) == {0, 1, 2}
    assert all(part.teach and part.opening for part in course.parts)
    assert len(course.slugs) >= 20
    assert set(course.slugs) >= set(known)
    absent = [f"{course.path}: there is no exercise {s}" for s in course.slugs if s not in known]
    assert find_course_problems(course, known) == absent


def test_the_shipped_course_takes_six_to_eight_hours() -> None:
    course, known = load_courses()[SHIPPED], load_exercises()
    assert set(course.slugs) == set(known)
    assert 6 * 60 <= sum_working_minutes(plan_course(course, known)) <= 8 * 60


def pages(project: Path, *slugs: str) -> dict[str, str]:
    runs = [sample_run(slug) for slug in slugs]
    return render_courses([(dict(run.metrics), dict(run.findings)) for run in runs], project)


def test_a_course_is_made_where_all_its_runs_are(tmp_path: Path) -> None:
    course_of(tmp_path, HEAD + listed("straggler", more="teach = '*Say* it.'"))
    assert pages(tmp_path, "dlrm-cpu") == {}
    found = pages(tmp_path, "eight-ranks")
    assert set(found) == {"courses/day/index.md", "courses/day/instructors.md"}
    learner, notes = found["courses/day/index.md"], found["courses/day/instructors.md"]
    way = "../../eight-ranks/exercises/straggler.md"
    assert way in learner
    assert way in notes
    assert "| 09:00 | 14 | " in learner
    assert "| 09:14 | | End | |" in learner
    assert "0 h 14 min of work" in learner
    for words in load_exercises()["straggler"].objectives.values():
        assert words in learner
    assert "s1-most, s1-wait, s2-rank, s2-factor" in rendered(learner).text
    assert "*Say* it." in notes
    assert "*Say* it." not in learner
    assert "CPU-seconds may include waiting that spins" in notes
    assert "CPU-seconds may include waiting that spins" not in learner


def test_what_is_missing_stands_in_a_box(tmp_path: Path) -> None:
    course_of(tmp_path, HEAD + listed("straggler", "gone"))
    learner = pages(tmp_path, "eight-ranks")["courses/day/index.md"]
    assert "there is no exercise gone" in learner
    assert "gone: not there" in learner


def test_words_of_a_course_are_no_markup(tmp_path: Path) -> None:
    hostile = "<script>alert(1)</script> | **x** {{ 1 }}"
    text = HEAD.replace('"T"', f"'{hostile}'").replace('"A"', f"'{hostile}'")
    for page in pages(
        course_of(tmp_path, text + listed("straggler")).path.parents[2], "eight-ranks"
    ).values():
        assert "<script" not in page
        assert "script" not in [tag for tag, _ in rendered(page).elements]


def test_courses_stand_behind_the_reports_in_the_navigation(tmp_path: Path) -> None:
    tree = {"courses/a/index.md": "# A\n", "courses/a/instructors.md": "# N\n", "r/findings.md": ""}
    sync_tree(tree, tmp_path / "reports")
    nav = insert_reports([{"Reports": "x.md"}, {"Other": "y.md"}], tmp_path)
    assert [next(iter(item)) for item in nav] == ["Reports", "Course", "Other"]
    base = "reports/courses/a"
    assert nav[1] == {"Course": [f"{base}/index.md", f"{base}/instructors.md"]}
    assert make_site_nav(tmp_path)[-1] == nav[1]


def test_notes_name_the_command_that_makes_the_handouts_of_each_exercise(tmp_path: Path) -> None:
    course_of(tmp_path, HEAD + listed("straggler"))
    notes = pages(tmp_path, "eight-ranks")["courses/day/instructors.md"]
    (block,) = re.findall(r"```console\n(.*?)```", notes, re.DOTALL)
    (line,) = block.splitlines()
    words = "build STORE --run eight-ranks --exercise straggler -o handouts/straggler"
    assert line == f"perfolio worksheet {words}"
