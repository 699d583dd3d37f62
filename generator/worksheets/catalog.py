"""All exercises: those that are shipped, and a project's own in `exercises/`, by slug.

A project's own exercise replaces a shipped one of the same slug.
"""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path

from generator.errors import ContentError, UsageError
from generator.worksheets.load import FILE, SHIPPED, load_exercise
from generator.worksheets.model import Exercise

FOLDER = "exercises"


def load_exercises(root: Path | None = None) -> Mapping[str, Exercise]:
    """Exercises by slug, in the order of prerequisites; `root` is a project's folder.

    Raises ContentError for a file that is faulty and for prerequisites that lead in a circle.
    """
    folders = [SHIPPED] + ([root / FOLDER] if root is not None else [])
    found = {
        path.parent.name: load_exercise(path)
        for folder in folders
        for path in sorted(folder.glob(f"*/{FILE}"))
    }
    return {slug: found[slug] for slug in ordered(found)}


def chosen(exercises: Mapping[str, Exercise], slugs: tuple[str, ...]) -> list[Exercise]:
    """The exercises of these slugs, all of them for none. Raises UsageError for an unknown one."""
    for slug in slugs:
        if slug not in exercises:
            raise UsageError(f"there is no exercise {slug!r}", hint=f"{', '.join(exercises)}")
    return [exercises[slug] for slug in slugs] if slugs else list(exercises.values())


def runs_named(exercise: Exercise) -> set[str]:
    """The runs that an exercise is made of: its own, the one before, those of its ranges."""
    beside = (getattr(item.own, "runs", ()) for item in exercise.items)
    return {exercise.run, exercise.before, *(slug for slugs in beside for slug in slugs)} - {""}


def ordered(exercises: Mapping[str, Exercise]) -> list[str]:
    """Slugs so that each stands behind its prerequisites, else by name."""
    done: list[str] = []
    for slug in sorted(exercises):
        _place(slug, exercises, done, ())
    return done


def _place(
    slug: str, exercises: Mapping[str, Exercise], done: list[str], way: tuple[str, ...]
) -> None:
    if slug in way:
        circle = " after ".join((*way[way.index(slug) :], slug))
        raise ContentError(f"{exercises[slug].path}: prerequisites in a circle: {circle}")
    if slug in done:
        return
    for before in exercises[slug].prerequisites:
        if before not in exercises:
            raise ContentError(f"{exercises[slug].path}: there is no exercise {before}")
        _place(before, exercises, done, (*way, slug))
    done.append(slug)
