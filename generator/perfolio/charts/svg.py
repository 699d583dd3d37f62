"""A static image for light and dark from the SVG that Vega writes.

Vega writes `currentColor` for text and axes (the theme's `static` mode); here the root
gets the two values of that colour, chosen by the colour scheme of the page that holds the
image, and everything is removed that an image does not need: classes, aria attributes,
digits beyond the second decimal. What looks the same and follows one another says so once.
"""

from __future__ import annotations

import re
import xml.etree.ElementTree as ET
from itertools import groupby

from perfolio.charts.theme import DARK_INK, LIGHT_INK, STATIC_FONT

_SVG = "http://www.w3.org/2000/svg"
_DROPPED = {"class", "role", "pointer-events", "stroke-miterlimit", "version"}
_DEFAULTS = {"opacity": "1"}
"""What holds where nothing is said, whatever is said of the element around."""
_DECIMALS = re.compile(r"-?\d+\.\d{3,}(?:e-?\d+)?")
_REFERENCE = re.compile(r"url\(#([^)]*)\)")
_BOX = re.compile(r"M[-\d.]+,[-\d.]+h[\d.]+v[\d.]+h-[\d.]+Z")
_LOOK = frozenset({"fill", "stroke", "stroke-width"})
_INHERITED = _LOOK | {
    "fill-opacity", "stroke-opacity", "stroke-dasharray", "font-size", "font-weight", "text-anchor",
}  # fmt: skip
_SEVERAL = 3
"""Elements from which on a group around them is shorter."""
_STYLE = (
    f":root{{color:{LIGHT_INK};font-family:{STATIC_FONT}}}"
    f"@media (prefers-color-scheme:dark){{:root{{color:{DARK_INK}}}}}"
)


def make_static_svg(root: ET.Element, title: str, description: str) -> str:
    """An SVG made fit for a page: title and description in it, light and dark, compact."""
    ET.register_namespace("", _SVG)
    for element in root.iter():
        _trim_element(element)
    _number_ids(root)
    _remove_empty(root)
    _join_boxes(root)
    _group_marks(root)
    root.set("color", LIGHT_INK)
    root.set("font-family", STATIC_FONT)
    for index, (tag, text) in enumerate(
        (("title", title), ("desc", description), ("style", _STYLE))
    ):
        child = ET.Element(f"{{{_SVG}}}{tag}")
        child.text = text
        root.insert(index, child)
    return ET.tostring(root, encoding="unicode").replace(" />", "/>")


def _trim_element(element: ET.Element) -> None:
    for name in list(element.attrib):
        dropped = name in _DROPPED or _DEFAULTS.get(name) == element.get(name)
        if dropped or name.startswith("aria-") or name == "font-family":
            del element.attrib[name]
        else:
            element.set(name, _DECIMALS.sub(_round_match, element.get(name, "")))


def _number_ids(root: ET.Element) -> None:
    """Identifiers by their order in the image: Vega counts those of a process in one go."""
    ids = [element.get("id") for element in root.iter() if element.get("id")]
    numbers = {name: f"n{number}" for number, name in enumerate(ids, start=1)}
    for element in root.iter():
        for name, value in element.attrib.items():
            if name == "id":
                element.set(name, numbers[value])
            elif "url(#" in value:
                element.set(
                    name, _REFERENCE.sub(lambda at: f"url(#{numbers.get(at[1], at[1])})", value)
                )


def _round_match(match: re.Match[str]) -> str:
    text = f"{float(match.group()):.2f}".rstrip("0").rstrip(".")
    return "0" if text == "-0" else text


def _remove_empty(element: ET.Element) -> None:
    """Groups and texts that draw nothing go, innermost first."""
    for child in list(element):
        _remove_empty(child)
        tag = child.tag.rpartition("}")[2]
        nothing = not len(child) and not child.text
        if (tag in ("g", "text") and nothing) or (tag == "path" and not _is_visible(child)):
            element.remove(child)


def _is_visible(path: ET.Element) -> bool:
    return bool(path.get("d")) and not (
        path.get("fill", "none") == "none" and path.get("stroke", "none") == "none"
    )


def _join_boxes(element: ET.Element) -> None:
    """Boxes that follow one another and look the same become one path, which draws the same."""
    before: ET.Element | None = None
    for child in list(element):
        _join_boxes(child)
        if before is not None and _is_box(child) and _get_look(child) == _get_look(before):
            before.set("d", before.get("d", "") + child.get("d", ""))
            element.remove(child)
        else:
            before = child if _is_box(child) else None


def _is_box(element: ET.Element) -> bool:
    """Whether it does not matter what is drawn first of such: one opaque colour, one direction."""
    stroke, fill = element.get("stroke"), element.get("fill")
    drawn = set(element.attrib) - {"d"} <= _LOOK and fill and stroke in (None, fill)
    return bool(drawn) and not len(element) and bool(_BOX.match(element.get("d", "")))


def _get_look(element: ET.Element) -> dict[str, str]:
    return {name: value for name, value in element.attrib.items() if name in _INHERITED}


def _group_marks(element: ET.Element) -> None:
    """Marks that follow one another and look the same get their look from a group around them."""
    for child in element:
        _group_marks(child)
    children: list[ET.Element] = []
    for look, run in groupby(
        list(element), key=lambda child: None if len(child) else _get_look(child)
    ):
        marks = list(run)
        if not look or len(marks) < _SEVERAL:
            children += marks
            continue
        group = ET.Element(f"{{{_SVG}}}g", look)
        for mark in marks:
            mark.attrib = {name: value for name, value in mark.items() if name not in look}
        group.extend(marks)
        children.append(group)
    element[:] = children
