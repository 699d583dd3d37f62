"""A report as one file: alone in a folder, asking nobody, with every link within."""

from __future__ import annotations

from pathlib import Path

import pytest

from perfolio.site.single.assembly import build_single_file
from tests.browser.test_accessibility import violations
from tests.browser.visits import Visit

pytestmark = pytest.mark.browser

MOST = 3_000_000
REPORTS = ("gallery", "dlrm-cpu", "hostile")
GUIDE = ("reading", "glossary")
SCHEMES = [
    {"color_scheme": "light"},
    {"color_scheme": "dark", "viewport": {"width": 390, "height": 844}},
]

BROKEN = """[...document.querySelectorAll('a[href^="#"]')]
    .map(link => decodeURIComponent(link.hash.slice(1)))
    .filter(name => !document.getElementById(name))"""
TWICE = """(() => { const ids = [...document.querySelectorAll('[id]')].map(each => each.id);
    return ids.filter((id, at) => ids.indexOf(id) !== at); })()"""
ELSEWHERE = """[...document.querySelectorAll('[href], [src]')]
    .map(each => each.getAttribute('href') || each.getAttribute('src'))
    .filter(address => !/^(#|data:|https:)/.test(address))"""

SHOW_IMAGES = """async () => {
  for (const image of document.images) {
    image.scrollIntoView();
    do await new Promise(requestAnimationFrame); while (!image.complete);
  }
}"""


@pytest.fixture(scope="module")
def files(site: Path, tmp_path_factory: pytest.TempPathFactory) -> dict[str, Path]:
    """Each report as one file, alone in its folder."""
    made = {name: tmp_path_factory.mktemp(name) / "report.html" for name in REPORTS}
    for name, path in made.items():
        path.write_text(build_single_file(site, name), encoding="utf-8")
    return made


@pytest.mark.parametrize("report", REPORTS)
def test_it_asks_nobody_and_every_link_has_its_target(
    visit: Visit, files: dict[str, Path], report: str
) -> None:
    asked: list[str] = []
    visit.page.on("request", lambda request: asked.append(request.url))
    page = visit.open(files[report].as_uri())
    visit.unfold()
    page.evaluate(SHOW_IMAGES)

    assert [url for url in asked if not url.startswith("data:")] == [files[report].as_uri()]
    assert visit.outside == []
    assert visit.complaints == []
    assert page.evaluate(BROKEN) == []
    assert page.evaluate(TWICE) == []
    assert page.evaluate(ELSEWHERE) == []
    assert page.evaluate("window.hacked") is None
    assert files[report].stat().st_size < MOST


def test_all_pages_of_the_report_are_within(
    visit: Visit, files: dict[str, Path], site: Path
) -> None:
    page = visit.open(files["gallery"].as_uri())
    shown = page.locator(".pf-single-pages a").count()
    charts = page.evaluate("new Set([...document.images].map(each => each.src)).size")
    drawn = page.evaluate("[...document.images].every(each => each.naturalWidth > 100)")

    assert page.locator("article").count() == shown
    assert shown == len(list((site / "gallery").glob("*.html"))) + len(GUIDE)
    assert drawn
    assert charts == len(list((site / "gallery" / "charts").glob("*.svg")))


def test_a_link_opens_what_is_folded(visit: Visit, files: dict[str, Path]) -> None:
    page = visit.open(files["gallery"].as_uri())
    link = page.locator(".pf-top a[href^='#findings/']").first
    target = page.locator(f"[id='{(link.get_attribute('href') or '')[1:]}']")
    link.click()

    assert target.is_visible()
    assert (target.bounding_box() or {"y": -1})["y"] >= 0


def test_a_table_is_saved_under_its_name(visit: Visit, files: dict[str, Path], site: Path) -> None:
    page = visit.open(files["gallery"].as_uri())
    visit.unfold()
    with page.expect_download() as done:
        page.locator("a[download]").first.click()
    name = done.value.suggested_filename

    assert Path(done.value.path()).read_bytes() == (site / "gallery" / "charts" / name).read_bytes()


def test_the_reader_chooses_colours(visit: Visit, files: dict[str, Path]) -> None:
    page = visit.open(files["dlrm-cpu"].as_uri())
    light = page.evaluate("getComputedStyle(document.body).backgroundColor")
    page.get_by_role("button", name="Dark colours").click()

    assert page.evaluate("getComputedStyle(document.body).backgroundColor") != light
    page.emulate_media(media="print")
    assert not page.locator("#metrics").is_visible()
    assert page.locator("#findings").is_visible()


@pytest.mark.slow
@pytest.mark.parametrize("visit", SCHEMES, indirect=True, ids=["light", "dark, narrow"])
@pytest.mark.parametrize("report", ["gallery", "dlrm-cpu"])
def test_axe_finds_nothing(visit: Visit, files: dict[str, Path], report: str) -> None:
    page = visit.open(files[report].as_uri())
    visit.unfold()
    # Of 300 metrics, which are alike, the first of each group stand for all.
    page.evaluate(
        "document.querySelectorAll('.pf-metrics > :nth-child(n + 24)').forEach(el => el.remove())"
    )

    assert violations(visit) == []
    width = page.evaluate("document.documentElement.scrollWidth - innerWidth")
    assert width <= 0
