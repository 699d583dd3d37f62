"""From costs as measured to the scopes of HPCToolkit, one profile at a time.

Definitions, with children(c) the contexts directly below c:

    point(c)      what was measured at c
    execution(c)  point(c) + execution of all children
    function(c)   point(c) + function of the children that c encloses (relation lexical)
    lex_aware(c)  as function, but for a loop without the loops within it

Only contexts with a value below them take part, in matrices of context by metric that
are at most CELLS large; a metric more than fits is another matrix.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from perfolio.writers.hpctoolkit.context_order import Flags, Ints, Topology, find_group_starts
from perfolio.writers.hpctoolkit.metric_numbers import MetricNumbering
from perfolio.writers.hpctoolkit.model import Values

CELLS = 1 << 21
"""Largest matrix of contexts by metrics, in numbers."""
Matrix = npt.NDArray[np.float64]


@dataclass(frozen=True)
class CostBlock:
    """All values of a profile other than 0, by context and identifier of metric."""

    profile: int
    context: npt.NDArray[np.uint32]
    """Contexts that have values, ascending."""
    start: Ints
    """Where the values of each begin."""
    metric: npt.NDArray[np.uint16]
    """propMetricId, ascending within a context."""
    value: npt.NDArray[np.float64]


@dataclass(frozen=True)
class _ActiveContexts:
    """The contexts that take part, in the order of the tree."""

    ids: Ints
    parent: Ints
    """Position among them."""
    levels: Ints
    lexical: Flags
    loop: Flags


def propagate(topology: Topology, numbers: MetricNumbering, pieces: Sequence[Values]) -> CostBlock:
    """The values of a profile at all scopes, from all pieces of its measured ones.

    Raises ValueError for unknown contexts and metrics, and for values that are negative or
    not finite.
    """
    profile = pieces[0].profile
    metric = np.concatenate([piece.metric for piece in pieces]).astype(np.int64)
    value = np.concatenate([piece.value for piece in pieces]).astype(np.float64)
    context = np.concatenate([piece.context for piece in pieces]).astype(np.int64)
    _check_values(topology, numbers, profile, context, metric, value)
    position = topology.order.position[context]
    part, local = _select_contexts(topology, position)
    row = local[position]
    used = np.flatnonzero(np.bincount(metric, minlength=len(numbers.metrics)))
    width = max(1, CELLS // max(len(part.ids), 1))
    by_id = np.argsort(part.ids)
    found = []
    for first in range(0, len(used), width):
        columns = used[first : first + width]
        chosen = (metric >= columns[0]) & (metric <= columns[-1])
        column = np.searchsorted(columns, metric[chosen])
        cells = len(part.ids) * len(columns)
        place = row[chosen] * len(columns) + column
        point = np.bincount(place, value[chosen], minlength=cells).astype(np.float64, copy=False)
        scopes = _sum_scopes(part, point.reshape(len(part.ids), len(columns)))
        found.append(_collect_cells(numbers, columns, scopes, by_id))
    return _join_cells(profile, part.ids[by_id], found)


def _check_values(
    topology: Topology,
    numbers: MetricNumbering,
    profile: int,
    context: Ints,
    metric: Ints,
    value: Matrix,
) -> None:
    where = f"values of profile {profile}"
    if not len(context) == len(metric) == len(value):
        raise ValueError(f"{where}: columns differ in length")
    if len(context) and (context.max() >= topology.size or context.min() < 1):
        raise ValueError(f"{where}: a context is not in the tree")
    if (topology.order.position[context] < 0).any():
        raise ValueError(f"{where}: a context is not in the tree")
    if len(metric) and (metric.max() >= len(numbers.metrics) or metric.min() < 0):
        raise ValueError(f"{where}: there are only {len(numbers.metrics)} metrics")
    if not np.isfinite(value).all():
        raise ValueError(f"{where}: a value is not finite")
    if (value < 0).any():
        raise ValueError(f"{where}: a value is negative")


def _select_contexts(topology: Topology, position: Ints) -> tuple[_ActiveContexts, Ints]:
    """The contexts at these positions and all above them, and each one's place among them."""
    order = topology.order
    taking = np.zeros(len(order.ids), bool)
    taking[position] = True
    for level in range(len(order.levels) - 2, 0, -1):
        first, last = order.levels[level], order.levels[level + 1]
        taking[order.parent[first:last][taking[first:last]]] = True
    chosen = np.flatnonzero(taking)
    local = np.cumsum(taking) - 1
    part = _ActiveContexts(
        order.ids[chosen],
        local[order.parent[chosen]],
        np.searchsorted(chosen, order.levels),
        topology.lexical[chosen],
        topology.loop[chosen],
    )
    return part, local


def _sum_scopes(part: _ActiveContexts, point: Matrix) -> dict[str, Matrix]:
    """A matrix for each scope."""
    execution, function, no_loops = point.copy(), point.copy(), point.copy()
    inner = part.lexical[:, None]
    plain = (part.lexical & ~part.loop)[:, None]
    for level in range(len(part.levels) - 2, 0, -1):
        rows = slice(part.levels[level], part.levels[level + 1])
        above = part.parent[rows]
        starts = find_group_starts(above)
        if not len(starts):
            continue
        above = above[starts]
        execution[above] += np.add.reduceat(execution[rows], starts)
        function[above] += np.add.reduceat(function[rows] * inner[rows], starts)
        no_loops[above] += np.add.reduceat(no_loops[rows] * plain[rows], starts)
    lex_aware = np.where(part.loop[:, None], no_loops, function)
    return {
        "point": point,
        "function": function,
        "lex_aware": lex_aware,
        "execution": execution,
    }


def _collect_cells(
    numbers: MetricNumbering, columns: Ints, scopes: dict[str, Matrix], by_id: Ints
) -> tuple[Ints, npt.NDArray[np.uint16], Matrix]:
    """Row, propMetricId and value of all cells other than 0, rows in the order of ids."""
    pairs = [
        (numbers.propagated(int(metric), scope), scopes[name][:, column])
        for column, metric in enumerate(columns)
        for scope, name in enumerate(numbers.metrics[metric].scopes)
    ]
    if not pairs:
        return np.zeros(0, np.int64), np.zeros(0, np.uint16), np.zeros(0)
    cells = np.stack([values for _, values in pairs], axis=1)[by_id]
    row, column = np.nonzero(cells)
    ids = np.array([number for number, _ in pairs], np.uint16)
    return row, ids[column], cells[row, column]


def _join_cells(
    profile: int, ids: Ints, found: Sequence[tuple[Ints, npt.NDArray[np.uint16], Matrix]]
) -> CostBlock:
    """Join the cells of several matrices, whose metrics ascend."""
    row = np.concatenate([part[0] for part in found] or [np.zeros(0, np.int64)])
    metric = np.concatenate([part[1] for part in found] or [np.zeros(0, np.uint16)])
    value = np.concatenate([part[2] for part in found] or [np.zeros(0)])
    if len(found) > 1:
        order = np.argsort(row, kind="stable")
        row, metric, value = row[order], metric[order], value[order]
    start = find_group_starts(row)
    return CostBlock(profile, ids[row[start]].astype(np.uint32), start, metric, value)
