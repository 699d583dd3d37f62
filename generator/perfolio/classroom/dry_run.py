"""An exercise tried on many variants, before a class gets them.

In:  an exercise with `vary`, scenarios, and the runs that do not vary. Out: `Trial`.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass

from perfolio.classroom.class_sets import Lesson, made_of, runs_of_variants
from perfolio.classroom.variants import Scenarios, variants_of
from perfolio.common.errors import ContentError
from perfolio.exercises.model import Exercise, Sheet
from perfolio.exercises.run_view import Run
from perfolio.exercises.variant_spread import problems_of_variants, spread_of
from perfolio.pipeline.run_documents import Context

FEWEST = 2


@dataclass(frozen=True)
class Trial:
    """What came of an exercise: a line for each thing to know, and for each problem."""

    told: tuple[str, ...]
    problems: tuple[str, ...]


def tried(
    exercise: Exercise,
    scenarios: Scenarios,
    runs: Mapping[str, Run],
    count: int,
    context: Context | None = None,
) -> Trial:
    """`count` variants of an exercise, made and compared."""
    lesson = Lesson(exercise, exercise.run)
    variants = variants_of(exercise, scenarios, count, context=context)
    sheets, problems = list[Sheet](), list[str]()
    for variant, own in zip(variants, runs_of_variants(lesson, variants), strict=True):
        try:
            sheets.append(made_of(lesson, {**runs, **own}, variant.name).sheet)
        except ContentError as problem:
            where = f"{exercise.path}: variant {variant.name} ({variant.told})"
            problems.append(f"{where}: {problem}")
    if len(sheets) < FEWEST:
        return Trial((), tuple(problems))
    return Trial(tuple(_told(exercise, sheets)), (*problems, *problems_of_variants(sheets)))


def _told(exercise: Exercise, sheets: list[Sheet]) -> Iterator[str]:
    found = spread_of(sheets)
    yield (
        f"{exercise.slug}: {found.variants} variants. Of the numbers that they ask for, "
        f"{100.0 * found.mean:.0f} % differ between any two, "
        f"at least {100.0 * found.least:.0f} % between neighbours"
    )
    if found.alike:
        yield f"  mostly the same: {', '.join(found.alike)}"
    for item, letters in found.letters.items():
        counts = ", ".join(f"{letter} {letters[letter]}" for letter in sorted(letters))
        near = found.edges.get(item)
        yield f"  {item}: {counts}{f'; {near} near an edge' if near else ''}"
