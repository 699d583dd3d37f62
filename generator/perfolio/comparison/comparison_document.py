"""Two groups of run records compared: the content of comparison.json.

In:  run records before and after. Out: a dictionary that JSON can hold; renderers and pages read
     nothing else. Times are integer nanoseconds, per iteration and GPU (or main thread).
"""

from __future__ import annotations

import json
from collections.abc import Callable, Collection, Mapping, Sequence
from dataclasses import asdict
from pathlib import Path
from statistics import median
from typing import Any, cast

import perfolio
from perfolio.common.errors import UsageError
from perfolio.comparison.comparability import (
    ConditionCheck,
    check_conditions,
    list_differences_that_matter,
)
from perfolio.comparison.counted_gate import is_as_long
from perfolio.comparison.difference_causes import find_causes, find_clock_change
from perfolio.comparison.finding_changes import compare_figures, compare_findings
from perfolio.comparison.gate import drop_repeated
from perfolio.comparison.kernel_matching import compute_matched_share, measure_matches
from perfolio.comparison.promise_record import describe_outcome
from perfolio.comparison.promises import judge_promises
from perfolio.comparison.run_evidence import RunDifference, find_order, judge_times
from perfolio.comparison.run_record import CountedFigure, RunRecord
from perfolio.comparison.verdict_sentences import write_notes, write_verdict
from perfolio.comparison.waterfall import Waterfall, WaterfallRow, make_waterfall, sum_parts

SCHEMA = "perfolio-comparison/1"
_SCHEMA_FILE = Path(__file__).parent / "schema" / "comparison-1.schema.json"
_REPORTED = ("time.iteration_median", "time.wall")
"""Metrics by which reports without their recording are compared: the first that all have."""
_NANO = 1e9


def load_comparison_schema() -> dict[str, Any]:
    """The JSON Schema of the document."""
    return cast(dict[str, Any], json.loads(_SCHEMA_FILE.read_text(encoding="utf-8")))


def compare_runs(
    before: Sequence[RunRecord],
    after: Sequence[RunRecord],
    asked: float = 0.0,
    took: Collection[str] = (),
    names: Mapping[str, str] | None = None,
) -> dict[str, Any]:
    """The document of two groups of runs; `asked` is the least difference to be told [ratio].

    `names` say what groups are called, by side: before, after; else they have that of a run.

    `took` names steps of the report before that were taken, whatever the runs tell. Repeats that
    are the same recording count once. Raises
    UsageError where a side is empty, the sides have no time in common, or there is no such step.
    """
    for name, side in (("before", before), ("after", after)):
        if not side:
            raise UsageError(f"{name}: holds no run", hint="give a profile, a store or a record")
    given, (before, after) = len(before) + len(after), map(drop_repeated, (before, after))
    repeated = given - len(before) - len(after)
    checks = check_conditions(before, after)
    basis, times = _choose_times(before, after)
    difference = judge_times(*times, asked)
    waterfall = _make_waterfall(before, after, basis)
    verdict = _make_verdict(before, after, checks, difference)
    document = {
        "schema": SCHEMA,
        "perfolio": perfolio.__version__,
        "names": _name_sides({"before": before, "after": after}, names or {}),
        "before": [_describe_run(record) for record in before],
        "after": [_describe_run(record) for record in after],
        "verdict": {"kind": verdict, "sentence": "", "details": []},
        "difference": _describe_difference(difference, before, after),
        "whole": _describe_whole(basis, times, waterfall, before),
        "comparability": [asdict(check) for check in checks],
        **_describe_time(waterfall, before, after),
        "counted": _compare_counted(before, after),
        "figures": [asdict(figure) for figure in compare_figures(before, after)],
        "findings": [asdict(change) for change in compare_findings(before, after)],
        "promises": [
            describe_outcome(outcome) for outcome in judge_promises(before, after, took).steps
        ],
    }
    document["verdict"] = {
        "kind": verdict,
        "sentence": write_verdict(document),
        "details": write_notes(document, repeated),
    }
    return document


def _name_sides(
    sides: Mapping[str, Sequence[RunRecord]], names: Mapping[str, str]
) -> dict[str, str]:
    return {side: _name_side(group, names.get(side, "")) for side, group in sides.items()}


def _name_side(group: Sequence[RunRecord], name: str) -> str:
    """A run by its own name; a group by what it is called, else by its first run."""
    first, more = group[0].slug, len(group) - 1
    if not more:
        return first
    return f"{name} ({more + 1} runs)" if name else f"{first} and {more} more"


def _choose_times(
    before: Sequence[RunRecord], after: Sequence[RunRecord]
) -> tuple[str, tuple[list[float], list[float]]]:
    """What is compared, and its time in each run on both sides [ns]."""
    records = (*before, *after)
    wholes = [record.whole for record in records if record.whole is not None]
    if len(wholes) == len(records):
        if all(whole.basis == "iteration" for whole in wholes):
            return "iteration", _take_times(before, after, _take_median)
        return "wall", _take_times(before, after, _take_wall)
    for name in _REPORTED:
        sides = [[_find_figure(record, name) for record in records] for records in (before, after)]
        if all(value is not None and value > 0.0 for side in sides for value in side):
            found = [[(value or 0.0) * _NANO for value in side] for side in sides]
            return f"figure {name}", (found[0], found[1])
    raise UsageError(
        "the runs have no time in common: neither an iteration nor a wall time",
        hint="compare recordings with traces, or reports of one kind",
    )


def _take_times(
    before: Sequence[RunRecord], after: Sequence[RunRecord], take: Callable[[RunRecord], float]
) -> tuple[list[float], list[float]]:
    return [take(record) for record in before], [take(record) for record in after]


def _take_median(record: RunRecord) -> float:
    return float(median(record.whole.durations_ns)) if record.whole else 0.0


def _take_wall(record: RunRecord) -> float:
    return float(record.whole.wall_ns) if record.whole else 0.0


def _find_figure(record: RunRecord, name: str) -> float | None:
    return next((one.value for one in record.figures if one.name == name), None)


def _make_waterfall(
    before: Sequence[RunRecord], after: Sequence[RunRecord], basis: str
) -> Waterfall | None:
    """None where the time of the sides is not divided alike."""
    wholes = [record.whole for record in (*before, *after)]
    kinds = {(whole.basis, whole.of) if whole is not None else None for whole in wholes}
    if len(kinds) != 1 or None in kinds or basis.startswith("figure"):
        return None
    return make_waterfall(before, after)


def _make_verdict(
    before: Sequence[RunRecord],
    after: Sequence[RunRecord],
    checks: Sequence[ConditionCheck],
    difference: RunDifference,
) -> str:
    if list_differences_that_matter(checks):
        return "not-comparable"
    first, second = ({record.digest for record in side} - {""} for side in (before, after))
    if first and first == second:
        return "no-difference"
    return "recordings-differ" if first & second else difference.kind


def _describe_run(record: RunRecord) -> dict[str, Any]:
    whole = record.whole
    return {
        "slug": record.slug,
        "digest": record.digest,
        "tool": record.tool,
        "recorded": record.recorded,
        "time_ns": round(_take_median(record)) if whole and whole.basis == "iteration" else None,
        "wall_ns": whole.wall_ns if whole else None,
        "iterations": whole.iterations if whole and whole.basis == "iteration" else None,
        "lanes": whole.lanes if whole else None,
        "doubts": list(whole.doubts) if whole else [],
    }


def _describe_difference(
    difference: RunDifference, before: Sequence[RunRecord], after: Sequence[RunRecord]
) -> dict[str, Any]:
    found = asdict(difference)
    found.pop("kind")
    moments = [[record.recorded for record in side] for side in (before, after)]
    return found | {"runs": list(difference.runs), "order": find_order(*moments)}


def _describe_whole(
    basis: str,
    times: tuple[list[float], list[float]],
    waterfall: Waterfall | None,
    before: Sequence[RunRecord],
) -> dict[str, Any]:
    """What is divided: sums of the waterfall, else medians over runs."""
    sides = [round(median(side)) for side in times]
    if waterfall is not None:
        sides = [waterfall.before_ns, waterfall.after_ns]
    whole = before[0].whole
    return {
        "basis": basis,
        "of": whole.of if whole is not None and waterfall is not None else None,
        "before": sides[0],
        "after": sides[1],
        "difference": sides[1] - sides[0],
        "median_before": round(median(times[0])),
        "median_after": round(median(times[1])),
    }


def _describe_time(
    waterfall: Waterfall | None, before: Sequence[RunRecord], after: Sequence[RunRecord]
) -> dict[str, Any]:
    if waterfall is None:
        return {
            "waterfall": [],
            "parts": [],
            "causes": [],
            "clock": None,
            "matched_share": {"before": None, "after": None},
            "matching": [],
            "ranks": [],
        }
    matches = measure_matches(waterfall.works)
    shares = compute_matched_share(matches)
    clock = find_clock_change(waterfall.works, before, after)
    return {
        "waterfall": [_describe_row(row) for row in waterfall.rows],
        "parts": [
            {"part": part, "kind": kind, "before": first, "after": second, "difference": change}
            for part, kind, first, second in sum_parts(waterfall.rows)
            for change in [second - first]
        ],
        "causes": [
            {**asdict(cause.key), "difference": cause.difference_ns}
            for cause in find_causes(waterfall, before, after)
        ],
        "clock": asdict(clock) if clock is not None else None,
        "matched_share": {"before": shares[0], "after": shares[1]},
        "matching": [
            {"stage": stage, "before": round(first), "after": round(second)}
            for stage, (first, second) in matches.items()
        ],
        "ranks": _compare_ranks(before, after),
    }


def _describe_row(row: WaterfallRow) -> dict[str, Any]:
    key = row.key
    return {
        "part": key.part,
        "kind": key.kind,
        "name": key.short or key.kind,
        "full_name": key.name,
        "path": list(key.path),
        "shapes": key.shapes,
        "matched_by": row.stage,
        "change": row.change,
        "before": row.before_ns,
        "after": row.after_ns,
        "difference": row.difference_ns,
        "by_calls": row.by_calls_ns,
        "by_duration": row.by_duration_ns,
        "calls_before": float(row.calls_before),
        "calls_after": float(row.calls_after),
    }


def _compare_ranks(before: Sequence[RunRecord], after: Sequence[RunRecord]) -> list[dict[str, Any]]:
    """Parts of each rank per iteration, the mean over runs [ns]."""
    sides = [_average_ranks(records) for records in (before, after)]
    return [
        {"rank": rank, "before": sides[0].get(rank, {}), "after": sides[1].get(rank, {})}
        for rank in sorted(sides[0].keys() | sides[1].keys())
    ]


def _average_ranks(records: Sequence[RunRecord]) -> dict[int, dict[str, int]]:
    summed: dict[int, dict[str, float]] = {}
    for record in records:
        units = record.whole.iterations * len(records) if record.whole else 1
        for one in record.ranks:
            held = summed.setdefault(one.rank, {})
            for part, spent in one.parts.items():
                held[part] = held.get(part, 0.0) + spent / units
    return {
        rank: {part: round(value) for part, value in parts.items()}
        for rank, parts in summed.items()
    }


def _compare_counted(
    before: Sequence[RunRecord], after: Sequence[RunRecord]
) -> list[dict[str, Any]]:
    """Counted figures that a side has; those of runs that do not agree are told as such."""
    names = dict.fromkeys(name for record in (*before, *after) for name in record.counted)
    found = []
    for name in names:
        sides = [[record.counted.get(name) for record in side] for side in (before, after)]
        first, second = (_agree_on_count(side) for side in sides)
        known = next((one for one in (first, second) if one is not None), None)
        if known is not None:
            alike = known.per != "run" or is_as_long(name, before, after)
            found.append(_describe_count(name, (first, second), known, is_alike=alike))
    return found


def _agree_on_count(figures: Sequence[CountedFigure | None]) -> CountedFigure | None:
    """The figure of all runs of a side; that of the middle run where they differ."""
    known = [one for one in figures if one is not None and one.value is not None]
    if len(known) < len(figures):
        return None
    return sorted(known, key=lambda one: one.value or 0)[(len(known) - 1) // 2]


def _describe_count(
    name: str,
    figures: tuple[CountedFigure | None, CountedFigure | None],
    known: CountedFigure,
    *,
    is_alike: bool,
) -> dict[str, Any]:
    """A figure of both sides; of one that is per something else on a side only the known one."""
    values = [one.value if one is not None and one.per == known.per else None for one in figures]
    before, after = values
    both = is_alike and before is not None and after is not None
    return {
        "name": name,
        "per": known.per,
        "unit": known.unit,
        "before": before,
        "after": after,
        "difference": (after or 0) - (before or 0) if both else None,
    }
