"""The charts of a comparison, drawn from comparison.json and rendered to their files.

So are those of what became of steps that were taken, which a project's site has, of the weeks of a
fleet, of a series over commits, and of a scaling study.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from importlib import import_module
from typing import TYPE_CHECKING, Any

from perfolio.charts.chart_csv import format_csv_rows
from perfolio.charts.gallery_rendering import render_files
from perfolio.charts.model import RenderedChart
from perfolio.common.cache import Cache
from perfolio.comparison.promise_record import ShownStep

if TYPE_CHECKING:  # Altair takes long to import: what renders begins before; few sites have studies
    from perfolio.charts.comparison.comparison_figure import ComparisonFigure
    from perfolio.comparison.history.series_study import SeriesStudy
    from perfolio.comparison.scaling.scaling_study import ScalingStudy

CHARTS = ("run_times", "time_waterfall", "difference_icicle")
"""Modules of `perfolio.charts.comparison`, in the order of the page."""
PROMISES = "promise_ranges"
WEEKS = "weekly_idle"
COMMITS = "figures_over_commits"
SCALING = ("speedup_curve", "lost_waterfall")
GROUP = "comparison"


def render_comparison_charts(
    document: Mapping[str, Any], cache: Cache | None = None
) -> dict[str, RenderedChart]:
    """Those that the document has data for, by name; images are taken from the cache."""
    return _render_charts(((name, _load(name).draw(document)) for name in CHARTS), cache)


def render_promise_chart(
    steps: Sequence[ShownStep], cache: Cache | None = None
) -> dict[str, RenderedChart]:
    """The chart of steps that were taken, by its name; nothing where there is none."""
    if not any(one.is_taken for one in steps):
        return {}
    return _render_charts([(PROMISES, _load(PROMISES).draw(steps))], cache)


def render_weekly_chart(
    weeks: Sequence[Mapping[str, Any]], cache: Cache | None = None
) -> dict[str, RenderedChart]:
    """The chart of the weeks of a fleet, by its name; nothing of fewer than two."""
    if len(weeks) < 2:
        return {}
    return _render_charts([(WEEKS, _load(WEEKS, "fleet").draw(weeks))], cache)


def render_history_chart(
    study: SeriesStudy, cache: Cache | None = None
) -> dict[str, RenderedChart]:
    """The chart of a series over commits, by its name; nothing where no figure varies."""
    return _render_charts([(COMMITS, _load(COMMITS).draw(study))], cache)


def render_scaling_charts(
    study: ScalingStudy, cache: Cache | None = None
) -> dict[str, RenderedChart]:
    """The charts of a scaling study, by name; nothing of what is lost where nothing is."""
    return _render_charts(((name, _load(name).draw(study)) for name in SCALING), cache)


def _load(name: str, folder: str = "comparison") -> Any:
    return import_module(f"perfolio.charts.{folder}.{name}")


def _render_charts(
    charts: Iterable[tuple[str, ComparisonFigure | None]], cache: Cache | None
) -> dict[str, RenderedChart]:
    return {
        name: render_files(
            (name, GROUP), drawn.figure, format_csv_rows(drawn.header, drawn.rows), cache
        )
        for name, drawn in charts
        if drawn is not None
    }
