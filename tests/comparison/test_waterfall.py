"""Rows of two groups of runs: what is matched, that all sums are exact, and what is the cause."""

from __future__ import annotations

from dataclasses import replace
from fractions import Fraction
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from perfolio.comparison.difference_causes import (
    HIDDEN,
    SHOWN,
    find_causes,
    find_clock_change,
)
from perfolio.comparison.kernel_matching import compute_matched_share, measure_matches
from perfolio.comparison.run_record import HostWork, RankTime, RunRecord, TimeRow
from perfolio.comparison.waterfall import Waterfall, make_waterfall, round_to_sum, sum_parts
from tests.comparison.support import make_record, make_row

NAMES = st.sampled_from(["gemm", "relu", "softmax", "adam"])
ROWS = st.lists(
    st.builds(
        make_row,
        NAMES,
        st.integers(1, 10_000),
        st.integers(0, 40),
        path=st.sampled_from([(), ("train", "forward"), ("train", "backward")]),
        place=st.sampled_from(["", "1.2", "1.3"]),
        shapes=st.sampled_from(["", "[[2,3]]", "[[4]]"]),
        kind=st.sampled_from(["product", "element-wise", "fused", "collective"]),
        part=st.sampled_from(["kernel", "collective", "copy", "idle"]),
    ),
    min_size=1,
    max_size=8,
)
RECORDS = st.lists(
    st.builds(make_record, ROWS, iterations=st.integers(1, 7)), min_size=1, max_size=3
)


@given(before=RECORDS, after=RECORDS)
def test_rows_sum_to_the_difference_to_the_nanosecond(
    before: list[RunRecord], after: list[RunRecord]
) -> None:
    found = make_waterfall(before, after)
    wholes = [
        sum(Fraction(one.whole.total_ns, one.whole.units) for one in side if one.whole) / len(side)
        for side in (before, after)
    ]
    assert [sum(work.before.ns for work in found.works)] == [wholes[0]]
    assert [sum(work.after.ns for work in found.works)] == [wholes[1]]
    assert abs(found.before_ns - wholes[0]) <= Fraction(1, 2)
    assert sum(row.before_ns for row in found.rows) == found.before_ns
    assert sum(row.after_ns for row in found.rows) == found.after_ns
    change = found.after_ns - found.before_ns
    assert sum(row.by_calls_ns + row.by_duration_ns for row in found.rows) == change
    assert sum(last - first for *_, first, last in sum_parts(found.rows)) == change
    causes = find_causes(found, before, after)
    assert sum(cause.difference_ns for cause in causes) in (0, change)
    shares = compute_matched_share(measure_matches(found.works))
    assert all(share is None or 0 <= share <= 1 for share in shares)


@given(record=RECORDS)
def test_a_group_differs_in_nothing_from_itself(record: list[RunRecord]) -> None:
    found = make_waterfall(record, record)
    assert [row.difference_ns for row in found.rows if row.difference_ns] == []
    assert find_causes(found, record, record) == ()


@given(
    values=st.lists(st.fractions(-100, 100), min_size=1, max_size=9),
    off=st.fractions(Fraction(-1, 2), Fraction(1, 2)),
)
def test_rounding_keeps_the_sum(values: list[Fraction], off: Fraction) -> None:
    total = round(sum(values, Fraction(0)) + off)
    rounded = round_to_sum(values, total)
    assert sum(rounded) == total
    assert all(abs(one - value) < 2 for one, value in zip(rounded, values, strict=True))


def _compare(before: list[TimeRow], after: list[TimeRow]) -> Waterfall:
    return make_waterfall([make_record(before)], [make_record(after)])


def test_more_calls_and_longer_ones_are_told_apart() -> None:
    (row,) = _compare([make_row("gemm", 1_000, 10)], [make_row("gemm", 1_800, 15)]).rows
    # Per iteration 100 ns in 1 call to 180 ns in 1.5: 0.5 calls x 110 ns and 1.25 calls x 20 ns.
    assert (row.change, row.by_calls_ns, row.by_duration_ns) == ("both", 55, 25)


@pytest.mark.parametrize(
    ("before", "after", "change", "split"),
    [
        ((1_000, 100), (2_000, 200), "calls", (100, 0)),
        ((1_000, 100), (1_500, 101), "duration", (0, 50)),
        ((7_600, 76), (560, 2), "not alike", (0, -704)),
    ],
)
def test_calls_that_are_not_alike_are_not_split(
    before: tuple[int, int], after: tuple[int, int], change: str, split: tuple[int, int]
) -> None:
    (row,) = _compare([make_row("gemm", *before)], [make_row("gemm", *after)]).rows
    assert (row.change, (row.by_calls_ns, row.by_duration_ns)) == (change, split)


@pytest.mark.parametrize(
    ("before", "after", "stage"),
    [
        ({}, {}, "all"),
        ({"shapes": "[[2]]"}, {"shapes": "[[2]]", "name": "gemm_of_others"}, "path and sizes"),
        ({"shapes": "[[2]]"}, {"shapes": "[[3]]", "name": "gemm_of_others"}, "path"),
        ({}, {"path": ("other",)}, "name"),
        ({}, {"path": (), "name": "gemm_64", "short": "gemm_64"}, "only one side"),
        ({"short": "gemm_32"}, {"path": (), "name": "gemm_64", "short": "gemm_64"}, "short name"),
        ({"kind": "reduction"}, {"kind": "reduction", "path": (), "name": "other"}, "class"),
        (
            {"kind": "normalisation"},
            {"kind": "fused", "path": (), "name": "triton_poi_fused_add_0"},
            "moves values",
        ),
    ],
)
def test_the_cascade(before: dict[str, Any], after: dict[str, Any], stage: str) -> None:
    found = _compare([make_row("gemm", 10, **before)], [make_row("gemm", 10, **after)])
    if stage == "only one side":
        assert {row.stage for row in found.rows} == {"class"}  # both are products
    else:
        assert [row.stage for row in found.rows] == [stage]


def test_what_has_no_partner_is_only_on_one_side() -> None:
    found = _compare(
        [make_row("gemm", 300), make_row("sort", 100, kind="sort", path=())],
        [make_row("gemm", 300)],
    )
    assert [(row.change, row.stage) for row in found.rows] == [
        ("gone", "only one side"),
        ("duration", "all"),
    ]
    assert compute_matched_share(measure_matches(found.works)) == (0.75, 1.0)


def test_lines_that_have_moved_tell_nothing() -> None:
    path: dict[str, Any] = {"path": ("train",), "name": "copy", "part": "copy", "kind": "copy H2D"}
    moved = _compare(
        [make_row("a", 100, place=place, **path) for place in ("10", "20")],
        [make_row("a", 100, place=place, **path) for place in ("20", "30")],
    )
    assert [row.calls_before for row in moved.rows] == [2]
    more = _compare(
        [make_row("a", 100, place=place, **path) for place in ("10", "20")],
        [make_row("a", 100, place=place, **path) for place in ("10", "20", "30")],
    )
    assert len(more.rows) == 3 - 1 + 1


def _host(activity: str, ns: int, path: tuple[str, ...] = ("train",)) -> HostWork:
    return HostWork(activity, path, ns, None)


def _name(before: RunRecord, after: RunRecord) -> list[tuple[str, str, str, int]]:
    found = find_causes(make_waterfall([before], [after]), [before], [after])
    return [(one.key.kind, one.key.name, one.key.effect, one.difference_ns) for one in found]


def test_idle_time_is_told_by_what_the_host_does_more_of() -> None:
    rows = [make_row("gemm", 1_000)]
    before = make_record(rows, length=200, host=(_host("loads input", 500),))
    after = make_record(rows, length=300, host=(_host("loads input", 1_500),))
    assert _name(before, after) == [("idle", "loads input", "time", 100)]


def test_idle_time_without_more_work_of_the_host_is_no_longer_hidden() -> None:
    rows = [make_row("gemm", 1_000)]
    before, after = make_record(rows, length=200), make_record(rows, length=300)
    assert _name(before, after) == [("idle", SHOWN, "time", 100)]
    assert _name(after, before) == [("idle", HIDDEN, "time", -100)]


def test_more_launches_have_the_idle_time_that_launching_them_makes() -> None:
    def make(calls: int, host: int, length: int) -> RunRecord:
        rows = [make_row("gemm", 10 * calls, calls, path=("train",))]
        return make_record(rows, length=length, host=(_host("launches", host),))

    assert _name(make(10, 500, 100), make(20, 1_000, 170)) == [("kernel", "gemm", "calls", 70)]


def test_of_several_kernels_of_a_path_that_is_named_of_which_there_are_more() -> None:
    def make(calls: int, host: int, length: int) -> RunRecord:
        rows = [
            make_row("gemm", 500, 10, path=("train",)),
            make_row("gelu", calls, calls, path=("train",)),
        ]
        return make_record(rows, length=length, host=(_host("launches", host),))

    assert _name(make(10, 1_000, 150), make(20, 1_500, 200)) == [("kernel", "gelu", "calls", 50)]


def test_samples_do_not_see_what_waits() -> None:
    def make(host: int, length: int) -> RunRecord:
        idle = make_row(
            "next", length * 10 - 1_000, 0, part="idle", kind="loads input", path=("next",)
        )
        rows = [make_row("gemm", 1_000), idle]
        return make_record(rows, host=(_host("loads input", host),), host_period_ns=1)

    assert _name(make(400, 200), make(800, 400)) == [("idle", "loads input", "time", 200)]
    assert _name(make(800, 200), make(800, 400)) == [("idle", SHOWN, "time", 200)]


def test_samples_that_are_few_tell_no_cause() -> None:
    rows = [make_row("gemm", 1_000)]
    given = {"host_period_ns": 400}
    before = make_record(rows, length=200, host=(_host("loads input", 500),), **given)
    after = make_record(rows, length=300, host=(_host("loads input", 1_500),), **given)
    assert _name(before, after)[0][1] == SHOWN


def test_a_difference_below_two_per_cent_has_no_cause() -> None:
    before, after = (make_record([make_row("gemm", ns)]) for ns in (10_000, 10_190))
    assert _name(before, after) == []


def test_same_kernels_at_another_clock_are_recognised() -> None:
    names = ("gemm", "relu", "softmax", "norm")
    before = [make_row(name, 10_000 * (place + 1)) for place, name in enumerate(names)]
    slower = [replace(row, ns=row.ns * 11 // 10) for row in before]
    found = find_clock_change(_compare(before, slower).works, (), ())
    assert found is not None
    assert (found.factor, found.share, found.kernels) == (1.1, 1.0, 4)
    causes = _name(make_record(before), make_record(slower))
    assert causes == [("clock", "all kernels", "duration", 1_000)]
    one = [replace(slower[0], ns=30_000), *before[1:]]
    assert find_clock_change(_compare(before, one).works, (), ()) is None


@pytest.mark.parametrize(("factors", "is_clock"), [((1.1, 1.1), True), ((1.0, 1.2), False)])
def test_one_slow_rank_is_no_clock_of_all(factors: tuple[float, ...], is_clock: bool) -> None:
    rows = [make_row(name, 10_000) for name in ("gemm", "relu", "softmax", "norm")]
    slower = [replace(row, ns=11_000) for row in rows]

    def record(held: list[TimeRow], times: tuple[float, ...]) -> RunRecord:
        ranks = (
            RankTime(rank, {"kernel": round(20_000 * time)}) for rank, time in enumerate(times)
        )
        return make_record(held, ranks=tuple(ranks))

    before, after = record(rows, (1.0, 1.0)), record(slower, factors)
    found = find_clock_change(_compare(rows, slower).works, [before], [after])
    assert (found is not None) is is_clock
