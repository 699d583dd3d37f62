"""Documents to reports: their files, the pages that several share, and a site of its own.

In:  runs of a store, findings.json, or profiles. Out: `Report`, a folder of Markdown, a site.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

from generator.caching import cache_folder
from generator.charts.render import render_all
from generator.findings.overrides import Overrides
from generator.findings.tables import tables_of
from generator.metrics.document import results_from
from generator.metrics.kept import Kept
from generator.pages.courses import render_courses
from generator.pages.render import render_index, render_queries, render_report
from generator.pages.worksheets import render_exercises
from generator.parallel import mapped
from generator.pipeline import (
    Context,
    Documents,
    Timings,
    document_of_file,
    documents_of,
    ingest_paths,
)
from generator.site.build import build_site
from generator.site.bundle import made_meanwhile
from generator.site.sync import sync_tree
from generator.store.ingest import alone_with
from generator.whole import temporary_folder

Content = Mapping[str, str | bytes]


@dataclass(frozen=True)
class Report:
    """A run and the files of its report."""

    documents: Documents
    files: Content
    """By path relative to the report's folder."""

    def placed(self) -> dict[str, str | bytes]:
        """Its files by path relative to the folder of all reports."""
        return {f"{self.documents.slug}/{name}": data for name, data in self.files.items()}


@dataclass(frozen=True)
class Subject:
    """A run to report on: one of a store, or what a findings.json says."""

    source: Path
    run: int | None = None


def build(
    paths: Sequence[Path], site: Path, *, store: Path | None = None, context: Context | None = None
) -> list[Documents]:
    """Profiles at `paths` to a site with one report each and a start page that lists them.

    With `store`, the store is kept there; else it is temporary.
    """
    told = context or Context()
    with temporary_folder() as work:
        kept = store or work / "store.duckdb"
        with made_meanwhile(), alone_with(kept):
            runs = ingest_paths(paths, kept, told)
            reports = made_reports([Subject(kept, one.run) for one in runs], told)
            sync_tree(_tree(reports, told), work / "docs")
        with told.timings.stage("site"):
            told.progress.start("building the site", None)
            build_site(work / "docs", site)
    return [report.documents for report in reports]


def made_reports(subjects: Sequence[Subject], context: Context | None = None) -> list[Report]:
    """The reports of runs, in several processes where there are several."""
    told = context or Context()
    if len(subjects) == 1:
        return [_made(subjects[0], told)]
    told.progress.start("metrics, charts and pages", len(subjects))
    reports = []
    given = [(each, told.overrides, told.kept) for each in subjects]
    for report, timings in mapped(_made_apart, given):
        reports.append(report)
        told.judged(report.documents)
        told.progress.advance(1)
        told.timings.add(timings)
    return reports


def _made_apart(
    given: tuple[Subject, Overrides, Kept | None],
) -> tuple[Report, Timings]:
    """A report made in another process, and what each stage took there."""
    subject, overrides, kept = given
    told = Context(overrides=overrides, kept=kept)
    return _made(subject, told), told.timings


def _made(subject: Subject, context: Context) -> Report:
    documents = (
        document_of_file(subject.source)
        if subject.run is None
        else documents_of(subject.source, [subject.run], context)[0]
    )
    context.judged(documents)
    return Report(documents, report_files(documents, context))


def report_files(one: Documents, context: Context | None = None, *, cached: bool = True) -> Content:
    """The files of one report; without `cached`, no image is taken from the user's cache."""
    told = context or Context()
    cache = cache_folder() / "charts" if cached else None
    told.progress.start(f"{one.slug}: charts and pages", None)
    with told.timings.stage("charts"):
        drawn = {**results_from(one.metrics), **tables_of(one.findings)}
        charts = render_all(drawn, cache=cache)
    with told.timings.stage("pages"):
        return render_report(one.metrics, one.findings, charts)


def shared_files(
    documents: Sequence[Documents], project: Path | None = None
) -> dict[str, str | bytes]:
    """What stands beside the reports and needs all of them.

    The page that lists them, the queries of their metrics, exercises, courses.
    """
    known = [(one.metrics, one.findings) for one in documents]
    return {
        "index.md": render_index(known),
        "queries.md": render_queries([one.metrics for one in documents]),
        **render_exercises(known, project),
        **render_courses(known, project),
    }


def report_tree(
    documents: Sequence[Documents], context: Context | None = None, *, cached: bool = True
) -> Content:
    """The files of a folder of reports: a folder per run, and what they share."""
    told = context or Context()
    return _tree([Report(one, report_files(one, told, cached=cached)) for one in documents], told)


def _tree(reports: Sequence[Report], context: Context) -> Content:
    documents = [report.documents for report in reports]
    with context.timings.stage("pages"):
        tree = shared_files(documents, context.project)
    for report in reports:
        tree |= report.placed()
    return tree


def write_reports(source: Path, docs: Path, context: Context | None = None) -> list[Documents]:
    """Pages of every run of a store, or of the run of a findings.json, into folder `docs`.

    Touches only what changed.
    """
    known = source.suffix == ".json"
    documents = [document_of_file(source)] if known else documents_of(source, None, context)
    sync_tree(report_tree(documents, context), docs)
    return documents
