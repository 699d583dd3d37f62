"""Bound on what one call in place of a chain of kernels saves.

In:  results: time of the chains that names tell, gaps within them, time on the clock.
Out: an `Estimate`, or a `Refusal` where the chains were not timed.
"""

from __future__ import annotations

from generator.findings import clock
from generator.findings.bounds import estimate, of_time
from generator.findings.finding import Estimate, Refusal
from generator.findings.kernel_work import OVERLAPPING
from generator.metrics.model import Results
from generator.metrics.values import measured

_CHAINS_UNKNOWN = "Without a trace in which iterations recur, chains of kernels have no time."
_NO_CHAINS = (
    "The chains' kernels and the gaps within them vanish, although one kernel in place of a chain "
    "takes time as well. With fewer launches the host can run ahead: what that closes of gaps "
    "elsewhere comes on top."
)


def fusion(_: str, __: float, results: Results) -> Estimate | Refusal | None:
    """Chains of kernels gone, with the gaps within them; refused where no chain was timed."""
    whole = clock.elapsed(results)
    names = ("gpu.fusable_time", "gpu.fusable_gaps", "time.kernel_busy")
    spent, gaps, busy = (measured(results, name) for name in names)
    if whole is None or spent is None or gaps is None or busy is None:
        return Refusal(_CHAINS_UNKNOWN)
    length, words = whole
    between = 0.0 if clock.sampled_gaps(results) > 0.0 else gaps
    return estimate(
        of_time(min(spent, busy) + between, length),
        words,
        f"(kernels of the chains + gaps within them) / {clock.short(words)}",
        (_NO_CHAINS, OVERLAPPING),
        whole=length,
    )
