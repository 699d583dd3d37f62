"""exercise.md: what is read, and what is refused with file, item and line."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from perfolio.common.errors import ContentError, InputError, PerfolioError, UsageError
from perfolio.exercises.catalog import choose_exercises, load_exercises, sort_by_prerequisites
from perfolio.exercises.exercise_lint import list_exercise_problems
from perfolio.exercises.loader import load_exercise
from perfolio.exercises.model import Prose
from tests.exercises.support import exercise_of, fenced

WALL = {"id": "wall", "type": "number", "answer": {"metric": "time.wall"}}
BOMB = "---\na0: &a0 [x, x, x, x, x, x, x, x, x, x]\n" + "".join(
    f"a{n}: &a{n} [{', '.join([f'*a{n - 1}'] * 10)}]\n" for n in range(1, 9)
) + "---\n"  # fmt: skip
"""A thousand million values in 400 bytes, by names."""
MERGES = "---\na0: &a0 {x: 1}\n" + "".join(
    f"a{n}: &a{n} {{<<: [{', '.join([f'*a{n - 1}'] * 10)}]}}\n" for n in range(1, 9)
) + "---\n"  # fmt: skip


def test_an_exercise_is_read_whole(tmp_path: Path) -> None:
    made = exercise_of(
        tmp_path,
        f"Before.\n\n{fenced({**WALL, 'points': 3, 'hints': ['Look.']})}\nBehind.\n",
        {"run": "dlrm-h100", "needs": ["time.wall"], "vary": {"slow": {"choose": [1]}}},
    )
    (item,) = made.items
    assert (made.slug, made.title, made.kind, made.run) == ("made", "Made", "practice", "dlrm-h100")
    assert (item.points, item.hints, item.tests, item.step) == (3.0, ("Look.",), ("aim",), "s1")
    assert [part.text for part in made.body if isinstance(part, Prose)] == ["Before.", "Behind."]
    line = made.path.read_text("utf-8").split("```item")[0].count("\n") + 1
    assert item.where == f"{made.path}:{line}: item wall"


@pytest.mark.parametrize(
    ("item", "said"),
    [
        ({**WALL, "type": "essay"}, "item wall: unknown type 'essay'"),
        ({**WALL, "colour": "red"}, "item wall: knows no colour"),
        ({**WALL, "id": "No Id"}, "id must be of"),
        ({**WALL, "id": "a.b"}, "id must be of"),
        ({**WALL, "step": "s9"}, "there is no step s9"),
        ({**WALL, "tests": ["else"]}, "there is no objective else"),
        ({**WALL, "follows": ["later"]}, "follows later, which is not before it"),
        ({**WALL, "points": 0}, "points of type number must be above 0"),
        ({**WALL, "points": "2"}, "points must be a number"),
        ({**WALL, "unit": "furlongs"}, "unknown unit 'furlongs'"),
        ({**WALL, "answer": {"metric": "a.b", "given": 1}}, "one of metric"),
        ({**WALL, "answer": {}}, "one of metric"),
        ({**WALL, "answer": {"sql": "SELECT 1"}}, "one of metric"),
        ({**WALL, "answer": {"expression": "a", "row": 0}}, "knows no row"),
        ({**WALL, "answer": 89.6}, "must be a mapping"),
        ({"id": "x", "type": "choice", "options": [{"says": "a", "right": True}]}, "at least two"),
        ({"id": "x", "type": "bins", "answer": {"given": 1}, "unit": "s", "edges": [2, 1]}, "rise"),
        ({"id": "x", "type": "bins", "answer": {"given": 1}, "unit": "s", "edges": [1],
          "names": ["a", "b"]}, "have a source"),
        ({"id": "x", "type": "open", "rubric": [], "model": "m"}, "needs a rubric"),
        ({"id": "x", "type": "table", "columns": [{"key": "a", "title": "A"}],
          "rows": [{"says": "r", "answers": {}}]}, "cells without a source"),
        ({"id": "x", "type": "checklist", "entries": ["a"], "points": 1}, "are 0"),
    ],
)  # fmt: skip
def test_faulty_items_are_refused_by_name(
    tmp_path: Path, item: Mapping[str, Any], said: str
) -> None:
    with pytest.raises(ContentError) as caught:
        exercise_of(tmp_path, fenced(item))
    text = str(caught.value)
    assert said in text
    assert "exercise.md:10: item" in text
    assert "\n" not in text


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("no front matter", "no front matter"),
        ("---\ntitle: [\n---\n", "exercise.md:3: is no YAML"),
        ("---\ntitle: x\nsteps: []\n---\n", "has no item"),
        ("---\ntitle: x\nsteps: [{id: a, title: A, minutes: 0}]\n---\n", "minutes must be above 0"),
        ("---\ntitle: x\nsteps: []\nsize: 3\n---\n```item\nid: a\n", "without an end"),
        ("---\ntitle: x\nsteps: []\nkind: exam\n---\n", "exercise.md:4: kind must be one of"),
        ("---\ntitle: x\nobjectives:\nsteps: []\n---\n", "exercise.md:3: objectives must be a map"),
        ("---\ntitle: x\nobjectives: [a]\nsteps: []\n---\n", "exercise.md:3: objectives must be"),
        ("---\ntitle: x\nobjectives: {a: 1}\nsteps: []\n---\n", "md:3: objectives: a must be text"),
        ("---\ntitle: x\nvary: 3\nsteps: []\n---\n", "exercise.md:3: vary must be a mapping"),
        ("---\ntitle: x\noverlay: []\nsteps: []\n---\n", "md:3: overlay must be a mapping"),
        ("---\ntitle: x\nsteps: 3\n---\n", "exercise.md:3: steps must be a list"),
        ("---\ntitle: x\nsteps: [{id: a, title: A, minutes: .inf}]\n---\n", "must be a number"),
        ("---\ntitle: x\nsteps: [{id: a, title: A, minutes: 1_000}]\nneeds: a\n---\n", "be a list"),
        ("---\ntitle: 2020-02-31\n---\n", "exercise.md:1: is no YAML: day is out of range"),
        (f"---\ntitle: x\npartial: {'9' * 5_000}\n---\n", "exercise.md:1: is no YAML"),
        (f"---\ntitle: {'[' * 40}{']' * 40}\n---\n", "32 of them within each other"),
        (f"---\ntitle: {'[' * 100_000}\n---\n", "exercise.md:1: more than"),
        (f"---\ntitle: {'[a, {b: ' * 20_000}\n---\n", "exercise.md:1: more than"),
        (f"---\n{'- ' * 90_000}a\n---\n", "exercise.md:1: more than"),
        (f"---\n{'? ' * 90_000}a\n---\n", "exercise.md:1: more than"),
        (MERGES, "exercise.md:3: is no YAML: mappings are not merged here"),
        (BOMB, "more than 20,000 values"),
        ("---\ntitle: x\nsteps: []\n---\n```item\nid: [\n```\n", "exercise.md:7: is no YAML"),
        ("---\ntitle: x\nsteps: []\n---\n```item\n- a\n```\n", "exercise.md:5: item: must be"),
    ],
)
def test_faulty_files_are_refused(tmp_path: Path, text: str, said: str) -> None:
    path = tmp_path / "made" / "exercise.md"
    path.parent.mkdir()
    path.write_text(text, encoding="utf-8")
    with pytest.raises(ContentError, match=said) as caught:
        load_exercise(path)
    assert str(path) in str(caught.value)


def test_what_is_no_text_is_refused(tmp_path: Path) -> None:
    path = tmp_path / "made" / "exercise.md"
    path.parent.mkdir()
    path.write_bytes(b"\xff\xfe")
    with pytest.raises(InputError, match="is not a text in UTF-8"):
        load_exercise(path)
    with pytest.raises(InputError, match="is no regular file"):
        load_exercise(path.parent)


def test_items_stand_in_the_order_of_the_steps_and_once(tmp_path: Path) -> None:
    steps = {"steps": [{"id": "s1", "title": "A", "minutes": 1}, {"id": "s2", "title": "B",
                                                                "minutes": 2}]}  # fmt: skip
    with pytest.raises(ContentError, match="step s1 was over"):
        exercise_of(tmp_path, fenced({**WALL, "step": "s2"}, {**WALL, "id": "other"}), steps)
    with pytest.raises(ContentError, match="a second item of this id"):
        exercise_of(tmp_path, fenced(WALL, WALL), steps)


def test_shipped_exercises_stand_behind_their_prerequisites() -> None:
    found = load_exercises()
    assert len(found) >= 5
    slugs = list(found)
    for slug, exercise in found.items():
        assert all(slugs.index(each) < slugs.index(slug) for each in exercise.prerequisites)
        assert list_exercise_problems(exercise, None) == []
    with pytest.raises(UsageError, match="there is no exercise 'none'"):
        choose_exercises(found, ("none",))


def test_prerequisites_in_a_circle_or_of_nothing_are_faults(tmp_path: Path) -> None:
    for before, problem in (("made", "in a circle: made after made"), ("gone", "no exercise gone")):
        made = exercise_of(tmp_path, fenced(WALL), {"prerequisites": [before]})
        faults: dict[str, PerfolioError] = {}
        assert sort_by_prerequisites(
            {"made": made, "other": replace(made, prerequisites=("made",))}, faults
        ) == ["other"]
        assert list(faults) == ["made"]
        assert problem in str(faults["made"])


def test_a_project_adds_its_own_exercises(tmp_path: Path) -> None:
    exercise_of(tmp_path / "exercises", fenced(WALL))
    assert set(load_exercises(tmp_path)) == {*load_exercises(), "made"}


def test_lint_names_objectives_and_steps_without_items(tmp_path: Path) -> None:
    front = {"objectives": {"aim": "a", "other": "b"},
             "steps": [{"id": "s1", "title": "A", "minutes": 1},
                       {"id": "s2", "title": "B", "minutes": 1}]}  # fmt: skip
    untested = fenced({**WALL, "tests": [], "explain": ""})
    found = list_exercise_problems(exercise_of(tmp_path, untested, front), None)
    assert [line.partition("exercise.md")[2] for line in found] == [
        ": objective aim has no item that tests it",
        ": objective other has no item that tests it",
        ": step s2 has no item",
        ":14: item wall: has points and tests no objective",
        ":14: item wall: has no explanation",
    ]


def test_lint_refuses_markup_in_items(tmp_path: Path) -> None:
    for ask in ("Open *Time*?", "See [it](x.md)?"):
        marked = exercise_of(tmp_path, fenced({**WALL, "ask": ask}))
        assert [
            line for line in list_exercise_problems(marked, None) if "only `code` is marked" in line
        ]
    product = {"answer": {"expression": "2*time.wall*3"}, "ask": "How long is `2 * t`?"}
    assert list_exercise_problems(exercise_of(tmp_path, fenced({**WALL, **product})), None) == []


def test_a_faulty_exercise_takes_the_others_nothing(tmp_path: Path) -> None:
    """It is named, also where its slug is that of a shipped one; who asks for it is told."""
    exercise_of(tmp_path / "exercises", fenced(WALL))
    for slug in ("broken", "straggler"):
        path = tmp_path / "exercises" / slug / "exercise.md"
        path.parent.mkdir()
        path.write_text("---\nobjectives:\n---\n", encoding="utf-8")
    found = load_exercises(tmp_path)
    assert set(found) == {*load_exercises(), "made"} - {"straggler"}
    assert set(found.faults) == {"broken", "straggler"}
    assert len(choose_exercises(found, ())) == len(found)
    with pytest.raises(ContentError, match=r"straggler/exercise\.md"):
        choose_exercises(found, ("straggler",))
