"""A profile dropped on a served page, and one chosen by keyboard: sent, built, opened."""

from __future__ import annotations

import threading
import time
from collections.abc import Iterator
from contextlib import ExitStack
from pathlib import Path
from socketserver import BaseServer

import pytest
from playwright.sync_api import Page, expect

from perfolio.common.errors import SiteError
from perfolio.site.local_server import SiteServer
from perfolio.site.serve import build_start_page, serve_folder
from perfolio.site.uploads.upload_queue import Upload, UploadQueue
from perfolio.site.uploads.upload_routes import UploadRoutes
from tests.browser.test_accessibility import violations
from tests.browser.visits import Visit

pytestmark = pytest.mark.browser

ATTACK = "<img src=x onerror='window.hacked = 1'>.json"
DROP = """([names, text]) => {
  const transfer = new DataTransfer();
  for (const name of names) transfer.items.add(new File([text], name));
  for (const type of ["dragover", "drop"]) {
    document.body.dispatchEvent(
      new DragEvent(type, { dataTransfer: transfer, bubbles: true, cancelable: true }));
  }
}"""
COVERED = """() => {
  const transfer = new DataTransfer();
  transfer.items.add(new File(["x"], "x"));
  document.body.dispatchEvent(
    new DragEvent("dragover", { dataTransfer: transfer, bubbles: true, cancelable: true }));
}"""


class PageBuilder:
    """Makes a page that names the files which came; what is called bad fails."""

    def build(self, upload: Upload) -> None:
        upload.hear("   0.1 s  reading")
        time.sleep(0.2)
        paths = sorted(one for one in upload.received.rglob("*") if one.is_file())
        if any("bad" in one.name for one in paths):
            raise SiteError("bad.json: no profile found there")
        upload.site.mkdir()
        names = ", ".join(one.relative_to(upload.received).as_posix() for one in paths)
        text = names.replace("<", "&lt;")
        (upload.site / "index.html").write_text(
            f"<!doctype html><link rel=icon href=data:,><h1>{text}</h1>"
        )

    def end(self) -> None:
        """There is nothing to end."""


@pytest.fixture(scope="module")
def uploads(
    chromium: Path,  # noqa: ARG001 - nothing is built where no browser is
    tmp_path_factory: pytest.TempPathFactory,
) -> Iterator[tuple[SiteServer, UploadRoutes]]:
    work = tmp_path_factory.mktemp("uploads")
    build_start_page(work / "site")
    queue = UploadQueue(work, PageBuilder())
    with ExitStack() as stack:
        server = stack.enter_context(serve_folder(work / "site", "127.0.0.1:0"))
        server.uploads = UploadRoutes(queue)
        thread = threading.Thread(target=server.serve_forever, args=(0.01,))
        thread.start()
        yield server, server.uploads
        BaseServer.shutdown(server)
        thread.join()
        queue.close()


def opened(visit: Visit, uploads: tuple[SiteServer, UploadRoutes]) -> Page:
    server, routes = uploads
    visit.open("about:blank")  # from the same page, a new end of the address loads it once more
    return visit.open(f"http://127.0.0.1:{server.server_port}/{routes.fragment}")


def test_what_is_dropped_is_built_and_opened(
    visit: Visit, uploads: tuple[SiteServer, UploadRoutes]
) -> None:
    page = opened(visit, uploads)
    assert "upload=" not in page.url, "the token stays in no history"
    page.evaluate(COVERED)
    expect(page.get_by_text("Drop to build a report")).to_be_visible()

    page.evaluate(DROP, [[ATTACK], "x"])
    expect(page.locator(".pf-uploads-name").last).to_have_text(ATTACK)
    page.wait_for_url("**/perfolio-uploads/*/index.html")
    expect(page.locator("h1")).to_have_text(ATTACK)
    page.get_by_role("button", name="Add a profile").click()
    expect(page.get_by_role("link", name="Open the report").last).to_be_visible()
    assert page.evaluate("window.hacked") is None
    assert (visit.complaints, visit.outside) == ([], [])


def test_a_failed_build_is_one_line_and_the_page_stays(
    visit: Visit, uploads: tuple[SiteServer, UploadRoutes]
) -> None:
    page = opened(visit, uploads)
    before = page.url
    page.evaluate(DROP, [["bad.json"], "x"])
    expect(page.get_by_role("status")).to_have_text("bad.json: no report was built, see below")
    expect(page.locator("[data-state=failed]").last).to_contain_text("bad.json: no profile found")
    page.evaluate(DROP, [["empty.json"], ""])
    expect(page.get_by_role("status")).to_contain_text("empty; record it again")
    assert page.url == before


def choose(page: Page, button: str, given: Path | list[Path]) -> None:
    """Press a button by keyboard, and give the files that a browser would then ask for."""
    page.evaluate("HTMLInputElement.prototype.click = function () { window.asked = this; }")
    page.get_by_role("button", name=button).focus()
    page.keyboard.press("Enter")
    asked = page.evaluate_handle("window.asked").as_element()
    assert asked is not None
    asked.set_input_files(given)


def test_files_and_a_folder_are_chosen_by_keyboard(
    visit: Visit, uploads: tuple[SiteServer, UploadRoutes], tmp_path: Path
) -> None:
    run = tmp_path / "run"
    (run / "inner").mkdir(parents=True)
    for name in ("rank0.json", "inner/rank1.json", ".hidden"):
        (run / name).write_text("x")
    page = opened(visit, uploads)
    choose(page, "Choose a folder", run)
    page.wait_for_url("**/perfolio-uploads/*/index.html")
    expect(page.locator("h1")).to_have_text("run/inner/rank1.json, run/rank0.json")

    page.get_by_role("button", name="Add a profile").focus()
    page.keyboard.press("Enter")
    choose(page, "Choose files", [run / "rank0.json", run / "inner" / "rank1.json"])
    expect(page.locator("h1")).to_have_text("rank0.json, rank1.json")


@pytest.mark.parametrize(
    "visit", [{"color_scheme": "light"}, {"color_scheme": "dark"}], indirect=True
)
def test_the_panel_is_accessible(visit: Visit, uploads: tuple[SiteServer, UploadRoutes]) -> None:
    page = opened(visit, uploads)
    page.evaluate(DROP, [["bad.json"], "x"])
    expect(page.get_by_role("status")).to_contain_text("no report was built")
    assert violations(visit) == []


def test_a_page_that_is_open_takes_the_token_of_a_new_address(
    visit: Visit, uploads: tuple[SiteServer, UploadRoutes]
) -> None:
    page = opened(visit, uploads)
    page.evaluate("localStorage.clear()")
    page.reload()
    expect(page.get_by_role("button", name="Choose files")).to_be_disabled()
    page.evaluate("end => { location.hash = end; }", uploads[1].fragment)
    expect(page.get_by_role("button", name="Choose files")).to_be_enabled()
    assert "upload=" not in page.url


def test_without_the_token_a_page_says_where_it_is(
    visit: Visit, uploads: tuple[SiteServer, UploadRoutes]
) -> None:
    page = opened(visit, uploads)
    page.evaluate("localStorage.clear()")
    page = visit.open(f"http://127.0.0.1:{uploads[0].server_port}/")
    expect(page.get_by_text("open the address that perfolio serve printed")).to_be_visible()
    expect(page.get_by_role("button", name="Choose files")).to_be_disabled()
