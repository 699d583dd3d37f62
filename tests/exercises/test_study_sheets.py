"""Exercises on studies: answers are those of the study, and pages show questions without them."""

from __future__ import annotations

import json
import random
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import pytest

from perfolio.common.errors import InputError
from perfolio.comparison.history.series_study import make_study_document
from perfolio.comparison.scaling.scaling_study import make_scaling_document, study_scaling
from perfolio.exercises.exercise_lint import list_exercise_problems
from perfolio.exercises.grader import grade_sheet
from perfolio.exercises.items import load_item_type
from perfolio.exercises.key_documents import find_first_gap, make_key_document
from perfolio.exercises.model import Json, Sheet
from perfolio.exercises.study_view import load_study_exercises, make_study_run, read_study
from perfolio.pages.exercise_pages import make_run_sheets, render_study_exercises
from tests.comparison import test_history, test_scaling
from tests.pages.support import HOSTILE


def make_series(change: float, name: str = "Kernels") -> dict[str, Any]:
    """A series whose time changes from commit 20 on, and a part of it one commit earlier."""
    chance, entries = random.Random(7), []
    for n in range(30):
        figures = {
            "time": (chance.gauss(1.0, 0.005) * (1.0 + change * (n >= 20)), "Time of an iteration"),
            "part.kernel": (chance.gauss(0.6, 0.002) * (1.0 + 2.0 * change * (n >= 19)), name),
            "part.copy": (chance.gauss(0.2, 0.001), "Copies"),
        }
        made = [test_history.figure(v, key, title=title) for key, (v, title) in figures.items()]
        entries.append(test_history.entry(n, *made))
    return make_study_document(test_history.study(entries))


def make_sizes(strong: bool = False) -> dict[str, Any]:
    study = study_scaling(test_scaling.series(strong=strong), "strong" if strong else "weak")
    return make_scaling_document(study)


def make_sheet_of(document: Mapping[str, Any]) -> Sheet:
    ((sheet,), refused) = make_run_sheets(make_study_run(document), load_study_exercises(), {})
    assert refused == []
    assert all(question.keyed for question in sheet.questions)
    assert find_first_gap(make_key_document(sheet)) is None
    return sheet


def list_keys(sheet: Sheet) -> dict[str, Json]:
    return {one.item.id: one.keyed.key for one in sheet.questions if one.keyed}


def name_right(key: Json) -> str:
    letter = load_item_type(key["type"]).solve(key)[0]
    return next(str(one["says"]) for one in key["options"] if one["letter"] == letter)


@pytest.mark.parametrize("strong", [False, True])
def test_answers_on_scaling_are_those_of_the_study(strong: bool) -> None:
    document = make_sizes(strong)
    keys = list_keys(make_sheet_of(document))
    values = {name: key["accept"][0]["value"] for name, key in keys.items() if "accept" in key}
    first, last = document["sizes"][0], document["sizes"][-1]
    ideal = first["levels_ns"]["whole"] / 1e9 / (16 if strong else 1)
    assert values["s1-ideal"] == pytest.approx(ideal)
    assert values["s1-efficiency"] == pytest.approx(last["factors"]["efficiency"])
    assert values["s2-parallel"] == pytest.approx(last["factors"]["parallel"])
    causes = ("load_balance", "serialisation", "transfer", "kernels", "copies", "host")
    kept = {name: last["factors"][name] / first["factors"][name] for name in causes}
    worst = min(kept, key=kept.__getitem__)
    assert name_right(keys["s2-worst"]).lower() == worst.replace("_", " ")
    assert values["s2-without"] == pytest.approx(last["speedup"] / kept[worst])


@pytest.mark.parametrize("change", [0.15, -0.15])
def test_answers_on_a_series_are_those_of_the_study(change: float) -> None:
    document = make_series(change)
    keys = list_keys(make_sheet_of(document))
    told = next(one for one in document["figures"] if one["name"] == "time")["changes"][0]
    assert name_right(keys["s1-commit"]) == "c20"
    assert keys["s1-share"]["accept"][0]["value"] == pytest.approx(abs(told["change"]))
    assert keys["s1-factor"]["accept"][0]["value"] == pytest.approx(told["after"] / told["before"])
    assert name_right(keys["s2-first"]) == "Kernels"


@pytest.mark.parametrize("make", [make_sizes, lambda: make_series(0.15)])
def test_a_sheet_is_sound_and_what_solves_it_gets_all_points(make: Any) -> None:
    sheet = make_sheet_of(make())
    problems = [one for one in list_exercise_problems(sheet.exercise, sheet) if "no use" not in one]
    assert problems == []
    key = make_key_document(sheet)
    given = {
        name: {"given": load_item_type(item["type"]).solve(item)}
        for name, item in key["items"].items()
    }
    graded = grade_sheet(key, {"sheet": key["sheet"], "items": given})
    assert sum(one.points for one in graded.values()) == sheet.points


def test_pages_have_the_questions_and_a_script_the_key() -> None:
    name = f"{HOSTILE[1]} kernels"
    pages = render_study_exercises(make_series(0.15, name))
    assert set(pages) == {
        f"exercises/{one}"
        for one in (
            "index.md",
            "tables.js",
            "since-which-commit.md",
            "since-which-commit.key.js",
        )
    }
    page = pages["exercises/since-which-commit.md"]
    assert 'data-key="since-which-commit.key.js"' in page
    assert HOSTILE[1] not in page
    assert "Of those that moved at one commit" in page
    assert "That is a share of the new level" not in page


def test_a_study_without_a_change_has_no_exercise() -> None:
    document = make_study_document(test_history.study(test_history.drawn(0.0)))
    assert render_study_exercises(document) == {}


@pytest.mark.parametrize(
    "spoil",
    [
        {"sizes": []},
        {"sizes": [{"size": "two"}]},
        {"told": {"figure": "x", "place": 1, "segment": 0, "moved": []}},
        {"figures": 5},
    ],
)
def test_a_damaged_study_is_refused_in_a_line(spoil: dict[str, Any], tmp_path: Path) -> None:
    document = make_sizes() if "sizes" in spoil else make_series(0.15)
    path = tmp_path / "study.json"
    path.write_text(json.dumps(document), "utf-8")
    read = read_study(path)
    assert read is not None
    path.write_text(json.dumps(document | spoil), "utf-8")
    with pytest.raises(InputError, match="is damaged") as raised:
        read_study(path)
    assert "\n" not in str(raised.value)


def test_other_files_are_no_studies(tmp_path: Path) -> None:
    path = tmp_path / "findings.json"
    path.write_text('{"schema": "else"}', "utf-8")
    assert read_study(path) is None
    assert read_study(tmp_path) is None
