"""What bounds of several kinds assume, in sentences.

In:  intervals of shares that samples tell, and the results of a run. Out: sentences.
"""

from __future__ import annotations

from perfolio.common.units import format_interval_ends
from perfolio.findings.estimates.bound_formulas import ShareInterval
from perfolio.findings.estimates.wall_clock import is_profiled, is_slowed
from perfolio.findings.model.wording import format_figure
from perfolio.metrics.model import Results

SAME_TIME = (
    "Bounds of findings on the same copies or idle time overlap: do not add or multiply them."
)
ON_KERNELS = "Bounds of findings on the same kernels overlap: do not add or multiply them."
_PROFILED = (
    "PC sampling was on, which makes what an iteration does besides many times longer: this bounds "
    "the run as it was profiled. Without PC sampling the share can be larger, and what workers "
    "save cannot be told."
)
_SLOWED = (
    "The profiler records each operator, which makes steps of short ones longer: this bounds the "
    "run as it was profiled. Without it, a share of an iteration can be larger."
)
_OWN_CALLS = (
    "By samples of the host, {} of each iteration are on average the profiler's own calls, which a "
    "run without it does not make."
)
_BY_SAMPLES = (
    "The share is told by samples of the host, 95 % interval {} to {} %, those that the profiler "
    "lost taken to be like the others; its upper end counts gaps without any sample."
)


def explain_samples(sampled: ShareInterval) -> tuple[str, ...]:
    """What an upper end rests on, where there is one."""
    if sampled.low == sampled.high:
        return ()
    return (_BY_SAMPLES.format(*format_interval_ends(sampled.low, sampled.high, "ratio")),)


def explain_profiling(results: Results) -> tuple[str, ...]:
    """What the profiler makes of a bound: PC sampling, where it was on, or recording operators."""
    if not is_profiled(results):
        return (_SLOWED,) if is_slowed(results) else ()
    own = results.get("time.iteration_profiler")
    if own is None or not own.value:
        return (_PROFILED,)
    return (_PROFILED, _OWN_CALLS.format(format_figure(own, "s")))
