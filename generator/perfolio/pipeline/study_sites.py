"""Studies to sites: a series of runs over commits, and runs of several sizes.

In:  a study. Out: a folder with the site, whose first page is that of the study. Behind that of a
     series are comparisons of the runs on both sides of its changes.
"""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import Any

from perfolio.charts.comparison_rendering import render_history_chart, render_scaling_charts
from perfolio.common.atomic_output import make_temporary_folder
from perfolio.common.cache import Cache
from perfolio.common.errors import UsageError
from perfolio.comparison.comparison_document import compare_runs
from perfolio.comparison.history.series_study import SeriesEvent, SeriesStudy
from perfolio.comparison.run_record import RunRecord
from perfolio.comparison.scaling.scaling_study import ScalingStudy
from perfolio.pages.study_pages import SHORT, render_history, render_scaling
from perfolio.pipeline.build_context import Context
from perfolio.pipeline.comparison_site import (
    SiteComparison,
    make_comparison_tree,
    name_comparisons,
)
from perfolio.site.build import build_site, silence_notice
from perfolio.site.file_sync import sync_tree
from perfolio.site.navigation import COMPARISONS

_HISTORY, _SCALING = "Performance history", "Scaling"
_MOST_COMPARED = 10
"""Latest events that are compared."""
_NEIGHBOURS = 5
"""Commits on either side of a change whose runs are compared."""


def build_history_site(study: SeriesStudy, site: Path, context: Context) -> None:
    """The site of a series. Raises OutputError where it cannot be written."""
    silence_notice()
    with make_temporary_folder() as work:
        sync_tree(make_history_tree(study, context), work / "docs")
        with context.timings.stage("site"):
            context.progress.start("building the site", None)
            build_site(work / "docs", site, site_name=_HISTORY)


def make_history_tree(study: SeriesStudy, context: Context) -> dict[str, str | bytes]:
    """The files of the site before it is built: Markdown, charts, documents."""
    compared = compare_events(study)
    subjects = [SiteComparison(document, {}) for document in compared.values()]
    tree: dict[str, str | bytes] = {}
    names: list[str] = []
    if len(subjects) == 1:
        names = name_comparisons([*subjects, *subjects])[:1]
        made = make_comparison_tree(subjects, context)
        tree = {f"{COMPARISONS}/{names[0]}/{path}": data for path, data in made.items()}
    elif subjects:
        names = name_comparisons(subjects)
        tree = make_comparison_tree(subjects, context)
    context.progress.start("history: chart and page", None)
    with context.timings.stage("charts"):
        charts = render_history_chart(study, Cache("charts"))
    return tree | render_history(study, charts, dict(zip(compared, names, strict=True)))


def compare_events(study: SeriesStudy) -> dict[SeriesEvent, Mapping[str, Any]]:
    """The runs before each of the latest events, and those from it on, where records are kept."""
    found: dict[SeriesEvent, Mapping[str, Any]] = {}
    for event in study.events[-_MOST_COMPARED:]:
        before, after = take_sides(study, event)
        commit = study.commits[event.place].commit[:SHORT]
        names = {"before": f"before {commit}", "after": f"since {commit}"}
        if before and after:
            try:
                found[event] = compare_runs(before, after, names=names)
            except UsageError:  # the sides have no time in common
                continue
    return found


def take_sides(study: SeriesStudy, event: SeriesEvent) -> tuple[list[RunRecord], list[RunRecord]]:
    """Records of the commits next to an event, up to the events beside it."""
    events = [one.place for one in study.events if one.segment == event.segment]
    places = study.list_commits(event.segment)
    last = max((one.change.place for one in event.moved), default=event.place)
    least = max((place for place in events if place < event.place), default=-1)
    most = min((place for place in events if place > event.place), default=len(study.commits))
    before = [place for place in places if least <= place < event.place][-_NEIGHBOURS:]
    after = [place for place in places if last <= place < most][:_NEIGHBOURS]
    return (
        [record for place in before for record in study.commits[place].records],
        [record for place in after for record in study.commits[place].records],
    )


def build_scaling_site(study: ScalingStudy, site: Path, context: Context) -> None:
    """The site of a study. Raises OutputError where it cannot be written."""
    silence_notice()
    with make_temporary_folder() as work:
        context.progress.start("scaling: charts and page", None)
        with context.timings.stage("charts"):
            tree = render_scaling(study, render_scaling_charts(study, Cache("charts")))
        context.prove([(name, data) for name, data in tree.items() if isinstance(data, str)])
        sync_tree(tree, work / "docs")
        with context.timings.stage("site"):
            context.progress.start("building the site", None)
            build_site(work / "docs", site, site_name=_SCALING)
