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

from perfolio.charts.model import Rendered
from perfolio.common.errors import OutputError
from perfolio.pages.cpu_cost_unit import Record
from perfolio.pages.pdf_printing import printed
from perfolio.pages.report_rendering import render
from perfolio.pages.report_view import Report
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


def brief(
    metrics: Record, findings: Record, charts: Mapping[str, Rendered], paper: str = "a4"
) -> bytes:
    """The sides of one run as PDF, on the paper of this name.

    Raises MissingPdfError where nothing prints PDF, OutputError where even the shortest form takes
    more sides.
    """
    report = Report(metrics, findings, charts)
    for room in _ROOMS:
        made = printed(brief_html(report, paper, room), SIDES)
        if made is not None:
            return made
    raise OutputError(
        f"{report.run['slug']}: takes more than {SIDES} sides",
        hint="print pages of the report instead",
    )


def pictured(metrics: Record, findings: Record) -> set[str]:
    """Names of the charts that the sides may show."""
    topics = Report(metrics, findings, {}).topics(FINDINGS)
    return {_ROADMAP, *(topic.finding["chart"] for topic in topics if topic.finding["chart"])}


def brief_html(report: Report, paper: str = "a4", room: int = _ROOMS[0]) -> str:
    """The sides as a page of HTML that loads nothing, with so much on each."""
    pictures = {name: _picture(chart) for name, chart in report.charts.items()}
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
    return render("brief/brief.html.j2", title=title, css=_css(), paper=PAPERS[paper], sides=sides)


@dataclass(frozen=True)
class Picture:
    """A chart's static image."""

    address: str
    """That holds it."""
    height: float
    """As wide as the page is [mm]."""


def _picture(chart: Rendered) -> Picture:
    size = _SIZE.search(chart.svg)
    height = WIDTH * float(size[2]) / float(size[1]) if size else 0.0
    return Picture(f"data:image/svg+xml,{quote(chart.svg)}", height)


@cache
def _css() -> str:
    return _CSS.read_text(encoding="utf-8")
