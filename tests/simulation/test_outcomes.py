"""What reports of simulated runs promise against what the model's change brings."""

from __future__ import annotations

import pytest

from perfolio.findings.estimates.observed_gains import FILE
from tests.simulation.outcomes import PAGE, Outcome, outcomes, page, shares

pytestmark = pytest.mark.slow


@pytest.fixture(scope="module")
def found() -> list[Outcome]:
    return outcomes()


def test_no_outcome_exceeds_its_bound(found: list[Outcome]) -> None:
    assert len(found) == 17
    for one in found:
        assert 0.0 < one.reached <= one.most, one


def test_bounds_are_not_empty_promises(found: list[Outcome]) -> None:
    """Each change reaches at least half of its bound, so the bounds are of the right size."""
    for one in found:
        assert one.reached >= 0.5 * one.most, one


def test_the_page_says_what_the_simulations_give(found: list[Outcome]) -> None:
    assert PAGE.read_text("utf-8") == page(found), "run python -m tests.simulation.outcomes"
    assert FILE.read_text("utf-8") == shares(found), "run python -m tests.simulation.outcomes"
