"""The timeline: a part of the run is enlarged by buttons, keys, mouse, fingers and address."""

from __future__ import annotations

import re

import pytest
from playwright.sync_api import Locator, Page, expect

from tests.browser.visits import Visit, settled

pytestmark = pytest.mark.browser

PAGE = "gallery/timeline.html"
FIGURE = "figure[data-zoom=t]"
SHOWN = "figure => figure.perfolioPart.shown"

GO = """address => new Promise(done => {
  addEventListener("hashchange", () => done(), { once: true });
  location.hash = address;
})"""
"""Go to a part of the page, and wait until its scripts were told, of which this is the last."""


def timeline(visit: Visit, base: str, part: str = "") -> tuple[Page, Locator]:
    page = visit.open(f"{base}/{PAGE}{part}")
    visit.show_charts(FIGURE)
    return page, page.locator(FIGURE)


def shown(figure: Locator) -> tuple[float, float]:
    """The part that is shown after all that was done before."""
    settled(figure)
    begin, end = figure.evaluate(SHOWN)
    return begin, end


def test_buttons_keys_and_the_address_say_the_same(visit: Visit, base: str) -> None:
    page, figure = timeline(visit, base)
    assert shown(figure) == pytest.approx((3.28, 4.32))
    assert figure.locator("output").inner_text() == "1.04 s from 3.28 s"
    figure.get_by_role("button", name="Longest gap").click()
    assert shown(figure) == pytest.approx((3.3, 4.2))
    expect(page).to_have_url(re.compile("#t=3[.]3-4[.]2$"))
    figure.get_by_role("button", name="All").click()
    assert shown(figure) == (0, 10)
    expect(page).to_have_url(re.compile("#chart-timeline-overview$"))
    box = figure.locator(".pf-zoomed")
    box.press("+")
    assert shown(figure) == pytest.approx((1.875, 8.125))
    box.press("ArrowRight")
    assert shown(figure) == pytest.approx((3.125, 9.375))
    box.press("ArrowRight")
    assert shown(figure) == pytest.approx((3.75, 10)), "there is nothing beyond the end"
    box.press("Home")
    assert shown(figure) == pytest.approx((3.28, 4.32))
    assert visit.complaints == []


def test_a_link_opens_a_part(visit: Visit, base: str) -> None:
    page = visit.open(f"{base}/{PAGE}#t=7-8.5")
    figure = page.locator(FIGURE)
    page.locator(f"{FIGURE}[data-pf-state=live]").wait_for()
    assert shown(figure) == pytest.approx((7, 8.5))
    header = page.locator(".md-header").bounding_box()
    buttons = figure.locator(".pf-zoom").bounding_box()
    assert header is not None
    assert buttons is not None
    assert buttons["y"] >= header["y"] + header["height"]
    page.emulate_media(media="print")
    assert figure.locator("img.pf-static").is_visible()
    assert not figure.locator(".pf-zoom").is_visible()
    page.emulate_media(media="screen")
    page.evaluate(GO, "#t=2-3")
    assert shown(figure) == pytest.approx((2, 3))
    page.evaluate(GO, "#t=oh-no")
    assert shown(figure) == pytest.approx((2, 3))
    assert visit.complaints == []


def test_the_mouse_moves_enlarges_and_goes_to_a_place_of_the_whole(visit: Visit, base: str) -> None:
    page, figure = timeline(visit, base)
    canvas = figure.locator("canvas")
    canvas.scroll_into_view_if_needed()
    box = canvas.bounding_box()
    assert box is not None
    x, y = box["x"] + box["width"] / 2, box["y"] + box["height"] / 2
    begin, end = shown(figure)
    page.mouse.move(x, y)
    page.mouse.down()
    page.mouse.move(x - box["width"] / 4, y, steps=3)
    page.mouse.up()
    moved = shown(figure)
    assert moved[0] - begin == pytest.approx((end - begin) / 4, rel=0.05)
    page.keyboard.down("Control")
    page.mouse.wheel(0, -200)
    page.keyboard.up("Control")
    closer = shown(figure)
    assert closer[1] - closer[0] < 0.7 * (moved[1] - moved[0])
    page.mouse.click(box["x"] + 0.8 * box["width"], box["y"] + 30)
    there = shown(figure)
    assert sum(there) / 2 == pytest.approx(8.0, abs=0.15)
    assert there[1] - there[0] == pytest.approx(closer[1] - closer[0])
    assert visit.complaints == []


@pytest.mark.parametrize("visit", [{"has_touch": True}], indirect=True)
def test_two_fingers_enlarge(visit: Visit, base: str) -> None:
    page, figure = timeline(visit, base)
    canvas = figure.locator("canvas")
    canvas.scroll_into_view_if_needed()
    box = canvas.bounding_box()
    assert box is not None
    begin, end = shown(figure)
    touch = page.context.new_cdp_session(page)

    def fingers(kind: str, *parts: float) -> None:
        points = [
            {"x": box["x"] + part * box["width"], "y": box["y"] + 100, "id": number}
            for number, part in enumerate(parts)
        ]
        touch.send("Input.dispatchTouchEvent", {"type": kind, "touchPoints": points})

    fingers("touchStart", 0.4, 0.6)
    for step in (0.05, 0.1, 0.15, 0.2):
        fingers("touchMove", 0.4 - step, 0.6 + step)
    fingers("touchEnd")
    closer = shown(figure)
    assert closer[1] - closer[0] == pytest.approx((end - begin) / 3, rel=0.1)
    assert sum(closer) / 2 == pytest.approx((begin + end) / 2, abs=0.05)


def test_what_is_under_the_mouse_is_named_and_dark_keeps_the_part(visit: Visit, base: str) -> None:
    page, figure = timeline(visit, base, "#t=3.4-3.6")
    canvas = figure.locator("canvas")
    canvas.scroll_into_view_if_needed()
    box = canvas.bounding_box()
    assert box is not None
    page.mouse.move(box["x"] + box["width"] / 2, box["y"] + box["height"] - 58)
    tip = page.locator("#vg-tooltip-element.visible")
    tip.wait_for()
    assert re.search(r"Name\s+\S", tip.inner_text())
    before = figure.evaluate_handle("figure => [figure, figure.perfolioView]")
    page.locator("form[data-md-component=palette] label:visible").click()
    page.wait_for_function("([figure, view]) => figure.perfolioView !== view", arg=before)
    page.locator(f"{FIGURE}[data-pf-state=live]").wait_for()
    assert shown(figure) == pytest.approx((3.4, 3.6))
    assert figure.locator("canvas").count() == 1
    assert figure.locator(".pf-zoom").count() == 1
    assert visit.complaints == []


def test_the_image_stays_where_the_script_is_missing(visit: Visit, base: str) -> None:
    visit.page.route("**/zoom.js", lambda route: route.abort())
    page = visit.open(f"{base}/{PAGE}")
    page.locator(FIGURE).scroll_into_view_if_needed()
    page.locator(f"{FIGURE}[data-pf-state=static] img.pf-static").wait_for()
