"""`perfolio worksheet`: exercises."""

from __future__ import annotations

import shlex
from collections.abc import Mapping
from pathlib import Path
from typing import TYPE_CHECKING, Any, cast

import click

from generator.commands.common import (
    OUTPUT_OPTION,
    RUN_OPTION,
    SUBJECT,
    counted,
    exercises_here,
    print_or_write,
    project_here,
    reported,
    shown_context,
)

if TYPE_CHECKING:  # what a command does not need is imported when it runs
    from generator.pages.handouts import Audience
    from generator.worksheets.model import Exercise

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

    exercises = load_exercises(exercises_here())
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
    from generator.worksheets.catalog import chosen, load_exercises, runs_named
    from generator.worksheets.course import chosen_courses, course_problems, load_courses
    from generator.worksheets.lint_words import class_problems
    from generator.worksheets.run import Run

    known = load_exercises(exercises_here())
    courses, others = chosen_courses(load_courses(exercises_here()), slugs)
    exercises = chosen(known, others) if others or not slugs else []
    wanted = {slug for each in exercises for slug in runs_named(each)}
    wanted |= {name for each in courses for name in each.runs_of(known)}
    runs = {run.slug: run for run in (Run(*each) for each in _documents(subject, wanted))}
    found = [
        problem
        for each in exercises
        for problem in (*problems_of(each, runs), *faulty_commands(each))
    ]
    found += class_problems({each.slug: each for each in exercises})
    there = None if subject else runs
    found += [problem for each in courses for problem in course_problems(each, known, there)]
    for problem in found:
        click.echo(problem, err=True)
    count = len(exercises) + len(courses)
    if found:
        raise ContentError(f"{len(found)} problems in {count} exercises and courses")
    click.echo(f"{count} checked, nothing is wrong")


@worksheet.command()
@click.argument("subject", type=click.Path(path_type=Path))
@click.option(
    "--exercise",
    "slugs",
    metavar="SLUG",
    multiple=True,
    help="Only this exercise; may be given several times. [default: all that a run can answer]",
)
@RUN_OPTION
@click.option(
    "-o",
    "--output",
    required=True,
    type=click.Path(path_type=Path, file_okay=False),
    metavar="DIR",
    help="Folder for public/ and instructor/.",
)
@click.option(
    "--audience",
    type=click.Choice(["learner", "instructor", "self"]),
    default="instructor",
    show_default=True,
    help="learner: public/ only. instructor: keys in instructor/ too. self: keys in public/.",
)
@click.option(
    "--paper", type=click.Choice(["a4", "letter"]), default="a4", show_default=True, help="Size."
)
@click.option(
    "--format",
    "formats",
    default="html,pdf",
    show_default=True,
    metavar="LIST",
    help="What to make, with commas between: html, pdf.",
)
@reported
def build(
    *,
    subject: Path,
    slugs: tuple[str, ...],
    slug: str | None,
    output: Path,
    **wished: str,
) -> None:
    """Write exercises on a run as handouts: pages, PDF to print and to fill in, and keys.

    SUBJECT is a store, a profile or a findings.json. `public/` is what learners get; keys are in
    `instructor/`. PDF needs the extra `handouts`; without it, pages with a style for print are
    made alone.

    \b
    Examples:
      perfolio worksheet build profiles/eight-ranks -o handouts
      perfolio worksheet build run.duckdb --exercise which-second --paper letter -o handouts
      perfolio worksheet build run.duckdb --audience learner --format pdf -o handouts
    """
    from generator.handouts import sheets_for, write_handouts
    from generator.pages.handouts import Wish
    from generator.subject import documents_at

    audience = cast("Audience", wished["audience"])
    wish = Wish(audience, wished["paper"], tuple(wished["formats"].split(",")))
    with shown_context(lines=True, verdicts=True) as context:
        documents = documents_at(subject, None, context)
        sheets, refused = sheets_for(
            documents, slug, slugs, audience=audience, project=exercises_here()
        )
        for line in refused:
            context.say(line)
        write_handouts(sheets, wish, output, context)
    click.echo(f"{output}: {counted(len(sheets), 'sheet')}")


@worksheet.command(name="export")
@SUBJECT
@_SLUGS
@click.option(
    "--format",
    "form",
    type=click.Choice(("moodle", "gift")),
    required=True,
    help="Moodle XML holds every item; GIFT numbers, ticks and pairs.",
)
@OUTPUT_OPTION
@reported
def export_(*, subject: Path, slugs: tuple[str, ...], form: str, output: Path | None) -> None:
    """Export exercises on runs to a learning platform, with their keys.

    SUBJECT is a store, a profile or a findings.json. Each exercise on each run becomes a category
    of questions. Without SLUG, all exercises that a run can answer.

    \b
    Examples:
      perfolio worksheet export my-run.duckdb --format moodle -o quiz.xml
      perfolio worksheet export my-run.duckdb which-second --format gift -o quiz.gift
    """
    from generator.errors import UsageError
    from generator.pages.worksheets import sheets_of
    from generator.worksheets.catalog import chosen, load_exercises
    from generator.worksheets.export.gift import gift
    from generator.worksheets.export.moodle import moodle
    from generator.worksheets.run import Run

    exercises = {one.slug: one for one in chosen(load_exercises(exercises_here()), slugs)}
    runs = {run.slug: run for run in (Run(*each) for each in _documents(subject, set()))}
    sheets = [
        sheet for run in runs.values() for sheet in sheets_of(run, exercises, runs, graded=True)[0]
    ]
    if not sheets:
        raise UsageError(f"{subject}: no run of it answers these exercises")
    made = {"moodle": moodle, "gift": gift}[form](sheets)
    print_or_write(made.text, output)
    if made.left_out:
        names = ", ".join(made.left_out)
        click.echo(f"Left out {len(made.left_out)} of {made.count} questions: {names}", err=True)


def faulty_commands(exercise: Exercise) -> list[str]:
    """The commands that an exercise prints and that nobody could type, each with the reason."""
    return [
        f"{item.where}: {problem}"
        for item in exercise.items
        if item.type == "command" and (problem := _misused(item.own.command))
    ]


def _misused(line: str) -> str:
    """What is wrong with a command; nothing where it parses."""
    context = click.get_current_context().find_root()
    command: click.Command = context.command
    try:
        words = shlex.split(line)[1:]
        while isinstance(command, click.Group) and words:
            known = command.get_command(context, words[0])
            if known is None:
                return f"perfolio has no command {words[0]}"
            command, words = known, words[1:]
        context = click.Context(command, parent=context, info_name=command.name)
        given, left, _ = command.make_parser(context).parse_args(words)
    except (click.UsageError, ValueError) as problem:
        return f"{line!r} does not parse: {problem}"
    missing = [
        each.name or ""
        for each in command.params
        if each.required and not isinstance(given.get(each.name or "") or None, str | tuple)
    ]
    return (
        f"{line!r} lacks or has too much: {' '.join([*missing, *left])}" if missing or left else ""
    )


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
