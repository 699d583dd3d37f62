"""Columns of ranks: all of them, and of very many the highest of neighbours."""

from __future__ import annotations

from typing import Any

import pytest

from perfolio.charts.axes import scale_axis
from perfolio.charts.rank_columns import MOST_COLUMNS, RankColumn, merge_columns, plot_ranks


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
