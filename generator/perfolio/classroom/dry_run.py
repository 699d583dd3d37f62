"""An exercise tried on many variants, before a class gets them.

In:  an exercise with `vary`, scenarios, and the runs that do not vary. Out: `DryRunResult`.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass

from perfolio.classroom.class_sets import Lesson, list_variant_runs, make_lesson_sheet
from perfolio.classroom.variants import Scenarios, make_variants
from perfolio.common.errors import ContentError
from perfolio.exercises.model import Exercise, Sheet
from perfolio.exercises.run_view import Run
from perfolio.exercises.variant_spread import compute_spread, find_variant_problems
from perfolio.pipeline.build_context import Context

FEWEST = 2


@dataclass(frozen=True)
class DryRunResult:
    """What came of an exercise: a line for each thing to know, and for each problem."""

    notes: tuple[str, ...]
    problems: tuple[str, ...]


def try_exercise(
    exercise: Exercise,
    scenarios: Scenarios,
    runs: Mapping[str, Run],
    count: int,
    context: Context | None = None,
) -> DryRunResult:
    """`count` variants of an exercise, made and compared."""
    lesson = Lesson(exercise, exercise.run)
    variants = make_variants(exercise, scenarios, count, context=context)
    sheets, problems = list[Sheet](), list[str]()
    for variant, own in zip(variants, list_variant_runs(lesson, variants), strict=True):
        try:
            sheets.append(make_lesson_sheet(lesson, {**runs, **own}, variant.name).sheet)
        except ContentError as problem:
            where = f"{exercise.path}: variant {variant.name} ({variant.drawn_words})"
            problems.append(f"{where}: {problem}")
    if len(sheets) < FEWEST:
        return DryRunResult((), tuple(problems))
    return DryRunResult(
        tuple(_describe_spread(exercise, sheets)), (*problems, *find_variant_problems(sheets))
    )


def _describe_spread(exercise: Exercise, sheets: list[Sheet]) -> Iterator[str]:
    spread = compute_spread(sheets)
    yield (
        f"{exercise.slug}: {spread.variants} variants. Of the numbers that they ask for, "
        f"{100.0 * spread.mean:.0f} % differ between any two, "
        f"at least {100.0 * spread.least:.0f} % between neighbours"
    )
    if spread.alike:
        yield f"  mostly the same: {', '.join(spread.alike)}"
    for item, letters in spread.letters.items():
        counts = ", ".join(f"{letter} {letters[letter]}" for letter in sorted(letters))
        near = spread.edges.get(item)
        yield f"  {item}: {counts}{f'; {near} near an edge' if near else ''}"
