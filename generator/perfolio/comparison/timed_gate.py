"""Times of runs against those of a base that was recorded in turn with them, in one job.

In:  the records of both groups. Out: a `GateFigure`, and why it says nothing.

The machine of another day differs by 2 to 3 %: against a stored baseline 15 to 24 % of unchanged
jobs would fail, however many repeats there are. So times of those are told, and gate nothing.
"""

from __future__ import annotations

from collections.abc import Sequence
from statistics import geometric_mean, median

from perfolio.common.units import format_threshold, quantity
from perfolio.comparison.gate_verdict import GateFigure
from perfolio.comparison.run_evidence import LEAST_RUNS, find_order, judge_times
from perfolio.comparison.run_record import RunRecord

FLOOR = 0.03
"""Least slowdown that fails, unless the user asks for more [ratio]."""
_NAME = "time"
_NANO = 1e-9
_BLOCKS = (
    "times say nothing, since all runs of one side were recorded before those of the other: "
    "record them in turn"
)


def measure_run_time(record: RunRecord) -> float | None:
    """The median of a run's iterations, or its wall time [s]; None where it has no times."""
    whole = record.whole
    if whole is None:
        return None
    usual = median(whole.durations_ns) if whole.basis == "iteration" else whole.wall_ns
    return usual * _NANO if usual > 0 else None


def tell_times(before: Sequence[RunRecord], after: Sequence[RunRecord]) -> GateFigure:
    """Times against runs of another job: for information."""
    if reason := _find_reason(before, after):
        return GateFigure(_NAME, "Time", "unknown", reason=f"not measured: {reason}")
    first, second = _take_times(before), _take_times(after)
    return GateFigure(
        _NAME, _name_time(after), "told", "s", geometric_mean(first), geometric_mean(second),
        "For information: a machine differs from day to day by more than most changes",
    )  # fmt: skip


def judge_run_times(
    before: Sequence[RunRecord], after: Sequence[RunRecord], floor: float = FLOOR
) -> tuple[GateFigure, str]:
    """Times against a base of the same job, and why there is no verdict; empty where there is one.

    Slower is what a comparison calls so (`run_evidence`), and at least `floor` [ratio]. One side of
    its two at 2.5 % each: at 5 % 3.4 % of unchanged jobs would fail where runs differ by 3 %.
    """
    if reason := _find_reason(before, after) or _find_doubt(before, after):
        return GateFigure(_NAME, "Time", "unknown", reason=reason), reason
    first, second = _take_times(before), _take_times(after)
    found = judge_times(first, second, floor)
    slower = found.kind == "slower"
    faster = found.kind == "faster"
    least = found.least_detectable
    shown = f"So many repeats show {quantity(least, 'ratio')}. " if least else ""
    return GateFigure(
        _NAME, _name_time(after), "worse" if slower else "better" if faster else "same", "s",
        geometric_mean(first), geometric_mean(second),
        f"{shown}A slowdown fails from {format_threshold(found.floor, 'ratio')} on",
    ), ""  # fmt: skip


def _find_reason(before: Sequence[RunRecord], after: Sequence[RunRecord]) -> str:
    """Why times of both sides are not of the same kind; empty where they are."""
    if any(measure_run_time(record) is None for record in (*before, *after)):
        return "a run has no times"
    kinds = {(one.whole.basis, one.whole.of) for one in (*before, *after) if one.whole is not None}
    if len(kinds) > 1:
        return "times of some runs are of iterations, and of others not"
    return ""


def _find_doubt(before: Sequence[RunRecord], after: Sequence[RunRecord]) -> str:
    fewest = min(len(before), len(after))
    if fewest < LEAST_RUNS:
        return (
            f"times need {LEAST_RUNS} runs on each side, and there are {len(before)} of the base "
            f"and {len(after)} to check"
        )
    if {one.digest for one in before} & {one.digest for one in after}:
        return "times say nothing, since the same recording is on both sides"
    moments = ([record.recorded for record in side] for side in (before, after))
    return _BLOCKS if find_order(*moments) == "blocks" else ""


def _take_times(records: Sequence[RunRecord]) -> list[float]:
    return [time for record in records if (time := measure_run_time(record)) is not None]


def _name_time(records: Sequence[RunRecord]) -> str:
    whole = records[0].whole
    return "Time of an iteration" if whole and whole.basis == "iteration" else "Wall time"
