"""What stands beside the reports, in parts: each is made again only where what it read changed.

In:  runs by their short names, and a project's exercises. Out: files by part.

A part notes which runs it asks for while it is made, and of which of them it gets no words, as a
title. So an edit of the words of a run evaluates no exercise of another run, which may compare with
its numbers.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cache, partial
from hashlib import sha256
from pathlib import Path
from typing import Any, TypeVar

from perfolio.charts.comparison_rendering import render_promise_chart
from perfolio.common.cache import Cache, make_key
from perfolio.common.content_files import State, read_states
from perfolio.comparison.promise_record import NamedRun, list_shown_steps
from perfolio.exercises.catalog import Catalog, load_exercises
from perfolio.exercises.course_file import load_courses
from perfolio.exercises.model import Exercise
from perfolio.exercises.run_view import Run
from perfolio.pages.course_pages import render_ready_courses
from perfolio.pages.exercise_pages import render_run_exercises
from perfolio.pages.report_rendering import (
    render_catalogue,
    render_index,
    render_promises,
    render_queries,
)
from perfolio.pages.run_series import write_runs_script
from perfolio.pages.template_environment import render
from perfolio.pipeline.build_context import Context
from perfolio.pipeline.build_state import SharedPart, has_glossary

Runs = Mapping[str, Run]
Words = Mapping[str, str]
Say = Callable[[str], None]
T = TypeVar("T")
_ALL = "*"
"""Stands for the list of all runs."""
_NUMBERS = "#"
"""Stands behind the short name of a run of which somebody asked for all but words."""


@dataclass(frozen=True)
class NotedRuns(Runs):
    """Runs, and a note of those that somebody asked for."""

    runs: Runs
    read: set[str] = field(default_factory=set)
    worded: str | None = None
    """The only run that is given with its words; all are where it is None."""

    def beside(self, slug: str) -> NotedRuns:
        """The same, but of others than this run no words."""
        return NotedRuns(self.runs, self.read, slug)

    def __getitem__(self, slug: str) -> Run:
        if self.worded in (None, slug):
            self.read.add(slug)
            return self.runs[slug]
        self.read.add(slug + _NUMBERS)
        return self.runs[slug].wordless

    def __contains__(self, slug: object) -> bool:
        self.read.add(f"{slug}" if self.worded in (None, slug) else f"{slug}{_NUMBERS}")
        return slug in self.runs

    def __iter__(self) -> Iterator[str]:
        self.read.add(_ALL)
        return iter(self.runs)

    def __len__(self) -> int:
        self.read.add(_ALL)
        return len(self.runs)


def compute_numbers_digest(run: Run) -> str:
    """Names what is left of a run without words."""
    return sha256(json.dumps(run.wordless.findings).encode()).hexdigest()


Make = Callable[[NotedRuns], Words]
"""Runs to files, by path relative to the folder of all reports."""


def list_part_makers(slugs: Iterable[str], context: Context) -> dict[str, Make]:
    """What makes each part, by its name.

    The page that lists the reports, the queries of their metrics, exercises, courses; what came of
    steps, where that was kept. What is wrong with an exercise is said, once, and it is left out.
    """
    project, once = context.project, cache(context.say)
    exercises = cache(lambda: _report_faults(load_exercises(project), once))
    courses = cache(lambda: _report_faults(load_courses(project), once))
    made: dict[str, Make] = {
        "index": lambda runs: {
            "index.md": render_index(_list_documents(runs)),
            "runs.js": write_runs_script(_list_documents(runs)),
        },
        "queries": _make_queries,
        "guide": lambda _: render_guide(project),
        "courses": lambda runs: render_ready_courses(runs, exercises(), courses()),
    }
    if context.outcomes.pairs:
        made["promises"] = partial(_make_promises, context)
    for slug in slugs:
        made[f"{slug}/exercises"] = partial(_make_exercises, slug, exercises, once)
    return made


def _make_queries(runs: Runs) -> Words:
    documents = [run.metrics for run in runs.values()]
    return {
        "queries.md": render_queries(documents),
        "catalogue.json": render_catalogue(documents),
    }


def _make_promises(context: Context, runs: Runs) -> Words:
    """What came of steps; a run of these reports has the name that its report has."""
    documents = [(slug, run.metrics["run"]) for slug, run in runs.items()]
    known = {str(run["digest"]): NamedRun(str(run["title"]), slug) for slug, run in documents}
    steps = list_shown_steps(context.outcomes.pairs, known, shared=context.share is not None)
    return render_promises(steps, render_promise_chart(steps, Cache("charts")))


def render_guide(project: Path | None) -> Words:
    """How to read reports; and the glossary, where the project's own pages have none."""
    names = ("reading",) if project and has_glossary(project) else ("reading", "glossary")
    return {f"{name}.md": render(f"{name}.md.j2") for name in names}


def _report_faults(catalog: Catalog[T], say: Say) -> Catalog[T]:
    """A catalogue, of which it was said what could not be read."""
    for problem in catalog.faults.values():
        say(f"left out: {problem}")
    return catalog


def _make_exercises(
    slug: str, exercises: Callable[[], Mapping[str, Exercise]], say: Say, runs: NotedRuns
) -> Words:
    return render_run_exercises(
        runs[slug], exercises(), runs.beside(slug), lambda problem: say(f"left out: {problem}")
    )


def _list_documents(runs: Runs) -> list[tuple[Mapping[str, Any], Mapping[str, Any]]]:
    return [(run.metrics, run.findings) for run in runs.values()]


@dataclass(frozen=True)
class KnownInputs:
    """All that parts may read."""

    edition: str
    """What they depend on besides runs."""
    documents: Mapping[str, str]
    """Digest of the document of each run, by its short name, in the order of the reports."""
    numbers: Mapping[str, str]
    """Digest of it without words."""
    runs: Runs

    def make_key(self, read: Iterable[str]) -> str:
        """Names what these runs say; those that are not there too."""
        known = {
            **self.documents,
            **{slug + _NUMBERS: digest for slug, digest in self.numbers.items()},
            _ALL: " ".join(self.documents),
        }
        named = [(name, known.get(name, "")) for name in sorted(read)]
        return make_key(self.edition, repr(named))


@dataclass(frozen=True)
class ReadyPart:
    """A part as it is to be: made now, or as it was written."""

    key: str
    read: Sequence[str]
    new: Mapping[str, str] = field(default_factory=dict)
    """Its files, where it was made now."""
    unchanged: State = field(default_factory=dict)
    """Its files that stay."""

    def stamp(self, folder: Path) -> SharedPart:
        """From what it was made, now that it is written."""
        return SharedPart(self.key, {**self.unchanged, **read_states(folder, self.new)}, self.read)


def refresh_parts(
    parts: Mapping[str, Make],
    known: KnownInputs,
    stamps: Mapping[str, SharedPart],
    folder: Path,
) -> dict[str, ReadyPart]:
    """Each part as it was written in `folder` where that still holds, else made now."""
    ready: dict[str, ReadyPart] = {}
    for name, make in parts.items():
        stamp = stamps.get(name)
        if stamp is not None and stamp.hold(known.make_key(stamp.read), folder):
            ready[name] = ReadyPart(stamp.key, stamp.read, unchanged=stamp.files)
            continue
        runs = NotedRuns(known.runs)
        content = make(runs)
        ready[name] = ReadyPart(known.make_key(runs.read), sorted(runs.read), new=content)
    return ready


@dataclass(frozen=True)
class UnreadRuns(Runs):
    """Runs that are read when somebody first asks for them."""

    readers: Mapping[str, Callable[[], Run]]
    found: dict[str, Run] = field(default_factory=dict)

    def __getitem__(self, slug: str) -> Run:
        if slug not in self.found:
            self.found[slug] = self.readers[slug]()
        return self.found[slug]

    def __contains__(self, slug: object) -> bool:
        return slug in self.readers

    def __iter__(self) -> Iterator[str]:
        return iter(self.readers)

    def __len__(self) -> int:
        return len(self.readers)
