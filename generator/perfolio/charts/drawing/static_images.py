"""The image of a chart, as wide as a page: its views, with axes and legend around them."""

from __future__ import annotations

import math
import xml.etree.ElementTree as ET
from collections.abc import Mapping, Sequence
from typing import Any

from perfolio.charts.drawing.formulas import (
    NotDrawnError,
    Row,
    compile_formula,
    is_true,
    spell_value,
)
from perfolio.charts.drawing.geometry import Box, PlaceScale, pad_domain, round_domain
from perfolio.charts.drawing.guides import PlacedAxis, PlacedLegend
from perfolio.charts.drawing.layered_views import (
    Chart,
    View,
    find_opacity,
    read_chart,
)
from perfolio.charts.drawing.marks import add_group, draw_items, find_box, make_group
from perfolio.charts.drawing.number_formats import UnknownFormatError, write_number

_SVG = "http://www.w3.org/2000/svg"
_COPIED = (
    "fillOpacity", "stroke", "strokeOpacity", "strokeWidth", "strokeDash", "cornerRadius", "limit",
    "dx", "dy", "angle", "fontWeight", "shape", "size", "interpolate",
)  # fmt: skip
"""Properties that an item has as its mark does."""
_DEFAULTS: Mapping[str, Mapping[str, object]] = {
    "symbol": {"size": 30, "strokeWidth": 2, "shape": "circle"},
    "line": {"strokeWidth": 2},
}


def draw_chart(spec: Mapping[str, Any]) -> ET.Element | None:
    """The SVG of a specification, as Vega draws it; None where it uses what is not known here."""
    try:
        return _draw(read_chart(spec))
    except (NotDrawnError, UnknownFormatError):
        return None
    except (ArithmeticError, AttributeError, LookupError, TypeError, ValueError):
        return None  # a specification that nobody thought of: Vega says what is wrong with it


def _draw(chart: Chart) -> ET.Element:
    whole, height = chart.size
    padding = float(chart.config.get("padding", 5))
    first = _Frame(chart, (whole, height))
    box = first.find_box()
    left, right = (max(0, math.ceil(each)) for each in (-box.left, box.right - whole))
    top, bottom = (max(0, math.ceil(each)) for each in (-box.top, box.bottom - height))
    width = max(0.0, whole - 2 * padding - left - right)
    frame = _Frame(chart, (width, height), first)
    size = write_number(whole), write_number(height + top + bottom + 2 * padding)
    root = ET.Element(
        f"{{{_SVG}}}svg",
        {"width": size[0], "height": size[1], "viewBox": f"0 0 {size[0]} {size[1]}"},
    )
    moved = f"translate({write_number(left + padding)},{write_number(top + padding)})"
    origin = ET.SubElement(root, "g", {"fill": "none", "transform": moved})
    frame.draw(add_group(add_group(add_group(origin), (0.0, 0.0))))
    if frame.clips:
        root.append(frame.draw_clips())
    for element in root.iter():
        if not element.tag.startswith("{"):
            element.tag = f"{{{_SVG}}}{element.tag}"
    return root


class _Frame:
    """The chart in a view of a size; Vega draws first what it had in one of another size."""

    def __init__(
        self, chart: Chart, size: tuple[float, float], before: _Frame | None = None
    ) -> None:
        self.chart, self.size = chart, size
        self.signals = {**chart.signals, "width": size[0]}
        self.clips = 0
        numbered = [view.compute_rows(self.signals) for view in chart.views]
        self.numbers = [{number for number, _ in rows} for rows in numbered]
        if before is not None:
            for rows, known in zip(numbered, before.numbers, strict=True):
                rows.sort(key=lambda at, known=known: at[0] not in known)  # type: ignore[misc]
        self.rows = [[row for _, row in rows] for rows in numbered]
        self.scales = {name: self._make_scale(name) for name in chart.domains}
        self.sizes = self._make_size_scale()
        self.axes = [
            PlacedAxis(axis, self.scales[name], size, self.signals, known)
            for axis, name, known in zip(
                chart.axes, chart.axis_scales, self._list_ticks(before), strict=True
            )
        ]

    def _list_ticks(self, before: _Frame | None) -> list[frozenset[float]]:
        if before is None:
            return [frozenset()] * len(self.chart.axes)
        return [frozenset(each.ticks) for each in before.axes]

    def find_box(self) -> Box:
        """The box around the view, its marks, axes and legend."""
        box = Box(0.0, 0.0, *self.size)
        for view, rows in zip(self.chart.views, self.rows, strict=True):
            box.include(self._find_mark_box(view, rows))
        if legend := self._place_legend():
            box.add(0.0, legend.box.top).add(0.0, legend.box.bottom)
        for axis in self.axes:
            box.include(axis.box)
        return box

    def draw(self, frame: ET.Element) -> None:
        """Add grids, axes, marks and the legend to a group."""
        frame.extend(each.draw_grid() for each in self.axes if each.axis.has_grid)
        frame.extend(each.draw() for each in self.axes)
        for view, rows in zip(self.chart.views, self.rows, strict=True):
            frame.append(self._draw_mark(view, rows))
        if legend := self._place_legend():
            frame.append(legend.draw())

    def draw_clips(self) -> ET.Element:
        """The rectangle of the view, once for each mark that ends there."""
        definitions = ET.Element("defs")
        width, height = map(write_number, self.size)
        for number in range(1, self.clips + 1):
            clip = ET.SubElement(definitions, "clipPath", {"id": f"n{number}"})
            ET.SubElement(clip, "rect", {"x": "0", "y": "0", "width": width, "height": height})
        return definitions

    def _place_legend(self) -> PlacedLegend | None:
        if self.chart.legend is None:
            return None
        tops = [0.0, *(each.box.top for each in self.axes if each.axis.is_flat)]
        for view, rows in zip(self.chart.views, self.rows, strict=True):
            if view.list_parts():  # groups, which a legend is put above
                tops.append(self._find_mark_box(view, rows).top)
        return PlacedLegend(self.chart.legend, min(tops))

    def _find_mark_box(self, view: View, rows: Sequence[Row]) -> Box:
        found = find_box(view.kind, self._make_items(view, rows))
        return found.clip(*self.size) if view.is_clipped else found

    def _make_scale(self, name: str) -> PlaceScale:
        said, (width, height) = self.chart.domains[name], self.size
        places = (0.0, width) if name.startswith("x") else (height, 0.0)
        domain, is_log = self._find_domain(name), said.get("type") == "log"
        if is_log and min(domain) <= 0:
            raise NotDrawnError("a logarithmic scale from 0")
        if is_log and (said.get("nice") or said.get("padding")):
            raise NotDrawnError("a logarithmic scale that is longer than its data")
        if padding := said.get("padding"):
            domain = pad_domain(domain, abs(places[1] - places[0]), padding)
        if not domain[0] < domain[1] and (said.get("nice") or domain[0] == domain[1]):
            raise NotDrawnError("a scale of one number, or a reversed one to its ticks")
        return PlaceScale(round_domain(domain) if said.get("nice") else domain, places, is_log)

    def _find_domain(self, name: str) -> tuple[float, float]:
        """As it is said, or from the least to the most of the data."""
        said = self.chart.domains[name]
        if isinstance(said.get("domain"), list):
            low, high = (self._find_number(each) for each in said["domain"])
            return low, high
        if said.get("nice") is not False or said.get("zero") is not False or "domain" in said:
            raise NotDrawnError("a scale of places without a domain")
        channel, values = name.partition(" ")[0], []
        for view, rows in zip(self.chart.views, self.rows, strict=True):
            for each in (channel, f"{channel}2"):
                if "field" in (place := view.encoding.get(each, {})):
                    values += [row[place["field"]] for row in rows]
        if not values or any(isinstance(value, str) or value is None for value in values):
            raise NotDrawnError("a scale of places without numbers")
        return min(values), max(values)

    def _find_number(self, value: object) -> float:
        if isinstance(value, Mapping) and set(value) == {"expr"}:
            value = compile_formula(value["expr"])({}, self.signals)
        if not isinstance(value, int | float) or isinstance(value, bool):
            raise NotDrawnError("an end of a domain that is no number")
        return float(value)

    def _make_size_scale(self) -> PlaceScale | None:
        """Of the one channel of sizes, from 0 to the most of all views."""
        most, ranges = 0.0, []
        for view, rows in zip(self.chart.views, self.rows, strict=True):
            said = view.encoding.get("size", {})
            if "field" in said:
                scale = said.get("scale", {})
                if set(scale) - {"range", "type", "zero"} or "range" not in scale:
                    raise NotDrawnError("sizes with more than a range")
                ranges.append(scale["range"])
                most = max([most, *(row[said["field"]] for row in rows)])
                if any(row[said["field"]] < 0 for row in rows):
                    raise NotDrawnError("sizes below 0")
        if not ranges:
            return None
        if any(each != ranges[0] for each in ranges):
            raise NotDrawnError("views with different sizes")
        return PlaceScale((0.0, most), (float(ranges[0][0]), float(ranges[0][1])))

    def _draw_mark(self, view: View, rows: Sequence[Row]) -> ET.Element:
        names = view.list_parts()
        if not names:
            return self._draw_items(view, self._make_items(view, rows))
        group = make_group()
        for part in _part_rows(rows, names):
            inner = add_group(add_group(group, (0.0, 0.0)))
            inner.append(self._draw_items(view, self._make_items(view, part)))
        return group

    def _draw_items(self, view: View, items: Sequence[Mapping[str, Any]]) -> ET.Element:
        group = make_group()
        if view.is_clipped:
            self.clips += 1
            group.set("clip-path", f"url(#n{self.clips})")
        draw_items(view.kind, items, group)
        return group

    def _make_items(self, view: View, rows: Sequence[Row]) -> list[dict[str, Any]]:
        maker = _ItemMaker(self, view)
        items = [maker.make_item(row) for row in rows]
        if view.kind == "line":
            items.sort(key=lambda item: -math.inf if math.isnan(item["x"]) else item["x"])
        return items


class _ItemMaker:
    """Makes items of the rows of a view: what is the same for all is found once."""

    def __init__(self, frame: _Frame, view: View) -> None:
        self.frame, self.view = frame, view
        self.encoding = view.encoding
        self.same: dict[str, Any] = dict(_DEFAULTS.get(view.kind, {}))
        self.formulas = {}
        for name in _COPIED:
            value = view.get_property(name)
            if isinstance(value, Mapping):
                self.formulas[name] = compile_formula(value["expr"])
            elif value is not None:
                self.same[name] = value
        if view.kind == "text":
            self.same["fontSize"] = view.get_property("fontSize") or 11
            self.same["align"] = view.get_property("align") or "center"
            self.same["baseline"] = view.get_property("baseline") or "middle"
        opacity = find_opacity(view)
        if opacity is not None:
            self.same["opacity"] = opacity
        self.paint = "fill" if view.is_filled else "stroke"
        colour = view.get_property(self.paint) or view.get_property("color")
        if self.paint == "fill" or view.kind in ("rule", "line", "symbol"):
            self.same[self.paint] = colour or "#4c78a8"

    def make_item(self, row: Row) -> dict[str, Any]:
        """The item of one row."""
        frame, encoding, signals = self.frame, self.encoding, self.frame.signals
        item = dict(self.same)
        for name, formula in self.formulas.items():
            item[name] = formula(row, signals)
        colours = frame.chart.colours
        if "field" in (said := encoding.get("color", {})):
            item[self.paint] = colours["color"](row[said["field"]])
        if "field" in (said := encoding.get("stroke", {})):
            item["stroke"] = colours["stroke"](row[said["field"]])
        if "field" in (said := encoding.get("shape", {})):
            item["shape"] = colours["shape"](row[said["field"]])
        if said := encoding.get("size", {}):
            item["size"] = self._find_size(said, row)
        if said := encoding.get("text", {}):
            item["text"] = spell_value(row[said["field"]])
        self._place(item, row)
        return item

    def _find_size(self, said: Mapping[str, Any], row: Row) -> float:
        if "field" in said and self.frame.sizes is not None:
            return self.frame.sizes(row[said["field"]])
        condition = said.get("condition")
        if condition is None:
            return float(said["value"])
        if set(condition) != {"test", "value"}:
            raise NotDrawnError("a size by what is selected")
        test = compile_formula(condition["test"])
        chosen = condition if is_true(test(row, self.frame.signals)) else said
        return float(chosen["value"])

    def _place(self, item: dict[str, Any], row: Row) -> None:
        """Add where it is: along an axis without a place, the whole view or its middle."""
        kind, (width, height) = self.view.kind, self.frame.size
        x, x2 = self._find_place("x", row), self._find_place("x2", row)
        y, y2 = self._find_place("y", row), self._find_place("y2", row)
        if self.view.said["type"] == "tick":
            self._place_tick(item, x, y)
            return
        if kind in ("rect", "rule"):
            x, x2 = (width, 0.0) if x is None else (x, x2)
            y, y2 = (0.0, height) if y is None else (y, y2)
        item["x"] = width / 2 if x is None else x
        item["y"] = height / 2 if y is None else y
        item |= {name: end for name, end in (("x2", x2), ("y2", y2)) if end is not None}
        if kind == "rect":
            _order_ends(item)

    def _place_tick(self, item: dict[str, Any], x: float | None, y: float | None) -> None:
        """An upright bar around a place."""
        wide, high = self.view.get_property("thickness"), self.view.get_property("size")
        if x is None or y is None or wide is None or high is None:
            raise NotDrawnError("a tick without a place or a size")
        item |= {"x": x - wide / 2, "y": y - high / 2, "width": wide, "height": high}

    def _find_place(self, channel: str, row: Row) -> float | None:
        said = self.encoding.get(channel)
        if said is None:
            return None
        if "field" in said:
            return self._scale(channel[0], row[said["field"]])
        ends = {"width": self.frame.size[0], "height": self.frame.size[1]}
        value: object = said.get("value")
        value = ends.get(value, value) if isinstance(value, str) else value
        if not isinstance(value, int | float):
            raise NotDrawnError(f"a place {value}")
        return float(value)

    def _scale(self, channel: str, value: object) -> float:
        if value is None and self.view.kind == "line":
            return math.nan  # a gap
        scale = self.frame.scales.get(self.frame.chart.name_scale(channel, self.view))
        if scale is None or not isinstance(value, int | float):
            raise NotDrawnError("a place by a text or without a scale")
        if not math.isfinite(place := scale(value)):
            raise NotDrawnError("a number that has no place")
        return place


def _order_ends(item: dict[str, Any]) -> None:
    """A rectangle's least place and its size, of the places of two corners."""
    if "x2" not in item or "y2" not in item:
        raise NotDrawnError("a rectangle of one place")
    for low, high, size in (("x", "x2", "width"), ("y", "y2", "height")):
        begin, end = item[low], item.pop(high)
        item[low], item[size] = min(begin, end), abs(end - begin)


def _part_rows(rows: Sequence[Row], names: Sequence[str]) -> list[list[Row]]:
    """Rows by what they have in these fields, in the order in which each comes first."""
    parts: dict[tuple[object, ...], list[Row]] = {}
    for row in rows:
        parts.setdefault(tuple(row.get(name) for name in names), []).append(row)
    return list(parts.values())
