"""Bounds from effects: what they take of the cells of a run, and of its iterations.

In:  effects, the whole that a bound is a share of, and the results of a run with a trace.
Out: an `Estimate`, or shares of that whole.
"""

from __future__ import annotations

from collections.abc import Sequence

from generator.findings.estimates.bounds import Weaker, estimate, of_time, share
from generator.findings.estimates.clock import steady_time
from generator.findings.estimates.ledger import COMPLETE, STEADY, ledger, within
from generator.findings.terms.effect import Effect, saved, total
from generator.findings.terms.finding import Estimate, EstimateKind
from generator.findings.terms.whole import Whole
from generator.metrics.model import Results


def gain(  # noqa: PLR0913 - as `estimate`
    effects: Sequence[Effect],
    of: Whole,
    formula: str,
    assumptions: tuple[str, ...],
    results: Results,
    *,
    kind: EstimateKind = "gain",
    weaker: Weaker | None = None,
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
