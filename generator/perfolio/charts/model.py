"""What a chart is, before and after it is rendered."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

if TYPE_CHECKING:  # Pages read `RenderedChart` and need not pay for Altair's import.
    import altair as alt

    from perfolio.charts.call_tree_rows import LiveTree
    from perfolio.charts.zoom import Zoom


TILES = "timeline"
"""Folder of the files of a timeline, beside the page that shows it."""


@dataclass(frozen=True)
class ChartFigure:
    """A chart drawn from the results of one run."""

    title: str
    """Says the finding: `Copies take 52.9 % of GPU-operation time`."""
    description: str
    """What the chart shows, for those who cannot see it: two or three sentences with numbers."""
    chart: alt.TopLevelMixin
    metric: str
    """Table metric that holds its data: shown as a table and offered for download."""
    note: str = ""
    """Caveat below the chart."""
    metrics: tuple[str, ...] = ()
    """Scalar metrics, where the chart is drawn from those and `metric` is one of them."""
    zoom: Zoom | None = None
    """Which part it shows, where it holds more than it shows at once."""
    tree: LiveTree | None = None
    """What the page draws as a call tree, in place of the chart, which is then a picture alone."""


@dataclass(frozen=True)
class RenderedChart:
    """The files of a figure, and what a page needs to place it."""

    name: str
    """Of the chart function: `gpu_composition`."""
    group: str
    """The page that shows it: `GROUP` of the chart's module, such as `kernels`."""
    title: str
    description: str
    metric: str
    note: str
    svg: str
    """The static image: for print, for no JavaScript, and until the live chart is loaded."""
    spec: str
    """Vega-Lite specification (JSON) of the live chart."""
    csv: str
    """The data for download."""
    metrics: tuple[str, ...] = ()
    """Scalar metrics that the chart shows, where it is not drawn from a table."""
    zoom: str = ""
    """How the address names a part of it: `Zoom.key`; empty where all is shown."""
    tree: str = ""
    """The script of a call tree that the page draws, in place of the specification's."""
