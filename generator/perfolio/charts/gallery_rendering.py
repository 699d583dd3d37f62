"""Every chart of the gallery, drawn from the results of one run and rendered to its files."""

from __future__ import annotations

import importlib
import json
import os
import xml.etree.ElementTree as ET
from collections.abc import Callable, Collection, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass
from functools import cache as once
from importlib.metadata import version
from pathlib import Path
from typing import Any

from perfolio.charts.call_tree_rows import write_tree_script
from perfolio.charts.chart_csv import format_table_csv
from perfolio.charts.chart_data import MAX_MARKS, MAX_ZOOMED
from perfolio.charts.drawing.static_images import draw_chart
from perfolio.charts.gallery import list_chart_names
from perfolio.charts.model import ChartFigure, RenderedChart
from perfolio.charts.svg import make_static_svg
from perfolio.charts.theme import STATIC_WIDTH, make_theme_config
from perfolio.common.cache import Cache, make_key
from perfolio.common.content_files import code_digest
from perfolio.common.errors import ContentError
from perfolio.common.processes import leave_to_copy, map_in_copies
from perfolio.metrics.model import Results

_FONTS = "FONTCONFIG_FILE"


@dataclass(frozen=True)
class GalleryChart:
    """A module of the gallery."""

    name: str
    group: str
    """Page that shows it."""
    order: int
    """Its place among the charts of that page."""
    question: str
    """What it answers: the first line of the module's docstring."""
    draw: Callable[[Results], ChartFigure | None]


def load_gallery() -> dict[str, GalleryChart]:
    """All charts by name, those of a page in its order. ContentError: a module lacks a part."""
    charts = (_load_chart(name) for name in list_chart_names())
    ordered = sorted(charts, key=lambda chart: (chart.group, chart.order, chart.name))
    return {chart.name: chart for chart in ordered}


def render_all(results: Results, *, cache: Cache | None = None) -> dict[str, RenderedChart]:
    """The charts that `results` have data for, by name.

    With a cache the same code draws the same results once, and Vega renders an image once.
    """
    if cache is None:
        return _draw_charts(results, None)
    key = _make_charts_key(results)
    if (stored := cache.load(key)) is not None:
        return _unpack_charts(stored)
    charts = _draw_charts(results, cache)
    cache.keep(key, _pack_charts(charts))
    return charts


def render_some(
    results: Results, names: Collection[str], *, cache: Cache | None = None
) -> dict[str, RenderedChart]:
    """Those of these names alone, as `render_all` gives them."""
    return _draw_charts(results, cache, names)


def _make_charts_key(results: Results) -> str:
    """Names all that a chart may read, the code of all charts and what they are made with."""
    read = (f"{name}: {results[name]!r}" for name in sorted(results))
    return make_key(code_digest(), version("altair"), _name_renderer(), *read)


def _pack_charts(charts: Mapping[str, RenderedChart]) -> bytes:
    return json.dumps([vars(chart) for chart in charts.values()]).encode()


def _unpack_charts(stored: bytes) -> dict[str, RenderedChart]:
    charts = [
        RenderedChart(**{**chart, "metrics": tuple(chart["metrics"])})
        for chart in json.loads(stored)
    ]
    return {chart.name: chart for chart in charts}


def _draw_charts(
    results: Results, cache: Cache | None, names: Collection[str] | None = None
) -> dict[str, RenderedChart]:
    from altair.utils.schemapi import debug_mode

    charts = [one for one in load_gallery().values() if names is None or one.name in names]

    def draw(chart: GalleryChart) -> RenderedChart | None:
        figure = chart.draw(results)
        return None if figure is None else render_figure(chart, figure, results, cache)

    # A third of the time would go into validating each part: the tests validate every chart.
    with debug_mode(False):  # noqa: FBT003 - Altair's own interface
        return {one.name: one for one in map_in_copies(draw, charts) if one is not None}


def render_figure(
    chart: GalleryChart, figure: ChartFigure, results: Results, cache: Cache | None
) -> RenderedChart:
    """The files of one figure. Raises ContentError where it draws too many marks."""
    data = format_table_csv(results, figure.metric, figure.metrics)
    return render_files((chart.name, chart.group), figure, data, cache)


def render_files(
    named: tuple[str, str], figure: ChartFigure, data: str, cache: Cache | None
) -> RenderedChart:
    """The files of a figure of a name and a group, with its data as CSV.

    Raises ContentError where it draws too many marks.
    """
    name, group = named
    spec = make_live_spec(name, figure)
    return RenderedChart(
        name=name,
        group=group,
        title=figure.title,
        description=figure.description,
        metric=figure.metric,
        note=figure.note,
        svg=_make_image(spec, figure, cache),
        spec=json.dumps(spec, allow_nan=False, separators=(",", ":")),
        csv=data,
        metrics=figure.metrics,
        zoom=_name_part(figure),
        tree=write_tree_script(name, figure.tree) if figure.tree else "",
    )


def _name_part(figure: ChartFigure) -> str:
    if figure.tree:
        return str(figure.tree["key"])
    return figure.zoom.key if figure.zoom else ""


def make_live_spec(name: str, figure: ChartFigure) -> dict[str, Any]:
    """The Vega-Lite specification for the page: as wide as its box, without a theme."""
    # As for the parts (render_all): validating inline data takes as long as all else.
    spec: dict[str, Any] = figure.chart.to_dict(validate=False)
    spec.pop("config", None)  # Altair's defaults: the theme of the page decides.
    spec["width"] = "container"
    spec["autosize"] = {"type": "fit-x", "contains": "padding"}
    spec["description"] = figure.description
    if figure.zoom is not None:
        spec["usermeta"] = figure.zoom.meta()
    rows, most = max(_count_rows(spec), default=0), MAX_ZOOMED if figure.zoom else MAX_MARKS
    if rows > most:
        raise ContentError(f"chart {name} draws {rows:,} marks", hint=f"at most {most:,}")
    return spec


def _count_rows(view: dict[str, Any]) -> Iterator[int]:
    """Rows of the data of each view: every chart carries its own, inline."""
    yield len(view.get("data", {}).get("values", ()))
    for layer in view.get("layer", ()):
        yield from _count_rows(layer)


def make_static_spec(spec: dict[str, Any]) -> dict[str, Any]:
    """`spec` for the static image: of fixed width, with the theme that knows no palette."""
    drawn = {name: value for name, value in spec.items() if name != "usermeta"}
    return {**drawn, "width": STATIC_WIDTH, "config": make_theme_config("static")}


def _make_image(spec: dict[str, Any], figure: ChartFigure, cache: Cache | None) -> str:
    """The image of a specification; Vega renders what is not drawn here, and that is kept."""
    static = make_static_spec(spec)
    if (drawn := draw_chart(static)) is not None:
        return make_static_svg(drawn, figure.title, figure.description)
    fixed = json.dumps(static, sort_keys=True, allow_nan=False)
    key = make_key(_name_renderer(), figure.title, fixed)
    if cache is not None and (stored := cache.load(key)) is not None:
        return stored.decode()
    leave_to_copy()  # Vega's engine begins threads
    made = make_static_svg(ET.fromstring(render_svg(fixed)), figure.title, figure.description)  # noqa: S314 - Vega wrote it, names are escaped text
    if cache is not None:
        cache.keep(key, made.encode())
    return made


def render_svg(spec: str) -> str:
    """Vega's image of a specification, which loads nothing. ValueError: it is faulty.

    The fonts of the machine are left alone: an image is the same everywhere.
    """
    import vl_convert

    with hide_fonts():
        return str(vl_convert.vegalite_to_svg(spec, allowed_base_urls=[]))


@contextmanager
def hide_fonts() -> Iterator[None]:
    """Let vl-convert find no fonts but its own, which it looks for when it first draws."""
    before = os.environ.get(_FONTS)
    os.environ[_FONTS] = os.devnull
    try:
        yield
    finally:
        if before is None:
            del os.environ[_FONTS]
        else:
            os.environ[_FONTS] = before


@once
def _name_renderer() -> str:
    """Names what makes an image of a specification."""
    modules = (Path(__file__).with_name(name) for name in ("svg.py", "theme.py"))
    return make_key(version("vl-convert-python"), *(each.read_bytes() for each in modules))


def _load_chart(name: str) -> GalleryChart:
    module = importlib.import_module(f"perfolio.charts.gallery.{name}")
    group, order, draw = (getattr(module, part, None) for part in ("GROUP", "ORDER", "draw"))
    if not isinstance(group, str) or not isinstance(order, int) or not callable(draw):
        raise ContentError(f"{module.__file__}: a chart needs GROUP, ORDER and draw")
    if not module.__doc__:
        raise ContentError(f"{module.__file__}: a chart needs a docstring, its question")
    return GalleryChart(name, group, order, module.__doc__.strip().splitlines()[0], draw)
