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
"""Rules about colours: they are asked again in the other palette."""
ASKED = "data-colour-asked"
"""An attribute of elements whose contrast is asked for; others are as some of these."""
MOST_ALIKE = 3
MARK = """([mark, most]) => {
  const NOTHING = 'rgba(0, 0, 0, 0),none,1,static,';
  document.querySelectorAll(`[${mark}]`).forEach(element => element.removeAttribute(mark));
  const seen = new Map();
  const told = element => element.matches('input, select, textarea')
    || [...element.childNodes].some(each => each.nodeType === Node.TEXT_NODE && each.data.trim());
  const visit = (element, below) => {
    const style = getComputedStyle(element);
    const own = [style.backgroundColor, style.backgroundImage, style.opacity,
      style.position, style.display === 'inline' ? style.color : ''].join();
    const ground = own === NOTHING ? below : below + own;
    if (told(element) && element.checkVisibility({visibilityProperty: true})) {
      const looks = [element.localName, style.color, style.fontSize, style.fontWeight,
        style.textDecorationLine, style.textShadow, ground].join();
      seen.set(looks, 1 + (seen.get(looks) || 0));
      if (seen.get(looks) <= most) element.setAttribute(mark, '');
    }
    for (const each of element.children) visit(each, ground);
  };
  visit(document.documentElement, '');
  axe.configure({rules: [{id: 'color-contrast', selector: `[${mark}]`}]});
}"""
"""Marks the first elements whose text has the same looks and lies on the same ground."""
RUN = """how => axe
  .run({include: [['html']]}, {resultTypes: ['violations'], selectors: false, ...how})
  .then(found => found.violations.flatMap(
    ({id, nodes}) => nodes.map(({html}) => `${id}: ${html.slice(0, 160)}`)))"""


def violations(visit: Visit) -> list[str]:
    """All of them, as `rule: element`."""
    return _found(visit, {})


def of_structure(visit: Visit) -> list[str]:
    """Those of all rules that colours do not matter to."""
    return _found(visit, {"rules": {rule: {"enabled": False} for rule in COLOURS}})


def of_colours(visit: Visit) -> list[str]:
    """Those of colours, as they are now."""
    return _found(visit, {"runOnly": COLOURS})


def _found(visit: Visit, how: dict[str, Any]) -> list[str]:
    if not visit.page.evaluate("'axe' in window"):
        visit.page.evaluate(AXE)
    visit.page.evaluate(SETTLED)  # a colour that still changes has a contrast of its own
    visit.page.evaluate(MARK, [ASKED, MOST_ALIKE])
    found: list[str] = visit.page.evaluate(RUN, how)
    return found


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
    light, dark = "default", "slate"
    for width, height, palettes in ((1280, 720, (light, dark)), (390, 844, (dark, light))):
        shown.set_viewport_size({"width": width, "height": height})
        for palette, rules in zip(palettes, (violations, of_colours), strict=True):
            shown.evaluate(
                f"document.querySelector('input[data-md-color-scheme={palette}]').click()"
            )
            shown.wait_for_selector(f"body[data-md-color-scheme={palette}]", state="attached")
            found[f"{width} {palette}"] = rules(visit)

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
    assert page.locator(f"#many [{ASKED}]").count() < 20
    for what in ("color: #ccc", "opacity: 0.3", "background: #666"):
        style = page.add_style_tag(content=f"#many tr:last-child td + td {{ {what}; }}")
        assert len(of_colours(visit)) == 1, what
        style.evaluate("style => style.remove()")
    assert of_colours(visit) == []


def test_a_link_like_the_text_around_it_is_found(visit: Visit, server: str) -> None:
    page = visit.open(f"{server}/layout/index.html")
    page.evaluate(
        "document.querySelector('article').insertAdjacentHTML("
        "'beforeend', '<p>Words and <a href=\"#\" id=alike>a link</a> within.</p>'.repeat(30))"
    )
    assert of_colours(visit) == []
    page.add_style_tag(content="p:last-child #alike { color: #334; text-decoration: none; }")

    assert [one.split(":")[0] for one in of_colours(visit)] == ["link-in-text-block"]
