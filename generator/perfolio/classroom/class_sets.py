"""Exercises for a class: a folder per learner, with runs of their own where an exercise varies.

In:  exercises with the runs that they ask about, scenarios, documents of other runs, learners.
Out: files by path: `public/01/` with sheets and databases, and `instructor/` with the roster and
     all keys. They are written whole or not at all.
"""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path

from perfolio.classroom.handouts import drop_unprintable_formats
from perfolio.classroom.variants import (
    Scenarios,
    SimulationOrder,
    Variant,
    make_database_files,
    make_variants,
    name_variants,
)
from perfolio.common.csv_files import format_csv, read_csv_rows
from perfolio.common.errors import InputError
from perfolio.exercises.answer_sheet import find_run_before, is_offered, make_sheet
from perfolio.exercises.items.range import VARIANTS
from perfolio.exercises.key_documents import make_key_document, make_keys_document
from perfolio.exercises.model import Exercise, NotAskedError
from perfolio.exercises.run_view import Run
from perfolio.exercises.submissions import KEY_END, KEYS_FILE
from perfolio.pages.exercise_pages import make_text_filler
from perfolio.pages.handout_pages import (
    INSTRUCTOR,
    PUBLIC,
    HandoutOptions,
    RunSheet,
    make_handout_files,
    write_quizzes,
)
from perfolio.pipeline.build_context import Context
from perfolio.site.file_sync import replace_tree

ROSTER = "roster.csv"
DATA = "data"
_COLUMNS = ("learner", "variant", "exercise", "run", "sheet", "drawn")
_LONGEST = 80
"""Characters of a name, as when answers are graded."""


@dataclass(frozen=True)
class Lesson:
    """An exercise, and the run that it asks about."""

    exercise: Exercise
    run: str

    @property
    def varied(self) -> bool:
        """Whether each learner gets a run of their own: an overlay is of one scenario alone."""
        return bool(self.exercise.vary) and self.run == self.exercise.run


@dataclass(frozen=True)
class LearnerGroup:
    """Who gets sheets, drawn from which seed, and in which course."""

    learners: Sequence[str]
    """Empty names where there is no roster."""
    seed: int = 1
    course: str = ""


@dataclass
class LearnerBundle:
    """What one learner gets."""

    name: str
    """`01`: of the folder, which does not tell the learner."""
    learner: str
    sheets: list[RunSheet] = field(default_factory=list)
    data: dict[str, SimulationOrder] = field(default_factory=dict)
    """Databases by path."""
    drawn: dict[str, str] = field(default_factory=dict)
    """What was drawn, by exercise."""


def read_roster(path: Path) -> list[str]:
    """The learners of a CSV file with a column `learner`. Raises InputError."""
    learners: dict[str, str] = {}
    for number, row in enumerate(read_csv_rows(path, ("learner",)), 2):
        learner = " ".join(row["learner"].split())
        if not 0 < len(learner) <= _LONGEST:
            raise InputError(f"{path}:{number}: a learner's name has 1 to {_LONGEST} characters")
        if learner.casefold() in learners:
            raise InputError(f"{path}:{number}: {learner!r} is there twice")
        learners[learner.casefold()] = learner
    if not learners:
        raise InputError(f"{path}: has no learner", hint="a column learner, and a row for each")
    return list(learners.values())


def make_bundles(
    lessons: Sequence[Lesson],
    group: LearnerGroup,
    scenarios: Scenarios,
    runs: Mapping[str, Run],
    context: Context | None = None,
) -> tuple[list[LearnerBundle], list[str]]:
    """What each learner gets, and a line for what is made otherwise than one may expect.

    `runs` are those that do not vary, by slug.
    """
    bundles = [
        LearnerBundle(name, learner)
        for name, learner in zip(name_variants(len(group.learners)), group.learners, strict=True)
    ]
    same: list[str] = []
    lines: list[str] = []
    for lesson in lessons:
        try:
            if lesson.varied:
                variants = _make_variants(lesson.exercise, scenarios, group, context)
                _add_varied(bundles, lesson, variants, runs)
            else:
                _add_same(bundles, lesson, runs)
                same.append(lesson.exercise.slug)
        except NotAskedError as gap:
            lines.append(f"not made: {gap}")
    if same:
        lines.append(f"the same run for all, as no scenario of theirs varies: {', '.join(same)}")
    return bundles, lines


def make_lesson_sheet(
    lesson: Lesson, runs: Mapping[str, Run], variant: str, learner: str = ""
) -> RunSheet:
    """The sheet of a variant. NotAskedError where its run cannot answer it."""
    exercise, run = lesson.exercise, runs[lesson.run]
    if not is_offered(exercise, run, runs):
        raise NotAskedError(f"{exercise.slug}: {run.slug} has not all that it needs")
    run = run.after(find_run_before(exercise, runs))
    say = make_text_filler(run)
    return RunSheet(
        make_sheet(exercise, run, say, runs=runs, variant=variant, learner=learner), run
    )


def list_variant_runs(lesson: Lesson, variants: Sequence[Variant]) -> list[dict[str, Run]]:
    """The runs of each variant by slug; its own one knows those of all others."""
    runs = [
        {each.slug: Run(each.metrics, each.findings) for each in one.documents} for one in variants
    ]
    spread = tuple(each[lesson.run] for each in runs)
    return [each | {lesson.run: replace(each[lesson.run], variants=spread)} for each in runs]


def write_release(
    bundles: Sequence[LearnerBundle],
    group: LearnerGroup,
    wish: HandoutOptions,
    folder: Path,
    context: Context | None = None,
) -> list[Path]:
    """The files of all learners in `folder`; returns those that were written or removed."""
    reporting = context or Context()
    wish = drop_unprintable_formats(wish, reporting)
    reporting.progress.start("handouts", sum(len(each.sheets) + len(each.data) for each in bundles))
    files: dict[str, str | bytes] = {}
    for bundle in bundles:
        files |= dict(_make_learner_files(bundle, wish, reporting))
    if wish.audience == "instructor":
        files |= _make_instructor_files(bundles, group, wish)
    reporting.prove(files.items(), group.learners)
    return replace_tree(files, folder)


def _make_variants(
    exercise: Exercise, scenarios: Scenarios, group: LearnerGroup, context: Context | None
) -> list[Variant]:
    """A variant for each learner, and for a range as many as it takes."""
    ranged = any(item.type == "range" for item in exercise.items)
    count = max(len(group.learners), VARIANTS if ranged else 0)
    return make_variants(exercise, scenarios, count, seed=group.seed, context=context)


def _add_varied(
    bundles: Sequence[LearnerBundle],
    lesson: Lesson,
    variants: Sequence[Variant],
    runs: Mapping[str, Run],
) -> None:
    own = list_variant_runs(lesson, variants)
    for bundle, variant, of_variant in zip(bundles, variants, own, strict=False):
        bundle.sheets.append(
            make_lesson_sheet(lesson, {**runs, **of_variant}, bundle.name, bundle.learner)
        )
        bundle.drawn[lesson.exercise.slug] = variant.drawn_words
        for order in variant.orders:
            bundle.data[f"{DATA}/{lesson.exercise.slug}/{order.run}.d"] = order


def _add_same(bundles: Sequence[LearnerBundle], lesson: Lesson, runs: Mapping[str, Run]) -> None:
    if lesson.run not in runs:
        raise NotAskedError(f"{lesson.exercise.slug}: there is no run {lesson.run}")
    for bundle in bundles:
        bundle.sheets.append(make_lesson_sheet(lesson, runs, bundle.name, bundle.learner))


def _make_learner_files(
    bundle: LearnerBundle, wish: HandoutOptions, context: Context
) -> Iterator[tuple[str, str | bytes]]:
    """The files of one learner: all keys lie in one file, beside those of the others."""
    made = make_handout_files(
        bundle.sheets, wish, lambda: context.progress.advance(1), data=list(bundle.data)
    )
    for path, content in made.items():
        root, _, name = path.partition("/")
        if not name.endswith(KEY_END):
            yield f"{root}/{bundle.name}/{name}", content
    for path, order in bundle.data.items():
        for name, content in make_database_files(order).items():
            yield f"{PUBLIC}/{bundle.name}/{path}/{name}", content
        context.progress.advance(1)


def _make_instructor_files(
    bundles: Sequence[LearnerBundle], group: LearnerGroup, wish: HandoutOptions
) -> dict[str, str | bytes]:
    sheets = [made.sheet for bundle in bundles for made in bundle.sheets]
    keys = make_keys_document([make_key_document(sheet, group.course) for sheet in sheets])
    text = json.dumps(keys, indent=1, ensure_ascii=False, allow_nan=False)
    rows = [row for bundle in bundles for row in _list_roster_rows(bundle)]
    return {
        f"{INSTRUCTOR}/{KEYS_FILE}": f"{text}\n",
        f"{INSTRUCTOR}/{ROSTER}": format_csv(_COLUMNS, rows),
        **write_quizzes(sheets, wish),
    }


def _list_roster_rows(bundle: LearnerBundle) -> Iterator[dict[str, str]]:
    for made in bundle.sheets:
        slug = made.sheet.exercise.slug
        yield {
            "learner": bundle.learner, "variant": bundle.name, "exercise": slug,
            "run": made.run.slug, "sheet": made.sheet.id, "drawn": bundle.drawn.get(slug, ""),
        }  # fmt: skip
