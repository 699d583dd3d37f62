"""`perfolio worksheet build`: exercises as handouts, for one run or for a class."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from perfolio.cli.command_options import (
    RUN_OPTION,
    OutputPath,
    find_exercises_here,
    format_count,
    open_context,
    report_errors,
)
from perfolio.cli.share_options import add_share_options
from perfolio.common.errors import UsageError

if TYPE_CHECKING:  # what a command does not need is imported when it runs
    from perfolio.pages.handout_pages import Audience, HandoutOptions
    from perfolio.pipeline.build_context import Context
    from perfolio.pipeline.run_redaction import ShareRequest

_MOST = 1_000


@dataclass(frozen=True)
class WorksheetRequest:
    """Which exercises of which runs, and for whom."""

    course: str | None
    slugs: tuple[str, ...]
    slug: str | None
    """The run."""
    roster: Path | None
    variants: int | None
    seed: int

    @property
    def of_group(self) -> bool:
        """Whether there is a folder for each learner."""
        return bool(self.roster or self.variants or self.course)

    def check(self) -> None:
        """Raise UsageError for options that contradict each other."""
        if self.roster and self.variants:
            raise UsageError("--roster and --variants exclude each other", hint="give one of them")
        if self.course and (self.slugs or self.slug):
            hint = "leave --exercise and --run out"
            raise UsageError("--course names its exercises and their runs", hint=hint)


@click.command()
@click.argument("subject", type=click.Path(path_type=Path))
@click.option(
    "--exercise",
    "slugs",
    metavar="SLUG",
    multiple=True,
    help="Only this exercise; may be given several times. [default: all that a run can answer]",
)
@click.option("--course", metavar="SLUG", help="The exercises of this course, each on its run.")
@RUN_OPTION
@click.option(
    "-o",
    "--output",
    required=True,
    type=OutputPath("tree", file_okay=False),
    metavar="DIR",
    help="Folder for public/ and instructor/.",
)
@click.option(
    "--roster",
    type=click.Path(path_type=Path, dir_okay=False),
    metavar="CSV",
    help="A sheet for each learner, by column learner.",
)
@click.option(
    "--variants",
    type=click.IntRange(1, _MOST),
    metavar="N",
    help="So many sheets, with nobody's name.",
)
@click.option(
    "--seed",
    type=click.IntRange(0, 2**32 - 1),
    default=1,
    show_default=True,
    help="Draw other variants.",
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
    help="What to make, with commas between: html, pdf, and for instructors moodle, gift.",
)
@report_errors
@add_share_options
def build(
    *,
    subject: Path,
    output: Path,
    audience: Audience,
    paper: str,
    formats: str,
    share: ShareRequest | None,
    **asked: Any,
) -> None:
    """Write exercises on a run as handouts: pages, PDF to print and to fill in, and keys.

    SUBJECT is a profile, file or folder; a scenario, or a folder with some; a store, or a folder of
    exported runs; a report's findings.json; or scaling.json or history.json of a study. `public/`
    is what learners get; keys are in `instructor/`. PDF needs the extra `handouts`; without it,
    pages with a style for print are made alone.

    With --roster or --variants, each learner gets a folder in `public/`. Exercises that vary ask
    about a run that nobody else has: its scenario, in the folder SUBJECT, is simulated with other
    parameters, and its database lies beside the sheet. `instructor/roster.csv` says who has which.

    \b
    Examples:
      perfolio worksheet build my-run.d -o handouts
      perfolio worksheet build run.duckdb --exercise which-second --paper letter -o handouts
      perfolio worksheet build profiles --exercise straggler --roster class.csv -o handouts
      perfolio worksheet build profiles --course performance-analysis --variants 30 -o handouts
    """
    from perfolio.pages.handout_pages import HandoutOptions

    wish, one = (
        HandoutOptions(audience, paper, tuple(formats.split(","))),
        WorksheetRequest(**asked),
    )
    one.check()
    with open_context(lines=True, verdicts=True, share=share) as context:
        write = _build_for_group if one.of_group else _build_for_one
        told = write(subject, one, wish, output, context)
    click.echo(f"{output}: {told}")


def _build_for_one(
    subject: Path, asked: WorksheetRequest, wish: HandoutOptions, output: Path, context: Context
) -> str:
    from perfolio.classroom.assignments import collect_documents
    from perfolio.classroom.handouts import make_known_sheets, make_run_sheets, write_handouts
    from perfolio.exercises.study_view import load_study_exercises, read_study

    if study := read_study(subject):
        sheets, refused = make_known_sheets(
            study, {}, load_study_exercises(), asked.slugs, audience=wish.audience
        )
    else:
        documents, project = collect_documents(subject, None, context), find_exercises_here()
        sheets, refused = make_run_sheets(
            documents, asked.slug, asked.slugs, audience=wish.audience, project=project
        )
    for line in refused:
        context.say(line)
    write_handouts(sheets, wish, output, context)
    return format_count(len(sheets), "sheet")


def _build_for_group(
    subject: Path, asked: WorksheetRequest, wish: HandoutOptions, output: Path, context: Context
) -> str:
    from perfolio.classroom.assignments import choose_lessons, list_course_lessons, read_fixed_runs
    from perfolio.classroom.class_sets import LearnerGroup, make_bundles, read_roster, write_release
    from perfolio.classroom.variants import find_scenarios
    from perfolio.exercises.catalog import load_exercises

    learners = read_roster(asked.roster) if asked.roster else [""] * (asked.variants or 1)
    group = LearnerGroup(learners, asked.seed, asked.course or "")
    known, scenarios = load_exercises(find_exercises_here()), find_scenarios(subject)
    if asked.course:
        lessons = list_course_lessons(asked.course, known, find_exercises_here())
    else:
        lessons = choose_lessons(known, asked.slugs, asked.slug, scenarios)
    runs = read_fixed_runs(subject, lessons, context)
    bundles, lines = make_bundles(lessons, group, scenarios, runs, context)
    if not asked.slugs and not asked.course:
        lines += [f"not made: {fault}" for fault in known.faults.values()]
    for line in lines:
        context.say(line)
    write_release(bundles, group, wish, output, context)
    sheets = format_count(sum(len(each.sheets) for each in bundles), "sheet")
    return f"{sheets} of {format_count(len(bundles), 'variant')}"
