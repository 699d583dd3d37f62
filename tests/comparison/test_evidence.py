"""Student's t against published tables, and verdicts on times of runs.

Also: Changes of level: found soon, seldom without cause, and where another program finds them.
"""

from __future__ import annotations

import math
from itertools import combinations
from statistics import mean

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from perfolio.comparison.history.change_points import (
    LEAST_RUN,
    MOST_CHANCE,
    WINDOW,
    find_change_points,
)
from perfolio.comparison.run_evidence import count_repeats, find_order, judge_times
from perfolio.comparison.student_t import compute_incomplete_beta, compute_tail, find_quantile

# NIST/SEMATECH e-Handbook of Statistical Methods, table 1.3.6.7.2: upper critical values.
TABLE = {
    (0.90, 1): 3.078, (0.975, 1): 12.706, (0.99, 1): 31.821, (0.995, 1): 63.657,
    (0.90, 2): 1.886, (0.975, 2): 4.303, (0.95, 3): 2.353, (0.975, 4): 2.776,
    (0.975, 5): 2.571, (0.99, 8): 2.896, (0.975, 8): 2.306, (0.975, 10): 2.228,
    (0.975, 30): 2.042, (0.95, 60): 1.671, (0.975, 100): 1.984,
}  # fmt: skip


@pytest.mark.parametrize(("probability", "df"), list(TABLE))
def test_quantiles_are_those_of_the_published_table(probability: float, df: int) -> None:
    assert find_quantile(probability, df) == pytest.approx(TABLE[probability, df], abs=5e-4)


@given(t=st.floats(0.0, 50.0))
def test_one_and_two_degrees_of_freedom_have_closed_forms(t: float) -> None:
    assert compute_tail(t, 1.0) == pytest.approx(1.0 - 2.0 * math.atan(t) / math.pi, abs=1e-12)
    assert compute_tail(t, 2.0) == pytest.approx(1.0 - t / math.sqrt(2.0 + t * t), abs=1e-12)


@given(x=st.floats(0.0, 1.0), a=st.floats(0.5, 50.0), b=st.floats(0.5, 50.0))
def test_the_incomplete_beta_function_is_symmetric(x: float, a: float, b: float) -> None:
    both = compute_incomplete_beta(x, a, b) + compute_incomplete_beta(1.0 - x, b, a)
    assert both == pytest.approx(1.0, abs=1e-9)


def test_fewer_than_three_runs_a_side_are_recordings_that_differ() -> None:
    found = judge_times([100.0], [80.0, 81.0, 82.0])
    assert (found.kind, found.low, found.p) == ("recordings-differ", None, None)
    assert found.value == pytest.approx(81.0 / 100.0 - 1.0, abs=1e-3)
    assert found.repeats == 3
    assert found.repeats_assume == 0.02


def test_welch_by_hand() -> None:
    # Logs with means 0 and 0.1 and standard deviations 0.01 and 0.02, three runs each.
    first = [math.exp(value) for value in (-0.01, 0.0, 0.01)]
    second = [math.exp(value) for value in (0.08, 0.1, 0.12)]
    found = judge_times(first, second)
    error = math.sqrt((0.01**2 + 0.02**2) / 3)
    df = (0.01**2 / 3 + 0.02**2 / 3) ** 2 / ((0.01**2 / 3) ** 2 / 2 + (0.02**2 / 3) ** 2 / 2)
    assert df == pytest.approx(2.941, abs=1e-3)
    assert found.p == pytest.approx(compute_tail(0.1 / error, df))
    assert found.high == pytest.approx(math.expm1(0.1 + find_quantile(0.975, df) * error))
    assert (found.kind, found.runs) == ("slower", (3, 3))


@pytest.mark.parametrize(
    ("before", "after", "asked", "kind"),
    [
        ([100, 101, 99], [90, 91, 89], 0.0, "faster"),
        ([100, 101, 99], [110, 111, 109], 0.0, "slower"),
        ([100, 101, 99], [110, 111, 109], 0.2, "no-difference"),
        ([100, 100.1, 99.9], [100.1, 100, 99.9], 0.0, "no-difference"),
        ([100, 100.1, 99.9], [101, 101.1, 100.9], 0.0, "no-difference"),  # real, below 2 %
        ([100, 102, 98], [101.9, 103.9, 99.9] * 4, 0.0, "cannot-tell"),  # may be 2 % or more
        ([100, 101, 99], [108, 109, 107], 0.085, "cannot-tell"),
        ([100, 101, 99], [50, 51, 49], 1.0, "no-difference"),
        ([100, 120, 80], [90, 115, 95], 0.0, "cannot-tell"),
        ([100, 100, 100], [100, 100, 100], 0.0, "no-difference"),
        ([100, 100, 100], [105, 105, 105], 0.0, "slower"),
    ],
)
def test_verdicts(before: list[float], after: list[float], asked: float, kind: str) -> None:
    assert judge_times(before, after, asked).kind == kind


def test_repeats_are_the_fewest_that_show_the_difference() -> None:
    assert count_repeats(0.0, 0.01) is None
    assert count_repeats(1e-6, 0.05) is None
    few, many = count_repeats(0.05, 0.01), count_repeats(0.02, 0.02)
    assert few == 3
    assert many == 17  # (t.975 + t.80) 0.02 sqrt(2 / n) <= 0.02


@pytest.mark.parametrize(
    ("after", "asked", "most"), [(100.1, 0.0, 20), (101.0, 0.0, 70), (104.0, 0.05, 70), (90, 1, 3)]
)
def test_repeats_of_a_small_difference_are_those_that_show_it_to_be_below_the_floor(
    after: float, asked: float, most: int
) -> None:
    """One of 0.1 % is not to be told from none, but from 2 %."""
    found = judge_times([100.0], [after], asked)
    assert found.repeats is not None
    assert found.repeats <= most
    assert judge_times([100.0], [102.05]).repeats == 17
    assert judge_times([100.0], [98.0 + 1e-9]).repeats is None


def test_unchanged_pairs_are_called_changed_in_one_case_of_twenty_at_most() -> None:
    random = np.random.default_rng(7)
    runs = np.exp(random.normal(0.0, 0.03, (1_000, 2, 5)))
    called = sum(
        judge_times(list(pair[0]), list(pair[1])).kind in ("faster", "slower") for pair in runs
    )
    assert called <= 50


def test_blocks_of_runs_are_told_from_interleaved_ones() -> None:
    moments = [f"2026-01-01T00:0{minute}:00Z" for minute in range(6)]
    assert find_order(moments[:3], moments[3:]) == "blocks"
    assert find_order(moments[::2], moments[1::2]) == "interleaved"
    assert find_order([None, *moments[:2]], moments[3:]) == "not recorded"
    assert find_order(moments[:1], moments[1:2]) == "not recorded"


COMMITS, STEP_AT, NEXT_RUNS = 100, 60, 5


def series(seed: int, alike: float, spread: float, commits: int = COMMITS) -> list[float]:
    """Numbers around 100 with this autocorrelation and standard deviation [ratio]."""
    noise = np.random.default_rng(seed).normal(0.0, spread, commits)
    logs = [noise[0]]
    for one in noise[1:]:
        logs.append(alike * logs[-1] + one * math.sqrt(1.0 - alike * alike))
    return [100.0 * math.exp(one) for one in logs]


def step(values: list[float], change: float, place: int = STEP_AT) -> list[float]:
    return [value * (1.0 + change if at >= place else 1.0) for at, value in enumerate(values)]


@pytest.mark.parametrize("alike", [0.0, 0.3, 0.6])
def test_a_step_of_five_percent_is_found_within_the_next_five_runs(alike: float) -> None:
    found = [
        any(
            abs(one.place - STEP_AT) <= 2
            for runs in range(1, NEXT_RUNS + 1)
            for one in find_change_points(values[: STEP_AT + runs])
        )
        for values in (step(series(seed, alike, 0.01), 0.05) for seed in range(40))
    ]
    assert mean(found) >= 0.95


@pytest.mark.parametrize("alike", [0.0, 0.3, 0.6])
def test_hardly_any_change_is_found_where_there_is_none(alike: float) -> None:
    counts = [len(find_change_points(series(seed, alike, 0.01))) for seed in range(60)]
    assert mean(counts) <= 0.1


@pytest.mark.parametrize(("change", "is_found"), [(0.02, False), (0.1, True), (-0.1, True)])
def test_what_is_below_the_floor_is_no_change(change: float, *, is_found: bool) -> None:
    found = find_change_points(step(series(3, 0.0, 0.01), change))
    assert [abs(one.place - STEP_AT) <= 1 for one in found] == [True] * is_found


def test_a_change_has_its_levels_and_an_interval_that_holds_it() -> None:
    held = 0
    for seed in range(100):
        (one,) = find_change_points(step(series(seed, 0.0, 0.01), 0.08))
        assert one.low < one.change < one.high
        assert one.change == pytest.approx(one.after / one.before - 1.0)
        held += one.low <= 0.08 <= one.high
    assert 90 <= held <= 99


def test_a_single_outlier_is_no_change() -> None:
    values = series(5, 0.0, 0.01)
    for place in (20, 50, len(values) - 1):
        values[place] *= 1.4
    assert find_change_points(values) == []


def find_best_split(values: list[float]) -> tuple[int, float]:
    """The place where Student's t test is surest, by trying each; and its probability."""
    logs = [math.log(value) for value in values]
    best = (0, 1.0)
    for place in range(LEAST_RUN, len(logs) - LEAST_RUN + 1):
        first, second = logs[:place], logs[place:]
        middle = [mean(first), mean(second)]
        squares = sum((one - middle[0]) ** 2 for one in first)
        squares += sum((one - middle[1]) ** 2 for one in second)
        freedom = len(logs) - 2
        error = math.sqrt(squares / freedom * (1 / len(first) + 1 / len(second)))
        chance = compute_tail((middle[1] - middle[0]) / error, freedom)
        best = min(best, (place, chance), key=lambda one: one[1])
    return best


@given(
    st.integers(0, 10_000),
    st.integers(12, WINDOW),
    st.sampled_from([-0.3, -0.1, 0.0, 0.06, 0.2]),
    st.floats(0.25, 0.75),
)
def test_of_one_window_it_finds_what_trying_each_place_finds(
    seed: int, commits: int, change: float, share: float
) -> None:
    values = step(series(seed, 0.0, 0.01, commits), change, round(share * commits))
    place, chance = find_best_split(values)
    found = find_change_points(values)
    if change == 0.0:
        assert chance > MOST_CHANCE or len(found) <= 1
    elif chance < MOST_CHANCE / 10.0 and abs(change) >= 0.1:
        assert [one.place for one in found] == [place]


def test_two_steps_are_both_found_wherever_they_are() -> None:
    for first, second in combinations(range(10, 91, 20), 2):
        values = step(step(series(first, 0.0, 0.01), 0.1, first), -0.08, second)
        assert [one.place for one in find_change_points(values)] == [first, second]


def test_a_thousand_commits_take_time_in_proportion() -> None:
    values = step(series(1, 0.3, 0.01, 1000), 0.05, 700)
    assert [one.place for one in find_change_points(values)] == [700]


@pytest.mark.parametrize("values", [[], [1.0], [1.0] * 5, [2.0] * 100, [1.0, 2.0] * 3])
def test_what_is_too_short_or_never_changes_has_none(values: list[float]) -> None:
    assert find_change_points(values) == []
