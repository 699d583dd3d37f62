"""Results as a document: `metrics.json`, and back.

In:  what is known of a run, and its results. Out: a dictionary that JSON can hold. Charts, findings
and pages read nothing else. A file has a shorter form of it: see
`perfolio.metrics.document_format`.
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping, Sequence
from functools import lru_cache
from operator import itemgetter
from pathlib import Path
from typing import TYPE_CHECKING, Any, cast

import perfolio
from perfolio.common.errors import ContentError, StoreError
from perfolio.metrics.caveats import filter_caveat, filter_definition
from perfolio.metrics.model import INTERVAL, Metric, MetricColumn, Result, Results

if TYPE_CHECKING:
    import duckdb

SCHEMA = "perfolio-metrics/2"
_SCHEMA_FILE = Path(__file__).parent / "schema" / "metrics-2.schema.json"

_METRIC_TEXTS = (
    "name", "title", "unit", "shape", "better", "definition", "population", "source", "caveat",
    "empty", "sql",
)  # fmt: skip
_RUN_FIELDS = (
    "slug", "title", "description", "notes", "path", "tool", "format_version", "digest", "files",
)  # fmt: skip
_HARDWARE = """
SELECT hardware.* FROM hardware JOIN run ON run.hardware = hardware.name WHERE run.run = $run"""
_SETTINGS = "SELECT key, value FROM setting WHERE run = $run ORDER BY key"
_RECORDED = "SELECT DISTINCT name FROM metric WHERE run = $run ORDER BY name"
_RESULT_FIELDS = ("status", "reason", "collect", "value", "low", "high", "n")
_MOST_FAILED = 5
"""Queries that are named in one note."""


def make_metrics_document(run_facts: Mapping[str, Any], results: Results) -> dict[str, Any]:
    """The content of metrics.json: `run_facts` (see `run_facts`) and every result."""
    return make_document(run_facts, make_records(results))


def make_records(results: Results) -> list[dict[str, Any]]:
    """Every result as JSON can hold it."""
    return [make_record(result) for result in results.values()]


def make_document(
    run_facts: Mapping[str, Any], records: Sequence[Mapping[str, Any]]
) -> dict[str, Any]:
    """The content of metrics.json with results that are `make_records` some."""
    tool = str(run_facts["tool"])
    return {
        "schema": SCHEMA,
        "perfolio": perfolio.__version__,
        "run": dict(run_facts),
        "metrics": [
            {
                **record,
                "definition": filter_definition(record["definition"], tool),
                "caveat": filter_caveat(record["caveat"], tool),
            }
            for record in records
        ],
    }


def read_results(document: Mapping[str, Any]) -> Results:
    """The results that `document` holds; raises ContentError for another version's document."""
    if document.get("schema") != SCHEMA:
        raise ContentError(f"a document of {document.get('schema')}, not of {SCHEMA}")
    results = (_read_result(record) for record in document["metrics"])
    return {result.metric.name: result for result in results}


def load_schema() -> dict[str, Any]:
    """The JSON Schema of the document as it is written."""
    return cast(dict[str, Any], json.loads(_SCHEMA_FILE.read_text(encoding="utf-8")))


def run_facts(connection: duckdb.DuckDBPyConnection, run: int) -> dict[str, Any]:
    """What is known of `run` besides metrics; raises StoreError where the store has no such run."""
    runs = _query_records(connection, "SELECT * FROM run WHERE run = $run", run)
    if not runs:
        raise StoreError(f"the store has no run {run}")
    hardware = _query_records(connection, _HARDWARE, run)
    settings = _query_records(connection, _SETTINGS, run)
    recorded = _query_records(connection, _RECORDED, run)
    return {name: runs[0][name] for name in _RUN_FIELDS} | {
        "hardware": hardware[0] if hardware else None,
        "settings": {record["key"]: record["value"] for record in settings},
        "warnings": list(runs[0]["warnings"]),
        "metrics_recorded": [record["name"] for record in recorded],
    }


def _query_records(
    connection: duckdb.DuckDBPyConnection, sql: str, run: int
) -> Sequence[dict[str, Any]]:
    cursor = connection.execute(sql, {"run": run})
    names = [str(column[0]) for column in cursor.description or ()]
    return [dict(zip(names, row, strict=True)) for row in cursor.fetchall()]


def make_record(result: Result) -> dict[str, Any]:
    """One result as JSON can hold it."""
    metric = result.metric
    return (
        {name: getattr(metric, name) for name in _METRIC_TEXTS}
        | {"needs": list(metric.needs), "interval": metric.interval}
        | {name: getattr(result, name) for name in _RESULT_FIELDS}
        | {
            "columns": [
                {"name": column.name, "title": column.title, "unit": column.unit}
                for column in metric.columns
            ],
            "rows": [list(row) for row in result.rows],
        }
    )


def _read_result(record: Mapping[str, Any]) -> Result:
    metric = _make_metric(
        _metric_texts(record),
        tuple(record["needs"]),
        record.get("interval", INTERVAL),
        tuple(tuple(column.items()) for column in record["columns"]),
    )
    return Result(
        metric,
        **{name: record[name] for name in _RESULT_FIELDS},
        rows=tuple(tuple(row) for row in record["rows"]),
    )


_metric_texts = itemgetter(*_METRIC_TEXTS)


@lru_cache(1_024)  # a document is read for its findings, pages and charts, and has hundreds
def _make_metric(
    texts: Sequence[Any],
    needs: tuple[str, ...],
    interval: str,
    columns: Sequence[Iterable[tuple[str, str]]],
) -> Metric:
    return Metric(
        **dict(zip(_METRIC_TEXTS, texts, strict=True)),
        needs=needs,
        interval=interval,
        columns=tuple(MetricColumn(**dict(column)) for column in columns),
    )


def describe_failed_queries(document: Mapping[str, Any]) -> str:
    """Which queries could not end on a run, and why: the report is made without them."""
    failed = [item for item in document["metrics"] if item["status"] == "failed"]
    named = ", ".join(f"{item['name']} ({item['reason']})" for item in failed[:_MOST_FAILED])
    if not failed:
        return ""
    more = len(failed) - _MOST_FAILED
    slug = document["run"]["slug"]
    return f"{slug}: not measured: {named}" + (f" and {more} more" if more > 0 else "")
