"""Kept models that a run does not need are left out: they would add nothing."""

from __future__ import annotations

from typing import Any

import pytest

from generator.store.models import kept_models, models, tables_of_runs
from generator.store.run_tables import RunTables
from tests.metrics.support import Wanted, made

GPU = {"GPUOP (sec)": 2, "GKER (sec)": 1, "GKER:COUNT": 3}
CPU_LINE = {1: [1000, [0, 400, 2], [400, 600, 2]]}
CASES: list[dict[str, Any]] = [
    {"base": "cpu"},
    {"base": "cpu", "totals": {"CPUTIME (sec)": 5}},
    {"base": "cpu", "lines": CPU_LINE},
    {"base": "realtime", "totals": {"REALTIME (sec)": 1e-6}, "lines": CPU_LINE},
    {"base": "nvidia", "totals": GPU},
    {"base": "amd", "totals": {"GPUOP (sec)": 2, "GKER (sec)": 1}},
    {"base": "traced"},
    {"base": "traced", "lines": {3: [800, [200, 100, 6]]}},
    {"base": "iterating", "totals": GPU},
    {"base": "two_beginnings"},
]


@pytest.mark.slow
@pytest.mark.parametrize("case", CASES, ids=str)
def test_what_is_left_out_adds_nothing(
    case: dict[str, Any], monkeypatch: pytest.MonkeyPatch
) -> None:
    fewer = made([Wanted(case)])
    monkeypatch.setattr(RunTables, "applies", lambda *_: True)
    whole = made([Wanted(case)])
    assert fewer.keys() == whole.keys()
    for table, rows in whole.items():
        assert fewer[table].to_pylist() == rows.to_pylist(), table


def test_conditions_name_tables_and_models() -> None:
    conditions = [model for model in kept_models() if model.when]
    assert len(conditions) > 2
    assert all(model.needs for model in conditions)
    named = {model.when for model in conditions if model.when.isidentifier()}
    assert named <= {*tables_of_runs(), *models()}
