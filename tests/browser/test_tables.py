"""Tables sort by what their cells are worth, are searched, and are saved without formulas."""

from __future__ import annotations

import csv
import io
import random
from collections.abc import Iterator
from decimal import Decimal
from pathlib import Path

import pytest
from playwright.sync_api import Browser, Locator, Page, expect

from perfolio.common.units import UNITS, quantity
from tests.browser.visits import Visit
from tests.kit.shared import ROOT

pytestmark = pytest.mark.browser

SCRIPT = ROOT / "generator" / "perfolio" / "site" / "theme" / "assets" / "perfolio" / "tables.js"
PAGE = "gallery/kernels.html"
TEXTS = "all => all.map(cell => cell.textContent.trim())"


def table(visit: Visit, address: str, name: str = "") -> Locator:
    """The first table of a page that has rows to sort, in view."""
    page = visit.open(address)
    visit.unfold()
    found = page.locator(f".pf-table{name}:has(tbody tr:nth-child(3))").first
    found.scroll_into_view_if_needed()
    found.locator(".pf-sort").first.wait_for()
    return found


def saved(page: Page, button: Locator) -> tuple[str, list[list[str]]]:
    """Name and rows of the file that a button saves."""
    with page.expect_download() as waiting:
        button.click()
    content = Path(waiting.value.path()).read_bytes().decode()
    return waiting.value.suggested_filename, list(csv.reader(io.StringIO(content)))


@pytest.fixture(scope="module")
def parser(browser: Browser) -> Iterator[Page]:
    """An empty page that reads numbers."""
    page = browser.new_page()
    page.evaluate(SCRIPT.read_text(encoding="utf-8"))
    yield page
    page.close()


@pytest.mark.parametrize("unit", [name for name in UNITS if name not in ("text", "id")])
def test_a_printed_number_is_worth_its_value(parser: Page, unit: str) -> None:
    draw = random.Random(unit)
    whole = unit in ("count", "samples", "cycles", "events", "blocks", "registers", "warps")
    low, high = (0, 12) if whole else (-9, 13)
    values = [round(v) if whole else v for v in (10 ** draw.uniform(low, high) for _ in range(60))]
    printed = [quantity(value, unit) for value in values]
    found = parser.evaluate("all => all.map(perfolio.tables.parsed)", printed)

    for value, text, each in zip(values, printed, found, strict=True):
        digits = Decimal(text.split()[0].strip("<×").replace(",", ""))
        last = float(Decimal(1).scaleb(int(digits.as_tuple().exponent)))  # of the printed digits
        scale = each["value"] / float(digits) if digits else 1.0
        assert abs(each["value"] - value * UNITS[unit].factor) <= last * scale, text
        assert each["value"] < 1e-4 or not text.startswith("<")


@pytest.mark.parametrize("text", ["–", "not measured", "", "host to device", "copy 3"])
def test_words_are_worth_no_number(parser: Page, text: str) -> None:
    assert parser.evaluate("text => perfolio.tables.parsed(text)", text) is None


def test_a_click_sorts_by_value_and_a_third_brings_the_printed_order_back(
    visit: Visit, base: str
) -> None:
    found = table(visit, f"{base}/{PAGE}")
    head = found.locator("th.r").first
    column = head.evaluate("el => el.cellIndex") + 1
    cells = found.locator(f"tbody td:nth-child({column})")
    printed = cells.evaluate_all(TEXTS)
    worth = "all => all.map(cell => perfolio.tables.parsed(cell.textContent.trim())?.value ?? null)"

    head.locator("button").click()
    assert head.get_attribute("aria-sort") == "descending"
    falling = [value for value in cells.evaluate_all(worth) if value is not None]
    assert falling == sorted(falling, reverse=True)
    head.locator("button").press("Enter")
    assert head.get_attribute("aria-sort") == "ascending"
    rising = [value for value in cells.evaluate_all(worth) if value is not None]
    assert rising == sorted(falling)
    assert found.locator("[aria-sort]").count() == 1
    head.locator("button").press("Space")
    assert head.get_attribute("aria-sort") is None
    assert cells.evaluate_all(TEXTS) == printed
    assert visit.complaints == []


def test_units_and_dashes_are_ordered_by_what_they_say(visit: Visit, server: str) -> None:
    page = visit.open(f"{server}/layout/index.html")
    page.evaluate(
        """rows => {
          document.querySelector("article").innerHTML = `<div class="pf-table"><table><thead><tr>
            <th>Name</th><th class="r">Time</th></tr></thead><tbody>${rows.map(([name, time]) =>
              `<tr><td>${name}</td><td class="r">${time}</td></tr>`).join("")}</tbody></table>`
          delete perfolio.tables
        }""",
        [["a", "734.0 ms"], ["b;=1+1", "–"], ["c", "1.2 s"], ["=d", "9.9 µs"], ["e", "&lt;0.01 s"]],
    )
    page.evaluate(SCRIPT.read_text(encoding="utf-8"))
    button = page.get_by_role("button", name="Time")
    button.click()
    names = page.locator("tbody td:first-child")
    assert names.all_inner_texts() == ["c", "a", "e", "=d", "b;=1+1"]
    button.click()
    assert names.all_inner_texts() == ["=d", "e", "a", "c", "b;=1+1"]

    _, rows = saved(page, page.get_by_role("button", name="CSV"))
    assert rows[0] == ["Name", "Time (s)"]
    assert rows[1] == ["'=d", "0.0000099"]
    assert rows[-1] == ["b;'=1+1", ""]


def test_a_long_table_is_searched_and_what_is_found_is_saved(visit: Visit, base: str) -> None:
    page = visit.open(f"{base}/gallery/thresholds.html")
    page.evaluate(
        """() => {
          const rows = [...Array(30).keys()].map(n => `<tr><td>kernel ${n}</td><td>x</td></tr>`);
          document.querySelector("article").innerHTML = `<div class="pf-table"><table><thead><tr>
            <th>Kernel</th><th>What</th></tr></thead><tbody>${rows.join("")}</tbody></table></div>`
          delete perfolio.tables
        }"""
    )
    page.evaluate(SCRIPT.read_text(encoding="utf-8"))
    page.get_by_label("Filter").fill("KERNEL 2")

    assert page.locator("tbody tr:visible").count() == 12
    assert page.get_by_role("status").filter(has_text="12 of 30 rows").count() == 1
    name, rows = saved(page, page.get_by_role("button", name="CSV"))
    assert name == "thresholds-table.csv"
    assert len(rows) == 13


def printed(page: Page) -> str:
    """What paper says of the rows of a table; the screen says nothing of it."""
    line = page.locator(".pf-printed")
    expect(line).to_be_hidden()
    page.emulate_media(media="print")
    told = line.inner_text() if line.is_visible() else ""
    page.emulate_media(media="screen")
    return told


def test_a_table_of_many_rows_shows_the_first_and_finds_all(visit: Visit, base: str) -> None:
    page = visit.open(f"{base}/gallery/thresholds.html")
    page.evaluate(
        """() => {
          const cells = [...Array(77).keys()].map(n => [`kernel ${n}`, 9077 - n]);
          const rows = cells.map(([name, calls]) =>
            `<tr><td>${name}</td><td class="r">${calls}</td></tr>`);
          const page = document.querySelector("article");
          page.innerHTML = `<div class="pf-table pf-many" data-shown="25">
            <table><thead><tr><th>Kernel</th><th class="r">Calls</th></tr></thead>
            <tbody>${rows.join("")}</tbody></table></div>`
          delete perfolio.tables
        }"""
    )
    page.evaluate(SCRIPT.read_text(encoding="utf-8"))
    seen = page.locator("tbody tr:visible")
    assert seen.count() == 25
    page.get_by_label("Filter").fill("KERNEL 9001")
    assert seen.all_inner_texts() == ["kernel 76\t9001"]
    assert printed(page) == "1 of 77 rows printed."
    assert page.get_by_role("status").filter(has_text="1 of 77 rows").count() == 1
    page.get_by_label("Filter").fill("")
    assert seen.count() == 25
    assert printed(page) == "25 of 77 rows printed."
    page.get_by_role("button", name="Calls").click()
    page.get_by_role("button", name="Calls").click()
    assert seen.first.inner_text() == "kernel 76\t9001", "the least, of all rows"
    assert seen.count() == 25
    _, rows = saved(page, page.get_by_role("button", name="CSV"))
    assert len(rows) == 78
    page.get_by_role("button", name="Show all 77 rows").click()
    assert seen.count() == 77
    assert printed(page) == ""
    page.get_by_role("button", name="Show 25 rows").click()
    assert seen.count() == 25


def test_names_that_attack_stay_words(visit: Visit, server: str) -> None:
    found = table(visit, f"{server}/hostile/kernels.html")
    name, rows = saved(visit.page, found.locator("xpath=following-sibling::p").get_by_text("CSV"))

    assert name.startswith("kernels-")
    assert rows[0][0] == found.locator("th").first.inner_text().strip()
    assert not [cell for row in rows for cell in row if cell.lstrip(" ")[:1] in ("=", "+", "@")]
    assert visit.page.evaluate("window.hacked") is None


def test_few_rows_need_no_search_and_trees_keep_their_order(visit: Visit, server: str) -> None:
    page = visit.open(f"{server}/gallery/root-causes.html")
    visit.observed()

    assert page.locator(".pf-tree .pf-sort").count() == 0
    assert page.locator(".pf-filter").count() == 0
