"""Whether the newest commits of a series are worse than those before them, and since when.

In:  a study. Out: the changes for the worse that are new, and why nothing can be told.

The time of a run, benchmarks and what is counted gate; other figures say why.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from perfolio.common.units import quantity
from perfolio.comparison.counted_gate import TOLD
from perfolio.comparison.history.series_entry import TIME
from perfolio.comparison.history.series_study import (
    LEAST_COMMITS,
    FigureHistory,
    MovedFigure,
    SeriesStudy,
)

NEW = 20
"""So many of the last commits are new."""
_TOLD = {f"count.{name}" for name in TOLD}


@dataclass(frozen=True)
class SeriesVerdict:
    """What a gate says of a series."""

    series: str
    worse: tuple[MovedFigure, ...]
    commits: tuple[str, ...]
    """Of each of these, the commit since which it is so."""
    doubt: str = ""
    """Why there is no verdict; empty where there is one."""

    @property
    def lines(self) -> list[str]:
        """A line for each figure that is worse, with the commit since which it is."""
        return [
            f"{describe_move(one)} since {commit}"
            for one, commit in zip(self.worse, self.commits, strict=True)
        ]

    @property
    def status(self) -> str:
        """In a few words."""
        if self.worse:
            return f"worse since {self.commits[-1]}"
        return f"cannot be told: {self.doubt}" if self.doubt else "no figure is worse"


def judge_series(study: SeriesStudy, new: int = NEW) -> SeriesVerdict:
    """Judge the last `new` commits of the segment of the newest one."""
    segment = study.commits[-1].segment
    places = study.list_commits(segment)
    figures = [one for one in study.figures if one.segment == segment and _gates(one)]
    told = [one for one in figures if not one.reason and len(one.points) > 1]
    if not told:
        return SeriesVerdict(study.name, (), (), _find_doubt(figures, len(places)))
    recent = set(places[-new:])
    worse = tuple(
        MovedFigure(figure, figure.changes[-1])
        for figure in told
        if figure.changes
        and figure.changes[-1].place in recent
        and figure.is_worse(figure.changes[-1])
    )
    commits = tuple(study.commits[one.change.place].commit for one in worse)
    return SeriesVerdict(study.name, worse, commits)


def _gates(figure: FigureHistory) -> bool:
    if figure.kind == "counted":
        return figure.name not in _TOLD
    return figure.name == TIME or figure.name.startswith("benchmark.")


def _find_doubt(figures: Sequence[FigureHistory], commits: int) -> str:
    if not figures:
        return "its runs have neither a time nor a counted figure"
    if commits < LEAST_COMMITS:
        return f"of one machine it has {commits} of {LEAST_COMMITS} commits"
    return figures[0].reason


def describe_move(one: MovedFigure) -> str:
    """`Time of an iteration: 12.0 ms, before 11.0 ms (+9.1 %, 8.5 % to 9.7 %)`."""
    unit, change = one.figure.unit, one.change
    after, before = (quantity(value, unit) for value in (change.after, change.before))
    share = "" if change.change is None else f"{change.change:+.1%}".replace("%", " %")
    if change.low is not None and change.high is not None:
        share += f", {change.low:+.1%} to {change.high:+.1%}".replace("%", " %")
    return f"{one.figure.title}: {after}, before {before}" + (f" ({share})" if share else "")
