"""Bounds on what passes before the work begins: start-up, and starting a GPU that nothing uses.

In:  the value of a rule's metric, a share of wall time, and the results of a run.
Out: an `Estimate` of wall time, or None where nothing can be saved.
"""

from __future__ import annotations

from perfolio.common.units import quantity
from perfolio.findings.estimates.bound_formulas import compute_time_share, make_estimate
from perfolio.findings.estimates.estimator_catalog import GainEstimator
from perfolio.findings.estimates.time_formulas import compute_amount
from perfolio.findings.estimates.time_ledger import START
from perfolio.findings.estimates.wall_clock import WALL, as_profiled, find_wall_time
from perfolio.findings.model.finding import Estimate
from perfolio.metrics.metric_values import get_value
from perfolio.metrics.model import Results

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


@GainEstimator
def bound_initialisation(_: str, share: float, results: Results) -> Estimate | None:
    """The time in which a GPU is initialised that nothing uses, up to its end between samples."""
    wall, of = get_value(results, WALL), find_wall_time(results)
    if wall is None or of is None:
        return None
    slowed = get_value(results, "time.nothing_runs_profiler")
    seconds = max(share * wall, compute_amount(_ON_MAIN, results) or 0.0)
    return make_estimate(
        compute_time_share(seconds, of.amount),
        as_profiled(of, seconds, results),
        f"GPU initialisation / {of.short}",
        (
            _NO_INITIALISATION,
            *((_PROFILED.format(quantity(slowed, "ratio")),) if slowed else ()),
        ),
        is_told=not slowed,
    )


@GainEstimator
def bound_start_up(_: str, share: float, results: Results) -> Estimate | None:
    """All time before the first iteration: a limit, for some start-up always remains.

    Where devices take long to open, the steps are to keep the driver loaded and to import less,
    which spare no more than initialising the GPU and imports take, up to their ends between
    samples, nor more than the start-up lasts: what both may take of a stretch is one's alone.
    """
    wall, of = get_value(results, WALL), find_wall_time(results)
    if wall is None or of is None:
        return None
    begun, seconds = get_value(results, "time.gpu_initialisation"), share * wall
    what, gone = "start-up", _NO_START
    if begun and _is_opening_devices(results):
        spared, what = _compute_spared(begun, results)
        what += ", together no more than the start-up," if spared > seconds else ""
        gone = _MAY_BE_ALL if spared > seconds else _NO_OPENING
        seconds = min(spared, seconds)
    saved = compute_time_share(seconds, of.amount)
    return make_estimate(saved, of, f"{what} / {of.short}", (gone,), kind="limit", where=START)


def _compute_spared(begun: float, results: Results) -> tuple[float, str]:
    """What a driver that stays loaded and fewer imports spare at most [s], and what to call it."""
    imports, high = (
        compute_amount(_IMPORTS, results) or 0.0,
        compute_amount(_ON_MAIN, results) or 0.0,
    )
    ends, what = [max(begun, high)], "GPU initialisation"
    if imports > 0.0:
        ends.append(max(imports, compute_amount(_ON_IMPORTS, results) or 0.0))
        what = "GPU initialisation and imports"
    if sum(ends) > begun + imports:
        what = f"upper end{'s' if imports > 0.0 else ''} of {what}"
    return sum(ends), what


def _is_opening_devices(results: Results) -> bool:
    """Whether NVIDIA's driver opens devices, which takes long where nothing keeps it loaded."""
    calls = compute_amount("time.device_opens[0].calls", results) or 0.0
    return calls > 1.0 and (get_value(results, "run.nvidia_gpu") or 0.0) > 0.0
