"""Through which calls does the CPU time flow?"""

from __future__ import annotations

from generator.charts.cpu import cpu_cost
from generator.charts.icicle import tree_figure
from generator.charts.model import Figure
from generator.metrics.model import Results

GROUP = "hot-paths"
ORDER = 1


def draw(results: Results) -> Figure | None:
    """Icicle of the CPU call tree; None without CPU cost."""
    cost = cpu_cost(results)
    return tree_figure(results, "tree.cpu", cost.words, cost.text)
