"""Comparisons to a site: a page of each, and beside it the reports of sides that are one run.

In:  comparison.json, and documents by side; of several comparisons one side before. Out: a site, on
     which the comparison, or the list of several, is the first page.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from perfolio.charts.comparison_rendering import render_comparison_charts
from perfolio.common.atomic_output import make_temporary_folder
from perfolio.common.cache import Cache
from perfolio.pages.comparison_list import ListedComparison, render_comparison_list
from perfolio.pages.comparison_pages import render_comparison
from perfolio.pages.run_series import BEFORE
from perfolio.pipeline.build_context import Context, RunDocuments
from perfolio.pipeline.report_files import make_shared_files
from perfolio.pipeline.reports import ReportSubject, make_reports
from perfolio.redaction.leak_check import prove
from perfolio.redaction.pseudonyms import Secrets
from perfolio.site.build import Proof, build_site, silence_notice
from perfolio.site.file_sync import sync_tree
from perfolio.site.navigation import COMPARISONS, SIDES
from perfolio.site.shipped_files import find_telling_files

_BESIDE = ("index", "queries", "guide")
"""Parts that pages of reports link to; the comparison takes the place of the list of reports."""
_NAME = "Performance comparison"
_MOST_NAME = 40


@dataclass(frozen=True)
class SiteComparison:
    """A comparison that a site shows."""

    document: Mapping[str, Any]
    reports: Mapping[str, RunDocuments]
    """Documents of runs by their side, before or after: those of sides that are one run."""


def build_comparison_site(
    comparisons: Sequence[SiteComparison], site: Path, context: Context | None = None
) -> None:
    """The site of these comparisons. Raises OutputError where it cannot be written."""
    context = context or Context()
    silence_notice()
    with make_temporary_folder() as work:
        sync_tree(make_comparison_tree(comparisons, context), work / "docs")
        with context.timings.stage("site"):
            context.progress.start("building the site", None)
            build_site(work / "docs", site, site_name=_NAME, proof=_make_proof(context))


def make_comparison_tree(
    comparisons: Sequence[SiteComparison], context: Context
) -> dict[str, str | bytes]:
    """The files of the site before it is built: Markdown, charts, documents."""
    names = name_comparisons(comparisons)
    folders = [
        {side: _name_folder(side, name) for side in SIDES if side in one.reports}
        for name, one in zip(names, comparisons, strict=True)
    ]
    placed = {
        folder: _place_documents(one.reports[side], folder, sides.values())
        for sides, one in zip(folders, comparisons, strict=True)
        for side, folder in sides.items()
    }
    reports = {
        folder: one.reports[side]
        for sides, one in zip(folders, comparisons, strict=True)
        for side, folder in sides.items()
    }
    tree = _make_report_files(reports, placed, context)
    context.progress.start("comparison: charts and pages", None)
    pages: dict[str, str | bytes] = {}
    for name, sides, one in zip(names, folders, comparisons, strict=True):
        base, up = (f"{COMPARISONS}/{name}/", "../../") if name else ("", "")
        with context.timings.stage("charts"):
            charts = render_comparison_charts(one.document, Cache("charts"))
        ways = {side: f"{up}{folder}" for side, folder in sides.items()}
        made = render_comparison(one.document, charts, ways, [f"{up}{path}" for path in tree])
        pages |= {f"{base}{path}": data for path, data in made.items()}
    if len(comparisons) > 1:
        listed = [
            ListedComparison(name, one.document)
            for name, one in zip(names, comparisons, strict=True)
        ]
        pages["index.md"] = render_comparison_list(listed)
    return tree | pages


def name_comparisons(comparisons: Sequence[SiteComparison]) -> list[str]:
    """Folders of the pages: of the runs after; empty of the only one."""
    if len(comparisons) == 1:
        return [""]
    found: list[str] = []
    seen: Counter[str] = Counter()
    for one in comparisons:
        name = (
            re.sub(r"[^a-z0-9]+", "-", str(one.document["names"]["after"]).lower()).strip("-")[
                :_MOST_NAME
            ]
            or "run"
        )
        seen[name] += 1
        found.append(name if seen[name] == 1 else f"{name}--{seen[name]}")
    return found


def _name_folder(side: str, name: str) -> str:
    """Folder of a report: all comparisons share the side before."""
    return f"{side}-{name}" if name and side != SIDES[0] else side


def _make_report_files(
    reports: Mapping[str, RunDocuments], placed: Mapping[str, RunDocuments], context: Context
) -> dict[str, str | bytes]:
    """The reports of all sides by their folders, and the pages that they share."""
    if not reports:
        return {}
    tree = make_shared_files(list(placed.values()), context, _BESIDE)
    # The report says what it would say alone: only its folder has the name of a side.
    subjects = [ReportSubject(Path(), documents=one) for one in reports.values()]
    for folder, report in zip(reports, make_reports(subjects, context), strict=True):
        tree |= {f"{folder}/{name}": data for name, data in report.files.items()}
    return tree


def _place_documents(one: RunDocuments, folder: str, sides: Collection[str]) -> RunDocuments:
    """Documents under the name of a side: call trees of both are compared in the browser."""
    settings = dict(one.metrics["run"]["settings"])
    settings.pop(BEFORE, None)
    if folder != SIDES[0] and SIDES[0] in sides:
        settings[BEFORE] = SIDES[0]
    run = {
        **one.metrics["run"],
        "slug": folder,
        "title": f"{one.metrics['run']['title']} ({folder.partition('-')[0]})",
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
