"""Pages fit every width from a telephone to a wide screen, and a report weighs little."""

from __future__ import annotations

from pathlib import Path

import pytest

from perfolio.charts.theme import STATIC_WIDTH
from tests.browser.visits import Visit

# Pages fit every width from a telephone to a wide screen.

pytestmark = pytest.mark.browser

PAGES = (
    "index",
    "gallery/index",
    "gallery/findings",
    "gallery/time",
    "gallery/timeline",
    "gallery/kernels",
    "gallery/metrics",
    "gallery/technical",
    "dlrm-cpu/index",
    "dlrm-cpu/hot-paths",
    "layout/index",
)
OVERFLOWING = """() => {
  const width = document.documentElement.clientWidth;
  const scrolls = el => el.closest('.md-typeset__scrollwrap, pre, .md-nav, .md-sidebar, .pf-live');
  return [...document.querySelectorAll('.md-content *')]
    .filter(el => !scrolls(el) && el.getBoundingClientRect().right > width + 1)
    .map(el => el.tagName + '.' + el.className);
}"""

MEASURED = """(() => {
  const { get } = Object.getOwnPropertyDescriptor(Element.prototype, "clientWidth");
  window.widths = [];
  Object.defineProperty(Element.prototype, "clientWidth", { configurable: true, get() {
    const width = get.call(this);
    if (this.closest("details:not([open])") && this.localName === "code") window.widths.push(width);
    return width;
  } });
})()"""


@pytest.mark.parametrize("page", PAGES)
def test_nothing_is_wider_than_the_screen(visit: Visit, server: str, page: str) -> None:
    shown = visit.open(f"{server}/{page}.html")
    for width in (1600, 800, 390):
        shown.set_viewport_size({"width": width, "height": 900})
        visit.show_charts()

        assert shown.evaluate("document.documentElement.scrollWidth") <= width
        assert shown.evaluate(OVERFLOWING) == []


@pytest.mark.parametrize("page", ["thresholds", "technical", "kernels", "findings"])
def test_a_telephone_squeezes_no_column_of_words(visit: Visit, server: str, page: str) -> None:
    visit.page.set_viewport_size({"width": 390, "height": 844})
    shown = visit.open(f"{server}/gallery/{page}.html")
    squeezed = shown.locator(".md-content td").evaluate_all(
        "all => all.filter(td => td.innerText.length > 30 && td.clientWidth < 80)"
        ".map(td => td.innerText)"
    )

    assert squeezed == []


@pytest.mark.parametrize("width", [390, 1600])
def test_charts_fill_their_column(visit: Visit, server: str, width: int) -> None:
    visit.page.set_viewport_size({"width": width, "height": 900})
    page = visit.open(f"{server}/gallery/transfers.html")
    visit.show_charts()
    shares = page.locator("figure.pf-chart").evaluate_all(
        "all => all.map(f => f.querySelector('svg').getBoundingClientRect().width / f.clientWidth)"
    )

    assert all(0.97 <= share <= 1.001 for share in shares)


@pytest.mark.parametrize(
    "visit",
    [{"java_script_enabled": False, "viewport": {"width": 390, "height": 844}}],
    indirect=True,
)
def test_without_scripts_a_telephone_shows_text_of_charts_in_a_size_to_read(
    visit: Visit, server: str
) -> None:
    page = visit.open(f"{server}/gallery/transfers.html")
    visit.unfold()
    drawn = page.locator("img.pf-static").first.bounding_box()
    figure = page.locator("figure.pf-chart").first.bounding_box()

    assert drawn is not None
    assert figure is not None
    assert drawn["width"] * 12 / STATIC_WIDTH >= 9  # pixels of the smallest labels
    assert figure["width"] <= 390
    meaning = page.locator(".pf-figures td:nth-child(3)").first.bounding_box()
    assert meaning is not None
    assert meaning["width"] > 300


def test_on_a_telephone_facts_stand_apart(visit: Visit, server: str) -> None:
    visit.page.set_viewport_size({"width": 390, "height": 844})
    fact = visit.open(f"{server}/gallery/findings.html").locator(".pf-facts dd").first

    assert fact.evaluate("el => parseFloat(getComputedStyle(el).marginBottom)") > 4


def test_lines_of_a_tree_hang_below_its_words(visit: Visit, server: str) -> None:
    visit.page.set_viewport_size({"width": 390, "height": 844})
    page = visit.open(f"{server}/gallery/root-causes.html")
    hanging = (
        page.locator(".md-content table")
        .first.locator("td:first-child")
        .evaluate_all(
            """all => all.flatMap(cell => {
          const range = document.createRange();
          range.selectNodeContents(cell);
          const [first, ...more] = range.getClientRects();
          return more.filter(part => part.top > first.bottom).map(part => part.left - first.left);
        })"""
        )
    )

    assert hanging
    assert min(hanging) > 4


def test_a_desktop_gives_short_words_no_more_than_they_need(visit: Visit, server: str) -> None:
    visit.page.set_viewport_size({"width": 1280, "height": 900})
    page = visit.open(f"{server}/gallery/root-causes.html")
    cell = page.locator(".md-content table").first.locator("td:last-child").first

    assert cell.evaluate("el => el.clientWidth") < 120


def test_a_wide_table_scrolls_in_its_box_and_by_keyboard(visit: Visit, server: str) -> None:
    visit.page.set_viewport_size({"width": 390, "height": 844})
    page = visit.open(f"{server}/layout/index.html")
    box = page.locator(".md-typeset__scrollwrap").first

    assert box.evaluate("el => el.scrollWidth > el.clientWidth")
    assert box.get_attribute("tabindex") == "0"


def test_what_is_folded_is_laid_out_for_no_script_but_found_by_a_search(
    visit: Visit, server: str
) -> None:
    visit.page.add_init_script(MEASURED)
    page = visit.open(f"{server}/gallery/findings.html")
    measured = page.evaluate("window.widths")
    code = page.locator("details:not([open]) pre > code").first

    assert measured
    assert set(measured) == {0}
    assert page.locator("[data-pf-opening]").count() == 0
    assert code.evaluate("el => el.clientWidth") > 0


def test_numbers_are_aligned_right_with_digits_of_one_width(visit: Visit, server: str) -> None:
    page = visit.open(f"{server}/layout/index.html")
    cell = page.locator("td", has_text="65.90 ms")

    assert cell.evaluate("el => getComputedStyle(el).textAlign") == "right"
    assert "tabular-nums" in cell.evaluate("el => getComputedStyle(el).fontVariantNumeric")


# What a report may weigh: its folder, its search index, its page of metrics.
#
# Of the site that all tests here read: a CPU run through the whole pipeline, a run on a GPU with
# every chart of the gallery, and the same with hostile names.

REPORTS = ("dlrm-cpu", "gallery", "hostile")
MOST_OF_ALL = 4_000_000
MOST_OF_INDEX = 250_000
MOST_OF_METRICS = 600_000
MOST_NODES = 15_000


@pytest.mark.parametrize("report", REPORTS)
def test_a_report_is_small(site: Path, report: str) -> None:
    sizes = {path: path.stat().st_size for path in (site / report).rglob("*") if path.is_file()}

    assert sum(sizes.values()) < MOST_OF_ALL
    assert sizes[site / report / "search.js"] < MOST_OF_INDEX
    assert sizes[site / report / "metrics.html"] < MOST_OF_METRICS


@pytest.mark.parametrize("report", REPORTS)
def test_the_page_of_metrics_has_few_elements(visit: Visit, base: str, report: str) -> None:
    page = visit.open(f"{base}/{report}/metrics.html")

    assert 500 < page.evaluate("document.querySelectorAll('*').length") < MOST_NODES


def test_names_of_functions_kernels_rules_and_metrics_are_found(site: Path) -> None:
    index = (site / "gallery" / "search.js").read_text("utf-8")
    words = ("aten::", "gemm", "bandwidth", "utilisation")

    assert [word for word in words if word not in index] == []


@pytest.mark.parametrize("report", REPORTS)
def test_data_of_live_charts_come_once(site: Path, report: str) -> None:
    """Rows are sent by columns (generator/perfolio/charts/spec_packing.py), but for the shortest
    tables."""
    for path in (site / report / "charts").glob("*.js"):
        longest = max(map(len, path.read_text("utf-8").split('"values":[{')[1:]), default=0)
        assert '"tables":[' in path.read_text("utf-8") or longest < 3_000, path.name
