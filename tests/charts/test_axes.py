"""Axes: the unit that suits, ticks that can be read; and columns of ranks on one."""

from __future__ import annotations

import math
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from perfolio.charts.axes import list_log_ticks, scale_axis
from perfolio.charts.chart_data import format_full_name, label, to_number
from perfolio.charts.rank_columns import MOST_COLUMNS, RankColumn, merge_columns, plot_ranks

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
