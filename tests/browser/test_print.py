"""On paper: A4, light, the summary on one page."""

from __future__ import annotations

import re
from pathlib import Path

import pytest
from playwright.sync_api import Page

from perfolio.pages.report_rendering import render_report
from tests.browser.conftest import kept_site
from tests.browser.visits import Visit
from tests.kit.samples import SAMPLES, sample_documents

pytestmark = pytest.mark.browser

A4 = (595, 842)
"""Points, rounded."""
LINK = re.compile(r"\]\([\w-]+\.(?:md|json)[^)]*\)")


def pages_of(page: Page) -> list[tuple[int, int]]:
    """Width and height of each page of the printed document [pt]."""
    data = page.pdf(prefer_css_page_size=True, print_background=False)
    one = rb"/Type\s*/Page\b(?!s).*?/MediaBox\s*\[0 0 ([\d.]+) ([\d.]+)\]"
    boxes = re.findall(one, data, re.DOTALL)
    return [(round(float(width)), round(float(height))) for width, height in boxes]


@pytest.mark.parametrize("report", ["gallery", "dlrm-cpu"])
def test_summary_fits_one_page_of_a4(visit: Visit, base: str, report: str) -> None:
    assert pages_of(visit.open(f"{base}/{report}/index.html")) == [A4]


@pytest.fixture(scope="module")
def summaries(chromium: Path) -> Path:  # noqa: ARG001
    """A site with the summaries of the samples alone: their links lead nowhere."""
    return kept_site("summaries", lambda: dict(map(_summary, SAMPLES)), Path(__file__).name)


def _summary(name: str) -> tuple[str, str]:
    one = sample_documents(name)
    pages = render_report(one.metrics, one.findings, charts={})
    return f"{name}/index.md", LINK.sub("](index.md)", str(pages["index.md"]))


@pytest.mark.slow
@pytest.mark.parametrize("sample", SAMPLES)
def test_the_summary_of_each_sample_does(visit: Visit, summaries: Path, sample: str) -> None:
    assert pages_of(visit.open(f"{summaries.as_uri()}/{sample}/index.html")) == [A4]


def test_all_that_is_said_of_the_run_is_printed(visit: Visit, server: str) -> None:
    page = visit.open(f"{server}/dlrm-cpu/index.html")
    page.emulate_media(media="print")
    items = page.locator(".pf-details li")
    assert items.count() > 1
    assert all(item.is_visible() for item in items.all())


def test_a_short_page_is_followed_by_no_empty_one(visit: Visit, server: str) -> None:
    assert pages_of(visit.open(f"{server}/dlrm-cpu/balance.html")) == [A4]


def test_a_long_page_takes_more(visit: Visit, server: str) -> None:
    assert len(pages_of(visit.open(f"{server}/gallery/metrics.html"))) > 1


@pytest.mark.parametrize("visit", [{"color_scheme": "dark"}], indirect=True)
def test_dark_readers_print_light_pages_with_static_charts(visit: Visit, base: str) -> None:
    page = visit.open(f"{base}/gallery/transfers.html")
    visit.show_charts()
    colour = "el => getComputedStyle(el).backgroundColor"
    ink = "el => getComputedStyle(el).color"
    assert page.locator("body").evaluate(colour) != "rgb(255, 255, 255)"
    page.emulate_media(media="print")

    assert page.locator("h1").evaluate(ink) == "rgb(31, 38, 48)"
    assert page.locator("body").evaluate("el => getComputedStyle(el).colorScheme") == "light"
    assert page.locator("img.pf-static").first.is_visible()
    for hidden in (".pf-live", "details.pf-data", ".md-header", ".md-sidebar", ".md-footer"):
        assert not page.locator(hidden).first.is_visible()


def test_addresses_of_links_are_not_printed(visit: Visit, server: str) -> None:
    page = visit.open(f"{server}/gallery/index.html")
    page.emulate_media(media="print")
    after = page.locator(".md-content a").evaluate_all(
        "all => all.map(a => getComputedStyle(a, '::after').content)"
    )

    assert not [text for text in after if "attr(" in text or "http" in text or ".html" in text]


@pytest.mark.parametrize("page", ["gallery/stalls", "gallery/metrics", "layout/index"])
def test_nothing_is_wider_than_the_paper(visit: Visit, server: str, page: str) -> None:
    width = 695  # A4 without its margins, at 96 points per inch
    shown = visit.open(f"{server}/{page}.html")
    shown.set_viewport_size({"width": width, "height": 1000})
    shown.emulate_media(media="print")

    assert shown.evaluate("document.documentElement.scrollWidth") <= width


def test_a_bar_stands_between_its_heading_and_its_table_in_one_column(
    visit: Visit, server: str
) -> None:
    """However long the column is that ends before them."""
    page = visit.open(f"{server}/dlrm-cpu/index.html")
    page.set_viewport_size({"width": 695, "height": 1000})
    page.emulate_media(media="print")
    place = "el => { const {left, top} = el.getBoundingClientRect(); return [left, top] }"
    title = page.locator(".pf-column h2", has_text="time goes")
    rows = page.locator(".pf-column thead tr, .pf-column tbody tr")
    parts = [title, page.locator(".pf-bar").first, rows.first, rows.last]
    page.locator("ol.pf-top li").evaluate_all("all => all.slice(1).forEach(el => el.remove())")
    for _ in range(8):
        places = [part.evaluate(place) for part in parts]
        assert max(left for left, _ in places) - min(left for left, _ in places) < 20
        assert [top for _, top in places] == sorted(top for _, top in places)
        page.locator("ol.pf-top").evaluate("el => el.append(el.lastElementChild.cloneNode(true))")


def test_long_names_stay_in_their_column_of_the_summary(visit: Visit, server: str) -> None:
    page = visit.open(f"{server}/dlrm-cpu/index.html")
    page.locator(".pf-column td").first.evaluate(
        "el => { el.lastChild.textContent = '6be42abd1ac6f9e340bc41b543510b9'.repeat(4) }"
    )
    page.set_viewport_size({"width": 695, "height": 1000})
    page.emulate_media(media="print")
    ends = "all => all.map(el => el.getBoundingClientRect().right)"
    table, column = (
        page.locator(".pf-column:has(table)").first.locator(part).evaluate_all(ends)[0]
        for part in ("table", "xpath=.")
    )

    assert table <= column + 1
