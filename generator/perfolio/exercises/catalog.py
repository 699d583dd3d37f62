"""All exercises: those that are shipped, and a project's own in `exercises/`, by slug.

A project's own exercise replaces a shipped one of the same slug. One that cannot be read is named,
and takes the others nothing.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterator, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import TypeVar

from perfolio.common.errors import ContentError, PerfolioError, UsageError
from perfolio.exercises.loader import FILE, SHIPPED, load_exercise
from perfolio.exercises.model import Exercise

FOLDER = "exercises"
_LONGEST_WAY = 200
"""Exercises that come one before the other."""
T = TypeVar("T")


@dataclass(frozen=True)
class Catalog(Mapping[str, T]):
    """What was read of files, by slug, and what is wrong with those that could not be."""

    entries: Mapping[str, T]
    faults: Mapping[str, PerfolioError] = field(default_factory=dict)

    def __getitem__(self, slug: str) -> T:
        return self.entries[slug]

    def __iter__(self) -> Iterator[str]:
        return iter(self.entries)

    def __len__(self) -> int:
        return len(self.entries)

    def check(self, slugs: tuple[str, ...]) -> None:
        """Raise what is wrong with the first of these slugs that could not be read."""
        for slug in slugs:
            if slug in self.faults:
                raise self.faults[slug]


def load_exercises(root: Path | None = None) -> Catalog[Exercise]:
    """Exercises by slug, in the order of prerequisites; `root` is a project's folder.

    At fault are also those whose prerequisites are not there, or lead in a circle.
    """
    read = read_folders(root, FILE, load_exercise)
    faults = dict(read.faults)
    order = sort_by_prerequisites(read, faults)
    return Catalog({slug: read[slug] for slug in order}, faults)


def read_folders(root: Path | None, name: str, load: Callable[[Path], T]) -> Catalog[T]:
    """The files of a name that are shipped, and those of a project, each by its folder."""
    entries: dict[str, T] = {}
    faults: dict[str, PerfolioError] = {}
    for folder in [SHIPPED] + ([root / FOLDER] if root is not None else []):
        for path in sorted(folder.glob(f"*/{name}")):
            slug = path.parent.name
            for known in (entries, faults):
                known.pop(slug, None)
            try:
                entries[slug] = load(path)
            except PerfolioError as problem:
                faults[slug] = problem
    return Catalog(entries, faults)


def choose_exercises(exercises: Catalog[Exercise], slugs: tuple[str, ...]) -> list[Exercise]:
    """The exercises of these slugs, all of them for none.

    Raises UsageError for an unknown one, and what is wrong with one that could not be read.
    """
    exercises.check(slugs)
    for slug in slugs:
        if slug not in exercises:
            raise UsageError(f"there is no exercise {slug!r}", hint=f"{', '.join(exercises)}")
    return [exercises[slug] for slug in slugs] if slugs else list(exercises.values())


def list_named_runs(exercise: Exercise) -> set[str]:
    """The runs that an exercise is made of: its own, the one before, those of its ranges."""
    range_runs = (getattr(item.own, "runs", ()) for item in exercise.items)
    return {exercise.run, exercise.before, *(slug for slugs in range_runs for slug in slugs)} - {""}


def sort_by_prerequisites(
    exercises: Mapping[str, Exercise], faults: dict[str, PerfolioError]
) -> list[str]:
    """Slugs so that each stands behind its prerequisites, else by name.

    Those that cannot are left out, and join `faults`.
    """
    done: list[str] = []
    for slug in sorted(exercises):
        _place_exercise(slug, exercises, faults, done, ())
    return done


def _place_exercise(
    slug: str,
    exercises: Mapping[str, Exercise],
    faults: dict[str, PerfolioError],
    done: list[str],
    way: tuple[str, ...],
) -> None:
    """Put an exercise behind its prerequisites; `way` are those that it is one of."""
    if slug in done or slug in faults:
        return
    way = (*way, slug)
    for before in exercises[slug].prerequisites:
        if problem := _find_order_problem(before, {*exercises, *faults}, way):
            faults[slug] = ContentError(f"{exercises[slug].path}: {problem}")
            return
        _place_exercise(before, exercises, faults, done, way)
    done.append(slug)


def _find_order_problem(before: str, known: Collection[str], way: tuple[str, ...]) -> str:
    """Why a prerequisite cannot come first; nothing where it can."""
    if before in way:
        return f"prerequisites in a circle: {' after '.join((*way[way.index(before) :], before))}"
    if before not in known:
        return f"there is no exercise {before}"
    return f"more than {_LONGEST_WAY} exercises come before it" if len(way) > _LONGEST_WAY else ""
