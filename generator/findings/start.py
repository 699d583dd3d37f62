"""Bounds on what passes before the work begins: start-up, and starting a GPU that nothing uses.

In:  the value of a rule's metric, a share of wall time, and the results of a run.
Out: an `Estimate` of wall time, or None where nothing can be saved.
"""

from __future__ import annotations

from generator.findings.amounts import amount
from generator.findings.bounds import amdahl, estimate, measured
from generator.findings.clock import as_profiled, of_the_wall, short
from generator.findings.model import Estimate
from generator.metrics.model import Results
from generator.units import quantity

_NO_START = "Start-up takes no time at all; longer runs have less of it without any change."
_PROFILED = (
    "{} of the wall time is most likely the profiler's own. Without it the seconds saved "
    "are as many, and a larger share."
)
_RUNNING = "time.main_running[part=initialising a GPU].time"
_NO_INITIALISATION = (
    "The driver is not started, and other threads do nothing meanwhile that the run needs."
)


def initialisation(_: str, share: float, results: Results) -> Estimate | None:
    """The time in which a GPU is initialised that nothing uses."""
    slowed = measured(results, "time.nothing_runs_python")
    saved, of, whole = of_the_wall(amdahl(share), results)
    return estimate(
        saved,
        as_profiled(of, amount(_RUNNING, results), results),
        f"GPU initialisation / {short(of)}",
        (_NO_INITIALISATION, *((_PROFILED.format(quantity(slowed, "ratio")),) if slowed else ())),
        whole=whole,
        is_told=not slowed,
    )


def start_up(_: str, share: float, results: Results) -> Estimate | None:
    """All time before the first iteration: a limit, for some start-up always remains."""
    saved, of, whole = of_the_wall(amdahl(share), results)
    return estimate(saved, of, f"start-up / {short(of)}", (_NO_START,), kind="limit", whole=whole)
