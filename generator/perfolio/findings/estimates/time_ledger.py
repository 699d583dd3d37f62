"""The time of a run in cells, and the cells that estimates speak of by name.

In:  the results of a run. Out: its cells, and `Where`s.
"""

from __future__ import annotations

import math
from collections import defaultdict
from collections.abc import Iterable
from dataclasses import replace

from perfolio.findings.model.change_effect import LedgerCell, Where
from perfolio.metrics.metric_values import measured, number_of, rows_of
from perfolio.metrics.model import Results

_COLUMNS = ("period", "state", "beside", "gap")


def _period(*names: str) -> Where:
    return Where(period=frozenset(names))


START = _period("before", "start-up")
WARM_UP = _period("warm-up")
COMPLETE = _period("steady", "outlier")
"""Iterations whose end is known, the warm-up left out: shares of an iteration are of these."""
LAST = _period("last")
STEADY = _period("steady", "outlier", "last")
END = _period("end")
BETWEEN = _period("between")
"""All operations of a run without iterations."""
ERAS = (WARM_UP, COMPLETE, LAST, BETWEEN)
"""What hides in one of them does not hide in another."""
RECURRING = _period("warm-up", "steady", "outlier", "last", "between")

IDLE = Where(state=frozenset({"idle"}), gap=frozenset({"longest", "launch", "other"}))
"""No operation runs; gaps that PC sampling may have made are in no estimate."""
ANY_IDLE = Where(state=frozenset({"idle"}))
BESIDE = IDLE & Where(beside=frozenset({"after copy", "before copy"}))
ELSEWHERE = IDLE & Where(beside=frozenset({"none"}))
LAUNCHES = IDLE & Where(gap=frozenset({"launch"}))
REPLAYED = IDLE & Where(gap=frozenset({"launch", "other"}))
"""All gaps of iterations but the longest of each, where that is long."""
LONGER = IDLE & Where(gap=frozenset({"longest", "other"}))
LONGEST = IDLE & Where(gap=frozenset({"longest"}))
KERNELS = Where(state=frozenset({"kernel", "collective", "kernel and collective", "both"}))
KERNELS_ALONE = Where(state=frozenset({"kernel", "collective", "kernel and collective"}))
"""Kernels beside no copy."""
COMPUTING = Where(state=frozenset({"kernel"}))
"""Kernels beside neither copies nor collective operations."""
COLLECTIVES = Where(state=frozenset({"collective"}))
"""Collective operations beside nothing else."""
COPIES = Where(state=frozenset({"copy", "copy waited for", "copy apart", "copy passing"}))
"""Copies beside no kernel."""
WAITED_FOR = Where(state=frozenset({"copy waited for", "copy apart"}))
BEHIND = Where(state=frozenset({"copy apart", "copy passing"}))
"""Copies that can run behind kernels once the host launches these in time."""
BUSY = Where(
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


def ledger(results: Results) -> tuple[LedgerCell, ...]:
    """All time of a GPU, of several the mean; none without a trace."""
    rows = rows_of(results, "time.gpu_ledger")
    gpus = len({row["gpu"] for row in rows})
    sums = defaultdict[LedgerCell, list[tuple[float, float]]](list)
    for row in rows:
        period, state, beside, gap = (str(row[name]) for name in _COLUMNS)
        kind = LedgerCell(period, state, beside, gap)
        sums[kind].append((number_of(row, "time") / gpus, number_of(row, "number") / gpus))
    return tuple(
        replace(kind, seconds=math.fsum(time for time, _ in of), number=math.fsum(n for _, n in of))
        for kind, of in sums.items()
    )


def cells_of(whole: str, size: float, results: Results) -> tuple[LedgerCell, ...]:
    """The cells of the whole of a run's causes, by its key and its size."""
    if whole in ("wall", "span"):
        return ledger(results)
    copies = min(measured(results, "gpu.copy_time") or 0.0, size) if whole == "gpu_work" else 0.0
    state = "kernel" if whole == "gpu_work" else "cost"
    return (
        LedgerCell(state="copy", seconds=copies),
        LedgerCell(state=state, seconds=size - copies),
    )


def within(cells: Iterable[LedgerCell], where: Where) -> tuple[LedgerCell, ...]:
    """The cells that match."""
    return tuple(cell for cell in cells if cell in where)
