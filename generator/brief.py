"""A run to four printed sides.

In:  documents of a run. Out: a PDF, written whole or not at all.
"""

from __future__ import annotations

from pathlib import Path

from generator.caching import cache_folder
from generator.charts.render import render_some
from generator.findings.tables import tables_of
from generator.metrics.document import results_from
from generator.pages.brief import brief, pictured
from generator.pipeline import Context, Documents
from generator.whole import write_file


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
