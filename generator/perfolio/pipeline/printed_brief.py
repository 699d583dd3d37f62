"""A run to four printed sides.

In:  documents of a run. Out: a PDF, written whole or not at all.
"""

from __future__ import annotations

from pathlib import Path

from perfolio.charts.gallery_rendering import render_some
from perfolio.common.atomic_output import write_file
from perfolio.common.cache import Cache
from perfolio.findings.chart_tables import make_tables
from perfolio.metrics.document import read_results
from perfolio.pages.brief_pages import list_brief_charts, print_brief
from perfolio.pipeline.build_context import Context, RunDocuments


def write_brief(
    one: RunDocuments, target: Path, paper: str, context: Context | None = None
) -> None:
    """The sides of a run on this paper (a4, letter) into a file.

    Raises MissingPdfError where nothing prints PDF, OutputError where the file cannot be written.
    """
    context = context or Context()
    context.progress.start(f"{one.slug}: four sides", None)
    drawn = {**read_results(one.metrics), **make_tables(one.findings)}
    names = list_brief_charts(one.metrics, one.findings)
    charts = render_some(drawn, names, cache=Cache("charts"))
    made = print_brief(one.metrics, one.findings, charts, paper)
    context.prove([(target.name, made)])
    write_file(target, made)
