"""The page of a comparison in a browser: silent, alone, readable at each width, and on paper."""

from __future__ import annotations

from pathlib import Path

import pytest

from perfolio.charts.comparison_rendering import render_comparison_charts
from perfolio.pages.comparison_pages import render_comparison
from perfolio.site.build import build_site
from perfolio.site.file_sync import sync_tree
from tests.browser.conftest import ATTACK
from tests.browser.test_accessibility import violations
from tests.browser.visits import Visit, settled
from tests.comparison.documents import make_document

pytestmark = pytest.mark.browser

SCHEMES = [
    {"color_scheme": "light"},
    {"color_scheme": "dark"},
    {"color_scheme": "light", "viewport": {"width": 390, "height": 844}},
]


@pytest.fixture(scope="module")
def pages(chromium: Path, tmp_path_factory: pytest.TempPathFactory) -> dict[str, str]:  # noqa: ARG001
    """Addresses of a comparison, and of one in which every name is an attack."""
    made = {}
    for kind, name in (("usual", ""), ("hostile", ATTACK)):
        document = make_document(name)
        folder = tmp_path_factory.mktemp(kind)
        sync_tree(
            render_comparison(document, render_comparison_charts(document), {}), folder / "docs"
        )
        build_site(folder / "docs", folder / "site")
        made[kind] = (folder / "site" / "index.html").as_uri()
    return made


@pytest.mark.parametrize("visit", SCHEMES, indirect=True)
def test_it_is_silent_alone_and_accessible(visit: Visit, pages: dict[str, str]) -> None:
    page = visit.open(pages["usual"])
    assert visit.show_charts() == 3
    assert visit.complaints == []
    assert visit.outside == []
    assert violations(visit) == []
    wide = page.evaluate("document.documentElement.scrollWidth - innerWidth")
    assert wide <= 0


def test_names_do_nothing(visit: Visit, pages: dict[str, str]) -> None:
    page = visit.open(pages["hostile"])
    visit.show_charts()
    assert page.evaluate("window.hacked") is None
    assert visit.complaints == []
    assert visit.outside == []


def test_a_frame_is_found_and_enlarged(visit: Visit, pages: dict[str, str]) -> None:
    page = visit.open(pages["usual"])
    visit.show_charts()
    figure = page.locator("#chart-difference-icicle")
    figure.locator(".vega-bind input").fill("softmax")
    settled(figure)
    found = figure.evaluate(
        "each => each.perfolioView.view.data('source_0').length"
        " && each.perfolioView.view.signal('find')"
    )
    assert found == "softmax"
    figure.get_by_role("button", name="Zoom in").click()
    settled(figure)
    assert not figure.locator("output").inner_text().startswith("all")


def test_paper_has_the_images(visit: Visit, pages: dict[str, str]) -> None:
    page = visit.open(pages["usual"])
    page.emulate_media(media="print")
    images = page.locator("img.pf-static")
    assert [images.nth(place).is_visible() for place in range(images.count())] == [True] * 3
    assert page.pdf(prefer_css_page_size=True).startswith(b"%PDF")
