"""Through which calls does the CPU time flow?"""

from __future__ import annotations

from perfolio.charts.cpu_cost import cpu_cost, held_up
from perfolio.charts.icicle import bare, tree_figure
from perfolio.charts.model import Figure
from perfolio.metrics.metric_values import rows_of
from perfolio.metrics.model import Results

GROUP = "hot-paths"
ORDER = 1

_WAITS = {"cpu.waiting_functions": "a wait for threads", "cpu.gpu_waits": "a wait for the GPU"}


def draw(results: Results) -> Figure | None:
    """Icicle of the CPU call tree; None without CPU cost."""
    cost = cpu_cost(results)
    waits = {
        bare(row["function"]): words
        for metric, words in _WAITS.items()
        for row in rows_of(results, metric)
    }
    held = {
        bare(row["name"]): "which PC sampling holds up"
        for row in rows_of(results, "tree.cpu")
        if held_up(results, row["name"])
    }
    return tree_figure(results, "tree.cpu", cost, {**waits, **held})
