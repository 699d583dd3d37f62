"""Visits to pages: what a browser has to say about them, and a tab as new for each."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass, field
from typing import Any, TypeVar
from urllib.parse import urlsplit

from playwright.sync_api import ConsoleMessage, Error, Locator, Page, Request, Response

Read = TypeVar("Read")
Options = Mapping[str, Any]
"""Of a browser context."""
HERE = ("file:", "data:", "blob:", "http://127.0.0.1:")

SETTLED = """async (figure) => {
  const frame = () => new Promise(requestAnimationFrame);
  await frame();  // what was done to the page before has been told to its scripts
  await frame();
  while (figure.perfolioPart && figure.perfolioPart.waiting) await frame();
  await figure.perfolioView.view.runAsync();
}"""
SHOW_CHARTS = """async (which) => {
  const frame = () => new Promise(requestAnimationFrame);
  const visible = (each) =>
    each.checkVisibility({visibilityProperty: true}) && each.getBoundingClientRect().width > 0;
  const charts = [...document.querySelectorAll(which)];
  const patience = performance.now() + 10000;
  for (const chart of charts) {
    chart.scrollIntoView({block: "center", behavior: "instant"});
    chart.dispatchEvent(new Event("pointerdown"));  // a touch, without which phones draw none
    while (chart.dataset.pfState !== "live"
        || ![...chart.querySelectorAll(".pf-live :is(svg, canvas)")].some(visible)) {
      if (performance.now() > patience) throw new Error(`${chart.id}: ${chart.dataset.pfState}`);
      await frame();
    }
  }
  while (document.querySelector("figure[data-pf-state=drawing]")) await frame();  // others near
  await frame();
  await frame();  // after a change of width each view has heard of it, and draws itself anew
  for (const { perfolioView } of charts) await perfolioView.view.runAsync();
  return charts.length;
}"""

OBSERVED = """() => new Promise(done =>
  new IntersectionObserver(() => done()).observe(document.body))"""
"""Observers are told in the order in which they were made, this one last."""


def settled(figure: Locator) -> None:
    """Wait until a live chart shows what was done to it before."""
    figure.evaluate(SETTLED)


def soon(read: Callable[[], Read], wanted: object, within: float = 5.0) -> Read:
    """What is read when it is what is wanted, or after so long [s]: not what is true before."""
    end = time.monotonic() + within
    while (found := read()) != wanted and time.monotonic() < end:
        time.sleep(0.01)
    return found


@dataclass
class Visit:
    """A page, and what the browser had to say about it."""

    page: Page
    complaints: list[str] = field(default_factory=list)
    outside: list[str] = field(default_factory=list)
    """What it asked other machines for: the browser finds none of them."""

    def open(self, url: str) -> Page:
        self.page.goto(url)
        return self.page

    def unfold(self) -> None:
        """Open what the page holds folded."""
        self.page.evaluate("document.querySelectorAll('details').forEach(d => { d.open = true; })")

    def show_charts(self, which: str = "figure.pf-chart") -> int:
        """Unfold the page and scroll to every chart until each is live; how many there are."""
        self.unfold()
        shown: int = self.page.evaluate(SHOW_CHARTS, which)
        return shown

    def observed(self) -> None:
        """Wait until all that waits for elements to come into view knows which of them are."""
        self.page.evaluate(OBSERVED)

    @contextmanager
    def noted(self) -> Iterator[None]:
        """Note what the browser says meanwhile."""
        listeners = {
            "request": self._on_request,
            "response": self._on_response,
            "requestfailed": self._on_failure,
            "console": self._on_message,
            "pageerror": self._on_error,
        }
        for event, listener in listeners.items():
            self.page.on(event, listener)  # type: ignore[call-overload]
        yield
        for event, listener in listeners.items():
            self.page.remove_listener(event, listener)

    def _on_request(self, request: Request) -> None:
        if not request.url.startswith(HERE):
            self.outside.append(request.url)

    def _on_response(self, response: Response) -> None:
        if response.status >= 400:
            self.complaints.append(f"{response.status}: {response.url}")

    def _on_failure(self, request: Request) -> None:
        """Not of what was still loading, as an icon, when the page was left."""
        if request.failure != "net::ERR_ABORTED":
            self.complaints.append(f"failed: {request.url}")

    def _on_message(self, message: ConsoleMessage) -> None:
        if message.type in ("error", "warning"):
            self.complaints.append(f"{message.type}: {message.text}")

    def _on_error(self, error: Error) -> None:
        self.complaints.append(f"error: {error}")


@contextmanager
def visiting(page: Page) -> Iterator[Visit]:
    """A visit in a tab that others have used, and will, without a trace of either."""
    size = page.viewport_size
    visit = Visit(page)
    with visit.noted():
        yield visit
    if page.is_closed():
        return
    _forget(page)
    if size is not None and page.viewport_size != size:
        page.set_viewport_size(size)


def _forget(page: Page) -> None:
    """Leave a tab as it was before its first page."""
    for other in page.context.pages:
        if other is not page:
            other.close()
    page.unroute_all()
    page.goto("about:blank")
    page.mouse.move(-1, -1)
    page.emulate_media(media="null")
    page.context.clear_cookies()
    browser = page.context.new_cdp_session(page)
    seen = browser.send("Page.getNavigationHistory")["entries"]
    for origin in sorted({_origin(entry["url"]) for entry in seen} - {"about://"}):
        browser.send("Storage.clearDataForOrigin", {"origin": origin, "storageTypes": "all"})
    browser.send("Page.resetNavigationHistory")
    browser.detach()


def _origin(url: str) -> str:
    parts = urlsplit(url)
    return f"{parts.scheme}://{parts.netloc}"
