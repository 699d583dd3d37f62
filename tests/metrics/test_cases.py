"""Every metric against small stores, from `cases/<metric>.yaml`."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator
from contextlib import ExitStack
from typing import Any

import duckdb
import pytest

from generator.metrics.catalog import load_catalog
from generator.metrics.evaluate import evaluate
from generator.metrics.model import Result
from tests.metrics.support import RUN, Case, case_files, store_of

StoreOf = Callable[[Case], duckdb.DuckDBPyConnection]


def _input(case: Case) -> str:
    """What the store of `case` is made from: equal for equal stores."""
    return json.dumps({key: case[key] for key in sorted(case) if key not in {"about", "expect"}})


CATALOG = load_catalog()
# Sorted by their input, as a store takes far longer to make than a metric to evaluate.
CASES = [
    pytest.param(name, case, id=f"{name}: {case['about']}")
    for name, case in sorted(
        ((name, case) for name, cases in case_files().items() for case in cases),
        key=lambda each: _input(each[1]),
    )
]


@pytest.fixture(scope="module")
def held_store() -> Iterator[StoreOf]:
    """The store of a case, held until a case with another input comes."""
    with ExitStack() as stack:
        held: dict[str, duckdb.DuckDBPyConnection] = {}

        def of(case: Case) -> duckdb.DuckDBPyConnection:
            if _input(case) not in held:
                held.clear()
                stack.close()
                held[_input(case)] = stack.enter_context(store_of(case))
            return held[_input(case)]

        yield of


@pytest.mark.parametrize(("name", "case"), CASES)
def test_metric(name: str, case: Case, held_store: StoreOf) -> None:
    result = evaluate(held_store(case), RUN, {name: CATALOG[name]})[name]
    expected = dict(case["expect"])
    assert result.status == expected.pop("status", "measured"), result.reason
    for field in ("reason", "collect"):
        assert expected.pop(field, "") in getattr(result, field)
    assert expected.pop("interval", "95 % interval") == result.metric.interval
    rows = expected.pop("rows", None)
    if rows is not None:
        assert _chosen_cells(result, rows) == [_approximate(row) for row in rows]
    for field, value in expected.items():
        assert getattr(result, field) == pytest.approx(value, rel=1e-9, abs=1e-15), field


def _chosen_cells(result: Result, rows: list[dict[str, Any]]) -> list[dict[str, Any]]:
    """The rows of `result`, of each only the columns that the expected row has."""
    records = result.records()
    keys = [set(row) for row in rows] + [set(record) for record in records[len(rows) :]]
    return [
        {key: record[key] for key in wanted} for record, wanted in zip(records, keys, strict=False)
    ]


def _approximate(row: dict[str, Any]) -> dict[str, Any]:
    return {
        key: pytest.approx(cell, rel=1e-9, abs=1e-15) if isinstance(cell, (int, float)) else cell
        for key, cell in row.items()
    }


def test_every_metric_has_a_measured_case() -> None:
    never = {"launch.blocks"}  # no database can hold its input
    covered = {
        name
        for name, cases in case_files().items()
        if any(case["expect"].get("status", "measured") == "measured" for case in cases)
    }
    assert set(CATALOG) - never == covered


def test_every_metric_with_needs_has_a_case_that_lacks_them() -> None:
    needy = {name for name, metric in CATALOG.items() if metric.needs}
    lacking = {
        name
        for name, cases in case_files().items()
        if any(case["expect"].get("status") == "not_measured" for case in cases)
    }
    assert needy <= lacking
