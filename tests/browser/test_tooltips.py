"""Words are explained by mouse, keyboard and touch, in cards too; a card leads to its metric."""

from __future__ import annotations

import pytest
from playwright.sync_api import Browser, Page

from tests.browser.visits import Visit

pytestmark = pytest.mark.browser

IN_CARD = ".pf-card abbr[tabindex]"
SHOWN = ".md-tooltip2--active"


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
    page.wait_for_selector(SHOWN, state="detached")
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
