"""Through which host calls does the GPU get its work?"""

from __future__ import annotations

from perfolio.charts.cpu_cost import CpuCost
from perfolio.charts.icicle import draw_tree_figure
from perfolio.charts.model import ChartFigure
from perfolio.metrics.model import Results

GROUP = "hot-paths"
ORDER = 3


def draw(results: Results) -> ChartFigure | None:
    """Icicle of the host's call tree by time of GPU operations; None without any."""
    return draw_tree_figure(results, "tree.gpu", CpuCost("GPU-operation time", "s"))
