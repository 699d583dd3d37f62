"""Least, mean and largest of what ranks have in a region, where a file has no value of each rank.

In:  columns by what they mean, one value for each place.
Out: statistics over ranks by place, the number of ranks, and what a reader of the run must know.

The mean is over all ranks: one that never enters a region spends nothing there. Least and largest
values are those of ranks that entered it. Neither can be taken apart into what a region itself
costs and what is below it, for each may be another rank's.
"""

from __future__ import annotations

from collections.abc import Mapping

import numpy as np

from perfolio.readers.hatchet.call_places import (
    CallThread,
    Floats,
    OverRanks,
    RankStatistics,
    Statistic,
)
from perfolio.readers.hatchet.columns import ColumnMeaning

ROUNDED = 1e-6
"""Seconds: the last digit that Caliper writes of a time."""
_MOST_RANKS = 1 << 31


def collect_rank_statistics(
    columns: Mapping[str, tuple[ColumnMeaning, Floats]], told: object
) -> RankStatistics:
    """Statistics over ranks of columns; none where one rank alone was recorded."""
    groups: dict[tuple[str, bool], dict[Statistic, Floats]] = {}
    for meaning, amounts in columns.values():
        group = groups.setdefault((meaning.measure, meaning.is_inclusive), {})
        group.setdefault(meaning.statistic, amounts)
    groups = {key: found for key, found in groups.items() if found.keys() - {"sum"}}
    counts = {key: _count_entered_ranks(found) for key, found in groups.items()}
    number = _parse_rank_count(told) or max(
        (int(np.nanmax(each)) for each in counts.values() if np.isfinite(each).any()), default=0
    )
    if not groups or number == 1:
        return RankStatistics(number if groups else 0)
    found = tuple(
        OverRanks(measure, statistic, inclusive, amounts)
        for (measure, inclusive), group in groups.items()
        for statistic, amounts in _compute_statistics(group, counts[measure, inclusive], number)
    )
    return RankStatistics(number, found, _list_notes(groups, number))


def choose_threads(threads: list[CallThread], ranks: RankStatistics) -> list[CallThread]:
    """Threads, or all ranks in place of the only one where there are statistics over them."""
    return [CallThread(are_ranks=True)] if ranks.statistics else threads


def _parse_rank_count(told: object) -> int:
    text = str(told)
    return int(text) if text.isdecimal() and text.isascii() and int(text) < _MOST_RANKS else 0


def _count_entered_ranks(found: Mapping[Statistic, Floats]) -> Floats:
    """How many ranks entered each place: as told, else sum over mean, as far as rounding allows."""
    if "count" in found:
        return _keep_positive(found["count"])
    total, mean = found.get("sum"), found.get("mean")
    if total is None or mean is None:
        return np.full(len(next(iter(found.values()))), np.nan)
    count = np.rint(_keep_positive(total) / _keep_positive(mean))
    unsure = count * 0.5 * ROUNDED > 0.5 * _keep_positive(mean)
    return np.where(unsure, np.nan, count)


def _compute_statistics(
    found: Mapping[Statistic, Floats], entered: Floats, number: int
) -> list[tuple[Statistic, Floats]]:
    """Those of the file, and the mean over all ranks in place of that over those that entered."""
    mean = found.get("mean")
    if "sum" in found and number:
        mean = found["sum"] / number
    elif mean is not None and number:
        mean = mean * np.where(np.isfinite(entered), entered, number) / number
    given: dict[Statistic, Floats | None] = {
        "min": found.get("min"),
        "mean": mean,
        "max": found.get("max"),
        "count": entered,
    }
    return [
        (statistic, _keep_positive(amounts))
        for statistic, amounts in given.items()
        if amounts is not None and np.isfinite(_keep_positive(amounts)).any()
    ]


def _keep_positive(amounts: Floats) -> Floats:
    """What is missing is NaN; Hatchet fills in 0."""
    return np.where(amounts > 0, amounts, np.nan)


def _list_notes(
    groups: Mapping[tuple[str, bool], Mapping[Statistic, Floats]], number: int
) -> tuple[str, ...]:
    who = f"{number:,} ranks" if number else "ranks, whose number is not told,"
    kinds = {statistic for found in groups.values() for statistic in found}
    notes = [f"the file has values over {who} in place of those of each rank"]
    if not kinds & {"sum", "mean"}:
        notes.append("it has least and largest values of ranks alone: no mean or sum is measured")
    elif "sum" not in kinds:
        notes.append("it has no sums over ranks: times are those of a mean rank")
    return tuple(notes)
