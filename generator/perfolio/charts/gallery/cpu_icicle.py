"""Through which calls does the CPU time flow?"""

from __future__ import annotations

from perfolio.charts.cpu_cost import is_held_up, read_cpu_cost
from perfolio.charts.icicle import draw_tree_figure, strip_library
from perfolio.charts.model import ChartFigure
from perfolio.metrics.metric_values import get_rows
from perfolio.metrics.model import Results

GROUP = "hot-paths"
ORDER = 1

_WAITS = {"cpu.waiting_functions": "a wait for threads", "cpu.gpu_waits": "a wait for the GPU"}


def draw(results: Results) -> ChartFigure | None:
    """Icicle of the CPU call tree; None without CPU cost."""
    cost = read_cpu_cost(results)
    waits = {
        strip_library(row["function"]): words
        for metric, words in _WAITS.items()
        for row in get_rows(results, metric)
    }
    held_up = {
        strip_library(row["name"]): "which PC sampling holds up"
        for row in get_rows(results, "tree.cpu")
        if is_held_up(results, row["name"])
    }
    return draw_tree_figure(results, "tree.cpu", cost, {**waits, **held_up})
