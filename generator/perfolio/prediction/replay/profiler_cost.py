"""What the profiler cost the host, taken off where the time of an iteration without it is known.

In:  a graph, and that time. Out: the factor by which the host's work was multiplied.

A profiler's work lies between and within calls. So all of the host's work takes a factor of its
time, the one with which the replay gives the iteration that was measured without the profiler.
"""

from __future__ import annotations

from perfolio.prediction.replay.change_file import Change
from perfolio.prediction.replay.changed_host import scale_host, scale_launches
from perfolio.prediction.replay.launch_graph import LaunchGraph
from perfolio.prediction.replay.savings import measure_graph

_HALVINGS = 9
_CLOSE = 1.005


def remove_profiler_cost(graph: LaunchGraph, step: float) -> float:
    """Multiply the host's work so that an iteration takes `step` seconds; the factor.

    1 where it takes no longer as recorded, 0 where even no work of the host would be too long: then
    nothing is changed.
    """
    if measure_graph(graph).step <= _CLOSE * step:
        return 1.0
    low, high = 0.0, 1.0
    if _measure_scaled(graph, low) > _CLOSE * step:
        return 0.0
    for _ in range(_HALVINGS):
        middle = (low + high) / 2.0
        low, high = (low, middle) if _measure_scaled(graph, middle) > step else (middle, high)
    _scale(graph, high)
    return high


def _measure_scaled(graph: LaunchGraph, factor: float) -> float:
    changed = graph.copy()
    _scale(changed, factor)
    return measure_graph(changed).step


def _scale(graph: LaunchGraph, factor: float) -> None:
    change = Change(title="-", kind="-", source="-", factor=factor)
    scale_host(graph, change)
    scale_launches(graph, change)
