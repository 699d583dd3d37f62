"""course.toml to a `Course`: exercises in their order, with openings, breaks and a running clock.

In:  `exercises/<slug>/course.toml`, shipped or a project's own, and the exercises by slug.
Out: `Course`, its plan (`plan_course`), and what is wrong with it (`find_course_problems`).
     ContentError names the file and the entry.

Minutes of exercises are never typed here: they are the sums of their steps.
"""

from __future__ import annotations

import re
from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Literal

from perfolio.common.errors import ContentError, InputError
from perfolio.common.toml_files import TomlError, read_toml
from perfolio.exercises.author_prose import check_prose
from perfolio.exercises.catalog import Catalog, read_folders
from perfolio.exercises.model import ANY, Exercise
from perfolio.exercises.strict_fields import StrictFields

FILE = "course.toml"
LEVELS = ("beginner", "intermediate", "advanced")
ENTRIES = ("title", "audience", "about", "start", "bring", "runs", "part")
"""Keys of a course."""
OF_PART = ("title", "level", "opening", "teach", "exercises", "pause")
"""Keys of a part."""
_START = re.compile(r"(?P<hours>[01]\d|2[0-3]):(?P<minutes>[0-5]\d)")
_DAY = 24 * 60


@dataclass(frozen=True)
class CoursePart:
    """Exercises that belong together, what opens them, and the break behind them."""

    title: str
    level: str
    opening: float
    """Minutes in which the instructor speaks before the exercises."""
    teach: str
    """Markdown for instructors."""
    exercises: tuple[str, ...]
    pause: float


@dataclass(frozen=True)
class Course:
    """One course.toml."""

    slug: str
    title: str
    audience: str
    about: str
    start: int
    """Minutes after midnight."""
    bring: tuple[str, ...]
    """What learners need beforehand."""
    runs: Mapping[str, str]
    """Runs by exercise, where it is not the one that the exercise names."""
    parts: tuple[CoursePart, ...]
    path: Path

    @property
    def slugs(self) -> tuple[str, ...]:
        """Its exercises in their order."""
        return tuple(slug for part in self.parts for slug in part.exercises)

    def run_of(self, exercise: Exercise) -> str:
        """The run on which learners solve an exercise; `any` where nobody names one."""
        return self.runs.get(exercise.slug, exercise.run)

    def runs_of(self, exercises: Mapping[str, Exercise]) -> list[str]:
        """The runs to hand out, in the order of their use, those before a change too."""
        known = [exercises[slug] for slug in self.slugs if slug in exercises]
        named = [name for each in known for name in (each.before, self.run_of(each))]
        return list(dict.fromkeys(name for name in named if name and name != ANY))


@dataclass(frozen=True)
class PlanEntry:
    """A line of the plan."""

    kind: Literal["opening", "exercise", "missing", "break"]
    begin: float
    """Minutes after midnight."""
    minutes: float
    part: CoursePart
    slug: str = ""

    @property
    def clock(self) -> str:
        """`09:40`."""
        minute = round(self.begin) % _DAY
        return f"{minute // 60:02}:{minute % 60:02}"


def load_courses(root: Path | None = None) -> Catalog[Course]:
    """Courses by slug; one of the project in `root` replaces a shipped one of the same slug."""
    return read_folders(root, FILE, load_course)


def choose_courses(
    courses: Mapping[str, Course], slugs: tuple[str, ...]
) -> tuple[list[Course], tuple[str, ...]]:
    """The courses among `slugs`, all of them for none, and the slugs that are no course."""
    if not slugs:
        return list(courses.values()), ()
    named = [courses[slug] for slug in slugs if slug in courses]
    return named, tuple(slug for slug in slugs if slug not in courses)


def load_course(path: Path) -> Course:
    """The course at `path`, a course.toml; its folder's name is its slug."""
    try:
        fields = StrictFields(read_toml(path), str(path))
    except TomlError as problem:
        raise InputError(f"{path}: {problem}") from problem
    runs = fields.inside("runs", {})
    course = Course(
        slug=path.parent.name,
        title=fields.text("title"),
        audience=fields.text("audience"),
        about=fields.text("about"),
        start=_read_start(fields),
        bring=fields.texts("bring"),
        runs={name: runs.text(name) for name in fields.any("runs", {})},
        parts=tuple(_read_part(each) for each in fields.each("part")),
        path=path,
    )
    fields.done()
    if not course.slugs:
        raise ContentError(f"{path}: has no exercise")
    return course


def _read_start(fields: StrictFields) -> int:
    clock = _START.fullmatch(fields.text("start", "09:00"))
    if clock is None:
        raise fields.refuse("start must be a time such as 09:00")
    return 60 * int(clock["hours"]) + int(clock["minutes"])


def _read_part(fields: StrictFields) -> CoursePart:
    part = CoursePart(
        title=fields.text("title"),
        level=fields.text("level"),
        opening=fields.number("opening", 0),
        teach=fields.text("teach", ""),
        exercises=fields.texts("exercises"),
        pause=fields.number("pause", 0),
    )
    fields.done()
    try:
        check_prose(part.teach)
    except ContentError as problem:
        raise fields.refuse(f"teach: {problem}") from problem
    if part.level not in LEVELS:
        raise fields.refuse(f"level must be one of {', '.join(LEVELS)}")
    if not (0 <= part.opening < _DAY and 0 <= part.pause < _DAY):
        raise fields.refuse("opening and pause must be minutes of a day")
    return part


def sum_step_minutes(exercise: Exercise) -> float:
    """What an exercise takes: the sum of its steps."""
    return sum(step.minutes for step in exercise.steps)


def plan_course(course: Course, exercises: Mapping[str, Exercise]) -> list[PlanEntry]:
    """The course by the clock: openings, exercises and breaks, one after the other."""
    now, entries = float(course.start), list[PlanEntry]()
    for part in course.parts:
        for kind, minutes, slug in _list_plan_lines(part, exercises):
            entries.append(PlanEntry(kind, now, minutes, part, slug))
            now += minutes
    return entries


_Line = tuple[Literal["opening", "exercise", "missing", "break"], float, str]


def _list_plan_lines(part: CoursePart, exercises: Mapping[str, Exercise]) -> Iterator[_Line]:
    if part.opening:
        yield "opening", part.opening, ""
    for slug in part.exercises:
        known = exercises.get(slug)
        yield ("exercise", sum_step_minutes(known), slug) if known else ("missing", 0.0, slug)
    if part.pause:
        yield "break", part.pause, ""


def sum_working_minutes(entries: Sequence[PlanEntry]) -> float:
    """Minutes without breaks."""
    return sum(each.minutes for each in entries if each.kind != "break")


def find_course_problems(
    course: Course, exercises: Mapping[str, Exercise], runs: Collection[str] | None = None
) -> list[str]:
    """What is wrong with a course, one line each; `runs` are those that there are."""
    problems = [f"{course.path}: {line}" for line in _find_slug_problems(course, exercises)]
    if runs is not None:
        missing = [name for name in course.runs_of(exercises) if name not in runs]
        problems += [f"{course.path}: there is no run {name} to hand out" for name in missing]
    return problems


def _find_slug_problems(course: Course, exercises: Mapping[str, Exercise]) -> Iterator[str]:
    for name in sorted(course.runs.keys() - set(course.slugs)):
        yield f"names a run for {name}, which is not in the course"
    done: set[str] = set()
    for slug in course.slugs:
        if slug in done:
            yield f"{slug} is there twice"
        elif slug not in exercises:
            yield f"there is no exercise {slug}"
        else:
            yield from _find_exercise_problems(course, exercises[slug], done)
        done.add(slug)


def _find_exercise_problems(
    course: Course, exercise: Exercise, done: Collection[str]
) -> Iterator[str]:
    """Prerequisites come first: so none is missing, and none goes in a circle."""
    for before in exercise.prerequisites:
        if before not in done:
            where = "comes later" if before in course.slugs else "is not in the course"
            yield f"{exercise.slug} needs {before}, which {where}"
    if course.run_of(exercise) == ANY:
        yield f"{exercise.slug} names no run: add it to [runs]"
