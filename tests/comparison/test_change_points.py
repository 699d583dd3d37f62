"""Changes of level: found soon, seldom without cause, and where another program finds them."""

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
from perfolio.comparison.student_t import compute_tail

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
