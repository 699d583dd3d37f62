"""Images that are drawn here are Vega's, element by element; what is unknown here Vega renders."""

from __future__ import annotations

import json
import math
import random
import re
import xml.etree.ElementTree as ET
from collections.abc import Iterator, Mapping, Sequence
from contextlib import suppress
from http.server import BaseHTTPRequestHandler, HTTPServer
from itertools import pairwise
from threading import Thread
from typing import Any

import pytest
import vl_convert

from perfolio.charts.drawing.formulas import NotDrawnError, compile_formula, spell_value
from perfolio.charts.drawing.number_formats import (
    UnknownFormatError,
    format_number,
    format_precise,
    format_tick,
    list_ticks,
)
from perfolio.charts.drawing.static_images import draw_chart
from perfolio.charts.gallery_rendering import (
    hide_fonts,
    load_gallery,
    make_live_spec,
    make_static_spec,
    render_svg,
)
from perfolio.charts.svg import make_static_svg
from perfolio.charts.theme import PALETTE, ROLES
from tests.charts.support import Case, cases

CHARTS = 100
SEED = 20261130
LEFT = {"collective_bandwidth", "scaling_efficiency"}
"""Charts that Vega renders: lines with points, along a logarithmic axis without values."""
MARKUP = "<script>alert(1)</script>\" onload='x' &#0;]]>\u202e<!--"
LAST = 40
"""Elements around the first difference that a failure shows."""


def images(spec: Mapping[str, Any]) -> tuple[str, str]:
    """What is drawn here, and what Vega draws, each as it comes into a page."""
    drawn = draw_chart(spec)
    assert drawn is not None, "not drawn"
    # As numbers, not as text: vl-convert reads the last digit of some numbers otherwise.
    with hide_fonts():
        vega = vl_convert.vegalite_to_svg(dict(spec), allowed_base_urls=[])
    return make_static_svg(drawn, "t", "d"), make_static_svg(ET.fromstring(vega), "t", "d")


def check(spec: Mapping[str, Any]) -> None:
    ours, vegas = (image.replace("><", ">\n<").split("\n") for image in images(spec))
    pairs = zip(ours, vegas, strict=False)
    first = next((number for number, (one, other) in enumerate(pairs) if one != other), -1)
    near = slice(max(0, first - 3), first + LAST)
    assert ours[near] == vegas[near], json.dumps({**spec, "config": "..."})[:3000]
    assert ours == vegas


def specs(case: Case) -> Iterator[dict[str, Any]]:
    chart = load_gallery()[case.chart]
    figure = chart.draw(case.results)
    if figure is not None:
        spec = make_static_spec(make_live_spec(chart.name, figure))
        yield json.loads(json.dumps(spec))


@pytest.mark.parametrize(
    "case", [case for case in cases() if case.chart not in LEFT], ids=lambda case: case.name
)
def test_each_chart_of_the_gallery_is_drawn_as_vega_draws_it(case: Case) -> None:
    for spec in specs(case):
        check(spec)


def rename(part: Any, names: Mapping[str, str]) -> Any:
    """A part of a specification with other words in place of names, wherever they stand alone."""
    if isinstance(part, dict):
        return {key: rename(value, names) for key, value in part.items()}
    if isinstance(part, list):
        return [rename(value, names) for value in part]
    return names.get(part, part) if isinstance(part, str) else part


def find_names(part: Any) -> Iterator[str]:
    """All texts in rows of data."""
    if isinstance(part, dict):
        rows = part["values"] if isinstance(part.get("values"), list) else []
        for row in (row for row in rows if isinstance(row, dict)):
            yield from (cell for cell in row.values() if isinstance(cell, str))
        for value in part.values():
            yield from find_names(value)
    elif isinstance(part, list):
        for value in part:
            yield from find_names(value)


@pytest.mark.parametrize("case", cases(), ids=lambda case: case.name)
def test_names_that_are_markup_are_text_of_an_image(case: Case) -> None:
    for spec in specs(case):
        names = {name: f"{name}{MARKUP}" for name in find_names(spec) if name not in ROLES}
        drawn = draw_chart(rename(spec, names))
        if drawn is None:  # a colour or a role has become a name that is none
            continue
        image = ET.fromstring(make_static_svg(drawn, MARKUP, MARKUP))
        parts = [part.tag.rpartition("}")[2] for part in image.iter()]
        assert not {"script", "foreignObject", "iframe", "image", "a"} & set(parts)
        attributes = [name.lower() for part in image.iter() for name in part.attrib]
        assert not [name for name in attributes if name.startswith("on") or "href" in name]


class RandomChart:
    """A chart of views over one another, as the gallery has them, of random data."""

    def __init__(self, seed: int) -> None:
        self.random = random.Random(seed)
        self.size = self.random.randint(30, 300)
        self.scales = {channel: self._scale() for channel in ("x", "y")}
        self.axes = {channel: self._axis(channel) for channel in ("x", "y")}
        self.legend = self._legend()

    def spec(self) -> dict[str, Any]:
        layers = [self._layer() for _ in range(self.random.randint(1, 5))]
        return make_static_spec({
            "$schema": "https://vega.github.io/schema/vega-lite/v6.1.0.json",
            "description": "Random.",
            "height": self.size,
            "layer": layers,
            "width": "container",
            "autosize": {"type": "fit-x", "contains": "padding"},
        })  # fmt: skip

    def _scale(self) -> dict[str, Any]:
        low = self.random.choice([0.0, 0.0, 1e-6, 3.5, 1e3, -20.0])
        high = low + 10.0 ** self.random.uniform(-3, 6)
        if low > 0 and self.random.random() < 0.4:
            return {"domain": [low, low * 10.0 ** self.random.uniform(1, 6)], "type": "log",
                    "nice": False}  # fmt: skip
        ends = [low, high] if self.random.random() < 0.7 else [high, low]
        nice = self.random.random() < 0.2 and ends[0] < ends[1]
        padding = {"padding": 8} if not nice and self.random.random() < 0.1 else {}
        return {"domain": ends, "nice": nice, "zero": False} | padding

    def _axis(self, channel: str) -> dict[str, Any] | None:
        if self.random.random() < 0.25:
            return None
        domain = self.scales[channel]["domain"]
        axis: dict[str, Any] = {"title": self.random.choice([None, "Time (ms)", "Größe → µs"])}
        if self.scales[channel].get("type") == "log":
            power = math.floor(math.log10(min(domain)))
            axis["values"] = [10.0**each for each in range(power, power + 8)]
            axis["format"] = "~g"
        else:
            axis |= {"format": self.random.choice([",~r", "~g", ".2f", ",d", ",.3~r", "%"])}
            if self.random.random() < 0.7:
                axis["tickCount"] = self.random.choice([3, 5, 8])
        if self.random.random() < 0.3:
            axis["labelExpr"] = "datum.value >= 10 ? format(datum.value, ',~r') + ' s' : 'few'"
        if self.random.random() < 0.5:
            axis["grid"] = False
            axis["orient"] = self.random.choice(
                ["top", "bottom"] if channel == "x" else ["left", "right"]
            )
        return axis

    def _legend(self) -> dict[str, Any] | None:
        if self.random.random() < 0.5:
            return None
        names = self.random.sample(ROLES, self.random.randint(1, 6))
        return {"title": None, "values": names, "symbolType": "square"}

    def _place(self, channel: str, name: str) -> dict[str, Any]:
        return {
            "field": name, "type": "quantitative", "axis": self.axes[channel],
            "scale": self.scales[channel],
        }  # fmt: skip

    def _number(self, channel: str) -> float | None:
        low, high = sorted(self.scales[channel]["domain"])
        if self.random.random() < 0.05:
            return None
        if self.scales[channel].get("type") == "log":
            return math.exp(self.random.uniform(math.log(low), math.log(high)))
        return self.random.uniform(low - (high - low) / 20, high + (high - low) / 20)

    def _row(self) -> dict[str, Any]:
        ends = {each: self._number(each[0]) for each in ("x", "y")}
        row = ends | {f"{each}2": self._number(each) or low or 1.0 for each, low in ends.items()}
        name = self.random.choice(["gemm", 'Ä→ "quoted" <name> & more', "", "x" * 60, "copy 12"])
        return row | {"role": self.random.choice(ROLES), "name": name, "much": self.random.random()}

    def _layer(self) -> dict[str, Any]:
        kind = self.random.choice(["rect", "rect", "text", "rule", "point", "line", "tick"])
        encoding = {"x": self._place("x", "x"), "y": self._place("y", "y")}
        mark: dict[str, Any] = {"type": kind}
        if self.random.random() < 0.4:
            mark["clip"] = True
        getattr(self, f"_add_{kind}")(mark, encoding)
        rows = [self._row() for _ in range(self.random.choice([1, 3, 12]))]
        layer: dict[str, Any] = {"data": {"values": rows}, "mark": mark, "encoding": encoding}
        if "detail" not in encoding and self.random.random() < 0.3:
            layer["transform"] = [{"filter": "datum.much * width > 200"}]
        return layer

    def _add_color(self, encoding: dict[str, Any]) -> None:
        encoding["color"] = {
            "field": "role", "type": "nominal", "legend": self.legend,
            "scale": {"domain": list(ROLES)},
        }  # fmt: skip

    def _add_rect(self, mark: dict[str, Any], encoding: dict[str, Any]) -> None:
        encoding |= {"x2": {"field": "x2"}, "y2": {"field": "y2"}}
        if self.random.random() < 0.5:
            self._add_color(encoding)
        else:
            mark["style"] = self.random.choice(["pf-track", "pf-lens", "pf-frame", "pf-operation"])
        formula: dict[str, Any] = {} if self.legend else {"fillOpacity": {"expr": "datum.much"}}
        mark |= self.random.choice([{}, {"cornerRadius": 2}, formula])

    def _add_text(self, mark: dict[str, Any], encoding: dict[str, Any]) -> None:
        encoding["text"] = {"field": "name", "type": "nominal"}
        mark["style"] = self.random.choice(["pf-name", "pf-value", "pf-note", "pf-on-pale"])
        mark |= self.random.choice(
            [{}, {"dx": 5}, {"align": "right", "baseline": "bottom", "dy": -3}]
        )
        mark |= self.random.choice([{}, {"limit": {"expr": "max(20, width - 500)"}}, {"limit": 70}])

    def _add_rule(self, mark: dict[str, Any], encoding: dict[str, Any]) -> None:
        mark["style"] = self.random.choice(["pf-limit", "pf-guide", "pf-whisker"])
        gone = self.random.choice(["x", "y", ""])
        encoding.pop(gone, None)
        if not gone:
            encoding["x2"] = {"field": "x2"}

    def _add_point(self, mark: dict[str, Any], encoding: dict[str, Any]) -> None:
        mark["filled"] = True
        mark |= self.random.choice([{"style": "pf-dot"}, {"opacity": 0.9, "size": 46}, {}])
        if self.random.random() < 0.4:
            encoding["size"] = {
                "field": "much", "type": "quantitative", "legend": None,
                "scale": {"range": [24, 900]},
            }  # fmt: skip
        elif self.legend is None and self.random.random() < 0.5:
            encoding["shape"] = {
                "field": "role", "type": "nominal", "legend": None,
                "scale": {
                    "domain": list(ROLES),
                    "range": ["circle", "square", "diamond", "triangle-up", "triangle-down"],
                },
            }  # fmt: skip

    def _add_line(self, mark: dict[str, Any], encoding: dict[str, Any]) -> None:
        mark |= {"style": "pf-limit"} | self.random.choice([{}, {"interpolate": "step-after"}])
        if self.random.random() < 0.5:
            encoding["detail"] = {"field": "role", "type": "nominal"}

    def _add_tick(self, mark: dict[str, Any], _encoding: dict[str, Any]) -> None:
        mark["style"] = "pf-cap"


@pytest.mark.slow
@pytest.mark.parametrize("seed", range(SEED, SEED + CHARTS, 10))
def test_random_charts_are_drawn_as_vega_draws_them(seed: int) -> None:
    for number in range(seed, seed + 10):
        check(json.loads(json.dumps(RandomChart(number).spec())))


def ask_vega(rows: Sequence[Mapping[str, Any]], formula: str) -> list[str]:
    """What a formula is for each row, in Vega."""
    spec = {
        "$schema": "https://vega.github.io/schema/vega/v6.json",
        "data": [{"name": "rows", "values": list(rows)}],
        "marks": [{
            "type": "text", "from": {"data": "rows"},
            "encode": {"update": {"text": {"signal": f"'@' + ({formula}) + '@'"}}},
        }],
    }  # fmt: skip
    return re.findall(r">@([^<]*)@<", vl_convert.vega_to_svg(spec, allowed_base_urls=[]))


FORMATS = [
    ",~r",
    "~g",
    ".4~f",
    ".4~r",
    ".3~r",
    ",d",
    ".2f",
    "~r",
    ",.1f",
    "",
    ",",
    ".1%",
    "~e",
    ".3e",
]


@pytest.mark.parametrize("form", FORMATS)
def test_numbers_are_written_as_d3_writes_them(form: str) -> None:
    chance = random.Random(SEED)
    numbers = [0.0, 0.5, 1.5, 2.5, -2.5, 0.125, 1e15, 1e-7, 1234567.0, -0.001, 999999.5, 0.1 + 0.2]
    numbers += [chance.choice([1, -1]) * 10 ** chance.uniform(-9, 14) for _ in range(200)]
    rows = [{"value": number} for number in numbers]
    formula = f"format(datum.value, '{form}') + ' ' + datum.value"
    ours = [spell_value(compile_formula(formula)(row, {})) for row in rows]
    assert ours == ask_vega(rows, formula)


def test_unknown_formats_are_not_written() -> None:
    for form in ("s", "~s", "+d", "$,.2f", "08.2f", "x"):
        with pytest.raises(UnknownFormatError):
            format_number(1.0, form)


def test_ticks_are_round_and_within() -> None:
    chance = random.Random(SEED)
    for _ in range(300):
        start, size = chance.uniform(-1e3, 1e3), 10 ** chance.uniform(-4, 6)
        ticks = list_ticks(start, start + size, 5)
        assert ticks == sorted(ticks)
        assert all(start <= tick <= start + size for tick in ticks)
        steps = {float(f"{b - a:.6g}") for a, b in pairwise(ticks)}
        assert len(steps) <= 1
        assert all(f"{step:e}"[0] in "125" for step in steps)
    assert list_ticks(0.0, 1.0, 5) == [0.0, 0.2, 0.4, 0.6, 0.8, 1.0]
    assert list_ticks(1.0, 0.0, 2) == [1.0, 0.5, 0.0]
    assert list_ticks(3.0, 3.0, 5) == [3.0]
    assert list_ticks(0.0, 1.0, 0) == []
    assert format_tick(0.2, (0.0, 1.0), 5, "") == "0.2"
    assert format_precise(1234.5, "") == "1,234.5"


FORMULAS = [
    "datum.a + datum.b * 2 - 1 / datum.b",
    "datum.a > 0 ? 'more' : datum.a < 0 ? 'less' : 'none'",
    "!datum.word && datum.a !== 0 || datum.b >= 3",
    "(datum.a || datum.word) + ' ' + (datum.b && datum.word)",
    "indexof(['a', 'b'], datum.word) >= 0",
    "max(datum.a, -datum.b, 0.5) + min(1e3, datum['a'])",
    "floor(datum.a) + ceil(datum.b) + round(datum.a) + abs(datum.a) + sqrt(abs(datum.b))",
    "isValid(datum.a) + ' ' + (datum.word == 'b') + (null ? 1 : true)",
    'datum.word === "" ? -1 : +datum.a',
]  # fmt: skip


@pytest.mark.parametrize("formula", FORMULAS)
def test_formulas_are_computed_as_vega_computes_them(formula: str) -> None:
    chance = random.Random(SEED)
    rows = [
        {
            "a": chance.choice([0, -2.5, 0.1, 3, chance.uniform(-1e6, 1e6)]),
            "b": chance.choice([1, 0.25, -4, chance.random()]),
            "word": chance.choice(["", "a", "b c"]),
        }
        for _ in range(60)
    ]
    ours = [spell_value(compile_formula(formula)(row, {})) for row in rows]
    assert ours == ask_vega(rows, formula)


@pytest.mark.parametrize(
    "formula",
    [
        "datum.a +",
        "(1",
        "random()",
        "datum.a ~ 2",
        "[1",
        "unknown",
        "datum.a.b",
        "1 2",
        "'a' * 2",
        ")",
    ],
)
def test_other_formulas_are_not_computed(formula: str) -> None:
    with pytest.raises(NotDrawnError):
        compile_formula(formula)({"a": 1.0}, {})


PLACE = {
    "field": "a",
    "type": "quantitative",
    "axis": None,
    "scale": {"domain": [0, 2], "nice": False},
}
KNOWN: dict[str, Any] = {
    "data": {"values": [{"a": 1.0, "b": "é → 中文"}]},
    "mark": {"type": "text"},
    "encoding": {"x": PLACE, "y": PLACE, "text": {"field": "b", "type": "nominal"}},
}
SAID = KNOWN["encoding"]
NAMED = {"field": "b", "type": "nominal", "legend": None, "scale": {"domain": ["é → 中文"]}}
UNAXED = {name: said for name, said in PLACE.items() if name != "axis"}
NO_NAMES: dict[str, Any] = {"title": None, "values": []}
UNKNOWN: dict[str, dict[str, Any]] = {
    "mark": {"mark": {"type": "area"}},
    "points of a line": {"mark": {"type": "line", "point": True}},
    "data": {"data": {"url": "data.json"}},
    "channel": {"encoding": SAID | {"href": {"field": "b"}}},
    "part of a channel": {"encoding": SAID | {"x": PLACE | {"bin": True}}},
    "type": {"encoding": SAID | {"x": PLACE | {"type": "temporal"}}},
    "field": {"encoding": SAID | {"x": PLACE | {"field": "a.b"}}},
    "scale": {"encoding": SAID | {"x": PLACE | {"scale": {"type": "sqrt"}}}},
    "axis": {"encoding": SAID | {"x": PLACE | {"axis": {"title": "", "offset": 3}}}},
    "title of an axis": {"encoding": SAID | {"x": PLACE | {"axis": {}}}},
    "transformation": {"transform": [{"aggregate": [], "groupby": []}]},
    "scale of one number": {"encoding": SAID | {"x": PLACE | {"scale": {"domain": [2, 2]}}}},
    "tiny scale": {"encoding": SAID | {"x": PLACE | {"scale": {"domain": [0, 4e-315]}}}},
    "logarithm of 0": {
        "encoding": SAID | {"x": PLACE | {"scale": {"domain": [0, 2], "type": "log"}}}
    },
    "place without an axis": {"encoding": SAID | {"x": UNAXED}},
    "property of a mark": {"mark": {"type": "text", "fontStyle": "italic"}},
    "colour by a formula": {"mark": {"type": "text", "color": {"expr": "'red'"}}},
    "colour of a value": {"encoding": SAID | {"color": {"value": "red"}}},
    "colour of no domain": {"encoding": SAID | {"color": NAMED | {"scale": {"domain": ["c"]}}}},
    "number as text": {"data": {"values": [{"a": "1.5", "b": ""}]}},
    "missing field": {"data": {"values": [{"a": 1.5}]}},
    "infinite number": {"transform": [{"calculate": "1 / 0", "as": "a"}]},
    "empty legend": {"encoding": SAID | {"color": NAMED | {"legend": NO_NAMES}}},
    "lines by the width": {
        "mark": "line", "transform": [{"filter": "datum.a < width"}],
        "encoding": {"x": PLACE, "y": PLACE, "detail": {"field": "b", "type": "nominal"}},
    },
    "fit": {"autosize": "pad"},
    "part of a chart": {"title": "A title"},
    "parameter": {"params": [{"name": "one", "expr": "1"}]},
    "selection": {"params": [{"name": "one", "select": "point", "value": [{"a": 1}]}]},
}  # fmt: skip


def known(**other: Any) -> dict[str, Any]:
    chart = {"height": 40, "autosize": {"type": "fit-x", "contains": "padding"}}
    return make_static_spec({**chart, **KNOWN, **other})


def test_what_is_known_is_drawn() -> None:
    check(known())


@pytest.mark.parametrize("name", UNKNOWN)
def test_what_is_not_known_is_left_to_vega(name: str) -> None:
    assert draw_chart(known(**UNKNOWN[name])) is None


def test_vega_renders_what_is_left_to_it() -> None:
    spec = known(mark={"type": "area"})
    assert "<svg" in render_svg(json.dumps(spec))
    with pytest.raises(ValueError, match="vl_spec"):
        render_svg("{")


def test_an_image_of_vega_loads_nothing() -> None:
    asked: list[str] = []

    class Server(BaseHTTPRequestHandler):
        def do_GET(self) -> None:
            asked.append(self.path)
            self.send_error(404)

    with HTTPServer(("127.0.0.1", 0), Server) as server:
        Thread(target=server.serve_forever, daemon=True).start()
        data = {"url": f"http://127.0.0.1:{server.server_port}/data.json"}
        with suppress(ValueError):
            render_svg(json.dumps(known(data=data)))
        server.shutdown()
    assert asked == []


def test_colours_of_roles_are_those_of_the_theme() -> None:
    data, mark = {"values": [{"a": 1.0, "b": "é"}]}, {"type": "point", "filled": True}
    spec = known(data=data, mark=mark, encoding={
        "x": PLACE, "y": PLACE,
        "color": {"field": "b", "type": "nominal", "legend": None, "scale": {"domain": ["é"]}},
    })  # fmt: skip
    drawn = draw_chart(spec)
    assert drawn is not None
    assert PALETTE[ROLES[0]] in {element.get("fill") for element in drawn.iter()}
