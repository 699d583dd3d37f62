"""One iteration taken apart: gaps, the part beside the longest one, and what is waited for."""

from __future__ import annotations

import pytest

from perfolio.charts.chart_data import Record
from perfolio.charts.iteration_anatomy import HOST, TOTAL, read_iteration


def row(start: float, stop: float, kind: str = "kernel", line: str = "stream 7") -> Record:
    return {
        "line": line, "start": start, "duration": stop - start, "operation": kind, "name": kind,
    }  # fmt: skip


def total(gap: tuple[float, float], busy: float, count: int = 2) -> Record:
    start, stop = gap
    return {**row(start, stop, "GPU idle", TOTAL), "operations": count, "busy": busy}


def test_the_whole_is_what_the_row_of_all_operations_says() -> None:
    """Those drawn may be several each, and streams overlap: nothing is added up here."""
    merged: Record = {**row(0, 4), "operations": 5, "busy": 3.5}
    found = read_iteration([total((4, 9), 4.2, 6), merged, row(9, 10)], 10)
    assert (found.busy, found.count, found.longest_gap) == (4.2, 6, (4, 9))
    assert [(each.count, each.length) for each in found.device] == [(5, 3.5), (1, 1)]


def test_the_part_beside_the_gap_has_more_of_the_work() -> None:
    found = read_iteration([total((4, 9), 2.5), row(1, 2), row(3, 4), row(9, 9.5)], 10)
    assert [*found.longest_gap, *found.beside_gap] == [4, 9, 1, 4]


def test_it_waits_for_what_takes_most_of_the_gap() -> None:
    host = [row(1, 3, "load", HOST), row(3, 9, "random", HOST), row(0, 1, "step", HOST)]
    found = read_iteration([total((1, 9), 2), row(0, 1), row(9, 10), *host], 10)
    cause = found.waits_for()
    assert cause is not None
    assert cause.name == "random"
    assert read_iteration([row(0, 1)], 10).waits_for() is None


def test_what_runs_on_into_the_next_one_makes_it_no_longer() -> None:
    found = read_iteration([row(0, 12)], 10)
    assert (found.length, found.stop) == (10, 12)
    assert read_iteration([row(0, 12)], 0).length == 12


@pytest.mark.parametrize(
    ("kind", "role"),
    [("kernel", "kernels"), ("copy H2D", "copies"), ("memset", "memsets"), ("GPU idle", "other")],
)
def test_kinds_have_the_colours_of_the_other_charts(kind: str, role: str) -> None:
    assert read_iteration([row(0, 1, kind)], 1).device[0].role == role
