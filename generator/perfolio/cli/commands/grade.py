"""`perfolio grade`: answers of a class to grades."""

from __future__ import annotations

from functools import partial
from pathlib import Path

import click

from perfolio.cli.command_options import OutputPath, format_count, open_context, report_errors


@click.command()
@click.argument(
    "answers", metavar="ANSWERS...", nargs=-1, required=True, type=click.Path(path_type=Path)
)
@click.option(
    "--key",
    "keys",
    required=True,
    type=click.Path(path_type=Path),
    metavar="DIR",
    help="Folder with keys: instructor/ of the handouts.",
)
@click.option(
    "-o",
    "--output",
    required=True,
    type=OutputPath("tree", file_okay=False),
    metavar="DIR",
    help="Folder for the grades.",
)
@report_errors
def grade(*, answers: tuple[Path, ...], keys: Path, output: Path) -> None:
    """Grade what learners handed in: answers.json of a page, and filled PDFs.

    ANSWERS are files, or folders of them: one file per learner and sheet. Writes grades.csv,
    totals.csv, items.csv, rubric.csv, class.md, and a page per learner in feedback/.

    Open questions wait in rubric.csv: type points into its last column, and run the same command
    again. Where a file cannot be graded, a line says why, and nothing is written.

    \b
    Examples:
      perfolio grade answers/ --key handouts/instructor -o grades
      perfolio grade ada.json grace.pdf --key handouts/instructor -o grades
    """
    from perfolio.classroom.grading import grade_files

    with open_context() as context:
        marked = grade_files(answers, keys, output, partial(click.echo, err=True), context)
    sheets, learners = format_count(len(marked), "sheet"), len({one.learner for one in marked})
    waiting = sum(each.code == "by-hand" for one in marked for each in one.graded.values())
    to_grade = (
        f", {format_count(waiting, 'answer')} to grade in {output / 'rubric.csv'}"
        if waiting
        else ""
    )
    click.echo(f"{output}: {sheets} of {format_count(learners, 'learner')}{to_grade}")
