"""Call trees: a click gives a frame the whole width, and what is looked for stands out."""

from __future__ import annotations

import re

import pytest
from playwright.sync_api import expect

from perfolio.charts.theme import FOUND_FRAME
from tests.browser.visits import Visit, settled

pytestmark = pytest.mark.browser

TREE = "figure[data-zoom=cpu]"
FRAMES = ".pf-live svg path[fill='{}']"


def test_a_frame_is_enlarged_and_names_are_found(visit: Visit, base: str) -> None:
    page = visit.open(f"{base}/gallery/hot-paths.html")
    visit.show_charts(TREE)
    tree = page.locator(TREE)
    tree.locator(".pf-difference > summary").wait_for()  # the last that is put beside it
    settled(tree)
    names = tree.locator(".pf-live svg text")

    def click(name: str, times: int = 1) -> list[str]:
        names.filter(has_text=name).first.click(force=True, click_count=times)
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
