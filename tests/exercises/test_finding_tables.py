"""What findings.json tells, read like metrics, and what a run without intervals lacks."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from perfolio.exercises.finding_tables import make_finding_tables
from tests.exercises.support import exercise_of, fenced, run_of, sheet_of


@pytest.mark.parametrize(
    ("most", "factor"), [(None, None), (0.0, 1.0), (0.75, 4.0), (1.0, None), (1.2, None)]
)
def test_a_step_that_leaves_nothing_has_no_factor(most: float | None, factor: float | None) -> None:
    step: dict[str, Any] = {"code": "D8", "most": most, "phase": "immediate"}
    document = {
        "findings": [{"code": "D8", "title": "Input data", "effort": "days"}],
        "roadmap": {"phases": [{"steps": [step]}]},
    }
    (row,) = make_finding_tables(document)["steps"].records()
    assert (row["most"], row["factor"]) == (most, factor)


@pytest.mark.parametrize(
    ("told", "reason"),
    [(0.4, "no value for low.time.top_blame"), ("Nothing was sampled", "Nothing was sampled")],
)
def test_a_question_about_an_interval_that_is_not_there_is_not_asked(
    tmp_path: Path, told: Any, reason: str
) -> None:
    """It does not stop the report."""
    options = [{"says": "Yes", "right": "low.time.top_blame > 0.5"},
               {"says": "No", "right": "low.time.top_blame <= 0.5"}]  # fmt: skip
    wall = {"id": "wall", "type": "number", "answer": {"metric": "time.wall"}}
    which = {"id": "which", "type": "choice", "options": options}
    exercise = exercise_of(tmp_path, fenced(wall, which), {"partial": True})
    sheet = sheet_of(exercise, run_of({"time.wall": 2.0, "time.top_blame": told}))
    (gap,) = [each.gap for each in sheet.questions if each.gap]
    assert reason in gap.reason
