"""The gate: is a group of runs worse than a baseline, or than a base of the same job?

In:  records of the runs to check, of a stored baseline, of a base. Out: a `GateVerdict`.

Counted figures are held against the baseline, or the base where there is none. Times are held
against the base alone: see `timed_gate`.
"""

from __future__ import annotations

from collections.abc import Sequence

from perfolio.comparison.counted_gate import judge_counts, list_differences
from perfolio.comparison.gate_verdict import GateFigure, GateVerdict
from perfolio.comparison.run_record import RunRecord
from perfolio.comparison.timed_gate import FLOOR, judge_run_times, tell_times

_NOTHING = "no counted figure was measured on both sides"


def judge_gate(
    checked: Sequence[RunRecord],
    baseline: Sequence[RunRecord],
    base: Sequence[RunRecord] = (),
    *,
    against: str,
    floor: float = FLOOR,
) -> GateVerdict:
    """Hold runs against others. Repeats that are the same recording count once."""
    runs = drop_repeated(checked)
    before, turns = drop_repeated(baseline or base), drop_repeated(base)
    known = (len(before), len(runs))
    differences = list_differences(before, runs) + (
        list_differences(turns, runs) if baseline and base else []
    )
    if differences:
        doubt = f"not comparable, {', '.join(dict.fromkeys(differences))}"
        return GateVerdict(against, known, (), (doubt,))
    figures = judge_counts(before, runs)
    judged = any(figure.outcome != "unknown" for figure in figures)
    timed, doubt = _judge_times(turns, before, runs, floor)
    doubts = [doubt] if doubt else []
    if not judged and timed.outcome not in ("worse", "same", "better"):
        doubts.insert(0, _NOTHING)
    return GateVerdict(against, known, (*figures, timed), tuple(doubts))


def drop_repeated(records: Sequence[RunRecord]) -> list[RunRecord]:
    """Records of different recordings, each once, in their order; all whose digest is not known."""
    numbered = enumerate(records)
    return list({one.digest or str(place): one for place, one in numbered}.values())


def _judge_times(
    turns: Sequence[RunRecord], before: Sequence[RunRecord], runs: Sequence[RunRecord], floor: float
) -> tuple[GateFigure, str]:
    if turns:
        return judge_run_times(turns, runs, floor)
    return tell_times(before, runs), ""
