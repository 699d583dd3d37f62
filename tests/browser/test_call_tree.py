"""Call trees: frames enlarged and found; callers, callees and colours; another run beside them."""

from __future__ import annotations

import json
import re
from collections import defaultdict
from pathlib import Path
from typing import Any, NamedTuple

import pytest
from playwright.sync_api import Locator, Page, expect

from perfolio.charts.theme import (
    CHANGES,
    DARK_BACKGROUND,
    FOUND_FRAME,
    FRAME,
    HOT_FRAME,
    MODULES,
)
from perfolio.pipeline.reports import build
from perfolio.readers.registry import find
from perfolio.site.single.assembly import build_single_file
from tests.browser.test_accessibility import violations
from tests.browser.visits import Visit, settled, soon
from tests.charts.test_call_tree_rows import read_paths
from tests.kit.kept import SHOWN, digest_of, kept
from tests.kit.samples import PROFILES

# Beside a call tree: callers and callees, colours by module, another run.

pytestmark = pytest.mark.browser

PHONE = {"viewport": {"width": 390, "height": 844}, "has_touch": True}
NO_BREAK = "\N{NO-BREAK SPACE}"
NAMES = """(figure, part) => {
  const tree = figure.perfolioTree;
  if (part === "sandwich") return tree.still.levels.flat().map(one => tree.about(one.code).label);
  const pane = part === "other" ? tree.difference.pane : tree;
  return pane.all.map(frame => pane.label(frame));
}"""
"""What is written on frames, be these wide enough or not."""
USED = """figure => {
  const { pane } = figure.perfolioTree.difference;
  return pane.all.map(frame => pane.fillOf(frame));
}"""
SEEN = """figure => {
  const tree = figure.perfolioTree, [begin, end] = tree.view.shown;
  return tree.all.filter(one => one.right > begin + 1e-6 && one.left < end - 1e-6)
    .map(one => tree.label(one));
}"""
PLACE = """(figure, name) => {
  const tree = figure.perfolioTree, { view, box } = tree;
  for (let y = 1; y < box.clientHeight; y += 5) {
    for (let x = 1; x < view.width; x += 5) {
      const one = view.itemAt(x, y);
      if (!one || tree.label(one) !== name || view.itemAt(x + 9, y + 9) !== one) continue;
      return { x: x + 9, y: y + 9 };
    }
  }
  return null;
}"""
"""Where a click finds a frame, within the box."""
FILL = """(box, at) => {
  const canvas = box.querySelector("canvas"), ratio = canvas.width / canvas.clientWidth;
  const one = Object.assign(document.createElement("canvas"), { width: 1, height: 1 });
  const brush = one.getContext("2d");
  brush.drawImage(canvas, (at.x - 7) * ratio, (at.y - 7) * ratio, 1, 1, 0, 0, 1, 1);
  const pixel = [...brush.getImageData(0, 0, 1, 1).data].slice(0, 3);
  return "#" + pixel.map(one => one.toString(16).padStart(2, "0")).join("");
}"""


def tree_of(visit: Visit, address: str) -> Locator:
    """The call tree of the gallery, when all that is beside it is there."""
    page = visit.open(address)
    tree = page.locator("figure[data-zoom=cpu]")
    tree.scroll_into_view_if_needed()
    tree.dispatch_event("pointerdown")
    tree.locator(".pf-difference > summary").wait_for()
    settled(tree)
    return tree


def names(tree: Locator, part: str = "tree") -> set[str]:
    found: list[str] = tree.evaluate(NAMES, part)
    return set(found)


def seen(tree: Locator) -> set[str]:
    """What is written on frames of the part that is shown."""
    settled(tree)
    found: list[str] = tree.evaluate(SEEN)
    return set(found)


def place(tree: Locator, name: str) -> Any:
    settled(tree)
    found = tree.evaluate(PLACE, name)
    assert found, name
    return found


def click(tree: Locator, name: str, times: int = 1) -> None:
    box = tree.locator(".pf-live .pf-time").first
    box.evaluate(CENTRE)  # else the header of the page may lie above it, and takes the click
    box.click(position=place(tree, name), click_count=times)


def fill(tree: Locator, name: str) -> str:
    """The colour of a frame, as it is on the canvas."""
    at = place(tree, name)
    found: str = tree.locator(".pf-live .pf-time").first.evaluate(FILL, at)
    return found


def shown(tree: Locator) -> list[float]:
    settled(tree)
    part: list[float] = tree.evaluate("figure => figure.perfolioTree.view.shown")
    return part


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
    return tree.locator(f"{panel} > [role=status]").inner_text().replace(NO_BREAK, " ")


def test_a_click_chooses_the_function_whose_callers_are_shown(visit: Visit, tree: Locator) -> None:
    click(tree, "generate_batch")
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
    around = names(tree, "sandwich")
    callers = {"<program root>", "<main thread>", "train"}
    assert callers | {"generate_batch", "random", "clone"} == around
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
    tree.locator(".pf-find input").fill("CLON")
    wanted = [["clone", "libx.so", "20.0 %", "20.0 %"]]
    assert become(tree, "Functions", wanted) == wanted
    tree.locator(".pf-sandwich .pf-pick", has_text="clone").press("Enter")
    wanted = [["generate_batch", "8 CPU-s", "100.0 %"]]
    assert become(tree, "Called by", wanted) == wanted
    box = tree.locator(".pf-zoomed")
    box.press("Escape")
    for key in ("ArrowDown", "ArrowDown", "c"):
        box.press(key)
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
    key = tree.locator(".pf-live .pf-key")
    assert not key.is_visible()
    tree.locator("select[name=colour]").select_option("module")
    assert key.locator(":scope > span").all_text_contents() == [" libx.so", " train.py"]
    assert (fill(tree, "generate_batch"), fill(tree, "train")) == (MODULES[0], MODULES[1])
    tree.locator("select[name=colour]").select_option("hot path")
    assert not key.is_visible()
    assert (fill(tree, "backward"), fill(tree, "train")) == (FRAME, HOT_FRAME)
    assert visit.complaints == []


def test_the_difference_to_the_run_before(visit: Visit, tree: Locator) -> None:
    """Against a run in which batches took 40 %, of them 10 % in a call of themselves."""
    tree.locator(".pf-difference > summary").click()
    choice = tree.locator(".pf-difference .pf-filter select")
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
    here = names(tree, "other")
    assert {"new: clone", "+20.00 generate_batch", "−20.00 train", "random"} <= here
    assert "gone: save" not in here
    told = tree.locator(".pf-difference .pf-key > span").all_text_contents()
    assert told[-1] == " not in this run"
    assert set(tree.evaluate(USED)) == set(CHANGES.values())
    tree.locator(".pf-difference select[name=width]").select_option("the other run")
    there = names(tree, "other")
    assert "gone: save" in there
    assert "new: clone" not in there
    assert "40 CPU-s here, 50 CPU-s there" in status(tree, ".pf-difference")
    assert "Infinity" not in tree.inner_text()
    assert visit.complaints == []
    assert visit.outside == []


def number(text: str) -> float:
    return float(text.replace("−", "-"))


def test_trees_of_other_amounts_are_not_compared(tree: Locator) -> None:
    tree.evaluate("figure => { figure.perfolioTree.data.words = 'cycles'; }")
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
    tree.locator(".pf-sandwich .pf-still canvas").wait_for()
    tree.locator(".pf-difference .pf-time canvas").wait_for()


@pytest.mark.parametrize("visit", [{}, PHONE], ids=["desktop", "phone"], indirect=True)
def test_nothing_is_too_wide_or_out_of_reach(visit: Visit, server: str) -> None:
    tree = tree_of(visit, f"{server}/gallery/hot-paths.html")
    both_open(tree)
    page = tree.page
    wide = "document.documentElement.scrollWidth > document.documentElement.clientWidth"
    assert page.locator("body").get_attribute("data-md-color-scheme") == "default"
    light = violations(visit)
    before = fill(tree, "train")
    page.evaluate("document.querySelector('input[data-md-color-scheme=slate]').click()")
    ground = "figure => figure.perfolioTree.view.colour.ground"
    assert soon(lambda: tree.evaluate(ground), DARK_BACKGROUND) == DARK_BACKGROUND
    assert fill(tree, "train") == before

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
    assert not tree.locator(".pf-live .pf-key").is_visible()
    for part in (".pf-sandwich", ".pf-difference"):
        assert tree.locator(part).locator("canvas").is_visible()


# The tree itself: a click gives a frame the whole width, and what is looked for stands out.

TREE = "figure[data-zoom=cpu]"
CENTRE = "frame => frame.scrollIntoView({block: 'center', behavior: 'instant'})"


def test_a_frame_is_enlarged_and_names_are_found(visit: Visit, tree: Locator) -> None:
    whole = seen(tree)
    assert {"backward", "generate_batch"} <= whole
    click(tree, "generate_batch")
    assert "backward" not in seen(tree)
    assert {"<main thread>", "train", "random"} <= seen(tree)
    crumbs = tree.locator(".pf-crumbs button")
    assert crumbs.all_inner_texts() == [
        "All",
        "<program root>",
        "<main thread>",
        "train",
        "generate_batch",
    ]
    crumbs.filter(has_text="train").click()
    assert "backward" in seen(tree)
    tree.get_by_role("button", name="Back", exact=True).click()
    assert "backward" not in seen(tree)
    click(tree, "train", 2)
    assert seen(tree) == whole
    assert shown(tree) == [0, 100]
    assert visit.complaints == []


def test_hits_are_counted_and_stepped_through(visit: Visit, tree: Locator) -> None:
    """What lies within another hit counts once in their share."""
    search, count = tree.locator(".pf-find input"), tree.locator(".pf-count")
    search.fill("TRA")
    expect(count).to_have_text("1 hit, 70 % of all")
    search.fill("AN")
    expect(count).to_have_text("1 hit, 20 % of all")
    search.fill("A")
    expect(count).to_contain_text("100 % of all")
    search.fill("BACKWARD")
    expect(count).to_have_text("1 hit, 10 % of all")
    assert fill(tree, "backward") == FOUND_FRAME
    assert fill(tree, "train") == HOT_FRAME
    search.press("Enter")
    expect(count).to_have_text("1 of 1 hit, 10 % of all")
    assert tree.locator(".pf-told code").inner_text() == "backward"
    search.fill("no such name")
    expect(count).to_have_text("0 hits, 0 % of all")
    assert visit.complaints == []


def test_an_address_and_keys_lead_to_a_frame(visit: Visit, base: str) -> None:
    page = visit.open(f"{base}/gallery/hot-paths.html#cpu=0-60")
    tree = page.locator(TREE)
    page.locator(f"{TREE}[data-pf-state=live]").wait_for()
    assert shown(tree) == pytest.approx([0, 60])
    assert tree.locator("output").first.inner_text() == "60 % from 0 %"
    box, told = tree.locator(".pf-zoomed").first, tree.locator(".pf-told code").first
    assert told.inner_text() == "generate_batch"
    for key, name in (
        ("ArrowUp", "train"),
        ("ArrowDown", "generate_batch"),
        ("ArrowRight", "backward"),
        ("ArrowLeft", "generate_batch"),
        ("ArrowDown", "random"),
    ):
        box.press(key)
        assert told.inner_text() == name, key
    box.press("Enter")
    assert shown(tree)[1] - shown(tree)[0] == pytest.approx(20)
    expect(page).to_have_url(re.compile(r"#cpu=[\d.]+-[\d.]+$"))
    box.press("Backspace")
    box.press("Backspace")
    assert shown(tree) == pytest.approx([0, 60])
    box.press("Escape")
    assert shown(tree) == [0, 100]
    box.press("/")
    page.keyboard.type("random")
    page.keyboard.press("Escape")
    box.press("n")
    assert told.inner_text() == "random"
    facts = tree.locator(".pf-told").first.inner_text().replace(NO_BREAK, " ")
    assert "8 CPU-s, 20.0 % of all CPU time, 33.3 % of its caller" in facts
    box.hover(position=place(tree, "generate_batch"))
    tip = page.locator("#vg-tooltip-element.visible")
    tip.wait_for()
    assert "libx.so" in tip.inner_text()
    page.evaluate("() => { location.hash = '#cpu=0-70;1'; }")
    assert soon(lambda: shown(tree)[1], 70) == 70
    assert told.inner_text() == "<main thread>"
    assert visit.complaints == []


class Deep(NamedTuple):
    """A report with all that the store has of its calls, the same in one file, and the store."""

    page: Path
    one_file: Path
    store: Path


@pytest.fixture(scope="module")
def deep() -> Deep:
    (profile,) = find(PROFILES / "dlrm-cpu")

    def make(folder: Path) -> None:
        (one,) = build([profile], folder / "site", store=folder / "store.duckdb")
        (folder / "slug").write_text(one.slug)
        single = build_single_file(folder / "site", one.slug)
        (folder / "report.html").write_text(single, encoding="utf-8")

    folder = kept("deep-tree", digest_of(PROFILES / "dlrm-cpu", by=SHOWN), make)
    page = folder / "site" / (folder / "slug").read_text() / "hot-paths.html"
    return Deep(page, folder / "report.html", folder / "store.duckdb")


DRAWN = """figure => {
  const tree = figure.perfolioTree, places = new Map(tree.all.map((frame, at) => [frame, at]));
  return JSON.stringify(tree.all.map(({ node, up, left, right, level }) => ({
    name: tree.name({ node }), value: node.value, own: node.own, up: up ? places.get(up) : -1,
    width: right - left, level })));
}"""
CHART = "figure[data-chart=cpu_icicle]"


def open_deep(visit: Visit, address: str) -> tuple[Page, Locator]:
    page = visit.open(address)
    tree = page.locator(CHART)
    tree.scroll_into_view_if_needed()
    tree.dispatch_event("pointerdown")
    page.locator(f"{CHART}[data-pf-state=live]").wait_for()
    settled(tree)
    return page, tree


@pytest.mark.parametrize("form", ["page", "one_file"])
def test_what_is_drawn_is_what_the_store_has(visit: Visit, deep: Deep, form: str) -> None:
    _, tree = open_deep(visit, getattr(deep, form).as_uri())
    frames: list[dict[str, Any]] = json.loads(tree.evaluate(DRAWN))
    told = read_paths(deep.store, "cpu_event_of()")
    assert len(frames) > 3_000
    paths: list[tuple[str, ...]] = []
    found: dict[tuple[str, ...], float] = defaultdict(float)
    below: dict[int, float] = defaultdict(float)
    whole = sum(value for path, (value, _) in told.items() if len(path) == 1)
    for frame in frames:
        above = paths[frame["up"]] if frame["up"] >= 0 else ()
        paths.append((*above, frame["name"]))
        found[paths[-1]] += frame["value"]
        below[frame["up"]] += frame["width"]
        assert frame["width"] == pytest.approx(100 * frame["value"] / whole)
        assert frame["level"] == len(above)
    assert found == pytest.approx({path: value for path, (value, _) in told.items()}, rel=1e-12)
    for place_of, frame in enumerate(frames):
        assert below[place_of] + frame["own"] == pytest.approx(frame["width"], abs=1e-8)
    assert visit.complaints == []
    assert visit.outside == []


SMALLEST = """figure => {
  const tree = figure.perfolioTree, wide = (one) => one.right - one.left;
  const one = tree.all.reduce((least, each) => (wide(each) < wide(least) ? each : least));
  tree.bring(one);
  tree.enlarge(one);
  return tree.name(one);
}"""


def test_the_smallest_frame_has_an_address(visit: Visit, deep: Deep) -> None:
    page, tree = open_deep(visit, deep.page.as_uri())
    name = tree.evaluate(SMALLEST)
    begin, end = shown(tree)
    assert end - begin < 0.05
    expect(page).to_have_url(re.compile("#cpu="))
    address = page.url
    visit.open("about:blank")
    _, tree = open_deep(visit, address)
    assert shown(tree) == pytest.approx([begin, end], abs=1e-8)
    assert tree.locator(".pf-told code").first.inner_text() == name


@pytest.mark.parametrize("visit", [PHONE], ids=["phone"], indirect=True)
def test_fingers_enlarge_and_the_page_scrolls_on(visit: Visit, server: str) -> None:
    tree = tree_of(visit, f"{server}/gallery/hot-paths.html")
    box, page = tree.locator(".pf-live .pf-time"), tree.page
    box.evaluate(CENTRE)
    box.tap(position=place(tree, "backward"))
    assert shown(tree)[1] - shown(tree)[0] == pytest.approx(10)
    assert tree.locator(".pf-told code").inner_text() == "backward"
    tree.get_by_role("button", name="All", exact=True).first.tap()
    assert shown(tree) == [0, 100]
    assert box.evaluate("box => getComputedStyle(box).touchAction") == "pan-y"
    area = box.bounding_box()
    assert area is not None
    touch = page.context.new_cdp_session(page)

    def fingers(kind: str, *parts: float) -> None:
        points = [
            {"x": area["x"] + part * area["width"], "y": area["y"] + 60, "id": number}
            for number, part in enumerate(parts)
        ]
        touch.send("Input.dispatchTouchEvent", {"type": kind, "touchPoints": points})

    fingers("touchStart", 0.4, 0.6)
    for step in (0.05, 0.1, 0.15, 0.2):
        fingers("touchMove", 0.4 - step, 0.6 + step)
    fingers("touchEnd")
    begin, end = shown(tree)
    assert end - begin == pytest.approx(100 / 3, rel=0.1)
    assert visit.complaints == []
