"""Handouts as pages: filled in from a folder, saved, and graded; on telephones and with axe."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest
from playwright.sync_api import Page, expect

from perfolio.classroom.grading import grade_files
from perfolio.exercises.items import load_item_type
from perfolio.exercises.key_documents import make_key_document, read_answers
from perfolio.exercises.model import Json
from perfolio.pages.handout_pages import HandoutStyle, RunSheet, render_handout
from tests.browser.test_accessibility import violations
from tests.browser.test_sheet import fill
from tests.browser.visits import Visit
from tests.exercises.support import sample_run, sample_sheet

pytestmark = pytest.mark.browser

SLUG, RUN = "bottleneck-identification", "transformer"
WIDTHS = (320, 800, 1280)


@pytest.fixture(scope="module")
def key() -> Json:
    return make_key_document(sample_sheet(SLUG))


@pytest.fixture(scope="module")
def url(tmp_path_factory: pytest.TempPathFactory) -> str:
    """The page of a handout, alone in its folder."""
    path = tmp_path_factory.mktemp("public") / f"{SLUG}.html"
    text = render_handout(RunSheet(sample_sheet(SLUG), sample_run(RUN)), HandoutStyle(browser=True))
    path.write_text(text, encoding="utf-8")
    return path.as_uri()


def solved(key: Json) -> dict[str, Any]:
    """What a learner fills in who knows all; a ranking has its ranks, other items the key's own."""
    found = {name: load_item_type(one["type"]).solve(one) for name, one in key["items"].items()}
    return {name: given for name, given in found.items() if given} | {"s1-warnings": "Samples."}


def saved(page: Page, folder: Path) -> Path:
    with page.expect_download() as done:
        page.get_by_role("button", name="Save answers").click()
    path = folder / done.value.suggested_filename
    done.value.save_as(path)
    return path


def test_answers_are_kept_saved_and_graded(
    visit: Visit, url: str, key: Json, tmp_path: Path
) -> None:
    page = visit.open(url)
    page.get_by_label("Your name").fill("Ada")
    fill(page, solved(key))
    page = visit.open(url)
    expect(page.get_by_label("Your name")).to_have_value("Ada")
    path = saved(page, tmp_path)
    assert read_answers(path)["learner"] == "Ada"
    (tmp_path / "a.key.json").write_text(json.dumps(key), encoding="utf-8")
    (marked,) = grade_files([path], tmp_path, tmp_path / "out", print)
    points = sum(item["points"] for item in key["items"].values())
    assert sum(one.points for one in marked.graded.values()) == points - 2.0  # waits for a person
    assert visit.complaints == []
    assert visit.outside == []


def test_nothing_is_checked_without_a_key_and_enter_sends_no_form(visit: Visit, url: str) -> None:
    page = visit.open(url)
    assert page.get_by_role("button").all_inner_texts() == [
        "Save answers", "Load answers", "Clear answers",
    ]  # fmt: skip
    page.locator("[name=s1-wall]").fill("4")
    page.locator("[name=s1-wall]").press("Enter")
    assert page.url == url
    expect(page.locator("[name=s1-wall]")).to_have_value("4")
    page.emulate_media(media="print")
    assert page.locator(".pf-tools").is_hidden()
    assert page.locator(".who").is_visible()


@pytest.mark.parametrize("width", WIDTHS)
def test_a_handout_fits_its_width(visit: Visit, url: str, width: int) -> None:
    visit.page.set_viewport_size({"width": width, "height": 800})
    page = visit.open(url)
    page.evaluate("document.querySelectorAll('details').forEach(el => { el.open = true; })")
    assert page.evaluate("document.documentElement.scrollWidth") <= width
    assert violations(visit) == []


@pytest.mark.parametrize("visit", [{"java_script_enabled": False}], indirect=True)
def test_without_scripts_a_handout_is_a_form(visit: Visit, url: str) -> None:
    page = visit.open(url)
    assert page.locator(".who").is_visible()
    assert page.locator("[name=s1-wall]").is_visible()
    assert page.get_by_role("button").count() == 0
