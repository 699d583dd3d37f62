"""What launching GPU operations costs: short gaps in which the GPU waits for the next one.

In:  the results of a run with a trace.
Out: an `Estimate` of an iteration, or of wall time without iterations, or a `Refusal`.
"""

from __future__ import annotations

from collections.abc import Mapping

from generator.findings.estimates.bounds import Weaker, estimate, of_time
from generator.findings.estimates.clock import elapsed
from generator.findings.estimates.copies import EXPOSED, PASSING, beside_copies
from generator.findings.estimates.limits import behind_of_run, behind_of_steady
from generator.findings.estimates.wall import SAME_TIME, is_profiled, of_iteration
from generator.findings.terms.finding import Estimate, Refusal
from generator.metrics.model import Cell, Results
from generator.metrics.values import measured, number_of, rows_by

_SHORT = 32e-6
"""Gaps up to here may be the launch of the next operation [s]."""
_STEADY = "steady iterations"
_LAUNCHES = (
    "Every gap of up to 32 µs is the launch of the next operation, and disappears; no launch takes "
    "longer. The host then runs ahead of the GPU: what it does in longer gaps it does while "
    "operations run, as far as these last. Kernels last as long as now and overlap no more: what "
    "fusing saves of their own time comes on top."
)
_BESIDE = (
    "Copies on streams of their own, and those that no kernel waits for, run while the next kernel "
    "is launched: with all kernels launched in time, they run behind these."
)
_BEHIND = "copies that can run behind kernels"
_STAY = "if gaps longer than 32 µs stay"
_SERIALISED = (
    "PC sampling runs kernels one after another and keeps them apart: "
    "what a launch costs without it cannot be told from this run."
)
_NO_GAPS = (
    "Launches cost run time only where the GPU waits for them, and gaps between operations are "
    "in traces alone: the number of launches times the time of a call is no estimate."
)


def launch(_: str, __: float, results: Results) -> Estimate | Refusal | None:
    """Short gaps between GPU operations: refused without a trace and with PC sampling.

    And longer ones that hide as the host runs ahead. Those of steady iterations, where there are
    any; with the time in which a copy runs meanwhile that can run behind kernels. Gaps beside
    copies are the same time as findings on copies claim.
    """
    if is_profiled(results):
        return Refusal(_SERIALISED)
    parts = rows_by(results, "time.launch_gaps", "part")
    steady, whole = measured(results, "time.steady"), elapsed(results)
    if _STEADY in parts and steady is not None:
        return _of_iterations(parts, steady, results)
    if whole is None or "run" not in parts:
        return Refusal(_NO_GAPS)
    copies = behind_of_run(results)
    return estimate(
        of_time(_gone(parts["run"], sum(copies)), whole.amount),
        whole,
        f"{_gaps_and(sum(copies))} / {whole.short}",
        (_LAUNCHES, *((_BESIDE,) if sum(copies) else ()), SAME_TIME),
        weaker=_short_alone(parts["run"], sum(copies), whole.amount, whole.short),
        beyond={PASSING: copies[0], EXPOSED: copies[1], **beside_copies(results)},
    )


def _of_iterations(
    parts: Mapping[str, Mapping[str, Cell]], steady: float, results: Results
) -> Estimate | None:
    """The same of steady iterations; what it saves in a warm-up comes on top."""
    row, warm_up = parts[_STEADY], _gone(parts.get("warm-up", {}), 0.0)
    length = sum(number_of(row, name) for name in ("brief", "longer", "busy"))
    passing, apart = behind_of_steady(results)
    copies = passing + apart
    saved = of_time(_gone(row, copies * length), length)
    return estimate(
        saved,
        of_iteration(results),
        f"{_gaps_and(copies)} / time of steady iterations",
        (_LAUNCHES, *((_BESIDE,) if copies else ()), SAME_TIME),
        weaker=_short_alone(row, copies * length, length, "time of steady iterations"),
        more=warm_up,
        beyond={
            PASSING: passing * steady,
            EXPOSED: apart * steady,
            "host.warm_up": warm_up,
            **_in_other_causes((saved - copies) * steady, results),
            **beside_copies(results),
        },
    )


def _gone(row: Mapping[str, Cell], copies: float) -> float:
    """What a part of the run loses where launches take no time [s].

    Short gaps; and at most the longer of the GPU's work and the host's in longer gaps is left,
    each of which may end with a launch. All launches took no longer than each may.
    """
    brief, longer, count, busy, operations = (
        number_of(row, name) for name in ("brief", "longer", "count", "busy", "operations")
    )
    hidden = min(longer + copies, busy + count * _SHORT)
    return min(brief + hidden, operations * _SHORT)


def _short_alone(row: Mapping[str, Cell], copies: float, length: float | None, of: str) -> Weaker:
    """Short gaps, and copies that can run behind kernels: what the bound is if longer ones stay."""
    others = f" and {_BEHIND}" if copies else ""
    gone = of_time(number_of(row, "brief") + copies, length)
    return Weaker(gone, _STAY, f"gaps of up to 32 µs{others} / {of}")


def _in_other_causes(idle: float, results: Results) -> dict[str, float]:
    """What idle time that a host ahead of the GPU hides takes of outliers and long waits [s].

    All that lies in neither is taken first: the least that the others hold.
    """
    rows = rows_by(results, "time.idle_parts", "period")
    typical, outlying = (rows.get(f"{name} iterations", {}) for name in ("typical", "outlying"))
    beside = [number_of(row, "idle") - number_of(row, "waits") for row in (typical, outlying)]
    if not number_of(typical, "waits") > 0.0:
        return {}
    left = max(idle - beside[0], 0.0)
    outliers = min(left, beside[1])
    return {"host.outliers/launches": outliers, "host.gap/launches": left - outliers}


def _gaps_and(copies: float) -> str:
    others = f", {_BEHIND}" if copies else ""
    return f"gaps of up to 32 µs{others}, and longer gaps up to the time in which operations run"
