"""All that a reader does to pages of which every name is an attack: nothing runs.

With the pages' policy and without it, so that neither hides what the other lets through. Reports of
every format are crawled by hand: python -m tests.poison.
"""

from __future__ import annotations

import html
import json
import re
from pathlib import Path

import pytest
from click.testing import CliRunner
from mkdocs.commands.build import build
from mkdocs.config import load_config
from playwright.sync_api import Browser

from perfolio.cli.main import main
from perfolio.pages.content_policy import make_site_policy
from perfolio.site.file_sync import sync_tree
from perfolio.site.single.assembly import build_single_file
from tests.kit.kept import SHOWN, digest_of, kept
from tests.poison import poisoned
from tests.poison.crawl import Told, crawl, watched

pytestmark = [pytest.mark.browser, pytest.mark.slow]

NAME = "every-attack"
PAGES = ("index", "findings", "timeline", "hot-paths")
MADE_BY = [Path(str(poisoned.__file__))]
INLINE = re.compile(r"<script>(.*?)</script>", re.DOTALL)


@pytest.fixture(scope="module")
def site(chromium: Path) -> Path:  # noqa: ARG001 - not built where there is no browser
    """A report with every attack, through the whole pipeline."""

    def make(folder: Path) -> None:
        trace = folder / f"{NAME}.json"
        trace.write_text(json.dumps(poisoned.trace()), encoding="utf-8")
        done = CliRunner().invoke(main, ["build", str(trace), "-o", str(folder / "site")])
        assert done.exit_code == 0, done.output

    return kept("poison", digest_of(*MADE_BY, by=SHOWN), make) / "site"


@pytest.mark.parametrize("policy", [True, False], ids=["policy", "no policy"])
def test_no_name_runs_whatever_a_reader_does(
    browser: Browser, site: Path, tmp_path: Path, policy: bool
) -> None:
    alone = tmp_path / "report.html"
    alone.write_text(build_single_file(site, NAME), encoding="utf-8")
    pages = [*(site / NAME / f"{page}.html" for page in PAGES), alone]
    with watched(browser, policy=policy) as context:
        told = crawl(context, [page.as_uri() for page in pages])

    assert told.flags == []
    assert told.refused == [], "nor would it without a policy"
    assert told.complaints == []
    assert told.hovers > 20
    assert told.touched > 1_000
    assert told.charts > 2
    assert told.searches == 1


@pytest.mark.parametrize("policy", [True, False], ids=["policy", "no policy"])
def test_the_crawl_sees_what_the_plain_theme_makes_of_a_title(
    browser: Browser, tmp_path: Path, policy: bool
) -> None:
    """The control: the feature that we leave out, in a page that escapes as ours do."""
    page = _plain(tmp_path, f'<b title="{html.escape(poisoned.PAYLOADS[0])}">a name</b>')
    with watched(browser, policy=policy) as context:
        told = crawl(context, [page.as_uri()], search=False)

    assert bool(told.flags) is not policy
    assert bool(told.refused) is policy


@pytest.mark.parametrize("attack", poisoned.PAYLOADS[:12])
def test_the_crawl_sees_an_attack_that_is_not_escaped(
    browser: Browser, tmp_path: Path, attack: str
) -> None:
    page = tmp_path / "page.html"
    page.write_text(f"<!doctype html><title>x</title><body><p>{attack}", encoding="utf-8")
    with watched(browser) as context:
        told: Told = crawl(context, [page.as_uri()], search=False)

    assert told.flags


def _plain(folder: Path, body: str) -> Path:
    """A page of Material's theme alone, with the policy of our pages."""
    theme = {"name": "material", "font": False, "features": ["content.tooltips"]}
    settings = {"site_name": "x", "theme": theme, "plugins": [], "use_directory_urls": False}
    sync_tree({"docs/index.md": f"# x\n\n{body}\n", "mkdocs.yml": json.dumps(settings)}, folder)
    build(load_config(str(folder / "mkdocs.yml")))
    page = folder / "site" / "index.html"
    text = page.read_text("utf-8")
    policy = make_site_policy(INLINE.findall(text))
    meta = f'<head><meta http-equiv="Content-Security-Policy" content="{policy}">'
    page.write_text(text.replace("<head>", meta, 1), encoding="utf-8")
    return page
