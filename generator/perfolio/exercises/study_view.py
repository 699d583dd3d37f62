"""A study as exercises see it: runs of several sizes, or a series over commits, as one run.

In:  the content of scaling.json or history.json; it may be from anywhere. Out: `StudyRun`.

Names: `scaling.efficiency` and the other factors of the largest size, `scaling.sizes` (a row for
each size), `scaling.factors` (what each one keeps from the smallest size to the largest, the least
first). Of a series all is about the event that its page tells first: `history.before`,
`history.after`, `history.commits` (the one where it began, and others that look alike),
`history.figures` (which one moved first).
"""

from __future__ import annotations

import hashlib
import json
import math
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path
from typing import Any

from perfolio.common.errors import InputError, one_line
from perfolio.common.units import UNITS
from perfolio.comparison.history import series_study
from perfolio.comparison.scaling import scaling_study
from perfolio.comparison.scaling.scaling_tables import FACTORS, LEAST_LOSS, rank_lost_factors
from perfolio.exercises.catalog import Catalog
from perfolio.exercises.finding_tables import make_scalar, make_table
from perfolio.exercises.loader import FILE, load_exercise
from perfolio.exercises.model import Exercise
from perfolio.exercises.run_view import Run
from perfolio.metrics.model import Cell, MetricColumn, Result, Results

STUDIES = Path(__file__).parent / "studies"
"""Exercises on studies; none of them is offered for a run."""
_MOST_BYTES = 64_000_000
_NANO = 1e-9
_NEIGHBOURS = 2
_NONE = "this study does not tell it"
_NO_EVENT = "no figure of this series changed"

_Document = Mapping[str, Any]


@dataclass(frozen=True)
class StudyRun(Run):
    """The figures of a study under their names; it has neither findings nor hardware."""

    figures: Results | None = None

    @cached_property
    def results(self) -> Results:
        """All figures."""
        return self.figures or {}

    def meets(self, needs: Sequence[str]) -> bool:
        """Whether it is a study of what these are about, and all of them are told."""
        return all(name in self.results for name in needs) and super().meets(needs)


def read_study(path: Path) -> StudyRun | None:
    """The study of a file; None where it holds something else. Raises InputError."""
    if path.suffix != ".json" or not path.is_file() or path.stat().st_size > _MOST_BYTES:
        return None
    try:
        document = json.loads(path.read_bytes())
    except (OSError, ValueError, RecursionError):
        return None
    if not isinstance(document, dict) or document.get("schema") not in _STUDIES:
        return None
    try:
        return make_study_run(document)
    except (KeyError, TypeError, ValueError, AttributeError, IndexError, OverflowError) as problem:
        said = one_line(f"{type(problem).__name__} {problem}", 120)
        raise InputError(f"{path}: is damaged: {said}") from problem


def make_study_run(document: _Document) -> StudyRun:
    """The study of a document of `make_scaling_document` or `make_study_document`."""
    slug, title, list_figures = _STUDIES[document["schema"]]
    text = json.dumps(document, sort_keys=True, ensure_ascii=False)
    facts: dict[str, Any] = {
        "slug": slug,
        "title": one_line(f"{title} {document.get('series', '')}".strip(), 80),
        "digest": hashlib.sha256(text.encode()).hexdigest(),
        "settings": {},
        "hardware": None,
    }
    figures = {one.metric.name: one for one in list_figures(document)}
    return StudyRun({"run": facts, "metrics": []}, {"run": facts, "findings": []}, figures=figures)


def load_study_exercises() -> Catalog[Exercise]:
    """The exercises on studies, by slug."""
    return Catalog(
        {path.parent.name: load_exercise(path) for path in sorted(STUDIES.glob("*/" + FILE))}
    )


def _list_scaling_figures(document: _Document) -> Iterator[Result]:
    sizes = document["sizes"]
    first, last = sizes[0], sizes[-1]
    strong = document["work"] == "strong"
    scale = first["size"] / last["size"] if strong else 1.0
    times = [_read_number(one["levels_ns"]["whole"]) for one in sizes]
    scalars: list[tuple[str, str, str, float | None]] = [
        ("first_size", "Smallest size", "count", float(first["size"])),
        ("last_size", "Largest size", "count", float(last["size"])),
        ("first_time", "Time at the smallest size", "s", _scale(times[0], _NANO)),
        ("last_time", "Time at the largest size", "s", _scale(times[-1], _NANO)),
        ("ideal_time", "Ideal time at the largest size", "s", _scale(times[0], _NANO * scale)),
        ("speedup", "Speed-up", "x", _read_number(last["speedup"])),
    ]
    for name, title, unit, value in scalars:
        yield make_scalar(f"scaling.{name}", title, unit, value, _NONE)
    for factor, (_, title) in FACTORS.items():
        value = _read_number(last["factors"].get(factor))
        yield make_scalar(f"scaling.{factor}", title, "ratio", value, _NONE)
    efficiency = _read_number(last["factors"]["efficiency"])
    yield make_scalar("scaling.efficiency", "Efficiency", "ratio", efficiency, _NONE)
    yield make_table(
        "scaling.study",
        "What was run",
        (MetricColumn("smallest", "Smallest size", "text"),
         MetricColumn("largest", "Largest size", "text"), MetricColumn("work", "Work", "text")),
        [(*(_name_size(document, one["size"]) for one in (first, last)), document["work"])],
    )  # fmt: skip
    rows: list[tuple[Cell, ...]] = [
        (one["size"], _scale(time, _NANO), _read_number(one["factors"]["efficiency"]))
        for one, time in zip(sizes, times, strict=True)
    ]
    columns = (
        MetricColumn("size", "Size", "count"),
        MetricColumn("time", "Time", "s"),
        MetricColumn("efficiency", "Efficiency", "ratio"),
    )
    yield make_table("scaling.sizes", "Sizes", columns, rows)
    yield _tabulate_lost_factors(first["factors"], last["factors"])


def _tabulate_lost_factors(first: _Document, last: _Document) -> Result:
    """Nothing where no factor loses what is worth a name."""
    columns = (
        MetricColumn("factor", "Factor", "text"),
        MetricColumn("kept", "At the largest size, of that at the smallest", "ratio"),
        MetricColumn("lost", "Lost", "ratio"),
    )
    ranked = rank_lost_factors(first, last)
    rows = [(FACTORS[name][1], kept, max(0.0, 1.0 - kept)) for kept, name in ranked]
    is_told = bool(rows) and rows[0][-1] >= LEAST_LOSS
    return make_table("scaling.factors", "What each factor loses", columns, rows if is_told else ())


def _name_size(document: _Document, size: int) -> str:
    return f"{size:d} {document['unit']}{'' if size == 1 else 's'}"


def _list_history_figures(document: _Document) -> Iterator[Result]:
    event = document["told"]
    known = {one["name"]: one for one in document["figures"] if event
             and one["segment"] == event["segment"]}  # fmt: skip
    figure = known[event["figure"]] if event else {}
    unit = figure.get("unit", "1")
    if unit not in UNITS:
        raise ValueError(f"unit {unit!r}")
    changes = {one["place"]: one for one in figure.get("changes", ())}
    change = changes[event["place"]] if event else {}
    before, after = _read_number(change.get("before")), _read_number(change.get("after"))
    told = before is not None and after is not None and before > 0.0
    points = dict(figure.get("points", ()))
    step = _find_single_step(points, change.get("place"))
    sides: list[tuple[str, str, float | None]] = [
        ("before", "Level before", before),
        ("after", "Level since", after),
        ("difference", "Difference", abs((after or 0.0) - (before or 0.0)) if told else None),
        ("single_step", "Difference of the two commits alone", step),
    ]
    for name, title, value in sides:
        yield make_scalar(f"history.{name}", title, unit, value, _NO_EVENT)
    change_of = (after or 0.0) / (before or 1.0) - 1.0 if told else None
    share = None if change_of is None else abs(change_of)
    yield make_scalar("history.share", "Change of the level before", "ratio", share, _NO_EVENT)
    sign = None if change_of is None else math.copysign(1.0, change_of)
    yield make_scalar("history.sign", "1 where it rises, -1 where it falls", "1", sign, _NO_EVENT)
    yield make_table(
        "history.event", "Event",
        (MetricColumn("figure", "Figure", "text"), MetricColumn("kind", "Kind", "text")),
        [(figure["title"], "worse" if change.get("worse") else "better")] if event else [],
    )  # fmt: skip
    yield _tabulate_commits(document, change, points)
    yield _tabulate_figures(known, event)


def _find_single_step(points: Mapping[int, float], place: int | None) -> float | None:
    earlier = [known for known in points if place is not None and known < place]
    if place is None or not earlier:
        return None
    newer, older = (_read_number(points[one]) for one in (place, max(earlier)))
    return abs((newer or 0.0) - (older or 0.0))


def _tabulate_commits(
    document: _Document, change: _Document, points: Mapping[int, float]
) -> Result:
    """The commit of the change, then others: the extreme one, its neighbours, the first, the last.

    No two of them are the same.
    """
    columns = (
        MetricColumn("commit", "Commit", "text"),
        MetricColumn("begins", "Whether the level begins there", "count"),
    )
    if not change:
        return make_table("history.commits", "Commits", columns, ())
    place, order = int(change["place"]), sorted(points)
    sign = 1.0 if change["after"] > change["before"] else -1.0
    extreme = max(order, key=lambda one: sign * float(points[one]))
    at = order.index(place)
    near = order[max(0, at - _NEIGHBOURS) : at][::-1] + order[at + 1 : at + 1 + _NEIGHBOURS]
    names = [document["commits"][one]["commit"] for one in (place, extreme, *near, order[-1])]
    rows = [(name, int(not number)) for number, name in enumerate(dict.fromkeys(names))]
    return make_table("history.commits", "Commits", columns, rows)


def _tabulate_figures(known: Mapping[str, _Document], event: _Document | None) -> Result:
    """Figures besides the one that is told: those that moved by their turn, then all others."""
    columns = (
        MetricColumn("figure", "Figure", "text"),
        MetricColumn("first", "Whether it moved first", "count"),
    )
    if event is None:
        return make_table("history.figures", "Figures", columns, ())
    others = [name for name in event["moved"] if name != event["figure"]]
    still = [name for name, one in known.items() if name not in event["moved"] and one["points"]]
    rows = [(known[name]["title"], int(not number)) for number, name in enumerate(others)]
    rows += [(known[name]["title"], 0) for name in still]
    return make_table("history.figures", "Figures", columns, rows if others else ())


def _read_number(value: object) -> float | None:
    """A number of a document. Raises ValueError for what is neither a finite one nor null."""
    if value is None:
        return None
    if isinstance(value, bool) or not isinstance(value, int | float) or not math.isfinite(value):
        raise ValueError(f"{value!r} is no number")
    return float(value)


def _scale(value: float | None, factor: float) -> float | None:
    return None if value is None else value * factor


_ListFigures = Callable[[_Document], Iterator[Result]]
_STUDIES: Mapping[str, tuple[str, str, _ListFigures]] = {
    scaling_study.SCHEMA: ("scaling", "Scaling", _list_scaling_figures),
    series_study.SCHEMA: ("history", "History of", _list_history_figures),
}
"""Slug, title and figures by what a document says that it is."""
