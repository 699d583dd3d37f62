"""A project's thresholds: read, refused, and judged by."""

from __future__ import annotations

from pathlib import Path

import pytest

from perfolio.common.errors import UsageError
from perfolio.findings.document import make_findings_document
from perfolio.findings.model.rule import Threshold
from perfolio.findings.rules.catalog import load_rules
from perfolio.findings.rules.threshold_overrides import (
    ThresholdOverrides,
    apply_overrides,
    read_overrides,
)
from perfolio.metrics.document import make_metrics_document
from tests.findings.support import results
from tests.findings.test_document import RUN

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
