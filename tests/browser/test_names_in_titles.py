"""A name of a profile ran as a script when the mouse passed: the theme read titles as HTML.

Titles hold names that are escaped as they must be, which the theme's `content.tooltips` undid. No
site has that feature now, titles are shown as text, and a policy of each page would keep such a
script from running. Here the name has all that it needs to run by itself, on a page of a project
that asks for the feature.
"""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from perfolio.pages.template_filters import label, name
from perfolio.site.build import build_site
from perfolio.site.file_sync import sync_tree
from tests.browser.visits import Visit
from tests.kit.shared import ROOT

pytestmark = pytest.mark.browser

SITE = ROOT / "generator" / "perfolio" / "site"
BAD = "<x tabindex=1 autofocus onfocus=window.PWN=1>" + "long_name_" * 20
SETTINGS: dict[str, object] = {
    "INHERIT": str(SITE / "base.yml"),
    "theme": {"custom_dir": str(SITE / "theme"), "features": ["content.tooltips"]},
    "hooks": [str(SITE.parent / "pipeline" / "refresh_hook.py"), str(SITE / "hooks.py")],
}
NO_POLICY = {"bypass_csp": True}


@pytest.fixture(scope="module", params=["hooks", "without hooks"])
def page(request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A page with the name where pages have names, of a project that wants the theme's feature."""
    folder = tmp_path_factory.mktemp("titles")
    shown = f"# Names\n\n{name(BAD)} and {label(BAD)}\n"
    hooks = SETTINGS["hooks"] if request.param == "hooks" else []
    settings = json.dumps(SETTINGS | {"hooks": hooks})
    sync_tree({"docs/index.md": shown, "mkdocs.yml": settings}, folder)
    build_site(folder / "docs", folder / "site", config=folder / "mkdocs.yml")
    return folder / "site" / "index.html"


@pytest.mark.parametrize("visit", [{}, NO_POLICY], indirect=True, ids=["policy", "no policy"])
def test_a_name_is_shown_and_does_not_run(visit: Visit, page: Path) -> None:
    shown = visit.open(page.as_uri())
    titles = shown.locator("[title*=onfocus]")

    assert titles.count() == 2
    for place in (titles.first, titles.last):
        place.hover()
        shown.locator(".pf-tip", has_text=BAD).wait_for()
        shown.mouse.move(0, 0)
        shown.locator(".pf-tip").wait_for(state="hidden")
    assert shown.evaluate("window.PWN") is None
    assert visit.complaints == []
