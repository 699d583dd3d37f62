"""Every chart on its cases: what it says, that it can be rendered, and that it is safe."""

from __future__ import annotations

import json
import re
import xml.etree.ElementTree as ET
from collections.abc import Iterator
from functools import cache
from typing import Any

import pytest

from perfolio.charts.gallery_rendering import (
    GalleryChart,
    load_gallery,
    make_live_spec,
    render_figure,
)
from perfolio.charts.model import ChartFigure, RenderedChart
from perfolio.charts.theme import STATIC_WIDTH
from perfolio.common.cache import Cache
from perfolio.findings.chart_tables import TABLES
from perfolio.metrics import catalog
from perfolio.metrics.model import Metric
from perfolio.pages.report_rendering import list_page_names
from tests.charts.support import Case, cases, layers, with_names

ALL = cases()
DRAWN = [case for case in ALL if case.expect["title"] is not None]
HOSTILE = (
    "</script><img src=x onerror=1>\"'`${datum} {{7*7}} |x| \x00\x1b\ud800\u202e\n" + "N" * 100_000
)
EMPTY_UNITS = re.compile(
    r"\((%|B, log|FLOP/(B|s), log|"
    r"s|ms|µs|ns|CPU-s|thread-s|[kMGT]?B(/s)?|10. events|count, log|log|s, log)\)$"
)
COUNTED = {
    "CPU cost",
    "CPU threads sampled at once",
    "CPU threads seen running",
    "Iteration",
    "Rank",
    "Reading",
    "Threads",
}
"""Titles of axes that name what is counted, and so their unit; CPU cost is of an event."""


def ids(case: Case) -> str:
    return case.name


@cache
def chart_named(name: str) -> GalleryChart:
    return load_gallery()[name]


@cache
def _figure(name: str) -> ChartFigure | None:
    """Drawing and rendering take most of the time of these tests: once per case is enough."""
    case = next(case for case in ALL if case.name == name)
    return chart_named(case.chart).draw(case.results)


@cache
def _drawn(name: str) -> tuple[GalleryChart, ChartFigure]:
    figure = _figure(name)
    assert figure is not None
    return chart_named(name.partition(".")[0]), figure


def drawn(case: Case) -> tuple[GalleryChart, ChartFigure]:
    return _drawn(case.name)


@cache
def load_catalog() -> dict[str, Metric]:
    return {**catalog.load_catalog(), **TABLES}


@cache
def rendered(name: str) -> RenderedChart:
    case = next(case for case in DRAWN if case.name == name)
    return render_figure(*_drawn(name), case.results, Cache("charts"))


@cache
def image(name: str) -> ET.Element:
    return ET.fromstring(rendered(name).svg)


@cache
def spec_of(name: str) -> dict[str, Any]:
    chart, figure = _drawn(name)
    return make_live_spec(chart.name, figure)


def texts(root: ET.Element) -> list[str]:
    return [element.text or "" for element in root.iter() if element.tag.endswith("}text")]


@pytest.mark.parametrize("name", sorted(load_gallery()))
def test_a_chart_has_a_case_a_page_and_a_question(name: str) -> None:
    chart = load_gallery()[name]
    assert name in {case.name for case in ALL}
    assert chart.group in list_page_names()
    assert chart.question.endswith("?")


def test_a_case_belongs_to_a_chart() -> None:
    assert {case.chart for case in ALL} == set(load_gallery())


@pytest.mark.parametrize("case", ALL, ids=ids)
def test_cases_have_the_columns_and_units_of_the_metrics(case: Case) -> None:
    for name, result in case.results.items():
        metric = load_catalog()[name]
        columns = [(column.name, column.unit) for column in metric.columns]
        assert [(column.name, column.unit) for column in result.metric.columns] == columns
        assert result.metric.unit == metric.unit or columns


@pytest.mark.parametrize("case", ALL, ids=ids)
def test_the_title_says_the_finding(case: Case) -> None:
    figure = _figure(case.name)
    assert (figure.title if figure else None) == case.expect["title"]


@pytest.mark.parametrize("case", ALL, ids=ids)
def test_nothing_is_drawn_of_nothing(case: Case) -> None:
    assert chart_named(case.chart).draw({}) is None


@pytest.mark.parametrize("case", DRAWN, ids=ids)
def test_what_is_shown_and_said(case: Case) -> None:
    chart, figure = drawn(case)
    shown = texts(image(case.name))
    assert [text for text in case.expect.get("shows", ()) if text not in shown] == []
    assert [text for text in case.expect.get("hides", ()) if text in shown] == []
    assert case.expect.get("note", "") in figure.note
    assert case.expect.get("describes", "") in figure.description
    said = f"{figure.title} {figure.description} {figure.note}"
    assert [words for words in case.expect.get("unsaid", ()) if words in said] == []
    assert rendered(case.name).group == chart.group
    assert figure.metric in case.results


@pytest.mark.parametrize("case", DRAWN, ids=ids)
def test_the_static_image_is_an_image_and_nothing_else(case: Case) -> None:
    root = image(case.name)
    assert float(root.get("width", 0)) == pytest.approx(STATIC_WIDTH, abs=8)
    tags = {element.tag.rpartition("}")[2] for element in root.iter()}
    assert tags <= {
        "svg",
        "title",
        "desc",
        "style",
        "defs",
        "clipPath",
        "g",
        "path",
        "rect",
        "line",
        "text",
    }
    attributes = {name for element in root.iter() for name in element.attrib}
    assert not [name for name in attributes if name.startswith(("on", "aria")) or "href" in name]
    assert "class" not in attributes


@pytest.mark.parametrize("case", DRAWN, ids=ids)
def test_no_mark_lies_outside_of_the_image(case: Case) -> None:
    root = image(case.name)
    width, height = float(root.get("width", 0)), float(root.get("height", 0))
    for x, y in positions(root, 0.0, 0.0):
        assert -1 <= x <= width + 1
        assert -1 <= y <= height + 1


def positions(element: ET.Element, x: float, y: float) -> Iterator[tuple[float, float]]:
    """Where the origins of all drawn elements lie, from the translations around them."""
    moved = re.match(r"translate\((-?[\d.]+),(-?[\d.]+)\)", element.get("transform", ""))
    if moved:
        x, y = x + float(moved[1]), y + float(moved[2])
    if element.tag.endswith(("}text", "}path", "}line")):
        yield x, y
    for child in element:
        yield from positions(child, x, y)


@pytest.mark.parametrize("case", DRAWN, ids=ids)
def test_axes_carry_units(case: Case) -> None:
    titles = axis_titles(spec_of(case.name))
    quantities = [title for title in titles if not re.match(r"\d+ threads, by rank", title)]
    assert quantities
    assert {title for title in quantities if not EMPTY_UNITS.search(title)} <= COUNTED
    assert all(len(title) <= 50 for title in titles), "too long for a telephone"


def axis_titles(spec: dict[str, Any]) -> set[str]:
    channels = [view.get("encoding", {}).get(axis, {}) for view in layers(spec) for axis in "xy"]
    axes = [channel.get("axis") for channel in channels if isinstance(channel, dict)]
    return {axis["title"] for axis in axes if axis and axis.get("title")}


@pytest.mark.parametrize("case", DRAWN, ids=ids)
def test_the_description_speaks_in_sentences_with_numbers(case: Case) -> None:
    description = drawn(case)[1].description
    assert re.search(r"\d", description)
    assert description.endswith(".")
    assert len(description) >= 60


@pytest.mark.parametrize("case", DRAWN, ids=ids)
def test_the_specification_leaves_colours_to_the_theme(case: Case) -> None:
    spec = spec_of(case.name)
    assert spec["width"] == "container"
    assert "config" not in spec
    assert not re.search(
        r"#[0-9a-fA-F]{6}|currentColor|https?:(?!//vega\.github\.io/schema)", json.dumps(spec)
    )


@pytest.mark.parametrize("case", DRAWN, ids=ids)
def test_the_specification_is_valid(case: Case) -> None:
    figure = drawn(case)[1]
    assert figure.chart.to_dict(validate=True)["$schema"].startswith("https://vega.github.io/")


@pytest.mark.parametrize("case", DRAWN, ids=ids)
def test_names_are_data_and_nothing_else(case: Case) -> None:
    """Whatever a profile calls its functions: no markup, no expression, no length."""
    results = with_names(case.results, HOSTILE)
    chart = chart_named(case.chart)
    figure = chart.draw(results)
    assert figure is not None
    spec = make_live_spec(chart.name, figure)
    files = render_figure(chart, figure, results, Cache("charts"))
    for view in layers(spec):
        no_code = ("data", "layer", "description", "usermeta")
        written = {key: value for key, value in view.items() if key not in no_code}
        for step in written.get("transform", ()):
            step.get("from", {}).pop("data", None)
        assert "onerror" not in json.dumps(written)
    ET.fromstring(files.svg)
    assert "<img" not in files.svg
    assert len(files.svg) < 60_000
    assert len(files.spec) < 60_000
    assert len(figure.title) < 300
    assert not any(ord(character) < 32 for character in figure.title + figure.description)
