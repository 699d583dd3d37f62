"""Which exercises ask about which runs, and where their runs come from.

In:  a course, names of exercises, or a run; a store, profiles, or a folder with scenarios.
Out: `Lesson`s, and documents of runs.
"""

from __future__ import annotations

from collections.abc import Collection, Sequence
from pathlib import Path

from perfolio.classroom.class_sets import Lesson
from perfolio.classroom.variants import (
    Scenarios,
    collect_order_documents,
    find_scenarios,
    make_plain_order,
)
from perfolio.common.errors import InputError, UsageError
from perfolio.exercises.catalog import Catalog, choose_exercises, list_named_runs
from perfolio.exercises.course_file import load_courses
from perfolio.exercises.model import ANY, Exercise
from perfolio.exercises.run_view import Run
from perfolio.pipeline.build_context import Context, RunDocuments
from perfolio.pipeline.inputs import read_documents
from perfolio.readers import registry


def list_course_lessons(
    slug: str, exercises: Catalog[Exercise], project: Path | None
) -> list[Lesson]:
    """The exercises of a course in their order.

    UsageError for an unknown course; what is wrong with it, or with an exercise of it, is raised.
    """
    courses = load_courses(project)
    courses.check((slug,))
    if slug not in courses:
        raise UsageError(f"there is no course {slug!r}", hint=f"{', '.join(courses)}")
    course = courses[slug]
    exercises.check(course.slugs)
    return [
        Lesson(exercises[each], course.run_of(exercises[each]))
        for each in course.slugs
        if each in exercises
    ]


def choose_lessons(
    exercises: Catalog[Exercise], slugs: tuple[str, ...], run: str | None, known: Scenarios
) -> list[Lesson]:
    """Exercises by their names, else those of the runs whose scenarios are there.

    Each asks about `run`, or about its own one where there is none.
    """
    lessons = [
        Lesson(each, run or each.run)
        for each in choose_exercises(exercises, slugs)
        if slugs or each.run == run or (run is None and each.run in known)
    ]
    if not lessons:
        raise UsageError("no exercise is of these runs", hint="name some: --exercise SLUG")
    if unclear := [each.exercise.slug for each in lessons if each.run == ANY]:
        raise UsageError(f"{unclear[0]} is of any run", hint="choose with --run")
    return lessons


def read_fixed_runs(
    subject: Path, lessons: Sequence[Lesson], context: Context | None = None
) -> dict[str, Run]:
    """The runs of lessons that do not vary: those that do have theirs, and ranges of their own."""
    same = [lesson for lesson in lessons if not lesson.varied]
    slugs = {slug for each in same for slug in (*list_named_runs(each.exercise), each.run)}
    documents = collect_documents(subject, slugs - {ANY}, context)
    return {each.slug: Run(each.metrics, each.findings) for each in documents}


def collect_documents(
    subject: Path, slugs: Collection[str] | None, context: Context | None = None
) -> list[RunDocuments]:
    """Documents of the runs of these names (None: of all): of scenarios, simulated, and others."""
    scenarios = find_scenarios(subject) if subject.is_dir() else {}
    orders = [
        make_plain_order(path) for slug, path in scenarios.items() if slugs is None or slug in slugs
    ]
    documents = collect_order_documents(orders, "runs of scenarios", context) if orders else []
    if slugs is not None and not set(slugs) - scenarios.keys():
        return documents
    others = (
        _read_recorded(subject, context) if scenarios else read_documents(subject, None, context)
    )
    chosen = (each for each in others if slugs is None or each.slug in slugs)
    return [*documents, *(each for each in chosen if each.slug not in scenarios)]


def _read_recorded(subject: Path, context: Context | None) -> list[RunDocuments]:
    """Documents of profiles that may lie beside scenarios."""
    try:
        registry.find(subject)
    except InputError:
        return []
    return read_documents(subject, None, context)
