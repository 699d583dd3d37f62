"""Statements of derive.sql that a run does not need are left out: they would add nothing."""

from __future__ import annotations

import re
from importlib.resources import files
from typing import Any

import pytest

from generator.store import derive
from generator.store.rows import RUN_TABLES
from tests.metrics.support import made

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


@pytest.mark.parametrize("case", CASES, ids=str)
def test_what_is_left_out_adds_nothing(
    case: dict[str, Any], monkeypatch: pytest.MonkeyPatch
) -> None:
    fewer = made(case)
    monkeypatch.setattr(derive, "_holds", lambda *_: True)
    whole = made(case)
    assert fewer.keys() == whole.keys()
    for table, rows in whole.items():
        assert fewer[table].to_pylist() == rows.to_pylist(), table


def test_conditions_name_tables() -> None:
    script = (files("generator.store") / "derive.sql").read_text("utf-8")
    named = re.findall(r"^(?:INSERT INTO|UPDATE) \w+ -- only where: (.*)$", script, re.MULTILINE)
    assert len(named) > 10
    assert set(named) < set(RUN_TABLES)
