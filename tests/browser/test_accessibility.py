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
ALIKE = "data-alike"
"""An attribute of elements that would only be found to be as those before them."""
MARK_ALIKE = """([alike, most]) => {
  document.querySelectorAll(`[${alike}]`).forEach(element => element.removeAttribute(alike));
  const seen = new Map();
  const told = element => element.matches('input, select, textarea')
    || [...element.childNodes].some(each => each.nodeType === Node.TEXT_NODE && each.data.trim());
  const isNew = (element, ground) => {
    if (!told(element) || !element.checkVisibility({visibilityProperty: true})) return false;
    const style = getComputedStyle(element);
    const looks = [element.localName, style.color, style.fontSize, style.fontWeight,
      style.textDecorationLine, ground].join();
    seen.set(looks, 1 + (seen.get(looks) || 0));
    return seen.get(looks) <= most;
  };
  const visit = (element, below) => {
    const style = getComputedStyle(element);
    const ground = [below, style.backgroundColor, style.backgroundImage, style.opacity,
      style.position, style.display === 'inline' ? style.color : ''].join();
    let found = isNew(element, ground);
    const alone = [...element.children].filter(each => {
      const one = visit(each, ground);
      found ||= one;
      return !one;
    });
    if (found) alone.forEach(each => each.setAttribute(alike, ''));
    return found;
  };
  visit(document.documentElement, '');
}"""
"""Marks elements whose text has the looks, and lies on the ground, of so many before them."""
MOST_ALIKE = 6


def violations(visit: Visit) -> list[str]:
    """All of them, as `rule: element`."""
    return of_structure(visit) + of_colours(visit)


def of_structure(visit: Visit) -> list[str]:
    """Those of all rules that colours do not matter to."""
    off = {rule: {"enabled": False} for rule in COLOURS}
    return _found(visit, {"include": [["html"]]}, {"rules": off})


def of_colours(visit: Visit) -> list[str]:
    """Those of colours, as they are now."""
    visit.page.evaluate(SETTLED)  # a colour that still changes has a contrast of its own
    visit.page.evaluate(MARK_ALIKE, [ALIKE, MOST_ALIKE])
    where = {"include": [["html"]], "exclude": [[f"[{ALIKE}]"]]}
    return _found(visit, where, {"runOnly": COLOURS})


def _found(visit: Visit, where: dict[str, Any], how: dict[str, Any]) -> list[str]:
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


def test_a_colour_is_found_in_the_last_of_many_rows(visit: Visit, server: str) -> None:
    page = visit.open(f"{server}/layout/index.html")
    rows = "".join(f"<tr><td>{number}</td><td>as above</td></tr>" for number in range(40))
    page.evaluate(
        "rows => document.querySelector('article').insertAdjacentHTML('beforeend', rows)",
        f"<table id='many'>{rows}</table>",
    )
    assert of_colours(visit) == []
    assert page.locator(f"#many [{ALIKE}]").count() > 20
    page.add_style_tag(content="#many tr:last-child td + td { color: #ccc; }")

    assert len(of_colours(visit)) == 1
