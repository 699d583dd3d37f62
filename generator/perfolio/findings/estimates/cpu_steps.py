"""Bounds on what main threads do in the steps of a training on processors.

In:  the share of a part of the steps (`steps.parts`) and the results of a run.
Out: an `Estimate` of a step, or None where nothing bounds it.

Shares are of all steps together, so of the mean step; the median one may be shorter where a few
take long. The profiler makes short operators longer. A part may therefore be a larger share of a
step without the profiler, or a smaller one: the bound takes the larger of both, where the author of
profile.toml measured the step without it.
"""

from __future__ import annotations

from perfolio.findings.estimates.bound_formulas import (
    compute_time_share,
    find_interval,
    make_estimate,
)
from perfolio.findings.model.denominator import BoundWhole
from perfolio.findings.model.finding import Estimate, Estimator, Refusal
from perfolio.metrics.metric_values import get_number, get_value, index_rows
from perfolio.metrics.model import Results

_GONE = "That part takes no time at all any more, and every other part takes as long as now."
_RECORDED = (
    "Shares are of the step as recorded: with the profiler, which makes short operators longer."
)
_LARGER = (
    "The share is the larger one of two: of the step as recorded, and of the step as it was timed "
    "without the profiler."
)
_AROUND = (
    "Time in no operator may be input's as well: batches are freed there, and threads wake up."
)
_SLOWED = (
    "With the profiler this part takes longer than a whole step takes without it: how much of a "
    "step it is cannot be told from this recording."
)
_CORES = "Work that moves to other processes takes no core from the training."


def _make_estimator(part: str, *assumptions: str, also: str = "") -> Estimator:
    """The estimator of a part of the steps, by what it is called."""

    def bounded(metric: str, value: float, results: Results) -> Estimate | Refusal | None:
        rows = index_rows(results, "steps.parts", "part")
        of_steps = find_interval(results, metric, value)
        share = of_steps.high + get_number(rows.get(also, {}), "share")
        recorded = sum(get_number(row, "time") for row in rows.values())
        plain = get_value(results, "steps.unprofiled")
        alone = compute_time_share(share * recorded, plain)
        if alone >= 1.0:
            return Refusal(_SLOWED)
        return make_estimate(
            max(share, alone),
            BoundWhole("main", None, plain or recorded or None, name="a step"),
            f"{of_steps.upper}mean time per step {part} / mean time per step",
            (_GONE, *assumptions, _LARGER if alone else _RECORDED),
        )

    return bounded


input_of_steps = _make_estimator(
    "on input data and in no operator", _CORES, _AROUND, also="in no operator"
)
operator_of_steps = _make_estimator("in that operator")
optimizer_of_steps = _make_estimator("in the optimizer")
attention_of_steps = _make_estimator("in attention by single operators")
fusable_of_steps = _make_estimator("in other operators and in none")
