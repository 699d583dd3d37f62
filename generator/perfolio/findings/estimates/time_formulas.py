"""Amounts of time as small formulas over metrics, and a few that need more than that.

In:  `time.wall - time.gpu_busy`, `time.phases[phase=start-up].duration`,
     `cpu.event_total * cpu.waiting_share`, `@stalled`, and the results of a run.
Out: the amount, or None where one of its metrics is not measured.

`a.b` is a scalar, and of `a.b[0].c`, `a.b[].c` and `a.b[name=text].c` the sum over the rows that
each names (see `choose_rows`). Products bind tighter than sums. `@name` is one of `MEASURES`.
"""

from __future__ import annotations

import math
import re
from collections.abc import Callable, Mapping
from types import MappingProxyType
from typing import Literal

from perfolio.common.errors import ContentError
from perfolio.findings.estimates import copies, kernel_shares
from perfolio.findings.estimates.bound_formulas import ShareInterval, make_exact
from perfolio.findings.estimates.kernel_shares import read_kernels, weigh_kernels
from perfolio.findings.model.conditions import choose_rows, get_field_metric
from perfolio.metrics.metric_values import get_number, get_rows, get_value
from perfolio.metrics.model import Cell, Results

_TERMS = re.compile(r" ([+-]) ")
_SHORT_KERNEL = 10e-6
"""Below it a kernel is short [s]: TraceLens."""


End = Literal["low", "value", "high"]
_OTHER_END: Mapping[End, End] = MappingProxyType({"low": "high", "value": "value", "high": "low"})


def compute_amount(formula: str, results: Results, end: End = "value") -> float | None:
    """The value of a formula. ContentError where it names an unknown metric or column.

    `end` takes each scalar and measure that is sampled at that end of its interval, and what is
    subtracted at the other one; cells have no interval.
    """
    first, *others = _TERMS.split(formula.strip())
    total = _compute_product(first, results, end)
    for sign, term in zip(others[::2], others[1::2], strict=True):
        value = _compute_product(term, results, end if sign == "+" else _OTHER_END[end])
        if total is None or value is None:
            return None
        total += value if sign == "+" else -value
    return total


def find_metrics(formula: str) -> tuple[str, ...]:
    """The metrics that a formula reads, also through `@name`."""
    named = [name for term in _TERMS.split(formula)[::2] for name in term.split(" * ")]
    plain = (get_field_metric(name.strip()) for name in named if name and not name.startswith("@"))
    read = (each for name in named if name.startswith("@") for each in _find_measure(name[1:])[1])
    return (*plain, *read)


def _compute_product(term: str, results: Results, end: End) -> float | None:
    factors = [_compute_factor(name.strip(), results, end) for name in term.split(" * ")]
    known = [factor for factor in factors if factor is not None]
    return math.prod(known) if len(known) == len(factors) else None


def _compute_factor(name: str, results: Results, end: End) -> float | None:
    if name.startswith("@"):
        found = _find_measure(name.removeprefix("@"))[0](results)
        return None if found is None else float(getattr(found, end))
    metric = get_field_metric(name)
    if metric not in results:
        raise ContentError(f"unknown metric {metric!r}")
    if metric == name:
        value = get_value(results, name)
        told = None if end == "value" else getattr(results[name], end)
        return told if value is not None and told is not None else value
    return _sum_cells(name, results)


def _find_measure(name: str) -> tuple[Callable[[Results], ShareInterval | None], tuple[str, ...]]:
    if name not in MEASURES:
        raise ContentError(f"unknown measure {name!r}", hint=f"one of {', '.join(MEASURES)}")
    return MEASURES[name]


def _sum_cells(name: str, results: Results) -> float | None:
    """The sum of some cells of a table; None where the table or each of the rows is missing."""
    column, rows = choose_rows(name, results)
    cells = (row[column.name] for row in rows)
    numbers = [float(cell) for cell in cells if isinstance(cell, (int, float))]
    return math.fsum(numbers) if numbers else None


def _sum_kernel_time(
    results: Results, share: Callable[[kernel_shares.KernelShares], ShareInterval]
) -> ShareInterval | None:
    """A share of each kernel's own time [s]."""
    found = read_kernels(results)
    return (
        kernel_shares.compute_kernel_time(weigh_kernels(found, share, unknown=0.0), results)
        if found
        else None
    )


def _measure_unfilled(results: Results) -> ShareInterval | None:
    if all(kernel.occupancy is None for kernel in read_kernels(results) if kernel.own):
        return None
    found = _sum_kernel_time(
        results,
        lambda kernel: (
            make_exact(0.0) if kernel.occupancy is None else kernel_shares.fill_warps(kernel)
        ),
    )
    return None if found is None else make_exact(found.value)


def _measure_small(results: Results) -> ShareInterval | None:
    """Time of kernels that last less than 10 µs on average [s]."""
    rows = get_rows(results, "gpu.kernels")
    pairs = zip(rows, read_kernels(results), strict=True)
    short = [kernel for row, kernel in pairs if _is_below(row["mean"], _SHORT_KERNEL)]
    return _sum_kernel_time(results, lambda kernel: make_exact(1.0 if kernel in short else 0.0))


def _is_below(cell: Cell, bound: float) -> bool:
    return isinstance(cell, (int, float)) and cell < bound


def _measure_idle_chunks(results: Results) -> ShareInterval | None:
    """Idle time of the GPU in those of 30 parts in which it is idle for more than half [s]."""
    parts = [
        [get_number(row, name) for name in ("start", "stop", "busy")]
        for row in get_rows(results, "time.chunks")
    ]
    idle = ((stop - start) * (1.0 - busy) for start, stop, busy in parts if busy < 0.5)
    return make_exact(math.fsum(idle)) if parts else None


def _make_exact_measure(
    measure: Callable[[Results], float | None],
) -> Callable[[Results], ShareInterval | None]:
    def measured_exactly(results: Results) -> ShareInterval | None:
        found = measure(results)
        return None if found is None else make_exact(found)

    return measured_exactly


def _make_share_measure(share: str) -> Callable[[Results], ShareInterval | None]:
    """The time of kernels that a metric is a share of, times that share [s]."""

    def part(results: Results) -> ShareInterval | None:
        value = get_value(results, share)
        return (
            None if value is None else kernel_shares.compute_kernel_time(make_exact(value), results)
        )

    return part


def _measure_partial_warps(results: Results) -> ShareInterval | None:
    part, whole = (get_value(results, name) for name in _PARTIAL_WARPS[:2])
    return (
        kernel_shares.compute_kernel_time(make_exact(part / whole), results)
        if part is not None and whole
        else None
    )


_KERNELS = ("gpu.kernels", "gpu.kernel_time")
_TIME = ("gpu.kernel_time", "time.kernel_busy")
_LAST_WAVES = ("launch.tail_share", *_TIME)
_SMALL_GRIDS = ("launch.empty_share", *_TIME)
_PARTIAL_WARPS = ("launch.partial_warp_time", *_TIME)
MEASURES: Mapping[str, tuple[Callable[[Results], ShareInterval | None], tuple[str, ...]]] = (
    MappingProxyType(
        {
            "hideable": (_make_exact_measure(copies.compute_hideable), copies.HIDEABLE_READS),
            "idle_chunks": (_measure_idle_chunks, ("time.chunks",)),
            "last_waves": (_make_share_measure(_LAST_WAVES[0]), _LAST_WAVES),
            "partial_warps": (_measure_partial_warps, _PARTIAL_WARPS),
            "slower": (_make_exact_measure(copies.compute_slower), copies.SLOWER_READS),
            "small": (_measure_small, _KERNELS),
            "small_grids": (_make_share_measure(_SMALL_GRIDS[0]), _SMALL_GRIDS),
            "stalled": (
                lambda results: _sum_kernel_time(results, kernel_shares.measure_waits),
                _KERNELS,
            ),
            "unfilled": (_measure_unfilled, _KERNELS),
        }
    )
)
"""Amounts that no formula of one line gives, by name, and what each of them reads."""
