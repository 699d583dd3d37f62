"""The division of a GPU's time, against a second implementation that goes from bound to bound."""

from __future__ import annotations

from collections import defaultdict
from itertools import pairwise

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from perfolio.comparison.division import LaneOperations, apportion, divide_lane

Operation = tuple[int, int, int, int]
"""Begin, end, part, row."""
OPERATIONS = st.lists(
    st.tuples(st.integers(0, 40), st.integers(0, 15), st.integers(0, 2), st.integers(0, 4)).map(
        lambda one: (one[0], one[0] + one[1], one[2], one[3])
    ),
    max_size=12,
)
ROWS = 5


def arrays(operations: list[Operation]) -> LaneOperations:
    columns = np.array(operations, np.int64).reshape(-1, 4).T
    return LaneOperations(*columns)


def divide_by_nanosecond(
    operations: list[Operation], low: int, high: int
) -> tuple[dict[int, int], int]:
    """Each stretch between two begins or ends goes to the operations of its first part."""
    operations = [one for one in operations if one[1] > one[0]]
    moments = sorted({low, high, *(m for one in operations for m in one[:2] if low < m < high)})
    spent: defaultdict[int, int] = defaultdict(int)
    idle = 0
    for begin, end in pairwise(moments):
        running = [one for one in operations if one[0] <= begin and one[1] >= end]
        if not running:
            idle += end - begin
            continue
        first = min(one[2] for one in running)
        sharing = [one for one in running if one[2] == first]
        shared = [(end - begin) * number // len(sharing) for number in range(len(sharing) + 1)]
        for one, (before, after) in zip(sharing, pairwise(shared), strict=True):
            spent[one[3]] += after - before
    return dict(spent), idle


@given(operations=OPERATIONS, low=st.integers(0, 20), length=st.integers(1, 40))
def test_each_nanosecond_has_one_row(operations: list[Operation], low: int, length: int) -> None:
    lane = divide_lane(arrays(operations), ROWS, (low, low + length))
    right, idle = divide_by_nanosecond(operations, low, low + length)
    assert lane.spent.tolist() == [right.get(row, 0) for row in range(ROWS)]
    assert int((lane.idle_stop - lane.idle_start).sum()) == idle
    assert int(lane.spent.sum()) + idle == length
    assert (lane.idle_start[1:] > lane.idle_stop[:-1]).all(), "idle times do not touch"


def test_a_kernel_has_what_a_collective_and_a_copy_share_with_it() -> None:
    lane = divide_lane(
        arrays([(0, 10, 2, 2), (4, 16, 1, 1), (6, 8, 0, 0), (20, 24, 0, 0)]), 3, (0, 30)
    )
    assert lane.spent.tolist() == [6, 10, 4]
    assert list(zip(lane.idle_start.tolist(), lane.idle_stop.tolist(), strict=True)) == [
        (16, 20),
        (24, 30),
    ]


def test_kernels_that_run_at_once_share_in_whole_nanoseconds() -> None:
    lane = divide_lane(arrays([(0, 10, 0, 0), (0, 10, 0, 1), (0, 10, 0, 2)]), 3, (0, 10))
    assert lane.spent.tolist() == [3, 3, 4]


def test_a_window_without_operations_is_idle() -> None:
    lane = divide_lane(arrays([]), 1, (5, 9))
    assert lane.spent.tolist() == [0]
    assert (lane.idle_start.tolist(), lane.idle_stop.tolist()) == ([5], [9])


@given(
    total=st.integers(0, 10**15),
    weights=st.lists(st.floats(0, 1e15, allow_nan=False), min_size=1, max_size=20),
)
def test_apportioned_parts_sum(total: int, weights: list[float]) -> None:
    parts = apportion(total, np.array(weights))
    assert int(parts.sum()) == total
    assert (parts >= 0).all()


@pytest.mark.parametrize(
    ("total", "weights", "right"),
    [(10, [1, 1, 1], [4, 3, 3]), (3, [0, 0], [0, 3]), (7, [0.5, 0.25, 0.25], [3, 2, 2])],
)
def test_largest_remainders_have_the_rest(
    total: int, weights: list[float], right: list[int]
) -> None:
    assert apportion(total, np.array(weights, float)).tolist() == right
