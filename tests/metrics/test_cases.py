"""Every metric against small stores, from `cases/<metric>.yaml`."""

from __future__ import annotations

import re
from collections import defaultdict
from dataclasses import replace
from functools import cache
from pathlib import Path
from typing import Any, NamedTuple

import duckdb
import pytest

import perfolio.metrics
import perfolio.readers
import perfolio.store
from perfolio.common.errors import ContentError
from perfolio.metrics.catalog import load_catalog
from perfolio.metrics.model import Metric, Result, Results
from perfolio.metrics.run_measurement import evaluate, list_metric_queries, load_tool_vocabulary
from perfolio.store.model_catalog import list_tables_of_runs
from tests.kit.shelf import Shelf, digest_of
from tests.metrics.other_run import OTHER, RUN, columns
from tests.metrics.support import (
    MADE_BY,
    Case,
    Wanted,
    case_files,
    input_of,
    run_at,
    store_of,
    store_of_all,
    tool_of,
)

# Every metric against small stores, from `cases/<metric>.yaml`.

CATALOG = load_catalog()
BY_STORE: dict[str, list[tuple[str, Case]]] = defaultdict(list)
"""Metrics and their cases by what their store is made from."""
for _name, _cases in case_files().items():
    for _case in _cases:
        BY_STORE[input_of(_case)].append((_name, _case))
LIMIT = re.compile(r"LIMIT \d+\Z")
LIMITED_TO_ONE = {"balance.threads", "balance.threads_efficiency", "snapshot.activation_share"}
LIMITED = {
    name: max(case_files()[name], key=lambda case: len(case["expect"].get("rows", [])))
    for name in CATALOG
    if LIMIT.search(CATALOG[name].sql)
}
"""Metrics whose rows are limited, and the case of each with the most rows."""
SHORTENED: dict[str, list[str]] = defaultdict(list)
"""These metrics by what the store of that case is made from."""
for _name, _case in LIMITED.items():
    SHORTENED[input_of(_case)].append(_name)
INPUTS = list(BY_STORE)
TOGETHER = 20
"""Runs that one store holds: most of what a store costs is statements, however many rows."""


def _with_its_store(number: int) -> pytest.MarkDecorator:
    """By store, also where processes share the tests: it is made and evaluated once."""
    return pytest.mark.xdist_group(f"store {number // TOGETHER}")


CASES = [
    pytest.param(number, name, case, id=f"{name}: {case['about']}", marks=_with_its_store(number))
    for number, cases in enumerate(BY_STORE.values())
    for name, case in cases
]


class Measured(NamedTuple):
    """What was measured of the run of a case."""

    results: Results
    """Of all metrics that have a case on it."""
    shortened: Results
    """Of those of its metrics that are limited, with a limit of one row."""


@cache
def _shelf() -> Shelf:
    """Of what was measured: it follows from these files, and from the cases and their metrics."""
    code = [
        path
        for folder in (perfolio.metrics, perfolio.readers, perfolio.store)
        for path in Path(folder.__path__[0]).rglob("*")
        if path.suffix in {".py", ".toml", ".csv"} or (folder is perfolio.store and path.is_file())
    ]
    return Shelf("measured", digest_of([duckdb.__version__], [*code, *MADE_BY, Path(__file__)]))


@cache
def _measured(store: int) -> list[Measured | ContentError]:
    """What was measured of each run of a store.

    One metric that fails, fails all cases on its run.
    """
    inputs = INPUTS[store * TOGETHER : (store + 1) * TOGETHER]
    catalogs = [{name: CATALOG[name] for name, _ in BY_STORE[each]} for each in inputs]
    wanted = [
        _wanted(BY_STORE[each][0][1], catalog)
        for each, catalog in zip(inputs, catalogs, strict=True)
    ]
    limited = [SHORTENED[each] for each in inputs]

    def make() -> list[Measured | ContentError]:
        with store_of_all(wanted) as connection:
            return [
                _evaluated(connection, run_at(position), *asked)
                for position, asked in enumerate(zip(catalogs, limited, strict=True))
            ]

    return _shelf().kept(digest_of([*inputs, repr(catalogs), repr(limited)], []), make)


def _wanted(case: Case, catalog: dict[str, Metric]) -> Wanted:
    """The run of a case, and all that is asked of it to measure these metrics."""
    return Wanted(case, tuple(list_metric_queries(catalog, load_tool_vocabulary(tool_of(case)))))


def _evaluated(
    connection: duckdb.DuckDBPyConnection,
    run: int,
    catalog: dict[str, Metric],
    limited: list[str],
) -> Measured | ContentError:
    try:
        results = evaluate(connection, run, catalog)
        shortened: dict[str, Result] = {}
        for name in limited:
            shorter = replace(CATALOG[name], sql=LIMIT.sub("LIMIT 1", CATALOG[name].sql))
            shortened |= evaluate(connection, run, {name: shorter})
    except ContentError as error:
        return error
    return Measured(results, shortened)


def _measured_at(number: int) -> Measured:
    found = _measured(number // TOGETHER)[number % TOGETHER]
    if isinstance(found, ContentError):
        raise found
    return found


@pytest.mark.parametrize(("number", "name", "case"), CASES)
def test_metric(number: int, name: str, case: Case) -> None:
    result = _measured_at(number).results[name]
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
    left = iter(result.records())
    for row in expected.pop("among", []):  # in this order, with any others between them
        wanted = _approximate(row)
        assert any({key: each[key] for key in row} == wanted for each in left), row
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


@pytest.mark.parametrize(
    ("number", "name"),
    [
        pytest.param(number, name, id=name, marks=_with_its_store(number))
        for number, each in enumerate(INPUTS)
        for name in SHORTENED[each]
    ],
)
def test_a_limit_keeps_the_first_rows(number: int, name: str) -> None:
    """With any limit, also where tables are empty: planners have forgotten it there."""
    measured = _measured_at(number)
    rows = measured.results[name].rows
    assert measured.shortened[name].rows == rows[:1]
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


# Stores of cases: what a query that is wrong would read there.

ROWS_OF_CASES = (
    {"base": "iterating", "totals": {"GKER (sec)": 2, "GPUOP (sec)": 2, "GKER:COUNT": 10}},
    {"base": "traced", "hardware": {"fp64_flops": 1e12}, "settings": {"workload.steps": "3"}},
)
NAMES = {"profile", "module", "file", "function", "context", "metric"}
NUMBERS = {"INTEGER", "BIGINT", "HUGEINT", "UINTEGER", "UBIGINT", "DOUBLE"}


@pytest.mark.slow
@pytest.mark.parametrize("case", ROWS_OF_CASES, ids=lambda case: case["base"])
def test_the_other_run_has_rows_like_these_and_other_numbers(case: dict[str, object]) -> None:
    compared = set()
    with store_of(case) as connection:
        for table in list_tables_of_runs():
            described = columns(connection, table)
            names = [f'"{column.name}"' for column in described if column.identifies]
            numbers = [c.name for c in described if not c.identifies and c.type in NUMBERS]
            mine, others = (count(connection, table, run) for run in (RUN, OTHER))
            assert mine <= others <= 2 * mine, table
            assert mine < 10 or mine < others or table in NAMES, table
            for number in numbers:
                keys = ", ".join(name for name in names if name != '"run"')
                same = both(connection, table, keys, number)
                assert same == 0, f"{table}.{number} is the same in {same} rows"
                compared.add(f"{table}.{number}")
    assert {"value.value", "trace.time", "gpu_level.stop", "iteration.gpu_busy"} <= compared


def count(connection: duckdb.DuckDBPyConnection, table: str, run: int) -> int:
    row = connection.execute(f"SELECT count(*) FROM {table} WHERE run = {run}").fetchone()
    return int(row[0]) if row else 0


def both(connection: duckdb.DuckDBPyConnection, table: str, keys: str, number: str) -> int:
    """How many rows of the other run have the identifiers and the number of one of the first."""
    chosen = ", ".join(filter(None, [keys, f'"{number}"']))
    row = connection.execute(
        f"SELECT count(*) FROM (SELECT DISTINCT {chosen} FROM {table} WHERE run = {RUN}"
        f' AND "{number}" IS NOT NULL'
        f" INTERSECT SELECT {chosen} FROM {table} WHERE run = {OTHER})"
    ).fetchone()
    return int(row[0]) if row else 0


def test_rows_come_in_no_order_but_points_of_a_line() -> None:
    with store_of(ROWS_OF_CASES[0]) as connection:
        contexts = connection.execute("SELECT id FROM context WHERE run = 1").fetchall()
        runs = connection.execute("SELECT run FROM metric").fetchall()
        times = connection.execute(
            "SELECT time FROM trace WHERE run = 1 AND profile = 3 ORDER BY rowid"
        ).fetchall()
    assert contexts != sorted(contexts)
    assert runs not in (sorted(runs), sorted(runs, reverse=True))
    assert len(times) > 2
    assert times == sorted(times)
