"""What became of the findings of a report.

In:  the findings of run records of both sides. Out: for each that fired on a side whether it is
     gone, new, better, worse, unchanged, or not evaluated any more.

A rule whose pattern is gone may not be evaluated after a change: then its step may have been taken,
which is not the same as a finding that is gone.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from statistics import median
from typing import Literal

from perfolio.comparison.run_record import RecordedFigure, RecordedFinding, RunRecord

Fate = Literal["gone", "new", "better", "worse", "unchanged", "not evaluated any more"]
SEVERITIES = ("info", "low", "medium", "high", "critical")
_LEAST_CHANGE = 0.05
"""Relative change of a value that is one."""


@dataclass(frozen=True)
class FindingChange:
    """A finding on both sides."""

    code: str
    title: str
    fate: Fate
    severity_before: str | None
    """None where it did not fire."""
    severity_after: str | None
    value_before: float | None
    value_after: float | None
    unit: str


@dataclass(frozen=True)
class FigureChange:
    """A figure on both sides: medians over runs."""

    name: str
    title: str
    unit: str
    better: str
    before: float | None
    after: float | None
    is_key: bool


def compare_findings(
    before: Sequence[RunRecord], after: Sequence[RunRecord]
) -> tuple[FindingChange, ...]:
    """Findings that fired on a side, in the order of codes."""
    sides = [summarise_findings(records) for records in (before, after)]
    codes = sorted(sides[0].keys() | sides[1].keys())
    changes = (_compare_finding(sides[0].get(code), sides[1].get(code)) for code in codes)
    return tuple(change for change in changes if change is not None)


def summarise_findings(records: Sequence[RunRecord]) -> dict[str, RecordedFinding]:
    """One finding a rule: what most runs say, and of these the one of the middle value."""
    held: dict[str, list[RecordedFinding]] = {}
    for record in records:
        for finding in record.findings:
            held.setdefault(finding.code, []).append(finding)
    found = {}
    for code, each in held.items():
        status = Counter(one.status for one in each).most_common(1)[0][0]
        like = sorted(
            (one for one in each if one.status == status), key=lambda one: one.value or 0.0
        )
        found[code] = like[len(like) // 2]
    return found


def _compare_finding(
    before: RecordedFinding | None, after: RecordedFinding | None
) -> FindingChange | None:
    fired = [one is not None and one.status == "fired" for one in (before, after)]
    if not any(fired):
        return None
    told = after if after is not None and fired[1] else before
    if told is None:
        return None
    return FindingChange(
        told.code,
        told.title,
        _name_fate(before, after, fired),
        before.severity if before is not None and fired[0] else None,
        after.severity if after is not None and fired[1] else None,
        before.value if before is not None else None,
        after.value if after is not None else None,
        told.unit,
    )


def _name_fate(
    before: RecordedFinding | None, after: RecordedFinding | None, fired: Sequence[bool]
) -> Fate:
    if not fired[0] or before is None:
        return "new"
    if not fired[1] or after is None:
        is_passed = after is not None and after.status == "passed"
        return "gone" if is_passed else "not evaluated any more"
    rank = _rank_severity(after) - _rank_severity(before)
    if rank:
        return "worse" if rank > 0 else "better"
    return _compare_values(before, after)


def _rank_severity(finding: RecordedFinding) -> int:
    return SEVERITIES.index(finding.severity) if finding.severity in SEVERITIES else 0


def _compare_values(before: RecordedFinding, after: RecordedFinding) -> Fate:
    if before.value is None or after.value is None:
        return "unchanged"
    change = after.value - before.value
    if abs(change) <= _LEAST_CHANGE * max(abs(before.value), abs(after.value)):
        return "unchanged"
    is_worse = change > 0 if before.direction == "above" else change < 0
    return "worse" if is_worse else "better"


def compare_figures(
    before: Sequence[RunRecord], after: Sequence[RunRecord]
) -> tuple[FigureChange, ...]:
    """Figures of either side, key figures of a report first."""
    sides = [_collect_figures(records) for records in (before, after)]
    names = dict.fromkeys((*sides[0], *sides[1]))
    found = []
    for name in names:
        each = [side.get(name, []) for side in sides]
        one = (each[0] or each[1])[0]
        values = [median(figure.value for figure in own) if own else None for own in each]
        is_key = any(figure.is_key for own in each for figure in own)
        found.append(
            FigureChange(name, one.title, one.unit, one.better, values[0], values[1], is_key)
        )
    return tuple(sorted(found, key=lambda one: not one.is_key))


def _collect_figures(records: Sequence[RunRecord]) -> dict[str, list[RecordedFigure]]:
    found: dict[str, list[RecordedFigure]] = {}
    for record in records:
        for figure in record.figures:
            found.setdefault(figure.name, []).append(figure)
    return found
