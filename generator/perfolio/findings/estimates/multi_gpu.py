"""Bounds from means over several GPUs: what they take for granted, and where that fails.

In:  the estimate of a finding and the results of a run.
Out: the estimate, with what it assumes of GPUs; a `Refusal` where GPUs are not alike, and of
     start-up, which need not end on all at once.
"""

from __future__ import annotations

from dataclasses import replace

from perfolio.common.units import quantity
from perfolio.findings.estimates.time_ledger import IDLE, START
from perfolio.findings.model.finding import Estimate, Refusal
from perfolio.metrics.metric_values import get_value
from perfolio.metrics.model import Results

_DIFFER = 1.25
"""From this part of the mean on, the GPU that is idle longest is another case than the rest [x]."""
_LAST_BEGINS = (
    "Of several GPUs, the last one to begin may hold up all the others, so that what would be left "
    "without start-up is not known."
)
_ALIKE = "The {} GPUs are taken to be alike; where one of them decides for all, more can be saved."
_UNLIKE = (
    "One GPU is idle {} times as long as the mean of all. Where the others wait for that one, more "
    "can be saved than means over GPUs say."
)


def judge_over_gpus(
    found: Estimate | Refusal | None, results: Results
) -> Estimate | Refusal | None:
    """`found` of a run of one GPU; of several, with what its means over them leave open.

    An estimate is about what its first effect takes: start-up, idle time, or what GPUs do.
    """
    gpus = get_value(results, "run.gpus") or 0.0
    ranks = get_value(results, "run.ranks") or 0.0
    if not isinstance(found, Estimate) or not found.of.on_clock or not found.effects:
        return found
    about = found.effects[0]
    if about.where == START and max(gpus, ranks) > 1.0:
        return Refusal(_LAST_BEGINS, limit=True)
    if gpus < 2.0 or not about.is_mean:
        return found
    most = get_value(results, "time.idle_imbalance") or 1.0
    if about.where.state == IDLE.state and most > _DIFFER:
        return Refusal(_UNLIKE.format(quantity(most, "1")))
    alike = _ALIKE.format(quantity(gpus, "count"))
    return replace(found, assumptions=(*found.assumptions, alike))
