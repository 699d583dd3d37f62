"""The page of a scaling study: how well the program scales, and where it loses time.

In:  a study and its charts. Out: files by their path relative to the page: index.md, scaling.json,
     times.jsonl, talp/<size>.json, charts/<name>.*.
"""

from __future__ import annotations

import json
from collections.abc import Mapping

from perfolio.charts.model import RenderedChart
from perfolio.comparison.scaling.scaling_exports import format_extrap, format_talp
from perfolio.comparison.scaling.scaling_study import ScalingStudy, make_scaling_document
from perfolio.comparison.scaling.scaling_tables import (
    list_notes,
    list_scaling_tables,
    tabulate_factors,
    write_advice,
    write_headline,
)
from perfolio.pages.report_rendering import add_tooltips, list_chart_files
from perfolio.pages.template_environment import render

DOCUMENT = "scaling.json"
TIMES = "times.jsonl"
TALP = "talp.json"


def render_scaling(
    study: ScalingStudy, charts: Mapping[str, RenderedChart]
) -> dict[str, str | bytes]:
    """The files of a page."""
    page = render(
        "comparison/scaling.md.j2",
        study=study,
        charts=charts,
        headline=write_headline(study),
        advice=write_advice(study),
        notes=list_notes(study),
        factors=tabulate_factors(study),
        tables=list_scaling_tables(study)[1:],
        files=(DOCUMENT, TIMES, TALP),
    )
    text = json.dumps(
        make_scaling_document(study), ensure_ascii=False, allow_nan=False, separators=(",", ":")
    )
    return {
        "index.md": add_tooltips("comparison", page),
        DOCUMENT: f"{text}\n",
        TIMES: format_extrap(study),
        TALP: format_talp(study),
        **list_chart_files(charts),
    }
