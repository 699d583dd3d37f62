"""Results of a run as tables of Arrow, with units and definitions in their metadata."""

from __future__ import annotations

import json
import re
from collections.abc import Iterable, Mapping, Sequence
from pathlib import Path
from typing import Any

import pyarrow as pa

from perfolio.common.errors import UsageError
from perfolio.pipeline.build_context import RunDocuments
from perfolio.pipeline.run_documents import make_documents_of_run
from perfolio.store.database import open_store
from perfolio.store.model_catalog import find_mentioned, list_known_names

ABOUT = b"perfolio"
"""The entry of a table's metadata: JSON with run, units and definitions."""
_UNIT = re.compile(r"\[([^\]]{1,20})\]$")
_METRIC = {
    "name": "name of the metric",
    "title": "the metric in words",
    "status": "measured, not_measured, or failed",
    "value": "the value, in the unit of this row",
    "low": "lower end of the interval, where there is one",
    "high": "upper end of the interval",
    "unit": "unit of value, low and high",
    "n": "how many things the value is of",
    "definition": "what the value means",
    "population": "what it is taken over",
    "reason": "why it was not measured",
    "collect": "command that records it",
}
_FINDING = {
    "code": "code of the rule",
    "slug": "name of the rule",
    "title": "what the rule says where it fires",
    "status": "fired, passed, or why it was not judged",
    "severity": "severity, where it fired",
    "metric": "the metric that is judged",
    "value": "its value, in the unit of this row",
    "low": "lower end of the interval, where there is one",
    "high": "upper end of the interval",
    "unit": "unit of value, low, high and threshold",
    "threshold": "the bound that the value is compared with",
    "sentence": "the verdict with its number",
    "reason": "why it was not judged",
    "collect": "command that records what is missing",
}
_COMPARED: Mapping[str, Mapping[str, str]] = {
    "parts": {
        "part": "part of the time",
        "kind": "class of work, or of what is waited for",
        "before": "time before [ns]",
        "after": "time after [ns]",
        "difference": "after less before [ns]",
    },
    "waterfall": {
        "part": "part of the time",
        "kind": "class of work",
        "name": "short name of the work",
        "full_name": "its name",
        "shapes": "shapes of its operands",
        "matched_by": "how the work of both sides was matched",
        "change": "what has changed",
        "before": "time before [ns]",
        "after": "time after [ns]",
        "difference": "after less before [ns]",
        "by_calls": "of that by more or fewer calls [ns]",
        "by_duration": "of that by slower or faster calls [ns]",
        "calls_before": "calls before",
        "calls_after": "calls after",
    },
    "figures": {
        "name": "name of the metric",
        "title": "the metric in words",
        "before": "value before, in the unit of this row",
        "after": "value after",
        "unit": "unit of before and after",
    },
    "findings": {
        "code": "code of the rule",
        "title": "what the rule says where it fires",
        "fate": "what became of the finding",
        "severity_before": "severity before, where it fired",
        "severity_after": "severity after",
        "value_before": "value before, in the unit of this row",
        "value_after": "value after",
        "unit": "unit of the values",
    },
}
_NUMBERS = frozenset(
    {"value", "low", "high", "n", "threshold", "before", "after", "difference", "by_calls"}
    | {"by_duration", "calls_before", "calls_after", "value_before", "value_after"}
)


def read_metrics(store: Path, run: str | None) -> pa.Table:
    """A row for each metric with one number."""
    return build_metrics(make_documents_of_run(store, run))


def build_metrics(documents: RunDocuments) -> pa.Table:
    """The same of documents."""
    rows = [each for each in documents.metrics["metrics"] if each["shape"] == "scalar"]
    return _select_columns(rows, _METRIC, {"run": documents.slug})


def read_findings(store: Path, run: str | None) -> pa.Table:
    """A row for each rule."""
    return build_findings(make_documents_of_run(store, run))


def build_findings(documents: RunDocuments) -> pa.Table:
    """The same of documents."""
    return _select_columns(documents.findings["findings"], _FINDING, {"run": documents.slug})


def read_table(store: Path, name: str, run: str | None) -> pa.Table:
    """The rows of a metric that is a table. Raises UsageError where there is none."""
    return build_table(make_documents_of_run(store, run), name)


def build_tables(documents: RunDocuments) -> dict[str, pa.Table]:
    """All metrics that are tables and were measured, by name."""
    tables = (each for each in documents.metrics["metrics"] if each["shape"] == "table")
    names = [each["name"] for each in tables if each["status"] == "measured"]
    return {name: build_table(documents, name) for name in names}


def collect_tables(documents: RunDocuments) -> dict[str, pa.Table]:
    """Metrics, findings, and each metric that is a table."""
    return {
        "metrics": build_metrics(documents),
        "findings": build_findings(documents),
        **build_tables(documents),
    }


def build_compared(document: Mapping[str, Any], entry: str) -> pa.Table:
    """The rows of an entry of comparison.json: parts, waterfall, figures or findings."""
    names = document["names"]
    about = {"before": names["before"], "after": names["after"]}
    return _select_columns(document[entry], _COMPARED[entry], about)


def build_table(documents: RunDocuments, name: str) -> pa.Table:
    """The rows of one metric of a run. Raises UsageError where there is no such table."""
    by_name = {each["name"]: each for each in documents.metrics["metrics"]}
    metric = by_name.get(name)
    if metric is None or metric["shape"] != "table":
        known = ", ".join(n for n, each in by_name.items() if each["shape"] == "table")
        raise UsageError(f"there is no table {name!r}", hint=f"there are {known}")
    columns: Sequence[Mapping[str, str]] = metric["columns"]
    arrays = [
        _make_array([row[at] for row in metric["rows"]], is_text=column["unit"] == "text")
        for at, column in enumerate(columns)
    ]
    about = {
        "run": documents.slug,
        "metric": name,
        "title": metric["title"],
        "definition": metric["definition"],
        "population": metric["population"],
        "caveat": metric["caveat"],
        "status": metric["status"],
        "reason": metric["reason"],
        "collect": metric["collect"],
        "units": {each["name"]: each["unit"] for each in columns},
        "definitions": {each["name"]: each["title"] for each in columns},
    }
    return _attach_metadata(pa.table(arrays, names=[each["name"] for each in columns]), about)


def run_query(store: Path, sql: str, run: str | None) -> pa.Table:
    """The rows of one SELECT. Columns of tables keep their units, where only one has the name."""
    from perfolio.store.user_query import query_rows

    with open_store(store) as connection:
        table = query_rows(connection, sql, run=run)
        comments = connection.execute(
            "SELECT table_name, column_name, comment FROM duckdb_columns() "
            "WHERE comment IS NOT NULL"
        ).fetchall()
    read = find_mentioned(sql, list_known_names())
    meanings: dict[str, set[str]] = {}
    for place, column, comment in comments:
        if place in read and column in table.column_names:
            meanings.setdefault(column, set()).add(comment)
    definitions = {column: next(iter(each)) for column, each in meanings.items() if len(each) == 1}
    units = {c: unit[1] for c, text in definitions.items() if (unit := _UNIT.search(text))}
    about = {"run": run, "sql": sql, "units": units, "definitions": definitions}
    return _attach_metadata(table, about)


def _select_columns(
    rows: Iterable[Mapping[str, Any]], columns: Mapping[str, str], about: Mapping[str, object]
) -> pa.Table:
    """These columns of documents' rows, with what they mean."""
    records = list(rows)
    arrays = [
        pa.array([row[name] for row in records], pa.float64())
        if name in _NUMBERS
        else _make_array([row[name] for row in records], is_text=True)
        for name in columns
    ]
    return _attach_metadata(
        pa.table(arrays, names=list(columns)), {**about, "definitions": dict(columns)}
    )


def _make_array(values: Sequence[Any], *, is_text: bool) -> pa.Array:
    """Values of one column; what is no number in a column of numbers makes it one of texts."""
    if is_text or any(isinstance(each, str) for each in values):
        return pa.array([None if each is None else str(each) for each in values], pa.string())
    if any(isinstance(each, float) for each in values):
        return pa.array([None if each is None else float(each) for each in values], pa.float64())
    return pa.array(values, pa.float64() if all(each is None for each in values) else None)


def _attach_metadata(table: pa.Table, about: Mapping[str, object]) -> pa.Table:
    return table.replace_schema_metadata({ABOUT: json.dumps(about, ensure_ascii=False)})
