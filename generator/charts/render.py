"""Every chart of the gallery, drawn from the results of one run and rendered to its files."""

from __future__ import annotations

import hashlib
import importlib
import json
import pkgutil
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from generator.charts.data import MAX_MARKS
from generator.charts.model import Figure, Rendered
from generator.charts.svg import static_svg
from generator.charts.table import table_csv
from generator.charts.theme import STATIC_WIDTH, config
from generator.errors import ContentError, OutputError
from generator.metrics.model import Results

_STATIC_FORM = 2
"""Raise it when `static_svg` writes something else, so that cached images are not used."""


@dataclass(frozen=True)
class Chart:
    """A module of the gallery."""

    name: str
    group: str
    """Page that shows it."""
    order: int
    """Its place among the charts of that page."""
    question: str
    """What it answers: the first line of the module's docstring."""
    draw: Callable[[Results], Figure | None]


def load_gallery() -> dict[str, Chart]:
    """All charts by name, those of a page in its order. ContentError: a module lacks a part."""
    package = importlib.import_module("generator.charts.gallery")
    charts = [
        _chart(module.name)
        for module in pkgutil.iter_modules(package.__path__)
        if not module.name.startswith("_")
    ]
    ordered = sorted(charts, key=lambda chart: (chart.group, chart.order, chart.name))
    return {chart.name: chart for chart in ordered}


def render_all(results: Results, *, cache: Path | None = None) -> dict[str, Rendered]:
    """The charts that `results` have data for, by name.

    `cache` is a folder for static images, named by the hash of what they are drawn from.
    Raises OutputError where it cannot be written.
    """
    # 0.3 s to import: only where there are charts.
    from altair.utils.schemapi import debug_mode

    drawn = ((chart, chart.draw(results)) for chart in load_gallery().values())
    # A third of the time would go into validating each part: the tests validate every chart.
    with debug_mode(False):  # noqa: FBT003 - Altair's own interface
        return {
            chart.name: render(chart, figure, results, cache)
            for chart, figure in drawn
            if figure is not None
        }


def render(chart: Chart, figure: Figure, results: Results, cache: Path | None) -> Rendered:
    """The files of one figure. Raises ContentError where it draws too many marks."""
    spec = live_spec(chart.name, figure)
    return Rendered(
        name=chart.name,
        group=chart.group,
        title=figure.title,
        description=figure.description,
        metric=figure.metric,
        note=figure.note,
        svg=_static(spec, figure, cache),
        spec=json.dumps(spec, allow_nan=False),
        csv=table_csv(results, figure.metric, figure.metrics),
        metrics=figure.metrics,
    )


def live_spec(name: str, figure: Figure) -> dict[str, Any]:
    """The Vega-Lite specification for the page: as wide as its box, without a theme."""
    # As for the parts (render_all): validating inline data takes as long as all else.
    spec: dict[str, Any] = figure.chart.to_dict(validate=False)
    spec.pop("config", None)  # Altair's defaults: the theme of the page decides.
    spec["width"] = "container"
    spec["autosize"] = {"type": "fit-x", "contains": "padding"}
    spec["description"] = figure.description
    rows = max(_row_counts(spec), default=0)
    if rows > MAX_MARKS:
        raise ContentError(f"chart {name} draws {rows:,} marks", hint=f"at most {MAX_MARKS:,}")
    return spec


def _row_counts(view: dict[str, Any]) -> Iterator[int]:
    """Rows of the data of each view: every chart carries its own, inline."""
    yield len(view.get("data", {}).get("values", ()))
    for layer in view.get("layer", ()):
        yield from _row_counts(layer)


def static_spec(spec: dict[str, Any]) -> dict[str, Any]:
    """`spec` for the static image: of fixed width, with the theme that knows no palette."""
    return {**spec, "width": STATIC_WIDTH, "config": config("static")}


def _static(spec: dict[str, Any], figure: Figure, cache: Path | None) -> str:
    fixed = json.dumps(static_spec(spec), sort_keys=True, allow_nan=False)
    key = hashlib.sha256(f"{_STATIC_FORM}\n{figure.title}\n{fixed}".encode()).hexdigest()
    known = cache / f"{key}.svg" if cache is not None else None
    if known is not None and known.is_file():
        return known.read_text(encoding="utf-8")
    svg = static_svg(_vega_svg(fixed), figure.title, figure.description)
    if known is not None:
        _keep(known, svg)
    return svg


def _vega_svg(spec: str) -> str:
    # 0.3 s to import: only where an image is not in the cache.
    import vl_convert

    return vl_convert.vegalite_to_svg(spec, allowed_base_urls=[])


def _keep(path: Path, svg: str) -> None:
    """Write beside and rename, so that no reader sees half an image."""
    part = path.with_suffix(".part")
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
        part.write_text(svg, encoding="utf-8")
        part.replace(path)
    except OSError as error:
        raise OutputError(
            f"{path}: {error.strerror}", hint="choose another cache folder"
        ) from error


def _chart(name: str) -> Chart:
    module = importlib.import_module(f"generator.charts.gallery.{name}")
    group, order, draw = (getattr(module, part, None) for part in ("GROUP", "ORDER", "draw"))
    if not isinstance(group, str) or not isinstance(order, int) or not callable(draw):
        raise ContentError(f"{module.__file__}: a chart needs GROUP, ORDER and draw")
    if not module.__doc__:
        raise ContentError(f"{module.__file__}: a chart needs a docstring, its question")
    return Chart(name, group, order, module.__doc__.strip().splitlines()[0], draw)
