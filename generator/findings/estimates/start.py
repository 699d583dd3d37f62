"""Bounds on what passes before the work begins: start-up, and starting a GPU that nothing uses.

In:  the value of a rule's metric, a share of wall time, and the results of a run.
Out: an `Estimate` of wall time, or None where nothing can be saved.
"""

from __future__ import annotations

from generator.findings.estimates.amounts import amount
from generator.findings.estimates.bounds import amdahl, estimate, of_time
from generator.findings.estimates.clock import WALL, as_profiled, of_the_wall
from generator.findings.estimates.ledger import START
from generator.findings.terms.finding import Estimate
from generator.metrics.model import Results
from generator.metrics.values import measured
from generator.units import quantity

_NO_START = "Start-up takes no time at all; longer runs have less of it without any change."
_OPENED = (
    "The GPU is initialised at once, which also takes the profiler's part of it, and modules of "
    "Python take no time; {}. Longer runs have less of it without any change."
)
_NO_OPENING = _OPENED.format("the rest of the start-up stays")
_MAY_BE_ALL = _OPENED.format(
    "as samples leave open where these end, they may take all of the start-up"
)
_ON_MAIN = "time.main_thread[part=initialising a GPU].time_high"
_IMPORTS = "time.start_up_work[work=importing modules of Python].time"
_ON_IMPORTS = "time.main_thread[part=importing modules].time_high"
_PROFILED = (
    "{} of the wall time is most likely the profiler's own. Without it the seconds saved "
    "are as many, and a larger share."
)
_NO_INITIALISATION = (
    "The driver is not started, and other threads do nothing meanwhile that the run needs."
)


def initialisation(_: str, share: float, results: Results) -> Estimate | None:
    """The time in which a GPU is initialised that nothing uses, up to its end between samples."""
    slowed, wall = measured(results, "time.nothing_runs_profiler"), measured(results, WALL)
    high = amount(_ON_MAIN, results) or 0.0
    saved, of = of_the_wall(amdahl(max(share, of_time(high, wall))), results)
    return estimate(
        saved,
        as_profiled(of, None if of.amount is None else saved * of.amount, results),
        f"GPU initialisation / {of.short}",
        (_NO_INITIALISATION, *((_PROFILED.format(quantity(slowed, "ratio")),) if slowed else ())),
        is_told=not slowed,
    )


def start_up(_: str, share: float, results: Results) -> Estimate | None:
    """All time before the first iteration: a limit, for some start-up always remains.

    Where devices take long to open, the steps are to keep the driver loaded and to import less,
    which spare no more than initialising the GPU and imports take, up to their ends between
    samples, nor more than the start-up lasts: what both may take of a stretch is one's alone.
    """
    wall, begun = measured(results, WALL), measured(results, "time.gpu_initialisation")
    what, gone = "start-up", _NO_START
    if wall and begun and _opens_devices(results):
        spared, what = _spared(begun, results)
        is_all = of_time(spared, wall) > share
        what += ", together no more than the start-up," if is_all else ""
        gone = _MAY_BE_ALL if is_all else _NO_OPENING
        share = min(of_time(spared, wall), share)
    saved, of = of_the_wall(amdahl(share), results)
    return estimate(saved, of, f"{what} / {of.short}", (gone,), kind="limit", where=START)


def _spared(begun: float, results: Results) -> tuple[float, str]:
    """What a driver that stays loaded and fewer imports spare at most [s], and what to call it."""
    imports, high = amount(_IMPORTS, results) or 0.0, amount(_ON_MAIN, results) or 0.0
    ends, what = [max(begun, high)], "GPU initialisation"
    if imports > 0.0:
        ends.append(max(imports, amount(_ON_IMPORTS, results) or 0.0))
        what = "GPU initialisation and imports"
    if sum(ends) > begun + imports:
        what = f"upper end{'s' if imports > 0.0 else ''} of {what}"
    return sum(ends), what


def _opens_devices(results: Results) -> bool:
    """Whether NVIDIA's driver opens devices, which takes long where nothing keeps it loaded."""
    calls = amount("time.device_opens[0].calls", results) or 0.0
    return calls > 1.0 and (measured(results, "run.nvidia_gpu") or 0.0) > 0.0
