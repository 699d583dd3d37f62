"""Bounds from what goes: effects on the cells of a trace, or a share of durations without one.

In:  effects, or what a change saves of the time of copies or kernels; results of a run.
Out: an `Estimate`, or shares of its whole; None where an input is missing.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Literal

from perfolio.findings.estimates.bound_formulas import Weaker, amdahl, estimate, of_time, share
from perfolio.findings.estimates.time_ledger import (
    COMPLETE,
    COPIES,
    KERNELS,
    STEADY,
    ledger,
    within,
)
from perfolio.findings.estimates.wall_clock import steady_time
from perfolio.findings.model.change_effect import Effect, saved, total
from perfolio.findings.model.denominator import Whole
from perfolio.findings.model.finding import Estimate, EstimateKind
from perfolio.metrics.metric_values import measured
from perfolio.metrics.model import Results


def gain(  # noqa: PLR0913 - as `estimate`
    effects: Sequence[Effect],
    of: Whole,
    formula: str,
    assumptions: tuple[str, ...],
    results: Results,
    *,
    kind: EstimateKind = "gain",
    weaker: Weaker | None = None,
    wider: float | None = None,
    is_told: bool = True,
) -> Estimate | None:
    """What effects save of a whole at most; None where they save nothing, or all of it."""
    return estimate(
        reduced(effects, of, results),
        of,
        formula,
        assumptions,
        kind=kind,
        weaker=weaker,
        wider=wider,
        is_told=is_told,
        effects=effects,
        saved=saved(effects, ledger(results)),
        steady=_of_steady(effects, of, results),
    )


def weaker(
    effects: Sequence[Effect], of: Whole, condition: str, formula: str, results: Results
) -> Weaker:
    """What fewer effects save of the same whole."""
    reduction = reduced(effects, of, results)
    return Weaker(reduction, condition, formula, _of_steady(effects, of, results))


def reduced(effects: Sequence[Effect], of: Whole, results: Results) -> float:
    """The share of a whole that effects save: of an iteration that of complete ones [ratio]."""
    cells = ledger(results)
    if of.kind != "iteration":
        return of_time(saved(effects, cells), of.amount)
    return of_time(saved(effects, within(cells, COMPLETE)), total(cells, COMPLETE))


def _of_steady(effects: Sequence[Effect], of: Whole, results: Results) -> float | None:
    """Of a whole run: what effects save of its steady iterations; None where it is nothing."""
    steady = steady_time(results) if of.of_the_run else None
    found = 0.0 if steady is None else saved(effects, within(ledger(results), STEADY))
    return share(found / steady) if steady and found > 0.0 else None


_AT_LEAST = "The run took at least the time of its busiest thread."


@dataclass(frozen=True)
class Local:
    """What a change saves of the summed time of the operations that it concerns."""

    saved: float
    """At most [ratio]."""
    formula: str
    assumptions: tuple[str, ...]
    weaker: Weaker | None = None


def of_sums(results: Results, kind: Literal["copy", "kernel"], local: Local) -> Estimate | None:
    """A bound of run time where that has a lower bound, else of GPU-operation time."""
    part = measured(results, f"gpu.{kind}_share")
    busy, work = (measured(results, name) for name in ("gpu.busy_at_most", "gpu.operation_time"))
    if part is None:
        return None
    whole, of = Whole("gpu_work", work), "GPU-operation time"
    if busy is not None:
        of = "least possible run time"
        whole = Whole("run_time", work / busy if work is not None and busy > 0.0 else None)
    scale = 1.0 if busy is None else busy
    less = local.weaker
    if less is not None:
        less = replace(less, reduction=amdahl(scale, amdahl(part, less.reduction)))
    return estimate(
        amdahl(scale, amdahl(part, local.saved)),
        whole,
        f"{local.formula} / {of}",
        (*local.assumptions, *((_AT_LEAST,) if busy is not None else ())),
        weaker=less,
        where=COPIES if kind == "copy" else KERNELS,
    )
