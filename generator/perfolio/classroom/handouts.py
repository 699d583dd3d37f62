"""Exercises on a run to a folder of handouts: `public/` for learners, `instructor/` with the keys.

In:  documents of runs, exercises, and what is wished. Out: files, written whole or not at all.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from pathlib import Path

from perfolio.common.errors import ContentError, UsageError
from perfolio.exercises.answer_sheet import find_run_before, is_offered, make_sheet
from perfolio.exercises.catalog import Catalog, choose_exercises, load_exercises
from perfolio.exercises.model import Exercise, NotAskedError
from perfolio.exercises.run_view import Run
from perfolio.pages.exercise_pages import make_text_filler
from perfolio.pages.handout_pages import (
    FORMATS,
    HandoutOptions,
    RunSheet,
    make_handout_files,
    write_quizzes,
)
from perfolio.pages.pdf_printing import MissingPdfError, check_printable
from perfolio.pipeline.build_context import Context, RunDocuments
from perfolio.site.file_sync import replace_tree
from perfolio.store.run_lookup import make_run_choice_error


def write_handouts(
    sheets: Sequence[RunSheet], wish: HandoutOptions, folder: Path, context: Context | None = None
) -> list[Path]:
    """The files of sheets in `folder`; returns those that were written or removed.

    Without WeasyPrint, pages are made alone, and a line says so.
    """
    reporting = context or Context()
    wish = drop_unprintable_formats(wish, reporting)
    reporting.progress.start("handouts", len(sheets))
    files = make_handout_files(sheets, wish, lambda: reporting.progress.advance(1))
    files |= write_quizzes([made.sheet for made in sheets], wish)
    reporting.prove(files.items())
    return replace_tree(files, folder)


def make_run_sheets(
    documents: Sequence[RunDocuments],
    slug: str | None,
    slugs: tuple[str, ...],
    *,
    audience: str = "instructor",
    project: Path | None = None,
) -> tuple[list[RunSheet], list[str]]:
    """The sheets of one run, of all exercises that it can answer or of those that are named.

    Returns with them a line for each exercise that the run cannot answer. UsageError where there
    are several runs and none is named, or an exercise that is named cannot be made.
    """
    runs = {run.slug: run for run in (Run(one.metrics, one.findings) for one in documents)}
    run = _choose_run(runs, slug)
    return make_known_sheets(run, runs, load_exercises(project), slugs, audience=audience)


def make_known_sheets(
    run: Run,
    runs: Mapping[str, Run],
    known: Catalog[Exercise],
    slugs: tuple[str, ...],
    *,
    audience: str,
) -> tuple[list[RunSheet], list[str]]:
    """The same of exercises that are known, such as those on a study."""
    made = []
    refused = [] if slugs else [f"not made: {fault}" for fault in known.faults.values()]
    for exercise in choose_exercises(known, slugs):
        if not slugs and _is_hidden(exercise, run, runs, audience):
            continue
        try:
            made.append(_make_run_sheet(exercise, run, runs))
        except ContentError as problem:
            if slugs and not isinstance(problem, NotAskedError):
                raise
            refused.append(f"not made: {problem}")
    if slugs and refused:
        raise UsageError("; ".join(refused))
    if not made:
        raise UsageError(f"{run.slug} can answer no exercise", hint="perfolio worksheet list")
    return made, refused


def _is_hidden(exercise: Exercise, run: Run, runs: Mapping[str, Run], audience: str) -> bool:
    """Whether an exercise that nobody named is not for this run, or not for these readers."""
    graded = exercise.kind == "graded" and audience == "self"
    return graded or not is_offered(exercise, run, runs)


def _make_run_sheet(exercise: Exercise, run: Run, runs: Mapping[str, Run]) -> RunSheet:
    if not is_offered(exercise, run, runs):
        before = f", and {exercise.before} beside it" if exercise.before else ""
        needs = ", ".join(exercise.needs)
        raise NotAskedError(f"{exercise.slug} needs {needs}{before}: {run.slug} lacks some")
    run = run.after(find_run_before(exercise, runs))
    return RunSheet(make_sheet(exercise, run, make_text_filler(run), runs=runs), run)


def _choose_run(runs: Mapping[str, Run], slug: str | None) -> Run:
    matching = [run for run in runs.values() if slug in (None, run.slug)]
    if len(matching) != 1:
        raise make_run_choice_error(list(runs))
    return matching[0]


def drop_unprintable_formats(wish: HandoutOptions, context: Context) -> HandoutOptions:
    """A wish without what cannot be made here. UsageError for an unknown format."""
    unknown = [each for each in wish.formats if each not in FORMATS]
    if unknown:
        raise UsageError(f"unknown format {unknown[0]!r}", hint=f"formats are {', '.join(FORMATS)}")
    if "pdf" not in wish.formats:
        return wish
    try:
        check_printable()
    except MissingPdfError as problem:
        if wish.formats == ("pdf",):
            raise
        context.say(f"pages only: {problem}")
        return replace(wish, formats=tuple(each for each in wish.formats if each != "pdf"))
    return wish
