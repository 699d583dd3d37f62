"""The navigation over the reports of a folder.

docs/reports/index.md            all reports
docs/reports/promises.md         what came of their steps in later runs
docs/reports/queries.md          the queries of their metrics
docs/reports/<slug>/index.md     summary of one, beside its other pages
docs/reports/<slug>/exercises/   exercises on it: a list, and a page each
docs/reports/courses/<course>/   a course, and notes for those who teach it
docs/comparison.json             beside the page of a comparison, which takes the place of the list
docs/comparisons/<name>/         each of several comparisons; their list is the first page
docs/fleet-runs.js               beside the first page of a fleet, which takes the place of the list
docs/causes/, hosts/, workloads/ its other pages
"""

from __future__ import annotations

import html
import json
from collections import Counter
from pathlib import Path
from typing import Any

from perfolio.pages.run_series import order_runs

LIST = "All reports"
"""Title of the page that lists reports."""
COMPARISON, COMPARED = "Comparison", "comparison.json"
"""Title of the page of a comparison, and the file beside it."""
COMPARISONS = "comparisons"
"""Folder of several comparisons, and of their pages' titles."""
HISTORY, STUDY = "History", "history.json"
"""Title of the first page of a series, and the file beside it."""
SCALING, SIZES = "Scaling", "scaling.json"
"""Title of the page of a scaling study, and the file beside it."""
FLEET, FLEET_RUNS = "Fleet", "fleet-runs.js"
"""Title of the first page of a fleet, and the file beside it."""
FLEET_FOLDERS = ("causes", "workloads", "hosts")
"""Folders of the pages of a fleet, and titles of their sections."""
SIDES = ("before", "after")
"""How folders of the reports of a comparison begin; those of one are called so."""
Nav = list[dict[str, Any]]
"""MkDocs' form: [{title: path | Nav}, ...]."""

ANSWER = ""
EVIDENCE = "Evidence"
REFERENCE = "Reference"
REPORT_PAGES: tuple[tuple[str, str, str], ...] = (
    (ANSWER, "Summary", "index.md"),
    (ANSWER, "Findings", "findings.md"),
    (ANSWER, "Root causes", "root-causes.md"),
    (ANSWER, "Roadmap", "roadmap.md"),
    (ANSWER, "Conclusion", "conclusion.md"),
    (ANSWER, "Claims", "claims.md"),
    (ANSWER, "Workflow", "workflow.md"),
    (EVIDENCE, "Timeline", "timeline.md"),
    (EVIDENCE, "Serving", "serving.md"),
    (EVIDENCE, "Time", "time.md"),
    (EVIDENCE, "Hot paths", "hot-paths.md"),
    (EVIDENCE, "Kernels", "kernels.md"),
    (EVIDENCE, "Ceilings", "ceilings.md"),
    (EVIDENCE, "Operators", "operators.md"),
    (EVIDENCE, "Host calls", "host-calls.md"),
    (EVIDENCE, "Memory", "memory.md"),
    (EVIDENCE, "Stalls", "stalls.md"),
    (EVIDENCE, "Transfers", "transfers.md"),
    (EVIDENCE, "Balance", "balance.md"),
    (REFERENCE, "Data quality", "quality.md"),
    (REFERENCE, "Thresholds", "thresholds.md"),
    (REFERENCE, "Metrics", "metrics.md"),
    (REFERENCE, "Technical data", "technical.md"),
)
"""Group, title and file of the pages of a report; those that answer stand in no group."""
EXERCISES = "exercises"
"""Folder of the exercises of a report, and the title of their section."""
COURSES = "courses"
"""Folder of the courses beside the reports."""
PLACEHOLDER = "Reports"
"""Title of the entry of mkdocs.yml that the reports take the place of."""


def make_site_nav(docs: Path) -> Nav:
    """Navigation of a site that holds reports and nothing else."""
    if comparisons := _list_comparisons(docs):
        return comparisons
    if fleet := _list_fleet(docs):
        return fleet
    reports = docs / "reports"
    sections = report_sections(reports, docs) + report_sections(docs, docs)
    listed_at = docs / "index.md"
    start: Nav = [{LIST: "index.md"}] if listed_at.is_file() and len(sections) != 1 else []
    queries = _list_queries(docs, docs) + _list_queries(reports, docs)
    return (
        start
        + _list_promises(docs, docs)
        + _list_promises(reports, docs)
        + _list_guide(docs, docs)
        + sections
        + queries
        + _list_courses(docs, docs)
        + _list_courses(reports, docs)
    )


def _list_comparisons(docs: Path) -> Nav:
    """Navigation of a site of comparisons: their pages, and the reports of their sides."""
    if (docs / SIZES).is_file():
        exercises = _list_exercises(docs / EXERCISES, docs)
        return [{SCALING: "index.md"}, *exercises, *_list_guide(docs, docs)]
    several = sorted((docs / COMPARISONS).glob(f"*/{COMPARED}"))
    if not several and not any((docs / name).is_file() for name in (COMPARED, STUDY)):
        return []
    pages: Nav = [{COMPARISON: "index.md"}]
    if several:
        folders = (path.parent.relative_to(docs) for path in several)
        each: Nav = [{one.name: (one / "index.md").as_posix()} for one in folders]
        first = HISTORY if (docs / STUDY).is_file() else "All comparisons"
        pages = [{first: "index.md"}, {COMPARISONS.capitalize(): each}]
    elif (docs / STUDY).is_file():
        pages = [{HISTORY: "index.md"}]
    reports = [path.parent for side in SIDES for path in sorted(docs.glob(f"{side}*/findings.md"))]
    sections: Nav = [{_name_report(folder): _list_pages(folder, docs)} for folder in reports]
    pages += _list_exercises(docs / EXERCISES, docs) + _list_guide(docs, docs)
    return pages + sections + _list_queries(docs, docs)


def _list_fleet(docs: Path) -> Nav:
    """Navigation of a site of a fleet: its pages, and full reports of some of its runs."""
    if not (docs / FLEET_RUNS).is_file():
        return []
    pages: Nav = [{FLEET: "index.md"}]
    for folder in FLEET_FOLDERS:
        each = [path.relative_to(docs).as_posix() for path in sorted((docs / folder).glob("*.md"))]
        pages += [{folder.capitalize(): each}] if each else []
    questions: Nav = [{"Questions": "questions.md"}] if (docs / "questions.md").is_file() else []
    sections = report_sections(docs, docs)
    return pages + questions + _list_guide(docs, docs) + sections + _list_queries(docs, docs)


def _name_report(folder: Path) -> str:
    """Side and title of a report of a comparison, for HTML."""
    side = folder.name.partition("-")[0].capitalize()
    return html.escape(f"{side}: {_read_run(folder)[0]}")


def find_only_summary(docs: Path) -> str | None:
    """The page on which a site of one report opens; None of several, comparisons, and a fleet."""
    if any((docs / name).exists() for name in (COMPARED, COMPARISONS, STUDY, SIZES, FLEET_RUNS)):
        return None
    found = [path.parent for path in (*docs.glob("*/findings.md"), *docs.glob("*/*/findings.md"))]
    pages = [report / "index.md" for report in found]
    if len(pages) != 1 or not pages[0].is_file():
        return None
    return pages[0].relative_to(docs).with_suffix(".html").as_posix()


def insert_reports(nav: Nav, docs: Path) -> Nav:
    """`nav` of a project with its entry `Reports` replaced by one section per report."""
    sections = report_sections(docs / "reports", docs)
    index: Nav = [{LIST: "reports/index.md"}]
    if not sections:
        return nav
    reports = docs / "reports"
    index += _list_promises(reports, docs) + _list_guide(reports, docs)
    index += sections + _list_queries(reports, docs)
    entries = [{PLACEHOLDER: index}, *_list_courses(docs / "reports", docs)]
    return [each for item in nav for each in (entries if PLACEHOLDER in item else [item])]


def report_sections(folder: Path, docs: Path) -> Nav:
    """One section per report in `folder`, in the order of their list."""
    runs = {
        path.parent.name: _read_run(path.parent) for path in sorted(folder.glob("*/findings.md"))
    }
    found = [folder / slug for slug in order_runs({slug: run for slug, (_, run) in runs.items()})]
    titles = [runs[report.name][0] for report in found]
    seen = Counter(titles)
    return [
        {
            html.escape(title if seen[title] == 1 else f"{title} ({report.name})"): _list_pages(
                report, docs
            )
        }
        for title, report in zip(titles, found, strict=True)
    ]


def _list_queries(folder: Path, docs: Path) -> Nav:
    """The page of the metrics' queries, beside the reports of a folder."""
    page = folder / "queries.md"
    return [{"Queries": page.relative_to(docs).as_posix()}] if page.is_file() else []


def _list_promises(folder: Path, docs: Path) -> Nav:
    """The page of what came of steps, beside the list of the reports of a folder."""
    page = folder / "promises.md"
    return [{"Promises": page.relative_to(docs).as_posix()}] if page.is_file() else []


def _list_guide(folder: Path, docs: Path) -> Nav:
    """How to read the reports of a folder, and the glossary."""
    pages = (("How to read a report", "reading.md"), ("Glossary", "glossary.md"))
    return [
        {title: (folder / name).relative_to(docs).as_posix()}
        for title, name in pages
        if (folder / name).is_file()
    ]


def _list_courses(folder: Path, docs: Path) -> Nav:
    """The courses beside the reports of a folder, each with its notes; they have own titles."""
    found = sorted((folder / COURSES).glob("*/*.md"))
    return [{"Course": [page.relative_to(docs).as_posix() for page in found]}] if found else []


def _list_pages(report: Path, docs: Path) -> Nav:
    prefix = report.relative_to(docs).as_posix()
    groups: dict[str, Nav] = {}
    for group, title, name in REPORT_PAGES:
        if (report / name).is_file():
            groups.setdefault(group, []).append({title: f"{prefix}/{name}"})
    answers = groups.pop(ANSWER, [])
    named: Nav = [{group: pages} for group, pages in groups.items()]
    return answers + named + _list_exercises(report / EXERCISES, docs)


def _list_exercises(folder: Path, docs: Path) -> Nav:
    """The list of exercises of a report, then each by its title, in the order of the list."""
    if not (folder / "index.md").is_file():
        return []
    order = (folder / "index.md").read_text(encoding="utf-8")
    others = sorted(
        (path for path in folder.glob("*.md") if path.name != "index.md"),
        key=lambda path: (order.find(f"({path.name})"), path.name),
    )
    first = [{"All exercises": (folder / "index.md").relative_to(docs).as_posix()}]
    return [{EXERCISES.capitalize(): [*first, *(p.relative_to(docs).as_posix() for p in others)]}]


def _read_run(report: Path) -> tuple[str, dict[str, str]]:
    """The run's title and settings as its findings name them; the folder's name without them.

    The title is escaped by the caller: MkDocs prints titles into HTML as they are.
    """
    try:
        document = json.loads((report / "findings.json").read_text(encoding="utf-8"))
        title = " ".join(str(document["run"]["title"]).split())[:80] or report.name
    except (OSError, ValueError, KeyError, TypeError):
        return report.name, {}
    try:
        return title, dict(document["metrics"]["run"]["settings"])
    except (KeyError, TypeError, ValueError):
        return title, {}
