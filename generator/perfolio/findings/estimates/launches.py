"""Bounds on a GPU that runs dry: launches that take no time, and the limit of its own work.

In:  the results of a run with a trace.
Out: an `Estimate` of an iteration, or of the run without iterations, or a `Refusal`.
"""

from __future__ import annotations

import math
from collections.abc import Iterator

from perfolio.findings.estimates.assumptions import SAME_TIME, explain_profiling
from perfolio.findings.estimates.bound_formulas import hide_time
from perfolio.findings.estimates.estimator_catalog import GainEstimator
from perfolio.findings.estimates.removal_gains import make_gain, make_weaker_bound
from perfolio.findings.estimates.time_ledger import (
    BEHIND,
    BETWEEN,
    BUSY,
    COMPLETE,
    IDLE,
    KERNELS_ALONE,
    LAST,
    LAUNCHES,
    LONGER,
    LONGEST,
    RECURRING,
    REPLAYED,
    STEADY,
    WARM_UP,
    read_ledger,
    select_cells,
)
from perfolio.findings.estimates.wall_clock import find_recurring, find_sampled_gaps, is_profiled
from perfolio.findings.model.change_effect import CellFilter, ChangeEffect, LedgerCell, sum_cells
from perfolio.findings.model.denominator import BoundWhole
from perfolio.findings.model.finding import Estimate, Refusal
from perfolio.metrics.metric_values import get_number, index_rows
from perfolio.metrics.model import Results

_LAUNCH = 32e-6
"""Gaps up to here may be the launch of the next operation [s]."""
_AS_LONG = (
    " Kernels last as long as now and overlap no more: what fusing saves of their own time comes "
    "on top."
)
_REPLAYED = (
    "A graph replays an iteration without the host: each gap in it disappears but the longest, "
    "where that is long, in which the host may do what no graph holds. What it does there it does "
    "while operations run, as far as these last." + _AS_LONG
)
_NO_LAUNCHES = (
    "Every gap of up to 32 µs is the launch of the next operation, and disappears; no launch takes "
    "longer. The host then runs ahead of the GPU: what it does in longer gaps it does while "
    "operations run, as far as these last." + _AS_LONG
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
_LIMIT = (
    "All work of the host disappears, or runs beside the GPU's, so that only the GPU's own "
    "work is left, copies are as slow as now, and kernels last as long and overlap no more: the "
    "limit that the GPU sets and not a goal."
)
_LONG_GONE = (
    "All gaps longer than 5 ms disappear. Shorter ones, which PC sampling may have made, stay: "
    "without it, less is left."
)
_RUN_BEHIND = (
    "Copies on streams of their own, and those that no kernel waits for, run behind kernels as "
    "soon as these are launched in time."
)


@GainEstimator
def bound_launches(_: str, __: float, results: Results) -> Estimate | Refusal | None:
    """Short gaps between GPU operations: refused without a trace and with PC sampling.

    And longer ones that hide as the host runs ahead, with the time in which a copy runs meanwhile
    that can run behind kernels.
    """
    if is_profiled(results):
        return Refusal(_SERIALISED)
    whole = find_recurring(results)
    if whole is None or not index_rows(results, "time.launch_gaps", "part"):
        return Refusal(_NO_GAPS)
    repeats = whole.kind == "iteration"
    of = "time of steady iterations" if repeats else whole.short
    gaps, longer = ("gaps", "the longest") if repeats else ("gaps of up to 32 µs", "longer gaps")
    copies = sum_cells(read_ledger(results), RECURRING & BEHIND) > 0.0
    others = f", {_BEHIND}" if copies else ""
    stay = (ChangeEffect(RECURRING & LAUNCHES), _take_behind(RECURRING, read_ledger(results)))
    assumed = _REPLAYED if repeats else _NO_LAUNCHES
    return make_gain(
        (*_take_replayed(results), *_take_launched(results)),
        whole,
        f"{gaps}{others}, and {longer} up to the time in which operations run / {of}",
        (assumed, *((_BESIDE,) if copies else ()), SAME_TIME, *explain_profiling(results)),
        results,
        weaker=make_weaker_bound(
            stay,
            whole,
            _STAY,
            f"gaps of up to 32 µs{f' and {_BEHIND}' if copies else ''} / {of}",
            results,
        ),
    )


def _take_replayed(results: Results) -> Iterator[ChangeEffect]:
    """What iterations lose that a graph replays: gaps, and of the longest what operations hide.

    Each of the longest may end with a launch.
    """
    cells = read_ledger(results)
    for era in (COMPLETE, LAST):
        yield ChangeEffect(era & REPLAYED)
        yield _take_behind(era, cells)
        yield ChangeEffect(era & LONGEST, _hide_longer_gaps(era, LONGEST, cells))


def _take_launched(results: Results) -> Iterator[ChangeEffect]:
    """What a warm-up loses, or a run without iterations, where launches take no time.

    Short gaps; and at most the longer of the GPU's work and the host's in longer gaps is left. All
    launches took no longer than each may.
    """
    rows, cells = index_rows(results, "time.launch_gaps", "part"), read_ledger(results)
    for era, part in ((WARM_UP, "warm-up"), (BETWEEN, "run")):
        left = get_number(rows[part], "operations") * _LAUNCH if part in rows else math.inf
        wanted = {
            LAUNCHES: sum_cells(cells, era & LAUNCHES),
            BEHIND: _take_behind(era, cells).most,
            LONGER: _hide_longer_gaps(era, LONGER, cells),
        }
        for where, size in wanted.items():
            yield ChangeEffect(era & where, min(size, left))
            left -= min(size, left)


def _hide_longer_gaps(era: CellFilter, gaps: CellFilter, cells: tuple[LedgerCell, ...]) -> float:
    """What of longer gaps hides behind operations, each of which may end with a launch [s]."""
    busy = sum_cells(cells, era & BUSY) - sum_cells(cells, era & BEHIND)
    launches = sum(cell.number for cell in select_cells(cells, era & gaps)) * _LAUNCH
    return min(sum_cells(cells, era & gaps), max(busy + launches, 0.0))


def _take_behind(era: CellFilter, cells: tuple[LedgerCell, ...]) -> ChangeEffect:
    """Copies that run behind kernels then, no longer than kernels run by themselves now."""
    cover = sum_cells(cells, CellFilter(period=era.period) & KERNELS_ALONE)
    return ChangeEffect(era & BEHIND, hide_time(sum_cells(cells, era & BEHIND), cover))


@GainEstimator
def bound_gpu_idle(_: str, __: float, results: Results) -> Estimate | None:
    """All idle time of iterations, or between operations without any: a limit, no step's gain.

    Copies that run beside no kernel, but that no kernel waits for, and those on streams of their
    own move behind kernels once the host launches these in time: the limit holds without them.
    """
    whole = find_recurring(results)
    if whole is None:
        return None
    era, cells = STEADY if whole.kind == "iteration" else BETWEEN, read_ledger(results)
    copies, sampled = sum_cells(cells, era & BEHIND) > 0.0, find_sampled_gaps(results) > 0.0
    return make_gain(
        (ChangeEffect(era & IDLE), _take_behind(era, cells)),
        whole,
        _format_limit(whole, copies=copies, sampled=sampled),
        (
            _LONG_GONE if sampled and whole.kind == "iteration" else _LIMIT,
            *((_RUN_BEHIND,) if copies else ()),
            SAME_TIME,
        ),
        results,
        kind="limit",
    )


def sum_behind(results: Results) -> float:
    """Copies that can run behind kernels as soon as these are launched in time [s]."""
    return _take_behind(CellFilter(), read_ledger(results)).most


def _format_limit(whole: BoundWhole, *, copies: bool, sampled: bool) -> str:
    if whole.kind != "iteration":
        idle = "idle time between operations"
        return f"{f'({idle} + {_BEHIND})' if copies else idle} / {whole.short}"
    short_stay = " + gaps of up to 5 ms" if sampled else ""
    less = f" - {_BEHIND}" if copies else ""
    busy = f"(GPU busy{less}{short_stay})" if copies or sampled else "GPU busy"
    return f"1 - {busy} / time of steady iterations"
