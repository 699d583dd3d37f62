"""How far one can trust what a finding says."""

from __future__ import annotations

import pytest

from perfolio.findings.evaluation.rule_evaluation import evaluate
from perfolio.findings.model.confidence import judge_confidence
from perfolio.findings.rules.catalog import load_rules
from tests.findings.support import Number, results

STEPS = {"time.gpu_operations": 8700.0, "time.iterations": 100.0}


@pytest.mark.parametrize(
    ("share", "besides", "word"),
    [
        (0.6, {}, "sure"),
        ([0.6, 0.55, 0.65], {}, "likely"),
        ([0.06, 0.04, 0.65], {}, "check first"),
        (0.6, {"time.nothing_runs_python": 0.2}, "check first"),
        (0.6, {"time.data_dropped_share": 0.6}, "check first"),
        (0.6, {"steps.overhead": 0.3}, "check first"),
        (0.6, {"steps.overhead": 0.2}, "sure"),
        (0.01, {}, None),
    ],
)
def test_the_word(share: Number, besides: dict[str, Number], word: str | None) -> None:
    measured = {**STEPS, "time.data_share": share, **besides}
    given = results({"time.iteration_median": 0.1, **measured})
    (finding,) = evaluate(given, {"D8": load_rules()["D8"]})
    assert judge_confidence(finding, given) == word
