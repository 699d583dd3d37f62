"""Exercises on a run as pages: a list, a sheet each, and the key of each beside it as a script.

In:  documents of runs, and exercises. Out: Markdown and scripts by path below the reports' folder.

The key never stands in a page: only practice sheets are made here, and what checks them loads the
script when somebody asks for it.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, replace
from functools import partial
from pathlib import Path
from typing import Any

from perfolio.common.errors import ContentError
from perfolio.exercises.answer_sheet import find_run_before, is_offered, make_sheet
from perfolio.exercises.author_prose import check_shown, split_passages
from perfolio.exercises.catalog import load_exercises
from perfolio.exercises.exercise_lint import list_exercise_problems
from perfolio.exercises.figure_lint import find_figure_problems
from perfolio.exercises.grader import make_grading_tables
from perfolio.exercises.item_context import Say, fill_known_sentences
from perfolio.exercises.items import load_item_type
from perfolio.exercises.key_documents import make_key_document
from perfolio.exercises.model import (
    ANY,
    Exercise,
    ExerciseStep,
    Json,
    NotAskedError,
    Prose,
    Question,
    Sheet,
)
from perfolio.exercises.run_view import Run
from perfolio.exercises.template_functions import bind_functions
from perfolio.exercises.text_expressions import fill_calls
from perfolio.pages import template_filters
from perfolio.pages.cpu_cost_unit import Record
from perfolio.pages.report_view import Report
from perfolio.pages.template_environment import render

FOLDER = "exercises"
_TABLES = "tables.js"
"""What the keys of all sheets have in common."""
_UNREAD = frozenset({"schema", "ask", "objectives", "source", "when"})
"""Parts of a key for which its page has no use."""


@dataclass(frozen=True)
class SheetPart:
    """What stands between two headings: prose, an item, or why it is not asked."""

    step: ExerciseStep | None
    """Set where a step begins."""
    prose: str = ""
    html: str = ""
    question: Question | None = None
    """The item."""


def render_exercises(
    documents: Sequence[tuple[Record, Record]], project: Path | None = None
) -> dict[str, str]:
    """The exercises of every run, by path: `<run>/exercises/<exercise>.md`.

    Those that are shipped, and those in the folder of a project.
    """
    exercises = load_exercises(project)
    runs = {run.slug: run for run in (Run(*each) for each in documents)}
    pages: dict[str, str] = {}
    for run in runs.values():
        pages |= render_run_exercises(run, exercises, runs)
    return pages


def render_run_exercises(
    run: Run,
    exercises: Mapping[str, Exercise],
    runs: Mapping[str, Run],
    say: Callable[[str], None] | None = None,
) -> dict[str, str]:
    """The exercises of one run by the same paths; `runs` are those that they may name.

    With `say`, it is told which are left out for what is wrong with them; else that is raised.
    """
    made = _render_run_pages(run, exercises, runs, say)
    return {f"{run.slug}/{FOLDER}/{name}": text for name, text in made.items()}


def render_study_exercises(document: Record) -> dict[str, str]:
    """The exercises on a study, scaling.json or history.json, by path: `exercises/<exercise>.md`.

    Nothing where it cannot answer them.
    """
    from perfolio.exercises.study_view import load_study_exercises, make_study_run

    made = _render_run_pages(make_study_run(document), load_study_exercises(), {}, None)
    return {f"{FOLDER}/{name}": text for name, text in made.items()}


def make_run_sheets(
    run: Run,
    exercises: Mapping[str, Exercise],
    runs: Mapping[str, Run],
    *,
    graded: bool = False,
    say: Callable[[str], None] | None = None,
) -> tuple[list[Sheet], list[tuple[Exercise, str]]]:
    """The practice sheets of a run, and the exercises whose questions it cannot answer.

    With `graded`, also the sheets of exercises whose key no learner gets. With `say`, it is told
    what is wrong with those that are faulty; else that is raised.
    """
    sheets, refused = [], []
    for exercise in exercises.values():
        if (exercise.kind != "practice" and not graded) or not is_offered(exercise, run, runs):
            continue
        own = run.after(find_run_before(exercise, runs))
        try:
            with _skip_faulty(say):
                sheets.append(make_sheet(exercise, own, make_text_filler(own), runs=runs))
        except NotAskedError as gap:
            refused.append((exercise, gap.reason))
    return sheets, refused


@contextmanager
def _skip_faulty(say: Callable[[str], None] | None) -> Iterator[None]:
    """Say what is wrong with an exercise, and go on without it."""
    try:
        yield
    except NotAskedError:
        raise
    except ContentError as problem:
        if say is None:
            raise
        say(str(problem))


def sort_sheets(sheets: Sequence[Sheet]) -> list[Sheet]:
    """First those made for every run, the most extensive of them before the others."""
    return sorted(sheets, key=_compute_extent)


def _compute_extent(sheet: Sheet) -> float:
    """Its minutes below zero, whatever of them this run can answer; 0 of others."""
    steps = sheet.exercise.steps
    return -sum(step.minutes for step in steps) if sheet.exercise.partial else 0.0


def find_exercise_problems(exercise: Exercise, runs: Mapping[str, Run]) -> list[str]:
    """What is wrong with an exercise, on the run that it names or, for `any`, on each of `runs`."""
    exercise_runs = list(runs.values()) if exercise.run == ANY else [runs.get(exercise.run)]
    problems: dict[str, None] = {}
    for run in exercise_runs or [None]:
        problems |= dict.fromkeys(_check_on_run(exercise, run, runs))
    return list(problems)


def _check_on_run(exercise: Exercise, run: Run | None, runs: Mapping[str, Run]) -> list[str]:
    if run is None:
        missing = [f"{exercise.path}: there is no run {exercise.run} to check it on"]
        return [*list_exercise_problems(exercise, None), *([] if exercise.run == ANY else missing)]
    if not is_offered(exercise, run, runs):
        return [f"{exercise.path}: {run.slug} has not all that it needs"]
    run = run.after(find_run_before(exercise, runs))
    try:
        sheet = make_sheet(exercise, run, make_text_filler(run), runs=runs)
        list(iter_sheet_parts(sheet, run, _draw_item))
    except ContentError as problem:
        return [str(problem)]
    return [*list_exercise_problems(exercise, sheet), *find_figure_problems(exercise, run)]


def make_text_filler(run: Run) -> Say:
    """How texts of exercises are filled in: as plain words."""
    return partial(fill_calls, functions=bind_functions(run))


def _render_run_pages(
    run: Run,
    exercises: Mapping[str, Exercise],
    runs: Mapping[str, Run],
    say: Callable[[str], None] | None,
) -> dict[str, str]:
    sheets, refused = make_run_sheets(run, exercises, runs, say=say)
    bodies: dict[str, list[SheetPart]] = {}
    for sheet in sheets:
        own = run.after(find_run_before(sheet.exercise, runs))
        with _skip_faulty(say):
            bodies[sheet.exercise.slug] = list(iter_sheet_parts(sheet, own, _draw_item))
    sheets = sort_sheets([each for each in sheets if each.exercise.slug in bodies])
    if not sheets:
        return {}
    report = Report(run.metrics, run.findings, charts={})
    pages = {
        "index.md": render("worksheet/index.md.j2", report=report, sheets=sheets, refused=refused),
        _TABLES: f"window.perfolioTables = {_format_literal(make_grading_tables())};\n",
    }
    known = {sheet.exercise.slug: sheet for sheet in sheets}
    for slug, sheet in known.items():
        before = [known[each] for each in sheet.exercise.prerequisites if each in known]
        pages[f"{slug}.md"] = render(
            "worksheet/page.md.j2",
            report=report,
            sheet=sheet,
            before=before,
            parts=bodies[slug],
        )
        pages[f"{slug}.key.js"] = _write_key_script(sheet)
    return pages


def iter_sheet_parts(
    sheet: Sheet, run: Run, draw: Callable[[Question], str]
) -> Iterator[SheetPart]:
    """The body with the headings of steps; prose belongs to the step of the item behind it.

    `draw` gives the HTML of an item that is asked.
    """
    begun: set[str] = set()
    waiting: list[str] = []
    unasked = (replace(step, minutes=0.0) for step in sheet.exercise.steps)
    steps = {step.id: step for step in (*unasked, *sheet.steps)}
    names = {name: _as_markdown(function) for name, function in bind_functions(run).items()}
    for part in sheet.body:
        if isinstance(part, Prose):
            waiting.append(
                _fill_passages(part, sheet.exercise.path, partial(fill_calls, functions=names))
            )
            continue
        step = steps[part.item.step] if part.item.step not in begun else None
        begun.add(part.item.step)
        yield SheetPart(step, prose="\n\n".join(waiting))
        waiting = []
        yield SheetPart(None, html=draw(part) if part.keyed else "", question=part)
    yield SheetPart(None, prose="\n\n".join(waiting))


def _fill_passages(prose: Prose, path: Path, fill: Say) -> str:
    """Prose, of whose paragraphs each goes without what the run lacks."""
    passages, line = [], prose.line
    for each, is_code in split_passages(prose.text):
        try:
            passages.append(each if is_code else fill_known_sentences(each, fill))
        except ContentError as problem:
            raise ContentError(f"{path}:{line}: {problem}") from problem
        line += each.count("\n") + 2
    shown = "\n\n".join(filter(None, passages))
    try:
        check_shown(shown)  # what goes without a sentence is another text
    except ContentError as problem:
        raise ContentError(f"{path}:{prose.line}: {problem}") from problem
    return shown


def _draw_item(question: Question) -> str:
    """An item as a page of a report has it."""
    if question.keyed is None:
        return ""
    return load_item_type(question.item.type).html(question.keyed.shown)


def _as_markdown(function: Callable[..., str]) -> Callable[..., str]:
    """What a function gives, escaped for prose."""
    return lambda *values, **named: template_filters.text(function(*values, **named))


def _write_key_script(sheet: Sheet) -> str:
    """A script that hands over what grading needs: `fetch` does not work on file://."""
    return (
        "window.perfolioKeys = window.perfolioKeys || {};\n"
        f"window.perfolioKeys[{json.dumps(sheet.id)}] = "
        f"{_format_literal(_strip_key(make_key_document(sheet)))};\n"
    )


def _strip_key(key: Any) -> Any:
    """A key without what stands in the page already, or is for those who check the key."""
    if isinstance(key, list):
        return [_strip_key(each) for each in key]
    if isinstance(key, dict):
        return {name: _strip_key(part) for name, part in key.items() if name not in _UNREAD}
    return key


def _format_literal(value: Json) -> str:
    """JSON that a script may hold."""
    text = json.dumps(value, ensure_ascii=False, allow_nan=False, separators=(",", ":"))
    return text.replace("</", "<\\/").replace("\u2028", "\\u2028").replace("\u2029", "\\u2029")
