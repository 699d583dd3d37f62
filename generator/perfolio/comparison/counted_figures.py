"""Figures that are counted exactly, and so gate without any noise.

In:  operations of a window, a run of a store, its documents. Out: `CountedFigure` by name.

A figure of an iteration is that of the usual one, with the least and the most of all. What the
recording does not hold is not measured, never 0.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any

import numpy as np
import numpy.typing as npt

from perfolio.comparison.recorded_operations import GpuOperations, WorkContext
from perfolio.comparison.run_record import CountedFigure
from perfolio.comparison.steady_window import SteadyWindow, align_iterations
from perfolio.store.run_tables import RunTables

Integers = npt.NDArray[np.int64]
Flags = npt.NDArray[np.bool_]
DIRECTIONS = ("H2D", "D2H", "D2D", "P2P")
NAMES = (
    "launches", "kernels", "copies", "memsets", "collectives", "synchronisations", "allocations",
    "recompilations", "bytes_h2d", "bytes_d2h", "bytes_d2d", "bytes_p2p", "peak_memory",
)  # fmt: skip
"""All that are in a record."""
_HAS_CALLS = "SELECT 1 FROM host_call LIMIT 1"
_WAITS = "SELECT start FROM blocking_calls WHERE waits ORDER BY start"
_ALLOCATIONS = """
SELECT start FROM host_call
WHERE regexp_matches(
        name, '^((cuda|hip)(Malloc|Free)|hipExtMalloc|cuMem(Alloc|Free|Create|Release|Map|Unmap))'
    )
    AND NOT regexp_matches(name, 'Host')
ORDER BY start
"""
_STEPS = """
SELECT start, stop FROM host_step
WHERE profile = (SELECT min(profile) FROM host_step) ORDER BY start
"""
_COMPILES = """
SELECT count(*) FILTER (WHERE regexp_matches(name, 'compile_inner|entire_frame_compile')), count(*)
FROM host_range WHERE kind <> 'step'
"""
QUERIES = (_HAS_CALLS, _WAITS, _ALLOCATIONS, _STEPS, _COMPILES)
_NOT_MEASURED = CountedFigure("run", None)


def count_figures(
    tables: RunTables,
    found: GpuOperations | None,
    window: SteadyWindow | None,
    metrics: Mapping[str, Any],
    *,
    is_partial: bool = False,
) -> dict[str, CountedFigure]:
    """All figures, by name; without those of GPU work where only a part of that is recorded."""
    figures = dict.fromkeys(NAMES, _NOT_MEASURED)
    if found is not None and window is not None:
        figures |= {} if is_partial else _count_operations(found, window)
        figures |= _count_calls(tables, window)
    ((compiled, ranges),) = tables.rows(_COMPILES)
    if ranges:
        figures["recompilations"] = CountedFigure("run", int(compiled))
    return figures | _take_totals(metrics, figures)


def _count_operations(found: GpuOperations, window: SteadyWindow) -> dict[str, CountedFigure]:
    bounds = _find_bounds(found, window)
    kernel = found.flag(lambda work: work.operation == "kernel")
    chosen = {
        "launches": _flag_launches(found, kernel),
        "kernels": kernel,
        "collectives": found.flag(lambda work: work.part == 1),
        "copies": found.flag(lambda work: work.operation.startswith("copy")),
        "memsets": found.flag(lambda work: work.operation == "memset"),
    }
    figures = {
        name: _make_figure(_sum_gpus(found, bounds, own), window) for name, own in chosen.items()
    }
    for direction in DIRECTIONS:
        own = _flag_copies(found, direction)
        if (found.bytes[own] >= 0).all():  # else one of them does not tell
            summed = _sum_gpus(found, bounds, own, found.bytes)
            figures[f"bytes_{direction.lower()}"] = _make_figure(summed, window, "B")
    return figures


def _flag_copies(found: GpuOperations, direction: str) -> Flags:
    return found.flag(lambda work: work.operation == f"copy {direction}")


def _find_bounds(found: GpuOperations, window: SteadyWindow) -> dict[int, Integers]:
    """Bounds of iterations on each GPU: a rank may be ahead of others."""
    bounds = np.array(window.bounds, np.int64)
    if not window.is_steady:
        return dict.fromkeys(found.ranks, bounds)
    numbers: dict[WorkContext, int] = {}
    told = {n: numbers.setdefault(work, len(numbers)) for n, work in found.contexts.items()}
    works = np.array([told[context] for context in found.context.tolist()], np.int64)
    own = {gpu: found.device == gpu for gpu in found.ranks}
    starts = {gpu: found.start[held] for gpu, held in own.items()}
    return align_iterations(bounds, starts, {gpu: works[held] for gpu, held in own.items()})


def _flag_launches(found: GpuOperations, kernel: Flags) -> Flags:
    """The first kernel of each call: a graph is launched once."""
    called = np.flatnonzero(kernel & (found.call >= 0))
    called = called[np.argsort(found.start[called], kind="stable")]
    _, first = np.unique(found.call[called], return_index=True)
    flags = kernel & (found.call < 0)
    flags[called[first]] = True
    return flags


def _sum_gpus(
    found: GpuOperations,
    bounds: Mapping[int, Integers],
    chosen: Flags,
    weights: Integers | None = None,
) -> Integers:
    """How many chosen operations are in each iteration of all GPUs, or the sum of their weights."""
    summed = np.zeros(min((len(own) for own in bounds.values()), default=2) - 1, np.int64)
    for gpu, own in bounds.items():
        held = chosen & (found.device == gpu)
        summed += _sum_marks(found.start[held], own, None if weights is None else weights[held])
    return summed


def _sum_marks(marks: Integers, bounds: Integers, weights: Integers | None = None) -> Integers:
    """How many of these moments are between each two bounds, or the sum of their weights."""
    place = np.searchsorted(bounds, marks, "right") - 1
    inside = (place >= 0) & (place < len(bounds) - 1)
    summed = np.zeros(len(bounds) - 1, np.int64)
    np.add.at(summed, place[inside], 1 if weights is None else weights[inside])
    return summed


def _make_figure(each: Integers, window: SteadyWindow, unit: str = "count") -> CountedFigure:
    if not window.is_steady:
        return CountedFigure("run", int(each.sum()), unit=unit)
    ordered = np.sort(each)
    usual = int(ordered[(len(ordered) - 1) // 2])
    return CountedFigure("iteration", usual, int(ordered[0]), int(ordered[-1]), unit)


def _count_calls(tables: RunTables, window: SteadyWindow) -> dict[str, CountedFigure]:
    """Calls by iterations of the host, where the program marks them: it runs ahead of the GPU."""
    if not tables.rows(_HAS_CALLS):
        return {}
    steps = tables.rows(_STEPS) if window.is_steady else []
    own = window
    if len(steps) > 1:
        edges = (*(start for start, _ in steps), steps[-1][1])
        own = SteadyWindow(edges, is_steady=True)
    bounds = np.array(own.bounds, np.int64)
    return {
        name: _make_figure(_sum_marks(_read_moments(tables.rows(sql)), bounds), own)
        for name, sql in (("synchronisations", _WAITS), ("allocations", _ALLOCATIONS))
    }


def _read_moments(rows: Iterable[tuple[Any, ...]]) -> Integers:
    return np.array([row[0] for row in rows], np.int64)


def _take_totals(
    metrics: Mapping[str, Any], figures: Mapping[str, CountedFigure]
) -> dict[str, CountedFigure]:
    """What only the documents tell: bytes that are not known of each copy, and the memory."""
    known = {item["name"]: item for item in metrics["metrics"] if item["status"] == "measured"}
    found = {}
    for direction in DIRECTIONS:
        name = f"bytes_{direction.lower()}"
        total = known.get(f"transfer.{name}")
        if figures[name].value is None and total is not None and total["value"] is not None:
            found[name] = CountedFigure("run", round(total["value"]), unit="B")
    if peak := _find_peak(known.get("memory.peak")):
        found["peak_memory"] = CountedFigure("run", peak, unit="B")
    return found


def _find_peak(item: Mapping[str, Any] | None) -> int | None:
    """Most bytes that were allocated on one GPU at once."""
    if item is None:
        return None
    names = [column["name"] for column in item["columns"]]
    device, allocated = names.index("device"), names.index("allocated")
    held = [
        int(row[allocated])
        for row in item["rows"]
        if row[allocated] is not None and "GPU" in str(row[device])
    ]
    return max(held, default=None)
