"""What steps reached of their bounds elsewhere stands beside a bound, and beside nothing else."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import pytest

from perfolio.common.errors import ContentError
from perfolio.findings.estimates.observed_gains import ExpectedGain, find_expected, load_outcomes
from perfolio.findings.evaluation.rule_evaluation import evaluate
from perfolio.findings.model.denominator import BoundWhole
from perfolio.findings.model.finding import Estimate, Finding
from perfolio.findings.rules.catalog import load_rules
from tests.findings.support import Number, results

M9 = Finding(load_rules()["M9"], "fired", "low", estimate=Estimate(0.4, BoundWhole("wall"), "", ()))


def test_a_gain_has_the_range_of_its_rule() -> None:
    told = find_expected(M9, results())
    assert told is not None
    assert (told.cases, told.source) == (2, "measured")
    assert 0.0 < told.low < told.high <= 1.0


@pytest.mark.parametrize(
    "other",
    [
        replace(M9, status="passed"),
        replace(M9, estimate=None),
        replace(M9, rule=load_rules()["K4"]),
        replace(M9, estimate=Estimate(0.4, BoundWhole("wall"), "", (), "limit")),
    ],
)
def test_nothing_else_has_one(other: Finding) -> None:
    assert find_expected(other, results()) is None


@pytest.mark.parametrize("high", [0.2, 0.1201])
def test_no_step_is_expected_to_save_more_than_its_part_takes_as_measured(high: float) -> None:
    """A bound has the upper end of its interval, an expectation is of the share itself."""
    rules = {code: load_rules()[code] for code in ("T2",)}
    given: dict[str, Number] = {
        "run.gpu_streams": 0.0,
        "steps.typical": 1.0,
        "steps.optimizer_share": [0.12, 0.03, high],
    }
    parts = {"steps.parts": [{"part": "optimizer", "time": 0.12, "share": 0.12}]}
    (finding,) = evaluate(results(given, parts), rules)
    told, bounded = find_expected(finding, results(given, parts)), finding.estimate
    assert told is not None
    assert bounded is not None
    assert bounded.reduction == pytest.approx(high)
    elsewhere = load_outcomes()["T2"]
    assert told.high * bounded.reduction == pytest.approx(0.12 * elsewhere.high)
    assert told.low * bounded.reduction == pytest.approx(0.12 * elsewhere.low)
    assert told.part == pytest.approx(0.12 / high)


def test_what_was_measured_is_told_alone(tmp_path: Path) -> None:
    path = tmp_path / "outcomes.toml"
    path.write_text("[X5]\nsimulated = [0.9]\nmeasured = [0.5, 0.7]\n")
    assert load_outcomes(path) == {"X5": ExpectedGain(0.5, 0.7, 2, "measured")}


@pytest.mark.parametrize(
    "text", ["[X5]\nsimulated = [1.2]", "[X5]\nguessed = [0.5]", "X5 = 1", "["]
)
def test_a_faulty_file_is_refused(tmp_path: Path, text: str) -> None:
    path = tmp_path / "outcomes.toml"
    path.write_text(text)
    with pytest.raises(ContentError, match="outcomes"):
        load_outcomes(path)
