"""A report on four printed sides: summary, three findings, roadmap, conclusion.

In:  the documents of a run and its charts. Out: the bytes of a PDF of at most four pages. What
     does not fit is shortened until it does: first details, then lines of lists and charts.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from urllib.parse import quote

import markdown

from perfolio.charts.model import RenderedChart
from perfolio.common.errors import OutputError
from perfolio.pages.cpu_cost_unit import Record
from perfolio.pages.pdf_printing import print_within_limit
from perfolio.pages.report_view import Report
from perfolio.pages.template_environment import render
from perfolio.pages.template_filters import TITLE_LIMIT

PAPERS: Mapping[str, str] = {"a4": "A4", "letter": "Letter"}
SIDES = 4
WIDTH = 178
"""Of what is printed on A4 [mm]."""
FINDINGS = 3
_ROADMAP = "roadmap_waterfall"
_SIZE = re.compile(r'<svg[^>]* width="([\d.]+)" height="([\d.]+)"')
_ROOMS = (3, 2, 1)
_EXTENSIONS = ("attr_list", "def_list", "fenced_code", "md_in_html", "sane_lists", "tables")
_LINK = re.compile(r'<a href="(?!https?://)[^"]*">(.*?)</a>', re.DOTALL)
_CSS = Path(__file__).parent / "templates" / "brief" / "brief.css"


def print_brief(
    metrics: Record, findings: Record, charts: Mapping[str, RenderedChart], paper: str = "a4"
) -> bytes:
    """The sides of one run as PDF, on the paper of this name.

    Raises MissingPdfError where nothing prints PDF, OutputError where even the shortest form takes
    more sides.
    """
    report = Report(metrics, findings, charts)
    for room in _ROOMS:
        made = print_within_limit(render_brief(report, paper, room), SIDES)
        if made is not None:
            return made
    raise OutputError(
        f"{report.run['slug']}: takes more than {SIDES} sides",
        hint="print pages of the report instead",
    )


def list_brief_charts(metrics: Record, findings: Record) -> set[str]:
    """Names of the charts that the sides may show."""
    topics = Report(metrics, findings, {}).topics(FINDINGS)
    return {_ROADMAP, *(topic.finding["chart"] for topic in topics if topic.finding["chart"])}


def render_brief(report: Report, paper: str = "a4", room: int = _ROOMS[0]) -> str:
    """The sides as a page of HTML that loads nothing, with so much on each."""
    pictures = {name: _make_picture(chart) for name, chart in report.charts.items()}
    text = render(
        "brief/sides.md.j2",
        report=report,
        pictures=pictures,
        topics=report.topics(FINDINGS),
        roadmap=_ROADMAP,
        room=room,
    )
    sides = _LINK.sub(r"\1", markdown.markdown(text, extensions=list(_EXTENSIONS)))
    title = str(report.run["title"])[:TITLE_LIMIT]
    return render(
        "brief/brief.html.j2", title=title, css=_read_css(), paper=PAPERS[paper], sides=sides
    )


@dataclass(frozen=True)
class ChartPicture:
    """A chart's static image."""

    address: str
    """That holds it."""
    height: float
    """As wide as the page is [mm]."""


def _make_picture(chart: RenderedChart) -> ChartPicture:
    size = _SIZE.search(chart.svg)
    height = WIDTH * float(size[2]) / float(size[1]) if size else 0.0
    return ChartPicture(f"data:image/svg+xml,{quote(chart.svg)}", height)


@cache
def _read_css() -> str:
    return _CSS.read_text(encoding="utf-8")
