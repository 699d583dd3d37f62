"""Every page loads whole, from a server and from a folder, without any network."""

from __future__ import annotations

import pytest

from tests.browser.visits import Visit

pytestmark = pytest.mark.browser

PAGES = (
    "index",
    *(
        f"gallery/{page}"
        for page in (
            "index",
            "findings",
            "time",
            "timeline",
            "kernels",
            "stalls",
            "transfers",
            "balance",
            "hot-paths",
            "metrics",
            "technical",
            "quality",
        )
    ),
    "dlrm-cpu/index",
    "dlrm-cpu/hot-paths",
    "layout/index",
)


@pytest.mark.parametrize("page", PAGES)
def test_loads_without_network_error_or_request_to_elsewhere(
    visit: Visit, base: str, page: str
) -> None:
    visit.open(f"{base}/{page}.html")
    visit.show_charts()

    assert visit.page.title()
    assert visit.outside == []
    assert visit.complaints == []


ELSEWHERE = "fetch('https://example.com/font.woff2').catch(() => 0)"


@pytest.mark.parametrize("visit", [{"bypass_csp": True}], indirect=True, ids=["no policy"])
def test_the_watch_sees_a_request_to_elsewhere(visit: Visit, base: str) -> None:
    visit.open(f"{base}/index.html")
    visit.page.evaluate(ELSEWHERE)

    assert visit.outside == ["https://example.com/font.woff2"]
    assert visit.complaints


def test_a_page_s_policy_lets_no_request_out(visit: Visit, base: str) -> None:
    visit.open(f"{base}/index.html")
    visit.page.evaluate(ELSEWHERE)

    assert visit.outside == []
    assert "Content Security Policy" in visit.complaints[0]


def test_titles_name_the_report(visit: Visit, base: str) -> None:
    titles = [
        visit.open(f"{base}/{report}/findings.html").title() for report in ("gallery", "layout")
    ]

    assert titles[0] != titles[1]
    assert titles[1].startswith("Findings · Layouts <i>&</i> names")


def test_names_of_runs_are_words_in_the_navigation(visit: Visit, base: str) -> None:
    page = visit.open(f"{base}/layout/index.html")

    assert page.locator(".md-nav i").count() == 0
    assert page.locator(".md-nav", has_text="Layouts <i>&</i> names").count() > 0


@pytest.mark.parametrize(
    "page", ["index", "findings", "kernels", "hot-paths", "metrics", "technical", "quality"]
)
def test_names_of_a_profile_run_nothing(visit: Visit, server: str, page: str) -> None:
    shown = visit.open(f"{server}/hostile/{page}.html")
    visit.show_charts()

    assert shown.evaluate("window.hacked") is None
    assert shown.locator("[src=attack], [href^=javascript]").count() == 0
    assert "window.hacked = 1" in shown.locator("main").inner_text()
    assert visit.complaints == []
