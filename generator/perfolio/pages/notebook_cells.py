"""A run, and a comparison, as HTML in a cell of a notebook.

In:  a `Report` without charts, or comparison.json. Out: HTML that loads nothing, has no script, and
     in which each word of a profile is escaped: a notebook runs what its cells show.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any
from urllib.parse import quote

from perfolio.comparison.compared_tables import list_tables
from perfolio.comparison.formats.markdown_form import describe_sides
from perfolio.pages.report_rendering import render_sidecar
from perfolio.pages.report_view import Report
from perfolio.pages.template_environment import render

_STEPS = 3


def render_run_cell(report: Report) -> str:
    """Verdict, key figures, where the time goes, and the first steps."""
    picture = f"data:image/svg+xml,{quote(render_sidecar(report, 'preview.svg'))}"
    return render("notebook/run.html.j2", report=report, picture=picture, most=_STEPS)


def render_comparison_cell(document: Mapping[str, Any]) -> str:
    """Verdict, what to know, and what made the difference."""
    return render(
        "notebook/comparison.html.j2",
        document=document,
        title=describe_sides(document),
        tables=list_tables(document),
    )
