"""Bounds on what all copies take, and those that are slower than the link.

In:  the value of a rule's metric and the results of a run.
Out: an `Estimate` as in `gpu_work`, or None where an input is missing.
"""

from __future__ import annotations

from dataclasses import replace

from generator.findings.estimates import copies
from generator.findings.estimates.bounds import at_full_rate, of_time, per_gpu, share
from generator.findings.estimates.gpu_work import Local, Operations, of_gpu_work
from generator.findings.estimates.wall import SAME_TIME
from generator.findings.terms.finding import Estimate
from generator.metrics.model import Results
from generator.metrics.values import measured
from generator.units import quantity

_COPIES = Operations(
    "gpu.copy_share", "gpu.copy_time", "time.exposed_copy", "copies beside no kernel"
)
_SUMMED = "Durations of GPU operations are added up; where operations overlap, less can be saved."
_NOMINAL = (
    "The same bytes move at the link's nominal rate, which no real copy reaches, and copies "
    "within the device take no time."
)
_STILL = "Times in which the GPU runs nothing stay: closing those beside copies comes on top."
_NO_WAITS = (
    "The host waits for no copy to the GPU any more, or copies are joined: so each gap of up to "
    "100 µs right before one disappears, in which the host prepares and launches it, and each of "
    "up to 50 µs right after one, in which the host goes on that waited for it. Kernels and all "
    "other gaps stay: closing others comes on top, as where a copy to the host is waited for no "
    "more."
)
_WAITING = "the host still waits for each copy"
REACHABLE = 0.77
"""Share of the link's rate that real copies reach: 615 kB page-locked copies ran at 24.3 GB/s over
PCI Express 4.0 x16, of 31.5 GB/s per direction, on an A100 [ratio]."""
_AT_REACHABLE = (
    f"if copies reach {quantity(REACHABLE, 'ratio')} of the link's rate, as large page-locked ones "
    "were measured to"
)


def all_copies(_: str, __: float, results: Results) -> Estimate | None:
    """Every copy gone."""
    assumptions = (copies.NO_COPIES, *copies.once(results), _SUMMED, SAME_TIME)
    alone = of_gpu_work(results, _copies(results), Local(1.0, "copy time", assumptions))
    return copies.and_gaps(alone, results)


def _copies(results: Results) -> Operations:
    """Copies, of which those within iterations count where there are any."""
    within = replace(_COPIES, exposed="time.iteration_exposed_copy")
    return within if copies.once(results) else _COPIES


def link_rate(_: str, efficiency: float, results: Results) -> Estimate | None:
    """The same bytes at the link's rate in one direction, by copies that no host waits for.

    What real copies reach bounds nothing where only those within iterations count: how many
    bytes these move is not recorded.
    """
    seconds, found = measured(results, "gpu.copy_time"), measured(results, "transfer.bandwidth")
    if seconds is None or found is None or efficiency <= 0.0:
        return None
    moved, rate = copies.moved(results), found / efficiency
    reached = at_full_rate(seconds, moved, REACHABLE * rate)
    alone = copies.exposed(results)
    once = copies.once(results)
    if alone is not None:
        own = per_gpu(seconds, results)
        reached = of_time(alone - (1.0 - reached) * own, own)
    faster = of_gpu_work(
        results,
        _copies(results),
        Local(
            copies.faster(seconds, rate, results),
            "(copy time - bytes at the link's rate)",
            (_STILL, _NOMINAL, *once, _SUMMED, SAME_TIME),
            weaker=None if once else share(reached),
            weaker_if=_AT_REACHABLE,
            weaker_formula=f"copies beside no kernel - all bytes at {quantity(REACHABLE, 'ratio')} "
            "of the link's rate",
        ),
    )
    return copies.and_gaps(faster, results, _NO_WAITS, _WAITING)
