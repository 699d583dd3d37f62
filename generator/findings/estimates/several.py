"""Bounds from means over several GPUs: what they take for granted, and where that fails.

In:  the estimate of a finding and the results of a run.
Out: the estimate, with what it assumes of GPUs; a `Refusal` where GPUs are not alike, and of
     start-up, which need not end on all at once.
"""

from __future__ import annotations

from dataclasses import replace

from generator.findings.terms.finding import Estimate, Refusal
from generator.metrics.model import Results
from generator.metrics.values import measured
from generator.units import quantity

_DIFFER = 1.25
"""From this part of the mean on, the GPU that is idle longest is another case than the rest [x]."""
_BY_RANK = frozenset(
    {"balance", "communication", "held_up", "hot_function", "late_rank", "waiting"}
)
"""Estimators without means over GPUs: of CPU threads, or of the rank that decides."""
_OF_IDLE = frozenset({"blame", "gpu_idle", "input_data", "iteration_gap", "launch", "waits"})
"""Estimators of what the host's side costs, by the idle time of GPUs."""
_OF_FIRST = "start_up"
"""The estimator of what passes until GPUs begin to iterate, of several the mean."""
_LAST_BEGINS = (
    "Of several GPUs, the last one to begin may hold up all the others, so that what would be left "
    "without start-up is not known."
)
_ALIKE = "The {} GPUs are taken to be alike; where one of them decides for all, more can be saved."
_UNLIKE = (
    "One GPU is idle {} times as long as the mean of all. Where the others wait for that one, more "
    "can be saved than means over GPUs say."
)


def over_gpus(
    estimator: str, found: Estimate | Refusal | None, results: Results
) -> Estimate | Refusal | None:
    """`found` of a run of one GPU; of several, with what its means over them leave open."""
    gpus = measured(results, "run.gpus") or 0.0
    ranks = measured(results, "run.ranks") or 0.0
    if not isinstance(found, Estimate) or not found.of.on_clock or estimator in _BY_RANK:
        return found
    if estimator == _OF_FIRST and max(gpus, ranks) > 1.0:
        return Refusal(_LAST_BEGINS, limit=True)
    if gpus < 2.0:
        return found
    most = measured(results, "time.idle_imbalance") or 1.0
    if estimator in _OF_IDLE and most > _DIFFER:
        return Refusal(_UNLIKE.format(quantity(most, "1")))
    alike = _ALIKE.format(quantity(gpus, "count"))
    return replace(found, assumptions=(*found.assumptions, alike))
