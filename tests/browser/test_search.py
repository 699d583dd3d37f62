"""Search finds a page, also where no server and no worker is to be had."""

from __future__ import annotations

import pytest

from tests.browser.conftest import Visit

pytestmark = pytest.mark.browser


@pytest.mark.parametrize(
    ("words", "expected"),
    [("technical specification", "gallery/technical.html"), ("vectorized", "layout/index.html")],
)
def test_search_finds_the_page(visit: Visit, base: str, words: str, expected: str) -> None:
    page = visit.open(f"{base}/gallery/index.html")
    page.locator(".md-search__input").press_sequentially(words)
    results = page.locator(".md-search-result__link")
    results.first.wait_for(timeout=10_000)
    found = results.evaluate_all("all => all.map(link => link.href)")

    assert any(f"{base}/{expected}" in link for link in found)
    assert visit.complaints == []


def test_a_word_that_is_nowhere_is_not_found(visit: Visit, base: str) -> None:
    page = visit.open(f"{base}/index.html")
    page.locator(".md-search__input").press_sequentially("xylophone")
    page.locator(".md-search-result__meta", has_text="No matching").wait_for(timeout=10_000)

    assert page.locator(".md-search-result__link").count() == 0
