"""Figures of a series by commit: where each changes, and which one moved first.

In:  entries in the order of their moments. Out: a `SeriesStudy`, and its content as JSON.

A commit's number is the median of its runs. Runs of other machines, or of other work, are a segment
of their own: nothing is compared between segments.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import asdict, dataclass, replace
from functools import cached_property
from itertools import pairwise
from statistics import median
from typing import Any

from perfolio.comparison.history.change_points import FLOOR, ChangePoint, find_change_points
from perfolio.comparison.history.series_entry import (
    TIME,
    Better,
    FigureKind,
    HistoryEntry,
    SeriesFigure,
)
from perfolio.comparison.run_record import RunRecord

SCHEMA = "perfolio-history/1"
LEAST_COMMITS = 8
"""So many commits of one segment are needed to find a change of what has noise."""
LEAST_REPEATS = 3
"""Runs of a commit from which on one of them that is slow by chance does no harm."""
_TOGETHER = 3
"""Changes within so many commits are taken for one event."""
_RESTLESS = 0.25
"""A counted figure that changes at more than this part of the commits is told as one with noise."""


@dataclass(frozen=True)
class SeriesCommit:
    """The runs of a commit in one segment."""

    commit: str
    moment: str
    segment: int
    runs: tuple[HistoryEntry, ...]

    @property
    def records(self) -> list[RunRecord]:
        """What is known of its runs; of results of benchmarks nothing."""
        found = (run.read_record() for run in self.runs)
        return [record for record in found if record is not None]


@dataclass(frozen=True)
class LevelChange:
    """A commit from which on a figure has another level."""

    place: int
    """Of the commit, among all of the study."""
    before: float
    after: float
    change: float | None
    """after / before - 1 [ratio]; None where the level before is 0."""
    low: float | None = None
    """Ends of the 95 % interval of `change`; None of what is counted [ratio]."""
    high: float | None = None
    chance: float | None = None


@dataclass(frozen=True)
class FigureHistory:
    """One figure of one segment."""

    name: str
    title: str
    unit: str
    better: Better
    kind: FigureKind
    segment: int
    points: tuple[tuple[int, float], ...]
    """Place of each commit that has it, and the median of its runs."""
    changes: tuple[LevelChange, ...]
    reason: str = ""
    """Why no change of it can be told; empty where it can."""

    def is_worse(self, change: LevelChange) -> bool:
        """Whether a change is for the worse."""
        more = change.after > change.before
        return self.better != "neither" and more == (self.better == "lower")


@dataclass(frozen=True)
class MovedFigure:
    """A figure and where it changed."""

    figure: FigureHistory
    change: LevelChange

    @property
    def is_worse(self) -> bool:
        """Whether that is for the worse."""
        return self.figure.is_worse(self.change)


@dataclass(frozen=True)
class SeriesEvent:
    """Changes of several figures at about the same commit, the first one first."""

    segment: int
    moved: tuple[MovedFigure, ...]

    @property
    def place(self) -> int:
        """Of the commit where it began."""
        return self.moved[0].change.place

    @property
    def time(self) -> MovedFigure | None:
        """How the time of a run moved; None where it did not."""
        return next((one for one in self.moved if one.figure.name == TIME), None)


@dataclass(frozen=True)
class SeriesStudy:
    """A series, looked at."""

    name: str
    commits: tuple[SeriesCommit, ...]
    machines: tuple[str, ...]
    """Of each segment, in words."""
    figures: tuple[FigureHistory, ...]

    @cached_property
    def events(self) -> tuple[SeriesEvent, ...]:
        """What changed, in the order of commits."""
        return tuple(_join_changes(self.figures))

    @property
    def told(self) -> SeriesEvent | None:
        """What is told first of the newest commit's segment.

        It is the last change of its time, or of anything where that never changed.
        """
        own = [event for event in self.events if event.segment == self.commits[-1].segment]
        timed = [event for event in own if event.time is not None]
        return timed[-1] if timed else own[-1] if own else None

    def list_commits(self, segment: int) -> list[int]:
        """Places of the commits of a segment."""
        return [place for place, one in enumerate(self.commits) if one.segment == segment]


def study_series(name: str, entries: Sequence[HistoryEntry], floor: float = FLOOR) -> SeriesStudy:
    """Look at a series; changes below `floor` are none [ratio]. `entries` are in their order."""
    segments: list[HistoryEntry] = []
    placed: defaultdict[tuple[str, int], list[HistoryEntry]] = defaultdict(list)
    for entry in entries:
        placed[entry.commit, _find_segment(entry, segments)].append(entry)
    commits = tuple(
        SeriesCommit(commit, min(run.moment for run in runs), segment, tuple(runs))
        for (commit, segment), runs in placed.items()
    )
    commits = tuple(sorted(commits, key=lambda one: (one.moment, one.commit, one.segment)))
    machines = tuple(one.machine for one in segments)
    return SeriesStudy(name, commits, machines, tuple(_list_histories(commits, floor)))


def _find_segment(entry: HistoryEntry, segments: list[HistoryEntry]) -> int:
    """The segment whose first entry is of the same machine and work; a new one where none is."""
    for number, first in enumerate(segments):
        same = first.machine == entry.machine and first.work == entry.work
        if same and first.source == entry.source:
            return number
    segments.append(entry)
    return len(segments) - 1


def _list_histories(commits: Sequence[SeriesCommit], floor: float) -> Iterator[FigureHistory]:
    known: dict[tuple[int, str], SeriesFigure] = {}
    points: defaultdict[tuple[int, str], list[tuple[int, float]]] = defaultdict(list)
    for place, commit in enumerate(commits):
        values: defaultdict[str, list[float]] = defaultdict(list)
        for figure in (figure for run in commit.runs for figure in run.figures):
            known[commit.segment, figure.name] = figure
            values[figure.name].append(figure.value)
        for name, found in values.items():
            points[commit.segment, name].append((place, median(found)))
    for (segment, name), figure in known.items():
        yield _make_history(figure, segment, points[segment, name], floor)


def _make_history(
    figure: SeriesFigure, segment: int, points: Sequence[tuple[int, float]], floor: float
) -> FigureHistory:
    made = FigureHistory(
        figure.name, figure.title, figure.unit, figure.better, figure.kind, segment,
        tuple(points), (),
    )  # fmt: skip
    if figure.kind == "counted":
        steps = tuple(_list_steps(points))
        if len(steps) <= max(1.0, _RESTLESS * len(points)):
            return replace(made, changes=steps)
    values = [value for _, value in points]
    if len(values) < LEAST_COMMITS:
        return replace(made, reason=f"{len(values)} commits, and a change needs {LEAST_COMMITS}")
    if min(values) <= 0.0:
        return replace(made, reason="some values are 0, so that changes are no ratios")
    found = (_place_change(points, one) for one in find_change_points(values, floor))
    return replace(made, changes=tuple(found))


def _list_steps(points: Sequence[tuple[int, float]]) -> Iterator[LevelChange]:
    """Where a counted figure has another value than at the commit before."""
    for (_, before), (place, after) in pairwise(points):
        if after != before:
            yield LevelChange(place, before, after, after / before - 1.0 if before else None)


def _place_change(points: Sequence[tuple[int, float]], one: ChangePoint) -> LevelChange:
    place, _ = points[one.place]
    return LevelChange(place, one.before, one.after, one.change, one.low, one.high, one.chance)


def _join_changes(figures: Sequence[FigureHistory]) -> Iterator[SeriesEvent]:
    moved = [MovedFigure(figure, change) for figure in figures for change in figure.changes]
    moved.sort(key=lambda one: (one.figure.segment, one.change.place, -_measure_size(one.change)))
    event: list[MovedFigure] = []
    for one in moved:
        if event and not _is_together(event[0], one):
            yield SeriesEvent(event[0].figure.segment, tuple(event))
            event = []
        event.append(one)
    if event:
        yield SeriesEvent(event[0].figure.segment, tuple(event))


def _is_together(first: MovedFigure, one: MovedFigure) -> bool:
    same = first.figure.segment == one.figure.segment
    return same and one.change.place - first.change.place < _TOGETHER


def _measure_size(change: LevelChange) -> float:
    return abs(change.change) if change.change is not None else float("inf")


def make_study_document(study: SeriesStudy) -> dict[str, Any]:
    """The study as JSON can hold it."""
    return {
        "schema": SCHEMA,
        "series": study.name,
        "machines": list(study.machines),
        "commits": [
            {
                "commit": one.commit,
                "moment": one.moment,
                "segment": one.segment,
                "runs": len(one.runs),
            }
            for one in study.commits
        ],
        "figures": [_describe_history(figure) for figure in study.figures],
        "events": [
            {
                "commit": study.commits[event.place].commit,
                "segment": event.segment,
                "moved": [one.figure.name for one in event.moved],
            }
            for event in study.events
        ],
        "told": _describe_told(study.told),
    }


def _describe_told(event: SeriesEvent | None) -> Mapping[str, Any] | None:
    """The event, and the figure that stands for it."""
    if event is None:
        return None
    one = event.time or event.moved[0]
    moved = [each.figure.name for each in event.moved]
    return {
        "figure": one.figure.name,
        "place": one.change.place,
        "segment": event.segment,
        "moved": moved,
    }


def _describe_history(figure: FigureHistory) -> Mapping[str, Any]:
    described = asdict(figure)
    for told, change in zip(described["changes"], figure.changes, strict=True):
        told["worse"] = figure.is_worse(change)
    return described
