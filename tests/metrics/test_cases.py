"""Every metric against small stores, from `cases/<metric>.yaml`."""

from __future__ import annotations

import re
from collections import defaultdict
from dataclasses import replace
from functools import lru_cache
from typing import Any

import duckdb
import pytest

from generator.errors import ContentError
from generator.metrics.catalog import load_catalog
from generator.metrics.evaluate import evaluate, queries_of, vocabulary_of
from generator.metrics.model import Metric, Result, Results
from tests.metrics.support import (
    RUN,
    Case,
    Wanted,
    case_files,
    input_of,
    run_at,
    store_of_all,
    tool_of,
)

CATALOG = load_catalog()
BY_STORE: dict[str, list[tuple[str, Case]]] = defaultdict(list)
"""Metrics and their cases by what their store is made from."""
for _name, _cases in case_files().items():
    for _case in _cases:
        BY_STORE[input_of(_case)].append((_name, _case))
INPUTS = list(BY_STORE)
TOGETHER = 10
"""Runs that one store holds: most of what a store costs is statements, however many rows."""
# By store, also where processes share the tests: it is made and evaluated once.
CASES = [
    pytest.param(
        number,
        name,
        case,
        id=f"{name}: {case['about']}",
        marks=pytest.mark.xdist_group(f"store {number // TOGETHER}"),
    )
    for number, cases in enumerate(BY_STORE.values())
    for name, case in cases
]


@lru_cache(maxsize=1)
def _results_of(store: int) -> list[Results | ContentError]:
    """Of each run of a store, all metrics that have a case on it.

    One metric that fails, fails all cases on its run.
    """
    inputs = INPUTS[store * TOGETHER : (store + 1) * TOGETHER]
    catalogs = [{name: CATALOG[name] for name, _ in BY_STORE[each]} for each in inputs]
    wanted = [
        _wanted(BY_STORE[each][0][1], catalog)
        for each, catalog in zip(inputs, catalogs, strict=True)
    ]
    with store_of_all(wanted) as connection:
        return [
            _evaluated(connection, run_at(position), catalog)
            for position, catalog in enumerate(catalogs)
        ]


def _wanted(case: Case, catalog: dict[str, Metric]) -> Wanted:
    """The run of a case, and all that is asked of it to measure these metrics."""
    return Wanted(case, tuple(queries_of(catalog, vocabulary_of(tool_of(case)))))


def _evaluated(
    connection: duckdb.DuckDBPyConnection, run: int, catalog: dict[str, Metric]
) -> Results | ContentError:
    try:
        return evaluate(connection, run, catalog)
    except ContentError as error:
        return error


@pytest.mark.parametrize(("number", "name", "case"), CASES)
def test_metric(number: int, name: str, case: Case) -> None:
    results = _results_of(number // TOGETHER)[number % TOGETHER]
    if isinstance(results, ContentError):
        raise results
    result = results[name]
    expected = dict(case["expect"])
    assert result.status == expected.pop("status", "measured"), result.reason
    for field in ("reason", "collect"):
        assert expected.pop(field, "") in getattr(result, field)
    assert expected.pop("interval", "95 % interval") == result.metric.interval
    rows = expected.pop("rows", None)
    if rows is not None:
        assert _chosen_cells(result, rows) == [_approximate(row) for row in rows]
    if "count" in expected:
        assert len(result.records()) == expected.pop("count")
    for place, index in (("first", 0), ("last", -1)):
        row = expected.pop(place, {})
        assert {key: result.records()[index][key] for key in row} == _approximate(row)
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


LIMIT = re.compile(r"LIMIT \d+\Z")
LIMITED_TO_ONE = {"balance.threads", "balance.threads_efficiency"}


@pytest.mark.parametrize("name", [name for name in CATALOG if LIMIT.search(CATALOG[name].sql)])
def test_a_limit_keeps_the_first_rows(name: str) -> None:
    """With any limit, also where tables are empty: planners have forgotten it there."""
    shorter = replace(CATALOG[name], sql=LIMIT.sub("LIMIT 1", CATALOG[name].sql))
    case = max(case_files()[name], key=lambda case: len(case["expect"].get("rows", [])))
    with store_of_all([_wanted(case, {name: CATALOG[name]})]) as connection:
        rows, kept = (
            evaluate(connection, RUN, {name: metric})[name].rows
            for metric in (CATALOG[name], shorter)
        )
    assert kept == rows[:1]
    assert len(rows) > 1 or name in LIMITED_TO_ONE


LISTED = re.compile(r"\bfirst ([\d,]*\d)|\b(\d+) longest")
SAID = {
    name: {
        (first or longest).replace(",", "")
        for first, longest in LISTED.findall(f"{metric.definition} {metric.population}")
    }
    for name, metric in CATALOG.items()
}
"""How many rows are listed, as definitions say."""


@pytest.mark.parametrize("name", [name for name, said in SAID.items() if said])
def test_as_many_rows_are_listed_as_is_said(name: str) -> None:
    assert SAID[name] <= set(re.findall(r"\b\d+\b", CATALOG[name].sql))


def test_every_limit_is_said() -> None:
    limits = {name: LIMIT.search(CATALOG[name].sql) for name in set(CATALOG) - LIMITED_TO_ONE}
    assert not [name for name, limit in limits.items() if limit and limit[0][6:] not in SAID[name]]


def test_every_metric_has_a_measured_case() -> None:
    covered = {
        name
        for name, cases in case_files().items()
        if any(case["expect"].get("status", "measured") == "measured" for case in cases)
    }
    assert set(CATALOG) == covered


def test_every_metric_with_needs_has_a_case_that_lacks_them() -> None:
    needy = {name for name, metric in CATALOG.items() if metric.needs}
    lacking = {
        name
        for name, cases in case_files().items()
        if any(case["expect"].get("status") == "not_measured" for case in cases)
    }
    assert needy <= lacking
