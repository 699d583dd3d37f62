"""Names below marks: none on another, none across another's line."""

from __future__ import annotations

from itertools import combinations

from hypothesis import given
from hypothesis import strategies as st

from perfolio.charts.label_callouts import LEVELS, Callout, place_callouts

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
