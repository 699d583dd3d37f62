"""The static image: light and dark in one file, compact, nothing but an image."""

from __future__ import annotations

import xml.etree.ElementTree as ET

import pytest

from perfolio.charts.svg import make_static_svg
from perfolio.charts.theme import DARK_INK, LIGHT_INK

SVG = "{http://www.w3.org/2000/svg}"


def image(body: str) -> ET.Element:
    text = f'<svg xmlns="http://www.w3.org/2000/svg" class="marks" width="10">{body}</svg>'
    return ET.fromstring(make_static_svg(text, "A <b> & c", "Two ]]> three."))


def test_title_and_description_are_text() -> None:
    root = image("")
    assert root.findtext(f"{SVG}title") == "A <b> & c"
    assert root.findtext(f"{SVG}desc") == "Two ]]> three."


def test_the_ink_follows_the_colour_scheme() -> None:
    root = image("")
    style = root.findtext(f"{SVG}style") or ""
    assert f":root{{color:{LIGHT_INK}" in style
    assert f"prefers-color-scheme:dark){{:root{{color:{DARK_INK}" in style
    assert root.get("color") == LIGHT_INK


def test_what_an_image_does_not_need_goes() -> None:
    root = image('<g class="a" aria-hidden="true" role="img"><rect font-family="x" width="1"/></g>')
    group = root.find(f"{SVG}g")
    assert group is not None
    assert group.attrib == {}
    assert group[0].attrib == {"width": "1"}


def test_what_draws_nothing_goes() -> None:
    empty = '<g><g/><text fill="red"></text><path d=""/><path d="M0,0h1" fill="none"/></g>'
    assert [child.tag for child in image(empty)] == [f"{SVG}title", f"{SVG}desc", f"{SVG}style"]


def test_what_draws_stays() -> None:
    root = image('<g><text>a</text><path d="M0,0h1" fill="none" stroke="red"/></g>')
    assert len(root.findall(f"{SVG}g/*")) == 2


BOX = '<path d="M{0},0h1v2h-1Z" {1}/>'


def test_boxes_of_one_colour_become_one_path() -> None:
    red, blue = 'fill="red"', 'fill="blue" stroke="blue" stroke-width="1"'
    boxes = [BOX.format(at, look) for at, look in enumerate([red, red, blue, blue, red])]
    paths = image(f"<g>{''.join(boxes)}</g>").findall(f"{SVG}g/{SVG}path")
    assert [path.get("d", "").count("Z") for path in paths] == [2, 2, 1]


@pytest.mark.parametrize("look", ['fill="red" stroke="blue"', 'fill="red" fill-opacity="0.5"'])
def test_boxes_that_would_look_different_as_one_share_their_look(look: str) -> None:
    group = image(f"<g>{''.join(BOX.format(at, look) for at in range(3))}</g>").find(f"{SVG}g/*")
    assert group is not None
    assert len(group) == 3
    assert [part for part in look.split() if part.split('"')[1] not in group.attrib.values()] == []
    assert {name for path in group for name in path.attrib} == {"d"}


def test_what_differs_stays_with_each() -> None:
    texts = "".join(f'<text fill="red" transform="t{n}" font-size="9">a</text>' for n in range(3))
    group = image(f"<g>{texts}</g>").find(f"{SVG}g/*")
    assert group is not None
    assert group.attrib == {"fill": "red", "font-size": "9"}
    assert [text.attrib for text in group] == [{"transform": f"t{n}"} for n in range(3)]


@pytest.mark.parametrize(
    ("written", "kept"),
    [
        ("M1.23456,2.5L-0.001,3", "M1.23,2.5L0,3"),
        ("translate(0.999,10.004)", "translate(1,10)"),
        ("1.5e-7,2.1234e-5", "1.5e-7,0"),
        ("#123456", "#123456"),
    ],
)
def test_numbers_keep_two_decimals(written: str, kept: str) -> None:
    path = image(f'<path fill="red" d="{written}"/>').find(f"{SVG}path")
    assert path is not None
    assert path.get("d") == kept


def test_identifiers_do_not_depend_on_what_was_drawn_before() -> None:
    def drawn(first: int) -> str:
        body = "".join(
            f'<clipPath id="clip{n}"><path d="M0,0h1"/></clipPath><g clip-path="url(#clip{n})">'
            "<text>a</text></g>"
            for n in (first, first + 1)
        )
        return ET.tostring(image(body), encoding="unicode")

    assert drawn(0) == drawn(13)
    assert drawn(0).count("url(#n1)") == drawn(0).count('id="n1"') == 1
