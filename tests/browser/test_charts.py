"""Charts: a static image first, a live chart when seen, the image again when that fails."""

from __future__ import annotations

import json
import re
import struct
from pathlib import Path
from typing import Literal

import pytest
from playwright.sync_api import Route

from perfolio.charts.spec_packing import pack_spec
from perfolio.charts.theme import DARK_BACKGROUND, LIGHT_BACKGROUND
from tests.browser.visits import OBSERVED, Visit

pytestmark = pytest.mark.browser

CHART_PAGE = "gallery/transfers.html"
TEXT_COLOUR = "el => getComputedStyle(el).fill"


def test_live_chart_takes_the_place_of_the_image(visit: Visit, base: str) -> None:
    page = visit.open(f"{base}/{CHART_PAGE}")

    assert visit.show_charts() > 0
    first = page.locator("figure.pf-chart").first
    assert not first.locator("img.pf-static").is_visible()
    assert first.locator(".pf-live svg").count() == 1


def test_the_page_reads_what_specifications_are_packed_to(visit: Visit, base: str) -> None:
    table = [
        {"n": n, "x": n * 0.25 - 3, "kind": ("a b", "</c>", "~é")[n % 3], "some": n % 4 or None,
         "same": "one", "odd": (n * 7919) % 101 / 10, "__proto__": n}
        for n in range(400)
    ]  # fmt: skip
    axis = {"axis": {"title": "Time since the trace began (ms)", "tickCount": 5}, "field": "n"}
    view = {"data": {"values": table}, "encoding": {"x": axis, "y": axis}}
    spec = {"usermeta": {}, "layer": [view, {"layer": [{**view, "mark": "bar"}]}]}
    packed = pack_spec(spec)
    assert {"tables", "parts"} <= packed.keys()
    page = visit.open(f"{base}/{CHART_PAGE}")
    visit.show_charts()
    read = "text => (spec => (perfolio.unpack(spec), JSON.stringify(spec)))(JSON.parse(text))"
    assert json.loads(page.evaluate(read, json.dumps(packed))) == spec


def test_charts_below_the_view_wait(visit: Visit, server: str) -> None:
    # So low that the last chart is out of reach also while the image above it has no height yet.
    visit.page.set_viewport_size({"width": 800, "height": 100})
    page = visit.open(f"{server}/{CHART_PAGE}")
    last = page.locator("figure.pf-chart[data-pf-state]").last
    last.wait_for(state="attached")
    visit.observed()

    assert last.get_attribute("data-pf-state") == "waiting"
    assert page.locator("figure.pf-chart:not([data-pf-state])").count() == 0
    last.scroll_into_view_if_needed()
    page.locator("figure.pf-chart").last.and_(page.locator("[data-pf-state=live]")).wait_for()


def test_a_chart_in_view_waits_for_its_reader(visit: Visit, base: str) -> None:
    with visit.page.context.new_page() as page:  # in which no pointer was moved yet
        page.goto(f"{base}/{CHART_PAGE}")
        page.locator("figure.pf-chart[data-pf-state]").first.wait_for(state="attached")
        page.evaluate(OBSERVED)

        assert page.locator("figure.pf-chart:not([data-pf-state=waiting])").count() == 0
        assert page.locator("script[src*='vega-bundle']").count() == 0
        page.mouse.move(5, 5)
        page.locator("figure.pf-chart[data-pf-state=live]").first.wait_for()


def test_palette_toggle_redraws_in_readable_colours(visit: Visit, base: str) -> None:
    page = visit.open(f"{base}/{CHART_PAGE}")
    visit.show_charts()
    label = page.locator("figure.pf-chart .pf-live svg text").first
    before = label.evaluate(TEXT_COLOUR)
    page.locator("form[data-md-component=palette] label:visible").click()
    page.wait_for_function(
        "before => getComputedStyle(document.querySelector('.pf-live svg text')).fill !== before",
        arg=before,
    )

    assert page.locator("body").get_attribute("data-md-color-scheme") == "slate"
    assert page.locator("figure.pf-chart").first.locator(".pf-live svg").count() == 1
    assert visit.complaints == []


def test_colours_follow_the_system_until_a_reader_chooses_others(visit: Visit, base: str) -> None:
    page = visit.open(f"{base}/{CHART_PAGE}")

    def shown_once(system: Literal["light", "dark"]) -> str | None:
        page.emulate_media(color_scheme=system)
        page.reload()
        return page.locator("body").get_attribute("data-md-color-scheme")

    def choose() -> None:
        page.locator("form[data-md-component=palette] label:visible").click()

    light, dark = "default", "slate"
    assert [shown_once("light"), shown_once("dark"), shown_once("light")] == [light, dark, light]
    page.emulate_media(color_scheme="dark")  # while the page is open
    page.locator("body[data-md-color-scheme=slate]").wait_for(state="attached")
    choose()
    assert [shown_once("dark"), shown_once("light"), shown_once("dark")] == [light] * 3
    choose()
    assert [shown_once("dark"), shown_once("light")] == [dark, light]
    assert visit.complaints == []


def test_a_choice_is_kept_among_palettes_that_are_for_no_system(visit: Visit, server: str) -> None:
    """As in a project with palettes of its own, which say no `media`."""

    def leave_out_media(route: Route) -> None:
        script = route.fetch().text()
        assert "(prefers-color-scheme: light)" in script
        route.fulfill(body=re.sub(r"\(prefers-color-scheme: \w+\)", "", script, count=2))

    visit.page.route("**/tools.js", leave_out_media)
    page = visit.open(f"{server}/{CHART_PAGE}")
    page.locator("form[data-md-component=palette] label:visible").click()
    page.reload()

    assert page.locator("body").get_attribute("data-md-color-scheme") == "slate"


@pytest.mark.parametrize("visit", [{"color_scheme": "null"}], indirect=True)
def test_a_page_keeps_its_colours_while_it_is_printed(visit: Visit, base: str) -> None:
    """Chromium asks of what it prints as if the system were light: here it is dark."""
    page = visit.open(f"{base}/{CHART_PAGE}")
    page.locator("body[data-md-color-scheme=slate]").wait_for(state="attached")
    page.evaluate(
        """window.schemes = [];
        new MutationObserver(() => schemes.push(document.body.dataset.mdColorScheme))
          .observe(document.body, {attributeFilter: ["data-md-color-scheme"]})"""
    )
    page.pdf()
    page.evaluate(OBSERVED)

    assert set(page.evaluate("schemes")) <= {"slate"}


@pytest.mark.parametrize("broken", ["**/vega-bundle.js", "**/charts/*.js", "**/chart-themes.js"])
def test_image_stays_when_a_script_is_missing(visit: Visit, base: str, broken: str) -> None:
    visit.page.route(broken, lambda route: route.abort())
    page = visit.open(f"{base}/{CHART_PAGE}")
    page.mouse.move(5, 5)
    page.locator("figure.pf-chart[data-pf-state=static]").first.wait_for()

    assert page.locator("img.pf-static").first.is_visible()


@pytest.mark.parametrize("visit", [{"java_script_enabled": False}], indirect=True)
def test_image_is_shown_without_scripts(visit: Visit, base: str) -> None:
    image = visit.open(f"{base}/{CHART_PAGE}").locator("img.pf-static").first

    assert image.is_visible()
    assert image.get_attribute("alt")
    box = image.bounding_box()
    assert box is not None
    assert box["width"] > 300
    assert box["height"] > 50


def test_running_the_script_twice_changes_nothing(visit: Visit, base: str) -> None:
    page = visit.open(f"{base}/{CHART_PAGE}")
    visit.show_charts()
    source = page.locator("script[src*='perfolio.js']").get_attribute("src")
    page.add_script_tag(url=page.evaluate("src => new URL(src, document.baseURI).href", source))
    assert visit.show_charts() > 0

    assert page.locator("figure.pf-chart").first.locator(".pf-live svg").count() == 1
    assert visit.complaints == []


@pytest.mark.parametrize("report", ["gallery", "hostile"])
def test_a_mark_tells_its_numbers_beside_the_pointer(
    visit: Visit, server: str, report: str
) -> None:
    page = visit.open(f"{server}/{report}/kernels.html")
    visit.show_charts()
    mark = page.locator(".pf-live svg .mark-symbol path").first
    mark.scroll_into_view_if_needed()
    mark.hover(force=True)
    tip = page.locator("#vg-tooltip-element.visible")
    tip.wait_for()
    box = tip.bounding_box()

    assert box is not None
    assert box["x"] >= 0
    assert box["y"] >= 0
    assert "Launches" in tip.inner_text()
    assert page.evaluate("window.hacked") is None
    assert tip.locator("img, script, a").count() == 0


@pytest.mark.parametrize("scheme", ["default", "slate"])
def test_a_live_chart_is_saved_as_a_picture_on_the_ground_of_the_page(
    visit: Visit, base: str, scheme: str
) -> None:
    page = visit.open(f"{base}/{CHART_PAGE}")
    page.evaluate("to => document.body.setAttribute('data-md-color-scheme', to)", scheme)
    visit.show_charts()
    figure = page.locator("figure.pf-chart").first
    button = page.locator("figure.pf-chart + .pf-menu button", has_text="PNG").first
    with page.expect_download() as waiting:
        button.click()
    content = Path(waiting.value.path()).read_bytes()
    wide, high = struct.unpack(">II", content[16:24])
    drawn = figure.locator(".pf-live svg").bounding_box()
    corner = page.evaluate(
        """async (bytes) => {
          const image = await createImageBitmap(new Blob([new Uint8Array(bytes)]));
          const brush = new OffscreenCanvas(1, 1).getContext("2d");
          brush.drawImage(image, 0, 0);
          return [...brush.getImageData(0, 0, 1, 1).data];
        }""",
        list(content),
    )

    assert content[:8] == b"\x89PNG\r\n\x1a\n"
    assert waiting.value.suggested_filename == f"{figure.get_attribute('data-chart')}.png"
    assert drawn is not None
    assert wide == pytest.approx(2 * drawn["width"], abs=4)
    assert high == pytest.approx(2 * drawn["height"], abs=4)
    ground = DARK_BACKGROUND if scheme == "slate" else LIGHT_BACKGROUND
    assert "#" + bytes(corner[:3]).hex() == ground
    assert corner[3] == 255
    assert visit.complaints == []


@pytest.mark.parametrize("visit", [{"java_script_enabled": False}], indirect=True)
def test_the_line_below_a_chart_leads_to_its_data_findings_metric_and_query(
    visit: Visit, server: str
) -> None:
    page = visit.open(f"{server}/{CHART_PAGE}")
    menu = page.locator("figure.pf-chart + .pf-menu").first

    assert menu.locator("summary").all_inner_texts() == ["How to read this", "Data"]
    assert menu.locator(".pf-files").inner_text().split() == ["CSV", "SVG"]
    for link in menu.locator("a").all():
        path, _, part = (link.get_attribute("href") or "").partition("#")
        found = page.request.get(f"{server}/gallery/{path}")
        assert found.ok
        assert not part or f'id="{part}"' in found.text()
    heights = menu.locator(":scope > details, :scope > .pf-files").evaluate_all(
        "all => all.map(part => part.getBoundingClientRect().top)"
    )
    assert max(heights) - min(heights) < 12  # one line


def test_a_metric_leads_back_to_its_charts_and_findings(visit: Visit, server: str) -> None:
    page = visit.open(f"{server}/gallery/metrics.html")
    visit.unfold()
    links = page.locator(".pf-metrics .pf-note a")
    texts = links.all_inner_texts()

    assert any(text.startswith("Chart: ") for text in texts)
    assert any(text.startswith("Finding: ") for text in texts)
    links.filter(has_text="Chart: ").first.click()
    page.locator(":target").wait_for(state="attached")
