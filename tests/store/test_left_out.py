"""Kept models that a run does not need are left out: they would add nothing."""

from __future__ import annotations

from typing import Any
from unittest.mock import patch

import pyarrow as pa
import pyarrow.compute as pc
import pytest

from perfolio.store.model_catalog import list_kept_models, list_tables_of_runs, load_models
from perfolio.store.run_tables import RunTables
from tests.metrics.support import Case, Tables, Wanted, made, run_at

GPU = {"GPUOP (sec)": 2, "GKER (sec)": 1, "GKER:COUNT": 3}
CPU_LINE = {1: [1000, [0, 400, 2], [400, 600, 2]]}
CASES: list[Case] = [
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


Rows = dict[str, list[dict[str, Any]]]


@pytest.fixture(scope="module")
def fewer() -> Tables:
    """The store of all cases."""
    return made([Wanted(case) for case in CASES])


@pytest.fixture(scope="module")
def whole() -> Tables:
    """The same, with all kept models of each."""
    with patch.object(RunTables, "applies", lambda *_: True):
        return made([Wanted(case) for case in CASES])


def rows_of(tables: Tables, position: int) -> Rows:
    """Those of the case at a position, of its run and of the one that is copied from it."""
    runs = pa.array([run_at(position), run_at(position) + 1])
    found = {
        table: rows.filter(pc.is_in(rows["run"], runs)) if "run" in rows.schema.names else rows
        for table, rows in tables.items()
    }
    return {table: rows.to_pylist() for table, rows in found.items() if rows.num_rows}


@pytest.mark.slow
@pytest.mark.parametrize("case", CASES, ids=str)
def test_what_is_left_out_adds_nothing(case: Case, fewer: Tables, whole: Tables) -> None:
    found, expected = (rows_of(tables, CASES.index(case)) for tables in (fewer, whole))
    assert len(found) >= 10
    assert found.keys() == expected.keys()
    for table, rows in expected.items():
        assert found[table] == rows, table


def test_conditions_name_tables_and_models() -> None:
    conditions = [model for model in list_kept_models() if model.when]
    assert len(conditions) > 2
    assert all(model.needs for model in conditions)
    named = {model.when for model in conditions if model.when.isidentifier()}
    assert named <= {*list_tables_of_runs(), *load_models()}
