"""Documents and charts to the files of a report.

In:  metrics.json and findings.json as dictionaries, charts as `RenderedChart`.
Out: relative path to content: Markdown pages, what stands beside them, charts/<name>.*.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterable, Mapping, Sequence
from functools import cache
from pathlib import Path
from typing import Any

import jinja2

from perfolio.charts.chart_data import is_unnamed
from perfolio.charts.model import RenderedChart
from perfolio.charts.spec_packing import pack_spec
from perfolio.charts.theme import DARK_BACKGROUND, DARK_INK, LIGHT_BACKGROUND, LIGHT_INK, PALETTE
from perfolio.common.errors import ContentError
from perfolio.common.escaping import to_plain_line
from perfolio.findings.chart_tables import describe_steady, describe_whole
from perfolio.findings.document_format import shorten_document
from perfolio.metrics.document_format import make_catalogue
from perfolio.pages import template_filters
from perfolio.pages.content_policy import make_closed_policy
from perfolio.pages.cpu_cost_unit import Record
from perfolio.pages.finding_order import find_saved_share
from perfolio.pages.first_steps import choose_first_steps
from perfolio.pages.glossary_terms import write_abbreviations
from perfolio.pages.metric_groups import group_metrics
from perfolio.pages.part_colours import choose_part_role
from perfolio.pages.report_view import Report
from perfolio.pages.run_series import order_series
from perfolio.pages.sidecar_files import (
    cut_to_limit,
    escape_line,
    format_amount,
    shorten_headline,
    wrap_lines,
)
from perfolio.pages.sql_highlight import render_sql
from perfolio.pages.table_cells import format_cell, link_moment
from perfolio.pages.table_columns import choose_columns, list_records
from perfolio.pages.template_cache import TemplateCache
from perfolio.pages.threshold_groups import describe_outcome, group_by_area

_TEMPLATES = Path(__file__).resolve().parent / "templates"
_GROUNDS = {"light": (LIGHT_BACKGROUND, LIGHT_INK), "dark": (DARK_BACKGROUND, DARK_INK)}
_WITHOUT_TOOLTIPS = frozenset({"metrics", "thresholds"})
_LOOSE_ENDS = re.compile(r"[ \t]+(?=\n)|(?<=\n\n)\n+")


def render_report(
    metrics_document: Record, findings_document: Record, charts: Mapping[str, RenderedChart]
) -> dict[str, str | bytes]:
    """All files of one report, by their path relative to its folder.

    A template that gives nothing for this run is no page of it. ContentError, naming the
    template, where one asks for what the documents do not have.
    """
    pages = render_pages(metrics_document, findings_document, charts, list_page_names())
    sidecars = render_sidecars(Report(metrics_document, findings_document, charts))
    combined = {**findings_document, "metrics": metrics_document}
    document = {"findings.json": _as_json(shorten_document(combined))}
    return {**pages, **sidecars, **document, **_list_chart_files(charts)}


def render_pages(
    metrics_document: Record,
    findings_document: Record,
    charts: Mapping[str, RenderedChart],
    names: Iterable[str],
) -> dict[str, str]:
    """The pages of one report of these names, as `render_report` gives them."""
    report = Report(metrics_document, findings_document, charts)
    rendered = {page: render(f"report/{page}.md.j2", report=report) for page in names}
    return {
        f"{page}.md": add_tooltips(page, text) for page, text in rendered.items() if text.strip()
    }


def render_sidecars(report: Report) -> dict[str, str]:
    """What is for no browser, by the names of its templates."""
    names = sorted(path.stem for path in (_TEMPLATES / "beside").glob("*.j2"))
    colours = {"palette": PALETTE, "grounds": _GROUNDS}
    return {
        name: cut_to_limit(render(f"beside/{name}.j2", report=report, **colours)) for name in names
    }


def add_tooltips(page: str, text: str) -> str:
    """A page with tooltips for its terms; lists of definitions need none."""
    return text if page in _WITHOUT_TOOLTIPS else text + write_abbreviations(text) + "\n"


def render_index(reports: Sequence[tuple[Record, Record]], *, base: str = "") -> str:
    """The page that lists reports, given as (metrics document, findings document).

    `base` is the way from that page to the folder of the reports: `reports/` or nothing.
    """
    return render(
        "index.md.j2", reports=[Report(*documents, charts={}) for documents in reports], base=base
    )


def render_queries(documents: Iterable[Record]) -> str:
    """The page with what every metric of these metrics documents is and its SQL, each once."""
    return render("queries.md.j2", groups=group_metrics(make_catalogue(documents)["metrics"]))


def render_catalogue(documents: Iterable[Record]) -> str:
    """The same for programs."""
    return _as_json(make_catalogue(documents))


def list_page_names() -> list[str]:
    """Every template of `templates/report` is a page, except those that begin with `_`."""
    paths = (_TEMPLATES / "report").glob("*.md.j2")
    return sorted(
        path.name.removesuffix(".md.j2") for path in paths if not path.name.startswith("_")
    )


def render(template: str, **context: Any) -> str:
    """The page that a template gives. Raises ContentError with its line where it gives none."""
    try:
        text = make_environment().get_template(template).render(**context)
    except jinja2.TemplateError as error:
        line = getattr(error, "lineno", None)
        where = f"{template}:{line}" if line else template
        raise ContentError(f"templates/{where}: {error}") from error
    return _LOOSE_ENDS.sub("", text).strip() + "\n"


@cache
def make_environment() -> jinja2.Environment:
    """What renders pages: templates are ours, values never are any; filters escape Markdown."""
    made = jinja2.Environment(
        loader=jinja2.FileSystemLoader(_TEMPLATES),
        bytecode_cache=TemplateCache(),
        undefined=jinja2.StrictUndefined,
        autoescape=False,  # noqa: S701 - HTML's escape would not do in Markdown: see filters
        trim_blocks=True,
        lstrip_blocks=True,
    )
    made.filters |= {
        **template_filters.FILTERS,
        "amount": format_amount,
        "areas": group_by_area,
        "badge_words": shorten_headline,
        "cell": format_cell,
        "closed_policy": make_closed_policy,
        "moment": link_moment,
        "in_series": order_series,
        "line": escape_line,
        "meaning": choose_part_role,
        "plain": to_plain_line,
        "outcome": describe_outcome,
        "records": list_records,
        "beginning": choose_first_steps,
        "saved": find_saved_share,
        "sql": render_sql,
        "steady_words": describe_steady,
        "visible": choose_columns,
        "whole_words": describe_whole,
        "wrapped": wrap_lines,
    }
    made.tests["unnamed"] = is_unnamed
    return made


def _list_chart_files(charts: Mapping[str, RenderedChart]) -> dict[str, str | bytes]:
    return {
        f"charts/{chart.name}.{kind}": content
        for chart in charts.values()
        for kind, content in (
            ("svg", chart.svg),
            ("js", write_chart_script(chart)),
            ("csv", chart.csv),
        )
    }


def write_chart_script(chart: RenderedChart) -> str:
    """A script that hands the specification over: `fetch` does not work on file://."""
    spec = json.dumps(pack_spec(json.loads(chart.spec)), allow_nan=False, separators=(",", ":"))
    return (
        "window.perfolio = window.perfolio || {specs: {}};\n"
        f"window.perfolio.specs[{json.dumps(chart.name)}] = {spec};\n"
    )


def _as_json(document: Record) -> str:
    """Without white space, which would be a fifth of it."""
    return json.dumps(document, ensure_ascii=False, allow_nan=False, separators=(",", ":")) + "\n"
