"""What reports of simulated runs promise against what the model's change brings."""

from __future__ import annotations

from collections.abc import Mapping

import pytest

from perfolio.comparison.promises import judge_promises, list_promised_steps
from perfolio.comparison.record_extraction import extract_record
from perfolio.comparison.run_record import RunRecord
from perfolio.findings.estimates.observed_gains import FILE
from perfolio.metrics.document import run_facts
from perfolio.store.database import open_store
from tests.comparison.planted import REPORT
from tests.kit.samples import documents_at, store_at
from tests.simulation.outcomes import (
    ASYNCHRONOUS,
    ITERATION,
    PAGE,
    STEPS,
    Outcome,
    judge_all,
    outcomes,
    page,
    shares,
    simulate_named,
)
from tests.workloads.measured import measured

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


TOLERANCE = 0.001
"""A tenth of a point of an iteration. A record's iteration goes from the first GPU operation to
that of the next one, and its median is of all; the truth's goes from begin to begin, as planned.
"""
GOES_FURTHER = "the change goes further, and records do not have the wider bound"
SMALL, LIMIT = "too small for a promise", "a limit is no promise"
OTHERWISE = {
    ("dlrm-h100-workers", "dlrm-h100-pinned", "X1"): GOES_FURTHER,
    ("dlrm-h100-workers", "dlrm-h100-apart", "X6"): GOES_FURTHER,
    ("dlrm-h100-workers", f"dlrm-h100-workers{ASYNCHRONOUS}", "X5"): GOES_FURTHER,
    ("amd-mi300x", "amd-mi300x-input", "D8"): GOES_FURTHER,
    ("dlrm-h100-gpu-data", f"dlrm-h100-gpu-data{ASYNCHRONOUS}", "X5"): SMALL,
    ("dlrm-h100-pinned", "dlrm-h100-ahead", "G1"): LIMIT,
}
"""Steps of which records do not tell the outcome of the page, and why. The last two lines of the
page are not among them: they are of wall time, and records have the iterations of these steps."""


def _record(name: str, findings: Mapping[str, object] | None = None) -> RunRecord:
    """The record of a simulated run; without its findings where only what it saved is asked."""
    with open_store(store_at(simulate_named(name).folder), reproducible=True) as connection:
        bare = {**REPORT, "metrics": {"metrics": [], "run": run_facts(connection, 1)}}
        return extract_record(connection, 1, findings or bare)


def test_records_of_the_runs_tell_the_same_outcomes(found: list[Outcome]) -> None:
    before = {
        name: _record(name, documents_at(simulate_named(name).folder).findings)
        for name in {step[0] for step in STEPS}
    }
    after = {name: _record(name) for name in {step[1] for step in STEPS}}
    for one, truth in zip(found, judge_all(found, measured()[1]), strict=False):
        if one.of != ITERATION or truth is None:
            continue
        step = (one.before, one.after, one.codes[0])
        sides = [before[one.before]], [after[one.after]]
        promised = {each.code for each in list_promised_steps(*sides)}
        assert (step[2] in promised) == (OTHERWISE.get(step) not in (SMALL, LIMIT)), step
        if step[2] not in promised:
            continue
        pair = judge_promises(*sides, took=[step[2]])
        outcome = {each.step.code: each for each in pair.steps}[step[2]]
        assert outcome.saved == pytest.approx(one.reached, abs=TOLERANCE), step
        assert outcome.kind == ("cannot-tell" if step in OTHERWISE else truth.kind), step
