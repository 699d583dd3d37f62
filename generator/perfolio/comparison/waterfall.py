"""The difference of two groups of runs as rows that sum to it, to the last nanosecond.

In:  run records of both sides. Out: rows, the largest first.

All is computed in fractions, per iteration and lane (GPU or main thread), the mean over runs. Rows
are published in whole nanoseconds: each side's sum to its whole by the largest remainder, and a
difference is that of what is published. The difference of work that both sides have is

    change of calls x mean duration + mean calls x change of duration

where mean durations differ by less than a factor of two; else the calls are not alike, and it is
not split: 76 calls that became 2 others would be -27.5 and +25.5 ms of a change of -2.0.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from fractions import Fraction
from typing import Literal

from perfolio.comparison.kernel_matching import (
    OF_MANY,
    ZERO,
    MatchedWork,
    RowKey,
    SideTime,
    Stage,
    make_key,
    match_rows,
)
from perfolio.comparison.run_record import RunRecord

Change = Literal["calls", "duration", "both", "not alike", "new", "gone", "time"]
"""What has changed of a row: time where calls are not counted."""
_ALIKE = Fraction(2)
_SAME_CALLS = Fraction(1, 50)


@dataclass(frozen=True)
class WaterfallRow:
    """Work of both sides and its part of the difference, per iteration and lane."""

    key: RowKey
    stage: Stage
    change: Change
    before_ns: int
    after_ns: int
    calls_before: Fraction
    calls_after: Fraction
    by_calls_ns: int
    """By more or fewer calls."""
    by_duration_ns: int
    """By slower or faster ones; the rest of the difference."""

    @property
    def difference_ns(self) -> int:
        """After less before."""
        return self.after_ns - self.before_ns


@dataclass(frozen=True)
class Waterfall:
    """Rows, and what they sum to."""

    before_ns: int
    """Of an iteration, or of the whole run, on a lane: the mean over runs."""
    after_ns: int
    rows: tuple[WaterfallRow, ...]
    works: tuple[MatchedWork, ...]
    """Of the rows, in their order: exact."""


def average_rows(records: Sequence[RunRecord]) -> tuple[dict[RowKey, SideTime], Fraction]:
    """Time and calls of each row per iteration and lane, the mean over runs; and their sum."""
    found: dict[RowKey, SideTime] = {}
    whole = ZERO
    for record in records:
        if record.whole is None:
            continue
        units = record.whole.units * len(records)
        whole += Fraction(record.whole.total_ns, units)
        for row in record.rows:
            held = found.setdefault(make_key(row), SideTime())
            held.add(SideTime(Fraction(row.ns, units), Fraction(row.calls, units)))
    return found, whole


def make_waterfall(before: Sequence[RunRecord], after: Sequence[RunRecord]) -> Waterfall:
    """The waterfall of two groups of runs whose time is divided alike."""
    (left, first), (right, second) = average_rows(before), average_rows(after)
    works = sorted(match_rows(left, right), key=_order_work)
    wholes = _round_half_up(first), _round_half_up(second)
    begun = round_to_sum([work.before.ns for work in works], wholes[0])
    ended = round_to_sum([work.after.ns for work in works], wholes[1])
    rows = [_make_row(work, low, high) for work, low, high in zip(works, begun, ended, strict=True)]
    return Waterfall(*wholes, tuple(rows), tuple(works))


def _order_work(work: MatchedWork) -> tuple[object, ...]:
    """The largest difference first, then the largest, then by name."""
    key = work.key
    return (
        -abs(work.after.ns - work.before.ns), -work.before.ns - work.after.ns, key.part, key.kind,
        key.path, key.place, key.shapes, key.name, key.short,
    )  # fmt: skip


def _round_half_up(value: Fraction) -> int:
    return (2 * value.numerator + value.denominator) // (2 * value.denominator)


def round_to_sum(values: Sequence[Fraction], total: int) -> list[int]:
    """Whole parts of values that sum to `total`, by the largest remainders.

    `total` is their sum, rounded; where it is below all whole parts, the first value has the rest.
    """
    whole = [value.numerator // value.denominator for value in values]
    missing = total - sum(whole)
    order = sorted(range(len(values)), key=lambda place: (whole[place] - values[place], place))
    for place in order[: max(missing, 0)]:
        whole[place] += 1
    if whole and missing < 0:
        whole[0] += missing
    return whole


def _make_row(work: MatchedWork, before: int, after: int) -> WaterfallRow:
    change, by_calls = split_change(work)
    calls = _round_half_up(by_calls)
    if change in ("duration", "not alike", "time"):
        calls = 0
    elif change in ("calls", "new", "gone"):
        calls = after - before
    return WaterfallRow(
        work.key, work.stage, change, before, after, work.before.calls, work.after.calls,
        calls, after - before - calls,
    )  # fmt: skip


def split_change(work: MatchedWork) -> tuple[Change, Fraction]:
    """What has changed, and the difference that more or fewer calls make [ns]."""
    before, after = work.before, work.after
    difference = after.ns - before.ns
    if work.key.part in ("idle", "main thread", "collective wait"):
        return "time", ZERO
    if not before.calls or not after.calls:
        if before.calls or after.calls:
            return ("new" if after.calls else "gone"), difference
        return "time", ZERO
    more = after.calls - before.calls
    if abs(more) < _SAME_CALLS * max(before.calls, after.calls):
        return "duration", ZERO
    each = before.ns / before.calls, after.ns / after.calls
    if work.stage in OF_MANY or not _is_alike(*each):
        return "not alike", ZERO
    by_calls = more * (each[0] + each[1]) / 2
    rest = difference - by_calls
    return ("calls" if abs(rest) < abs(by_calls) / 50 else "both"), by_calls


def _is_alike(first: Fraction, second: Fraction) -> bool:
    return min(first, second) > 0 and max(first, second) < _ALIKE * min(first, second)


def sum_parts(rows: Iterable[WaterfallRow]) -> list[tuple[str, str, int, int]]:
    """Part, kind, before and after of rows by part and kind, the largest difference first [ns]."""
    summed: dict[tuple[str, str], list[int]] = {}
    for row in rows:
        held = summed.setdefault((row.key.part, row.key.kind), [0, 0])
        held[0] += row.before_ns
        held[1] += row.after_ns
    found = [(part, kind, first, second) for (part, kind), (first, second) in summed.items()]
    return sorted(found, key=lambda one: (-abs(one[3] - one[2]), one))
