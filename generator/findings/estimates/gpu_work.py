"""Bounds on one kind of GPU operations where no trace tells when they ran.

In:  what a change saves of the summed time of copies or of kernels, and the results of a run.
Out: an `Estimate` of run time, or else of GPU-operation time; None where an input is missing.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

from generator.findings.estimates.bounds import Weaker, amdahl, estimate
from generator.findings.estimates.ledger import COPIES, KERNELS
from generator.findings.terms.finding import Estimate
from generator.findings.terms.whole import Whole
from generator.metrics.model import Results
from generator.metrics.values import measured

_AT_LEAST = "The run took at least the time of its busiest thread."


@dataclass(frozen=True)
class Local:
    """What a change saves of the summed time of the operations that it concerns."""

    saved: float
    """At most [ratio]."""
    formula: str
    assumptions: tuple[str, ...]
    weaker: tuple[float, str, str] | None = None
    """The same under a weaker assumption, that assumption, and its formula."""


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
    reduction = amdahl(scale, amdahl(part, local.saved))
    weaker = None
    if local.weaker is not None:
        share, condition, formula = local.weaker
        weaker = Weaker(amdahl(scale, amdahl(part, share)), condition, formula)
    return estimate(
        reduction,
        whole,
        f"{local.formula} / {of}",
        (*local.assumptions, *((_AT_LEAST,) if busy is not None else ())),
        weaker=weaker,
        where=COPIES if kind == "copy" else KERNELS,
    )
