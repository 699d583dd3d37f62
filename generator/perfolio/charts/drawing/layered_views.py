"""What a specification says, layer by layer: data, marks, scales, axes and the legend.

Of Vega-Lite this is views over one another, with numbers on both axes and all domains said.
"""

from __future__ import annotations

import math
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Any

from perfolio.charts.drawing.formulas import (
    NotDrawnError,
    Row,
    compile_formula,
    is_true,
)
from perfolio.charts.drawing.geometry import NameScale
from perfolio.charts.drawing.guides import Axis, Legend

Said = Mapping[str, Any]
NumberedRow = tuple[int, Row]
"""A row with its place in the data."""

_TOP = frozenset({
    "$schema", "autosize", "config", "data", "description", "encoding", "height", "layer", "mark",
    "name", "params", "resolve", "transform", "usermeta", "width",
})  # fmt: skip
_VIEW = frozenset({"data", "encoding", "layer", "mark", "name", "transform"})
_NAMED = frozenset({"field", "legend", "scale", "type"})
_PLACED = frozenset({"axis", "field", "scale", "type"})
_CHANNELS: Mapping[str, Sequence[frozenset[str]]] = {
    "color": (_NAMED,),
    "detail": (frozenset({"field", "type"}),),
    "opacity": (frozenset({"condition", "value"}),),
    "shape": (_NAMED,),
    "size": (_NAMED, frozenset({"condition", "value"})),
    "stroke": (_NAMED,),
    "text": (frozenset({"field", "type"}),),
    "x": (_PLACED, frozenset({"value"})),
    "x2": (frozenset({"field"}), frozenset({"value"})),
    "y": (_PLACED, frozenset({"value"})),
    "y2": (frozenset({"field"}), frozenset({"value"})),
}
"""What may be said of each channel, in one of several ways."""
_MARK = frozenset({
    "align", "angle", "baseline", "clip", "color", "cornerRadius", "dx", "dy", "fill",
    "fillOpacity", "filled", "fontSize", "fontWeight", "interpolate", "limit", "opacity", "shape",
    "size", "stroke", "strokeDash", "strokeOpacity", "strokeWidth", "style", "thickness", "type",
})  # fmt: skip
_PLACE_SCALE = frozenset({"domain", "nice", "padding", "type", "zero"})
_MARKS = {
    "line": "line", "point": "symbol", "rect": "rect", "rule": "rule", "text": "text",
    "tick": "rect",
}  # fmt: skip
"""Marks of Vega-Lite, and what Vega calls them."""
_FAINT_POINT = 0.7


@dataclass(frozen=True)
class View:
    """One mark of a chart with its data."""

    kind: str
    """As Vega calls the mark."""
    said: Said
    """Of the mark."""
    encoding: Mapping[str, Said]
    rows: Sequence[Row]
    transforms: Sequence[Said]
    config: Mapping[str, Any]
    layer: int
    """At the top of the chart."""
    is_clipped: bool
    """Whether it ends where the view does."""

    @property
    def is_filled(self) -> bool:
        """Whether its colour fills it; else it is that of its outline."""
        return self.kind in ("rect", "text") or bool(self.said.get("filled"))

    def list_parts(self) -> list[str]:
        """Fields by which it is several lines."""
        said = (self.encoding.get(name, {}) for name in ("color", "detail"))
        return [each["field"] for each in said if "field" in each] if self.kind == "line" else []

    def get_property(self, name: str) -> Any:
        """What the mark, its style or the theme says; None where nothing does."""
        if name in self.said:
            return self.said[name]
        if name == "fontSize":
            return self.config.get("text", {}).get(name)
        return self.get_look(name)

    def get_look(self, name: str) -> Any:
        """What its style or the theme says; None where neither does."""
        styles = self.said.get("style", ())
        styles = [styles] if isinstance(styles, str) else list(styles)[::-1]
        places = [self.config.get("style", {}).get(each, {}) for each in styles]
        places += [self.config.get(str(self.said["type"]), {}), self.config.get("mark", {})]
        return next((place[name] for place in places if name in place), None)

    def compute_rows(self, signals: Mapping[str, Any]) -> list[NumberedRow]:
        """Its data after all transformations, less rows that have no place."""
        rows = list(enumerate(self.rows))
        for each in self.transforms:
            rows = _transform(rows, each, signals)
        if self.kind == "line":
            return rows
        needed = [
            _get_field(said)
            for channel, said in self.encoding.items()
            if said.get("type") == "quantitative" and channel in ("x", "y", "size")
        ]
        return [at for at in rows if all(_is_number(at[1][name]) for name in needed)]


@dataclass
class Chart:
    """All views of a specification, and what explains them."""

    size: tuple[float, float]
    views: list[View]
    signals: dict[str, Any]
    config: Mapping[str, Any]
    domains: dict[str, Said] = field(default_factory=dict)
    """What is said of each scale of places."""
    colours: dict[str, NameScale] = field(default_factory=dict)
    """Scales of names by channel."""
    axes: list[Axis] = field(default_factory=list)
    axis_scales: list[str] = field(default_factory=list)
    """The scale of each axis."""
    legend: Legend | None = None
    resolve: Said = field(default_factory=dict)

    def name_scale(self, channel: str, view: View) -> str:
        """The scale of a channel in a view: its own layer's, or that of all."""
        return name_part(self.resolve.get("scale", {}), channel, view)


def read_chart(spec: Said) -> Chart:
    """The parts of a specification. Raises NotDrawnError where it has others."""
    if unknown := set(spec) - _TOP:
        raise NotDrawnError(f"charts with {', '.join(sorted(unknown))}")
    if spec.get("autosize") != {"type": "fit-x", "contains": "padding"}:
        raise NotDrawnError("charts of another fit")
    config = spec["config"]
    top = {name: said for name, said in spec.items() if name in _VIEW}
    views = list(_list_views(top, (), (), config, 0, is_top=True))
    if any(each.get("bind") == "scales" for each in spec.get("params", ())):
        if "scale" in spec.get("resolve", {}):
            raise NotDrawnError("a zoom into one of several scales")
        views = [replace(each, is_clipped=each.said.get("clip", True)) for each in views]
    chart = Chart(
        (float(spec["width"]), float(spec["height"])), views, _read_signals(spec), config,
        resolve=spec.get("resolve", {}),
    )  # fmt: skip
    for view in views:
        if view.list_parts() and "width" in str(view.transforms):
            raise NotDrawnError("lines that go by the width")
        _read_scales(chart, view)
    _read_axes(chart)
    _read_legend(chart)
    return chart


def name_part(resolved: Said, channel: str, view: View) -> str:
    """The name of what is shared by all views, or by those of a layer."""
    how = resolved.get(channel, "shared")
    return channel if how == "shared" else f"{channel} {view.layer}"


def _list_views(
    said: Said, rows: Sequence[Row], transforms: Sequence[Said], config: Said, layer: int,
    *, is_top: bool = False,
) -> Iterator[View]:  # fmt: skip
    if unknown := set(said) - _VIEW:
        raise NotDrawnError(f"views with {', '.join(sorted(unknown))}")
    if "data" in said:
        if set(said["data"]) - {"values", "name"} or "values" not in said["data"]:
            raise NotDrawnError("data from elsewhere")
        rows, transforms = said["data"]["values"], ()
    transforms = [*transforms, *said.get("transform", ())]
    if "layer" in said:
        if "encoding" in said or "mark" in said:
            raise NotDrawnError("an encoding of several views")
        for number, each in enumerate(said["layer"]):
            yield from _list_views(each, rows, transforms, config, number if is_top else layer)
        return
    mark = {"type": said["mark"]} if isinstance(said["mark"], str) else said["mark"]
    _check_mark(mark)
    encoding = {name: of for name, of in said.get("encoding", {}).items() if name != "tooltip"}
    _check_encoding(encoding)
    clips = bool(mark.get("clip"))
    yield View(_MARKS[mark["type"]], mark, encoding, rows, transforms, config, layer, clips)


def _check_mark(mark: Said) -> None:
    if mark["type"] not in _MARKS or set(mark) - _MARK:
        raise NotDrawnError(f"marks of type {mark['type']} with {', '.join(sorted(mark))}")
    if any(not isinstance(mark.get(name, ""), str) for name in ("color", "fill", "stroke")):
        raise NotDrawnError("a colour that is no name of one")


def _check_encoding(encoding: Mapping[str, Any]) -> None:
    for channel, said in encoding.items():
        forms = _CHANNELS.get(channel, ())
        if not isinstance(said, Mapping) or not any(set(said) <= form for form in forms):
            raise NotDrawnError(f"a channel {channel} of another form")
        if not {"field", "value"} & set(said):
            raise NotDrawnError(f"a channel {channel} without a field")
        if "field" in said:
            _get_field(said)


def _get_field(said: Said) -> str:
    name = said["field"]
    if not isinstance(name, str) or any(sign in name for sign in ".[]\\"):
        raise NotDrawnError(f"a field {name}")
    return name


def _read_signals(spec: Said) -> dict[str, Any]:
    signals: dict[str, Any] = {"height": float(spec["height"])}
    for each in spec.get("params", ()):
        if "select" in each:
            if "value" in each:
                raise NotDrawnError("something selected at first")
        elif "value" in each:
            signals[each["name"]] = each["value"]
        else:
            raise NotDrawnError("a parameter without a value")
    return signals


def _transform(
    rows: list[NumberedRow], said: Said, signals: Mapping[str, Any]
) -> list[NumberedRow]:
    if set(said) == {"calculate", "as"}:
        formula, name = compile_formula(said["calculate"]), said["as"]
        return [(number, {**row, name: formula(row, signals)}) for number, row in rows]
    if set(said) == {"filter"} and isinstance(said["filter"], str):
        test = compile_formula(said["filter"])
        return [at for at in rows if is_true(test(at[1], signals))]
    raise NotDrawnError(f"transformations with {', '.join(sorted(said))}")


def _is_number(value: object) -> bool:
    if isinstance(value, str):
        raise NotDrawnError("a number that is a text")
    return isinstance(value, int | float) and math.isfinite(value)


def _read_scales(chart: Chart, view: View) -> None:
    for channel in ("x", "y"):
        said = view.encoding.get(channel, {})
        if "field" in said:
            _read_place_scale(chart, view, channel, said)
    for channel in ("color", "stroke", "shape"):
        said = view.encoding.get(channel, {})
        if "field" in said:
            _read_name_scale(chart, channel, said)


def _read_place_scale(chart: Chart, view: View, channel: str, said: Said) -> None:
    if said.get("type") != "quantitative":
        raise NotDrawnError(f"places by {said.get('type')}")
    scale = said.get("scale", {})
    if set(scale) - _PLACE_SCALE or scale.get("type", "linear") not in ("linear", "log"):
        raise NotDrawnError("a scale of places with more than a domain")
    known = chart.domains.setdefault(chart.name_scale(channel, view), {})
    if any(known.get(name, value) != value for name, value in scale.items()):
        raise NotDrawnError("views with different domains")
    chart.domains[chart.name_scale(channel, view)] = {**known, **scale}


def _read_name_scale(chart: Chart, channel: str, said: Said) -> None:
    scale = said.get("scale", {})
    if said.get("type") != "nominal" or set(scale) - {"domain", "range"} or "domain" not in scale:
        raise NotDrawnError(f"{channel} by other than names of a domain")
    if channel == "shape" and "range" not in scale:
        raise NotDrawnError("shapes without a range")
    found = scale.get("range", "category")
    if isinstance(found, str):
        found = chart.config["range"][found]
    made = NameScale(found, list(scale["domain"]))
    if chart.colours.setdefault(channel, made) != made:
        raise NotDrawnError(f"views with different {channel}")


def _read_axes(chart: Chart) -> None:
    """Those of a direction one after the other; what views that share one say must be the same."""
    independent = chart.resolve.get("axis", {})
    for channel in ("x", "y"):
        found: dict[str, tuple[Said, str, bool]] = {}
        hidden: set[str] = set()
        silent: set[str] = set()
        for view in chart.views:
            said = view.encoding.get(channel, {})
            if "field" not in said:
                continue
            name = name_part(independent, channel, view)
            if "axis" not in said:
                silent.add(name)
                continue
            if said["axis"] is None:
                hidden.add(name)
                continue
            other = "y" if channel == "x" else "x"
            is_crossed = "field" in view.encoding.get(other, {})
            known, scale, crossed = found.get(
                name, (said["axis"], chart.name_scale(channel, view), False)
            )
            found[name] = _merge_axes(known, said["axis"]), scale, crossed or is_crossed
        if hidden & set(found) or silent - hidden - set(found):
            raise NotDrawnError("an axis that some views hide, or of which none says anything")
        for said, scale, is_crossed in found.values():
            chart.axes.append(Axis(channel, said, is_crossed, chart.config["axis"]))
            chart.axis_scales.append(scale)


def _merge_axes(axis: Said, other: Said) -> Said:
    """One axis of two views, of which one may be without words."""
    first, second = axis.get("title"), other.get("title")
    if {**axis, "title": None} != {**other, "title": None} or (
        first and second and first != second
    ):
        raise NotDrawnError("views with different axes")
    return axis if first or "title" not in other else other


def _read_legend(chart: Chart) -> None:
    for view in chart.views:
        for channel in ("color", "stroke", "shape", "size"):
            said = view.encoding.get(channel, {})
            if "field" not in said or said.get("legend", "") is None:
                continue
            if channel != "color" or "legend" not in said:
                raise NotDrawnError(f"a legend of {channel}")
            _add_to_legend(chart, view, said["legend"])
    if chart.legend and any("shape" in view.encoding for view in chart.views):
        raise NotDrawnError("a legend beside shapes")


def _add_to_legend(chart: Chart, view: View, said: Said) -> None:
    if chart.legend is None:
        chart.legend = Legend(said, chart.config["legend"], chart.colours["color"])
        chart.legend.symbol = _find_symbol(view)
    elif chart.legend.said != said:
        raise NotDrawnError("views with different legends")
    chart.legend.uses.add("fill" if view.is_filled else "stroke")


def _find_symbol(view: View) -> dict[str, Any]:
    """How a symbol of a legend looks besides its colour."""
    names = ("fill", "fillOpacity", "stroke", "strokeOpacity", "strokeWidth", "strokeDash")
    found = {name: look for name in names if (look := view.get_look(name)) is not None}
    if view.kind == "rect" and "shape" not in view.encoding:
        found["shape"] = "square"
    if view.kind in ("rule", "line"):
        found["shape"] = "stroke"
    if any(isinstance(each, Mapping) for each in view.said.values()):
        raise NotDrawnError("a legend of marks with a formula")
    opacity = find_opacity(view)
    if opacity is not None:
        found["opacity"] = opacity
    return found


def find_opacity(view: View) -> float | None:
    """The opacity of a mark where nothing is selected; None where nothing says it."""
    said = view.encoding.get("opacity")
    if said is not None:
        condition = said.get("condition", {})
        if "field" in said or set(condition) - {"param", "value", "empty"}:
            raise NotDrawnError("an opacity by data")
        shown = condition if condition.get("empty", True) and condition else said
        return float(shown["value"])
    value = view.get_property("opacity")
    if value is None and view.said["type"] in ("point", "tick"):
        return _FAINT_POINT
    if value is not None and not isinstance(value, int | float):
        raise NotDrawnError("an opacity by a formula")
    return value
