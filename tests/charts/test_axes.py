"""Axes: the unit that suits, ticks that can be read; and columns of ranks on one.

Also: The static image: light and dark in one file, compact, nothing but an image.
"""

from __future__ import annotations

import math
import xml.etree.ElementTree as ET
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from perfolio.charts.axes import list_log_ticks, scale_axis
from perfolio.charts.chart_data import format_full_name, label, to_number
from perfolio.charts.rank_columns import MOST_COLUMNS, RankColumn, merge_columns, plot_ranks
from perfolio.charts.svg import make_static_svg
from perfolio.charts.theme import DARK_INK, LIGHT_INK

FINITE = st.floats(min_value=1e-12, max_value=1e15)


@pytest.mark.parametrize(
    ("maximum", "unit", "title", "position"),
    [
        (0.0739, "s", "Time (ms)", 73.9),
        (8.9e-6, "s", "Time (µs)", 8.9),
        (90.0, "s", "Time (s)", 90.0),
        (1513.6, "CPU-s", "Time (CPU-s)", 1513.6),
        (0.01, "CPU-s", "Time (CPU-s)", 0.01),
        (441_944_740, "B", "Time (MB)", 441.94474),
        (63e9, "B/s", "Time (GB/s)", 63.0),
        (0.529, "ratio", "Time (%)", 52.9),
        (4.2e9, "events", "Time (10⁹ events)", 4.2),
        (12, "events", "Time (events)", 12),
        (7, "count", "Time", 7),
    ],
)
def test_the_unit_suits_the_largest_value(
    maximum: float, unit: str, title: str, position: float
) -> None:
    axis = scale_axis("Time", maximum, unit)
    assert axis.title == title
    assert axis.at(maximum) == pytest.approx(position)


@given(FINITE, FINITE)
def test_logarithmic_ticks_hold_all_values(one: float, other: float) -> None:
    low, high = sorted((one, other))
    ticks = list_log_ticks(low, high)
    assert ticks[0] <= low * (1 + 1e-9)
    assert ticks[-1] >= high * (1 - 1e-9)
    assert 2 <= len(ticks) <= 16
    assert ticks == sorted(set(ticks))


@pytest.mark.parametrize(
    ("cell", "value"),
    [(1, 1.0), (0.5, 0.5), (None, None), ("1", None), (math.nan, None), (math.inf, None)],
)
def test_only_finite_numbers_are_numbers(cell: object, value: float | None) -> None:
    assert to_number(cell) == value  # type: ignore[arg-type]


@pytest.mark.parametrize(
    ("name", "short"),
    [
        ("main", "main"),
        ("void f(int)", "void f(int)"),
        ("void at::native::vectorized_elementwise_kernel<4, at::native::FillFunctor<int>>(int, T)",
         "void at::native::vectorized_elementwise_kernel"),
        ("<an angular name of more than forty-five characters>",
         "<an angular name of more than forty-five characters>"),
        ("<unknown procedure> 0x98fa80 [libcublasLt.so.12.1.3.1]",
         "0x98fa80 [libcublasLt.so.12.1.3.1]"),
        ("at::native::(anonymous namespace)::copy_kernel_impl(at::Tensor&, bool)",
         "at::native::copy_kernel_impl"),
        ("torch::autograd::dispatch_to(at::Tensor) [libtorch_python.so]",
         "torch::autograd::dispatch_to"),
        ("torch::autograd::Node::operator()(std::vector<at::Tensor, A>&&)",
         "torch::autograd::Node::operator()"),
        ("a\n\x00b", "a b"),
        (None, ""),
    ],
)  # fmt: skip
def test_labels_lose_what_a_reader_does_not_need(name: str | None, short: str) -> None:
    assert label(name) == short


@given(st.text(max_size=2_000))
def test_labels_and_names_are_bounded_and_printable(name: str) -> None:
    assert len(label(name)) <= 90
    assert len(format_full_name(name)) <= 300
    assert label(name).isprintable()


def ranks(count: int) -> list[RankColumn]:
    return [RankColumn(rank, (("cpu", 1.0 + rank % 7),), "x") for rank in reversed(range(count))]


def rows(columns: list[RankColumn]) -> list[dict[str, Any]]:
    bars = plot_ranks(columns, scale_axis("Time", 7.0, "s"), 3.0).to_dict()["layer"][0]
    return list(bars["data"]["values"])


@pytest.mark.parametrize("count", [17, 64, MOST_COLUMNS])
def test_each_rank_is_drawn_in_order(count: int) -> None:
    assert [column.rank for column in merge_columns(ranks(count))] == list(range(count))
    assert len(rows(ranks(count))) == count


def test_of_thousands_the_highest_of_neighbours_stands_for_them() -> None:
    drawn = merge_columns(ranks(4096))
    assert len(drawn) <= MOST_COLUMNS
    assert [column.rank for column in drawn[:3]] == [0, 9, 18]
    assert all(column.length == 7.0 for column in drawn[:-1])
    assert drawn[0].text == "x, rank 6: the highest of 9"


def test_segments_stand_on_each_other() -> None:
    column = RankColumn(3, (("synchronisation", 1.0), ("kernels", 2.0)), "3 s")
    assert [(row["role"], row["bottom"], row["top"]) for row in rows([column])] == [
        ("synchronisation", 0.0, 1.0),
        ("kernels", 1.0, 3.0),
    ]


SVG = "{http://www.w3.org/2000/svg}"


def image(body: str) -> ET.Element:
    text = f'<svg xmlns="http://www.w3.org/2000/svg" class="marks" width="10">{body}</svg>'
    made = make_static_svg(ET.fromstring(text), "A <b> & c", "Two ]]> three.")
    return ET.fromstring(made)


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
