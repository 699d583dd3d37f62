"""`perfolio worksheet`: exercises."""

from __future__ import annotations

import shlex
from collections.abc import Mapping
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from perfolio.cli.command_options import (
    OUTPUT_OPTION,
    SUBJECT,
    find_exercises_here,
    find_project_here,
    open_context,
    print_or_write,
    report_errors,
)
from perfolio.cli.commands.worksheet.build import build
from perfolio.cli.share_options import add_share_options

if TYPE_CHECKING:  # what a command does not need is imported when it runs
    from perfolio.exercises.model import Exercise
    from perfolio.exercises.run_view import Run
    from perfolio.pipeline.build_context import Context
    from perfolio.pipeline.run_redaction import ShareRequest

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


worksheet.add_command(build)


@worksheet.command(name="list")
@report_errors
def list_() -> None:
    """List the exercises: slug, minutes, the run that each is checked on, and title.

    Exits with 8 where one cannot be read, with a line for each.

    \b
    Example:
      perfolio worksheet list
    """
    from perfolio.common.errors import ContentError
    from perfolio.exercises.catalog import load_exercises

    exercises = load_exercises(find_exercises_here())
    width = max(map(len, exercises), default=0)
    for slug, one in exercises.items():
        minutes = sum(step.minutes for step in one.steps)
        click.echo(f"{slug:<{width}}  {minutes:3.0f} min  {one.run:<18}  {one.title}")
    if faults := [str(each) for each in exercises.faults.values()]:
        for line in faults[:-1]:
            click.echo(line, err=True)
        raise ContentError(faults[-1])


@worksheet.command()
@_SLUGS
@click.option(
    "--on",
    "subject",
    type=click.Path(path_type=Path),
    metavar="SUBJECT",
    help="Runs to ask: profiles, scenarios, a store, exported runs, a findings.json. "
    "[default: the project's]",
)
@click.option(
    "--variants",
    type=click.IntRange(2, 1_000),
    metavar="N",
    help="Also make so many variants of each exercise that varies, and compare them.",
)
@report_errors
def check(*, slugs: tuple[str, ...], subject: Path | None, variants: int | None) -> None:
    """Check exercises and courses: files, and each answer on the run that the exercise names.

    Of a course: its exercises are there, behind their prerequisites, and so are its runs.

    Without SUBJECT, the run is one of the project in the current folder. Exits with 8 where
    something is wrong, with a line for each problem.

    With --variants, each variant must be asked everything, and of the numbers of two neighbours
    at most one in five may be the same.

    \b
    Examples:
      perfolio worksheet check
      perfolio worksheet check which-second straggler
      perfolio worksheet check performance-analysis
      perfolio worksheet check my-exercise --on my-run.duckdb
      perfolio worksheet check straggler --variants 20
    """
    from perfolio.common.errors import ContentError

    count, found = _check_exercises(slugs, subject, variants)
    for problem in found:
        click.echo(problem, err=True)
    if found:
        raise ContentError(f"{len(found)} problems in {count} exercises and courses")
    click.echo(f"{count} checked, nothing is wrong")


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
@report_errors
@add_share_options
def export_(
    *,
    subject: Path,
    slugs: tuple[str, ...],
    form: str,
    output: Path | None,
    share: ShareRequest | None,
) -> None:
    """Export exercises on runs to a learning platform, with their keys.

    SUBJECT is a profile, file or folder; a scenario, or a folder with some; a store, or a folder of
    exported runs; or a report's findings.json. Each exercise on each run becomes a category of
    questions. Without SLUG, all exercises that a run can answer.

    \b
    Examples:
      perfolio worksheet export my-run.duckdb --format moodle -o quiz.xml
      perfolio worksheet export my-run.duckdb which-second --format gift -o quiz.gift
    """
    from perfolio.common.errors import UsageError
    from perfolio.exercises.catalog import choose_exercises, load_exercises
    from perfolio.exercises.export.gift import make_gift_file
    from perfolio.exercises.export.moodle import make_moodle_file
    from perfolio.exercises.run_view import Run
    from perfolio.pages.exercise_pages import make_run_sheets

    known, left = load_exercises(find_exercises_here()), list[str]()
    exercises = {one.slug: one for one in choose_exercises(known, slugs)}
    with open_context(share=share) as context:
        documents = _read_documents(subject, set(), context)
    runs = {run.slug: run for run in (Run(*each) for each in documents)}
    say = None if slugs else left.append
    sheets = [
        sheet
        for run in runs.values()
        for sheet in make_run_sheets(run, exercises, runs, graded=True, say=say)[0]
    ]
    if not sheets:
        raise UsageError(f"{subject}: no run of it answers these exercises")
    made = {"moodle": make_moodle_file, "gift": make_gift_file}[form](sheets)
    context.prove([(output.name if output else "standard output", made.text)])
    print_or_write(made.text, output)
    faults = () if slugs else known.faults.values()
    for line in dict.fromkeys([*map(str, faults), *left]):
        click.echo(f"Left out: {line}", err=True)
    if made.left_out:
        names = ", ".join(made.left_out)
        click.echo(f"Left out {len(made.left_out)} of {made.count} questions: {names}", err=True)


def _check_exercises(
    slugs: tuple[str, ...], subject: Path | None, variants: int | None
) -> tuple[int, list[str]]:
    """How many exercises and courses were checked, and what is wrong with them."""
    from perfolio.exercises.catalog import choose_exercises, list_named_runs, load_exercises
    from perfolio.exercises.course_file import choose_courses, find_course_problems, load_courses
    from perfolio.exercises.exercise_lint import find_class_problems
    from perfolio.exercises.run_view import Run
    from perfolio.pages.exercise_pages import find_exercise_problems

    known, all_courses = load_exercises(find_exercises_here()), load_courses(find_exercises_here())
    faults = {**known.faults, **all_courses.faults}
    found = [str(each) for slug, each in faults.items() if slug in slugs or not slugs]
    read = tuple(slug for slug in slugs if slug not in faults)
    courses, others = choose_courses(all_courses, read) if read or not slugs else ([], ())
    exercises = choose_exercises(known, others) if others or not slugs else []
    count = len(exercises) + len(courses) + len(found)
    wanted = {slug for each in exercises for slug in list_named_runs(each)}
    wanted |= {name for each in courses for name in each.runs_of(known)}
    with open_context() as context:
        asked = _read_documents(subject, wanted, context) if exercises or courses else []
    runs = {run.slug: run for run in (Run(*each) for each in asked)}
    for each in exercises:
        found += [*find_exercise_problems(each, runs), *find_faulty_commands(each)]
    found += find_class_problems({each.slug: each for each in exercises})
    there = None if subject else runs
    found += [problem for each in courses for problem in find_course_problems(each, known, there)]
    if variants:
        found += _check_variants(exercises, subject, runs, variants)
    return count, found


def _check_variants(
    exercises: list[Exercise], subject: Path | None, runs: Mapping[str, Run], count: int
) -> list[str]:
    """Prints how far variants lie apart; returns what is wrong with them."""
    from perfolio.classroom.dry_run import try_exercise
    from perfolio.classroom.variants import find_scenarios
    from perfolio.common.errors import UsageError

    scenarios = find_scenarios(subject or find_project_here() / "profiles")
    problems, varied = list[str](), [each for each in exercises if each.vary]
    if not varied:
        raise UsageError("none of these exercises has vary")
    with open_context() as context:
        for exercise in varied:
            found = try_exercise(exercise, scenarios, runs, count, context)
            problems += found.problems
            for line in found.notes:
                click.echo(line)
    return problems


def find_faulty_commands(exercise: Exercise) -> list[str]:
    """The commands that an exercise prints and that nobody could type, each with the reason."""
    return [
        f"{item.where}: {problem}"
        for item in exercise.items
        if item.type == "command" and (problem := _find_misuse(item.own.command))
    ]


def _find_misuse(line: str) -> str:
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


def _read_documents(
    subject: Path | None, wanted: set[str], context: Context
) -> list[tuple[Mapping[str, Any], Mapping[str, Any]]]:
    """The documents of a subject, or of the wanted runs of the project here."""
    from perfolio.classroom.assignments import collect_documents
    from perfolio.classroom.variants import find_scenarios
    from perfolio.pipeline.project import make_project_documents

    if subject is not None:
        named = wanted if wanted & find_scenarios(subject).keys() else None
        found = collect_documents(subject, named, context)
    else:
        found = make_project_documents(find_project_here(), wanted, context)
    return [(one.metrics, one.findings) for one in found]
