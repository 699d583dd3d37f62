"""The navigation over the reports of a folder."""

from __future__ import annotations

import json
import re
from pathlib import Path

import pytest

from perfolio.site.build import build_site
from perfolio.site.file_sync import sync_tree
from perfolio.site.navigation import (
    REPORT_PAGES,
    find_only_summary,
    insert_reports,
    make_site_nav,
    report_sections,
)


def report(slug: str, title: str, *pages: str) -> dict[str, str]:
    findings = {f"{slug}/findings.json": json.dumps({"run": {"title": title}})}
    return findings | {f"{slug}/{page}": "# x\n" for page in ("findings.md", *pages)}


def test_a_section_per_report_with_the_pages_that_exist_in_reading_order(tmp_path: Path) -> None:
    sync_tree(report("b", "Second", "quality.md", "index.md") | report("a", "First"), tmp_path)

    assert report_sections(tmp_path, tmp_path) == [
        {"First": [{"Findings": "a/findings.md"}]},
        {
            "Second": [
                {"Summary": "b/index.md"},
                {"Findings": "b/findings.md"},
                {"Reference": [{"Data quality": "b/quality.md"}]},
            ]
        },
    ]


def test_titles_of_runs_are_escaped_since_mkdocs_prints_them_as_html(tmp_path: Path) -> None:
    sync_tree(report("a", "<script>alert(1)</script>\n& more"), tmp_path)

    assert list(report_sections(tmp_path, tmp_path)[0]) == [
        "&lt;script&gt;alert(1)&lt;/script&gt; &amp; more"
    ]


def test_equal_titles_are_told_apart(tmp_path: Path) -> None:
    sync_tree(report("a", "DLRM") | report("b", "DLRM"), tmp_path)
    titles = [next(iter(section)) for section in report_sections(tmp_path, tmp_path)]

    assert titles == ["DLRM (a)", "DLRM (b)"]


@pytest.mark.parametrize("document", ["", "[]", "{}", '{"run": 1}', '{"run": {"title": " "}}'])
def test_without_a_title_the_folder_names_the_report(tmp_path: Path, document: str) -> None:
    sync_tree({"slug/findings.md": "# x\n", "slug/findings.json": document}, tmp_path)

    assert list(report_sections(tmp_path, tmp_path)[0]) == ["slug"]


def test_a_long_title_is_cut(tmp_path: Path) -> None:
    sync_tree(report("a", "x" * 100_000), tmp_path)

    assert len(next(iter(report_sections(tmp_path, tmp_path)[0]))) <= 80


def test_a_site_of_reports_starts_with_their_list(tmp_path: Path) -> None:
    sync_tree({"index.md": "# Reports\n"} | report("a", "First") | report("b", "B"), tmp_path)

    assert [next(iter(item)) for item in make_site_nav(tmp_path)] == ["All reports", "First", "B"]
    assert find_only_summary(tmp_path) is None


def test_promises_stand_beside_the_list(tmp_path: Path) -> None:
    tree = {"index.md": "# Reports\n", "promises.md": "# Promises\n"}
    sync_tree(tree | report("a", "First") | report("b", "B"), tmp_path / "docs" / "reports")

    (section,) = insert_reports([{"Reports": "reports/index.md"}], tmp_path / "docs")
    assert section["Reports"][:2] == [
        {"All reports": "reports/index.md"},
        {"Promises": "reports/promises.md"},
    ]
    assert {"Promises": "reports/promises.md"} in make_site_nav(tmp_path / "docs")


@pytest.mark.parametrize("base", ["", "reports/"])
def test_a_site_of_one_report_starts_with_its_summary(tmp_path: Path, base: str) -> None:
    tree = {f"{base}{name}": text for name, text in report("a", "First", "index.md").items()}
    sync_tree({"index.md": "# Reports\n"} | tree, tmp_path / "docs")
    build_site(tmp_path / "docs", tmp_path / "site")
    start = (tmp_path / "site" / base / "a" / "findings.html").read_text()

    assert [next(iter(item)) for item in make_site_nav(tmp_path / "docs")] == ["First"]
    assert find_only_summary(tmp_path / "docs") == f"{base}a/index.html"
    assert "All reports" not in start
    assert 'href="index.html" class="md-header__button md-logo"' in start


def test_reports_stand_in_the_order_of_their_list(tmp_path: Path) -> None:
    for slug, settings in {
        "a": {"workload.before": "c", "simulated": "true"},
        "b": {"simulated": "true"},
        "c": {"simulated": "true"},
        "d": {},
    }.items():
        told = {"run": {"title": slug}, "metrics": {"run": {"settings": settings}}}
        files = {"findings.md": "# x\n", "findings.json": json.dumps(told)}
        sync_tree(files, tmp_path / slug)

    assert [next(iter(each)) for each in report_sections(tmp_path, tmp_path)] == [*"dbca"]


def test_a_project_gets_its_reports_where_it_says_reports(tmp_path: Path) -> None:
    sync_tree(report("reports/a", "First"), tmp_path)
    nav = insert_reports([{"Start": "index.md"}, {"Reports": "reports/index.md"}], tmp_path)

    assert nav == [
        {"Start": "index.md"},
        {
            "Reports": [
                {"All reports": "reports/index.md"},
                {"First": [{"Findings": "reports/a/findings.md"}]},
            ]
        },
    ]


def test_a_project_without_reports_keeps_its_navigation(tmp_path: Path) -> None:
    nav = [{"Reports": "reports/index.md"}]

    assert insert_reports(nav, tmp_path) == nav


def test_every_page_template_is_in_the_navigation() -> None:
    from perfolio.pages.report_rendering import list_page_names

    assert {f"{page}.md" for page in list_page_names()} == {name for *_, name in REPORT_PAGES}


def test_queries_come_after_the_reports_whose_metrics_they_are(tmp_path: Path) -> None:
    sync_tree(report("a", "First") | {"index.md": "# x\n", "queries.md": "# x\n"}, tmp_path)
    sync_tree(report("b", "B") | {"queries.md": "# x\n"}, tmp_path / "project" / "reports")
    (item,) = insert_reports([{"Reports": "reports/index.md"}], tmp_path / "project")

    assert make_site_nav(tmp_path)[-1] == {"Queries": "queries.md"}
    assert item["Reports"][-1] == {"Queries": "reports/queries.md"}


@pytest.mark.parametrize("base", ["", "reports/"])
def test_a_page_of_a_report_names_and_leads_to_no_other(tmp_path: Path, base: str) -> None:
    tree = {"index.md": "# Start\n", f"{base}index.md": "# Reports\n"}
    for number in range(3):
        exercises = ("exercises/index.md", "exercises/one.md")
        told = report(f"r{number}", f"Run {number}", "index.md", "time.md", *exercises)
        tree |= {f"{base}{name}": text for name, text in told.items()}
    sync_tree(tree, tmp_path / "docs")
    build_site(tmp_path / "docs", tmp_path / "site")
    pages = {
        path.relative_to(tmp_path / "site").as_posix(): path.read_text()
        for path in (tmp_path / "site").rglob("*.html")
    }

    assert len(pages) == 17 + bool(base)
    for path, html in pages.items():
        own = re.findall(r"\br\d\b", path)
        named = set(re.findall(r"Run \d", html.partition("<article")[0]))
        assert named == {f"Run {slug[1]}" for slug in own}, path
        assert {*re.findall(r"""href="?[^"> ]*\b(r\d)/""", html)} <= {*own}, path
        if own and not base:
            assert ">All reports<" in html


def test_a_report_is_the_same_beside_others(tmp_path: Path) -> None:
    tree = {"index.md": "# Reports\n"}
    built = []
    for slug in ("b", "a", "c"):
        tree |= report(slug, f"Run {slug}", "index.md", "time.md")
        sync_tree(tree, tmp_path / "docs")
        build_site(tmp_path / "docs", tmp_path / slug)
        found = (tmp_path / slug / "b").rglob("*")
        built.append({path.name: path.read_bytes() for path in found if path.is_file()})

    assert built[1] == built[2], "beside two others"
    assert built[0] != built[1], "alone there is no list to go to"
