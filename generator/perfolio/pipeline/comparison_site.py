"""A comparison to a site: its page, and beside it the reports of sides that are one run.

In:  comparison.json, and documents by side. Out: a site, on which the comparison is the first page.
"""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import Any

from perfolio.charts.comparison_rendering import render_comparison_charts
from perfolio.common.atomic_output import make_temporary_folder
from perfolio.common.cache import Cache
from perfolio.pages.comparison_pages import render_comparison
from perfolio.pages.run_series import BEFORE
from perfolio.pipeline.reports import ReportSubject, make_reports, make_shared_files
from perfolio.pipeline.run_documents import Context, RunDocuments
from perfolio.redaction.leak_check import prove
from perfolio.redaction.pseudonyms import Secrets
from perfolio.site.build import Proof, build_site, silence_notice
from perfolio.site.file_sync import sync_tree
from perfolio.site.navigation import SIDES
from perfolio.site.shipped_files import find_telling_files

Document = Mapping[str, Any]
Reports = Mapping[str, RunDocuments]
"""Documents of runs by their side, before or after: those of sides that are one run."""
_BESIDE = ("index", "queries", "guide")
"""Parts that pages of reports link to; the comparison takes the place of the list of reports."""
_NAME = "Performance comparison"


def build_comparison_site(
    document: Document, reports: Reports, site: Path, context: Context | None = None
) -> None:
    """The site of a comparison. Raises OutputError where it cannot be written."""
    context = context or Context()
    silence_notice()
    with make_temporary_folder() as work:
        sync_tree(make_comparison_tree(document, reports, context), work / "docs")
        with context.timings.stage("site"):
            context.progress.start("building the site", None)
            build_site(work / "docs", site, site_name=_NAME, proof=_make_proof(context))


def make_comparison_tree(
    document: Document, reports: Reports, context: Context
) -> dict[str, str | bytes]:
    """The files of the site before it is built: Markdown, charts, documents."""
    folders = {side: side for side in SIDES if side in reports}
    tree: dict[str, str | bytes] = {}
    if folders:
        placed = [_place_documents(reports[side], side, folders) for side in folders]
        tree |= make_shared_files(placed, context, _BESIDE)
        # The report says what it would say alone: only its folder has the name of a side.
        subjects = [ReportSubject(Path(), documents=reports[side]) for side in folders]
        for side, report in zip(folders, make_reports(subjects, context), strict=True):
            tree |= {f"{side}/{name}": data for name, data in report.files.items()}
    context.progress.start("comparison: charts and page", None)
    with context.timings.stage("charts"):
        charts = render_comparison_charts(document, Cache("charts"))
    return tree | render_comparison(document, charts, folders, tree.keys())


def _place_documents(one: RunDocuments, side: str, sides: Mapping[str, str]) -> RunDocuments:
    """Documents under the name of a side: call trees of both are compared in the browser."""
    settings = dict(one.metrics["run"]["settings"])
    settings.pop(BEFORE, None)
    if side == SIDES[1] and SIDES[0] in sides:
        settings[BEFORE] = SIDES[0]
    run = {
        **one.metrics["run"],
        "slug": side,
        "title": f"{one.metrics['run']['title']} ({side})",
        "settings": settings,
    }
    metrics = {**one.metrics, "run": run}
    return RunDocuments(metrics, {**one.findings, "run": run, "metrics": metrics}, one.secrets)


def _make_proof(context: Context) -> Proof | None:
    """What looks for all that was hidden of either side, where others are to read the site."""
    if context.share is None:
        return None
    secrets = [*context.hidden, Secrets()]
    return lambda site: prove(find_telling_files(site), secrets)
