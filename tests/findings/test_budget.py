"""No step saves more than there is of what it takes, or of what it can run beside.

Also: A project's thresholds: read, refused, and judged by.
"""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from perfolio.common.errors import UsageError
from perfolio.findings.document import make_findings_document
from perfolio.findings.estimates.estimator_catalog import load_estimators
from perfolio.findings.estimates.savings_budget import SavingsBudget, clamp_effects, find_wait_time
from perfolio.findings.estimates.time_ledger import COMPLETE, ERAS, IDLE, RECURRING
from perfolio.findings.model.change_effect import ChangeEffect
from perfolio.findings.model.finding import Estimate, Refusal
from perfolio.findings.model.rule import Threshold
from perfolio.findings.rules.catalog import load_rules
from perfolio.findings.rules.threshold_overrides import (
    ThresholdOverrides,
    apply_overrides,
    read_overrides,
)
from perfolio.metrics.document import make_metrics_document
from perfolio.metrics.model import Results
from tests.findings.support import results
from tests.findings.test_document import RUN

STEPS = {"time.wall": 1.0, "time.steady": 1.0, "time.iterations": 10.0,
         "time.iteration_median": 0.1, "communication.exposed_everywhere": 0.5}  # fmt: skip


def _given(cells: dict[tuple[str, str], float], *parts: tuple[int, str, float]) -> Results:
    """A run of these cells (by period and state), and of these parts of ranks, all steady."""
    ledger = [{"gpu": 0, "period": period, "state": state, "beside": "none", "time": seconds,
               "gap": "other" if state == "idle" else "none", "number": 1.0}
              for (period, state), seconds in cells.items()]  # fmt: skip
    budget = [{"rank": rank, "period": "steady", "part": part, "time": seconds}
              for rank, part, seconds in parts]  # fmt: skip
    tables: dict[str, Any] = {"time.gpu_ledger": ledger}
    return results(STEPS, {**tables, "time.budget": budget} if parts else tables)


COPIED = {("steady", "copy waited for"): 0.5, ("steady", "kernel"): 0.1, ("steady", "idle"): 0.4,
          ("warm-up", "copy waited for"): 0.3, ("warm-up", "kernel"): 0.7}  # fmt: skip
MEETING = {("steady", "collective"): 0.5, ("steady", "kernel"): 0.3, ("steady", "idle"): 0.2}
WAITING = {("steady", "kernel"): 0.45, ("steady", "idle"): 0.55}


def _budget(name: str) -> SavingsBudget:
    budget = load_estimators()[name].budget
    assert budget is not None
    return budget


@pytest.mark.parametrize("name", ["overlap", "exposed_copies"])
def test_what_hides_fits_behind_kernels_in_each_era(name: str) -> None:
    """In the warm-up 0.3 s of copies fit behind kernels; in steady iterations 0.1 of 0.5 s do."""
    budget = _budget(name)
    effects = clamp_effects(budget, (ChangeEffect(RECURRING & budget.takes),), _given(COPIED))
    assert [each.most for each in effects] == pytest.approx([0.3, 0.1, 0.0, 0.0])
    found = load_estimators()[name]("", 0.5, _given(COPIED))
    assert isinstance(found, Estimate)
    assert found.reduction == pytest.approx(0.1)


@pytest.mark.parametrize(
    ("parts", "saved"),
    [
        ((), 0.3),
        (((0, "communication alone", 0.5), (0, "kernels alone", 0.2)), 0.2),
        (
            (
                *((0, "communication alone", 0.5), (0, "kernels alone", 0.3)),
                *((1, "communication alone", 0.5), (1, "kernels alone", 0.05)),
            ),
            0.05,
        ),
    ],
)
def test_communication_fits_behind_kernels_of_the_rank_that_decides(
    parts: tuple[tuple[int, str, float], ...], saved: float
) -> None:
    found = load_estimators()["communication"]("", 0.5, _given(MEETING, *parts))
    assert isinstance(found, Estimate)
    assert found.reduction == pytest.approx(saved)


@pytest.mark.parametrize(
    ("parts", "saved"),
    [
        (((0, "idle", 0.55),), 0.55),
        (((0, "host waits", 0.075),), 0.075),
        (((0, "host waits", 0.9),), 0.55),
        (((0, "host waits", 0.1), (1, "host waits", 0.2)), 0.2),
        (
            (
                *((0, "host waits", 0.1), (0, "communication alone", 0.1)),
                *((1, "host waits", 0.2), (1, "communication alone", 0.1)),
            ),
            0.1,
        ),
    ],
    ids=["unknown", "less than is idle", "more than is idle", "ranks apart", "ranks that meet"],
)
def test_fewer_waits_save_no_more_than_threads_waited(
    parts: tuple[tuple[int, str, float], ...], saved: float
) -> None:
    found = load_estimators()["waits"]("", 0.5, _given(WAITING, *parts))
    assert isinstance(found, Estimate)
    assert found.reduction == pytest.approx(saved)


def test_waits_outside_of_iterations_save_nothing() -> None:
    given = _given(WAITING, (0, "host waits", 0.0))
    found = load_estimators()["waits"]("", 0.5, given)
    assert isinstance(found, Refusal)
    assert found.concerned == 0.0
    assert find_wait_time(COMPLETE, given) == 0.0


@pytest.mark.parametrize("name", ["overlap", "exposed_copies", "communication"])
def test_nothing_to_run_beside_is_no_gain(name: str) -> None:
    alone = {key: value for key, value in {**COPIED, **MEETING}.items() if key[1] != "kernel"}
    only = {key: value for key, value in alone.items() if name == "communication"
            or key[1] != "collective"}  # fmt: skip
    found = load_estimators()[name]("", 0.5, _given(only))
    assert isinstance(found, Refusal)
    assert "could run beside" in found.reason
    assert found.concerned


def test_an_amount_stays_as_it_is_within_its_budget() -> None:
    given = _given(WAITING, (0, "host waits", 0.075))
    asked = tuple(ChangeEffect(era & IDLE, 0.05) for era in ERAS)
    assert [each.most for each in clamp_effects(_budget("waits"), asked, given)] == [
        0.0,
        0.05,
        0.0,
        0.0,
    ]


RULES = load_rules()
COPIES = {"gpu.operation_time": 2.0, "gpu.copy_to_kernel": 1.5}


def _read(folder: Path, text: str) -> ThresholdOverrides:
    path = folder / "perfolio.toml"
    path.write_text(text, "utf-8")
    return read_overrides(path)


def test_named_severities_replace_and_the_others_stay(tmp_path: Path) -> None:
    rules = apply_overrides(
        RULES, _read(tmp_path, "[thresholds]\nX2 = {medium = 2, critical = 9.5}")
    )
    assert rules["X2"].thresholds == (
        Threshold("medium", 2.0), Threshold("high", 4.0), Threshold("critical", 9.5),
    )  # fmt: skip
    assert rules["X2"].defaults == RULES["X2"].thresholds
    assert {code for code, rule in rules.items() if rule.defaults} == {"X2"}
    assert rules["X1"] == RULES["X1"]


def test_findings_are_judged_by_them_and_say_so(tmp_path: Path) -> None:
    metrics = make_metrics_document(RUN, results(COPIES))
    rules = apply_overrides(RULES, _read(tmp_path, "[thresholds.X2]\nmedium = 2.0"))
    before, after = (
        next(
            one for one in make_findings_document(metrics, each)["findings"] if one["code"] == "X2"
        )
        for each in (RULES, rules)
    )
    assert (before["status"], before["default_thresholds"]) == ("fired", [])
    assert after["status"] == "passed"
    assert after["thresholds"][0] == {"severity": "medium", "value": 2.0}
    assert after["default_thresholds"][0] == {"severity": "medium", "value": 1.0}
    assert after["margin"]["sentence"].startswith("It would be medium above 2;")


def test_a_target_that_no_longer_passes_moves_to_the_threshold(tmp_path: Path) -> None:
    rules = apply_overrides(RULES, _read(tmp_path, "[thresholds]\nX1 = {medium = 0.02}"))
    assert RULES["X1"].target.value == 0.05
    assert rules["X1"].target.value == 0.02
    assert "perfolio.toml" in rules["X1"].target.source


def test_without_a_file_rules_stay() -> None:
    assert apply_overrides(RULES, ThresholdOverrides()) == RULES


@pytest.mark.parametrize(
    ("text", "complaint"),
    [
        ("[thresholds", "is not TOML"),
        ("[limits]\nX2 = 1", "limits: is no known key; known: thresholds"),
        ("thresholds = 1", "thresholds: must be a mapping"),
        ("[thresholds]\nX2 = 2.0", "must be a mapping, not a number"),
        ("[thresholds]\nX2 = {}", "X2: must be `severity: value` pairs"),
        ("[thresholds]\nX2 = {grave = 1}", "X2: grave: is no known key; known: info, low"),
        ("[thresholds]\nX2 = {high = true}", "X2: high: must be a number"),
        ("[thresholds]\nX2 = {high = inf}", "X2: high: must be a number"),
        ("[thresholds]\nZ9 = {high = 1}", "no rule 'Z9'"),
        ("[thresholds]\nX2 = {medium = 8}", "farther above: medium 8, high 4"),
        ("[thresholds]\nL1 = {low = 4e-6}", "farther below"),
    ],
)
def test_what_cannot_be_meant_is_refused(tmp_path: Path, text: str, complaint: str) -> None:
    with pytest.raises(UsageError, match=complaint) as caught:
        apply_overrides(RULES, _read(tmp_path, text))
    assert "perfolio.toml" in str(caught.value)


def test_a_file_that_is_not_there_is_refused(tmp_path: Path) -> None:
    with pytest.raises(UsageError, match="cannot be read"):
        read_overrides(tmp_path / "perfolio.toml")
