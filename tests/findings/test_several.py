"""What means over several GPUs bound: where GPUs are alike.

Also: What steps reached of their bounds elsewhere stands beside a bound, and beside nothing else.
"""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import pytest

from perfolio.common.errors import ContentError
from perfolio.findings.estimates.bound_formulas import make_estimate
from perfolio.findings.estimates.multi_gpu import judge_over_gpus
from perfolio.findings.estimates.observed_gains import ExpectedGain, find_expected, load_outcomes
from perfolio.findings.estimates.time_ledger import (
    BESIDE,
    COPIES,
    IDLE,
    KERNELS,
    RECURRING,
    START,
    STEADY,
)
from perfolio.findings.evaluation.rule_evaluation import evaluate
from perfolio.findings.model.change_effect import ChangeEffect
from perfolio.findings.model.denominator import BoundWhole, WholeKind
from perfolio.findings.model.finding import Estimate, Finding, Refusal
from perfolio.findings.rules.catalog import load_rules
from tests.findings.support import Number, results

ALIKE = "The 8 GPUs are taken to be alike; where one of them decides for all, more can be saved."


def _worth(*effects: ChangeEffect, of: WholeKind = "wall") -> Estimate:
    found = make_estimate(0.2, BoundWhole(of, 10.0), "a / b", ("As it is.",), effects=effects)
    assert found is not None
    return found


FOUND = _worth(ChangeEffect(STEADY & IDLE))


def test_one_gpu_is_its_own_mean() -> None:
    assert judge_over_gpus(FOUND, results({"run.gpus": 1.0})) is FOUND
    assert judge_over_gpus(FOUND, results()) is FOUND


@pytest.mark.parametrize(
    ("effects", "said"),
    [
        ((ChangeEffect(STEADY & IDLE),), True),
        ((ChangeEffect(KERNELS, 2.0),), True),
        ((ChangeEffect(KERNELS, 2.0, is_mean=False),), False),
        ((), False),
    ],
    ids=["idle time", "kernels", "of the rank that decides", "threads"],
)
def test_means_over_gpus_say_so(effects: tuple[ChangeEffect, ...], said: bool) -> None:
    alike = results({"run.gpus": 8.0, "time.idle_imbalance": 1.05})
    found = judge_over_gpus(_worth(*effects), alike)
    assert isinstance(found, Estimate)
    assert found.assumptions == ("As it is.", *((ALIKE,) if said else ()))


@pytest.mark.parametrize("several", ["run.gpus", "run.ranks"])
def test_start_up_of_the_first_gpu_leaves_no_limit_for_all(several: str) -> None:
    start_up = _worth(ChangeEffect(START, 2.0))
    found = judge_over_gpus(start_up, results({several: 2.0}))
    assert isinstance(found, Refusal)
    assert "the last one to begin may hold up all the others" in found.reason
    assert judge_over_gpus(start_up, results({several: 1.0})) is start_up


def test_sums_over_operations_are_no_means() -> None:
    summed = _worth(ChangeEffect(KERNELS, 2.0), of="gpu_work")
    assert judge_over_gpus(summed, results({"run.gpus": 8.0})) is summed


def test_the_host_of_one_gpu_that_is_late_is_bounded_by_no_mean() -> None:
    unlike = results({"run.gpus": 8.0, "time.idle_imbalance": 8.0})
    found = judge_over_gpus(FOUND, unlike)
    assert isinstance(found, Refusal)
    assert "idle 8 times as long as the mean" in found.reason
    copies = _worth(ChangeEffect(RECURRING & COPIES), ChangeEffect(RECURRING & BESIDE))
    assert isinstance(judge_over_gpus(copies, unlike), Estimate), "it is of copies first"


@pytest.mark.parametrize(("imbalance", "is_bounded"), [(1.2, True), (1.3, False)])
def test_findings_on_idle_time_of_unlike_gpus_have_no_gain(
    imbalance: float, *, is_bounded: bool
) -> None:
    given = {
        "run.gpus": 4.0, "time.idle_imbalance": imbalance, "time.steady": 8.0,
        "time.steady_utilisation": 0.6, "time.steady_idle_share": 0.4, "time.wall": 10.0,
        "time.iteration_median": 0.1, "run.time_at_least": 10.0, "time.gpu_operations": 900.0,
    }  # fmt: skip
    idle = evaluate(results(given), {"G1": load_rules()["G1"]})[0]
    assert idle.status == "fired"
    assert (idle.estimate is not None) == is_bounded
    assert ("1.30 times" in idle.refusal.reason) != is_bounded


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
