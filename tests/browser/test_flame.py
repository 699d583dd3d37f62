"""Call trees: a click gives a frame the whole width, and what is looked for stands out."""

from __future__ import annotations

import pytest

from generator.charts.theme import FOUND_FRAME
from tests.browser.conftest import Visit

pytestmark = pytest.mark.browser

FRAMES = ".pf-live svg path[fill='{}']"


def test_a_frame_is_enlarged_and_names_are_found(visit: Visit, base: str) -> None:
    page = visit.open(f"{base}/gallery/hot-paths.html")
    visit.show_charts()
    tree = page.locator("figure.pf-chart[data-chart*=cpu_icicle]").first
    names = tree.locator(".pf-live svg text")

    def click(name: str, times: int = 1) -> list[str]:
        names.filter(has_text=name).first.click(force=True, click_count=times)
        page.wait_for_timeout(200)
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
    page.wait_for_timeout(200)
    assert found.count() == 1
    assert visit.complaints == []
