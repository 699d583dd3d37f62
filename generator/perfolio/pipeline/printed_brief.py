"""A run to four printed sides.

In:  documents of a run. Out: a PDF, written whole or not at all.
"""

from __future__ import annotations

from pathlib import Path

from perfolio.charts.gallery_rendering import render_some
from perfolio.common.atomic_output import write_file
from perfolio.common.cache import cache_folder
from perfolio.findings.chart_tables import tables_of
from perfolio.metrics.document import results_from
from perfolio.pages.brief_pages import brief, pictured
from perfolio.pipeline.run_documents import Context, Documents


def write_brief(one: Documents, target: Path, paper: str, context: Context | None = None) -> None:
    """The sides of a run on this paper (a4, letter) into a file.

    Raises MissingPdfError where nothing prints PDF, OutputError where the file cannot be written.
    """
    told = context or Context()
    told.progress.start(f"{one.slug}: four sides", None)
    drawn = {**results_from(one.metrics), **tables_of(one.findings)}
    names = pictured(one.metrics, one.findings)
    charts = render_some(drawn, names, cache=cache_folder() / "charts")
    made = brief(one.metrics, one.findings, charts, paper)
    told.prove([(target.name, made)])
    write_file(target, made)
