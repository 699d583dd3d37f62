"""One iteration taken apart: gaps, the part beside the longest one, and what is waited for."""

from __future__ import annotations

import pytest

from generator.charts.data import Record
from generator.charts.iteration import HOST, iteration


def row(start: float, stop: float, kind: str = "kernel", line: str = "stream 7") -> Record:
    return {
        "line": line, "start": start, "duration": stop - start, "operation": kind, "name": kind,
    }  # fmt: skip


def test_gaps_are_sought_before_between_and_behind() -> None:
    assert iteration([row(5, 6)], 10).longest_gap == (0, 5)
    assert iteration([row(0, 1), row(7, 8)], 10).longest_gap == (1, 7)
    assert iteration([row(0, 1)], 10).longest_gap == (1, 10)


def test_operations_that_overlap_count_once() -> None:
    found = iteration([row(0, 4), row(2, 6, line="stream 8"), row(3, 3.5)], 10)
    assert [found.busy, *found.longest_gap] == pytest.approx([6, 6, 10])


def test_the_part_beside_the_gap_has_more_of_the_work() -> None:
    found = iteration([row(1, 2), row(3, 4), row(9, 9.5)], 10)
    assert [*found.longest_gap, *found.beside_gap] == [4, 9, 1, 4]


def test_it_waits_for_what_takes_most_of_the_gap() -> None:
    host = [row(1, 3, "load", HOST), row(3, 9, "random", HOST), row(0, 1, "step", HOST)]
    found = iteration([row(0, 1), row(9, 10), *host], 10)
    cause = found.waits_for()
    assert cause is not None
    assert cause.name == "random"
    assert iteration([row(0, 1)], 10).waits_for() is None


def test_it_lasts_as_long_as_its_rows() -> None:
    found = iteration([row(0, 12)], 10)
    assert [found.stop, *found.longest_gap] == [12, 0, 0]


@pytest.mark.parametrize(
    ("kind", "role"),
    [("kernel", "kernels"), ("copy H2D", "copies"), ("memset", "memsets"), ("GPU idle", "other")],
)
def test_kinds_have_the_colours_of_the_other_charts(kind: str, role: str) -> None:
    assert iteration([row(0, 1, kind)], 1).device[0].role == role
