"""`perfolio worksheet`: exercises."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import Any

import click

from generator.commands.common import project_here, reported, shown_context

FOLDER = "exercises"
_SLUGS = click.argument("slugs", metavar="[SLUG...]", nargs=-1)


@click.group()
def worksheet() -> None:
    """Exercises about a run, whose answers are computed from it.

    Those that are shipped, and those of a project in the current folder, in `exercises/`.

    \b
    Examples:
      perfolio worksheet list
      perfolio worksheet check which-second
    """


@worksheet.command(name="list")
@reported
def list_() -> None:
    """List the exercises: slug, minutes, the run that each is checked on, and title.

    \b
    Example:
      perfolio worksheet list
    """
    from generator.worksheets.catalog import load_exercises

    exercises = load_exercises(_project())
    width = max(map(len, exercises), default=0)
    for slug, one in exercises.items():
        minutes = sum(step.minutes for step in one.steps)
        click.echo(f"{slug:<{width}}  {minutes:3.0f} min  {one.run:<18}  {one.title}")


@worksheet.command()
@_SLUGS
@click.option(
    "--on",
    "subject",
    type=click.Path(path_type=Path),
    metavar="SUBJECT",
    help="Runs to ask: a store, a profile, a findings.json. [default: the project's]",
)
@reported
def check(*, slugs: tuple[str, ...], subject: Path | None) -> None:
    """Check exercises and courses: files, and each answer on the run that the exercise names.

    Of a course: its exercises are there, behind their prerequisites, and so are its runs.

    Without SUBJECT, the run is one of the project in the current folder. Exits with 8 where
    something is wrong, with a line for each problem.

    \b
    Examples:
      perfolio worksheet check
      perfolio worksheet check which-second straggler
      perfolio worksheet check performance-analysis
      perfolio worksheet check my-exercise --on my-run.duckdb
    """
    from generator.errors import ContentError
    from generator.pages.worksheets import problems_of
    from generator.worksheets.catalog import chosen, load_exercises
    from generator.worksheets.course import chosen_courses, course_problems, load_courses
    from generator.worksheets.run import Run

    known = load_exercises(_project())
    courses, others = chosen_courses(load_courses(_project()), slugs)
    exercises = chosen(known, others) if others or not slugs else []
    wanted = {each.run for each in exercises} | {each.before for each in exercises}
    wanted |= {name for each in courses for name in each.runs_of(known)}
    runs = {run.slug: run for run in (Run(*each) for each in _documents(subject, wanted))}
    found = [problem for each in exercises for problem in problems_of(each, runs)]
    there = None if subject else runs
    found += [problem for each in courses for problem in course_problems(each, known, there)]
    for problem in found:
        click.echo(problem, err=True)
    count = len(exercises) + len(courses)
    if found:
        raise ContentError(f"{len(found)} problems in {count} exercises and courses")
    click.echo(f"{count} checked, nothing is wrong")


def _project() -> Path | None:
    """The current folder, where it may hold exercises."""
    here = Path.cwd()
    return here if (here / FOLDER).is_dir() else None


def _documents(
    subject: Path | None, wanted: set[str]
) -> list[tuple[Mapping[str, Any], Mapping[str, Any]]]:
    """The documents of a subject, or of the wanted runs of the project here."""
    from generator.project import documents_of_project
    from generator.subject import documents_at

    with shown_context() as context:
        if subject is not None:
            found = documents_at(subject, None, context)
        else:
            found = documents_of_project(project_here(), wanted, context)
    return [(one.metrics, one.findings) for one in found]
