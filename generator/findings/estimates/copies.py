"""Bounds on what copies take: that are left out, or run at the link's rate.

In:  the value of a rule's metric and the results of a run.
Out: an `Estimate` of wall time, and times of copies [s], or None where their inputs are missing.

Where iterations were found, only copies within them count: a model is copied once, before there is
a kernel to hide behind, and pinning memory for one copy costs more than that copy.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace

from generator.findings.estimates.bounds import (
    Weaker,
    at_full_rate,
    estimate,
    hidden,
    of_time,
    per_gpu,
)
from generator.findings.estimates.clock import on_the_wall, sampled_gaps
from generator.findings.estimates.wall import SAME_TIME, is_profiled, of_iteration
from generator.findings.terms.finding import Estimate
from generator.metrics.model import Cell, Results
from generator.metrics.values import measured, number_of, rows_by, rows_of

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
"""What `exposed` and `behind_of_run` read."""
OF_LINK = ("gpu.copy_time", "transfer.bandwidth", "transfer.link_efficiency")
"""What `slower` reads besides."""
OUTSIDE = "transfer.outside_iterations"
"""The metric of copies that are made once: it is not measured without iterations."""
OF_STEADY = "time.iteration_copy_wait_share"
"""The metric of copies that kernels may wait for within iterations."""
EXPOSED = "transfers.exposed"
"""The cause in which a finding on other time saves copies that kernels may wait for."""
PASSING = f"{EXPOSED}/passing"
"""Copies that no kernel waits for, as a part of what a finding saves beyond its own cause."""
_AFTER = "after copies"
_BEFORE = "before copies"
_LAUNCHES = "host.launch"
"""The cause of gaps right beside copies: the same time whoever saves it."""
_LONGER = "host.launch/longer, "
"""Those of them that no launch takes so long."""
_WARM_UP = "host.warm_up/"
"""Those of iterations beyond the steady ones."""
OF_ALL = "time.iteration_exposed_copy_share"
"""The metric of copies beside no kernel within steady iterations."""
OF_COVER = ("time.iteration_kernel_alone_share", "time.steady_utilisation")
"""What `steady_cover` reads."""
_BOTH = "copies that the next kernel may wait for and gaps right before and after them"
_SMALLER_AND_GAPS = (
    "smaller of these copies and, together, kernels beside no copy and other gaps; "
    "with gaps right before and after these copies"
)


def waits_by_part(results: Results) -> Mapping[str, Mapping[str, Cell]]:
    """The rows of `time.copy_waits` by the part of the run: copies, and gaps beside them [s]."""
    return rows_by(results, "time.copy_waits", "part")


def exposed(results: Results) -> float | None:
    """Time with a copy and no kernel: within iterations, or of a run without any in all [s]."""
    within = measured(results, "time.iteration_exposed_copy")
    return measured(results, "time.exposed_copy") if within is None else within


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
    waits = waits_by_part(results)
    if metric == OF_STEADY:
        return _of_iterations(share, waits, results)
    found, run = on_the_wall(results), waits.get("run")
    if found is None or run is None:
        return None
    gaps, before = number_of(run, "gaps"), number_of(run, "before")
    behind = behind_of_run(float(run["copies"] or 0.0), gaps + before, results)
    return estimate(
        of_time(float(run["copies"] or 0.0) + gaps + before, found.amount),
        found,
        f"{_BOTH} / {found.short}",
        (_NO_WAITS, SAME_TIME),
        weaker=None
        if behind is None
        else _hidden(
            of_time(behind + gaps + before, found.amount), f"{_SMALLER_AND_GAPS} / {found.short}"
        ),
        beyond=gaps_by_cause(results, gaps, before),
    )


def gaps_by_cause(results: Results, after: float, before: float = 0.0) -> dict[str, float]:
    """Gaps right beside copies [s], by whether they count as launches of any operation, too.

    Those beyond the steady iterations are of the warm-up. Each is the same time whoever saves it.
    """
    launches, narrowest = beside_copies(results), _narrowest(results)
    found: dict[str, float] = {}
    for name, gaps, column in ((_AFTER, after, "gaps"), (_BEFORE, before, "before")):
        steady = min(number_of(narrowest, column), gaps)
        brief = min(launches[f"{_LAUNCHES}/{name}"], steady)
        parts = (brief, steady - brief, gaps - steady)
        keys = (f"{_LAUNCHES}/{name}", f"{_LONGER}{name}", f"{_WARM_UP}{name}")
        found |= dict(zip(keys, parts, strict=True))
    return found


def beside_copies(results: Results) -> dict[str, float]:
    """Gaps that are launches and right beside copies, too: of steady iterations if found [s]."""
    narrowest = _narrowest(results)
    return {
        f"{_LAUNCHES}/{_AFTER}": number_of(narrowest, "brief"),
        f"{_LAUNCHES}/{_BEFORE}": number_of(narrowest, "brief_before"),
    }


def _narrowest(results: Results) -> Mapping[str, Cell]:
    return next(iter(rows_of(results, "time.copy_waits")), {})


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
    gaps, cover = steady_beside(steady), steady_cover(steady, results)
    copies, after, before = (number_of(every, name) for name in ("copies", "gaps", "before"))
    most = min(share + gaps, 1.0)
    return estimate(
        most,
        of_iteration(results),
        f"{_BOTH} / time of steady iterations",
        (_NO_WAITS, ONCE, SAME_TIME),
        weaker=None
        if cover is None
        else _hidden(
            hidden(share, cover) + gaps, f"{_SMALLER_AND_GAPS} / time of steady iterations"
        ),
        is_told=not is_profiled(results),
        more=max(copies + after + before - most * length, 0.0),
        beyond=gaps_by_cause(results, after, before),
    )


def and_gaps(
    worth: Estimate | None, results: Results, words: str = _NO_WAITS, still: str = ""
) -> Estimate | None:
    """What copies are worth with the short gaps right before and after them, where known.

    `words` are assumed in place of the first assumption; `still` is what else is assumed for the
    copies alone, where that is a weaker bound. Of steady iterations it is what these have: what it
    saves in a warm-up comes on top. With PC sampling such gaps are no part of what it is a share
    of.
    """
    waits = waits_by_part(results)
    within = waits.get("iterations" if once(results) else "run", {})
    after, before = (number_of(within, name) for name in ("gaps", "before"))
    is_known = after + before > 0.0 and not sampled_gaps(results) > 0.0
    if worth is None or worth.saved is None or not (is_known and worth.of.of_the_run):
        return worth
    found = estimate(
        of_time(worth.saved + after + before, worth.of.amount),
        worth.of,
        f"({worth.formula}) + gaps right before and after copies / {worth.of.short}",
        (words, *worth.assumptions[1:]),
        weaker=_still(worth, still) if still else None,
        beyond=gaps_by_cause(results, after, before),
    )
    share, steady = measured(results, OF_ALL), waits.get("steady iterations")
    length = measured(results, "time.steady")
    if found is None or share is None or steady is None or length is None:
        return found
    alone = min(share, of_time(worth.saved, length))
    return replace(
        found,
        steady=min(alone + steady_beside(steady), 1.0),
        weaker_steady=alone if found.weaker is not None and worth.weaker is None else None,
    )


def _still(worth: Estimate, condition: str) -> Weaker:
    """The copies alone, under the weaker assumption on them if there is one."""
    if worth.weaker is None:
        return Weaker(worth.reduction, f"if {condition}", worth.formula)
    return Weaker(worth.weaker, f"{worth.weaker_if}, and {condition}", worth.weaker_formula)


def steady_beside(steady: Mapping[str, Cell]) -> float:
    """The share of steady iterations that short gaps right before and after copies take."""
    return number_of(steady, "gap_share") + number_of(steady, "before_share")


def behind_of_run(copies: float, beside: float, results: Results) -> float | None:
    """The part of `copies` that could run beside kernels that now run alone, or in gaps [s].

    Of a run without iterations; gaps `beside` copies close, and those of PC sampling are none.
    """
    alone, gaps = _kernels_alone(results), measured(results, "time.gap_time") or 0.0
    left = max(gaps - sampled_gaps(results) - beside, 0.0)
    return None if alone is None else hidden(copies, alone + left)


def steady_cover(steady: Mapping[str, Cell], results: Results) -> float | None:
    """The share of steady iterations in which a copy could run and none does: gaps beside none."""
    alone, busy = (measured(results, name) for name in OF_COVER)
    idle = 0.0 if busy is None else max(1.0 - busy - steady_beside(steady), 0.0)
    return None if alone is None else alone + idle


def _hidden(reduction: float, formula: str) -> Weaker:
    return Weaker(
        reduction, "if these copies stay and run beside kernels or in other gaps", formula
    )


def once(results: Results) -> tuple[str, ...]:
    """What is assumed of copies outside of iterations, where iterations were found."""
    return (ONCE,) if measured(results, "time.iteration_exposed_copy") is not None else ()
