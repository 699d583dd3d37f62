"""Documents and charts to the files of a report.

In:  metrics.json and findings.json as dictionaries, charts as `RenderedChart`.
Out: relative path to content: Markdown pages, what stands beside them, charts/<name>.*.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Iterable, Mapping, Sequence
from functools import partial
from types import MappingProxyType
from urllib.parse import quote

import jinja2

from perfolio.charts.model import TILES, RenderedChart
from perfolio.charts.spec_packing import write_chart_script
from perfolio.charts.theme import DARK_BACKGROUND, DARK_INK, LIGHT_BACKGROUND, LIGHT_INK, PALETTE
from perfolio.common.cache import Cache, make_key
from perfolio.common.content_files import code_digest
from perfolio.comparison.promise_record import OUTCOMES, ShownStep
from perfolio.comparison.range_coverage import count_in_range, measure_methods
from perfolio.findings.document_format import shorten_document
from perfolio.findings.model.step_replay import METHODS
from perfolio.metrics.document_format import make_catalogue
from perfolio.pages.cpu_cost_unit import Record
from perfolio.pages.glossary_terms import write_abbreviations
from perfolio.pages.metric_groups import group_metrics
from perfolio.pages.report_view import Report
from perfolio.pages.sidecar_files import cut_to_limit
from perfolio.pages.template_cache import compute_template_digests
from perfolio.pages.template_environment import TEMPLATES, render
from perfolio.prediction.formatting import format_amount
from perfolio.prediction.model import Prediction

_GROUNDS = {"light": (LIGHT_BACKGROUND, LIGHT_INK), "dark": (DARK_BACKGROUND, DARK_INK)}
_QUERIES = "queries.md.j2"
_FIRST_STEPS = 3
"""Of a run, that a notebook shows."""
MOST_STEPS = 100
"""Rows of a table of promises, the latest ones."""
_WITHOUT_TOOLTIPS = frozenset({"metrics", "thresholds"})


def render_report(
    metrics_document: Record,
    findings_document: Record,
    charts: Mapping[str, RenderedChart],
    live: Mapping[str, str] = MappingProxyType({}),
) -> dict[str, str | bytes]:
    """All files of one report, by their path relative to its folder.

    `live` are files that pages draw from, by their path: those of its timeline, which then needs
    no specification, and of its call trees, in place of those from tables.

    A template that gives nothing for this run is no page of it. ContentError, naming the
    template, where one asks for what the documents do not have.
    """
    made = [make() for make in list_page_makers(metrics_document, findings_document, charts, live)]
    return {**{path: content for piece in made for path, content in piece.items()}, **live}


def list_page_makers(
    metrics_document: Record,
    findings_document: Record,
    charts: Mapping[str, RenderedChart],
    live: Mapping[str, str],
) -> list[Callable[[], Mapping[str, str | bytes]]]:
    """What makes each page of a report, and its other files but those of `live`."""
    tiled = any(path.startswith(f"{TILES}/") for path in live)
    report = Report(metrics_document, findings_document, charts, tiled)
    pages = (partial(render_pages, report, [name]) for name in list_page_names())
    return [*pages, partial(_render_other_files, report)]


def render_pages(report: Report, names: Iterable[str]) -> dict[str, str]:
    """The pages of one report of these names, as `render_report` gives them."""
    rendered = {page: render(f"report/{page}.md.j2", report=report) for page in names}
    return {
        f"{page}.md": add_tooltips(page, text) for page, text in rendered.items() if text.strip()
    }


def _render_other_files(report: Report) -> dict[str, str | bytes]:
    combined = {**report.findings_document, "metrics": report.metrics_document}
    document = {"findings.json": _as_json(shorten_document(combined))}
    drawn = list_chart_files(report.charts)
    for chart in report.charts.values():
        if report.is_tiled(chart):
            del drawn[f"charts/{chart.name}.js"]
    return {**render_sidecars(report), **document, **drawn}


def render_sidecars(report: Report) -> dict[str, str]:
    """What is for no browser, by the names of its templates."""
    names = sorted(path.stem for path in (TEMPLATES / "beside").glob("*.j2"))
    return {name: render_sidecar(report, name) for name in names}


def render_sidecar(report: Report, name: str) -> str:
    """One of these: `preview.svg`."""
    colours = {"palette": PALETTE, "grounds": _GROUNDS}
    return cut_to_limit(render(f"beside/{name}.j2", report=report, **colours))


def render_short_report(report: Report) -> str:
    """The report in few words of Markdown: what the site calls report.md."""
    return render_sidecar(report, "report.md.txt")


def render_run_cell(report: Report) -> str:
    """A run in a cell of a notebook, as HTML: verdict, figures, where the time goes, first steps.

    It loads nothing and has no script, and each word of the profile is escaped.
    """
    picture = f"data:image/svg+xml,{quote(render_sidecar(report, 'preview.svg'))}"
    return render("notebook.html.j2", report=report, picture=picture, most=_FIRST_STEPS)


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
    """The page with what every metric of these metrics documents is and its SQL, each once.

    It has 800 kB and is the same for most runs: it is kept by all that it says and its template.
    """
    metrics = make_catalogue(documents)["metrics"]
    template = compute_template_digests(TEMPLATES)[_QUERIES]
    key = make_key(code_digest(), template, jinja2.__version__, json.dumps(metrics))
    kept = Cache("texts").get(key, lambda: render(_QUERIES, groups=group_metrics(metrics)).encode())
    return kept.decode()


def render_promises(
    steps: Sequence[ShownStep], charts: Mapping[str, RenderedChart]
) -> dict[str, str]:
    """The page of what came of steps, and the files of its chart, where there is one."""
    judged = [one for one in steps if one.is_taken]
    page = render(
        "promises.md.j2",
        chart=next(iter(charts.values()), None),
        coverage=count_in_range(one.outcome for one in steps),
        ranges=[
            {"method": method, "coverage": found}
            for method in METHODS
            if (found := count_in_range((one.outcome for one in steps), method)).judged
        ],
        methods=measure_methods(one.outcome for one in steps),
        name_method=lambda method: METHODS[method].capitalize(),
        exceeded=[one for one in judged if one.outcome.kind == "exceeded-bound"],
        judged=judged,
        others=[one for one in steps if not one.is_taken],
        most=MOST_STEPS,
        name_outcome=lambda outcome: OUTCOMES[outcome.kind].partition(":")[0],
    )
    files = {name: str(content) for name, content in list_chart_files(charts).items()}
    return {"promises.md": add_tooltips("promises", page), **files}


def render_whatif(prediction: Prediction, chart: RenderedChart | None) -> str:
    """What changes save, as one page that loads nothing."""
    picture = f"data:image/svg+xml,{quote(chart.svg)}" if chart else ""
    return render(
        "whatif.html.j2",
        prediction=prediction,
        chart=chart,
        picture=picture,
        format_amount=format_amount,
    )


def render_catalogue(documents: Iterable[Record]) -> str:
    """The same for programs."""
    return _as_json(make_catalogue(documents))


def list_page_names() -> list[str]:
    """Every template of `templates/report` is a page, except those that begin with `_`."""
    paths = (TEMPLATES / "report").glob("*.md.j2")
    return sorted(
        path.name.removesuffix(".md.j2") for path in paths if not path.name.startswith("_")
    )


def list_chart_files(charts: Mapping[str, RenderedChart]) -> dict[str, str | bytes]:
    """The files of charts, by path relative to the page that shows them."""
    return {
        f"charts/{chart.name}.{kind}": content
        for chart in charts.values()
        for kind, content in (
            ("svg", chart.svg),
            ("js", write_chart_script(chart)),
            ("csv", chart.csv),
        )
    }


def _as_json(document: Record) -> str:
    """Without white space, which would be a fifth of it."""
    return json.dumps(document, ensure_ascii=False, allow_nan=False, separators=(",", ":")) + "\n"
