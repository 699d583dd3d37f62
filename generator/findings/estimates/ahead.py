"""What a host that waits for the GPU costs: the GPU's idle time that follows from it.

In:  the results of a run with a trace and iterations.
Out: an `Estimate` of an iteration, a `Refusal` without iterations, or None where nothing is idle.
"""

from __future__ import annotations

from generator.findings.estimates.amounts import amount
from generator.findings.estimates.bounds import amdahl, estimate, interval
from generator.findings.estimates.clock import short_gap_share
from generator.findings.estimates.iterations import idle_share, in_warm_up
from generator.findings.estimates.wall import SAME_TIME, is_profiled, of_iteration, profiled
from generator.findings.terms.finding import Estimate, Refusal
from generator.metrics.model import Results
from generator.metrics.values import measured

_NO_WAITS = (
    "The host never waits for the GPU and so runs ahead of it, until all idle time within "
    "iterations is gone; it still prepares the input. Idle time that has another reason stays. "
    "An iteration of the warm-up is taken to have as much that goes as the others; start-up stays "
    "as it is."
)
_AT_THE_END = "What the host does after the last iteration then runs beside the GPU's work, too."
_NO_ITERATIONS = (
    "A thread that waits for the GPU costs run time only where it could launch more meanwhile, "
    "which is not recorded."
)
_END = "time.idle_parts[part=end].host"
_IDLE = "idle time within iterations / time of the iterations"


def waits(_: str, __: float, results: Results) -> Estimate | Refusal | None:
    """All idle time of iterations, of which waits of the host cannot have caused more.

    Nor more than what is left beside input, which the host still has to prepare. With work queued
    at the end of the run, the host's last part passes while the GPU does it.
    """
    idle, steady = idle_share(results), measured(results, "time.steady")
    if idle is None or steady is None:
        return Refusal(_NO_ITERATIONS)
    data = measured(results, "time.data_share")
    input_share = 0.0 if data is None else interval(results, "time.data_share", data).low
    told = max(idle - short_gap_share(results), 0.0)
    saved = min(told, 1.0 - amdahl(input_share))
    by_input, end = saved < told, amount(_END, results) or 0.0
    warm_up = in_warm_up(results, saved)
    return estimate(
        saved,
        of_iteration(results),
        "all of an iteration but the least time for input data" if by_input else _IDLE,
        (_NO_WAITS, *((_AT_THE_END,) if end > 0.0 else ()), SAME_TIME, *profiled(results)),
        more=end + warm_up,
        beyond={"host.tail": end, "host.warm_up": warm_up},
        is_told=not is_profiled(results),
    )
