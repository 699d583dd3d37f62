"""axe-core finds nothing at all."""

from __future__ import annotations

from importlib.resources import files
from typing import Any

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


COLOURS = ["color-contrast", "link-in-text-block"]
"""Rules about colours: they take longer than all others together."""
ALIKE = "tbody tr:nth-child(n + 7)"
"""Rows whose colours are those of the rows before them."""


def violations(visit: Visit) -> list[str]:
    """All of them, as `rule: element`."""
    return of_structure(visit) + of_colours(visit)


def of_structure(visit: Visit) -> list[str]:
    """Those of all rules that colours do not matter to."""
    off = {rule: {"enabled": False} for rule in COLOURS}
    return _found(visit, {"include": [["html"]]}, {"rules": off})


def of_colours(visit: Visit) -> list[str]:
    """Those of colours, as they are now."""
    return _found(visit, {"include": [["html"]], "exclude": [[ALIKE]]}, {"runOnly": COLOURS})


def _found(visit: Visit, where: dict[str, Any], how: dict[str, Any]) -> list[str]:
    visit.page.evaluate(SETTLED)  # a colour that still changes has a contrast of its own
    if not visit.page.evaluate("'axe' in window"):
        visit.page.evaluate(AXE)
    results = visit.page.evaluate(
        "([where, how]) => axe.run(where, how)", [where, {"resultTypes": ["violations"], **how}]
    )
    return [
        f"{violation['id']}: {node['html'][:160]}"
        for violation in results["violations"]
        for node in violation["nodes"]
    ]


@pytest.mark.parametrize("page", PAGES)
def test_no_violation(visit: Visit, server: str, page: str) -> None:
    """On a desktop and on a phone, in both palettes, with everything unfolded."""
    shown = visit.open(f"{server}/{page}.html")
    visit.show_charts()
    # Of 300 queries, which are alike, the first of each group stand for all.
    shown.evaluate(
        "document.querySelectorAll('.pf-queries > :nth-child(n + 4)').forEach(el => el.remove())"
    )
    found = {}
    for width, height in ((1280, 720), (390, 844)):
        shown.set_viewport_size({"width": width, "height": height})
        found[f"{width}"] = of_structure(visit)
        for palette in ("default", "slate"):
            shown.evaluate(
                f"document.querySelector('input[data-md-color-scheme={palette}]').click()"
            )
            shown.wait_for_selector(f"body[data-md-color-scheme={palette}]", state="attached")
            found[f"{width} {palette}"] = of_colours(visit)

    assert not {where: all_of for where, all_of in found.items() if all_of}


def test_a_violation_is_found(visit: Visit, server: str) -> None:
    page = visit.open(f"{server}/layout/index.html")
    page.evaluate("document.querySelector('.md-search').removeAttribute('aria-label')")
    page.evaluate(
        "document.querySelectorAll('[type=checkbox]').forEach("
        "el => el.removeAttribute('aria-label'))"
    )

    assert violations(visit)


def test_a_colour_that_is_hard_to_read_is_found(visit: Visit, server: str) -> None:
    page = visit.open(f"{server}/layout/index.html")
    assert of_colours(visit) == []
    page.add_style_tag(content=".md-content p { color: #bbb; background: #ccc; }")

    assert of_colours(visit)
    assert of_structure(visit) == []
