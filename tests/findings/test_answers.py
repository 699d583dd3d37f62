"""What passes once a step brings all that it can, and what it answers in part."""

from __future__ import annotations

from typing import Any

import pytest

from perfolio.findings.evaluation.rule_evaluation import evaluate
from perfolio.findings.report.answered_findings import split_answered_findings
from perfolio.findings.rules.catalog import load_rules
from perfolio.findings.tree.roadmap import RoadmapStep, make_roadmap
from perfolio.findings.tree.run_tree import build_tree
from tests.findings.support import results

# Iterations of 100 s: 80 s are long waits, 2 s other long gaps, and 10 s short ones.
MEASURED = {
    "time.wall": 200.0,
    "time.gpu_busy": 8.0,
    "time.gpu_utilisation": 0.04,
    "time.steady": 100.0,
    "time.gpu_idle_share": 0.96,
    "time.gpu_operations": 900.0,
    "time.gpu_span": 101.0,
    "time.steady_utilisation": 0.08,
    "time.steady_idle_share": 0.92,
    "time.unsampled_idle_share": 0.9,
    "time.iterations": 100.0,
    "time.iteration_median": 1.0,
    "time.iteration_gap_share": 0.8,
    "time.iteration_longest_gap": 0.8,
    "time.iteration_gap_time": 80.0,
    "time.iteration_gpu_busy": 0.08,
    "time.gaps": 9000.0,
    "time.longest_gap": 0.9,
    "time.long_gap_time": 82.0,
    "time.long_gap_share": 0.82,
    "time.idle_chunks": 30.0,
    "sampling.metrics_listed": 0.0,
}
TABLES = {
    "time.idle_parts": [
        {"part": "iterations", "period": "typical", "host": 92.0, "profiler": 0.0, "wait": 80.0}
    ]
}


def _step(**measured: Any) -> RoadmapStep:
    given = results({**MEASURED, **measured}, TABLES)
    rules = load_rules()
    found = evaluate(given, {code: rules[code] for code in ("G1", "G2", "G3", "G3s", "G4", "G9")})
    tree = build_tree(given, found)
    (step,) = split_answered_findings(make_roadmap(tree, found, given), found, tree, given).steps
    assert step.code == "G9"
    return step


def test_what_still_fires_after_the_step_is_answered_in_part() -> None:
    """Of 20 s that are left the GPU is idle for 12, in long gaps for 2: 60 and 10 %."""
    step = _step(**{"time.longest_other_gap": 0.002})
    assert set(step.part) == {"G1"}
    assert set(step.also) == {"G2", "G3", "G3s", "G4"}


@pytest.mark.parametrize(
    ("gap", "part"), [(0.6, {"G1", "G2", "G3"}), (0.4, {"G1", "G2"}), (None, {"G1", "G2", "G3"})]
)
def test_the_longest_gap_that_is_left_decides(gap: float | None, part: set[str]) -> None:
    left = {} if gap is None else {"time.longest_other_gap": gap}
    assert set(_step(**left).part) == part


def test_a_gpu_that_stays_all_but_unused_is_answered_in_part() -> None:
    """Busy for 0.8 s of 20 s that are left."""
    step = _step(**{"time.longest_other_gap": 0.002, "time.steady_utilisation": 0.008})
    assert "G4" in step.part
