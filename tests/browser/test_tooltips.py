"""Words are explained by mouse, keyboard and touch, in cards too; a card leads to its metric."""

from __future__ import annotations

import pytest
from playwright.sync_api import Browser, Page

from tests.browser.visits import Visit

pytestmark = pytest.mark.browser

IN_CARD = ".pf-card abbr[tabindex]"
SHOWN = ".pf-tip:not([hidden])"


def shows(page: Page, words: str) -> None:
    page.wait_for_function(
        "([tip, words]) => [...document.querySelectorAll(tip)]"
        ".some(each => each.textContent.includes(words))",
        arg=[SHOWN, words],
        timeout=5000,
    )


def meaning(page: Page) -> str:
    return page.locator(IN_CARD).first.get_attribute("title") or ""


def test_a_word_in_a_card_is_explained_by_mouse_and_keyboard(visit: Visit, server: str) -> None:
    page = visit.open(f"{server}/gallery/index.html")
    words = meaning(page)
    assert len(words) > 10
    page.locator(IN_CARD).first.hover()
    shows(page, words)
    page.mouse.move(0, 0)
    page.wait_for_selector(SHOWN, state="hidden")
    page.locator(IN_CARD).first.focus()
    shows(page, words)


def test_a_word_in_a_card_is_explained_by_touch(browser: Browser, server: str) -> None:
    context = browser.new_context(has_touch=True, viewport={"width": 390, "height": 844})
    page = context.new_page()
    page.goto(f"{server}/gallery/index.html")
    words = meaning(page)
    page.locator(IN_CARD).first.tap()
    shows(page, words)
    assert page.url.endswith("/gallery/index.html")
    context.close()


def test_all_of_a_card_leads_to_its_metric(visit: Visit, server: str) -> None:
    page = visit.open(f"{server}/gallery/index.html")
    card = page.locator(".pf-card").first
    where = card.locator("a").get_attribute("href")
    box = card.bounding_box()
    assert where
    assert box is not None
    card.click(position={"x": box["width"] - 5, "y": box["height"] - 5})
    page.wait_for_url(f"**/{where}")


def test_the_foot_leads_to_the_glossary(visit: Visit, server: str) -> None:
    page = visit.open(f"{server}/dlrm-cpu/index.html")
    page.locator(".pf-colophon a").click()
    page.wait_for_url("**/glossary.html")
    assert page.locator("h1").inner_text().startswith("Glossary")


def test_escape_closes_what_is_shown_and_nothing_is_lost(visit: Visit, base: str) -> None:
    page = visit.open(f"{base}/gallery/index.html")
    words = meaning(page)
    word = page.locator(IN_CARD).first
    word.focus()
    shows(page, words)
    tip = page.locator(SHOWN)

    assert word.get_attribute("aria-describedby") == tip.get_attribute("id")
    assert word.get_attribute("title") is None, "or the browser would show it too"
    page.keyboard.press("Escape")
    tip.wait_for(state="hidden")
    assert word.get_attribute("title") == words
    assert word.get_attribute("aria-describedby") is None


def test_the_mouse_may_rest_on_what_is_shown(visit: Visit, server: str) -> None:
    page = visit.open(f"{server}/gallery/index.html")
    page.locator(IN_CARD).first.hover()
    tip = page.locator(SHOWN)
    tip.wait_for()
    tip.hover()
    page.wait_for_timeout(400)

    assert tip.is_visible()


@pytest.mark.parametrize(
    "visit",
    [{"has_touch": True, "is_mobile": True, "viewport": {"width": 390, "height": 844}}],
    indirect=True,
    ids=["touch"],
)
def test_a_name_is_told_in_full_by_touch_within_the_window(visit: Visit, server: str) -> None:
    page = visit.open(f"{server}/hostile/kernels.html")
    visit.unfold()
    name = page.locator("article code[title]:visible").first
    words = name.get_attribute("title") or ""
    name.tap()
    shows(page, words)
    box = page.locator(SHOWN).bounding_box()

    assert box is not None
    assert box["x"] >= 0
    assert box["x"] + box["width"] <= 390
    page.locator("h1").first.tap()
    page.locator(".pf-tip").wait_for(state="hidden")


def test_nothing_of_it_is_printed(visit: Visit, server: str) -> None:
    page = visit.open(f"{server}/gallery/index.html")
    page.locator(IN_CARD).first.focus()
    page.locator(SHOWN).wait_for()
    page.emulate_media(media="print")

    assert not page.locator(SHOWN).is_visible()
