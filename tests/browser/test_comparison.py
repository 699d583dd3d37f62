"""The page of a comparison in a browser: silent, alone, readable at each width, and on paper."""

from __future__ import annotations

from pathlib import Path

import pytest

from perfolio.charts.comparison_rendering import render_comparison_charts
from perfolio.charts.theme import CHANGE_SCALE, CHANGES
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


SUMS = """figure => {
  const tree = figure.perfolioTree, side = tree.width.value === "after" ? "value" : "ago";
  return tree.all.map(({ node, up, down, right, left }) => [
    node[side], down.reduce((sum, one) => sum + one.node[side], 0), right - left,
    up ? up.node[side] : 0]);
}"""


def test_a_frame_is_found_and_enlarged(visit: Visit, pages: dict[str, str]) -> None:
    page = visit.open(pages["usual"])
    visit.show_charts()
    figure = page.locator("#chart-difference-icicle")
    figure.locator(".pf-find input").fill("softmax")
    settled(figure)
    assert "hit" in figure.locator(".pf-count").inner_text()
    figure.get_by_role("button", name="Next hit").click()
    assert "softmax" in figure.locator(".pf-told code").inner_text()
    told = figure.locator(".pf-told dt").all_inner_texts()
    assert told[:3] == ["Before", "After", "Difference"]
    figure.get_by_role("button", name="Zoom in").click()
    settled(figure)
    assert not figure.locator("output").inner_text().startswith("all")
    assert visit.complaints == []


def test_widths_are_of_the_side_that_is_chosen(visit: Visit, pages: dict[str, str]) -> None:
    """Each frame is as wide as its nanoseconds, and holds what it calls."""
    page = visit.open(pages["usual"])
    visit.show_charts()
    figure = page.locator("#chart-difference-icicle")
    document = make_document()
    for side in ("after", "before"):
        figure.locator("select[name=width]").select_option(side)
        settled(figure)
        frames = figure.evaluate(SUMS)
        whole = document["whole"][side]
        assert sum(own for own, _, _, up in frames if not up) == whole
        for own, below, wide, _ in frames:
            assert below <= own
            assert wide == pytest.approx(100 * own / whole)
    assert len(figure.locator(".pf-key > span").all_text_contents()) == len(CHANGE_SCALE)


VANISHED = """figure => {
  const tree = figure.perfolioTree, [node] = tree.roots;
  Object.assign(node, { value: 0, after: 0 });
  tree.refill();
  const after = tree.all.some((frame) => frame.node === node);
  tree.width.value = "before";
  tree.refill();
  const frame = tree.all.find((one) => one.node === node);
  return [after, Object.fromEntries(tree.facts(frame)).Difference, tree.fillOf(frame)];
}"""


def test_what_has_gone_is_reached_by_the_other_side(visit: Visit, pages: dict[str, str]) -> None:
    page = visit.open(pages["usual"])
    visit.show_charts()
    after, difference, colour = page.locator("#chart-difference-icicle").evaluate(VANISHED)
    assert not after
    assert difference.startswith("−")
    assert difference.endswith("only before")
    assert colour == CHANGES["shrank"]


def test_paper_has_the_images(visit: Visit, pages: dict[str, str]) -> None:
    page = visit.open(pages["usual"])
    page.emulate_media(media="print")
    images = page.locator("img.pf-static")
    assert [images.nth(place).is_visible() for place in range(images.count())] == [True] * 3
    assert page.pdf(prefer_css_page_size=True).startswith(b"%PDF")
