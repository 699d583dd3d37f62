"""Courses as pages: one for learners, and one with notes for instructors.

In:  documents of runs, and courses. Out: Markdown by path below the reports' folder.

A course is made where all runs are that it hands out. What an exercise trains and which mistakes it
knows comes from its sheet on that run.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

from perfolio.common.errors import ContentError
from perfolio.exercises.answer_sheet import find_run_before, is_offered, make_sheet
from perfolio.exercises.catalog import load_exercises
from perfolio.exercises.course_file import (
    Course,
    PlanEntry,
    find_course_problems,
    load_courses,
    plan_course,
    sum_working_minutes,
)
from perfolio.exercises.model import Exercise, Json, Sheet
from perfolio.exercises.run_view import Run
from perfolio.pages.cpu_cost_unit import Record
from perfolio.pages.exercise_pages import make_text_filler
from perfolio.pages.template_environment import render

FOLDER = "courses"


@dataclass(frozen=True)
class CourseLesson:
    """An exercise of a course on its run."""

    exercise: Exercise
    run: Run
    sheet: Sheet | None
    """None where the run cannot answer enough of it, or it is faulty."""

    @property
    def objectives(self) -> list[tuple[str, list[str]]]:
        """Each with the ids of the items that test it."""
        return [
            (words, [item.id for item in self.exercise.items if key in item.tests])
            for key, words in self.exercise.objectives.items()
        ]

    @property
    def mistakes(self) -> list[tuple[str, str]]:
        """Known mistakes by code, with what a learner is told."""
        questions = self.sheet.answerable if self.sheet else ()
        pairs = (
            pair for each in questions if each.keyed for pair in _find_mistakes(each.keyed.key)
        )
        return list(dict.fromkeys(pairs))


def render_courses(
    documents: Sequence[tuple[Record, Record]], project: Path | None = None
) -> dict[str, str]:
    """The pages of every course whose runs are all there, by path: `courses/<course>/index.md`."""
    runs = {run.slug: run for run in (Run(*each) for each in documents)}
    return render_ready_courses(runs, load_exercises(project), load_courses(project))


def render_ready_courses(
    runs: Mapping[str, Run], exercises: Mapping[str, Exercise], courses: Mapping[str, Course]
) -> dict[str, str]:
    """The pages of those of these courses whose runs are all there."""
    pages: dict[str, str] = {}
    for course in courses.values():
        run_names = course.runs_of(exercises)
        if run_names and all(slug in runs for slug in run_names):
            pages |= _render_course(course, exercises, runs)
    return pages


def _render_course(
    course: Course, exercises: Mapping[str, Exercise], runs: Mapping[str, Run]
) -> dict[str, str]:
    entries = plan_course(course, exercises)
    lessons = {
        slug: _make_lesson(exercises[slug], runs[course.run_of(exercises[slug])], runs)
        for slug in course.slugs
        if slug in exercises and course.run_of(exercises[slug]) in runs
    }
    given = {
        "course": course,
        "entries": entries,
        "ends": _find_end_time(entries),
        "working": sum_working_minutes(entries),
        "lessons": lessons,
        "runs": [runs[name] for name in course.runs_of(exercises)],
        "problems": [
            line.removeprefix(f"{course.path}: ")
            for line in find_course_problems(course, exercises)
        ],
    }
    base = f"{FOLDER}/{course.slug}"
    return {
        f"{base}/index.md": render("worksheet/course.md.j2", **given),
        f"{base}/instructors.md": render("worksheet/instructors.md.j2", **given),
    }


def _make_lesson(exercise: Exercise, run: Run, runs: Mapping[str, Run]) -> CourseLesson:
    if exercise.kind != "practice" or not is_offered(exercise, run, runs):
        return CourseLesson(exercise, run, None)
    run = run.after(find_run_before(exercise, runs))
    try:
        return CourseLesson(
            exercise, run, make_sheet(exercise, run, make_text_filler(run), runs=runs)
        )
    except ContentError:  # not asked, or faulty: then its own page, which is not made, says so
        return CourseLesson(exercise, run, None)


def _find_end_time(entries: Sequence[PlanEntry]) -> str:
    last = entries[-1]
    return PlanEntry(last.kind, last.begin + last.minutes, 0.0, last.part).clock


def _find_mistakes(key: object) -> Iterator[tuple[str, str]]:
    """Codes with their feedback, wherever a key has them: of numbers, options, cells."""
    if isinstance(key, dict):
        mistake = _describe_mistake(key)
        if mistake:
            yield mistake
        for value in key.values():
            yield from _find_mistakes(value)
    elif isinstance(key, list):
        for value in key:
            yield from _find_mistakes(value)


def _describe_mistake(entry: Json) -> tuple[str, str] | None:
    """What is said of a mistake: by a number's wrong value, or by an option that is not right."""
    if not entry.get("code") or entry.get("right") is True:
        return None
    words = entry.get("because") or entry.get("says")
    return (str(entry["code"]), str(words)) if words else None
