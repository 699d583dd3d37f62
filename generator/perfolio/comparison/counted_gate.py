"""Counted figures of runs against those of a baseline: exact, so that one run is enough.

In:  the records of both groups. Out: a `GateFigure` for each figure, and why nothing is judged.

A figure is worse where every iteration of the checked runs has more than any of the baseline. So
one that differs between iterations or repeats, as copies that a rank makes ahead, fails nobody
without a change, and one that is always the same fails by one.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from statistics import median_low

from perfolio.common.units import quantity
from perfolio.comparison.comparability import check_conditions, list_differences_that_matter
from perfolio.comparison.counted_figures import NAMES
from perfolio.comparison.gate_verdict import FigureOutcome, GateFigure
from perfolio.comparison.recording_conditions import describe_setting
from perfolio.comparison.run_record import CountedFigure, RunRecord

TITLES: Mapping[str, str] = {
    "launches": "Launches",
    "kernels": "Kernels",
    "copies": "Copies",
    "memsets": "Memory sets",
    "collectives": "Collectives",
    "synchronisations": "Synchronisations",
    "allocations": "Allocations",
    "recompilations": "Recompilations",
    "bytes_h2d": "Bytes copied from host to GPU",
    "bytes_d2h": "Bytes copied from GPU to host",
    "bytes_d2d": "Bytes copied within a GPU",
    "bytes_p2p": "Bytes copied between GPUs",
    "peak_memory": "Peak of GPU memory",
}
"""What each figure is called."""
_ANY_LENGTH = frozenset({"recompilations", "peak_memory"})
"""Figures of a run that do not grow with its iterations."""
TOLD = frozenset({"copies", "memsets"})
"""Figures that fail nobody: fused work often has more of them, and bytes are judged."""
_NOT_MEASURED = "not measured"


def list_differences(before: Sequence[RunRecord], after: Sequence[RunRecord]) -> list[str]:
    """What makes the counts of two groups those of different work, a few words each."""
    return [
        f"{check.title}: {describe_setting(check.name, check.before)} before, "
        f"{describe_setting(check.name, check.after)} now"
        for check in list_differences_that_matter(check_conditions(before, after))
    ]


def find_unlike(records: Sequence[RunRecord]) -> str:
    """The first condition in which runs differ that are to be repeats; empty where none does."""
    checks = list_differences_that_matter(check_conditions(records, records))
    for check in checks[:1]:
        return f"{check.title}: {describe_setting(check.name, check.before)}"
    return ""


def judge_counts(before: Sequence[RunRecord], after: Sequence[RunRecord]) -> list[GateFigure]:
    """All counted figures, those of nobody included."""
    return [_judge_figure(name, before, after) for name in NAMES]


def _judge_figure(name: str, before: Sequence[RunRecord], after: Sequence[RunRecord]) -> GateFigure:
    title = TITLES[name]
    sides = [list(_list_measured(name, records)) for records in (before, after)]
    if reason := _find_reason(name, sides, (before, after)):
        return GateFigure(name, title, "unknown", reason=reason)
    per, unit = sides[0][0].per, sides[0][0].unit
    titled = f"{title} in an iteration" if per == "iteration" else title
    before_range, after_range = (_find_range(side) for side in sides)
    outcome, told = _compare_ranges(before_range, after_range, sides)
    if outcome in ("worse", "better") and name in TOLD:
        outcome = "told"
    varies = before_range[0] < before_range[1] or after_range[0] < after_range[1]
    ends = " to ".join(quantity(end, unit) for end in before_range)
    reason = f"Iterations or repeats differ: {ends} before" if varies else ""
    return GateFigure(name, titled, outcome, unit, *told, reason)


def _find_range(figures: Sequence[CountedFigure]) -> tuple[int, int]:
    """The least and the most of all iterations of these runs."""
    usual = [figure.value or 0 for figure in figures]
    low = [usual[place] if one.least is None else one.least for place, one in enumerate(figures)]
    high = [usual[place] if one.most is None else one.most for place, one in enumerate(figures)]
    return min(low), max(high)


def _compare_ranges(
    before: tuple[int, int], after: tuple[int, int], sides: Sequence[Sequence[CountedFigure]]
) -> tuple[FigureOutcome, tuple[int, int]]:
    """The outcome, and both numbers that show it: the near ends, or the usual ones."""
    if after[0] > before[1]:
        return "worse", (before[1], after[0])
    if after[1] < before[0]:
        return "better", (before[0], after[1])
    usual = [median_low(figure.value or 0 for figure in side) for side in sides]
    return "same" if usual[0] == usual[1] else "told", (usual[0], usual[1])


def _list_measured(name: str, records: Iterable[RunRecord]) -> Iterator[CountedFigure]:
    for record in records:
        figure = record.counted.get(name)
        if figure is not None and figure.value is not None:
            yield figure


def _find_reason(
    name: str,
    sides: Sequence[Sequence[CountedFigure]],
    records: tuple[Sequence[RunRecord], Sequence[RunRecord]],
) -> str:
    """Why a figure is not judged; empty where it is."""
    before, after = sides
    if not before or not after:
        where = "" if not before and not after else " before" if not before else " now"
        return f"{_NOT_MEASURED}{where}"
    if len({(figure.per, figure.unit) for side in sides for figure in side}) > 1:
        return f"{_NOT_MEASURED} alike: of an iteration in some runs, of the whole run in others"
    if before[0].per == "run" and not is_as_long(name, *records):
        return f"{_NOT_MEASURED} alike: of whole runs with different numbers of iterations"
    return ""


def is_as_long(name: str, before: Iterable[RunRecord], after: Iterable[RunRecord]) -> bool:
    """Whether a figure of whole runs is of as many iterations on both sides, or of any number."""
    lengths = [{one.conditions.get("iterations") for one in side} for side in (before, after)]
    return name in _ANY_LENGTH or lengths[0] == lengths[1]
