"""Names in a scatter plot and below marks lie on nothing else."""

from __future__ import annotations

from itertools import combinations

from hypothesis import given
from hypothesis import strategies as st

from perfolio.charts.label_callouts import LEVELS, Callout, place_callouts
from perfolio.charts.label_placement import (
    GAP,
    HALF_LINE,
    TextBox,
    estimate_text_width,
    find_emptiest,
    place_labels,
)

PART = st.floats(min_value=0, max_value=1)
POINTS = st.lists(st.tuples(PART, PART), max_size=30)


def box(point: tuple[float, float], side: str, length: int) -> TextBox:
    x, y = point
    width = estimate_text_width(length)
    left = x + GAP if side == "right" else x - GAP - width
    return TextBox(left, left + width, y - HALF_LINE, y + HALF_LINE)


def test_a_name_stands_right_of_its_mark_and_left_where_it_would_leave() -> None:
    assert place_labels([(0.1, 0.5)], [10], most=5) == {0: "right"}
    assert place_labels([(0.95, 0.5)], [10], most=5) == {0: "left"}


def test_the_first_names_win() -> None:
    assert place_labels([(0.3, 0.5), (0.32, 0.51), (0.1, 0.9)], [30, 30, 30], most=2) == {
        0: "right",
        2: "right",
    }


def test_taken_places_stay_free() -> None:
    assert place_labels([(0.1, 0.5)], [10], most=5, taken=[TextBox(0.2, 1.0, 0.4, 0.6)]) == {}


@given(POINTS, st.integers(1, 60), st.integers(0, 8))
def test_no_name_lies_on_a_mark_or_a_name(
    points: list[tuple[float, float]], length: int, most: int
) -> None:
    sides = place_labels(points, [length] * len(points), most)
    boxes = [box(points[index], side, length) for index, side in sides.items()]
    assert len(boxes) <= most
    assert not any(one.holds(point) for one in boxes for point in points)
    assert not any(one.meets(other) for one, other in combinations(boxes, 2))
    assert all(one.left >= -1e-9 and one.right <= 1 + 1e-9 for one in boxes)


def test_the_emptiest_place_is_the_first_of_several() -> None:
    boxes = [TextBox(0, 0.5, 0, 1), TextBox(0.5, 1, 0, 1), TextBox(0.9, 1, 0, 1)]
    assert find_emptiest(boxes, [(0.1, 0.5)]) == 1


MARKS = st.lists(st.tuples(st.floats(0, 1), st.integers(1, 90)), max_size=30)


@given(MARKS, st.integers(0, 8))
def test_names_meet_neither_each_other_nor_the_edge(
    marks: list[tuple[float, int]], most: int
) -> None:
    placed = place_callouts([part for part, _ in marks], [length for _, length in marks], most)
    assert len(placed) <= most
    assert all(
        each.left >= 0 and each.right <= 1 and each.level < LEVELS for each in placed.values()
    )
    assert not any(one.meets(other) for one, other in combinations(placed.values(), 2))


def test_the_first_come_first() -> None:
    assert list(place_callouts([0.1, 0.5, 0.9], [5, 5, 5], 2)) == [0, 1]


def test_a_line_does_not_cross_a_name_above() -> None:
    above = Callout(0.1, 20, level=0)
    assert above.meets(Callout(0.2, 5, level=1))
    assert not above.meets(Callout(0.8, 5, level=1))


def test_a_name_at_the_right_edge_stands_left_of_its_line() -> None:
    name = Callout(0.95, 20, level=0)
    assert name.leftward
    assert name.right == 0.95
