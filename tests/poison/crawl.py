"""A browser that does to pages what readers do, and looks for a flag that an attack raised.

On each page: unfold, bring charts to life, focus, hover, zoom, type, choose, search. A page is
whole if no attack ran, none was kept from running by the page's policy, and nothing was asked of
anybody else.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path

from playwright.sync_api import Browser, BrowserContext, Dialog, Error, Page

from tests.browser.visits import SHOW_CHARTS, Visit
from tests.poison.poisoned import FLAG

HOVERS = 6
"""Names of a page on which the mouse rests, one after the other; all others are told of a mouse."""
_PATIENCE = 60_000
_OPENS = re.compile(r'<meta http-equiv="refresh" content="0; url=[\w./-]+">')

_WATCH = f"""
addEventListener("securitypolicyviolation", (event) => {{
  (top.perfolioRefused = top.perfolioRefused || []).push(
    `${{event.effectiveDirective}} ${{event.blockedURI}} ${{event.sample}}`);
}});
window.open = () => {{ top.{FLAG} = "open"; }};
"""
_TOUCH_ALL = """async (within) => {
  const pause = (ms) => new Promise((done) => setTimeout(done, ms));
  const which = "[title], [aria-label], abbr, code, summary, a[href], button, [tabindex]";
  const all = [...document.querySelectorAll(within)].flatMap(
    (each) => [...each.querySelectorAll(which)]);
  let told = 0;
  let focused = 0;
  for (const each of all.slice(0, 1500)) {
    for (const name of ["pointerover", "mouseover", "mouseenter", "mousemove"])
      each.dispatchEvent(new MouseEvent(name, { bubbles: name !== "mouseenter", view: window }));
    if (each.tabIndex >= 0 && !each.matches("#__search, .md-search *") && ++focused < 300)
      each.focus();
    if (++told % 200 === 0) await pause(20);
  }
  await pause(300); // tooltips come late
  return told;
}"""
_PLAY = """async () => {
  const pause = (ms) => new Promise((done) => setTimeout(done, ms));
  for (const input of document.querySelectorAll(".pf-filter input, .pf-find input")) {
    input.value = "PWN";
    input.dispatchEvent(new Event("input", { bubbles: true }));
  }
  for (const choice of document.querySelectorAll(".pf-find select, .pf-difference select")) {
    choice.selectedIndex = choice.options.length - 1;
    choice.dispatchEvent(new Event("change", { bubbles: true }));
  }
  for (const each of document.querySelectorAll(".pf-zoomed")) {
    for (const key of ["+", "ArrowRight", "ArrowDown", "Enter", "-", "0"])
      each.dispatchEvent(new KeyboardEvent("keydown", { key, bubbles: true, cancelable: true }));
  }
  document.querySelectorAll("details").forEach((one) => { one.open = true; });
  await pause(200);
  const buttons = document.querySelectorAll(".pf-pick, .pf-sort, .pf-zoom button");
  for (const each of [...buttons].slice(0, 24)) each.click();
  for (const input of document.querySelectorAll(".pf-filter input")) {
    input.value = "";
    input.dispatchEvent(new Event("input", { bubbles: true }));
  }
  await pause(200);
}"""
_FOUND = f"""() => {{
  const flags = [];
  const look = (frame) => {{ try {{
    if (frame.{FLAG} !== undefined) flags.push(String(frame.{FLAG}));
    for (let n = 0; n < frame.frames.length; n += 1) look(frame.frames[n]);
  }} catch {{ /* of another origin */ }} }};
  look(window);
  return [flags, window.perfolioRefused || []];
}}"""


@dataclass
class Told:
    """What came of visits."""

    pages: int = 0
    hovers: int = 0
    """By the mouse itself."""
    touched: int = 0
    """Elements that were told of a mouse, and focused where they can be."""
    charts: int = 0
    searches: int = 0
    flags: list[str] = field(default_factory=list)
    refused: list[str] = field(default_factory=list)
    """What a policy kept from running."""
    complaints: list[str] = field(default_factory=list)

    def add(self, other: Told) -> None:
        """Count visits together."""
        for name, value in vars(other).items():
            setattr(self, name, getattr(self, name) + value)


@contextmanager
def watched(browser: Browser, *, policy: bool = True) -> Iterator[BrowserContext]:
    """Tabs in which flags are seen; without `policy`, those of pages do not count."""
    context = browser.new_context(bypass_csp=not policy)
    context.add_init_script(_WATCH)
    yield context
    context.close()


def pages_of(site: Path) -> list[Path]:
    """Pages that a reader stays on: not the one that opens a report, nor one that servers send."""
    found = (path for path in sorted(site.rglob("*.html")) if path.name != "404.html")
    return [
        path for path in found if not _OPENS.search(path.read_text("utf-8").partition("<body")[0])
    ]


def crawl(context: BrowserContext, urls: Iterable[str], *, search: bool = True) -> Told:
    """Visit pages; search on the first of them that has a search."""
    told = Told()
    for url in urls:
        told.add(_visited(context, url, search=search and not told.searches))
    return told


def _visited(context: BrowserContext, url: str, *, search: bool) -> Told:
    page, told = context.new_page(), Told(pages=1)
    visit = Visit(page)
    page.set_default_timeout(_PATIENCE)
    page.on("dialog", lambda dialog: _dialog(dialog, told, url))
    with visit.noted():
        page.goto(url)
        visit.unfold()
        told.charts = page.evaluate(SHOW_CHARTS, "figure.pf-chart[data-spec]")
        told.hovers = _hover(page, "[title*='PWN'], [title*='onfocus']") + _hover_charts(page)
        told.touched = page.evaluate(_TOUCH_ALL, "body")
        page.evaluate(_PLAY)
        told.hovers += _hover_charts(page)
        told.touched += page.evaluate(_TOUCH_ALL, "figure, .pf-tools")
        told.searches = int(search and _search(page))
        flags, refused = page.evaluate(_FOUND)
    told.flags += [f"{url}: {flag}" for flag in flags]
    told.refused += [f"{url}: {one}" for one in refused]
    told.complaints += [f"{url}: {one}" for one in [*visit.complaints, *visit.outside]]
    if page.url.partition("#")[0] != url:
        told.flags.append(f"{url}: led to {page.url}")
    page.close()
    return told


def _dialog(dialog: Dialog, told: Told, url: str) -> None:
    told.flags.append(f"{url}: {dialog.message}")
    dialog.dismiss()


def _hover(page: Page, which: str) -> int:
    """Rest on the first names that can be seen."""
    found = [one for one in page.locator(which).all()[: 4 * HOVERS] if one.is_visible()][:HOVERS]
    done = 0
    for each in found:
        try:
            each.hover(force=True, timeout=2_000)
        except Error:  # what a script took away meanwhile
            continue
        page.wait_for_timeout(220)
        done += 1
    return done


def _hover_charts(page: Page) -> int:
    """Pass over the marks of what is drawn, and turn the wheel there."""
    done = 0
    for drawn in page.locator(".pf-live svg, .pf-frames svg").all()[:HOVERS]:
        if not drawn.is_visible():
            continue
        drawn.scroll_into_view_if_needed()
        box = drawn.bounding_box()
        if box is None:
            continue
        for n in range(1, 6):
            page.mouse.move(box["x"] + box["width"] * n / 6, box["y"] + box["height"] * n / 6)
            done += 1
        page.keyboard.down("Control")
        page.mouse.wheel(0, -200)
        page.keyboard.up("Control")
    return done


def _search(page: Page) -> bool:
    """Search for parts of the attacks, and rest on what is found."""
    field = page.locator(".md-search__input")
    if not field.count():
        return False
    field.press_sequentially("onerror PWN")
    try:
        page.locator(".md-search-result__link").first.wait_for(timeout=10_000)
    except Error:
        return False
    page.evaluate(_TOUCH_ALL, ".md-search")
    _hover(page, ".md-search-result__link")
    return True
