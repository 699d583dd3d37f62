"""Amounts of time as small formulas over metrics, and a few that need more than that.

In:  `time.wall - time.gpu_busy`, `time.phases[phase=start-up].duration`,
     `cpu.event_total * cpu.waiting_share`, `@stalled`, and the results of a run.
Out: the amount, or None where one of its metrics is not measured.

`a.b` is a scalar, and of `a.b[0].c`, `a.b[].c` and `a.b[name=text].c` the sum over the rows that
each names (see `chosen_rows`). Products bind tighter than sums. `@name` is one of `MEASURES`.
"""

from __future__ import annotations

import math
import re
from collections.abc import Callable, Mapping
from types import MappingProxyType
from typing import Literal

from perfolio.common.errors import ContentError
from perfolio.findings.estimates import copies, kernel_shares
from perfolio.findings.estimates.bound_formulas import Interval, exactly
from perfolio.findings.estimates.kernel_shares import kernels_of, weighted
from perfolio.findings.model.conditions import chosen_rows, field_metric
from perfolio.metrics.metric_values import measured, number_of, rows_of
from perfolio.metrics.model import Cell, Results

_TERMS = re.compile(r" ([+-]) ")
_SHORT_KERNEL = 10e-6
"""Below it a kernel is short [s]: TraceLens."""


End = Literal["low", "value", "high"]
_OTHER_END: Mapping[End, End] = MappingProxyType({"low": "high", "value": "value", "high": "low"})


def amount(formula: str, results: Results, end: End = "value") -> float | None:
    """The value of a formula. ContentError where it names an unknown metric or column.

    `end` takes each scalar and measure that is sampled at that end of its interval, and what is
    subtracted at the other one; cells have no interval.
    """
    first, *others = _TERMS.split(formula.strip())
    total = _product(first, results, end)
    for sign, term in zip(others[::2], others[1::2], strict=True):
        value = _product(term, results, end if sign == "+" else _OTHER_END[end])
        if total is None or value is None:
            return None
        total += value if sign == "+" else -value
    return total


def metrics_in(formula: str) -> tuple[str, ...]:
    """The metrics that a formula reads, also through `@name`."""
    named = [name for term in _TERMS.split(formula)[::2] for name in term.split(" * ")]
    plain = (field_metric(name.strip()) for name in named if name and not name.startswith("@"))
    read = (each for name in named if name.startswith("@") for each in _measure(name[1:])[1])
    return (*plain, *read)


def _product(term: str, results: Results, end: End) -> float | None:
    factors = [_factor(name.strip(), results, end) for name in term.split(" * ")]
    known = [factor for factor in factors if factor is not None]
    return math.prod(known) if len(known) == len(factors) else None


def _factor(name: str, results: Results, end: End) -> float | None:
    if name.startswith("@"):
        found = _measure(name.removeprefix("@"))[0](results)
        return None if found is None else float(getattr(found, end))
    metric = field_metric(name)
    if metric not in results:
        raise ContentError(f"unknown metric {metric!r}")
    if metric == name:
        value = measured(results, name)
        told = None if end == "value" else getattr(results[name], end)
        return told if value is not None and told is not None else value
    return _cells(name, results)


def _measure(name: str) -> tuple[Callable[[Results], Interval | None], tuple[str, ...]]:
    if name not in MEASURES:
        raise ContentError(f"unknown measure {name!r}", hint=f"one of {', '.join(MEASURES)}")
    return MEASURES[name]


def _cells(name: str, results: Results) -> float | None:
    """The sum of some cells of a table; None where the table or each of the rows is missing."""
    column, rows = chosen_rows(name, results)
    cells = (row[column.name] for row in rows)
    numbers = [float(cell) for cell in cells if isinstance(cell, (int, float))]
    return math.fsum(numbers) if numbers else None


def _of_kernels(
    results: Results, share: Callable[[kernel_shares.Kernel], Interval]
) -> Interval | None:
    """A share of each kernel's own time [s]."""
    found = kernels_of(results)
    return kernel_shares.time_of(weighted(found, share, unknown=0.0), results) if found else None


def _unfilled(results: Results) -> Interval | None:
    if all(kernel.occupancy is None for kernel in kernels_of(results) if kernel.own):
        return None
    found = _of_kernels(
        results,
        lambda kernel: (
            exactly(0.0) if kernel.occupancy is None else kernel_shares.more_warps(kernel)
        ),
    )
    return None if found is None else exactly(found.value)


def _small(results: Results) -> Interval | None:
    """Time of kernels that last less than 10 µs on average [s]."""
    rows = rows_of(results, "gpu.kernels")
    pairs = zip(rows, kernels_of(results), strict=True)
    short = [kernel for row, kernel in pairs if _below(row["mean"], _SHORT_KERNEL)]
    return _of_kernels(results, lambda kernel: exactly(1.0 if kernel in short else 0.0))


def _below(cell: Cell, bound: float) -> bool:
    return isinstance(cell, (int, float)) and cell < bound


def _idle_chunks(results: Results) -> Interval | None:
    """Idle time of the GPU in those of 30 parts in which it is idle for more than half [s]."""
    parts = [
        [number_of(row, name) for name in ("start", "stop", "busy")]
        for row in rows_of(results, "time.chunks")
    ]
    idle = ((stop - start) * (1.0 - busy) for start, stop, busy in parts if busy < 0.5)
    return exactly(math.fsum(idle)) if parts else None


def _exact(measure: Callable[[Results], float | None]) -> Callable[[Results], Interval | None]:
    def measured_exactly(results: Results) -> Interval | None:
        found = measure(results)
        return None if found is None else exactly(found)

    return measured_exactly


def _of_kernel_time(share: str) -> Callable[[Results], Interval | None]:
    """The time of kernels that a metric is a share of, times that share [s]."""

    def part(results: Results) -> Interval | None:
        value = measured(results, share)
        return None if value is None else kernel_shares.time_of(exactly(value), results)

    return part


def _partial_warps(results: Results) -> Interval | None:
    part, whole = (measured(results, name) for name in _PARTIAL_WARPS[:2])
    return (
        kernel_shares.time_of(exactly(part / whole), results)
        if part is not None and whole
        else None
    )


_KERNELS = ("gpu.kernels", "gpu.kernel_time")
_TIME = ("gpu.kernel_time", "time.kernel_busy")
_LAST_WAVES = ("launch.tail_share", *_TIME)
_SMALL_GRIDS = ("launch.empty_share", *_TIME)
_PARTIAL_WARPS = ("launch.partial_warp_time", *_TIME)
MEASURES: Mapping[str, tuple[Callable[[Results], Interval | None], tuple[str, ...]]] = (
    MappingProxyType(
        {
            "hideable": (_exact(copies.hideable), copies.HIDEABLE_READS),
            "idle_chunks": (_idle_chunks, ("time.chunks",)),
            "last_waves": (_of_kernel_time(_LAST_WAVES[0]), _LAST_WAVES),
            "partial_warps": (_partial_warps, _PARTIAL_WARPS),
            "slower": (_exact(copies.slower), copies.SLOWER_READS),
            "small": (_small, _KERNELS),
            "small_grids": (_of_kernel_time(_SMALL_GRIDS[0]), _SMALL_GRIDS),
            "stalled": (lambda results: _of_kernels(results, kernel_shares.waits), _KERNELS),
            "unfilled": (_unfilled, _KERNELS),
        }
    )
)
"""Amounts that no formula of one line gives, by name, and what each of them reads."""
