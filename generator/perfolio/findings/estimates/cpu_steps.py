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
    ShareInterval,
    compute_time_share,
    find_interval,
    make_estimate,
)
from perfolio.findings.estimates.estimator_catalog import GainEstimator
from perfolio.findings.model.denominator import BoundWhole
from perfolio.findings.model.finding import Estimate, Refusal
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


@GainEstimator
def bound_input_of_steps(metric: str, share: float, results: Results) -> Estimate | Refusal | None:
    """No work on input data, nor any time in no operator, where batches are freed."""
    rows = index_rows(results, "steps.parts", "part")
    around = get_number(rows.get("in no operator", {}), "share")
    part, of_steps = "on input data and in no operator", find_interval(results, metric, share)
    return _bound_part(part, of_steps, results, (_CORES, _AROUND), around=around)


@GainEstimator
def bound_operator_of_steps(
    metric: str, share: float, results: Results
) -> Estimate | Refusal | None:
    """The operator that takes most of a step gone."""
    return _bound_part("in that operator", find_interval(results, metric, share), results)


@GainEstimator
def bound_optimizer_of_steps(
    metric: str, share: float, results: Results
) -> Estimate | Refusal | None:
    """The optimizer gone."""
    return _bound_part("in the optimizer", find_interval(results, metric, share), results)


@GainEstimator
def bound_attention_of_steps(
    metric: str, share: float, results: Results
) -> Estimate | Refusal | None:
    """Attention by single operators gone."""
    part = "in attention by single operators"
    return _bound_part(part, find_interval(results, metric, share), results)


@GainEstimator
def bound_fusable_of_steps(
    metric: str, share: float, results: Results
) -> Estimate | Refusal | None:
    """Operators that could be fused gone, and what passes between them."""
    part = "in other operators and in none"
    return _bound_part(part, find_interval(results, metric, share), results)


def _bound_part(
    part: str,
    of_steps: ShareInterval,
    results: Results,
    assumptions: tuple[str, ...] = (),
    *,
    around: float = 0.0,
) -> Estimate | Refusal | None:
    """A part of the steps gone, with a further share of them `around` it."""
    share = of_steps.high + around
    rows = index_rows(results, "steps.parts", "part")
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
