"""Search: nothing is loaded before it is used, then what is near is found first.

Also where no server and no worker is to be had.
"""

from __future__ import annotations

import pytest
from playwright.sync_api import Page

from tests.browser.visits import Visit

pytestmark = pytest.mark.browser


def search(page: Page, words: str) -> list[str]:
    """Where the results lead, best first."""
    page.locator(".md-search__input").press_sequentially(words)
    results = page.locator(".md-search-result__link")
    results.first.wait_for(timeout=10_000)
    found: list[str] = results.evaluate_all("all => all.map(link => link.href)")
    return found


def articles(page: Page) -> list[str]:
    """Titles of the pages that were found, best first."""
    titles = page.locator(".md-search-result__article h1")
    return [title.strip() for title in titles.all_inner_texts()]


@pytest.mark.parametrize(
    ("start", "words", "expected"),
    [
        ("gallery/index.html", "technical specification", "gallery/technical.html"),
        ("layout/index.html", "vectorized", "layout/index.html"),
        ("gallery/kernels.html", "layouts", "layout/index.html"),
        ("index.html", "hot function", "dlrm-cpu/findings.html"),
        ("gallery/index.html", "reports", "index.html"),
    ],
    ids=["of the report", "in its text", "another report", "from the start", "no report"],
)
def test_search_finds_the_page(
    visit: Visit, base: str, start: str, words: str, expected: str
) -> None:
    found = search(visit.open(f"{base}/{start}"), words)

    assert any(link.startswith(f"{base}/{expected}") for link in found), found
    assert visit.complaints == []


@pytest.mark.parametrize("how", ["click", "key", "address"])
def test_nothing_is_loaded_before_search_is_used(visit: Visit, base: str, how: str) -> None:
    asked: list[str] = []
    visit.page.on("request", lambda request: asked.append(request.url.removeprefix(base)))
    page = visit.open(f"{base}/gallery/index.html")
    page.wait_for_timeout(300)

    assert "/assets/perfolio/search.js" in asked
    assert [url for url in asked if "search" in url] == ["/assets/perfolio/search.js"]
    assert not [url for url in asked if "worker" in url]

    if how == "click":
        page.locator(".md-search__input").click()
    elif how == "key":
        page.keyboard.press("/")
    else:
        page = visit.open(f"{base}/gallery/index.html?q=kernels")
    page.locator(
        ".md-search-result__meta", has_text="match" if how == "address" else "Type"
    ).wait_for()
    loaded = {url for url in asked if url.endswith(".js") and "search" in url}

    assert loaded >= {
        "/gallery/search.js",
        "/assets/perfolio/search-pages.js",
        "/assets/perfolio/search-reports.js",
    }
    assert not [url for url in loaded if url in ("/layout/search.js", "/dlrm-cpu/search.js")]
    assert visit.complaints == []


@pytest.mark.parametrize("report", ["gallery", "dlrm-cpu"])
def test_the_report_of_the_page_comes_first_and_each_result_names_its_report(
    visit: Visit, base: str, report: str
) -> None:
    page = visit.open(f"{base}/{report}/time.html")
    found = search(page, "findings")
    own = [link.startswith(f"{base}/{report}/") for link in found]
    titles = articles(page)

    assert own[0]
    assert not all(own), "of other reports too"
    assert own == sorted(own, reverse=True)
    assert len({title for title in titles if title.startswith("Findings · ")}) > 1
    with page.expect_navigation():
        page.keyboard.press("Enter")  # opens the best one
    assert page.url.startswith(f"{base}/{report}/")


def test_what_has_all_words_comes_first_and_a_word_before_what_begins_with_it(
    visit: Visit, base: str
) -> None:
    """By its prefix `data`, a heading on databases would come before all texts on input data."""
    page = visit.open(f"{base}/layout/index.html")
    found = search(page, "input data")
    places = [link.partition("#")[2] for link in found if "/layout/" in link]
    order = [place for place in places if place in ("rows", "data", "write-a-database")]

    assert order == ["rows", "data", "write-a-database"]


def test_metrics_queries_and_thresholds_are_in_no_index(visit: Visit, base: str) -> None:
    found = search(visit.open(f"{base}/gallery/index.html"), "metrics thresholds queries time")
    pages = {link.rpartition("/")[2].partition("#")[0] for link in found}

    assert "time.html" in pages
    assert not pages & {"metrics.html", "thresholds.html", "queries.html"}


def test_names_of_a_profile_are_words_in_results(visit: Visit, base: str) -> None:
    page = visit.open(f"{base}/hostile/index.html")
    found = search(page, "findings script")
    titles = " ".join(articles(page))

    assert found
    assert "<script>window.hacked = 1</script>" in titles
    assert page.evaluate("window.hacked") is None
    assert page.locator("[src=attack], .md-search [href^=javascript]").count() == 0


def test_a_word_that_is_nowhere_is_not_found(visit: Visit, base: str) -> None:
    page = visit.open(f"{base}/index.html")
    page.locator(".md-search__input").press_sequentially("xylophone")
    page.locator(".md-search-result__meta", has_text="No matching").wait_for(timeout=10_000)

    assert page.locator(".md-search-result__link").count() == 0
