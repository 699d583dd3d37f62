"""Every page loads whole without any network, and no name of a profile runs."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from perfolio.pages.template_filters import label, name
from perfolio.site.build import build_site
from perfolio.site.file_sync import sync_tree
from tests.browser.visits import Visit
from tests.kit.shared import ROOT

# Every page loads whole, from a server and from a folder, without any network.

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


# A name of a profile ran as a script when the mouse passed: the theme read titles as HTML.
#
# Titles hold names that are escaped as they must be, which the theme's `content.tooltips` undid. No
# site has that feature now, titles are shown as text, and a policy of each page would keep such a
# script from running. Here the name has all that it needs to run by itself, on a page of a project
# that asks for the feature.

SITE = ROOT / "generator" / "perfolio" / "site"
BAD = "<x tabindex=1 autofocus onfocus=window.PWN=1>" + "long_name_" * 20
SETTINGS: dict[str, object] = {
    "INHERIT": str(SITE / "base.yml"),
    "theme": {"custom_dir": str(SITE / "theme"), "features": ["content.tooltips"]},
    "hooks": [str(SITE.parent / "pipeline" / "refresh_hook.py"), str(SITE / "hooks.py")],
}
NO_POLICY = {"bypass_csp": True}


@pytest.fixture(scope="module", params=["hooks", "without hooks"])
def page_of_names(request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A page with the name where pages have names, of a project that wants the theme's feature."""
    folder = tmp_path_factory.mktemp("titles")
    shown = f"# Names\n\n{name(BAD)} and {label(BAD)}\n"
    hooks = SETTINGS["hooks"] if request.param == "hooks" else []
    settings = json.dumps(SETTINGS | {"hooks": hooks})
    sync_tree({"docs/index.md": shown, "mkdocs.yml": settings}, folder)
    build_site(folder / "docs", folder / "site", config=folder / "mkdocs.yml")
    return folder / "site" / "index.html"


@pytest.mark.parametrize("visit", [{}, NO_POLICY], indirect=True, ids=["policy", "no policy"])
def test_a_name_is_shown_and_does_not_run(visit: Visit, page_of_names: Path) -> None:
    shown = visit.open(page_of_names.as_uri())
    titles = shown.locator("[title*=onfocus]")

    assert titles.count() == 2
    for place in (titles.first, titles.last):
        place.hover()
        shown.locator(".pf-tip", has_text=BAD).wait_for()
        shown.mouse.move(0, 0)
        shown.locator(".pf-tip").wait_for(state="hidden")
    assert shown.evaluate("window.PWN") is None
    assert visit.complaints == []
