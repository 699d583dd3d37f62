"""Bounds from what goes: effects on the cells of a trace, or a share of durations without one.

In:  effects, or what a change saves of the time of copies or kernels; results of a run.
Out: an `Estimate`, or shares of its whole; None where an input is missing.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Literal

from perfolio.findings.estimates.bound_formulas import (
    WeakerBound,
    apply_amdahl,
    clamp_share,
    compute_time_share,
    make_estimate,
)
from perfolio.findings.estimates.time_ledger import (
    COMPLETE,
    COPIES,
    KERNELS,
    STEADY,
    read_ledger,
    select_cells,
)
from perfolio.findings.estimates.wall_clock import measure_steady_time
from perfolio.findings.model.change_effect import ChangeEffect, compute_saved, sum_cells
from perfolio.findings.model.denominator import BoundWhole
from perfolio.findings.model.finding import Estimate, EstimateKind
from perfolio.metrics.metric_values import get_value
from perfolio.metrics.model import Results


def make_gain(  # noqa: PLR0913 - as `estimate`
    effects: Sequence[ChangeEffect],
    of: BoundWhole,
    formula: str,
    assumptions: tuple[str, ...],
    results: Results,
    *,
    kind: EstimateKind = "gain",
    weaker: WeakerBound | None = None,
    wider: float | None = None,
    is_told: bool = True,
) -> Estimate | None:
    """What effects save of a whole at most; None where they save nothing, or all of it."""
    return make_estimate(
        compute_reduction(effects, of, results),
        of,
        formula,
        assumptions,
        kind=kind,
        weaker=weaker,
        wider=wider,
        is_told=is_told,
        effects=effects,
        saved=compute_saved(effects, read_ledger(results)),
        steady=_compute_steady(effects, of, results),
    )


def make_weaker_bound(
    effects: Sequence[ChangeEffect], of: BoundWhole, condition: str, formula: str, results: Results
) -> WeakerBound:
    """What fewer effects save of the same whole."""
    reduction = compute_reduction(effects, of, results)
    return WeakerBound(reduction, condition, formula, _compute_steady(effects, of, results))


def compute_reduction(effects: Sequence[ChangeEffect], of: BoundWhole, results: Results) -> float:
    """The share of a whole that effects save: of an iteration that of complete ones [ratio]."""
    cells = read_ledger(results)
    if of.kind != "iteration":
        return compute_time_share(compute_saved(effects, cells), of.amount)
    return compute_time_share(
        compute_saved(effects, select_cells(cells, COMPLETE)), sum_cells(cells, COMPLETE)
    )


def _compute_steady(
    effects: Sequence[ChangeEffect], of: BoundWhole, results: Results
) -> float | None:
    """Of a whole run: what effects save of its steady iterations; None where it is nothing."""
    steady = measure_steady_time(results) if of.of_the_run else None
    found = (
        0.0
        if steady is None
        else compute_saved(effects, select_cells(read_ledger(results), STEADY))
    )
    return clamp_share(found / steady) if steady and found > 0.0 else None


_AT_LEAST = "The run took at least the time of its busiest thread."


@dataclass(frozen=True)
class LocalSaving:
    """What a change saves of the summed time of the operations that it concerns."""

    saved: float
    """At most [ratio]."""
    formula: str
    assumptions: tuple[str, ...]
    weaker: WeakerBound | None = None


def make_summed_estimate(
    results: Results, kind: Literal["copy", "kernel"], local: LocalSaving
) -> Estimate | None:
    """A bound of run time where that has a lower bound, else of GPU-operation time."""
    part = get_value(results, f"gpu.{kind}_share")
    busy, work = (get_value(results, name) for name in ("gpu.busy_at_most", "gpu.operation_time"))
    if part is None:
        return None
    whole, of = BoundWhole("gpu_work", work), "GPU-operation time"
    if busy is not None:
        of = "least possible run time"
        whole = BoundWhole("run_time", work / busy if work is not None and busy > 0.0 else None)
    scale = 1.0 if busy is None else busy
    less = local.weaker
    if less is not None:
        less = replace(less, reduction=apply_amdahl(scale, apply_amdahl(part, less.reduction)))
    return make_estimate(
        apply_amdahl(scale, apply_amdahl(part, local.saved)),
        whole,
        f"{local.formula} / {of}",
        (*local.assumptions, *((_AT_LEAST,) if busy is not None else ())),
        weaker=less,
        where=COPIES if kind == "copy" else KERNELS,
    )
