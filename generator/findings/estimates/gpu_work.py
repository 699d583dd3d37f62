"""A bound on one kind of GPU operations as one on the wider whole that they are a part of.

In:  what a change saves of the summed time of copies or of kernels, and the results of a run.
Out: an `Estimate` of time on the clock where a trace has it, else of run time or of
     GPU-operation time, or None where an input is missing.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace

from generator.findings.estimates import clock
from generator.findings.estimates.bounds import Weaker, amdahl, estimate, hidden, of_time, per_gpu
from generator.findings.terms.finding import Estimate
from generator.findings.terms.whole import Whole
from generator.metrics.model import Results
from generator.metrics.values import measured


@dataclass(frozen=True)
class Operations:
    """The metrics of one kind of GPU operations: summed, and as part of wall time."""

    share: str
    summed: str
    exposed: str
    called: str


@dataclass(frozen=True)
class Local:
    """What a change saves of the summed time of the operations that it concerns."""

    saved: float
    """At most [ratio]."""
    formula: str
    assumptions: tuple[str, ...]
    weaker: float | None = None
    """Under a weaker assumption [ratio]."""
    weaker_if: str = ""
    weaker_formula: str = ""


def of_gpu_work(results: Results, part: Operations, local: Local) -> Estimate | None:
    """A bound on one kind of GPU operations: of time on the clock, or else of GPU work."""
    whole, exposed = clock.elapsed(results), measured(results, part.exposed)
    summed = measured(results, part.summed)
    if whole is None or exposed is None or summed is None:
        return _of_sums(results, measured(results, part.share), local)
    return _estimate(
        local,
        lambda saved: of_time(hidden(saved * per_gpu(summed, results), exposed), whole.amount),
        whole,
        f"smaller of {local.formula} and {part.called} / {whole.short}",
    )


def _of_sums(results: Results, of_work: float | None, local: Local) -> Estimate | None:
    """Without a trace: of run time where that has a lower bound, else of GPU-operation time."""
    busy, work = (measured(results, name) for name in ("gpu.busy_at_most", "gpu.operation_time"))
    if of_work is None:
        return None
    if busy is None:
        whole = Whole("gpu_work", work)
        return _estimate(
            local, lambda saved: amdahl(of_work, saved), whole, f"{local.formula} / {whole.short}"
        )
    at_least = replace(
        local,
        assumptions=(*local.assumptions, "The run took at least the time of its busiest thread."),
    )
    return _estimate(
        at_least,
        lambda saved: amdahl(busy, amdahl(of_work, saved)),
        Whole("run_time", work / busy if work is not None and busy > 0.0 else None),
        f"{local.formula} / least possible run time",
    )


def _estimate(
    local: Local,
    share_of_whole: Callable[[float], float],
    whole: Whole,
    formula: str,
) -> Estimate | None:
    weaker = local.weaker
    return estimate(
        share_of_whole(local.saved),
        whole,
        formula,
        local.assumptions,
        weaker=None
        if weaker is None
        else Weaker(share_of_whole(weaker), local.weaker_if, local.weaker_formula),
    )
