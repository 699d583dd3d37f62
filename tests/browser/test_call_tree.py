"""Call trees: frames enlarged and found; callers, callees and colours; another run beside them."""

from __future__ import annotations

import re

import pytest
from playwright.sync_api import Locator, expect

from perfolio.charts.theme import CHANGES, FOUND_FRAME, MODULES
from tests.browser.test_accessibility import violations
from tests.browser.visits import Visit, settled, soon

# Beside a call tree: callers and callees of a function, colours by module, another run.

pytestmark = pytest.mark.browser

PHONE = {"viewport": {"width": 390, "height": 844}, "has_touch": True}
NO_BREAK = "\N{NO-BREAK SPACE}"
FILLED = ".pf-frames svg path[fill='{}']"


def tree_of(visit: Visit, address: str) -> Locator:
    """The call tree of the gallery, when all that is beside it is there."""
    page = visit.open(address)
    tree = page.locator("figure[data-zoom=cpu]")
    tree.scroll_into_view_if_needed()
    tree.dispatch_event("pointerdown")
    tree.locator(".pf-difference > summary").wait_for()
    return tree


@pytest.fixture
def tree(visit: Visit, base: str) -> Locator:
    return tree_of(visit, f"{base}/gallery/hot-paths.html")


def rows(tree: Locator, caption: str) -> list[list[str]]:
    """The rows of a table with this caption, when it is there."""
    found = tree.locator("table").filter(has=tree.page.locator("caption", has_text=caption))
    cells: list[list[str]] = found.evaluate(
        "table => [...table.tBodies[0].rows].map(row => [...row.cells].map(one => one.innerText))"
    )
    return [[cell.replace(NO_BREAK, " ") for cell in row] for row in cells]


def become(tree: Locator, caption: str, wanted: list[list[str]]) -> list[list[str]]:
    """The rows of a table that has others, or is not there, when these are asked for."""
    return soon(lambda: rows(tree, caption), wanted)


def status(tree: Locator, panel: str) -> str:
    return tree.locator(f"{panel} [role=status]").inner_text().replace(NO_BREAK, " ")


def drawn(tree: Locator) -> list[str]:
    """What is written on frames beside the tree, when these are there."""
    tree.locator(".pf-frames svg text").first.wait_for()
    return tree.locator(".pf-frames svg text").all_text_contents()


def test_a_click_chooses_the_function_whose_callers_are_shown(visit: Visit, tree: Locator) -> None:
    tree.locator(".pf-live svg text", has_text="generate_batch").first.click(force=True)
    tree.locator(".pf-sandwich > summary").click()

    wanted = [["train", "24 CPU-s", "100.0 %"]]
    assert become(tree, "Called by", wanted) == wanted
    wanted = [
        ["random", "8 CPU-s", "33.3 %"],
        ["clone", "8 CPU-s", "33.3 %"],
    ]
    assert become(tree, "Calls", wanted) == wanted
    told = status(tree, ".pf-sandwich")
    assert "Total 60.0 % of the run's CPU time (24 CPU-s), own 20.0 % (8 CPU-s)" in told
    assert {"<main thread>", "train", "generate_batch", "random", "clone"} <= set(drawn(tree))
    assert "backward" not in drawn(tree)
    tree.locator(".pf-sandwich .pf-pick", has_text="train").click()
    wanted = [
        ["generate_batch", "24 CPU-s", "85.7 %"],
        ["backward", "4 CPU-s", "14.3 %"],
    ]
    assert become(tree, "Calls", wanted) == wanted
    visit.page.wait_for_timeout(400)  # when what was enlarged is named in the address
    assert tree.page.url.endswith("#cpu=of:train")
    assert visit.complaints == []


def test_functions_are_listed_found_and_chosen_by_keyboard(visit: Visit, tree: Locator) -> None:
    tree.locator(".pf-sandwich > summary").press("Enter")
    listed = rows(tree, "Functions")
    assert [row[::2] for row in listed[:2]] == [
        ["<application thread>", "25.0 %"],
        ["generate_batch", "20.0 %"],
    ]
    assert ["train", "src/train.py:12", "0 %", "70.0 %"] in listed
    tree.get_by_label("Find").fill("CLON")
    wanted = [["clone", "libx.so", "20.0 %", "20.0 %"]]
    assert become(tree, "Functions", wanted) == wanted
    tree.locator(".pf-sandwich .pf-pick", has_text="clone").press("Enter")
    wanted = [["generate_batch", "8 CPU-s", "100.0 %"]]
    assert become(tree, "Called by", wanted) == wanted
    box = tree.locator(".pf-zoomed")
    box.press("Escape")
    box.press("ArrowDown")
    box.press("Enter")
    wanted = [["train", "28 CPU-s", "93.3 %"]]
    assert become(tree, "Calls", wanted) == wanted
    assert visit.complaints == []


def test_an_address_names_a_function(visit: Visit, base: str) -> None:
    tree = tree_of(visit, f"{base}/gallery/hot-paths.html#cpu=of:backward")

    wanted = [["train", "4 CPU-s", "100.0 %"]]
    assert become(tree, "Called by", wanted) == wanted
    wanted = [["nothing that is drawn", "–", "–"]]
    assert become(tree, "Calls", wanted) == wanted


def test_colours_tell_modules_and_a_key_names_them(visit: Visit, tree: Locator) -> None:
    key = tree.locator(".pf-key")
    assert not key.is_visible()
    tree.locator("select[name=colour]").select_option("module")
    names = key.locator("li").all_inner_texts()
    assert names == ["libx.so", "train.py"]
    for colour in MODULES[: len(names)]:
        assert tree.locator(f".pf-live svg path[fill='{colour}']").count() > 0
    tree.locator("select[name=colour]").select_option("hot path")
    assert not key.is_visible()
    assert visit.complaints == []


def test_the_difference_to_the_run_before(visit: Visit, tree: Locator) -> None:
    """Against a run in which batches took 40 %, of them 10 % in a call of themselves."""
    tree.locator(".pf-difference > summary").click()
    choice = tree.locator(".pf-difference select")
    assert choice.input_value() == "earlier"
    assert choice.locator("option:checked").inner_text() == "Earlier (the run before)"
    gains = rows(tree, "Largest gains")
    assert [row[1:] for row in gains if row[0].startswith("clone")] == [
        ["+20.00", "20.0 %", "not in it"]
    ]
    assert [row[1:] for row in gains if row[0].startswith("random")] == [
        ["+10.00", "20.0 %", "10.0 %"]
    ]
    losses = rows(tree, "Largest losses")
    assert losses[0][1:] == ["−30.00", "not in it", "30.0 %"]
    assert losses[0][0].startswith("save")
    assert sum(number(row[1]) for row in (*gains, *losses)) == pytest.approx(0, abs=0.01)
    assert {"new: clone", "+20.00 generate_batch", "−20.00 train", "random"} <= set(drawn(tree))
    for colour in CHANGES.values():
        assert tree.locator(FILLED.format(colour)).count() > 0
    assert "40 CPU-s here, 50 CPU-s there" in status(tree, ".pf-difference")
    assert "Infinity" not in tree.inner_text()
    assert visit.complaints == []
    assert visit.outside == []


def number(text: str) -> float:
    return float(text.replace("−", "-"))


def test_trees_of_other_amounts_are_not_compared(tree: Locator) -> None:
    tree.page.evaluate("perfolio.specs.cpu_icicle.usermeta.perfolioZoom.tree.words = 'cycles'")
    tree.locator(".pf-difference > summary").click()
    told = tree.locator(".pf-difference [role=status]")
    told.get_by_text("No difference").wait_for()

    assert told.inner_text() == "No difference: the other tree is of CPU time, this one of cycles."


def both_open(tree: Locator) -> None:
    tree.locator(".pf-difference > summary").click()
    tree.locator(".pf-sandwich > summary").click()
    tree.locator(".pf-sandwich .pf-pick").first.click()
    tree.locator("select[name=colour]").select_option("module")
    assert rows(tree, "Called by")
    assert rows(tree, "Largest gains")
    coloured = ", ".join(FILLED.format(colour) for colour in MODULES)
    tree.locator(".pf-sandwich").locator(coloured).first.wait_for()
    tree.locator(".pf-difference .pf-frames svg").wait_for()


@pytest.mark.parametrize("visit", [{}, PHONE], ids=["desktop", "phone"], indirect=True)
def test_nothing_is_too_wide_or_out_of_reach(visit: Visit, server: str) -> None:
    tree = tree_of(visit, f"{server}/gallery/hot-paths.html")
    both_open(tree)
    page = tree.page
    wide = "document.documentElement.scrollWidth > document.documentElement.clientWidth"
    assert page.locator("body").get_attribute("data-md-color-scheme") == "default"
    light = violations(visit)
    before = [each for each in tree.locator("svg").element_handles() if each.is_visible()]
    assert len(before) == 3  # the tree, callers and callees, and the difference
    page.evaluate("document.querySelector('input[data-md-color-scheme=slate]').click()")
    page.wait_for_function("before => !before.some(each => each.isConnected)", arg=before)
    for part in (".pf-live", ".pf-sandwich .pf-frames", ".pf-difference .pf-frames"):
        tree.locator(f"{part} svg").wait_for()

    assert violations(visit) == light == []
    assert not page.evaluate(wide)


def test_what_is_open_is_printed(visit: Visit, server: str) -> None:
    tree = tree_of(visit, f"{server}/gallery/hot-paths.html")
    tree.page.emulate_media(media="print")
    assert tree.locator("img.pf-static").is_visible()
    assert not tree.locator(".pf-sandwich").is_visible()
    tree.page.emulate_media(media="screen")
    both_open(tree)
    tree.page.emulate_media(media="print")

    assert tree.locator("img.pf-static").is_visible()
    assert not tree.locator(".pf-key").is_visible()
    for part in (".pf-sandwich", ".pf-difference"):
        assert tree.locator(part).locator("svg").is_visible()


# Call trees: a click gives a frame the whole width, and what is looked for stands out.

TREE = "figure[data-zoom=cpu]"
FRAMES = ".pf-live svg path[fill='{}']"
CENTRE = "frame => frame.scrollIntoView({block: 'center', behavior: 'instant'})"


def test_a_frame_is_enlarged_and_names_are_found(visit: Visit, base: str) -> None:
    page = visit.open(f"{base}/gallery/hot-paths.html")
    visit.show_charts(TREE)
    tree = page.locator(TREE)
    tree.locator(".pf-difference > summary").wait_for()  # the last that is put beside it
    settled(tree)
    names = tree.locator(".pf-live svg text")

    def click(name: str, times: int = 1) -> list[str]:
        before = names.all_text_contents()
        frame = names.filter(has_text=name).first
        frame.evaluate(CENTRE)  # else the header of the page may lie above it, and takes the click
        frame.click(force=True, click_count=times)
        assert soon(lambda: names.all_text_contents() != before, wanted=True)
        settled(tree)
        return names.all_text_contents()

    whole = names.all_text_contents()
    assert {"backward", "generate_batch"} <= set(whole)
    enlarged = click("generate_batch")
    assert "backward" not in enlarged
    assert {"<main thread>", "train", "random"} <= set(enlarged)
    assert "backward" in click("train")
    assert sorted(click("train", 2)) == sorted(whole)
    found = tree.locator(FRAMES.format(FOUND_FRAME))
    assert found.count() == 0
    tree.get_by_label("Find").fill("BACKWARD")
    expect(found).to_have_count(1)
    assert visit.complaints == []


def test_an_address_and_keys_lead_to_a_frame(visit: Visit, base: str) -> None:
    page = visit.open(f"{base}/gallery/hot-paths.html#cpu=0-60")
    tree = page.locator(TREE)
    page.locator(f"{TREE}[data-pf-state=live]").wait_for()

    def shown() -> list[float]:
        settled(tree)
        part: list[float] = tree.evaluate("figure => figure.perfolioPart.shown")
        return part

    assert shown() == pytest.approx([0, 60])
    assert tree.locator("output").inner_text() == "60 % from 0 %"
    box = tree.locator(".pf-zoomed")
    box.press("ArrowUp")
    assert shown() == pytest.approx([0, 70]), "train, which calls it"
    box.press("ArrowDown")
    assert shown() == pytest.approx([0, 60])
    box.press("ArrowDown")
    assert shown() == pytest.approx([0, 20])
    expect(page).to_have_url(re.compile("#cpu=0-20$"))
    box.press("Escape")
    assert shown() == [0, 100]
    tree.locator(".pf-live svg text", has_text="generate_batch").first.hover(force=True)
    tip = page.locator("#vg-tooltip-element.visible")
    tip.wait_for()
    assert "libx.so" in tip.inner_text()
    assert visit.complaints == []
