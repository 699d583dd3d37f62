"""What Caliper's columns mean.

A column such as `inclusive#sum#time.duration` names an attribute and, before it, what was done with
its values, the last first. `min#inclusive#sum#time.duration` is the least of what ranks have, while
`min#time.duration` is the least of single visits of a region, which says nothing of ranks.
`titles.csv` has what Caliper's own reports call their columns.
"""

from __future__ import annotations

import csv
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from functools import cache
from pathlib import Path

from perfolio.readers.hatchet.call_places import Statistic

SECONDS = {
    "s": 1.0,
    "sec": 1.0,
    "ms": 1e-3,
    "msec": 1e-3,
    "us": 1e-6,
    "usec": 1e-6,
    "ns": 1e-9,
    "nsec": 1e-9,
}
_SUMS = frozenset({"sum", "scale", "inclusive", "any"})
_OF_A_RANK = frozenset({"sum", "inclusive"})
"""What makes one value of all that a rank recorded of a region."""
_OVER_RANKS: Mapping[str, Statistic] = {
    "min": "min",
    "max": "max",
    "avg": "mean",
    "avg.count": "count",
    "avg.sum": "sum",
}
_TIMES = {
    "time.duration": "elapsed_time",
    "time.inclusive.duration": "elapsed_time",
    "time.duration.ns": "elapsed_time",
    "report.t": "elapsed_time",
    "report.time": "elapsed_time",
    "cupti.host.duration": "elapsed_time",
    "cupti.activity.duration": "gpu_operation_time",
    "rocm.host.duration": "elapsed_time",
    "rocm.activity.duration": "gpu_operation_time",
}
_OF_REPORTS = ("report.t", "report.time")
"""Times of Caliper's own reports, in seconds."""


@dataclass(frozen=True)
class ColumnMeaning:
    """What a column holds."""

    measure: str
    factor: float
    """From the file's unit to seconds."""
    is_inclusive: bool
    is_told: bool
    """Whether the file says the unit."""
    statistic: Statistic = "sum"
    """Over ranks: of what each has in a region; a count is of the ranks that entered it."""


def find_meaning(column: str, unit: str | None, default: str) -> ColumnMeaning | None:
    """What a column holds; None where that is no time of a region, or of ranks."""
    titled = _load_titles().get(column)
    *done, attribute = (titled or column).split("#")
    statistic: Statistic = "sum"
    if done and done[0] in _OVER_RANKS and _OF_A_RANK & set(done[1:]):
        statistic = _OVER_RANKS[done.pop(0)]
    if attribute not in _TIMES or not set(done) <= _SUMS:
        return None
    in_seconds = bool(titled) or "scale" in done or attribute in _OF_REPORTS
    if in_seconds:
        default = "s"
    elif attribute.endswith(".ns"):
        default = "ns"
    inclusive = "inclusive" in done or attribute == "time.inclusive.duration"
    if statistic == "count":
        return ColumnMeaning(_TIMES[attribute], 1.0, inclusive, is_told=True, statistic=statistic)
    told = unit in SECONDS or in_seconds or attribute.endswith(".ns")
    factor = SECONDS[unit if unit in SECONDS else default]
    return ColumnMeaning(_TIMES[attribute], factor, inclusive, told, statistic)


def choose_columns(meanings: Mapping[str, ColumnMeaning]) -> dict[str, ColumnMeaning]:
    """The column to read of each measure: a sum before a mean, an inclusive one before others."""
    best: dict[str, str] = {}
    for name, each in meanings.items():
        if each.statistic in ("sum", "mean"):
            now = best.get(each.measure)
            if now is None or _rank_meaning(each) > _rank_meaning(meanings[now]):
                best[each.measure] = name
    return {name: meanings[name] for name in best.values()}


def _rank_meaning(each: ColumnMeaning) -> tuple[bool, bool, bool]:
    return each.statistic == "sum", each.is_inclusive, each.is_told


def describe_columns(
    left: Iterable[str], meanings: Iterable[ColumnMeaning], default: str
) -> list[str]:
    """What was taken for granted, and what was not read."""
    notes = []
    if any(not each.is_told for each in meanings):
        notes.append(f"the file does not say the unit of its times: they are taken as {default}")
    others = [name for name in left if find_meaning(name, None, default) is None]
    if others:
        shown = ", ".join(sorted(others)[:6]) + (", …" if len(others) > 6 else "")
        notes.append(f"columns that are no times of regions are not read: {shown}")
    return notes


@cache
def _load_titles() -> Mapping[str, str]:
    with Path(__file__).with_name("titles.csv").open(encoding="utf-8", newline="") as file:
        return {row["title"]: row["column"] for row in csv.DictReader(file)}
