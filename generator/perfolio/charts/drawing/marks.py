"""Marks as Vega writes them: rectangles, texts, rules, points and lines, with their boxes.

An item is what one row of the data becomes: its properties by the names that Vega gives them.
"""

from __future__ import annotations

import math
import xml.etree.ElementTree as ET
from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import Any

from perfolio.charts.drawing.formulas import NotDrawnError
from perfolio.charts.drawing.geometry import Box, TextLook
from perfolio.charts.drawing.number_formats import write_number

Item = Mapping[str, Any]

_ROUND = 0.448084975506
"""How far from its end the handle of a rounded corner is, in radii: vega-scenegraph's rectangle."""
_STYLE = {
    "fill": "fill",
    "fillOpacity": "fill-opacity",
    "stroke": "stroke",
    "strokeOpacity": "stroke-opacity",
    "strokeWidth": "stroke-width",
    "strokeCap": "stroke-linecap",
    "strokeJoin": "stroke-linejoin",
    "strokeDash": "stroke-dasharray",
    "strokeDashOffset": "stroke-dashoffset",
    "opacity": "opacity",
}
"""Properties that become attributes, in their order."""
_ANCHORS = {"left": "start", "center": "middle", "right": "end"}
_HALF_ROOT_3 = math.sqrt(3) / 2
_POINTS: dict[str, Sequence[tuple[float, float]]] = {
    "diamond": ((-1, 0), (0, -1), (1, 0), (0, 1)),
    "triangle-up": ((0, -_HALF_ROOT_3), (-1, _HALF_ROOT_3), (1, _HALF_ROOT_3)),
    "triangle-down": ((0, _HALF_ROOT_3), (-1, -_HALF_ROOT_3), (1, -_HALF_ROOT_3)),
    "triangle-right": ((_HALF_ROOT_3, 0), (-_HALF_ROOT_3, -1), (-_HALF_ROOT_3, 1)),
    "triangle-left": ((-_HALF_ROOT_3, 0), (_HALF_ROOT_3, -1), (_HALF_ROOT_3, 1)),
}
"""Corners of shapes, in half their width."""


def make_group(place: tuple[float, float] | None = None) -> ET.Element:
    """A group, moved to a place."""
    if place is None:
        return ET.Element("g")
    return ET.Element("g", {"transform": _move(*place)})


def add_group(parent: ET.Element, place: tuple[float, float] | None = None) -> ET.Element:
    """A group in another, moved to a place."""
    group = make_group(place)
    parent.append(group)
    return group


def find_box(kind: str, items: Sequence[Item]) -> Box:
    """The box around all items of a mark."""
    box = Box()
    for each in items if kind != "line" else items[:1]:
        found = _find_line(items) if kind == "line" else _BOXES[kind](each)
        stroked = each.get("stroke") and each.get("opacity") != 0 and each.get("strokeOpacity") != 0
        wide = stroked and kind != "text"
        box.include(found.expand(each.get("strokeWidth", 1)) if wide else found)
    return box


def draw_items(kind: str, items: Sequence[Item], parent: ET.Element) -> None:
    """Add the elements of a mark to its group."""
    if kind == "line":
        if items:
            line = {"d": _trace_line(items)}
            parent.append(ET.Element("path", _join(line, items[0])))
        return
    parent.extend([_ELEMENTS[kind](each) for each in items])


def _join(geometry: dict[str, str], item: Item) -> dict[str, str]:
    for name, attribute in _STYLE.items():
        value = item.get(name)
        if value is None or (value == "transparent" and name in ("fill", "stroke")):
            continue
        geometry[attribute] = _write_style(value)
    return geometry


def _write_style(value: object) -> str:
    if isinstance(value, list):
        return ",".join(map(_write_style, value))
    if isinstance(value, int | float):
        return write_number(value)
    return str(value)


def _move(x: float, y: float) -> str:
    return f"translate({write_number(x)},{write_number(y)})"


def _get_place(item: Item) -> tuple[float, float]:
    return item.get("x", 0.0), item.get("y", 0.0)


def _draw_rectangle(item: Item) -> ET.Element:
    x, y = _get_place(item)
    wide, high = item["width"], item["height"]
    radius = max(0.0, min(min(wide, high) / 2, item.get("cornerRadius") or 0.0))
    if radius <= 0:
        return ET.Element("path", _join({"d": _trace_box(x, y, wide, high, write_number)}, item))
    return ET.Element("path", _join({"d": _trace_round_box(x, y, wide, high, radius)}, item))


def _trace_box(x: float, y: float, wide: float, high: float, write: Callable[[float], str]) -> str:
    return f"M{write(x)},{write(y)}h{write(wide)}v{write(high)}h{write(-wide)}Z"


def _trace_round_box(x: float, y: float, wide: float, high: float, radius: float) -> str:
    right, bottom, handle = x + wide, y + high, _ROUND * radius
    path = (
        ("M", x + radius, y), ("L", right - radius, y),
        ("C", right - handle, y, right, y + handle, right, y + radius),
        ("L", right, bottom - radius),
        ("C", right, bottom - handle, right - handle, bottom, right - radius, bottom),
        ("L", x + radius, bottom),
        ("C", x + handle, bottom, x, bottom - handle, x, bottom - radius),
        ("L", x, y + radius),
        ("C", x, y + handle, x + handle, y, x + radius, y),
    )  # fmt: skip
    return "".join(f"{sign}{','.join(map(write_number, places))}" for sign, *places in path) + "Z"


def _write_place(value: float) -> str:
    """A place in the path of a point or a line: three decimals, as d3-path rounds."""
    return write_number(math.floor(value * 1000 + 0.5) / 1000)


def _box_rectangle(item: Item) -> Box:
    x, y = _get_place(item)
    return Box(x, y, x + item["width"], y + item["height"])


def _draw_text(item: Item) -> ET.Element:
    look, x, y = get_text_look(item), *_get_place(item)
    moved = item.get("dx", 0), item.get("dy", 0) + look.drop
    if angle := item.get("angle"):
        place = f"{_move(x, y)} rotate({write_number(angle)})"
        place += f" {_move(*moved)}" if any(moved) else ""
    else:
        place = _move(x + moved[0], y + moved[1])
    drawn = {
        "text-anchor": _ANCHORS.get(look.align, "start"),
        "transform": place,
        "font-size": f"{write_number(look.size)}px",
    }
    if item.get("fontWeight") is not None:
        drawn["font-weight"] = _write_style(item["fontWeight"])
    element = ET.Element("text", _join(drawn, item))
    element.text = look.fit(item["text"])
    return element


def get_text_look(item: Item) -> TextLook:
    """What of a text's properties decides its room."""
    return TextLook(
        item["fontSize"],
        item.get("align", "left"),
        item.get("baseline", "alphabetic"),
        item.get("limit", 0.0),
    )


def _box_text(item: Item) -> Box:
    x, y = _get_place(item)
    look = get_text_look(item)
    box = look.find_box(item["text"], x + item.get("dx", 0), y + item.get("dy", 0))
    return _turn(box, item["angle"], x, y) if item.get("angle") else box


def _turn(box: Box, angle: float, x: float, y: float) -> Box:
    """The box around a box that is turned around a point by an angle [degrees]."""
    radians = angle * math.pi / 180
    cos, sin = math.cos(radians), math.sin(radians)
    middle = x - x * cos + y * sin, y - x * sin - y * cos
    turned = Box()
    for px in (box.left, box.right):
        for py in (box.top, box.bottom):
            turned.add(cos * px - sin * py + middle[0], sin * px + cos * py + middle[1])
    return turned


def _draw_rule(item: Item) -> ET.Element:
    x, y = _get_place(item)
    drawn = {
        "transform": _move(x, y),
        "x2": write_number(item.get("x2", x) - x),
        "y2": write_number(item.get("y2", y) - y),
    }
    return ET.Element("line", _join(drawn, item))


def _box_rule(item: Item) -> Box:
    x, y = _get_place(item)
    return Box().add(x, y).add(item.get("x2", x), item.get("y2", y))


def _draw_point(item: Item) -> ET.Element:
    drawn = {"transform": _move(*_get_place(item)), "d": _trace_point(item)}
    return ET.Element("path", _join(drawn, item))


def _trace_point(item: Item) -> str:
    shape, wide = item.get("shape", "circle"), math.sqrt(item["size"])
    half = wide / 2
    if shape == "circle":
        r = _write_place(half)
        minus = _write_place(-half)
        return f"M{r},0A{r},{r},0,1,1,{minus},0A{r},{r},0,1,1,{r},0"
    if shape == "square":
        return _trace_box(-half, -half, wide, wide, _write_place)
    if shape == "stroke":
        return f"M{_write_place(-half)},0L{_write_place(half)},0"
    if shape not in _POINTS:
        raise NotDrawnError(f"points of shape {shape}")
    corners = ((half * x, half * y) for x, y in _POINTS[shape])
    return "M" + "L".join(f"{_write_place(x)},{_write_place(y)}" for x, y in corners) + "Z"


def _box_point(item: Item) -> Box:
    x, y = _get_place(item)
    half = math.sqrt(item["size"]) / 2
    corners = _POINTS.get(item.get("shape", "circle"), ((-1, -1), (1, 1)))
    box = Box()
    for px, py in corners:
        box.add(x + half * px, y + half * py)
    return box


def _trace_line(items: Sequence[Item]) -> str:
    """Of places one after the other; a gap where an item has none."""
    path: list[str] = []
    before: Item | None = None
    for each in items:
        if math.isnan(each["x"]) or math.isnan(each["y"]):
            path += _end_run(path)
            before = None
            continue
        x, y = _write_place(each["x"]), _write_place(each["y"])
        step = each.get("interpolate", "linear")
        if before is None:
            path.append(f"M{x},{y}")
        elif step == "step-after":
            path.append(f"L{x},{_write_place(before['y'])}L{x},{y}")
        elif step == "linear":
            path.append(f"L{x},{y}")
        else:
            raise NotDrawnError(f"lines of {step}")
        before = each
    return "".join(path + _end_run(path))


def _end_run(path: Sequence[str]) -> list[str]:
    """Closes a line of one place."""
    return ["Z"] if path and path[-1].startswith("M") else []


def _find_line(items: Iterable[Item]) -> Box:
    box = Box()
    for each in items:
        if not (math.isnan(each["x"]) or math.isnan(each["y"])):
            box.add(each["x"], each["y"])
    return box


_BOXES: dict[str, Callable[[Item], Box]] = {
    "rect": _box_rectangle, "text": _box_text, "rule": _box_rule, "symbol": _box_point,
}  # fmt: skip
_ELEMENTS: dict[str, Callable[[Item], ET.Element]] = {
    "rect": _draw_rectangle, "text": _draw_text, "rule": _draw_rule, "symbol": _draw_point,
}  # fmt: skip
