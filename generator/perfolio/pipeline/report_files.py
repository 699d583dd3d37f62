"""Documents to the files of reports and of what stands beside them: reads no profile, no store.

In:  documents of runs. Out: content by path, or a folder of it.
"""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from perfolio.charts.gallery_rendering import render_all
from perfolio.charts.model import RenderedChart
from perfolio.common.cache import Cache
from perfolio.exercises.run_view import Run
from perfolio.findings.chart_tables import make_tables
from perfolio.metrics.document import read_results
from perfolio.pages.report_rendering import render_pages, render_report
from perfolio.pages.report_view import Report
from perfolio.pipeline.build_context import Context, RunDocuments
from perfolio.pipeline.shared_pages import NotedRuns, list_part_makers
from perfolio.site.file_sync import replace_tree

Content = Mapping[str, str | bytes]


@dataclass(frozen=True)
class RunReport:
    """A run and the files of its report."""

    documents: RunDocuments
    files: Content
    """By path relative to the report's folder; of one whose documents were there, its new pages."""

    def placed(self) -> dict[str, str | bytes]:
        """Its files by path relative to the folder of all reports."""
        return {f"{self.documents.slug}/{name}": data for name, data in self.files.items()}


def report_pages(
    one: RunDocuments, pages: Sequence[str], context: Context, *, tiled: bool = False
) -> Content:
    """These pages of a report whose other files are there; `tiled`: also those of a timeline."""
    charts = _render_charts(one, context)
    with context.timings.stage("pages"):
        return render_pages(Report(one.metrics, one.findings, charts, tiled), pages)


def report_files(
    one: RunDocuments, context: Context | None = None, *, cached: bool = True
) -> Content:
    """The files of one report; without `cached`, no image is taken from the user's cache."""
    context = context or Context()
    charts = _render_charts(one, context, cached=cached)
    with context.timings.stage("pages"):
        return render_report(one.metrics, one.findings, charts, one.live)


def _render_charts(
    one: RunDocuments, context: Context, *, cached: bool = True
) -> Mapping[str, RenderedChart]:
    context.progress.start(f"{one.slug}: charts and pages", None)
    with context.timings.stage("charts"):
        return render_charts(one.metrics, one.findings, cached=cached)


def render_charts(
    metrics: Mapping[str, Any], findings: Mapping[str, Any], *, cached: bool = True
) -> dict[str, RenderedChart]:
    """The charts of a run; without `cached`, none is taken from the user's cache."""
    results = {**read_results(metrics), **make_tables(findings)}
    return render_all(results, cache=Cache("charts") if cached else None)


def make_shared_files(
    documents: Sequence[RunDocuments], context: Context, names: Collection[str] | None = None
) -> dict[str, str | bytes]:
    """What stands beside the reports: the parts of these names, or all."""
    runs = {one.slug: Run(one.metrics, one.findings) for one in documents}
    parts = list_part_makers(runs, context).items()
    made = (make(NotedRuns(runs)) for name, make in parts if names is None or name in names)
    return {name: text for part in made for name, text in part.items()}


def report_tree(
    documents: Sequence[RunDocuments], context: Context | None = None, *, cached: bool = True
) -> Content:
    """The files of a folder of reports: a folder per run, and what they share."""
    context = context or Context()
    return make_tree(
        [RunReport(one, report_files(one, context, cached=cached)) for one in documents], context
    )


def make_tree(
    reports: Sequence[RunReport], context: Context, beside: Collection[str] | None = None
) -> Content:
    """The files of reports and what stands beside them: the parts of these names, or all."""
    documents = [report.documents for report in reports]
    with context.timings.stage("pages"):
        tree = make_shared_files(documents, context, beside)
    for report in reports:
        tree |= report.placed()
    return tree


def write_reports(
    documents: Sequence[RunDocuments], docs: Path, context: Context | None = None
) -> None:
    """Pages of these runs into folder `docs`. Touches only what changed."""
    context = context or Context()
    tree = report_tree(documents, context)
    context.prove(tree.items())
    replace_tree(tree, docs)
