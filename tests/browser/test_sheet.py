"""A practice sheet: checked offline, kept, saved, loaded, printed, without scripts too."""

from __future__ import annotations

import json
import re
from pathlib import Path
from typing import Any

import pytest
from playwright.sync_api import Locator, Page, expect

from perfolio.exercises.grader import grade_sheet
from perfolio.exercises.items import list_type_names
from perfolio.exercises.key_documents import read_answers
from tests.browser.test_accessibility import violations
from tests.browser.visits import Visit

pytestmark = pytest.mark.browser

SHEET = "sheets/exercises/all-types.html"
WIDTHS = (320, 390, 800, 1280)


def item(page: Page, name: str) -> Locator:
    return page.locator(f"[data-item={name}]")


def checked(page: Page, name: str) -> str:
    """What is said of an item after its Check."""
    item(page, name).get_by_role("button", name="Check this answer").click()
    said = item(page, name).get_by_role("status")
    expect(said).not_to_be_empty()
    return said.inner_text()


def check_all(page: Page) -> str:
    page.get_by_role("button", name="Check all answers").click()
    score = page.locator(".pf-score")
    expect(score).not_to_be_empty()
    return score.inner_text()


def key_of(site: Path) -> Any:
    script = (site / SHEET.replace(".html", ".key.js")).read_text(encoding="utf-8")
    return json.loads(script.split("] = ", 1)[1].rstrip().removesuffix(";"))


def right_answers(key: Any) -> dict[str, Any]:
    """An answer to each item that the key takes for right."""
    found: dict[str, Any] = {}
    for name, one in key["items"].items():
        if one["type"] == "command":
            continue
        if "accept" in one:
            given: Any = f"{one['accept'][0]['value'] / one['factor']:.9g}"
        elif "cells" in one:
            given = [f"{c['accept'][0]['value'] / c['factor']:.9g}" for c in one["cells"]]
        elif "values" in one:
            order = sorted(one["values"], reverse=True)
            given = [str(order.index(each) + 1) for each in one["values"]]
        elif "places" in one:
            given = [place[0] for place in one["places"]]
        else:
            given = one["right"][:1] if one["type"] == "bins" else one.get("right", ["A"])
        found[name] = given if one["type"] != "open" else "Begin with the largest part."
    return found


def fill(page: Page, answers: dict[str, Any]) -> None:
    """Type, choose and tick as a learner does."""
    for name, given in answers.items():
        box = item(page, name)
        if box.locator("[type=radio], [type=checkbox]").count():
            for letter in given:
                box.locator(f"[value={letter}]").check()
            continue
        for n, text in enumerate(given if isinstance(given, list) else [given]):
            named = f"{name}.{n}" if isinstance(given, list) else name
            field = box.locator(f"[name='{named}']")
            if field.evaluate("one => one.tagName") == "SELECT":
                field.select_option(text)
            else:
                field.fill(text)


def hand_over(page: Page, site: Path, answers: dict[str, Any]) -> None:
    """Fill in answers from a file, which is tested to be as if they were typed."""
    items = {name: {"given": given} for name, given in answers.items()}
    told = {"schema": "perfolio-answers/1", "sheet": key_of(site)["sheet"], "items": items}
    page.locator("input[type=file]").set_input_files(
        {"name": "a.json", "mimeType": "application/json", "buffer": json.dumps(told).encode()}
    )
    expect(page.locator(".pf-said")).to_have_text(re.compile(f"Loaded {len(answers)} answers"))


def test_the_sheet_has_an_item_of_every_type_that_one_run_gives(site: Path) -> None:
    found = {one["type"] for one in key_of(site)["items"].values()}

    assert set(list_type_names()) - found <= {"pair", "trouble", "range"}


def test_right_answers_are_right_from_a_server_and_a_folder(
    visit: Visit, base: str, site: Path
) -> None:
    page = visit.open(f"{base}/{SHEET}")
    fill(page, right_answers(key_of(site)))

    assert check_all(page) == "21 of 23 points, 11 of 11 questions answered."
    for box in page.locator(".pf-item:not([data-type=checklist], [data-type=command])").all():
        wanted = "none" if box.get_attribute("data-type") == "open" else "right"
        assert box.get_attribute("data-state") == wanted
    for line in item(page, "words").locator(".pf-rubric input").all():
        line.check()
    assert page.locator(".pf-score").inner_text().startswith("23 of 23 points")
    assert visit.outside == []
    assert visit.complaints == []


def test_nothing_of_the_key_is_loaded_before_a_check(visit: Visit, server: str) -> None:
    asked: list[str] = []
    visit.page.on("request", lambda request: asked.append(request.url))
    page = visit.open(f"{server}/{SHEET}")
    item(page, "wall").locator("input").fill("10")

    assert not any(url.endswith((".key.js", "grading.js")) for url in asked)
    assert checked(page, "wall").startswith("✓ Right. 2 of 2 points.")
    assert any(url.endswith(".key.js") for url in asked)


def test_scripts_of_sheets_are_loaded_on_sheets_only(visit: Visit, server: str) -> None:
    asked: list[str] = []
    visit.page.on("request", lambda request: asked.append(request.url))
    visit.open(f"{server}/sheets/exercises/index.html")

    assert not any("sheet" in url.rsplit("/", 1)[1] for url in asked if url.endswith(".js"))


def test_a_known_mistake_is_told_by_its_name_and_as_text(visit: Visit, server: str) -> None:
    page = visit.open(f"{server}/{SHEET}")
    item(page, "wall").locator("input").fill("8 s")
    said = checked(page, "wall")

    assert said == "✗ Not right. These are CPU-seconds <b>. 0 of 2 points."
    more = item(page, "wall").locator("details.pf-explain")
    assert not more.evaluate("one => one.open")
    more.locator("summary").click()
    assert "Accepted: 9.9 to 10.1 s." in more.inner_text()
    assert "The run took 10.00 s." in more.inner_text()
    item(page, "wall").locator("input").fill("10")
    expect(item(page, "wall").get_by_role("status")).to_be_empty()
    assert more.count() == 0


def test_what_follows_from_a_wrong_figure_is_right(visit: Visit, server: str) -> None:
    page = visit.open(f"{server}/{SHEET}")
    fill(page, {"wall": "8", "share": "25"})

    assert "Right for the values that you found before." in checked(page, "share")


def test_each_field_of_a_table_has_a_mark(visit: Visit, server: str) -> None:
    page = visit.open(f"{server}/{SHEET}")
    fill(page, {"parts": ["1500", "7", "", "0.125 s"]})
    checked(page, "parts")
    marks = item(page, "parts").locator(".pf-cell-mark")

    assert [one.get_attribute("aria-label") for one in marks.all()] == [
        "Right", "Not right", "Right",
    ]  # fmt: skip


def test_what_asks_nothing_tells_what_is_known(visit: Visit, server: str) -> None:
    page = visit.open(f"{server}/{SHEET}")
    box = item(page, "look")
    box.get_by_role("button", name="Show what is known").click()

    assert "The run took 10.00 s." in box.locator("details.pf-explain[open]").inner_text()
    expect(box.get_by_role("status")).to_be_empty()
    assert page.locator(".pf-score").inner_text().startswith("0 of 23 points, 0 of 11 questions")


def test_hints_come_one_by_one_and_are_counted(visit: Visit, server: str) -> None:
    page = visit.open(f"{server}/{SHEET}")
    hints = item(page, "wall").locator(".pf-hint")

    assert [one.is_visible() for one in hints.all()] == [True, False, False]
    hints.first.locator("summary").click()
    expect(hints.nth(1)).to_be_visible()
    assert not hints.nth(2).is_visible()
    named = f"perfolio-answers:{page.locator('.pf-sheet').get_attribute('data-sheet')}"
    kept = page.evaluate("name => JSON.parse(localStorage.getItem(name))", named)
    assert kept["items"]["wall"]["hints"] == 1


def test_answers_are_kept_saved_and_loaded_as_grade_reads_them(
    visit: Visit, base: str, site: Path, tmp_path: Path
) -> None:
    key = key_of(site)
    page = visit.open(f"{base}/{SHEET}")
    page.get_by_label("Your name").fill("Ada <i>")
    fill(page, right_answers(key))
    page = visit.open(f"{base}/{SHEET}")
    expect(page.get_by_label("Your name")).to_have_value("Ada <i>")
    with page.expect_download() as saved:
        page.get_by_role("button", name="Save answers").click()
    path = tmp_path / saved.value.suggested_filename
    saved.value.save_as(path)

    assert path.name == "answers.json"
    answers = read_answers(path)
    assert answers["learner"] == "Ada <i>"
    assert sum(one.points for one in grade_sheet(key, answers).values()) == 21
    page.once("dialog", lambda dialog: dialog.accept())
    page.get_by_role("button", name="Clear answers").click()
    expect(item(page, "wall").locator("input")).to_have_value("")
    page.locator("input[type=file]").set_input_files(path)
    expect(page.locator(".pf-said")).to_have_text(re.compile("Loaded 12 answers"))
    assert check_all(page).startswith("21 of 23 points")


@pytest.mark.parametrize(
    ("text", "says"),
    [
        ("{", "This is no file of answers."),
        ("[]", "This is no file of answers."),
        ('{"schema": "perfolio-answers/1", "sheet": "AAAAAAAA", "exercise": "other", "items": {}}',
         "These are answers to sheet AAAAAAAA (other)"),
        ('{"schema": "perfolio-answers/1", "sheet": "SHEET", "items": {"<b>": {"given": ""}}}',
         "This sheet has no item <b>."),
        ('{"schema": "perfolio-answers/1", "sheet": "SHEET", "items": {"wall": {"given": 3}}}',
         "The answer to wall is no text."),
        (" " * 1_000_001, "This is no file of answers."),
    ],
)  # fmt: skip
def test_other_files_are_refused_and_change_nothing(
    visit: Visit, server: str, site: Path, text: str, says: str
) -> None:
    page = visit.open(f"{server}/{SHEET}")
    item(page, "wall").locator("input").fill("7")
    content = text.replace("SHEET", key_of(site)["sheet"]).encode()
    page.locator("input[type=file]").set_input_files(
        {"name": "answers.json", "mimeType": "application/json", "buffer": content}
    )

    expect(page.locator(".pf-said")).to_contain_text(says)
    assert item(page, "wall").locator("input").input_value() == "7"


def test_a_sheet_is_solved_by_keyboard(visit: Visit, server: str) -> None:
    page = visit.open(f"{server}/{SHEET}")
    item(page, "wall").locator("input").focus()
    page.keyboard.type("10 s")
    page.keyboard.press("Enter")
    expect(item(page, "wall").get_by_role("status")).to_contain_text("Right.")
    seen = set()
    for _ in range(80):
        page.keyboard.press("Tab")
        seen.add(page.evaluate("document.activeElement.closest('.pf-item')?.dataset.item"))
    asked = {box.get_attribute("data-item") for box in page.locator(".pf-item").all()}
    assert asked <= seen


@pytest.mark.parametrize("width", WIDTHS)
def test_a_sheet_fits_its_width(visit: Visit, server: str, site: Path, width: int) -> None:
    visit.page.set_viewport_size({"width": width, "height": 800})
    page = visit.open(f"{server}/{SHEET}")
    hand_over(page, site, right_answers(key_of(site)))
    check_all(page)
    page.evaluate("document.querySelectorAll('details').forEach(el => { el.open = true; })")

    assert page.evaluate("document.documentElement.scrollWidth") <= width
    assert violations(visit) == []
    beyond = page.locator(".pf-item *").evaluate_all(
        "all => all.filter(el => el.getBoundingClientRect().right > innerWidth + 1)"
        ".map(el => el.outerHTML.slice(0, 80))"
    )
    assert beyond == []


@pytest.mark.parametrize(
    "visit",
    [{"color_scheme": "light"}, {"color_scheme": "dark"}],
    indirect=True,
    ids=["light", "dark"],
)
def test_no_violation_blank_or_checked(visit: Visit, server: str, site: Path) -> None:
    page = visit.open(f"{server}/{SHEET}")
    assert violations(visit) == []
    wrong = {"wall": "8", "parts": ["1500", "7", "", ""]}
    hand_over(page, site, right_answers(key_of(site)) | wrong)
    check_all(page)
    page.evaluate("document.querySelectorAll('details').forEach(el => { el.open = true; })")
    assert violations(visit) == []


@pytest.mark.parametrize("visit", [{"java_script_enabled": False}], indirect=True)
def test_without_scripts_a_sheet_is_a_form(visit: Visit, server: str) -> None:
    page = visit.open(f"{server}/{SHEET}")

    assert item(page, "wall").locator("input").is_visible()
    assert page.locator(".pf-hint").count() == 3
    assert page.locator(".md-content button:visible").count() == 0
    assert page.locator(".pf-sheet").is_hidden()


def test_paper_holds_the_questions_and_no_buttons(visit: Visit, server: str) -> None:
    page = visit.open(f"{server}/{SHEET}")
    page.emulate_media(media="print")

    assert page.locator(".md-content button:visible").count() == 0
    assert page.locator(".pf-tools").is_hidden()
    field = item(page, "wall").locator("input")
    box = field.bounding_box()
    assert box is not None
    assert box["height"] >= 6 / 25.4 * 96  # 6 mm
    for one in page.locator(".pf-item").all():
        assert one.evaluate("el => getComputedStyle(el).breakInside") == "avoid"
