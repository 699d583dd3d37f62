"""The pages on exercises and courses: their examples are ones, and their tables are whole."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from perfolio.exercises import course_file, loader
from perfolio.exercises.answer_sheet import make_sheet
from perfolio.exercises.catalog import load_exercises
from perfolio.exercises.course_file import find_course_problems, load_course
from perfolio.exercises.items import list_type_names
from perfolio.exercises.loader import load_exercise
from perfolio.exercises.model import Exercise
from perfolio.exercises.strict_fields import _SOURCES
from perfolio.pages.exercise_pages import find_exercise_problems, make_text_filler
from reference.items import items_page
from tests.exercises.support import sample_run

DOCS = Path(__file__).resolve().parents[2] / "docs"
LINES = 35
"""An author's first exercise fits a screen: thirty lines and a few of front matter."""


def example_of_an_exercise(folder: Path) -> Exercise:
    text = (DOCS / "how-to" / "add-an-exercise.md").read_text("utf-8")
    (example,) = re.findall(r"````markdown\n(.*?)````", text, re.DOTALL)
    path = folder / "exercises" / "what-is-a-sample" / "exercise.md"
    path.parent.mkdir(parents=True)
    path.write_text(example, "utf-8")
    return load_exercise(path)


def test_example_of_an_exercise_is_one(tmp_path: Path) -> None:
    made = example_of_an_exercise(tmp_path)
    run = sample_run(made.run)
    assert load_exercises(tmp_path)["what-is-a-sample"] == made
    assert len(made.path.read_text("utf-8").splitlines()) <= LINES
    assert find_exercise_problems(made, {run.slug: run}) == []
    sheet = make_sheet(made, run, make_text_filler(run))
    assert len(sheet.answerable) == 3
    each = sheet.answerable[1].keyed
    assert each
    threads, seconds = run.value("run.cpu_threads"), run.value("cpu.time")
    assert threads
    assert seconds
    assert each.key["accept"][0]["value"] == pytest.approx(seconds / threads)
    assert [wrong["code"] for wrong in each.key["wrong"]].count("whole") == 1


@pytest.mark.parametrize("page", ["reference/course-toml.md", "tutorial-course.md"])
def test_example_of_a_course_is_one(page: str, tmp_path: Path) -> None:
    (example,) = re.findall(r"```toml\n(.*?)```", (DOCS / page).read_text("utf-8"), re.DOTALL)
    path = tmp_path / "morning" / "course.toml"
    path.parent.mkdir()
    path.write_text(example, "utf-8")
    assert find_course_problems(load_course(path), load_exercises()) == []
    turned = example.replace(
        '["which-second", "inclusive-exclusive"]', '["inclusive-exclusive", "which-second"]'
    )
    assert turned != example
    path.write_text(turned, "utf-8")
    (problem,) = find_course_problems(load_course(path), load_exercises())
    assert "inclusive-exclusive needs which-second" in problem


def test_reference_of_a_course_names_every_entry() -> None:
    text = (DOCS / "reference" / "course-toml.md").read_text("utf-8")
    known = set(_taken(course_file.__file__))
    assert known == {*course_file.ENTRIES, *course_file.OF_PART}
    assert [key for key in sorted(known) if f"| `{key}` |" not in text] == []
    assert [level for level in course_file.LEVELS if f"`{level}`" not in text] == []


def test_reference_of_an_exercise_names_every_key_and_source() -> None:
    text = (DOCS / "reference" / "exercise-md.md").read_text("utf-8")
    known = {*_taken(loader.__file__), *_SOURCES}
    assert {"title", "needs", "steps", "ask", "follows", "metric"} <= known
    rows = set(re.findall(r"^\| `(\w+)` \|", text, re.MULTILINE)) | set(
        re.findall(r"`(\w+)`", text)
    )
    assert sorted(known - rows) == []


@pytest.mark.slow
def test_reference_of_items_has_every_type() -> None:
    page = items_page()
    assert re.findall(r"^## (\w+)$", page, re.MULTILINE) == list(list_type_names())


def _taken(source: str) -> list[str]:
    """The keys that a module takes from its file."""
    text = Path(source).read_text("utf-8")
    return re.findall(
        r"(?:fields|told)\.(?:text|texts|number|any|flag|each|inside|many)\(\"(\w+)\"", text
    )
