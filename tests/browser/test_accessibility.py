"""axe-core finds nothing at all."""

from __future__ import annotations

from importlib.resources import files

import pytest

from tests.browser.visits import Visit

pytestmark = pytest.mark.browser

PAGES = (
    "index",
    "gallery/index",
    "gallery/findings",
    "gallery/time",
    "gallery/timeline",
    "gallery/kernels",
    "gallery/stalls",
    "gallery/transfers",
    "gallery/thresholds",
    "gallery/metrics",
    "gallery/technical",
    "gallery/quality",
    "dlrm-cpu/hot-paths",
    "layout/index",
    "queries",
)


# The package only carries the script, so that no test needs a network.
AXE = files("axe_playwright_python").joinpath("axe.min.js").read_text(encoding="utf-8")
SETTLED = """document.getAnimations().forEach(
    each => { try { each.finish(); } catch { each.cancel(); } })"""


def violations(visit: Visit) -> list[str]:
    """All of them, as `rule: element`."""
    visit.page.evaluate(SETTLED)  # a colour that still changes has a contrast of its own
    visit.page.evaluate(AXE)
    found = visit.page.evaluate("axe.run({resultTypes: ['violations']})")["violations"]
    return [
        f"{violation['id']}: {node['html'][:160]}"
        for violation in found
        for node in violation["nodes"]
    ]


@pytest.mark.parametrize("page", PAGES)
def test_no_violation(visit: Visit, server: str, page: str) -> None:
    """On a desktop and on a phone, in both palettes, with everything unfolded."""
    shown = visit.open(f"{server}/{page}.html")
    visit.show_charts()
    # Of 300 queries, which are alike, the first of each group stand for all.
    shown.evaluate(
        "document.querySelectorAll('.pf-queries > :nth-child(n + 7)').forEach(el => el.remove())"
    )
    found = {}
    for width, height in ((1280, 720), (390, 844)):
        shown.set_viewport_size({"width": width, "height": height})
        for palette in ("default", "slate"):
            shown.evaluate(
                f"document.querySelector('input[data-md-color-scheme={palette}]').click()"
            )
            shown.wait_for_selector(f"body[data-md-color-scheme={palette}]", state="attached")
            found[f"{width} {palette}"] = violations(visit)

    assert not {where: all_of for where, all_of in found.items() if all_of}


def test_a_violation_is_found(visit: Visit, server: str) -> None:
    page = visit.open(f"{server}/layout/index.html")
    page.evaluate("document.querySelector('.md-search').removeAttribute('aria-label')")
    page.evaluate(
        "document.querySelectorAll('[type=checkbox]').forEach("
        "el => el.removeAttribute('aria-label'))"
    )

    assert violations(visit)
