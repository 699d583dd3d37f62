"""Bounds on what copies take: that hide behind kernels, or run at the link's rate.

In:  the value of a rule's metric and the results of a run.
Out: an `Estimate` of wall time, and times of copies [s], or None where their inputs are missing.

Where iterations were found, only copies within them count: a model is copied once, before there is
a kernel to hide behind, and pinning memory for one copy costs more than that copy.
"""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import replace

from generator.findings.bounds import Weaker, at_full_rate, estimate, hidden, of_time, per_gpu
from generator.findings.clock import of_the_run, on_the_wall, sampled_gaps, short
from generator.findings.finding import Estimate
from generator.findings.wall import SAME_TIME, is_profiled, of_iteration
from generator.metrics.model import Cell, Results
from generator.metrics.values import measured, rows_of

NO_COPIES = (
    "Every copy disappears, and kernels stay as they are; so do times in which the GPU runs "
    "nothing, also those after a copy that the host waits for: closing them comes on top."
)
_NO_WAITS = (
    "Every copy disappears, and so do each gap of up to 100 µs right before one, in which the host "
    "prepares and launches it, and each of up to 50 µs right after one, in which the host goes on "
    "that waited for it. Kernels and all other gaps stay: closing others comes on top."
)
ONCE = (
    "Copies outside of iterations stay as they are: pinning memory for a copy that is made once "
    "costs more than the copy, and no kernel runs then that it could hide behind."
)
READS = (
    "time.iteration_exposed_copy",
    "time.iteration_kernel_alone",
    "time.exposed_copy",
    "time.kernel_busy",
    "time.overlap",
)
"""What `exposed` and `hideable` read."""
OF_LINK = ("gpu.copy_time", "transfer.bandwidth", "transfer.link_efficiency")
"""What `slower` reads besides."""
OUTSIDE = "transfer.outside_iterations"
"""The metric of copies that are made once: it is not measured without iterations."""
OF_STEADY = "time.iteration_copy_wait_share"
"""The metric of copies that kernels may wait for within iterations."""
PASSING = "transfers.exposed/passing"
"""Copies that no kernel waits for, as a part of what a finding saves beyond its own cause."""
_AFTER = "host.launch/after copies"
_BEFORE = "host.launch/before copies"
"""Gaps right beside copies that may as well be launches: the same time whoever saves it."""
_OF_ALL = "time.iteration_exposed_copy_share"
_BOTH = "copies that the next kernel may wait for and gaps right before and after them"
_SMALLER = "smaller of copies beside no kernel and kernels beside no copy"
_SMALLER_AND_GAPS = "smaller of these copies and kernels beside no copy, and gaps right after them"
_AND_AFTER = ", and gaps right after copies"
_NO_GAPS = (
    "So does each gap of up to 50 µs right after a copy disappear, in which the host goes on that "
    "waited for it."
)
_BEHIND = (
    "Copies and kernels are independent of each other, so that copies run while kernels do "
    "that now run alone."
)


def exposed(results: Results) -> float | None:
    """Time with a copy and no kernel: within iterations, or of a run without any in all [s]."""
    within = measured(results, "time.iteration_exposed_copy")
    return measured(results, "time.exposed_copy") if within is None else within


def hideable(results: Results) -> float | None:
    """Copies that run alone and could run beside kernels that now run alone [s]."""
    copies = exposed(results)
    return None if copies is None else _behind(copies, results)


def _kernels_alone(results: Results) -> float | None:
    """Time with a kernel and no copy: within iterations, or of a run without any in all [s]."""
    busy, both = measured(results, "time.kernel_busy"), measured(results, "time.overlap")
    within = measured(results, "time.iteration_kernel_alone")
    if within is None and busy is not None and both is not None:
        return busy - both
    return within


def slower(results: Results) -> float | None:
    """What copies take beyond the time at the link's rate, where no kernel ran beside them [s].

    The mean over GPUs where a trace tells when copies ran, else their sum.
    """
    seconds, reached, efficiency = (measured(results, name) for name in OF_LINK)
    if seconds is None or reached is None or not efficiency:
        return None
    beyond = seconds * faster(seconds, reached / efficiency, results)
    alone = exposed(results)
    return beyond if alone is None else hidden(per_gpu(beyond, results), alone)


def faster(seconds: float, rate: float, results: Results) -> float:
    """The share of `seconds` of copies that the link's `rate` [B/s] saves, of repeated ones."""
    rows = rows_of(results, OUTSIDE)
    time, size = (sum(float(row[name] or 0.0) for row in rows) for name in ("time", "bytes"))
    left = max(seconds - time, 0.0)
    return of_time(left * at_full_rate(left, max(moved(results) - size, 0.0), rate), seconds)


def moved(results: Results) -> float:
    """Bytes that crossed the host link in either direction [B]."""
    ways = (measured(results, f"transfer.bytes_{way}") or 0.0 for way in ("h2d", "d2h"))
    return sum(ways)


def exposed_copies(metric: str, share: float, results: Results) -> Estimate | None:
    """Copies that kernels may wait for and gaps beside them: of iterations, or of a run."""
    waits = {str(row["part"]): row for row in rows_of(results, "time.copy_waits")}
    if metric == OF_STEADY:
        return _of_iterations(share, waits, results)
    found, run = on_the_wall(results), waits.get("run")
    if found is None or run is None:
        return None
    (whole, of), gaps, before = found, _number(run, "gaps"), _number(run, "before")
    behind = _behind(float(run["copies"] or 0.0), results)
    return estimate(
        of_time(float(run["copies"] or 0.0) + gaps + before, whole),
        of,
        f"{_BOTH} / {short(of)}",
        (_NO_WAITS,),
        weaker=None
        if behind is None
        else _hidden(of_time(behind + gaps, whole), f"{_SMALLER_AND_GAPS} / {short(of)}"),
        whole=whole,
        beyond=gaps_by_cause(results, gaps, before),
    )


def gaps_by_cause(results: Results, after: float, before: float = 0.0) -> dict[str, float]:
    """Gaps right beside copies [s], those apart that count as launches of any operation."""
    launches, gaps = beside_copies(results), {_AFTER: after, _BEFORE: before}
    apart = {name: min(launches[name], gaps[name]) for name in gaps}
    return {**apart, "host.launch": after + before - math.fsum(apart.values())}


def beside_copies(results: Results) -> dict[str, float]:
    """Gaps that are launches and right beside copies, too: of steady iterations if found [s]."""
    narrowest = next(iter(rows_of(results, "time.copy_waits")), {})
    return {_AFTER: _number(narrowest, "brief"), _BEFORE: _number(narrowest, "brief_before")}


def _number(row: Mapping[str, Cell], name: str) -> float:
    return float(row.get(name) or 0.0)


def _of_iterations(
    share: float, waits: Mapping[str, Mapping[str, Cell]], results: Results
) -> Estimate | None:
    """The same of steady iterations; what it saves in a warm-up comes on top."""
    length, steady, every = (
        measured(results, "time.steady"),
        waits.get("steady iterations"),
        waits.get("iterations"),
    )
    if length is None or steady is None or every is None:
        return None
    gaps, behind = _number(steady, "gap_share"), _behind(share * length, results)
    copies, after, before = (_number(every, name) for name in ("copies", "gaps", "before"))
    most = min(share + gaps + _number(steady, "before_share"), 1.0)
    return estimate(
        most,
        of_iteration(results),
        f"{_BOTH} / time of steady iterations",
        (_NO_WAITS, ONCE),
        weaker=None
        if behind is None
        else _hidden(of_time(behind, length) + gaps, f"{_SMALLER_AND_GAPS} / time of iterations"),
        whole=length,
        length=measured(results, "time.iteration_median"),
        is_told=not is_profiled(results),
        more=max(copies + after + before - most * length, 0.0),
        beyond=gaps_by_cause(results, after, before),
    )


def and_gaps(worth: Estimate | None, results: Results) -> Estimate | None:
    """The worth of no copies at all with the short gaps right before and after them, where known.

    Of steady iterations it is what these have: what it saves in a warm-up comes on top. With PC
    sampling such gaps are no part of what it is a share of.
    """
    waits = {str(row["part"]): row for row in rows_of(results, "time.copy_waits")}
    within = waits.get("iterations" if once(results) else "run", {})
    after, before = (_number(within, name) for name in ("gaps", "before"))
    is_known = after + before > 0.0 and not sampled_gaps(results) > 0.0
    if worth is None or worth.saved is None or not (is_known and of_the_run(worth.of)):
        return worth
    whole = worth.saved / worth.reduction
    found = estimate(
        of_time(worth.saved + after + before, whole),
        worth.of,
        f"({worth.formula}) + gaps right before and after copies / {short(worth.of)}",
        (_NO_WAITS, *worth.assumptions[1:]),
        whole=whole,
        beyond=gaps_by_cause(results, after, before),
    )
    share, steady = measured(results, _OF_ALL), waits.get("steady iterations")
    if found is None or share is None or steady is None:
        return found
    gaps = _number(steady, "gap_share") + _number(steady, "before_share")
    return replace(found, steady=min(share + gaps, 1.0))


def _behind(copies: float, results: Results) -> float | None:
    """The part of `copies` that could run beside kernels that now run alone [s]."""
    alone = _kernels_alone(results)
    return None if alone is None else hidden(copies, alone)


def _hidden(reduction: float, formula: str) -> Weaker:
    return Weaker(reduction, "if these copies stay and hide behind kernels", formula)


def overlap(_: str, __: float, results: Results) -> Estimate | None:
    """Copies that could hide behind kernels which now run alone, and gaps after: of iterations."""
    found, behind = on_the_wall(results), hideable(results)
    waits = {str(row["part"]): row for row in rows_of(results, "time.copy_waits")}
    part, steady = _behind_in_iterations(results), measured(results, "time.steady")
    if behind is not None and part is not None and steady is not None:
        most = min(part + _number(waits.get("steady iterations", {}), "gap_share"), 1.0)
        after = _number(waits.get("iterations", {}), "gaps")
        return estimate(
            most,
            of_iteration(results),
            f"{_SMALLER}{_AND_AFTER if after else ''} / time of iterations",
            (_BEHIND, *((_NO_GAPS,) if after else ()), ONCE, SAME_TIME),
            whole=steady,
            length=measured(results, "time.iteration_median"),
            is_told=not is_profiled(results),
            more=max(behind + after - most * steady, 0.0),
            beyond=gaps_by_cause(results, after),
        )
    if found is None or behind is None:
        return None
    whole, of = found
    within = waits.get("iterations" if once(results) else "run", {})
    after = 0.0 if sampled_gaps(results) > 0.0 else _number(within, "gaps")
    return estimate(
        of_time(behind + after, whole),
        of,
        f"{_SMALLER}{_where(results)}{_AND_AFTER if after else ''} / {short(of)}",
        (_BEHIND, *((_NO_GAPS,) if after else ()), *once(results), SAME_TIME),
        whole=whole,
        beyond=gaps_by_cause(results, after),
    )


def _behind_in_iterations(results: Results) -> float | None:
    """The share of steady iterations that copies take which could hide behind kernels."""
    share = measured(results, _OF_ALL)
    every, behind = exposed(results), hideable(results)
    if share is None or behind is None or not every:
        return None
    return share * behind / every


def once(results: Results) -> tuple[str, ...]:
    """What is assumed of copies outside of iterations, where iterations were found."""
    return (ONCE,) if measured(results, "time.iteration_exposed_copy") is not None else ()


def _where(results: Results) -> str:
    return ", within iterations" if once(results) else ""
