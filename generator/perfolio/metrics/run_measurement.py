"""Metrics on one run of a store.

In:  an open store, a run and the catalog. Out: a `Result` per metric, in the catalog's order.
A metric whose inputs are missing is not measured, never 0. One whose query cannot end on this run,
for lack of memory or for what the run holds, has failed, and the others are measured.
"""

from __future__ import annotations

import math
from collections import deque
from collections.abc import Callable, Iterator, Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from contextvars import copy_context
from dataclasses import replace
from decimal import Decimal
from functools import cache, partial
from time import process_time, thread_time

import duckdb

from perfolio.common.errors import ContentError
from perfolio.metrics.model import Cell, Metric, MetricColumn, Result, Results
from perfolio.metrics.requirements import (
    UnmetNeed,
    Vocabulary,
    find_unmet_need,
    list_need_queries,
    load_vocabulary,
)
from perfolio.metrics.run_inventory import StoreInventory
from perfolio.readers.tool_catalog import CAPABILITIES, find_tool_folder
from perfolio.store.connections import is_damage_error
from perfolio.store.run_tables import RunTables, make_run_tables

_SCALAR_COLUMNS = ("value", "low", "high", "n", "interval")
_TEXT_TYPES = frozenset({"VARCHAR"})
_NUMBER_TYPES = frozenset(
    {"TINYINT", "SMALLINT", "INTEGER", "BIGINT", "HUGEINT", "FLOAT", "DOUBLE", "DECIMAL",
     "UTINYINT", "USMALLINT", "UINTEGER", "UBIGINT", "UHUGEINT"}
)  # fmt: skip
_NO_VALUE = "the profile holds nothing to compute it from"
_NO_MEMORY = "the query ran out of memory"
_WRONG = (
    duckdb.BinderException, duckdb.CatalogException, duckdb.ParserException, duckdb.SyntaxException,
)  # fmt: skip
"""Errors of a query on whatever run: its author mends them."""
_NOT_FINITE = "the profile holds values that give no finite number"

_Rows = list[tuple[object, ...]]


def evaluate(
    connection: duckdb.DuckDBPyConnection,
    run: int,
    catalog: Mapping[str, Metric],
    beside: duckdb.DuckDBPyConnection | None = None,
) -> Results:
    """Every metric of `catalog` on `run`.

    With `beside`, a second connection to the same store, a second thread measures half of them:
    nothing that was not committed may be there.

    Raises ContentError, naming the metric, where a query is wrong on any run, or returns
    columns or types other than its front matter says.
    """
    vocabulary = load_tool_vocabulary(_read_tool(connection, run))
    queries = list_metric_queries(catalog, vocabulary)
    waiting, results = deque(catalog.values()), dict[str, Result]()

    def measure(own: duckdb.DuckDBPyConnection, take: Callable[[], Metric]) -> None:
        clock = process_time if beside is None else thread_time
        with make_run_tables(own, run, queries, clock=clock) as tables:
            lacked = cache(
                partial(find_unmet_need, inventory=StoreInventory(tables), vocabulary=vocabulary)
            )
            for metric in _take_each(take):
                results[metric.name] = _make_result(tables, metric, lacked)

    if beside is None:
        measure(connection, waiting.popleft)
    else:
        measure_from_end = partial(copy_context().run, measure, beside, waiting.pop)
        with ThreadPoolExecutor(1, "metrics") as pool:
            other = pool.submit(measure_from_end)
            try:
                measure(connection, waiting.popleft)
            except KeyboardInterrupt:
                beside.interrupt()
                raise
            finally:
                waiting.clear()
            other.result()
    return {name: results[name] for name in catalog}


def _take_each(take: Callable[[], Metric]) -> Iterator[Metric]:
    """What `take` gives until nothing is left: others may take, too."""
    while True:
        try:
            metric = take()
        except IndexError:
            return
        yield metric


def list_metric_queries(catalog: Mapping[str, Metric], vocabulary: Vocabulary) -> list[str]:
    """All that may be asked of a run to measure the metrics of `catalog`."""
    needs = {need for metric in catalog.values() for need in metric.needs}
    return [*list_need_queries(needs, vocabulary), *(metric.sql for metric in catalog.values())]


def load_tool_vocabulary(tool: str) -> Vocabulary:
    """What the tool that recorded a run can record."""
    return load_vocabulary(find_tool_folder(tool) / CAPABILITIES)


def _read_tool(connection: duckdb.DuckDBPyConnection, run: int) -> str:
    found = connection.execute("SELECT tool FROM run WHERE run = $run", {"run": run}).fetchone()
    return str(found[0]) if found else ""


def _make_result(
    tables: RunTables, metric: Metric, lacked: Callable[[str], UnmetNeed | None]
) -> Result:
    try:
        return _find_missing(metric, lacked) or _measure_metric(tables, metric)
    except duckdb.Error as error:
        if is_damage_error(error):
            raise
        if isinstance(error, _WRONG):
            raise ContentError(f"metric {metric.name}: the query fails: {error}") from error
        return Result(metric, "failed", reason=_describe_error(error))


def _describe_error(error: duckdb.Error) -> str:
    """The kind of an error: what more it says may be private."""
    if isinstance(error, duckdb.OutOfMemoryException):
        return _NO_MEMORY
    return f"the query failed: {type(error).__name__.removesuffix('Exception')}"


def _find_missing(metric: Metric, lacked: Callable[[str], UnmetNeed | None]) -> Result | None:
    """The not-measured result of a metric with an unmet need; None where all are met."""
    for need in metric.needs:
        if gap := lacked(need):
            return Result(metric, "not_measured", reason=gap.reason, collect=gap.collect)
    return None


def _measure_metric(tables: RunTables, metric: Metric) -> Result:
    tables.provide(metric.sql)
    cursor = tables.execute(metric.sql)
    described = [(str(column[0]), str(column[1])) for column in cursor.description or ()]
    rows: _Rows = cursor.fetchall()
    read = _read_scalar if metric.shape == "scalar" else _read_table
    return read(metric, described, rows)


def _read_scalar(metric: Metric, described: Sequence[tuple[str, str]], rows: _Rows) -> Result:
    names = [name for name, _ in described]
    if "value" not in names or not set(names) <= set(_SCALAR_COLUMNS):
        raise ContentError(
            f"metric {metric.name}: a scalar returns value and optionally low, high, n and"
            f" interval, not {', '.join(names)}"
        )
    _check_types(metric, [_make_scalar_column(metric, name) for name in names], described)
    if len(rows) > 1:
        raise ContentError(f"metric {metric.name}: a scalar returned {len(rows)} rows")
    cells = dict(zip(names, rows[0], strict=True)) if rows else {}
    value = _to_number(cells.get("value"))
    if value is None:
        reason = _explain_nothing(metric) if cells.get("value") is None else _NOT_FINITE
        return Result(metric, "not_measured", reason=reason)
    low, high, n = (_to_number(cells.get(name)) for name in ("low", "high", "n"))
    if low == high == value:
        low = high = None  # known exactly
    words = cells.get("interval")
    named = replace(metric, interval=words) if isinstance(words, str) else metric
    return Result(named, "measured", value, low, high, n)


def _make_scalar_column(metric: Metric, name: str) -> MetricColumn:
    return MetricColumn(name, name, "text" if name == "interval" else metric.unit)


def _read_table(metric: Metric, described: Sequence[tuple[str, str]], rows: _Rows) -> Result:
    names = [name for name, _ in described]
    expected = [column.name for column in metric.columns]
    if names != expected:
        raise ContentError(
            f"metric {metric.name}: the query returns {', '.join(names)},"
            f" the front matter says {', '.join(expected)}"
        )
    _check_types(metric, metric.columns, described)
    if not rows:
        return Result(metric, "not_measured", reason=_explain_nothing(metric))
    cells = tuple(tuple(_to_cell(cell) for cell in row) for row in rows)
    return Result(metric, "measured", rows=cells)


def _check_types(
    metric: Metric, columns: Sequence[MetricColumn], described: Sequence[tuple[str, str]]
) -> None:
    for column, (name, kind) in zip(columns, described, strict=True):
        allowed = _TEXT_TYPES if column.unit == "text" else _NUMBER_TYPES
        if kind.partition("(")[0] not in allowed:
            raise ContentError(
                f"metric {metric.name}: column {name} has unit {column.unit} and type {kind}"
            )


def _explain_nothing(metric: Metric) -> str:
    return metric.empty or _NO_VALUE


def _to_number(cell: object) -> float | None:
    """A cell of a scalar as a double; None for NULL, NaN and infinity."""
    value = _to_cell(cell)
    return float(value) if isinstance(value, (int, float)) else None


def _to_cell(cell: object) -> Cell:
    """A value of DuckDB as JSON can hold it: no NaN, no infinity, no decimal."""
    if isinstance(cell, Decimal):
        return float(cell)
    if isinstance(cell, float) and not math.isfinite(cell):
        return None
    if cell is None or isinstance(cell, (int, float, str)):
        return cell
    raise ContentError(f"a query returned {type(cell).__name__}, which is no number or text")
