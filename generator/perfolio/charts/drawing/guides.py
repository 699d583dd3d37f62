"""What explains a chart, placed as Vega places it: axes with their grids, and the legend."""

from __future__ import annotations

import math
import xml.etree.ElementTree as ET
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from itertools import pairwise
from typing import Any

from perfolio.charts.drawing.formulas import NotDrawnError, compile_formula, spell_value
from perfolio.charts.drawing.geometry import Box, NameScale, PlaceScale
from perfolio.charts.drawing.marks import add_group, draw_items, find_box, make_group
from perfolio.charts.drawing.number_formats import format_precise, format_tick, list_ticks

_HALF = 0.5
"""All axes are moved by half a pixel, for sharp lines."""
_MOST_ROOM = 200
"""How far the labels of an axis may reach before its title covers them [px]."""
_LABEL_LIMIT = 180
_PIXELS_PER_TICK = 40
_KNOWN_OF_AXES = frozenset({
    "format", "grid", "labelExpr", "labelLimit", "labelOverlap", "labels", "orient", "tickCount",
    "tickMinStep", "title", "values",
})  # fmt: skip


@dataclass(frozen=True)
class Axis:
    """What a specification says of one axis."""

    channel: str
    said: Mapping[str, Any]
    is_crossed: bool
    """Whether a scale of the other direction belongs to the same view."""
    config: Mapping[str, Any]

    def __post_init__(self) -> None:
        """Raises NotDrawnError where something else is said."""
        if unknown := set(self.said) - _KNOWN_OF_AXES:
            raise NotDrawnError(f"axes with {', '.join(sorted(unknown))}")
        if "title" not in self.said:
            raise NotDrawnError("an axis without a title of its own")
        if self.has_grid and self.orient not in ("bottom", "left"):
            raise NotDrawnError(f"a grid of an axis at the {self.orient}")

    @property
    def orient(self) -> str:
        """The side at which it is."""
        return str(self.said.get("orient", "bottom" if self.channel == "x" else "left"))

    @property
    def has_grid(self) -> bool:
        """Whether its ticks go through the view."""
        return bool(self.said.get("grid", self.config.get("grid", True)))

    @property
    def is_flat(self) -> bool:
        """Whether it is above or below the view."""
        return self.orient in ("top", "bottom")


@dataclass
class PlacedAxis:
    """An axis in a view of a size."""

    axis: Axis
    scale: PlaceScale
    size: tuple[float, float]
    """Width and height of the view [px]."""
    signals: Mapping[str, Any]
    before: frozenset[float] = frozenset()
    """Ticks in a view of another size: Vega draws first what it had there."""

    def __post_init__(self) -> None:
        """Place labels and title, and find the box around them."""
        self.ticks = list(dict.fromkeys(self._list_ticks()))
        said, config = self.axis.said, self.axis.config
        labelled = self.ticks if said.get("labels", True) else []
        self.labels = [self._place_label(each) for each in labelled]
        _hide_overlap(self.labels, said.get("labelOverlap", config.get("labelOverlap")))
        box = find_box("text", [each for each in self.labels if each.get("opacity") != 0])
        self.title = self._place_title(box)
        self.box = box.move(*self._find_origin())

    def draw(self) -> ET.Element:
        """Labels and title, in their groups."""
        axis = make_group()
        parts = add_group(add_group(axis, self._find_place()))
        draw_items("text", self._order(self.labels), add_group(parts))
        draw_items("text", self.title, add_group(parts))
        return axis

    def draw_grid(self) -> ET.Element:
        """The lines of the grid, in their groups."""
        axis = make_group()
        parts = add_group(add_group(axis, self._find_place()))
        lines = [self._place_line(each) for each in self.ticks]
        draw_items("rule", self._order(lines), add_group(parts))
        return axis

    def _order(self, items: Sequence[dict[str, Any]]) -> list[dict[str, Any]]:
        paired = sorted(
            zip(self.ticks, items, strict=False), key=lambda at: at[0] not in self.before
        )
        return [item for _, item in paired]

    def _find_origin(self) -> tuple[float, float]:
        width, height = self.size
        return {"bottom": (0.0, height), "right": (width, 0.0)}.get(self.axis.orient, (0.0, 0.0))

    def _find_place(self) -> tuple[float, float]:
        x, y = self._find_origin()
        return x + _HALF, y + _HALF

    def _count_ticks(self) -> float:
        said = self.axis.said
        if "tickCount" in said:
            count = said["tickCount"]
        elif "values" in said:
            count = len(said["values"])
        else:
            count = 10 if self.scale.is_log else math.ceil(self.scale.length / _PIXELS_PER_TICK)
        if not isinstance(count, int | float):
            raise NotDrawnError("a formula for the number of ticks")
        if (least := said.get("tickMinStep")) is not None:
            low, high = self.scale.domain
            count = min(count, math.floor(abs(high - low) / least or 1) + 1)
        return float(count)

    def _list_ticks(self) -> list[float]:
        said = self.axis.said
        if "values" not in said:
            if self.scale.is_log:
                raise NotDrawnError("a logarithmic axis without values")
            return list_ticks(*self.scale.domain, self._count_ticks())
        low, high = sorted(self.scale.places)
        placed = ((self.scale(value), value) for value in said["values"])
        valid = [each for each in placed if math.floor(low) <= each[0] <= math.ceil(high)]
        ends = self.scale.places
        return [
            value for _, value in sorted(valid, key=lambda at: at[0], reverse=ends[0] > ends[1])
        ]

    def _write_label(self, value: float) -> str:
        said = self.axis.said
        form = said.get("format", "")
        if "labelExpr" in said:
            row = {"value": value}
            return spell_value(compile_formula(said["labelExpr"])(row, self.signals))
        if self.scale.is_log:
            return format_precise(value, form)
        return format_tick(value, self.scale.domain, self._count_ticks(), form)

    def _place_label(self, value: float) -> dict[str, Any]:
        config, orient = self.axis.config, self.axis.orient
        place, padding = self.scale(value), config.get("labelPadding", 2)
        item = {
            "text": self._write_label(value),
            "fill": config.get("labelColor"),
            "fillOpacity": config.get("labelOpacity"),
            "fontSize": config.get("labelFontSize", 10),
            "limit": self.axis.said.get("labelLimit", config.get("labelLimit", _LABEL_LIMIT)),
        }
        if self.axis.is_flat:
            below = orient == "bottom"
            side = "top" if below else "bottom"
            return item | {
                "x": place, "y": padding if below else -padding,
                "align": self._align(place), "baseline": side,
            }  # fmt: skip
        left = orient == "left"
        return item | {
            "x": -padding if left else padding, "y": place,
            "align": "right" if left else "left", "baseline": "middle",
        }  # fmt: skip

    def _align(self, place: float) -> str:
        """Within a pixel of an end, a label ends where the axis does."""
        low, high = sorted(self.scale.places)
        before, after = abs(place - low), abs(high - place)
        if before < after and before <= 1:
            return "left"
        return "right" if after <= 1 else "center"

    def _place_title(self, box: Box) -> list[dict[str, Any]]:
        """The title, and in `box` the room of all."""
        orient, length = self.axis.orient, self.scale.length
        reach = {
            "top": -box.top, "left": -box.left, "right": box.right, "bottom": box.bottom,
        }[orient]  # fmt: skip
        room = max(0.0, min(_MOST_ROOM, reach))
        sign = -1 if orient in ("top", "left") else 1
        if self.axis.is_flat:
            box.add(0.0, sign * room).add(length, 0.0)
        else:
            box.add(sign * room, 0.0).add(0.0, length)
        if not self.axis.said["title"]:
            return []
        config = self.axis.config
        place, middle = sign * (room + config.get("titlePadding", 4)), self._find_middle()
        title = {
            "text": self.axis.said["title"],
            "fill": config.get("titleColor"),
            "fillOpacity": config.get("titleOpacity"),
            "fontSize": config.get("titleFontSize", 11),
            "fontWeight": config.get("titleFontWeight", "bold"),
            "align": "center",
            "baseline": "top" if orient == "bottom" else "bottom",
        } | ({"x": middle, "y": place} if self.axis.is_flat else {"x": place, "y": middle})
        if not self.axis.is_flat:
            title["angle"] = sign * 90
        box.include(find_box("text", [title]))
        return [title]

    def _find_middle(self) -> float:
        begin, end = self.scale.places
        return begin + (end - begin) * _HALF

    def _place_line(self, value: float) -> dict[str, Any]:
        config, (width, height) = self.axis.config, self.size
        place = math.floor(self.scale(value) + 0.5)
        line = {
            "stroke": config.get("gridColor"),
            "strokeOpacity": config.get("gridOpacity"),
            "strokeWidth": config.get("gridWidth", 1),
        }
        if not self.axis.is_flat:
            return line | {"x": 0.0, "x2": width, "y": place}
        begin, end = (-height, 0.0) if self.axis.is_crossed else (0.0, -height)
        return line | {"x": place, "y": begin, "y2": end}


def _hide_overlap(labels: Sequence[dict[str, Any]], method: object) -> None:
    """Every second label, until those that are left are apart."""
    if method is False:
        return
    if method != "parity":
        raise NotDrawnError(f"labels that overlap by {method}")
    boxed = [(each, find_box("text", [each])) for each in labels]
    shown = [(each, box) for each, box in boxed if box.right - box.left > 1]
    kept = shown
    while len(kept) >= 3 and _overlap([box for _, box in kept]):
        for each, _ in kept[1::2]:
            each["opacity"] = 0
        kept = kept[::2]
    if shown and len(kept) < 3 and shown[-1][0].get("opacity") == 0:
        if len(kept) > 1:
            kept[-1][0]["opacity"] = 0
        del shown[-1][0]["opacity"]


def _overlap(boxes: Sequence[Box]) -> bool:
    return any(
        max(b.left - a.right, a.left - b.right, b.top - a.bottom, a.top - b.bottom) < 0
        for a, b in pairwise(boxes)
    )


_KNOWN_OF_LEGENDS = frozenset({"columns", "labelLimit", "symbolType", "title", "values"})
_STROKE = 1.5
_LABEL_OFFSET = 4
_GAPS = 10, 2
"""Between columns and between rows of entries [px]."""
_MOST_ENTRIES = 30


@dataclass
class Legend:
    """What a specification says of a legend, and the marks that it explains."""

    said: Mapping[str, Any]
    config: Mapping[str, Any]
    colours: NameScale
    uses: set[str] = field(default_factory=set)
    """What has its colours: fill, stroke."""
    symbol: dict[str, Any] = field(default_factory=dict)
    """How the marks look besides."""

    def __post_init__(self) -> None:
        """Raises NotDrawnError where something else is said."""
        if unknown := set(self.said) - _KNOWN_OF_LEGENDS:
            raise NotDrawnError(f"legends with {', '.join(sorted(unknown))}")
        above = self.config.get("orient") == "top" and self.config.get("direction") == "horizontal"
        if not above or self.said.get("title", "") is not None:
            raise NotDrawnError("a legend elsewhere than above, or with a title")
        if not 0 < len(self.values) <= _MOST_ENTRIES or not set(self.values) <= set(
            self.colours.domain
        ):
            raise NotDrawnError("a legend of no names, of many, or of others than its colours")

    @property
    def values(self) -> list[str]:
        """The names that it explains."""
        return list(self.said.get("values", self.colours.domain))


@dataclass
class PlacedLegend:
    """A legend above a view whose upper axes reach up to a place."""

    legend: Legend
    top: float
    """The upper end of axes above the view [px]; 0 without."""

    def __post_init__(self) -> None:
        """Place all entries, and find the box around them."""
        self.entries = [self._make_entry(name) for name in self.legend.values]
        self.places = self._place_entries()
        whole = Box()
        for (x, y), (symbol, label) in zip(self.places, self.entries, strict=True):
            whole.include(_find_entry_box(symbol, label).move(x, y))
        width, height = math.ceil(whole.right), math.ceil(whole.bottom)
        offset = self.legend.config.get("offset", 18)
        self.y = math.floor(math.floor(self.top) - offset - height + 0.5)
        self.box = Box(0.0, self.y, width, self.y + height)

    def draw(self) -> ET.Element:
        """Symbols and names, in their groups."""
        legend = make_group()
        parts = add_group(add_group(legend, (0.0, self.y)))
        entries = add_group(add_group(add_group(add_group(parts), (0.0, 0.0))))
        for place, (symbol, label) in zip(self.places, self.entries, strict=True):
            entry = add_group(add_group(entries, place))
            draw_items("symbol", [symbol], add_group(entry))
            draw_items("text", [label], add_group(entry))
        return legend

    def _make_entry(self, name: str) -> tuple[dict[str, Any], dict[str, Any]]:
        legend, config = self.legend, self.legend.config
        size, font = config.get("symbolSize", 100), config.get("labelFontSize", 10)
        wide = max(math.ceil(math.sqrt(size) + _STROKE), font)
        colour = legend.colours(name)
        symbol = {
            "x": wide * 0.5,
            "y": wide * 0.5,
            "size": size,
            "shape": config.get("symbolType", "circle"),
            "strokeWidth": _STROKE,
        }
        symbol |= legend.symbol | dict.fromkeys(sorted(legend.uses), colour)
        symbol["shape"] = legend.said.get("symbolType", symbol["shape"])
        label = {
            "x": wide + _LABEL_OFFSET,
            "y": wide * 0.5,
            "text": name,
            "align": "left",
            "baseline": "middle",
            "fill": config.get("labelColor"),
            "fontSize": font,
            "limit": legend.said.get("labelLimit", config.get("labelLimit", 160)),
        }
        return symbol, label

    def _place_entries(self) -> list[tuple[float, float]]:
        """Columns as wide as their widest entry, rows as high, entries in the middle of a row."""
        said, config = self.legend.said, self.legend.config
        boxes = [_find_entry_box(*each) for each in self.entries]
        columns = said.get("columns", config.get("columns")) or len(boxes)
        wide = [math.ceil(max(0.0, *(b.right for b in boxes[i::columns]))) for i in
                range(min(columns, len(boxes)))]  # fmt: skip
        rows = [boxes[i : i + columns] for i in range(0, len(boxes), columns)]
        high = [math.ceil(max(0.0, *(b.bottom for b in row))) for row in rows]
        places: list[tuple[float, float]] = []
        for number, box in enumerate(boxes):
            row, column = divmod(number, columns)
            x = sum(wide[:column]) + _GAPS[0] * column
            y = float(sum(high[:row]) + _GAPS[1] * row)
            if columns != 1 and (spare := high[row] - box.bottom - y) > 0:  # as Vega: of row 0
                y += spare / 2
            places.append((x, y))
        return places


def _find_entry_box(symbol: Mapping[str, Any], label: Mapping[str, Any]) -> Box:
    return find_box("symbol", [symbol]).include(find_box("text", [label]))
