"""What is tried of each kind of file: its seeds, and all that Perfolio does with one.

A seed is a file of the project, or what the project made of a sample.
"""

from __future__ import annotations

import json
import shutil
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cache
from pathlib import Path
from random import Random
from typing import Any

import yaml

from perfolio.audit.document import make_claims_document
from perfolio.classroom.class_sets import read_roster
from perfolio.classroom.grading import grade_tree
from perfolio.common.csv_files import format_csv, read_csv_rows
from perfolio.common.errors import PerfolioError
from perfolio.exercises import key_explanation, rubric
from perfolio.exercises.answer_sheet import find_run_before, make_sheet
from perfolio.exercises.catalog import load_exercises
from perfolio.exercises.course_file import find_course_problems, load_course, plan_course
from perfolio.exercises.export.gift import make_gift_file
from perfolio.exercises.export.moodle import make_moodle_file
from perfolio.exercises.grader import grade_sheet
from perfolio.exercises.items import load_item_type
from perfolio.exercises.key_documents import ANSWERS, make_key_document, read_answers
from perfolio.exercises.model import Exercise, Sheet
from perfolio.exercises.paper_form import name_learner_field, parse_field_answers
from perfolio.exercises.run_view import Run
from perfolio.exercises.submissions import GradedSheet, grade_submissions, read_keys
from perfolio.exercises.variation import draw_values, make_overlay
from perfolio.findings.document_format import shorten_document
from perfolio.findings.document_reader import read_document
from perfolio.findings.rules.catalog import load_rules
from perfolio.findings.rules.threshold_overrides import apply_overrides, read_overrides
from perfolio.metrics.document import read_results
from perfolio.pages.course_pages import render_ready_courses
from perfolio.pages.exercise_pages import (
    find_exercise_problems,
    iter_sheet_parts,
    make_text_filler,
    render_run_exercises,
)
from perfolio.pages.handout_pages import HandoutStyle, RunSheet, render_handout
from perfolio.pages.report_rendering import render_pages
from perfolio.pages.report_view import Report
from perfolio.readers.run_description import read_description
from perfolio.simulation.scenario_parser import load as load_scenario
from perfolio.simulation.simulate import write_simulated
from tests.exercises.support import load_item_cases
from tests.handwritten.mutate import Change, in_json, in_yaml
from tests.kit.samples import PROFILES, sample_documents
from tests.kit.shared import ROOT

SAMPLE = "dlrm-h100"
"""The run that is asked."""
SHIPPED = ROOT / "generator" / "perfolio" / "exercises" / "shipped"
DESCRIBED = """title = "A run"
description = "Two epochs"
model_flops_per_iteration = 1.5e12
[workload]
batch_size = 2048
precision = "tf32"
[price]
gpu_hour = 3.5
currency = "EUR"
"""


@dataclass(frozen=True)
class Kind:
    """A kind of file."""

    name: str
    seeds: Callable[[], Sequence[str]]
    attempt: Callable[[str, Path, Random], object]
    """Does with a text what Perfolio does with such a file, in a folder."""
    structured: Change | None = None
    weight: int = 1


@cache
def run() -> Run:
    """The run that exercises ask about."""
    one = sample_documents(SAMPLE)
    return Run(one.metrics, one.findings)


@cache
def sheets() -> tuple[Sheet, ...]:
    """What the shipped exercises make of it."""
    found = []
    for exercise in load_exercises().values():
        try:
            found.append(sheet_of(exercise))
        except PerfolioError:
            continue
    return tuple(found)


def sheet_of(exercise: Exercise) -> Sheet:
    """The sheet of an exercise on the run, whichever it names."""
    runs = {run().slug: run(), exercise.run: run(), exercise.before: run()}
    own = run().after(find_run_before(exercise, runs))
    return make_sheet(exercise, own, make_text_filler(own), runs=runs)


def _write(folder: Path, name: str, text: str) -> Path:
    path = folder / name
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_bytes(text.encode("utf-8", "surrogatepass"))
    return path


def _exercise(text: str, folder: Path, rng: Random) -> None:
    made = load_exercise_at(_write(folder, "exercises/made/exercise.md", text))
    runs = {run().slug: run(), made.run: run()}
    find_exercise_problems(made, runs)
    find_exercise_problems(replace(made, run="any"), {run().slug: run()})
    render_run_exercises(run(), {"made": made}, {run().slug: run()}, lambda _: None)
    if made.vary:
        for draw in draw_values(made, 2, 1):
            make_overlay(made, draw, {"ranks": {"kernels": {"1": 1.0}}})
    _sheet(sheet_of(replace(made, partial=True)), rng)


def load_exercise_at(path: Path) -> Exercise:
    """An exercise as commands read it: what is wrong is raised."""
    root = path.parents[2]
    known = load_exercises(root)
    known.check(("made",))
    return known["made"]


def _sheet(sheet: Sheet, rng: Random) -> None:
    """Everything that is made of a sheet; the right answers are graded, and they are right."""
    render_handout(
        RunSheet(sheet, run()),
        HandoutStyle(key=bool(rng.randrange(2)), fields=bool(rng.randrange(2))),
    )
    list(iter_sheet_parts(sheet, run(), lambda _: ""))
    key = json.loads(json.dumps(make_key_document(sheet), allow_nan=False))
    make_moodle_file([sheet])
    make_gift_file([sheet])
    for item in key["items"].values():
        key_explanation.format_right_answer(item)
        key_explanation.list_instructor_notes(item)
        module = load_item_type(item["type"])
        module.grade(item, {"given": module.solve(item)})


def _course(text: str, folder: Path, _: Random) -> None:
    made = load_course(_write(folder, "exercises/day/course.toml", text))
    known = load_exercises()
    plan_course(made, known)
    find_course_problems(made, known, {SAMPLE})
    named = {slug: replace(each, run=SAMPLE, before="") for slug, each in known.items()}
    render_ready_courses({SAMPLE: run()}, named, {"day": replace(made, runs={})})


def _roster(text: str, folder: Path, _: Random) -> None:
    read_roster(_write(folder, "class.csv", text))


def _rubric(text: str, folder: Path, _: Random) -> None:
    path = _write(folder, "rubric.csv", text)
    scores = rubric.read_scores(read_csv_rows(path, rubric.COLUMNS), str(path))
    rubric.apply_scores(list(_handed_in()), scores, str(path))


@cache
def _keys() -> tuple[dict[str, Any], ...]:
    return tuple(json.loads(json.dumps(make_key_document(sheet))) for sheet in sheets())


def _answers_of(key: Mapping[str, Any]) -> dict[str, Any]:
    """The right answers, and a word where a person grades."""
    items = {}
    for name, item in key["items"].items():
        given = load_item_type(item["type"]).solve(item) or "Because."
        items[name] = {"given": given}
    return {
        "schema": ANSWERS, "sheet": key["sheet"], "exercise": key["exercise"], "variant": "",
        "learner": "Ada", "saved": "2026-01-01T10:00:00Z", "items": items,
    }  # fmt: skip


@cache
def _handed_in() -> tuple[GradedSheet, ...]:
    given = [(key, _answers_of(key)) for key in _keys()]
    return tuple(GradedSheet("Ada", key, each, grade_sheet(key, each)) for key, each in given)


def _answers(text: str, folder: Path, _: Random) -> None:
    path = _write(folder, "ada.json", text)
    read_answers(path)
    marked, problems = grade_submissions([path], {key["sheet"]: key for key in _keys()})
    grade_tree(marked, {})
    _of(problems)


def _key(text: str, folder: Path, _: Random) -> None:
    _write(folder, "keys/a.key.json", text)
    known = read_keys(folder / "keys")
    for key in known.values():
        path = _write(folder, "ada.json", json.dumps(_answers_of(key)))
        marked, problems = grade_submissions([path], known)
        grade_tree(marked, {})
        _of(problems)


def _keys_file(text: str, folder: Path, rng: Random) -> None:
    path = _write(folder, "keys/key.json", text)
    read_keys(path.parent)
    del rng


def _fields(text: str, folder: Path, _: Random) -> None:
    """The fields of a filled PDF: their names and values are anybody's."""
    try:
        fields = json.loads(text)
    except (ValueError, RecursionError):
        return
    if isinstance(fields, dict):
        values = {str(name): str(value) for name, value in fields.items()}
        items = parse_field_answers(values)
        key = _keys()[0]
        document = {**_answers_of(key), "items": items}
        _answers(json.dumps(document), folder, Random(0))


def _of(problems: Sequence[str]) -> None:
    if any("\n" in line for line in problems):
        raise AssertionError(problems)


def _claims(text: str, _: Path, __: Random) -> None:
    results = read_results(run().metrics)
    make_claims_document(text, results, run().findings["findings"])


def _scenario(text: str, folder: Path, rng: Random) -> None:
    for path in PROFILES.glob("*/scenario.toml"):
        place = folder / path.parent.name / path.name
        if not place.exists():
            place.parent.mkdir(parents=True, exist_ok=True)
            shutil.copy(path, place)
    made = load_scenario(_write(folder, "made/scenario.toml", text))
    if rng.randrange(20) == 0:
        shutil.rmtree(folder / "made.d", ignore_errors=True)
        write_simulated(made, folder / "made.d")


def _thresholds(text: str, folder: Path, _: Random) -> None:
    apply_overrides(load_rules(), read_overrides(_write(folder, "perfolio.toml", text)))


def _described(text: str, folder: Path, _: Random) -> None:
    (folder / "x.d").mkdir(parents=True, exist_ok=True)
    _write(folder, "x.d/profile.toml", text)
    read_description(folder / "x.d")


def _findings(text: str, folder: Path, rng: Random) -> None:
    found = read_document(_write(folder, "findings.json", text))
    one = Run(found["metrics"], found)
    if rng.randrange(10) == 0:
        render_pages(Report(found["metrics"], found, {}), ["index"])
        render_run_exercises(one, load_exercises(), {one.slug: one}, lambda _: None)


def _texts(pattern: str, root: Path) -> Callable[[], list[str]]:
    return lambda: [path.read_text("utf-8") for path in sorted(root.glob(pattern))]


def _exercise_seeds() -> list[str]:
    """The shipped ones, and one of each type of items."""
    head = "---\ntitle: T\nobjectives: {a: b}\nsteps: [{id: s1, title: S, minutes: 5}]\n---\n"
    common = {"id": "it", "step": "s1", "tests": ["a"], "ask": "How much?", "explain": "So."}
    cases = []
    for name, case in load_item_cases().items():
        item = {**common, "type": name, **case["item"]}
        cases.append(f"{head}{{{{ run() }}}} took so.\n\n```item\n{yaml.safe_dump(item)}```\n")
    return [*_texts("*/exercise.md", SHIPPED)(), *cases]


def _field_seeds() -> list[str]:
    found = []
    for key in _keys():
        fields = {name_learner_field(key["sheet"]): "Ada"}
        for name, each in _answers_of(key)["items"].items():
            given = each["given"]
            values = [given] if isinstance(given, str) else given
            fields |= {f"{name}_{n}": value for n, value in enumerate(values)}
        found.append(json.dumps(fields, indent=1))
    return found


def _rubric_seeds() -> list[str]:
    return [format_csv(rubric.COLUMNS, rubric.list_rubric_rows(_handed_in(), {}))]


KINDS = (
    Kind("exercise.md", _exercise_seeds, _exercise, in_yaml, weight=8),
    Kind("course.toml", _texts("*/course.toml", SHIPPED), _course, weight=2),
    Kind("roster", lambda: ["learner,group\nAda,1\nGrace,2\n", "\ufefflearner;x\r\nAda;1\r\n"],
         _roster, weight=2),
    Kind("rubric.csv", _rubric_seeds, _rubric, weight=2),
    Kind("answers", lambda: [json.dumps(_answers_of(key), indent=1) for key in _keys()], _answers,
         in_json, weight=4),
    Kind("key", lambda: [json.dumps(key, indent=1) for key in _keys()], _key, in_json, weight=4),
    Kind("key.json", lambda: [json.dumps({"schema": "perfolio-keys/1", "keys": list(_keys()[:2])})],
         _keys_file, in_json),
    Kind("PDF fields", _field_seeds, _fields, in_json, weight=2),
    Kind("claims.toml", _texts("*claims.toml", ROOT / "docs" / "examples"), _claims, weight=3),
    Kind("scenario.toml", _texts("*/scenario.toml", PROFILES), _scenario, weight=4),
    Kind("perfolio.toml", lambda: ["[thresholds]\nC4 = {info = 0.2, high = 0.6}\n"],
         _thresholds),
    Kind("profile.toml", lambda: [DESCRIBED, *_texts("*/profile.toml", PROFILES)()], _described,
         weight=2),
    Kind("findings.json", lambda: [json.dumps(shorten_document(dict(run().findings)), indent=1)],
         _findings, in_json),
)  # fmt: skip
