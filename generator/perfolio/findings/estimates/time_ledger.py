"""The time of a run in cells, and the cells that estimates speak of by name.

In:  the results of a run. Out: its cells, and `CellFilter`s.
"""

from __future__ import annotations

import math
from collections import defaultdict
from collections.abc import Iterable
from dataclasses import replace

from perfolio.findings.model.change_effect import CellFilter, LedgerCell
from perfolio.metrics.metric_values import get_number, get_rows, get_value
from perfolio.metrics.model import Results

_COLUMNS = ("period", "state", "beside", "gap")


def _select_periods(*names: str) -> CellFilter:
    return CellFilter(period=frozenset(names))


START = _select_periods("before", "start-up")
WARM_UP = _select_periods("warm-up")
COMPLETE = _select_periods("steady", "outlier")
"""Iterations whose end is known, the warm-up left out: shares of an iteration are of these."""
LAST = _select_periods("last")
STEADY = _select_periods("steady", "outlier", "last")
END = _select_periods("end")
BETWEEN = _select_periods("between")
"""All operations of a run without iterations."""
ERAS = (WARM_UP, COMPLETE, LAST, BETWEEN)
"""What hides in one of them does not hide in another."""
RECURRING = _select_periods("warm-up", "steady", "outlier", "last", "between")

IDLE = CellFilter(state=frozenset({"idle"}), gap=frozenset({"longest", "launch", "other"}))
"""No operation runs; gaps that PC sampling may have made are in no estimate."""
ANY_IDLE = CellFilter(state=frozenset({"idle"}))
BESIDE = IDLE & CellFilter(beside=frozenset({"after copy", "before copy"}))
ELSEWHERE = IDLE & CellFilter(beside=frozenset({"none"}))
LAUNCHES = IDLE & CellFilter(gap=frozenset({"launch"}))
REPLAYED = IDLE & CellFilter(gap=frozenset({"launch", "other"}))
"""All gaps of iterations but the longest of each, where that is long."""
LONGER = IDLE & CellFilter(gap=frozenset({"longest", "other"}))
LONGEST = IDLE & CellFilter(gap=frozenset({"longest"}))
KERNELS = CellFilter(state=frozenset({"kernel", "collective", "kernel and collective", "both"}))
KERNELS_ALONE = CellFilter(state=frozenset({"kernel", "collective", "kernel and collective"}))
"""Kernels beside no copy."""
COMPUTING = CellFilter(state=frozenset({"kernel"}))
"""Kernels beside neither copies nor collective operations."""
COLLECTIVES = CellFilter(state=frozenset({"collective"}))
"""Collective operations beside nothing else."""
COPIES = CellFilter(state=frozenset({"copy", "copy waited for", "copy apart", "copy passing"}))
"""Copies beside no kernel."""
WAITED_FOR = CellFilter(state=frozenset({"copy waited for", "copy apart"}))
BEHIND = CellFilter(state=frozenset({"copy apart", "copy passing"}))
"""Copies that can run behind kernels once the host launches these in time."""
BUSY = CellFilter(
    state=frozenset(
        {
            "kernel",
            "collective",
            "kernel and collective",
            "both",
            "copy waited for",
            "copy apart",
            "copy passing",
            "other",
        }
    )
)


def read_ledger(results: Results) -> tuple[LedgerCell, ...]:
    """All time of a GPU, of several the mean; none without a trace."""
    rows = get_rows(results, "time.gpu_ledger")
    gpus = len({row["gpu"] for row in rows})
    sums = defaultdict[LedgerCell, list[tuple[float, float]]](list)
    for row in rows:
        period, state, beside, gap = (str(row[name]) for name in _COLUMNS)
        kind = LedgerCell(period, state, beside, gap)
        sums[kind].append((get_number(row, "time") / gpus, get_number(row, "number") / gpus))
    return tuple(
        replace(kind, seconds=math.fsum(time for time, _ in of), number=math.fsum(n for _, n in of))
        for kind, of in sums.items()
    )


def make_cells(whole: str, size: float, results: Results) -> tuple[LedgerCell, ...]:
    """The cells of the whole of a run's causes, by its key and its size."""
    if whole in ("wall", "span"):
        return read_ledger(results)
    copies = min(get_value(results, "gpu.copy_time") or 0.0, size) if whole == "gpu_work" else 0.0
    state = "kernel" if whole == "gpu_work" else "cost"
    return (
        LedgerCell(state="copy", seconds=copies),
        LedgerCell(state=state, seconds=size - copies),
    )


def select_cells(cells: Iterable[LedgerCell], where: CellFilter) -> tuple[LedgerCell, ...]:
    """The cells that match."""
    return tuple(cell for cell in cells if cell in where)
