"""The charts of a comparison, drawn from comparison.json and rendered to their files."""

from __future__ import annotations

from collections.abc import Mapping
from importlib import import_module
from typing import Any

from perfolio.charts.chart_csv import format_csv_rows
from perfolio.charts.gallery_rendering import start_rendering
from perfolio.charts.model import RenderedChart
from perfolio.charts.vega import get_vega
from perfolio.common.cache import Cache

CHARTS = ("run_times", "time_waterfall", "difference_icicle")
"""Modules of `perfolio.charts.comparison`, in the order of the page."""
GROUP = "comparison"


def render_comparison_charts(
    document: Mapping[str, Any], cache: Cache | None = None
) -> dict[str, RenderedChart]:
    """Those that the document has data for, by name; images are taken from the cache."""
    get_vega().start()  # it takes as long to start as Altair to import
    begun = []
    for name in CHARTS:
        drawn = import_module(f"perfolio.charts.comparison.{name}").draw(document)
        if drawn is not None:
            begun.append((drawn, start_rendering((name, GROUP), drawn.figure, cache)))
    rendered = [finish(format_csv_rows(drawn.header, drawn.rows)) for drawn, finish in begun]
    return {chart.name: chart for chart in rendered}
