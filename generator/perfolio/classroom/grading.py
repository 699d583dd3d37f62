"""Answers of a class to grades: tables, a page per learner, a page of the class.

In:  files that learners handed in, a folder with keys, and rubric.csv of an earlier time.
Out: files in a folder, all of them or none. InputError where a file cannot be graded.
"""

from __future__ import annotations

import hashlib
import re
import unicodedata
from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from itertools import groupby
from pathlib import Path

from perfolio.common.csv_files import format_csv, read_csv_rows
from perfolio.common.errors import InputError
from perfolio.exercises import key_explanation, rubric, similarity
from perfolio.exercises.class_statistics import compute_item_statistics
from perfolio.exercises.submissions import GradedSheet, grade_submissions, list_files, read_keys
from perfolio.pages.grade_pages import count_points, render_class, render_feedback
from perfolio.pipeline.build_context import Context
from perfolio.site.file_sync import replace_tree

_GRADES = ("learner", "sheet", "exercise", "item", "given", "points", "most", "code", "cells")
_TOTALS = ("learner", "sheet", "exercise", "points", "most", "waiting")
_ITEMS = ("exercise", "item", "type", "learners", "share", "blank", "waiting", "hints", "rest")


def grade_files(
    paths: Sequence[Path],
    keys: Path,
    folder: Path,
    tell: Callable[[str], None],
    context: Context | None = None,
) -> list[GradedSheet]:
    """Grade files into `folder`; points that a person typed into its rubric.csv are kept.

    Tells a line for each file that cannot be graded, and raises InputError: nothing is written.
    """
    progress = (context or Context()).progress
    known, files = read_keys(keys), list_files(paths)
    progress.start("answers", len(files))
    marked, problems = grade_submissions(files, known, lambda: progress.advance(1))
    for problem in problems:
        tell(problem)
    if problems:
        raise InputError(
            f"{len(problems)} of {len(files)} files cannot be graded, nothing was written"
        )
    where = folder / rubric.FILE
    earlier = read_csv_rows(where, rubric.COLUMNS) if where.is_file() else []
    scores = rubric.read_scores(earlier, str(where))
    done = rubric.apply_scores(marked, scores, str(where))
    replace_tree(grade_tree(done, scores), folder)
    return done


def grade_tree(marked: Sequence[GradedSheet], scores: rubric.Scores) -> dict[str, str | bytes]:
    """All files by path."""
    files: dict[str, str | bytes] = {
        "grades.csv": format_csv(_GRADES, (row for one in marked for row in _list_grade_rows(one))),
        "totals.csv": format_csv(_TOTALS, (_make_total_row(one) for one in marked)),
        "items.csv": format_csv(_ITEMS, _list_item_rows(marked)),
        similarity.FILE: format_csv(
            similarity.COLUMNS, (each.row for each in similarity.find_copy_hints(marked))
        ),
        rubric.FILE: format_csv(rubric.COLUMNS, rubric.list_rubric_rows(marked, scores)),
        "class.md": render_class(marked),
    }
    names = _name_files(sorted({one.learner for one in marked}))
    for learner, sheets in groupby(marked, key=lambda one: one.learner):
        files[f"feedback/{names[learner]}.html"] = render_feedback(learner, list(sheets))
    return files


def _list_grade_rows(one: GradedSheet) -> Iterator[dict[str, str]]:
    for item, graded in one.graded.items():
        yield {
            "learner": one.learner, "sheet": one.sheet, "exercise": one.exercise, "item": item,
            "given": key_explanation.format_given_answer(one.given(item)),
            "points": f"{graded.points:g}", "most": f"{one.key['items'][item]['points']:g}",
            "code": graded.code, "cells": " ".join(graded.parts),
        }  # fmt: skip


def _make_total_row(one: GradedSheet) -> dict[str, str]:
    points, most, waiting = count_points(one)
    return {
        "learner": one.learner, "sheet": one.sheet, "exercise": one.exercise,
        "points": f"{points:g}", "most": f"{most:g}", "waiting": str(waiting),
    }  # fmt: skip


def _list_item_rows(marked: Sequence[GradedSheet]) -> Iterator[dict[str, str]]:
    for one in compute_item_statistics(marked):
        yield {
            "exercise": one.exercise, "item": one.item, "type": one.type, "learners": str(one.n),
            "share": _format_number(one.share), "blank": _format_number(one.blank),
            "waiting": str(one.waiting), "hints": _format_number(one.hints),
            "rest": _format_number(one.rest),
        }  # fmt: skip


def _format_number(value: float | None) -> str:
    return "" if value is None else f"{value:.4g}"


def _name_files(learners: Sequence[str]) -> dict[str, str]:
    """A name of a file for each learner; those that would have the same get a digest."""
    short = {each: _shorten_name(each) for each in learners}
    count = Counter(short.values())
    return {
        each: name if name and count[name] == 1 else f"{name or 'learner'}-{_compute_digest(each)}"
        for each, name in short.items()
    }


def _shorten_name(learner: str) -> str:
    plain_letters = unicodedata.normalize("NFKD", learner).encode("ascii", "ignore").decode()
    return re.sub(r"[^a-z0-9]+", "-", plain_letters.lower()).strip("-")[:60]


def _compute_digest(learner: str) -> str:
    return hashlib.sha256(learner.encode("utf-8", "replace")).hexdigest()[:8]
